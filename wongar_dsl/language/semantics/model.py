"""The checked model of a game: types, typed declarations, and the results of type checking in tables keyed by node.

The checker builds it; lowering and the later passes read both the model and its syntax trees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING, Literal, NamedTuple

from wongar_dsl.base.span import Span
from wongar_dsl.base.storage.cache import SplitPickle
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast.zones import ZoneTraits, zone_traits
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.language.semantics.shapes import Shape

if TYPE_CHECKING:
    from wongar_dsl.language.variants.merge import MergedRules

TypeKind = Literal[
    "number", "truth", "player", "figure", "tally", "none", "nothing", "unknown",
    "enum", "board", "cards", "coverings", "line", "zone", "track", "place", "direction",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value.

    Kinds: `none` is the type of the literal `nobody`, `nothing` that of no value, `unknown` is used after an error.

    `name` is the declaration that the type comes from: an `enum`, `board`, `cards`, `coverings`, `zone` or `track`. For
    a `line`, a straight one of `length` areas, it is the board; for a `place` (in an event) the part of the state. In
    rules a direction is a number. Where players see it, in the arguments of options and messages, its kind is
    `direction` and `name` is the lattice.
    """

    kind: TypeKind
    name: str = ""
    length: int = 0

    def __str__(self) -> str:
        return self.name or {"truth": "yes or no", "none": "nobody"}.get(self.kind, self.kind)

    @property
    def can_be_none(self) -> bool:
        """Return whether a value of this type may also be absent (`none`)."""
        return self.kind in ("player", "enum", "board", "cards", "coverings", "figure")


NUMBER = Type("number")
TRUTH = Type("truth")
PLAYER = Type("player")
FIGURE = Type("figure")
TALLY = Type("tally")
NONE = Type("none")
NOTHING = Type("nothing")
UNKNOWN = Type("unknown")

RefKind = Literal[
    # names of the rules
    "local", "value", "option", "remember", "score", "zone", "slot_card", "token_count", "laid", "table", "face",
    "facekind", "attribute", "track", "type", "coverings", "define", "rule",
    # built-in properties and functions
    "players", "time", "left", "right", "holder", "place", "laid_at", "top", "bottom", "size", "position", "row",
    "column", "space", "spaces", "phase", "direction", "step", "spot", "side", "facing", "player", "least", "greatest",
    # after an error
    "unknown",
]  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Local:
    """A local name: a parameter, a bound name, or the value of a `let`."""

    name: str
    type: Type
    span_node: s.Node


@dataclass(frozen=True, slots=True)
class Ref:
    """The meaning of a name in an expression; `builtins.REFERENCES` has the facts about each `kind`.

    `name` is the declaration, `number` the value of an enumeration or the like, `local` the local name.
    """

    kind: RefKind
    name: str = ""
    number: int = 0
    local: Local | None = None


# ---- declarations ----------------------------------------------------------------------------------------------------


class Setting(NamedTuple):
    """A setting (number or yes/no) of a game: its type, default, minimum and maximum."""

    type: Type
    start: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ZoneDecl:
    """A zone: its kind, indices, contents and visibility.

    `capacity` is the maximum number of cards (None: no limit), `never` the numbers of the faces that must not lie
    there, `board` the lattice of a layout.
    """

    name: str
    span: Span
    kind: s.ZoneKind
    indices: tuple[Type, ...]
    holds: Type
    seen: s.Seen
    capacity: int | None = None
    never: tuple[int, ...] = ()
    board: str | None = None

    @property
    def traits(self) -> ZoneTraits:
        """Properties of this kind of zone."""
        return zone_traits(self.kind)


@dataclass(frozen=True, slots=True)
class FigureDecl:
    """A figure: its number among all figures, the board that it stands on, and whether a player can hold it."""

    name: str
    span: Span
    number: int
    board: str | None
    held: bool


