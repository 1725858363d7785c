"""Parser for a strict subset of YAML: mappings, lists and strings.

There are no tags, no anchors, no numbers and no implicit conversion (`no` is a string).  Nesting depth is limited, so
that an untrusted file can be wrong but not expensive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

import yaml

from wongar_dsl.base.span import LocatedKey

N = TypeVar("N")

# libyaml, if available, is ten times faster.  Only its events are used, because its tree builder overflows the stack.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlFault(Exception):
    """Raised for text outside of the YAML subset.

    `reason` is `yaml` (invalid YAML), `tab` (indented with a tab), `alias`, `too_deep`, `key` (a key that is not a
    string), `twice` (duplicate key, `name`) or `several` (not exactly one document).
    """

    def __init__(
        self, reason: Literal["yaml", "tab", "alias", "too_deep", "key", "twice", "several"], line: int, name: str = ""
    ) -> None:
        self.reason, self.line, self.name = reason, line, name
        super().__init__(f"line {line}: {reason} {name}")


def parse(text: str, max_depth: int, make: Callable[[str | list[N] | dict[str, N], int], N]) -> N | None:
    """Return the tree of `text`, or None if it is empty.

    `max_depth` is the maximum nesting depth.  `make` creates a node from a string, list or mapping and its line; each
    mapping key is a `LocatedKey`.  Lists and mappings are filled after their node is made.  Raises `YamlFault`.
    """
    result: list[N] = []
    # Open collections; for a mapping with the key whose value comes next.
    stack: list[tuple[list[N] | dict[str, N], LocatedKey | None]] = []

    def put(value: str | list[N] | dict[str, N], line: int) -> None:
        if not stack:
            result.append(make(value, line))
            return
        into, key = stack[-1]
        if isinstance(into, list):
            into.append(make(value, line))
        elif key is None:
            if not isinstance(value, str):
                raise YamlFault("key", line)
            if value in into:
                raise YamlFault("twice", line, value)
            stack[-1] = (into, LocatedKey(value, line))
        else:
            into[key] = make(value, line)
            stack[-1] = (into, None)

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
                stack.append((opened, None))
                if len(stack) > max_depth:
                    raise YamlFault("too_deep", line)
            elif isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        # From PyYAML 6.0.4 on the scanner has a depth limit that it reaches before the events do.
        if "nesting depth" in (getattr(error, "problem", None) or ""):
            raise YamlFault("too_deep", line) from None
        lines = text.split("\n")
        # The YAML parser reports the line after a tab as often as the line with the tab.
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
    """String in a YAML text with its position.

    `within` are the enclosing keys; `key` marks a string that is a mapping key.
    """

    text: str
    line: int
    column: int
    end_line: int
    end_column: int
    within: tuple[str, ...]
    key: bool


def scalars(text: str) -> Iterator[Scalar]:
    """Yield all strings of a text with their positions, in order.  Raises `YamlFault` for invalid YAML."""
    # For each open collection: whether it is a mapping, and the key whose value comes next.
    stack: list[tuple[bool, str | None]] = []
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            mapping, pending_key = stack[-1] if stack else (False, None)
            key = mapping and pending_key is None
            start, end = event.start_mark, event.end_mark
            if isinstance(event, yaml.ScalarEvent) and start is not None and end is not None:
                within = tuple(name for _, name in stack if name is not None)
                yield Scalar(
                    event.value, start.line + 1, start.column + 1, end.line + 1, end.column + 1, within, key
                )  # fmt: skip
            if isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
            if isinstance(event, yaml.ScalarEvent | yaml.CollectionEndEvent) and stack and stack[-1][0]:
                stack[-1] = (True, event.value if key and isinstance(event, yaml.ScalarEvent) else None)
            if isinstance(event, yaml.CollectionStartEvent):
                stack.append((isinstance(event, yaml.MappingStartEvent), None))
    except (yaml.YAMLError, ValueError):
        raise YamlFault("yaml", 1) from None
