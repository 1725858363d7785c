"""The checked model of a game: the syntax tree, with the results of type checking in tables keyed by node.

The checker builds it; lowering and the later passes read both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING

from wongar_dsl.base.storage.split_pickle import SplitPickle
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.language.semantics.declarations import CodeDeclarations, Declarations, Setting
from wongar_dsl.language.semantics.shapes import Shape
from wongar_dsl.language.semantics.types import Local, Ref, Type

if TYPE_CHECKING:
    from wongar_dsl.language.variants.merge import MergedRules

#: Maximum number of cells of a table.
MAX_CELLS = 200_000


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a card: its kind, the values of its parameters, and its name (`lucky(red)`)."""

    kind: str
    arguments: tuple[int, ...]
    name: str


@dataclass(frozen=True)
class CardSort:
    """A sort of card: all its faces, and for each parameter its type and its value on each face (-1: none).

    `kinds` gives the kinds of its faces in their order, each with its parameters.
    """

    name: str
    faces: tuple[Face, ...]
    attributes: Mapping[str, tuple[Type, tuple[int, ...]]]
    kinds: Mapping[str, tuple[tuple[str, Type], ...]]

    def index(self, name: str) -> int | None:
        """Return the number of the face with this name, None if there is none."""
        return self._numbers.get(name)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {face.name: number for number, face in reversed([*enumerate(self.faces)])}

    @cached_property
    def kind_numbers(self) -> Mapping[str, int]:
        """The number of each kind that has faces."""
        return {kind: number for number, kind in enumerate(dict.fromkeys(face.kind for face in self.faces))}

    @cached_property
    def kinds_of_faces(self) -> tuple[int, ...]:
        """The number of the kind of each face."""
        return tuple(self.kind_numbers[face.kind] for face in self.faces)


class TooManyCells(Exception):
    """Raised if a table would have more cells than `MAX_CELLS`; `found` is their number."""

    def __init__(self, found: int) -> None:
        super().__init__(found)
        self.found = found


@dataclass(frozen=True, slots=True)
class TableData:
    """A table: key types (numbers start at `lows`), value type, and the cells row by row."""

    keys: tuple[Type, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    value: Type
    cells: tuple[int, ...]

    @classmethod
    def with_default(
        cls, axes: Sequence[tuple[Type, int, int]], value: Type, cells: Mapping[tuple[int, ...], int], missing: int = 0
    ) -> TableData:
        """Return a table with `missing` in each cell that is not given.

        An axis is the type of its keys, the least key and the number of keys. Raises `TooManyCells`, before any memory
        is used.
        """
        if prod(size for _, _, size in axes) > MAX_CELLS:
            raise TooManyCells(prod(size for _, _, size in axes))
        keys, lows, sizes = zip(*axes, strict=True)
        spots = product(*(range(low, low + size) for _, low, size in axes))
        return cls(keys, lows, sizes, value, tuple(cells.get(spot, missing) for spot in spots))


@dataclass(frozen=True, slots=True)
class CoveringData:
    """Solutions of an exact-cover declaration, as drawings.

    `areas` and `pieces` name the shapes, `key` the enumeration that tells the sets of pieces of an area apart (or is
    empty). `lists` has the numbers of the coverings for each area and key.
    """

    areas: str
    pieces: str
    key: str
    drawings: tuple[str, ...]
    lists: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the rules: its name, and its slots with their types.

    `slots` are written in the rules and recorded; `offered` are further slots that translations may use, because every
    statement with this message can fill them.
    """

    name: str
    slots: tuple[tuple[str, Type], ...]
    offered: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True, slots=True)
class MessageArgument:
    """One argument of a message at a statement.

    Its value is an expression, or a `field` of the statement's event; with `part`, the index of this number in that
    field.
    """

    name: str
    type: Type
    value: s.Expression | None = None
    field: str = ""
    part: int | None = None


@dataclass(frozen=True, slots=True)
class MessageUse:
    """Message arguments of one statement: those written in the rules, and those the statement adds."""

    written: tuple[MessageArgument, ...] = ()
    offered: tuple[MessageArgument, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision: its name, and its options with the types of their parameters."""

    name: str
    options: tuple[tuple[str, tuple[tuple[str, Type], ...]], ...]


@dataclass(frozen=True, slots=True)
class Model(SplitPickle):
    """A game whose rules have been checked.

    `code` holds the syntax trees to run, `declared` all other declarations. `types`, `refs` and `locals` give the
    results of checking for nodes of these trees; `lattices` names the lattice for each local name, or result of a
    declaration, that is a direction.

    `names` are those of the game and its variants, `players` the minimum and maximum number of players. `changes` names
    for each declaration (`rule.draw`, `setup`) the variants that have changed, replaced or removed it.
    """

    #: Fields with syntax trees and results of checking, pickled apart because a running game does not need them.
    DEFERRED_FIELDS = frozenset(
        {
            "merged",
            "types",
            "refs",
            "locals",
            "parameters",
            "lattices",
            "message_uses",
            "decision_names",
            "enclosing_article",
            "code",
        }
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
    parameters: Mapping[s.Declaration, tuple[Local, ...]] = field(default_factory=dict)
    lattices: Mapping[Local | s.Declaration, str] = field(default_factory=dict)
    messages: Mapping[str, Message] = field(default_factory=dict)
    message_uses: Mapping[s.Node, MessageUse] = field(default_factory=dict)
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    decision_names: Mapping[s.Node, str] = field(default_factory=dict)
    enclosing_article: Mapping[s.Node, s.Declaration] = field(default_factory=dict)
    code: CodeDeclarations = field(default_factory=CodeDeclarations)
    declared: Declarations = field(default_factory=Declarations)
    names: tuple[str, ...] = field(init=False)
    players: tuple[int, int] = field(init=False)
    changes: Mapping[str, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", self.merged.names)
        object.__setattr__(self, "players", self.merged.head.players or (1, 1))
        object.__setattr__(self, "changes", self.merged.changes())

    @property
    def name(self) -> str:
        """The name of the game, without variants."""
        return self.names[0]

    @property
    def scope(self) -> str:
        """The names of the game and its variants, joined as `game/variant`.

        Translations are looked up under this scope first.
        """
        return "/".join(self.names)

    def is_changed(self, key: str, known: Set[str]) -> bool:
        """Return whether a variant outside `known` has changed, replaced or removed a declaration."""
        return bool(self.changes.get(key, frozenset()) - known)

    def display_type(self, local: Local) -> Type:
        """Return the type of a local name as players see it: a direction instead of a number."""
        return Type("direction", self.lattices[local]) if local in self.lattices else local.type

    def size(self, kind: Type, seats: int) -> int:
        """Return the number of values of a type among `seats` players; raise ValueError if it is not fixed."""
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

    def sort_of(self, name: str) -> str:
        """Return what has a value with this name: an enumeration, a sort of card, `direction`, or empty if nothing."""
        enums = (enum for enum, values in self.enums.items() if name in values)
        cards = (sort for sort, cards in self.cards.items() if name in cards.kinds or cards.index(name) is not None)
        directions = ("direction" for board in self.boards.values() if name in board.direction_names)
        return next(chain(enums, cards, directions), "")

    def value_name(self, kind: Type, value: int) -> str:
        """Return the name of a value of an enumeration, board, sort of card, figure or direction."""
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
                return self.boards[kind.name].direction_names[value % self.boards[kind.name].directions]
        raise ValueError(f"{kind} has no names")
