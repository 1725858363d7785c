"""What a seat sees of a position, as a flat vector of whole numbers.

The first three numbers are the viewer's seat, who decides and what is decided, the last two counted from 1 (0 when the
game is over).  Then comes what lies in each place that somebody sees, 0 where the viewer does not see it; then how much
lies where only that is seen; then what a seat looks through while it chooses out of it; then the names that a question
speaks of.  Values of an enumeration, cards, areas and players are counted from 1, so that 0 is nothing; piles are read
from the top down.  What is hidden from a seat never reaches its vector: only what `engine.knowledge` lets it see does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

try:
    import numpy as np
    import numpy.typing as npt
except ImportError as error:
    raise ImportError("this needs numpy, which comes with the extra `numpy`") from error

from wongar_dsl import ir
from wongar_dsl.engine import Game
from wongar_dsl.engine.knowledge import sees, shows_size
from wongar_dsl.ir.containers import Container, container
from wongar_dsl.model import Type

Vector = npt.NDArray[np.int32]

#: The viewer, who decides, what is decided.
HEAD = ("viewer", "decides", "decision")


class Reading(IntEnum):
    """How a number of the vector is read from the cells of a state."""

    #: What stands at `at`, and `number` more.
    CELL = 0
    #: The sum of `number` cells from `at` on.
    SUM = 1
    #: Whether something stands at `at`.
    THERE = 2
    #: What was laid as number `number` where the cell at `at` says how many there are, counted from 1.
    LAID = 3
    #: The same, counted from the top.
    FROM_TOP = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of the vector, and who sees it: `seats` as bits; `decision` is the one at which alone, -1 for any;
    `own`: only who decides.  `values` is how many it can have, None where that is not bounded."""

    name: str
    reading: Reading
    at: int
    number: int
    seats: int
    values: int | None
    decision: int = -1
    own: bool = False


