"""Checked rules: what the names of a game mean and what type each expression has.

The model keeps the syntax tree and adds tables beside it, keyed by node; lowering reads both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from wongar_dsl import syntax as s
from wongar_dsl.late.parts import InParts
from wongar_dsl.model.boards import Graph
from wongar_dsl.model.declarations import Code, Declarations, Setting
from wongar_dsl.model.shapes import Shape
from wongar_dsl.model.types import Local, Ref, Type

if TYPE_CHECKING:
    from wongar_dsl.variants.merge import MergedRules

#: Maximum number of cells of a table.
MAX_CELLS = 200_000


@dataclass(frozen=True, slots=True)
class Face:
    """One card as it can be: its kind, the values of its parameters, and its name (`lucky(red)`)."""

    kind: str
    arguments: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class CardSort:
    """One sort of card: all its faces, and for each parameter name its type and the value on each face (-1: none).

    `kinds` are the kinds of its faces in their order, each with its parameters.
    """

    name: str
    faces: tuple[Face, ...]
    attributes: Mapping[str, tuple[Type, tuple[int, ...]]]
    kinds: Mapping[str, tuple[tuple[str, Type], ...]]

    def index(self, name: str) -> int | None:
        """The number of the face that is written `name`."""
        return next((i for i, f in enumerate(self.faces) if f.name == name), None)


class TooManyCells(Exception):
    """A table would have more cells than `MAX_CELLS`; `found` is their number."""

    def __init__(self, found: int) -> None:
        super().__init__(found)
        self.found = found


@dataclass(frozen=True, slots=True)
class TableData:
    """A table: the types of its keys (numbers start at `lows`), its value type, and the cells, row by row."""

    keys: tuple[Type, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    value: Type
    cells: tuple[int, ...]

    @classmethod
    def filled(
        cls, axes: Sequence[tuple[Type, int, int]], value: Type, cells: Mapping[tuple[int, ...], int], missing: int = 0
    ) -> TableData:
        """Return a table with `missing` in each cell that is not given.

        An axis is the type of its keys, the least key and the number of keys.  Raises `TooManyCells`, before any
        memory is used.
        """
        if prod(size for _, _, size in axes) > MAX_CELLS:
            raise TooManyCells(prod(size for _, _, size in axes))
        keys, lows, sizes = zip(*axes, strict=True)
        spots = product(*(range(low, low + size) for _, low, size in axes))
        return cls(keys, lows, sizes, value, tuple(cells.get(spot, missing) for spot in spots))


@dataclass(frozen=True, slots=True)
class CoveringData:
    """Exact coverings: the shapes that are covered, the pieces, the enumeration that tells an area's sets apart (or
    nothing), all coverings as drawings, and for each area and key the numbers of the coverings."""

    areas: str
    pieces: str
    key: str
    drawings: tuple[str, ...]
    lists: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the rules: its name, and its slots with their types.

    `slots` are written in the rules, and stand in records; `offered` are those that a sentence has besides, because
    every statement that tells the message knows them.
    """

    name: str
    slots: tuple[tuple[str, Type], ...]
    offered: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True, slots=True)
class Spoken:
    """One argument of a message at a statement: its value is an expression, or what the statement knows of itself.

    That is a `field` of its event, or of the place in that field the index with the number `part`.
    """

    name: str
    type: Type
    value: s.Expression | None = None
    field: str = ""
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What one statement says with its message: the arguments that are written, and those that are there besides."""

    written: tuple[Spoken, ...] = ()
    offered: tuple[Spoken, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as declared: its name, the options with the types of their parameters."""

    name: str
    options: tuple[tuple[str, tuple[tuple[str, Type], ...]], ...]


@dataclass(frozen=True, slots=True)
class Model(InParts):
    """A game whose rules have been checked.

    The trees of what is carried out stand in `code`, everything else that the game declares in `declared`; `types`,
    `refs` and `locals` say for nodes of these trees what was found out about them, `lattices` of which lattice a name
    in a rule, or what an article gives, is a direction.

    `names` are those of the game and its variants, `players` the fewest and the most who can play.
    """

    #: The trees and all that is found out about them: a game is played without.
    LATER = frozenset(
        {"merged", "types", "refs", "locals", "parameters", "lattices", "told", "decision_names", "source_of", "code"}
    )

    merged: MergedRules
    enums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[Shape, ...]] = field(default_factory=dict)
    coverings: Mapping[str, CoveringData] = field(default_factory=dict)
    boards: Mapping[str, Graph] = field(default_factory=dict)
    cards: Mapping[str, CardSort] = field(default_factory=dict)
    figures: Sequence[str] = field(default_factory=list)
    tracks: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    tables: Mapping[str, TableData] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    types: Mapping[s.Node, Type] = field(default_factory=dict)
    refs: Mapping[s.Node, Ref] = field(default_factory=dict)
    locals: Mapping[s.Node, Local] = field(default_factory=dict)
    parameters: Mapping[s.Article, tuple[Local, ...]] = field(default_factory=dict)
    lattices: Mapping[Local | s.Article, str] = field(default_factory=dict)
    messages: Mapping[str, Message] = field(default_factory=dict)
    told: Mapping[s.Node, Told] = field(default_factory=dict)
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    decision_names: Mapping[s.Node, str] = field(default_factory=dict)
    source_of: Mapping[s.Node, s.Article] = field(default_factory=dict)
    code: Code = field(default_factory=Code)
    declared: Declarations = field(default_factory=Declarations)
    names: tuple[str, ...] = field(init=False)
    players: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", self.merged.names)
        object.__setattr__(self, "players", self.merged.head.players or (1, 1))

    @property
    def name(self) -> str:
        """The name of the game, without a variant's."""
        return self.names[0]

    @property
    def scope(self) -> str:
        """The name of the game and its variants, under which its words are looked up first: `game/variant`."""
        return "/".join(self.names)

    def shown(self, local: Local) -> Type:
        """The type of a name in a rule as players see it: a direction is no number to them."""
        return Type("direction", self.lattices[local]) if local in self.lattices else local.type

    def size(self, kind: Type, seats: int) -> int:
        """How many values a type has among `seats` players."""
        match kind.kind:
            case "truth":
                return 2
            case "player":
                return seats
            case "figure":
                return len(self.figures)
            case "enum":
                return len(self.enums[kind.name])
            case "board":
                return len(self.boards[kind.name].areas)
            case "cards":
                return len(self.cards[kind.name].faces)
            case "coverings":
                return len(self.coverings[kind.name].drawings)
            case "direction":
                return self.boards[kind.name].directions
        raise ValueError(f"{kind} has no fixed number of values")

    def value_name(self, kind: Type, value: int) -> str:
        """The name of one value of an enumeration, a board, a sort of card, a figure or a direction."""
        match kind.kind:
            case "figure":
                return self.figures[value]
            case "enum":
                return self.enums[kind.name][value]
            case "board":
                return self.boards[kind.name].areas[value]
            case "cards":
                return self.cards[kind.name].faces[value].name
            case "coverings":
                return self.coverings[kind.name].drawings[value]
            case "direction":
                return self.boards[kind.name].ways[value % self.boards[kind.name].directions]
        raise ValueError(f"{kind} has no names")
