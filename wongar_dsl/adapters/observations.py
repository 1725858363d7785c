"""Observation vectors: the information that a seat has in a position, as whole numbers.

The first three numbers are the viewer's seat, the seat to act and the decision, the last two counted from 1 (0 when the
game is over).  Then follow the contents of fields, 0 where the viewer does not see them, and the sizes of hidden zones.
Last come zones that a seat looks through while it chooses from them, and the names that a prompt mentions.  Enumeration
values, cards, areas and players are counted from 1, so that 0 means nothing.  Piles are listed from the top.  Only
information that `engine.hidden_information` makes visible to a seat reaches its vector.
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

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import CONTAINERS, container
from wongar_dsl.engine import Game
from wongar_dsl.engine.hidden_information.information import is_visible, shows_size
from wongar_dsl.language.semantics import Type

Vector = npt.NDArray[np.int32]

#: Names of the first three numbers.
HEAD = ("viewer", "decides", "decision")


class CellReading(IntEnum):
    """Way in which a number of the vector is computed from the cells of a state."""

    #: The cell `address`, plus `number`.
    CELL = 0
    #: Sum of `number` cells from `address` on.
    SUM = 1
    #: 1 if the cell `address` is occupied, otherwise 0.
    OCCUPIED = 2
    #: Card number `number` of a zone whose size is in the cell `address`, counted from 1.
    IN_ORDER = 3
    #: Card number `number` of such a zone, counted from the top.
    FROM_TOP = 4


@dataclass(frozen=True, slots=True)
class ObservationEntry:
    """One number of the vector.

    `seats` is the bit mask of the viewers.  `decision` is the only decision at which it is visible, or -1 for any.
    `own` restricts it to the seat to act.  `values` is the number of possible values, or None if unbounded.
    """

    name: str
    reading: CellReading
    address: int
    number: int
    seats: int
    values: int | None
    decision: int = -1
    own: bool = False


class Observations:
    """Observation vectors of a game: `size` numbers, described by `entries` after the head."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.entries = tuple(_entries(game))
        self.size = len(HEAD) + len(self.entries)
        self._addresses = np.array([e.address for e in self.entries], dtype=np.int64)
        self._numbers = np.array([e.number for e in self.entries], dtype=np.int64)
        self._is_cell = np.array([e.reading == CellReading.CELL for e in self.entries], dtype=bool)
        self._rows = {
            reading: np.flatnonzero([e.reading == reading for e in self.entries])
            for reading in (CellReading.SUM, CellReading.OCCUPIED, CellReading.IN_ORDER, CellReading.FROM_TOP)
        }
        self._visibility: dict[tuple[int | None, int, bool], npt.NDArray[np.bool_]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the numbers."""
        return (*HEAD, *(entry.name for entry in self.entries))

    @property
    def values(self) -> tuple[int | None, ...]:
        """Number of possible values of each number, from 0 on; None if unbounded."""
        head = (self.game.seats, self.game.seats + 1, len(self.game.program.decisions) + 1)
        return (*head, *(entry.values for entry in self.entries))

    @property
    def table(self) -> npt.NDArray[np.int64]:
        """Entries as rows of numbers: reading, address, number, seats, decision, own."""
        rows = [(e.reading, e.address, e.number, e.seats, e.decision, e.own) for e in self.entries]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 6)

    def observe(self, cells: Sequence[int], seat: int | None) -> Vector:
        """Return the observation of a seat in a state.

        With None returns what all seats see, with seat 0 as the viewer.
        """
        vector = np.zeros(self.size, dtype=np.int32)
        decision, decides = cells[ir.AT_DECISION], cells[ir.AT_SEAT]
        vector[: len(HEAD)] = seat or 0, decides + 1, max(0, decision + 1)
        # The head contains unsigned 64-bit numbers, and no entry reads it.
        state = np.array((*(0,) * ir.FIRST_FREE, *cells[ir.FIRST_FREE :]), dtype=np.int64)
        values = np.where(self._is_cell, state[self._addresses] + self._numbers, 0)
        for reading, rows in self._rows.items():
            if rows.size:
                values[rows] = self._zone_values(reading, rows, state)
        vector[len(HEAD) :] = np.where(self._visible(seat, decision, decides == seat), values, 0)
        return vector

    def _zone_values(
        self, reading: CellReading, rows: npt.NDArray[Any], state: npt.NDArray[np.int64]
    ) -> npt.NDArray[Any]:
        address, number = self._addresses[rows], self._numbers[rows]
        match reading:
            case CellReading.SUM:
                return np.array([state[a : a + n].sum() for a, n in zip(address, number, strict=True)])
            case CellReading.OCCUPIED:
                return np.array(state[address] >= 0, dtype=np.int64)
        present = number < state[address]
        cell = address + 1 + number if reading == CellReading.IN_ORDER else address + state[address] - number
        return np.where(present, state[np.where(present, cell, 0)] + 1, 0)

    def _visible(self, seat: int | None, decision: int, own: bool) -> npt.NDArray[np.bool_]:
        key = (seat, decision, own)
        if key not in self._visibility:
            viewers = (1 << self.game.seats) - 1 if seat is None else 1 << seat
            self._visibility[key] = np.array(
                [
                    e.seats & viewers == viewers and e.decision in (-1, decision) and (own or not e.own)
                    for e in self.entries
                ],
                dtype=bool,
            )
        return self._visibility[key]


# ---- entries of the vector -----------------------------------------------------------------------------------------


def _entries(game: Game) -> Iterator[ObservationEntry]:
    all_seats = (1 << game.seats) - 1
    copies = [
        (field, f"{field.name}[{key}]" if key else field.name, indices, address)
        for field in game.program.fields
        for key, indices, address in game.copies[field.name]
    ]
    for field, name, indices, address in copies:
        seats = sum(1 << p for p in range(game.seats) if is_visible(field, indices, p))
        if seats:
            yield from _content(game, field, name, address, seats)
        if seats != all_seats and shows_size(field):
            yield _size(field, f"size of {name}", address, all_seats)
    for number, decision in enumerate(game.program.decisions):
        zones = {zone for option in decision.options for zone in option.drawn_from if zone}
        for field, name, indices, address in copies:
            hidden = sum(1 << p for p in range(game.seats) if not is_visible(field, indices, p))
            if field.name in zones and field.seen != "owner" and hidden:
                yield from _content(game, field, f"{decision.name}: {name}", address, hidden, number, True)
    for number, decision in enumerate(game.program.decisions):
        public_names = game.knowledge.public_names_in_scope(decision)
        secret_arguments = _secret_arguments(game)
        for name, kind, address in decision.scope:
            if name in public_names and address not in secret_arguments:
                least, values = _value(game, kind)
                yield ObservationEntry(
                    f"{decision.name}: {name}", CellReading.CELL, address, least, all_seats, values, number
                )


def _secret_arguments(game: Game) -> frozenset[int]:
    """Return the addresses of option arguments that other seats may not see."""
    addresses: set[int] = set()
    for number, decision in enumerate(game.program.decisions):
        for option, spec in enumerate(decision.options):
            secrecy = game.knowledge.argument_secrecy(number, option)
            hidden_choice = game.knowledge.is_hidden_choice(number) or decision.simultaneous
            addresses.update(a for a, hidden in zip(spec.addresses, secrecy, strict=True) if hidden or hidden_choice)
    return frozenset(addresses)


def _value(game: Game, kind: Type) -> tuple[int, int | None]:
    """Return the offset that maps the least value of a type to 1 (or 0), and the number of values."""
    if kind.kind in ("number", "direction", "truth"):
        return 0, None if kind.kind == "number" else game.model.size(kind, game.seats)
    if kind.kind == "board" and not kind.name:
        return 1, None  # The board of a figure's location: each figure may have another board.
    return 1, game.model.size(kind, game.seats) + 1


def _size(field: ir.Field, name: str, address: int, seats: int) -> ObservationEntry:
    if field.traits.single:
        return ObservationEntry(name, CellReading.OCCUPIED, address, 0, seats, 2)
    if CONTAINERS[field.kind].sized:
        return ObservationEntry(name, CellReading.CELL, address, 0, seats, _size_values(field))
    return ObservationEntry(name, CellReading.SUM, address, field.width, seats, None)


def _size_values(field: ir.Field) -> int | None:
    """Return the number of possible sizes of a zone; None for a heap, which has no limit."""
    return None if field.traits.counted else field.capacity + 1


def _content(
    game: Game, field: ir.Field, name: str, address: int, seats: int, decision: int = -1, own: bool = False
) -> Iterator[ObservationEntry]:
    """Yield entries for the content of one copy of a field."""
    model, zone = game.model, container(field)

    def entry(what: str, reading: CellReading, address: int, number: int, values: int | None) -> ObservationEntry:
        return ObservationEntry(f"{name}{what}", reading, address, number, seats, values, decision, own)

    if zone is None:
        # The first cell of a score holds its sum.
        kind = field.type if field.kind in ("remember", "holder", "place") else None
        least, values = _value(game, kind) if kind is not None else (0, None)
        yield entry("", CellReading.CELL, address, least, values)
        return
    face_count = model.size(field.type, game.seats)
    if field.traits.single:
        yield entry("", CellReading.CELL, address, 1, face_count + 1)
        return
    if zone.sized:
        yield entry(": size", CellReading.CELL, address, 0, _size_values(field))
    if field.traits.counted:
        for face in range(face_count):
            yield entry(
                f": {model.value_name(field.type, face)}", CellReading.CELL, address + zone.numbers + face, 0, None
            )
    elif field.traits.ordered:
        for number in range(field.capacity):
            yield entry(f": {number + 1}", CellReading.FROM_TOP, address, number, face_count + 1)
    else:
        room = (field.width - 1) // 3
        for number in range(room):
            yield entry(f": {number + 1}", CellReading.IN_ORDER, address, number, face_count + 1)
        for number in range(2 * room):
            what = f": {'area' if number < room else 'turned'} {number % room + 1}"
            yield entry(what, CellReading.CELL, address + 1 + room + number, 0, None)