@dataclass(frozen=True, slots=True)
class RememberDecl:
    """A remembered value: its type and range; `numbers` is None unless both bounds are written as numbers.

    No front end shows a `quiet` one.
    """

    name: str
    span: Span
    indices: tuple[Type, ...]
    type: Type
    numbers: range | None
    seen: s.Seen
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class ScoreDecl:
    """A score: `by` is the enumeration of origins by which it is broken down, None if there is none."""

    name: str
    span: Span
    by: Type | None


@dataclass(frozen=True, slots=True)
class DeckDecl:
    """A deck: the sort of its cards, and the number of copies of each face in it (by number)."""

    name: str
    span: Span
    cards: Type
    copies: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """Total number of cards."""
        return sum(count for _, count in self.copies)


@dataclass(frozen=True, slots=True)
class PathsDecl:
    """Paths across cards or other values; `numbers` is the table of their numbers, if any."""

    name: str
    span: Span
    keys: Type
    numbers: str | None


@dataclass(frozen=True, slots=True)
class CodeDeclarations:
    """All syntax trees of a game with statements or expressions to run, in the order of the file.

    `main_procedures` are what a game runs: the setup, if there is one, and play. `remembered` gives the bounds and the
    initial value of each remembered value, `effects` the effects of each sort of card.
    """

    articles: tuple[s.Procedure | s.Define | s.Winner, ...] = ()
    main_procedures: tuple[s.Procedure, ...] = ()
    remembered: Mapping[str, s.Remember] = field(default_factory=dict)
    rules: Mapping[str, s.Rule] = field(default_factory=dict)
    effects: Mapping[str, tuple[s.Effect, ...]] = field(default_factory=dict)
    defines: Mapping[str, s.Define] = field(default_factory=dict)
    winner: s.Winner | None = None

    @property
    def procedures(self) -> tuple[s.Procedure, ...]:
        """All procedures: the setup, play, the rules and the effects of cards."""
        return tuple(article for article in self.articles if isinstance(article, s.Procedure))

    def called(self, kind: RefKind, name: str) -> s.Rule | s.Define:
        """Return the declaration that a reference of kind `rule` or `define` calls, or raise KeyError."""
        called: Mapping[str, Mapping[str, s.Rule | s.Define]] = {"rule": self.rules, "define": self.defines}
        return called[kind][name]


@dataclass(frozen=True, slots=True)
class Declarations:
    """All declarations of a game, each sort by name in the order of the file.

    `spans` gives the position of each declaration's name, `shown` that of each name that players see.
    """

    zones: Mapping[str, ZoneDecl] = field(default_factory=dict)
    figures: Mapping[str, FigureDecl] = field(default_factory=dict)
    remembered: Mapping[str, RememberDecl] = field(default_factory=dict)
    scores: Mapping[str, ScoreDecl] = field(default_factory=dict)
    decks: Mapping[str, DeckDecl] = field(default_factory=dict)
    paths: Mapping[str, PathsDecl] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)
    shown: Mapping[str, Span] = field(default_factory=dict)


# ---- model -----------------------------------------------------------------------------------------------------------
#
# The checker builds it; lowering and the later passes read both.


