"""The declarations of a checked game as typed values, so that later passes need not read the syntax tree again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics.types import RefKind, Type


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
