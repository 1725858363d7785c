"""Writes cases as YAML, and positions in the notation of cases: states, and differences between states, by names.

`PositionReader` reads this notation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import LAYOUT, Container, container, score_from, score_width
from wongar_dsl.engine import Game, State, notation
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.hidden_information.observation import layout_cards
from wongar_dsl.engine.rule_cases.file import CaseError, YamlNode, parse_yaml
from wongar_dsl.engine.rule_cases.position_reader import ALL, PositionReader
from wongar_dsl.language.semantics import NUMBER

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


#: Maximum number of tokens that are listed one by one; of more, the changed counts are given.
MAX_LISTED = 6


def full_position(game: Game, cells: list[int]) -> dict[str, Data]:
    """Return the whole position, with each copy and each kind separately, so that it can be read under other rules."""
    return _PositionWriter(game, None, cells, False).position()


def position_difference(game: Game, before: list[int], cells: list[int]) -> dict[str, Data]:
    """Return the position to lay out in one state to reach another; empty if both are the same."""
    return _PositionWriter(game, before, cells, False).position()


def changed_places(game: Game, before: list[int], cells: list[int]) -> dict[str, Data]:
    """Return the changed parts of a position as expectations: of a pile from which cards were drawn, its size."""
    return _PositionWriter(game, before, cells, True).position()


class _PositionWriter:
    """Writes the state `cells`, or with `before` only what differs from that state.

    With `as_expectation`, piles are written as a case expects them after a choice: cards drawn or added, not all cards.
    """

    def __init__(self, game: Game, before: list[int] | None, cells: list[int], as_expectation: bool) -> None:
        self.game, self.before, self.cells, self.as_expectation = game, before, cells, as_expectation
        self.reader = PositionReader(game)

    def position(self) -> dict[str, Data]:
        """Return the position by names of fields."""
        result: dict[str, Data] = {}
        for place in self.game.program.fields:
            spots = [
                (indices, self._content(place, number, at))
                for number, (indices, at) in enumerate(copies(place))
                if self._differs(place, at)
            ]
            if spots:
                result[place.name] = self._nested(place, 0, spots)
        return result

    def _differs(self, field: ir.Field, at: int) -> bool:
        if self.before is None:
            return True
        old, new = self.before[at : at + field.width], self.cells[at : at + field.width]
        if old == new:
            return False
        if field.traits.spread:
            # The order in which cards were laid is not visible.
            return sorted(LAYOUT.placed_cards(old, 0, field.width)) != sorted(LAYOUT.placed_cards(new, 0, field.width))
        return True

    def _nested(self, field: ir.Field, depth: int, spots: Sequence[tuple[tuple[int, ...], Data]]) -> Data:
        """Nest the copies of a field by their indices; equal values of all indices are merged into `all`."""
        if depth == len(field.indices):
            return spots[0][1]
        inside: dict[int, list[tuple[tuple[int, ...], Data]]] = {}
        for indices, data in spots:
            inside.setdefault(indices[depth], []).append((indices, data))
        by_name = {
            self.reader.shown(field.indices[depth], value): self._nested(field, depth + 1, part)
            for value, part in inside.items()
        }
        first, *others = by_name.values()
        if (
            self.before is not None
            and others
            and len(by_name) == field.sizes[depth]
            and all(value_data == first for value_data in others)
        ):
            return {ALL: first}
        return by_name

    def _content(self, field: ir.Field, copy: int, at: int) -> Data:
        zone, model, seats = container(field), self.game.model, self.game.seats
        if zone is not None and not field.traits.single:
            return self._things(field, zone, at)
        value = self.cells[at]
        if field.kind == "score" and field.width > score_width(0):
            origins = range(model.size(field.type, seats))
            return {
                model.value_name(field.type, origin): str(score_from(self.cells, at, origin))
                for origin in origins
                if self.before is None or score_from(self.before, at, origin) != score_from(self.cells, at, origin)
            }
        if field.kind == "track":
            return str(value + 1)
        kind = NUMBER if field.kind == "score" else self.reader.content_type(field, copy)
        if value < 0 and kind.kind not in ("number", "truth", "direction"):
            return "none" if kind.can_be_none else "nobody"
        return self.reader.shown(kind, value)

    def _things(self, field: ir.Field, zone: Container, at: int) -> Data:
        if field.traits.spread:
            cards = layout_cards(State(self.game, self.cells), field, at)
            return {name: [*where] if isinstance(where, list) else where for name, where in cards.items()}
        if field.traits.counted:
            return self._counted(field, zone, at)
        things = zone.ordered_things(self.cells, at, field.width)
        old = zone.ordered_things(self.before, at, field.width) if self.before is not None else None
        if (
            old is not None
            and self.as_expectation
            and len(things) < len(old)
            and old[len(old) - len(things) :] == things
        ):
            return str(len(things))
        if old is not None and (Counter(old) == Counter(things) or (self.as_expectation and _is_extended(old, things))):
            return {"top": self._names(field, _top(old, things))}
        return self._names(field, things)

    def _counted(self, field: ir.Field, zone: Container, at: int) -> Data:
        faces = self.game.model.size(field.type, self.game.seats)
        counts = zone.counts(self.cells, at, field.width, faces)
        if self.before is not None and sum(counts) <= MAX_LISTED:
            return self._names(field, zone.ordered_things(self.cells, at, field.width))
        old = zone.counts(self.before, at, field.width, faces) if self.before is not None else None
        return {
            self.game.model.value_name(field.type, face): str(count)
            for face, count in enumerate(counts)
            if old is None or old[face] != count
        }

    def _names(self, field: ir.Field, things: Sequence[int]) -> list[Data]:
        return [notation.write_value(self.game.model, field.type, thing) for thing in things]


def _is_extended(old: list[int], things: list[int]) -> bool:
    """Return whether cards were only added on top of a pile."""
    return len(things) > len(old) and things[len(things) - len(old) :] == old


def _top(old: list[int], things: list[int]) -> list[int]:
    """Return the fewest cards that must be moved to the top of a pile so that it becomes another."""
    if len(things) > len(old):
        return things[: len(things) - len(old)]
    for size in range(len(things)):
        remaining = list(old)
        for card in things[:size]:
            remaining.remove(card)
        if remaining == things[size:]:
            return things[:size]
    return things