class Observations:
    """The vectors of a game: `size` numbers, each told by `entries` after the head."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.entries = tuple(_entries(game))
        self.size = len(HEAD) + len(self.entries)
        self._at = np.array([e.at for e in self.entries], dtype=np.int64)
        self._number = np.array([e.number for e in self.entries], dtype=np.int64)
        self._cells = np.array([e.reading == Reading.CELL for e in self.entries], dtype=bool)
        self._read = {
            reading: np.flatnonzero([e.reading == reading for e in self.entries])
            for reading in (Reading.SUM, Reading.THERE, Reading.LAID, Reading.FROM_TOP)
        }
        self._seen: dict[tuple[int | None, int, bool], npt.NDArray[np.bool_]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """What each number is."""
        return (*HEAD, *(entry.name for entry in self.entries))

    @property
    def values(self) -> tuple[int | None, ...]:
        """How many values each number can have, from 0 on; None where that is not bounded."""
        head = (self.game.seats, self.game.seats + 1, len(self.game.program.decisions) + 1)
        return (*head, *(entry.values for entry in self.entries))

    @property
    def table(self) -> npt.NDArray[np.int64]:
        """The entries as rows of numbers: reading, address, number, seats, decision, own."""
        rows = [(e.reading, e.at, e.number, e.seats, e.decision, e.own) for e in self.entries]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 6)

    def observe(self, cells: Sequence[int], seat: int | None) -> Vector:
        """What a seat sees of a state, given its cells; None: what everybody sees, as if seat 0 looked."""
        found = np.zeros(self.size, dtype=np.int32)
        decision, decides = cells[ir.AT_DECISION], cells[ir.AT_SEAT]
        found[: len(HEAD)] = seat or 0, decides + 1, max(0, decision + 1)
        # The head holds numbers of 64 bits without a sign, and nothing that is seen.
        state = np.array((*(0,) * ir.FIRST_FREE, *cells[ir.FIRST_FREE :]), dtype=np.int64)
        values = np.where(self._cells, state[self._at] + self._number, 0)
        for reading, rows in self._read.items():
            if rows.size:
                values[rows] = self._other(reading, rows, state)
        found[len(HEAD) :] = np.where(self._visible(seat, decision, decides == seat), values, 0)
        return found

    def _other(self, reading: Reading, rows: npt.NDArray[Any], state: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        at, number = self._at[rows], self._number[rows]
        match reading:
            case Reading.SUM:
                return np.array([state[a : a + n].sum() for a, n in zip(at, number, strict=True)])
            case Reading.THERE:
                return np.array(state[at] >= 0, dtype=np.int64)
        there = number < state[at]
        cell = at + 1 + number if reading == Reading.LAID else at + state[at] - number
        return np.where(there, state[np.where(there, cell, 0)] + 1, 0)

    def _visible(self, seat: int | None, decision: int, own: bool) -> npt.NDArray[np.bool_]:
        key = (seat, decision, own)
        if key not in self._seen:
            viewers = (1 << self.game.seats) - 1 if seat is None else 1 << seat
            self._seen[key] = np.array(
                [
                    e.seats & viewers == viewers and e.decision in (-1, decision) and (own or not e.own)
                    for e in self.entries
                ],
                dtype=bool,
            )
        return self._seen[key]


# ---- what there is to be seen --------------------------------------------------------------------------------------


def _entries(game: Game) -> Iterator[Entry]:
    everybody = (1 << game.seats) - 1
    copies = [
        (place, f"{place.name}[{key}]" if key else place.name, indices, at)
        for place in game.program.fields
        for key, indices, at in game.copies[place.name]
    ]
    for place, name, indices, at in copies:
        seats = sum(1 << p for p in range(game.seats) if sees(place, indices, p))
        if seats:
            yield from _content(game, place, name, at, seats)
        if seats != everybody and shows_size(place):
            yield _size(place, f"size of {name}", at, everybody)
    for number, decision in enumerate(game.program.decisions):
        zones = {zone for option in decision.options for zone in option.drawn_from if zone}
        for place, name, indices, at in copies:
            hidden = sum(1 << p for p in range(game.seats) if not sees(place, indices, p))
            if place.name in zones and place.seen != "owner" and hidden:
                yield from _content(game, place, f"{decision.name}: {name}", at, hidden, number, True)
    for number, decision in enumerate(game.program.decisions):
        spoken = game.knowledge.spoken_of(decision)
        covered = _covered(game)
        for name, kind, at in decision.scope:
            if name in spoken and at not in covered:
                least, values = _value(game, kind)
                yield Entry(f"{decision.name}: {name}", Reading.CELL, at, least, everybody, values, number)


def _covered(game: Game) -> frozenset[int]:
    """Where arguments of options stand that others may not see."""
    found: set[int] = set()
    for number, decision in enumerate(game.program.decisions):
        for option, spec in enumerate(decision.options):
            unseen = game.knowledge.unseen_arguments(number, option)
            quiet = game.knowledge.silent(number) or decision.simultaneous
            found.update(a for a, hidden in zip(spec.addresses, unseen, strict=True) if hidden or quiet)
    return frozenset(found)


def _value(game: Game, kind: Type) -> tuple[int, int | None]:
    """What is added to a value of a type so that 0 is nothing, and how many values there are then."""
    if kind.kind in ("number", "direction", "truth"):
        return 0, None if kind.kind == "number" else game.model.size(kind, game.seats)
    if kind.kind == "board" and not kind.name:
        return 1, None  # Where a figure stands: each may have a board of its own.
    return 1, game.model.size(kind, game.seats) + 1


def _size(place: ir.Field, name: str, at: int, seats: int) -> Entry:
    zone = container(place)
    assert zone is not None
    if zone.single:
        return Entry(name, Reading.THERE, at, 0, seats, 2)
    if zone.sized:
        return Entry(name, Reading.CELL, at, 0, seats, _most(zone, place))
    return Entry(name, Reading.SUM, at, place.width, seats, None)


def _most(zone: Container, place: ir.Field) -> int | None:
    """How many numbers of things there can be: a heap takes all that come."""
    return None if zone.counted else place.capacity + 1


def _content(
    game: Game, place: ir.Field, name: str, at: int, seats: int, decision: int = -1, own: bool = False
) -> Iterator[Entry]:
    """All that lies in a copy of a place."""
    model, zone = game.model, container(place)

    def entry(what: str, reading: Reading, address: int, number: int, values: int | None) -> Entry:
        return Entry(f"{name}{what}", reading, address, number, seats, values, decision, own)

    if zone is None:
        # Of a score, the sum stands first.
        kind = place.type if place.kind in ("remember", "holder", "place") else None
        least, values = _value(game, kind) if kind is not None else (0, None)
        yield entry("", Reading.CELL, at, least, values)
        return
    kinds = model.size(place.type, game.seats)
    if zone.single:
        yield entry("", Reading.CELL, at, 1, kinds + 1)
        return
    if zone.sized:
        yield entry(": size", Reading.CELL, at, 0, _most(zone, place))
    if zone.counted:
        for face in range(kinds):
            yield entry(f": {model.value_name(place.type, face)}", Reading.CELL, at + zone.numbers + face, 0, None)
    elif zone.ordered:
        for number in range(place.capacity):
            yield entry(f": {number + 1}", Reading.FROM_TOP, at, number, kinds + 1)
    else:
        room = (place.width - 1) // 3
        for number in range(room):
            yield entry(f": {number + 1}", Reading.LAID, at, number, kinds + 1)
        for number in range(2 * room):
            what = f": {'area' if number < room else 'turned'} {number % room + 1}"
            yield entry(what, Reading.CELL, at + 1 + room + number, 0, None)
