"""Data of a card that pictures show: its attributes, edges, numbers and shapes.

A card is given by the name of its declaration (`sort`, here as a type) and the number of its face in it.
Everything comes from the rules: tables and paths indexed by the sides of a card, and tables indexed by its attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wongar_dsl.language.semantics import Model, TableData, Type
from wongar_dsl.language.semantics.boards import Graph


@dataclass(frozen=True, slots=True)
class Trail:
    """Path printed on a card, seen from one of its ends.

    It consists of its index on the card, the side of its other end, and its printed number (0: none).
    """

    path: int
    other: int
    number: int


@dataclass(frozen=True, slots=True)
class EdgeThing:
    """Enumerated thing at a side, for example the start of a path."""

    kind: Type
    value: int


Side = Trail | EdgeThing | None


def card_keys(model: Model, sort: Type, number: int) -> list[tuple[Type, int]]:
    """Return the keys under which tables describe a card: its own sort and number, and the values of its attributes."""
    attributes = model.cards[sort.name].attributes.values()
    return [(sort, number), *((kind, values[number]) for kind, values in attributes if values[number] >= 0)]


def tables(model: Model, keys: int) -> Iterator[tuple[str, TableData]]:
    """Yield the tables with a given number of keys."""
    yield from ((name, table) for name, table in model.tables.items() if len(table.keys) == keys)


def lattice_of(model: Model, sort: Type) -> Graph | None:
    """Return the lattice on which cards of a sort are laid, or None."""
    boards = (zone.board for zone in model.declared.zones.values() if zone.holds == sort)
    return next((model.boards[board] for board in boards if board is not None), None)


def sides(model: Model, sort: Type, number: int, directions: int) -> tuple[Side, ...]:
    """Return the content of each side of an unrotated card, in the order of the directions."""
    result: list[Side] = [None] * directions
    paths = model.declared.paths
    numbers = {declared.numbers for declared in paths.values()}
    for kind, value in card_keys(model, sort, number):
        for name, table in tables(model, 2):
            if table.keys[0] != kind or table.keys[1].kind != "number" or table.sizes[1] > directions:
                continue
            row = table.cells[value * table.sizes[1] : (value + 1) * table.sizes[1]]
            if name in paths:
                lengths = paths[name].numbers
                for side, trail in _trails(row, model.tables[lengths] if lengths else None, value):
                    result[side] = trail
            elif name not in numbers:
                for side, cell in enumerate(row):
                    result[side] = result[side] or (EdgeThing(table.value, cell) if cell >= 0 else None)
    return tuple(result)


def _trails(row: Sequence[int], numbers: TableData | None, value: int) -> Iterator[tuple[int, Trail]]:
    """Yield the paths of a card at both of their ends."""
    path = 0
    for side, opposite in enumerate(row):
        if opposite > side:
            number = numbers.cells[value * numbers.sizes[1] + side] if numbers is not None else 0
            yield side, Trail(path, opposite, number)
            yield opposite, Trail(path, side, number)
            path += 1


def card_numbers(model: Model, sort: Type, number: int) -> list[tuple[str, int]]:
    """Return the numbers of a card, each with the name of its table."""
    return [
        (name, table.cells[value])
        for kind, value in card_keys(model, sort, number)
        for name, table in tables(model, 1)
        if table.keys[0] == kind and table.value.kind == "number"
    ]


def part_capacities(model: Model, keys: tuple[Type, ...], value: int) -> tuple[int, ...]:
    """Return how many pieces each part of a card holds, by part number; empty if no table has these two keys.

    The first key is the card or an attribute of it, with the given value; the second is the part.
    """
    table = next((t for _, t in tables(model, 2) if t.keys == keys and t.value.kind == "number"), None)
    return table.cells[value * table.sizes[1] : (value + 1) * table.sizes[1]] if table is not None else ()


def parts_for_tokens(model: Model, sort: Type, number: int) -> list[tuple[Type, int, int]]:
    """Return the parts of a card that can hold tokens: type, part number and capacity of each."""
    return [
        (zone.indices[1], part, room)
        for kind, value in card_keys(model, sort, number)
        for zone in model.declared.zones.values()
        if zone.kind == "tokens" and len(zone.indices) == 3 and zone.indices[0] == kind
        for part, room in enumerate(part_capacities(model, zone.indices[:2], value))
        if room > 0
    ]


class DrawnShape(NamedTuple):
    """Shape drawn on a card: its sort and number, and the second key of its table (None for a table with one key)."""

    sort: str
    number: int
    column: tuple[Type, int] | None


def drawings(model: Model, sort: Type, number: int) -> list[DrawnShape]:
    """Return the shapes drawn on a card, in table order."""
    shapes = []
    for kind, value in card_keys(model, sort, number):
        for table in model.tables.values():
            if table.keys[0] != kind or table.value.name not in model.shapes or len(table.keys) > 2:
                continue
            width = table.sizes[1] if len(table.keys) == 2 else 1
            for column, cell in enumerate(table.cells[value * width : (value + 1) * width]):
                key = (table.keys[1], column) if len(table.keys) == 2 else None
                shapes += [DrawnShape(table.value.name, cell, key)] if cell >= 0 else []
    return shapes
