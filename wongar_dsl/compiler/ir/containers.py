"""Encoding of zones in the cells of a state, one class for each kind of zone.

All Python code that reads or writes the content of a zone uses this module.  Cards and tokens are represented by the
numbers of faces or kinds.  Backends generate their own code for the same encoding; the instructions that change zones
are in `ir.instructions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from wongar_dsl.language.ast.zones import ZONES

if TYPE_CHECKING:
    from wongar_dsl.compiler.ir.program import Field
    from wongar_dsl.language.ast.zones import ZoneKind

NONE = -1


class PlacedCard(NamedTuple):
    """Card on a lattice: face, area, and rotation in sides."""

    face: int
    area: int
    turned: int


class Container(ABC):
    """Encoding of one kind of zone; `at` is the address of a copy, and `width` its number of cells.

    - `sized`: the first cell is the number of items.
    - `start`: value of an empty cell.
    - `numbers`: number of cells before the counts.
    """

    sized: ClassVar[bool] = True
    start: ClassVar[int] = 0
    numbers: ClassVar[int] = 0

    @abstractmethod
    def width(self, faces: int, capacity: int) -> int:
        """Return the number of cells of one copy, for a number of faces and a maximum number of items."""

    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        """Return the number of items."""
        return cells[at]

    @abstractmethod
    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        """Return all items with repetitions, from the bottom up, or in the order of faces."""

    @abstractmethod
    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        """Replace the content by `things`, in the order of the result of `things`."""

    def ordered_things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        """Return all items in display order: a stack from the top down."""
        return self.things(cells, at, width)

    def counts(self, cells: Sequence[int], at: int, width: int, faces: int) -> list[int]:
        """Return the number of items of each face."""
        result = [0] * faces
        for thing in self.things(cells, at, width):
            result[thing] += 1
        return result

    def write_counts(self, cells: list[int], at: int, width: int, counts: Sequence[int]) -> None:
        """Replace the content by a number of items of each face."""
        self.write(cells, at, width, _each(counts))

    def empty(self, cells: list[int], at: int, width: int) -> None:
        """Remove all items."""
        cells[at : at + width] = [self.start] * width

    def take(self, cells: list[int], at: int, width: int, thing: int) -> None:
        """Remove one item, the topmost of equal ones.  Raises ValueError if it is absent."""
        things = self.things(cells, at, width)[::-1]
        things.remove(thing)
        self.write(cells, at, width, things[::-1])

    def placed_cards(self, cells: Sequence[int], at: int, width: int) -> tuple[PlacedCard, ...]:
        """Return the cards of a lattice with their areas; empty for other kinds."""
        return ()


class _CountedZone(Container):
    """Count of each face, from the cell `numbers` on."""

    def width(self, faces: int, capacity: int) -> int:
        return self.numbers + faces

    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        return _each(cells[at + self.numbers : at + width])

    def counts(self, cells: Sequence[int], at: int, width: int, faces: int) -> list[int]:
        return list(cells[at + self.numbers : at + width])

    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        counts = [0] * (width - self.numbers)
        for thing in things:
            counts[thing] += 1
        self.write_counts(cells, at, width, counts)


class _TokenZone(_CountedZone):
    """Count of each kind of token."""

    sized = False

    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        return sum(cells[at : at + width])

    def write_counts(self, cells: list[int], at: int, width: int, counts: Sequence[int]) -> None:
        cells[at : at + width] = counts


class _HeapZone(_CountedZone):
    """Number of cards, and the count of each face."""

    numbers = 1

    def write_counts(self, cells: list[int], at: int, width: int, counts: Sequence[int]) -> None:
        cells[at : at + width] = [sum(counts), *counts]


class _PileZone(Container):
    """Number of cards, and their faces from the bottom up.  Unused cells are 0."""

    def width(self, faces: int, capacity: int) -> int:
        return 1 + capacity

    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        return list(cells[at + 1 : at + 1 + cells[at]])

    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        cells[at : at + width] = [len(things), *things, *(0,) * (width - 1 - len(things))]

    def ordered_things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        return self.things(cells, at, width)[::-1]


class _SlotZone(Container):
    """Face of the card, or -1."""

    sized = False
    start = NONE

    def width(self, faces: int, capacity: int) -> int:
        return 1

    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        return int(cells[at] >= 0)

    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        return [cells[at]] if cells[at] >= 0 else []

    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        cells[at] = things[0] if things else NONE


class _LayoutZone(Container):
    """Number of cards, and three rows in the order of placement: faces, areas counted from 1, and rotations.

    Unused cells are 0, so that equal layouts have equal cells.
    """

    def width(self, faces: int, capacity: int) -> int:
        return 1 + 3 * capacity

    def rows(self, width: int) -> tuple[int, int, int]:
        """Return the offsets of the rows of faces, areas and rotations."""
        room = (width - 1) // 3
        return 1, 1 + room, 1 + 2 * room

    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        return [laid.face for laid in self.placed_cards(cells, at, width)]

    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        """Keep these cards where they lie and remove all others.

        Raises ValueError for a card that is not on the lattice.
        """
        present, remaining = self.placed_cards(cells, at, width), list(things)
        staying = []
        for laid in present:
            if laid.face in remaining:
                remaining.remove(laid.face)
                staying.append(laid)
        if remaining:
            raise ValueError("a card on a lattice needs an area")
        self.replace_cards(cells, at, width, staying)

    def placed_cards(self, cells: Sequence[int], at: int, width: int) -> tuple[PlacedCard, ...]:
        """Return the cards with their areas, sorted by face, equal ones in the order of placement."""
        number = cells[at]
        faces, areas, turns = (cells[at + begin : at + begin + number] for begin in self.rows(width))
        cards = (PlacedCard(face, area - 1, turned) for face, area, turned in zip(faces, areas, turns, strict=True))
        return tuple(sorted(cards, key=lambda laid: laid.face))

    def replace_cards(self, cells: list[int], at: int, width: int, cards: Iterable[PlacedCard]) -> None:
        """Replace the content by these cards."""
        self.empty(cells, at, width)
        for face, area, turned in cards:
            for begin, value in zip(self.rows(width), (face, area + 1, turned), strict=True):
                cells[at + begin + cells[at]] = value
            cells[at] += 1


LAYOUT = _LayoutZone()

#: Encoding of each container kind.
CONTAINERS: Mapping[str, Container] = {
    "tokens": _TokenZone(), "pile": _PileZone(), "heap": _HeapZone(), "slot": _SlotZone(), "layout": LAYOUT
}  # fmt: skip


def zone_container(kind: ZoneKind) -> Container:
    """Return the encoding of a zone kind of the rules."""
    return CONTAINERS[ZONES[kind][0]]


def container(field: Field) -> Container | None:
    """Return the encoding of a field, None unless it is a zone."""
    return CONTAINERS.get(field.kind)


def size_at(cells: Sequence[int], zone: Field, at: int) -> int:
    """Return the number of cards or tokens in a copy of a zone."""
    return CONTAINERS[zone.kind].size(cells, at, zone.width)


# ---- scores --------------------------------------------------------------------------------------------------------


#: Number of cells of a score before those of its origins: the sum.
ORIGINS = 1


def score_width(origins: int) -> int:
    """Return the number of cells of one player's score."""
    return ORIGINS + origins


def score_from(cells: Sequence[int], at: int, origin: int) -> int:
    """Return the points from one origin."""
    return cells[at + ORIGINS + origin]


def set_score_from(cells: list[int], at: int, origin: int, number: int) -> None:
    """Set the points from one origin and adjust the sum."""
    cells[at] += number - cells[at + ORIGINS + origin]
    cells[at + ORIGINS + origin] = number


def _each(counts: Sequence[int]) -> list[int]:
    return [thing for thing, number in enumerate(counts) for _ in range(number)]
