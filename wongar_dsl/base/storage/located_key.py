"""Mapping keys with line numbers.

The module is separate so that unpickling a cached file does not import the YAML parser.
"""

from __future__ import annotations


class LocatedKey(str):
    """Key of a mapping, with its line number."""

    __slots__ = ("line",)

    line: int

    def __new__(cls, text: str, line: int) -> LocatedKey:  # noqa: D102
        key = super().__new__(cls, text)
        key.line = line
        return key

    def __reduce__(self) -> tuple[type[LocatedKey], tuple[str, int]]:
        return LocatedKey, (str(self), self.line)
