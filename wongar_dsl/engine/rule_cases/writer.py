"""Writes cases as readable YAML, and appends them to case files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from wongar_dsl.engine.rule_cases.file import CaseError, YamlNode, parse_yaml

#: Part of a YAML file: text, list or mapping.
Data: TypeAlias = str | list["Data"] | dict[str, "Data"]

WIDTH, INDENT = 116, 2
#: Characters and patterns of texts that YAML requires to be quoted.
_SPECIAL = re.compile(r"[,\[\]{}#&*!|>'\"%@`]|: |:$|^[-?:](\s|$)|^\s|\s$|^$|^---|^\.\.\.|^~$|[^\x20-\x7e\xa0-\ud7ff]")


def inline_yaml(data: Data, line: int = 1) -> YamlNode:
    """Return data as a node of a case file, all on the same line."""
    if isinstance(data, str):
        return YamlNode(data, line)
    if isinstance(data, list):
        return YamlNode([inline_yaml(item, line) for item in data], line)
    return YamlNode({key: inline_yaml(value, line) for key, value in data.items()}, line)


def yaml_lines(data: Mapping[str, Data], indent: int = 0) -> list[str]:
    """Return a mapping as lines of YAML; a value that fits is put on one line."""
    return list(_mapping(data, indent))


def _mapping(data: Mapping[str, Data], indent: int) -> Iterator[str]:
    for key, value in data.items():
        yield from _entry(f"{' ' * indent}{_text(key)}:", value, indent + INDENT)


def _entry(before: str, value: Data, indent: int) -> Iterator[str]:
    """Yield a value after its key or dash; one that does not fit goes below, indented by `indent`."""
    if before.endswith("-") and isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        yield from _entry(f"{before} {_text(key)}:", inner, indent + INDENT)
        return
    if before.endswith("-") and isinstance(value, dict) and value:
        # The first key of an item follows its dash.
        first, *others = _mapping(value, indent)
        yield f"{before} {first.lstrip()}"
        yield from others
        return
    line = f"{before} {_one_line(value)}"
    if isinstance(value, str) or not value or (len(line) <= WIDTH and not _has_items_on_own_lines(value)):
        yield line
        return
    yield before
    if isinstance(value, dict):
        yield from _mapping(value, indent)
    elif all(isinstance(item, str) for item in value) and "moves:" not in before:
        yield from _wrapped([_text(item) for item in value if isinstance(item, str)], indent)
    else:
        for item in value:
            yield from _entry(f"{' ' * indent}-", item, indent + INDENT)


def _has_items_on_own_lines(value: Data) -> bool:
    """Return whether a value is a list with each item on a line of its own."""
    items = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    return bool(items) and (len(value) > 1 or any(len(item) > 1 for item in items))


def _wrapped(items: list[str], indent: int) -> Iterator[str]:
    """Yield a long list of texts with as many on each line as fit."""
    line = " " * indent + "["
    for number, item in enumerate(items):
        piece = item + (", " if number + 1 < len(items) else "]")
        if len(line) + len(piece) > WIDTH:
            yield line.rstrip()
            line = " " * (indent + 1)
        line += piece
    yield line


def _one_line(value: Data) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_one_line, value)) + "]"
    return "{" + ", ".join(f"{_text(key)}: {_one_line(inner)}" for key, inner in value.items()) + "}"


def _text(text: str) -> str:
    if not _SPECIAL.search(text):
        return text
    escaped = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text.replace("\\", r"\\"))
    return '"' + escaped.replace('"', r"\"") + '"'


# ---- files ---------------------------------------------------------------------------------------------------------


def append_case(text: str, case: Mapping[str, Data]) -> tuple[str, int]:
    """Append a case to the text of a case file; return the new text and the line of the case.

    The existing text is unchanged. Raises `CaseError` for invalid text, and with `cases.no_room` for a layout that has
    no place for another case.
    """
    tree = parse_yaml(text)
    items = tree.mapping["cases"].items if "cases" in tree.mapping else []
    if not items:
        raise CaseError("cases.no_room", 1)
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    dash = re.match(r"( *)- ", lines[items[-1].line - 1])
    if dash is None:
        raise CaseError("cases.no_room", items[-1].line)
    insertion_line = _end_of_cases(tree, lines)
    column = len(dash[1])
    new = ["", *_entry(f"{' ' * column}-", dict(case), column + INDENT), ""]
    before = "\n".join(lines[:insertion_line]).rstrip().split("\n")
    rest = lines[insertion_line:]
    result = end.join([*lines[: len(before)], *new, *rest]) if any(rest) else end.join([*lines[: len(before)], *new])
    expected = {key: _data(value) for key, value in tree.mapping.items()} | {"cases": [*map(_data, items), dict(case)]}
    if _data(parse_yaml(result)) != expected:
        raise CaseError("cases.no_room", items[-1].line)
    return result, len(before) + 2


def _end_of_cases(tree: YamlNode, lines: list[str]) -> int:
    """Return the index of the line with the key after `cases`, or of its comment; the number of lines without one."""
    keys = list(tree.mapping)
    following = keys[keys.index("cases") + 1 :]
    if not following:
        return len(lines)
    line_index = next(
        n for n, line in enumerate(lines) if re.match(rf"[\"']?{re.escape(following[0])}[\"']?\s*:", line)
    )
    while line_index and re.match(r"\s*(#|$)", lines[line_index - 1]):
        line_index -= 1
    return line_index


def _data(part: YamlNode) -> Data:
    if isinstance(part.value, str):
        return part.value
    if isinstance(part.value, list):
        return [_data(item) for item in part.value]
    return {str(key): _data(value) for key, value in part.value.items()}
