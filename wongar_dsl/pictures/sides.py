"""What a card bears: what it is, what stands at its sides, its numbers, and what is drawn on it.

All of it comes from the rules: tables and paths by the sides of a card, and tables by what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wongar_dsl.model import Model, TableData, Type
from wongar_dsl.model.boards import Graph


@dataclass(frozen=True, slots=True)
class Trail:
    """A path that comes to a side: which of the card's it is, the side at its other end, and its number (or 0)."""

    path: int
    other: int
    number: int


@dataclass(frozen=True, slots=True)
class Thing:
    """An enumerated thing at a side, such as what a way begins at."""

    kind: Type
    value: int


Side = Trail | Thing | None


def parts(model: Model, sort: Type, number: int) -> list[tuple[Type, int]]:
    """What a card is: its own sort, and what its parameters say."""
    attributes = model.cards[sort.name].attributes.values()
    return [(sort, number), *((kind, values[number]) for kind, values in attributes if values[number] >= 0)]


def tables(model: Model, keys: int) -> Iterator[tuple[str, TableData]]:
    """The tables with a number of keys."""
    yield from ((name, table) for name, table in model.tables.items() if len(table.keys) == keys)


def lattice_of(model: Model, sort: Type) -> Graph | None:
    """The lattice on which cards of a sort are laid, if they are."""
    found = (zone.board for zone in model.declared.zones.values() if zone.holds == sort)
    return next((model.boards[board] for board in found if board is not None), None)


def sides(model: Model, sort: Type, number: int, directions: int) -> tuple[Side, ...]:
    """What stands at each side of a card that is not turned, in the order of the directions."""
    found: list[Side] = [None] * directions
    paths = model.declared.paths
    numbers = {declared.numbers for declared in paths.values()}
    for kind, value in parts(model, sort, number):
        for name, table in tables(model, 2):
            if table.keys[0] != kind or table.keys[1].kind != "number" or table.sizes[1] > directions:
                continue
            row = table.cells[value * table.sizes[1] : (value + 1) * table.sizes[1]]
            if name in paths:
                lengths = paths[name].numbers
                for side, trail in _trails(row, model.tables[lengths] if lengths else None, value):
                    found[side] = trail
            elif name not in numbers:
                for side, cell in enumerate(row):
                    found[side] = found[side] or (Thing(table.value, cell) if cell >= 0 else None)
    return tuple(found)


def _trails(row: Sequence[int], numbers: TableData | None, value: int) -> Iterator[tuple[int, Trail]]:
    """The paths of a card at both of their ends."""
    path = 0
    for side, other in enumerate(row):
        if other > side:
            number = numbers.cells[value * numbers.sizes[1] + side] if numbers is not None else 0
            yield side, Trail(path, other, number)
            yield other, Trail(path, side, number)
            path += 1


def worth(model: Model, sort: Type, number: int) -> list[tuple[str, int]]:
    """The numbers of a card, each with the table that it stands in."""
    return [
        (name, table.cells[value])
        for kind, value in parts(model, sort, number)
        for name, table in tables(model, 1)
        if table.keys[0] == kind and table.value.kind == "number"
    ]


def rooms_in(model: Model, keys: tuple[Type, ...], value: int) -> tuple[int, ...]:
    """How much room each part of something has, by the table with these two keys; nothing where there is none."""
    table = next((t for _, t in tables(model, 2) if t.keys == keys and t.value.kind == "number"), None)
    return table.cells[value * table.sizes[1] : (value + 1) * table.sizes[1]] if table is not None else ()


def rooms(model: Model, sort: Type, number: int) -> list[tuple[Type, int, int]]:
    """The parts of a card that have room for something: the type and the value of each, and how much."""
    return [
        (zone.indices[1], part, room)
        for kind, value in parts(model, sort, number)
        for zone in model.declared.zones.values()
        if zone.kind == "tokens" and len(zone.indices) == 3 and zone.indices[0] == kind
        for part, room in enumerate(rooms_in(model, zone.indices[:2], value))
        if room > 0
    ]


class Drawn(NamedTuple):
    """A shape that is drawn on a card: its sort and number, and the value that tells it from others, if any."""

    sort: str
    number: int
    column: tuple[Type, int] | None


def drawings(model: Model, sort: Type, number: int) -> list[Drawn]:
    """The shapes that are drawn on a card, in the order of the tables that give them."""
    found = []
    for kind, value in parts(model, sort, number):
        for table in model.tables.values():
            if table.keys[0] != kind or table.value.name not in model.shapes or len(table.keys) > 2:
                continue
            width = table.sizes[1] if len(table.keys) == 2 else 1
            for column, cell in enumerate(table.cells[value * width : (value + 1) * width]):
                key = (table.keys[1], column) if len(table.keys) == 2 else None
                found += [Drawn(table.value.name, cell, key)] if cell >= 0 else []
    return found
