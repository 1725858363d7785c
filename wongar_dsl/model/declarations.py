"""What a checked game declares, as typed values: nobody has to look into articles again to find it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from wongar_dsl import syntax as s
from wongar_dsl.model.types import RefKind, Type
from wongar_dsl.text.span import Span


class Setting(NamedTuple):
    """A number or yes/no that a table may set: its type, the value that the rules give, the least and the greatest."""

    type: Type
    start: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ZoneDecl:
    """A zone: what it is, what tells its copies apart, what lies in it and who sees that.

    `capacity` is how many cards it takes (None: as many as there are), `never` the numbers of the faces that may not
    come to lie there, `board` the lattice that a layout lies on.
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
    """A remembered value: its type, and the numbers that it can be, None where its bounds are not both written out."""

    name: str
    span: Span
    indices: tuple[Type, ...]
    type: Type
    numbers: range | None
    seen: s.Seen


@dataclass(frozen=True, slots=True)
class ScoreDecl:
    """A score: the enumeration of the origins that it is told apart by, None where there are none."""

    name: str
    span: Span
    by: Type | None


@dataclass(frozen=True, slots=True)
class DeckDecl:
    """A deck: the sort of its cards, and for each face in it (by number) how many copies there are."""

    name: str
    span: Span
    cards: Type
    copies: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(count for _, count in self.copies)


@dataclass(frozen=True, slots=True)
class PathsDecl:
    """Paths across cards or other values: the table of where they lead, and the table of their numbers, if any."""

    name: str
    span: Span
    keys: Type
    numbers: str | None


@dataclass(frozen=True, slots=True)
class Code:
    """Everything of a game with statements or expressions to carry out, in the order of the file.

    `course` is what is carried out: the setup, if there is one, and play; `remembered` has the bounds and the start of
    each remembered value; `effects` are those of each sort of card.
    """

    articles: tuple[s.Procedure | s.Define | s.Winner, ...] = ()
    course: tuple[s.Procedure, ...] = ()
    remembered: Mapping[str, s.Remember] = field(default_factory=dict)
    rules: Mapping[str, s.Rule] = field(default_factory=dict)
    effects: Mapping[str, tuple[s.Effect, ...]] = field(default_factory=dict)
    defines: Mapping[str, s.Define] = field(default_factory=dict)
    winner: s.Winner | None = None

    @property
    def procedures(self) -> tuple[s.Procedure, ...]:
        """Everything that is carried out: the setup, play, the rules and the effects of cards."""
        return tuple(article for article in self.articles if isinstance(article, s.Procedure))

    def called(self, kind: RefKind, name: str) -> s.Rule | s.Define:
        """What a reference of the kind `rule` or `define` calls; raises KeyError for another kind or name."""
        called: Mapping[str, Mapping[str, s.Rule | s.Define]] = {"rule": self.rules, "define": self.defines}
        return called[kind][name]


@dataclass(frozen=True, slots=True)
class Declarations:
    """All things that a whole game declares, each sort by name in the order of the file.

    `spans` says where each article is named, `shown` where each name stands that players see.
    """

    zones: Mapping[str, ZoneDecl] = field(default_factory=dict)
    figures: Mapping[str, FigureDecl] = field(default_factory=dict)
    remembered: Mapping[str, RememberDecl] = field(default_factory=dict)
    scores: Mapping[str, ScoreDecl] = field(default_factory=dict)
    decks: Mapping[str, DeckDecl] = field(default_factory=dict)
    paths: Mapping[str, PathsDecl] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)
    shown: Mapping[str, Span] = field(default_factory=dict)