#: The meaning of a node that is no name.
_NO_REF = Ref("unknown")
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
    def face_names(self) -> tuple[str, ...]:
        """The name of each face."""
        return tuple(face.name for face in self.faces)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in reversed([*enumerate(self.face_names)])}

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

    `names` are those of the game and its variants, `players` the minimum and maximum number of players, `box` the other
    numbers on the box of the game: minimum age, shortest and longest length in minutes (`FactName`). `changes` names
    for each declaration (`rule.draw`, `setup`) the variants that have changed, replaced or removed it.
    """

    #: Fields with syntax trees and results of checking, pickled apart because a running game does not need them.
    DEFERRED_FIELDS = frozenset(
        {"merged", "types", "refs", "locals", "parameters", "lattices", "message_uses", "decision_names"}
        | {"enclosing_article", "code"}
    )

    merged: MergedRules
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: dict[str, tuple[Shape, ...]] = field(default_factory=dict)
    coverings: dict[str, CoveringData] = field(default_factory=dict)
    boards: dict[str, Graph] = field(default_factory=dict)
    cards: dict[str, CardSort] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    tracks: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    tables: dict[str, TableData] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    types: dict[s.Node, Type] = field(default_factory=dict)
    refs: dict[s.Node, Ref] = field(default_factory=dict)
    locals: dict[s.Node, Local] = field(default_factory=dict)
    parameters: dict[s.Declaration, tuple[Local, ...]] = field(default_factory=dict)
    lattices: dict[Local | s.Declaration, str] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    message_uses: dict[s.Node, MessageUse] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    decision_names: dict[s.Node, str] = field(default_factory=dict)
    enclosing_article: dict[s.Node, s.Declaration] = field(default_factory=dict)
    code: CodeDeclarations = field(default_factory=CodeDeclarations)
    declared: Declarations = field(default_factory=Declarations)
    names: tuple[str, ...] = field(init=False)
    players: tuple[int, int] = field(init=False)
    box: Mapping[str, tuple[int, int]] = field(init=False)
    changes: Mapping[str, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", self.merged.names)
        object.__setattr__(self, "players", self.merged.head.players or (1, 1))
        object.__setattr__(self, "box", {fact.about: (fact.low, fact.high) for fact in self.merged.head.facts})
        object.__setattr__(self, "changes", self.merged.changes())

    def ref(self, node: s.Node) -> Ref:
        """Return the meaning of a name; of kind `unknown` for a node that is no name."""
        return self.refs.get(node, _NO_REF)

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

    def with_settings(self, given: Mapping[str, int]) -> Model:
        """Return the model for a game with these values of settings, which count as changed by the name ""."""
        changed = {
            name: setting._replace(start=given[name])
            for name, setting in self.settings.items()
            if given.get(name, setting.start) != setting.start
        }
        if not changed:
            return self
        model, keys = replace(self, settings={**self.settings, **changed}), [f"option.{name}" for name in changed]
        changes = {**self.changes, **{key: self.changes.get(key, frozenset()) | {""} for key in keys}}
        object.__setattr__(model, "changes", changes)
        return model

    def display_type(self, local: Local) -> Type:
        """Return the type of a local name as players see it: a direction instead of a number."""
        return Type("direction", self.lattices[local]) if local in self.lattices else local.type

    def size(self, kind: Type, seats: int) -> int:
        """Return the number of values of a type among `seats` players; raise ValueError if it is not fixed."""
        if kind.kind in ("truth", "player"):
            return 2 if kind.kind == "truth" else seats
        if kind.kind == "direction":
            return self.boards[kind.name].directions
        return len(self._value_names(kind))

    def sort_of(self, name: str) -> str:
        """Return what has a value with this name: an enumeration, a sort of card, `direction`, or empty if nothing."""
        enums = (enum for enum, values in self.enums.items() if name in values)
        cards = (sort for sort, cards in self.cards.items() if name in cards.kinds or cards.index(name) is not None)
        directions = ("direction" for board in self.boards.values() if name in board.direction_names)
        return next(chain(enums, cards, directions), "")

    def value_name(self, kind: Type, value: int) -> str:
        """Return the name of a value of an enumeration, board, sort of card, figure or direction."""
        if kind.kind == "direction":
            value %= self.boards[kind.name].directions
        return self._value_names(kind)[value]

    def _value_names(self, kind: Type) -> Sequence[str]:
        match kind.kind:
            case "figure":
                return self.figures
            case "enum":
                return self.enums[kind.name]
            case "board":
                return self.boards[kind.name].areas
            case "cards":
                return self.cards[kind.name].face_names
            case "coverings":
                return self.coverings[kind.name].drawings
            case "direction":
                return self.boards[kind.name].direction_names
        raise ValueError(f"{kind} has no fixed number of values with names")
