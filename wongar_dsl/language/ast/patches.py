"""Changes that a variant makes: articles that set, extend, replace or remove parts of its base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl.base.span import Span
from wongar_dsl.language.ast.declarations import Copies, Declaration, Face, Key, RankingLine, Sort, TableRow, TrackPhase
from wongar_dsl.language.ast.expressions import Domain, Expression
from wongar_dsl.language.ast.node import Word
from wongar_dsl.language.ast.statements import Block, Option

#: Sorts with parts that a variant can add or remove; a choice has options.
ListSort = Literal["enum", "cards", "deck", "track", "table", "winner", "choice"]
#: Sorts with steps.
ProcedureSort = Literal["rule", "effect", "setup", "play"]
#: Side of a part on which something new is inserted.
Side = Literal["before", "after"]
#: Parts that a variant can add.
Part = Word | Face | Copies | TrackPhase | TableRow | RankingLine | Option


@dataclass(frozen=True, eq=False, slots=True)
class SetSetting(Declaration):
    """`set option to value`."""

    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class SetCell(Declaration):
    """`set table[row, column] to value`."""

    keys: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class SetRow(Declaration):
    """`set row key of table to values`."""

    key: Expression
    cells: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class SetCount(Declaration):
    """`set face in deck to n`; `name` is the deck."""

    face: Expression
    count: int


@dataclass(frozen=True, eq=False, slots=True)
class SetPlayers(Declaration):
    """`set players to 3 to 4`; `range` is the span of the two numbers."""

    players: tuple[int, int]
    range: Span


@dataclass(frozen=True, eq=False, slots=True)
class Replace(Declaration):
    """`replace article`."""

    article: Declaration


@dataclass(frozen=True, eq=False, slots=True)
class Remove(Declaration):
    """`remove sort name`."""

    sort: Sort


# ---- of parts of an article ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class AddTo(Declaration):
    """`add to sort name [before anchor]`, followed by parts as written in such an article.

    `anchor` is the part beside which the new ones are inserted, None for the end. With `columns` the rows are those of
    the table, with their cells in the new columns only. `otherwise` is the block for when no option is left.
    """

    sort: ListSort
    parts: tuple[Part, ...]
    side: Side | None = None
    anchor: Expression | None = None
    columns: tuple[Expression, ...] = ()
    otherwise: Block | None = None


@dataclass(frozen=True, eq=False, slots=True)
class RemoveFrom(Declaration):
    """`remove part from sort name`; `name` is that of the article or choice."""

    sort: ListSort | ProcedureSort
    part: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Insert(Declaration):
    """`after step in rule name`, followed by a block; without a step, before or after the whole rule."""

    sort: ProcedureSort
    side: Side
    step: Word | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class AllowOnly(Declaration):
    """`allow option in choice name only if condition`."""

    option: Word
    condition: Expression


@dataclass(frozen=True, eq=False, slots=True)
class SetOffered(Declaration):
    """`set parameter of option in choice name to domain`: changes the values that an option offers."""

    option: Word
    parameter: Word
    domain: Domain


@dataclass(frozen=True, eq=False, slots=True)
class SetStep(Declaration):
    """`set step in rule name to value`: changes the value of a `let` or `set`."""

    sort: ProcedureSort
    step: Word
    value: Expression


#: Changes of a part of an article; the rest of it stays as it is.
PartialChange = AddTo | RemoveFrom | Insert | AllowOnly | SetOffered | SetStep


def key_of(article: Declaration) -> Key:
    """Return the sort and name that identify an article (`("rule", "play_round")`)."""
    if isinstance(article, Replace):
        return key_of(article.article)
    return (article.keyword, "" if article.single else article.name.text)


def key_text(article: Declaration) -> str:
    """Return the key of an article as texts name it: `rule.draw`, `setup`."""
    sort, name = key_of(article)
    return f"{sort}.{name}" if name and name != sort else sort
