"""Data of a card that pictures show: its attributes, edges, numbers and shapes.

A card is given by the name of its declaration (`sort`, here as a type) and the number of its face in it.
Everything comes from the rules: tables and paths indexed by the sides of a card, and tables indexed by its attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
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
        if zone.traits.tokens and len(zone.indices) == 3 and zone.indices[0] == kind
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


#: Number of cached cards.
MAX_CACHED_CARDS = 2_000


class CardEffect(NamedTuple):
    """Thing that a card gives, and the declaration that it comes from.

    `value` is the kind of token, or -1 if the rule does not fix it.
    """

    sort: Literal["token", "figure", "card", "track", "points"]
    name: str
    value: int = -1


def card_effects(model: Model, sort: str, number: int) -> tuple[CardEffect, ...]:
    """Return the things that a face gives, each once, in rule order.

    Called rules are searched level by level, and only if the calling level gives nothing.
    """
    return _cached_effects(_ModelKey(model), sort, number)


class _ModelKey:
    """Cache key for a model, compared by identity."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ModelKey) and other.model is self.model

    def __hash__(self) -> int:
        return id(self.model)


@lru_cache(MAX_CACHED_CARDS)
def _cached_effects(of: _ModelKey, sort: str, number: int) -> tuple[CardEffect, ...]:
    model = of.model
    face = model.cards[sort].faces[number]
    effects = [effect for effect in model.code.effects.get(sort, ()) if effect.name.text == face.kind]
    values = {name.text: value for e in effects for name, value in zip(e.card_parameters, face.arguments, strict=False)}
    level: list[s.Procedure] = [*effects]
    visited: set[s.Procedure] = set()
    while level:
        things = dict.fromkeys(thing for article in level for thing in _effects_in(model, article, values))
        if things:
            return tuple(things)
        visited |= set(level)
        # Parameters of a called rule are not those of the card.
        values = {}
        called = (rule for article in level for rule in _called_rules(model, article))
        level = [rule for rule in dict.fromkeys(called) if rule not in visited]
    return ()


def _called_rules(model: Model, article: s.Procedure) -> Iterator[s.Procedure]:
    for node in walk(article.body):
        ref = model.refs.get(node)
        if ref is not None and ref.kind == "rule":
            yield model.code.rules[ref.name]


def _effects_in(model: Model, article: s.Procedure, values: dict[str, int]) -> Iterator[CardEffect]:
    for node in walk(article.body):
        match node:
            case s.MoveTokens(kind=kind):
                yield CardEffect("token", model.types[kind].name, _kind(model, kind, values))
            case s.Take(figure=figure):
                yield CardEffect("figure", figure.text)
            case s.Move(what=what) if model.types[what].kind == "cards":
                yield CardEffect("card", model.types[what].name)
            case s.Move(what=s.Name() as what) if what.text in model.figures:
                yield CardEffect("figure", what.text)
            case s.Advance(track=track):
                yield CardEffect("track", track.text)
            case s.Gain(score=score):
                yield CardEffect("points", score.text)
            case _:
                pass


def _kind(model: Model, kind: s.Expression, values: dict[str, int]) -> int:
    """Return the kind of token of an expression, if it is a constant or a parameter of the card; else -1."""
    ref = model.refs.get(kind)
    if ref is not None and ref.kind == "value":
        return ref.number
    return values.get(kind.text, -1) if isinstance(kind, s.Name) else -1
