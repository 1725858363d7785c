"""Numbered parts of a program under construction, and the addresses of everything in its state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Generic, TypeVar

from wongar_dsl.base.span import Span
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import Extent
from wongar_dsl.compiler.ir.containers import score_width, zone_container
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import FIGURE, NUMBER, PLAYER, DeckDecl, Model, Type, ZoneDecl

# ---- parts of the program ------------------------------------------------------------------------------------------


T = TypeVar("T")
#: Factory of a constant table of lists.
Lists = Callable[[], tuple[tuple[int, ...], ...]]


class NumberedSlots(Generic[T]):
    """List with slots that can be reserved before their content is known."""

    def __init__(self) -> None:
        self._found: list[T | None] = []

    def reserve(self) -> int:
        """Reserve a slot and return its number."""
        self._found.append(None)
        return len(self._found) - 1

    def fill(self, number: int, value: T) -> None:
        """Fill a reserved slot."""
        self._found[number] = value

    def add(self, value: T) -> int:
        """Append a value and return its number."""
        self._found.append(value)
        return len(self._found) - 1

    def as_tuple(self) -> tuple[T, ...]:
        """Return the content; all slots must be filled."""
        values = tuple(x for x in self._found if x is not None)
        assert len(values) == len(self._found), "a place was given away and not filled"
        return values


@dataclass(slots=True)
class ProgramBuilder:
    """Numbered parts of a program."""

    tables: list[tuple[int, ...]] = field(default_factory=list)
    lists: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    faults: list[ir.FaultSpec] = field(default_factory=list)
    events: list[ir.EventSpec] = field(default_factory=list)
    procedures: NumberedSlots[ir.Procedure] = field(default_factory=NumberedSlots)
    blocks: NumberedSlots[ir.Block] = field(default_factory=NumberedSlots)
    decisions: NumberedSlots[ir.DecisionSpec] = field(default_factory=NumberedSlots)
    resumed: set[int] = field(default_factory=set)
    simultaneous_cells: list[tuple[int, int, int, int]] = field(default_factory=list)
    marks: list[Span] | None = None
    scratch: int = 0
    _extents: dict[int, Extent] = field(default_factory=dict)
    _table_numbers: dict[object, int] = field(default_factory=dict)
    _list_numbers: dict[object, int] = field(default_factory=dict)
    _event_numbers: dict[ir.EventSpec, int] = field(default_factory=dict)

    def table(self, key: object, cells: tuple[int, ...]) -> int:
        """Return the number of a constant table, which is identified by `key`."""
        if key not in self._table_numbers:
            self._table_numbers[key] = len(self.tables)
            self.tables.append(cells)
        return self._table_numbers[key]

    def table_extent(self, number: int) -> Extent:
        """Return the interval of the cells of a table."""
        if number not in self._extents:
            cells = self.tables[number] or (0,)
            self._extents[number] = min(cells), max(cells)
        return self._extents[number]

    def list_table(self, key: object, lists: Lists) -> int:
        """Return the number of a table of lists, made on first use of its key."""
        if key not in self._list_numbers:
            self._list_numbers[key] = len(self.lists)
            self.lists.append(lists())
        return self._list_numbers[key]

    def flattened(self, key: object, number: int) -> tuple[int, int, int]:
        """Return a table of lists in two flat tables: number of the cells, number of the lengths, and row width."""
        lists = self.lists[number]
        widest = max(map(len, lists), default=0)
        if ("flat", key) in self._table_numbers:
            return self._table_numbers["flat", key], self._table_numbers["lengths", key], widest
        flat = self.table(("flat", key), tuple(x for row in lists for x in (*row, *(-1,) * (widest - len(row)))))
        return flat, self.table(("lengths", key), tuple(map(len, lists))), widest

    def event(self, spec: ir.EventSpec) -> int:
        """Return the number of an event type."""
        if spec not in self._event_numbers:
            self._event_numbers[spec] = len(self.events)
            self.events.append(spec)
        return self._event_numbers[spec]

    def fault(self, spec: ir.FaultSpec) -> int:
        """Add a fault and return its number."""
        self.faults.append(spec)
        return len(self.faults) - 1

    def mark(self, span: Span) -> int | None:
        """Add a mark and return its number; None in a program without marks."""
        if self.marks is None:
            return None
        self.marks.append(span)
        return len(self.marks) - 1

    def take_scratch(self, size: int) -> int:
        """Reserve scratch memory and return its start."""
        self.scratch += size
        return self.scratch - size


# ---- state ---------------------------------------------------------------------------------------------------------


class StateLayout:
    """Addresses of zones, remembered values, scores, figures, tracks, and rule variables."""

    def __init__(self, model: Model, seats: int) -> None:
        self._model = model
        self._seats = seats
        self.size = ir.FIRST_FREE
        self.fields: dict[str, ir.Field] = {}
        self.initial: list[tuple[int, int]] = []
        self.copies = _copies(model, seats)
        for zone in model.declared.zones.values():
            self._zone(zone)
        for value in model.declared.remembered.values():
            self._add("remember", value.name, value.indices, 1, value.type, value.seen)
        for score in model.declared.scores.values():
            origins = model.size(score.by, seats) if score.by is not None else 0
            self._add("score", score.name, (PLAYER,), score_width(origins), score.by or NUMBER, "all")
        if model.figures:
            self._add("holder", "holder", (FIGURE,), 1, PLAYER, "all", -1)
            self._add("place", "place", (FIGURE,), 1, Type("board"), "all", -1)
        for name in model.tracks:
            self._add("track", name, (), 1, NUMBER, "all", 0)
        self.frames = self.size
        self._ranges: dict[str, int] = {}

    def cell(self) -> int:
        """Allocate a cell for a rule variable."""
        self.size += 1
        return self.size - 1

    def reserve_range(self, name: str, size: int) -> int:
        """Return the start of a named range of cells, allocated on first use."""
        if name not in self._ranges:
            self._ranges[name] = self.size
            self.size += size
        return self._ranges[name]

    def _zone(self, zone: ZoneDecl) -> None:
        entry = zone_container(zone.kind)
        capacity = zone.capacity if zone.capacity is not None else self.copies.get(zone.holds.name, 0)
        if zone.board is not None and zone.board in self._model.boards:
            capacity = min(capacity, len(self._model.boards[zone.board].areas))
        width = entry.width(self._model.size(zone.holds, self._seats), capacity)
        kind, held = s.ZONES[zone.kind][0], zone.holds
        self._add(kind, zone.name, zone.indices, width, held, zone.seen, entry.start, capacity, zone.never)

    def _add(
        self, kind: ir.FieldKind, name: str, indices: tuple[Type, ...], width: int, held: Type, seen: s.Seen,
        start: int | None = None, capacity: int = 0, never: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        sizes = tuple(self._model.size(t, self._seats) for t in indices)
        owner = next((i for i, t in enumerate(indices) if t == PLAYER), None)
        base = self.size
        self.fields[name] = ir.Field(kind, name, base, indices, sizes, width, held, seen, owner, capacity, never)
        self.size += prod(sizes) * width
        if start is None:
            start = -1 if kind == "remember" and held.can_be_none else 0
        if start:
            self.initial.extend((a, start) for a in range(base, self.size))

    def field(self, name: str) -> ir.Field:
        """Return the field of a zone, remembered value, score or track; figures have `holder` and `place`."""
        return self.fields[name]


def _copies(model: Model, seats: int) -> dict[str, int]:
    """Return an upper bound of the number of cards of each type.

    Each deck counts as often as it can be used to fill a zone.
    """
    bounds = dict.fromkeys(model.cards, 0)
    boards = max((len(b.areas) for b in model.boards.values()), default=1)
    for deck in model.declared.decks.values():
        times = 1
        for zone in model.declared.zones.values():
            if zone.holds == deck.cards and zone.indices and _filled_with(model, zone, deck):
                times = max(times, _copies_of(zone, seats, boards))
        bounds[deck.cards.name] += deck.total * times
    for node in model.enclosing_article:
        if isinstance(node, s.Fill) and isinstance(node.count, s.Number):
            filled = model.declared.zones[model.refs[node.zone].name]
            if filled.holds.name in bounds:
                named = model.refs[node.filling].kind == "value"
                kinds = 1 if named else model.size(filled.holds, seats)
                bounds[filled.holds.name] += node.count.value * kinds * _copies_of(filled, seats, boards)
    return bounds


def _copies_of(zone: ZoneDecl, seats: int, boards: int) -> int:
    """Return an upper bound of the number of copies of a zone."""
    boarded = any(index != PLAYER for index in zone.indices)
    return (seats if PLAYER in zone.indices else 1) * (boards if boarded else 1)


def _filled_with(model: Model, zone: ZoneDecl, deck: DeckDecl) -> bool:
    return any(
        isinstance(node, s.Fill)
        and node.count is None
        and isinstance(node.filling, s.Name)
        and node.filling.text == deck.name
        and (ref := model.refs.get(node.zone)) is not None
        and ref.name == zone.name
        for node in model.enclosing_article
    )
