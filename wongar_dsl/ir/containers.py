"""How what lies in a zone is written into the cells of a state: one entry for each kind, and nobody else knows it.

Everything that looks into a zone, or lays one out, asks here: how wide it is, how much lies in it, what lies there.
Things are numbers of faces or of kinds of tokens.  A backend has its own code for the same encoding; what the
instructions of the program do to a zone stands in `ir.code`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from wongar_dsl.ir.program import ContainerKind, Field, FieldKind

if TYPE_CHECKING:
    from wongar_dsl.syntax import ZoneKind

#: What a zone of the rules becomes in the program: a hand is a heap that its owner sees.
STORED_AS: Mapping[ZoneKind, ContainerKind] = {
    "tokens": "tokens", "pile": "pile", "hand": "heap", "heap": "heap", "slot": "slot", "layout": "layout"
}  # fmt: skip

NONE = -1


class Laid(NamedTuple):
    """A card on a lattice: its face, the area where it lies, and by how many sides it is turned."""

    face: int
    area: int
    turned: int


class Container(ABC):
    """One kind of zone; `at` is the address of one copy of a zone, and `width` how many cells it has.

    `holds` is the sort of things: cards, or the values of an enumeration.  `ordered`: they lie one upon the other,
    and are told from the top down.  `counted`: those of one kind lie together, and are told as numbers.  `single`:
    there is room for one.  `spread`: they lie in the areas of a lattice.  `bounded`: rules can say how many it takes
    at most.  `sized`: the first cell says how many things there are.  `start` is what an empty cell holds; `numbers`
    is how many cells stand before the numbers of the kinds.
    """

    holds: ClassVar[Literal["enum", "cards"]] = "cards"
    bounded: ClassVar[bool] = True
    ordered: ClassVar[bool] = False
    counted: ClassVar[bool] = False
    single: ClassVar[bool] = False
    spread: ClassVar[bool] = False
    sized: ClassVar[bool] = True
    start: ClassVar[int] = 0
    numbers: ClassVar[int] = 0

    @abstractmethod
    def width(self, faces: int, capacity: int) -> int:
        """How many cells one copy takes, for so many faces and at most so many things."""

    @abstractmethod
    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        """How many things are there."""

    @abstractmethod
    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        """All things that are there, each as often as it is: from the bottom up, or in the order of the faces."""

    @abstractmethod
    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        """Lay these things there, in the order in which `things` lists them, and take away what was there."""

    def told(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        """All things in the order in which they are told: where one lies upon the other, from the top down."""
        things = self.things(cells, at, width)
        return things[::-1] if self.ordered else things

    def counts(self, cells: Sequence[int], at: int, width: int, faces: int) -> list[int]:
        """How many there are of each face."""
        result = [0] * faces
        for thing in self.things(cells, at, width):
            result[thing] += 1
        return result

    def write_counts(self, cells: list[int], at: int, width: int, counts: Sequence[int]) -> None:
        """Lay so many of each face there, and take away what was there."""
        self.write(cells, at, width, _each(counts))

    def empty(self, cells: list[int], at: int, width: int) -> None:
        """Take everything away."""
        cells[at : at + width] = [self.start] * width

    def take(self, cells: list[int], at: int, width: int, thing: int) -> None:
        """Take one thing away, of several equal ones the topmost; raises ValueError where it is not there."""
        things = self.things(cells, at, width)[::-1]
        things.remove(thing)
        self.write(cells, at, width, things[::-1])

    def laid(self, cells: Sequence[int], at: int, width: int) -> tuple[Laid, ...]:
        """What lies on a lattice, and where; nothing where things do not lie in areas."""
        return ()


class _Counted(Container):
    """A number for each face, from the cell `numbers` on."""

    counted = True

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


class _Tokens(_Counted):
    """A number for each kind of token."""

    holds = "enum"
    bounded = False
    sized = False

    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        return sum(cells[at : at + width])

    def write_counts(self, cells: list[int], at: int, width: int, counts: Sequence[int]) -> None:
        cells[at : at + width] = counts


class _Heap(_Counted):
    """How many cards there are, and a number for each face."""

    numbers = 1

    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        return cells[at]

    def write_counts(self, cells: list[int], at: int, width: int, counts: Sequence[int]) -> None:
        cells[at : at + width] = [sum(counts), *counts]


class _Pile(Container):
    """How many cards there are, and their faces from the bottom up; what is above is 0."""

    ordered = True

    def width(self, faces: int, capacity: int) -> int:
        return 1 + capacity

    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        return cells[at]

    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        return list(cells[at + 1 : at + 1 + cells[at]])

    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        cells[at : at + width] = [len(things), *things, *(0,) * (width - 1 - len(things))]


class _Slot(Container):
    """The face of the card, or -1."""

    single = True
    bounded = False
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


class _Layout(Container):
    """How many cards there are; then, in the order in which they were laid, their faces; where these end, the areas
    where they lie, counted from 1; then by how much they are turned.  Behind the last card all is 0."""

    spread = True

    def width(self, faces: int, capacity: int) -> int:
        return 1 + 3 * capacity

    def rows(self, width: int) -> tuple[int, int, int]:
        """How many cells stand before the faces, before the areas, and before the numbers of sides turned."""
        room = (width - 1) // 3
        return 1, 1 + room, 1 + 2 * room

    def size(self, cells: Sequence[int], at: int, width: int) -> int:
        return cells[at]

    def things(self, cells: Sequence[int], at: int, width: int) -> list[int]:
        return [laid.face for laid in self.laid(cells, at, width)]

    def write(self, cells: list[int], at: int, width: int, things: Sequence[int]) -> None:
        """Leave these cards where they lie, and take all others away; raises ValueError for one that lies nowhere."""
        there, left = self.laid(cells, at, width), list(things)
        kept = []
        for laid in there:
            if laid.face in left:
                left.remove(laid.face)
                kept.append(laid)
        if left:
            raise ValueError("a card on a lattice needs an area")
        self.lay(cells, at, width, kept)

    def laid(self, cells: Sequence[int], at: int, width: int) -> tuple[Laid, ...]:
        """What lies on a lattice, and where: in the order of the faces, equal ones as they were laid."""
        number = cells[at]
        faces, areas, turns = (cells[at + begin : at + begin + number] for begin in self.rows(width))
        cards = (Laid(face, area - 1, turned) for face, area, turned in zip(faces, areas, turns, strict=True))
        return tuple(sorted(cards, key=lambda laid: laid.face))

    def lay(self, cells: list[int], at: int, width: int, cards: Iterable[Laid]) -> None:
        """Lay these cards, and take away what was there."""
        self.empty(cells, at, width)
        for face, area, turned in cards:
            for begin, value in zip(self.rows(width), (face, area + 1, turned), strict=True):
                cells[at + begin + cells[at]] = value
            cells[at] += 1


LAYOUT = _Layout()

#: Every kind of zone.
CONTAINERS: Mapping[FieldKind, Container] = {
    "tokens": _Tokens(), "pile": _Pile(), "heap": _Heap(), "slot": _Slot(), "layout": LAYOUT
}  # fmt: skip


def zone_facts(kind: ZoneKind) -> Container:
    """What holds for a kind of zone of the rules."""
    return CONTAINERS[STORED_AS[kind]]


def zone_kinds(wanted: Callable[[Container], bool]) -> frozenset[ZoneKind]:
    """The kinds of zones of the rules that are as wanted."""
    return frozenset(kind for kind in STORED_AS if wanted(zone_facts(kind)))


def container(field: Field) -> Container | None:
    """How a part of the state is written, None where it is no zone."""
    return CONTAINERS.get(field.kind)


def size_at(cells: Sequence[int], zone: Field, at: int) -> int:
    """How many cards or tokens are in a copy of a zone."""
    return CONTAINERS[zone.kind].size(cells, at, zone.width)


# ---- scores --------------------------------------------------------------------------------------------------------


#: How many cells of a score stand before the numbers of the origins: the sum.
ORIGINS = 1


def score_width(origins: int) -> int:
    """How many cells the score of one player takes."""
    return ORIGINS + origins


def score_from(cells: Sequence[int], at: int, origin: int) -> int:
    """What of a score comes from an origin."""
    return cells[at + ORIGINS + origin]


def set_score_from(cells: list[int], at: int, origin: int, number: int) -> None:
    """Say what of a score comes from an origin; the sum changes with it."""
    cells[at] += number - cells[at + ORIGINS + origin]
    cells[at + ORIGINS + origin] = number


def _each(counts: Sequence[int]) -> list[int]:
    return [thing for thing, number in enumerate(counts) for _ in range(number)]
