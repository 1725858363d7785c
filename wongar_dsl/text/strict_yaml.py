"""A strict, small part of YAML: mappings, lists and strings.

No tags, no anchors, no numbers, no `no` that turns into false.  A file from a stranger can therefore be wrong, but
neither large, nor deep, nor clever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

import yaml

from wongar_dsl.text.keys import Key

N = TypeVar("N")

# libyaml where it is there: ten times faster.  Only its events are used, its tree builder overflows the stack.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlFault(Exception):
    """A text that is not of this part of YAML.

    `reason` is `yaml` (no YAML at all), `tab` (indented with one), `alias`, `too_deep`, `key` (no text), `twice` (a key
    that is there already, `name`) or `several` (not exactly one document).
    """

    def __init__(
        self, reason: Literal["yaml", "tab", "alias", "too_deep", "key", "twice", "several"], line: int, name: str = ""
    ) -> None:
        self.reason, self.line, self.name = reason, line, name
        super().__init__(f"line {line}: {reason} {name}")


def parse(text: str, deepest: int, make: Callable[[str | list[N] | dict[str, N], int], N]) -> N | None:
    """The tree of `text`, nested `deepest` times at most; None for a text that holds nothing.

    `make` makes a node of a string, list or mapping and its line; the keys of a mapping are each a `Key`.  Lists and
    mappings are filled after their node is made.  Raises `YamlFault`.
    """
    result: list[N] = []
    # One entry for each open collection, and for a mapping the key that waits for its value.
    open_ones: list[tuple[list[N] | dict[str, N], Key | None]] = []

    def put(value: str | list[N] | dict[str, N], line: int) -> None:
        if not open_ones:
            result.append(make(value, line))
            return
        into, key = open_ones[-1]
        if isinstance(into, list):
            into.append(make(value, line))
        elif key is None:
            if not isinstance(value, str):
                raise YamlFault("key", line)
            if value in into:
                raise YamlFault("twice", line, value)
            open_ones[-1] = (into, Key(value, line))
        else:
            into[key] = make(value, line)
            open_ones[-1] = (into, None)

    try:
        for event in yaml.parse(text, Loader=_LOADER):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise YamlFault("alias", line)
            if isinstance(event, yaml.ScalarEvent):
                put(event.value, line)
            elif isinstance(event, yaml.CollectionStartEvent):
                opened: list[N] | dict[str, N] = [] if isinstance(event, yaml.SequenceStartEvent) else {}
                put(opened, line)
                open_ones.append((opened, None))
                if len(open_ones) > deepest:
                    raise YamlFault("too_deep", line)
            elif isinstance(event, yaml.CollectionEndEvent):
                open_ones.pop()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        # From PyYAML 6.0.4 on the scanner has a limit of its own, and meets it before the events get so deep.
        if "nesting depth" in (getattr(error, "problem", None) or ""):
            raise YamlFault("too_deep", line) from None
        lines = text.split("\n")
        # The parser of YAML tells the line after a tab as often as its own.
        for number in (line, line - 1):
            if 0 < number <= len(lines) and lines[number - 1][: -len(lines[number - 1].lstrip()) or None].count("\t"):
                raise YamlFault("tab", number) from None
        raise YamlFault("yaml", line) from None
    except ValueError:
        raise YamlFault("yaml", 1) from None
    if len(result) > 1:
        raise YamlFault("several", 1)
    return result[0] if result else None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string of a text and where it stands; `within` are the keys that it stands under, `key`: it is one itself."""

    text: str
    line: int
    column: int
    end_line: int
    end_column: int
    within: tuple[str, ...]
    key: bool


def scalars(text: str) -> Iterator[Scalar]:
    """All strings of a text with their places, in their order.  Raises `YamlFault` for what is no YAML."""
    # For each open collection: whether it is a mapping, and the key that waits for its value.
    open_ones: list[tuple[bool, str | None]] = []
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            mapping, waiting = open_ones[-1] if open_ones else (False, None)
            key = mapping and waiting is None
            start, end = event.start_mark, event.end_mark
            if isinstance(event, yaml.ScalarEvent) and start is not None and end is not None:
                within = tuple(name for _, name in open_ones if name is not None)
                yield Scalar(
                    event.value, start.line + 1, start.column + 1, end.line + 1, end.column + 1, within, key
                )  # fmt: skip
            if isinstance(event, yaml.CollectionEndEvent):
                open_ones.pop()
            if isinstance(event, yaml.ScalarEvent | yaml.CollectionEndEvent) and open_ones and open_ones[-1][0]:
                open_ones[-1] = (True, event.value if key and isinstance(event, yaml.ScalarEvent) else None)
            if isinstance(event, yaml.CollectionStartEvent):
                open_ones.append((isinstance(event, yaml.MappingStartEvent), None))
    except (yaml.YAMLError, ValueError):
        raise YamlFault("yaml", 1) from None
