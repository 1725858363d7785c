"""The keys of files that were read: who gets them from the cache needs no parser."""

from __future__ import annotations


class Key(str):
    """A key of a mapping, and the line where it stands."""

    __slots__ = ("line",)

    line: int

    def __new__(cls, text: str, line: int) -> Key:  # noqa: D102
        made = super().__new__(cls, text)
        made.line = line
        return made

    def __reduce__(self) -> tuple[type[Key], tuple[str, int]]:
        return Key, (str(self), self.line)
