"""State layout: assigns addresses to everything in the state."""

from __future__ import annotations

from math import prod

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import STORED_AS, score_width, zone_facts
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import FIGURE, NUMBER, PLAYER, DeckDecl, Model, Type, ZoneDecl


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
        entry = zone_facts(zone.kind)
        capacity = zone.capacity if zone.capacity is not None else self.copies.get(zone.holds.name, 0)
        if zone.board is not None and zone.board in self._model.boards:
            capacity = min(capacity, len(self._model.boards[zone.board].areas))
        width = entry.width(self._model.size(zone.holds, self._seats), capacity)
        kind, held = STORED_AS[zone.kind], zone.holds
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
