"""Articles (top-level declarations), the rule file that they form, and the changes that a variant makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, cast

from wongar_dsl.base.span import Span
from wongar_dsl.language.ast.nodes import (
    Block,
    Decision,
    Domain,
    Expression,
    Extreme,
    KeywordStatement,
    LeavingStatement,
    Node,
    Option,
    Statement,
    TraversedNode,
    Typed,
    TypeName,
    Word,
    node,
)
from wongar_dsl.language.ast.traversal import copied, outermost, walk, with_steps
from wongar_dsl.language.ast.zones import ZoneKind, ZoneTraits, zone_traits

#: Sorts of articles, by the keyword in a rule file.
Sort = Literal[
    "game", "enum", "shapes", "coverings", "board", "figure", "cards", "deck", "zone", "remember", "score", "track",
    "table", "paths", "option", "setup", "play", "rule", "effect", "define", "winner",
]  # fmt: skip
#: Sort and name of an article; the sort `change` means one that changes another article.
Key = tuple[Sort | Literal["change"], str]
#: Evidence for a rule: the text of a rulebook, or something weaker.
Trust = Literal["text", "inferred", "reconstruction", "house"]
#: Boards of equal areas: squares, hexagons in slanting rows, hexagons around a middle.
LatticeKind = Literal["square", "hexagon", "round"]
#: Facts on the box of a game, by the keyword in a rule file: the minimum age, and the length of a game.
FactName = Literal["age", "minutes"]
#: Visibility of the contents of a zone or a remembered value; with `number`, all players see only its size.
Seen = Literal["all", "owner", "nobody", "number"]


@node
class Citation(Node):
    """The source of a rule: its evidence, a book and headings in it."""

    kind: Trust
    book: str | None = None
    headings: tuple[str, ...] = ()


@node
class Declaration(TraversedNode):
    """A top-level declaration with its sources.

    `keyword` is the word for its sort in a rule file, `change` for a change of another article. `named`: its name can
    be used in expressions and statements. `single`: a game has at most one, which its sort identifies. `sourced`: it
    needs a source. `used`: it is reported if nothing uses it. `removable`: a variant can remove it. `parts_field` is
    the field with its parts, if a variant can add or remove some, `names_field` the one with nodes that declare further
    names. `subject_fields` are the fields that name what it is about.
    """

    keyword: ClassVar[Sort | Literal["change"]] = "change"
    named: ClassVar[bool] = False
    single: ClassVar[bool] = False
    sourced: ClassVar[bool] = False
    used: ClassVar[bool] = False
    removable: ClassVar[bool] = False
    parts_field: ClassVar[str | None] = None
    names_field: ClassVar[str | None] = None
    subject_fields: ClassVar[tuple[str, ...]] = ("name",)

    name: Word
    sources: tuple[Citation, ...]

    @property
    def new_article(self) -> Declaration:
        """The article itself, or the one that takes the place of another."""
        return self

    @property
    def sort_text(self) -> str:
        """The keyword with which an article is declared, which is its kind for a zone."""
        return self.keyword

    @property
    def listed_parts(self) -> tuple[Part, ...]:
        """The parts that a variant can add or remove."""
        return cast(tuple[Part, ...], getattr(self, self.parts_field)) if self.parts_field is not None else ()

    @property
    def part_names(self) -> list[str]:
        """The names of these parts."""
        return [part.part_name for part in self.listed_parts]

    def with_parts(self, parts: tuple[Part, ...]) -> Declaration:
        """Return the article with other parts."""
        assert self.parts_field is not None
        return replace(self, **cast(Any, {self.parts_field: parts}))

    @property
    def named_choices(self) -> Iterator[tuple[str, Decision]]:
        """The choices in the article that have a name, each with it."""
        return ((node.name.text, node) for node in walk(self) if isinstance(node, Decision) and node.name is not None)

    @property
    def inner_names(self) -> tuple[Word, ...]:
        """The names that an article, or a change of one, declares in addition to its own."""
        naming = getattr(self, self.names_field) if self.names_field is not None else ()
        return tuple(cast(Word, part.name_node) for part in outermost(naming))


@node
class Book(Node):
    """A rulebook that sources cite."""

    name: str
    title: str


@node
class BoxFact(Node):
    """`age 12` or `minutes 45 to 60`: a fact about a game that is printed on its box and has no influence on play.

    `low` and `high` are equal for a single number: the minimum age in years, or the usual length in minutes. `range` is
    the span of the numbers.
    """

    about: FactName
    low: int
    high: int
    range: Span
    sources: tuple[Citation, ...] = ()


@node
class Game(Declaration):
    """`game name`: number of players, and the rulebooks; `range` is the span of the numbers of players.

    `facts` are what else its box says; if one is given twice, the last one counts.
    """

    keyword = "game"
    single = True

    players: tuple[int, int] | None
    books: tuple[Book, ...]
    range: Span | None = None
    facts: tuple[BoxFact, ...] = ()

    def fact(self, about: FactName) -> BoxFact | None:
        """Return the minimum age or the length of the game, if it is declared."""
        return next((fact for fact in reversed(self.facts) if fact.about == about), None)


@node
class Variant(Declaration):
    """`variant name of base with others`: `others` are the variants that are combined, in this order."""

    base: Word
    books: tuple[Book, ...]
    others: tuple[Word, ...] = ()


@node
class Enumeration(Declaration):
    """`enum name = a, b, c`: a type and its values, in order."""

    keyword = "enum"
    named = used = removable = True
    parts_field = names_field = "values"

    values: tuple[Word, ...]


@node
class Touches(Node):
    """`area touches other, other`: the neighbours of an area."""

    area: Word
    others: tuple[Word, ...]


@node
class Board(Declaration):
    """`board name`: rows of areas, offset by half or not, and their neighbours; or a lattice.

    `lattice` is its kind with its sizes. With `diagonal` squares touch at their corners too.
    """

    keyword = "board"
    named = sourced = used = removable = True
    names_field = "rows"

    rows: tuple[tuple[Word, ...], ...]
    offset: bool
    touches: tuple[Touches, ...]
    lattice: tuple[LatticeKind, int, int] | None = None
    diagonal: bool = False


@node
class Figure(Declaration):
    """`figure name on board held by player`: a single piece with a location, a holder (if `held`), or both."""

    keyword = "figure"
    named = removable = True

    board: Word | None
    held: bool


@node
class Face(Node):
    """A kind of card, with parameters over enumerations."""

    name_field = "name"

    name: Word
    parameters: tuple[Typed, ...]


@node
class Cards(Declaration):
    """`cards name`: the faces of one sort of card."""

    keyword = "cards"
    named = sourced = used = True
    parts_field = names_field = "faces"

    faces: tuple[Face, ...]


@node
class Copies(Node):
    """`3 face`: a face and its number of copies in a deck."""

    name_field = "face"

    count: int
    face: Expression


@node
class Deck(Declaration):
    """`deck name of cards total n`: number of copies of each face."""

    keyword = "deck"
    named = sourced = used = removable = True
    parts_field = "copies"

    cards: Word
    total: int | None
    copies: tuple[Copies, ...]

    def with_parts(self, parts: tuple[Part, ...]) -> Declaration:
        """Return the deck with other copies, and its total adjusted to them."""
        copies = cast(tuple[Copies, ...], parts)
        more = sum(part.count for part in copies) - sum(part.count for part in self.copies)
        return replace(self, copies=copies, total=None if self.total is None else self.total + more)


@node
class Zone(Declaration):
    """A place for cards or tokens.

    `each` are the types that index it, with one zone for every combination of their values. `holds` is its sort of card
    or token, `never` the kinds of card that must not lie there. A layout's cards lie in the areas of the lattice
    `board`.
    """

    keyword = "zone"
    named = used = removable = True

    kind: ZoneKind
    each: tuple[Word, ...]
    capacity: int | None
    holds: Word
    seen: Seen
    never: tuple[Word, ...]
    board: Word | None = None

    @property
    def traits(self) -> ZoneTraits:
        """Properties of this kind of zone."""
        return zone_traits(self.kind)

    @property
    def sort_text(self) -> str:
        """The kind."""
        return self.kind


@node
class Remember(Declaration):
    """`remember name of each d: type = e`: a variable of the game state, indexed by the types in `each`.

    No front end shows a `quiet` one.
    """

    keyword = "remember"
    named = used = removable = True

    each: tuple[Word, ...]
    type: TypeName
    start: Expression | None
    seen: Seen
    quiet: bool = False


@node
class Score(Declaration):
    """`score name by enum`: a number for each player, broken down by its origin."""

    keyword = "score"
    named = used = True

    by: Word | None


@node
class TrackPhase(Node):
    """A phase of a track, named by a value of an enumeration, and its number of spaces."""

    name_field = "name"

    name: Word
    spaces: int


@node
class Track(Declaration):
    """`track name`: a row of spaces, divided into consecutive phases."""

    keyword = "track"
    named = sourced = used = removable = True
    parts_field = "phases"

    phases: tuple[TrackPhase, ...]


@node
class TableRow(Node):
    """A row of a table: its key and its cells."""

    name_field = "key"

    key: Expression
    cells: tuple[Expression, ...]


@node
class LookupTable(Declaration):
    """`table name columns ...`: a value for each row, or for each row and column."""

    keyword = "table"
    named = sourced = used = removable = True
    parts_field = "rows"

    columns: tuple[Expression, ...]
    rows: tuple[TableRow, ...]

    @property
    def column_names(self) -> list[str]:
        """The names of its columns."""
        return [column.part_text for column in self.columns]


@node
class ShapeDrawing(Node):
    """A shape of squares: its name, and its rows from the top, `x` for a square and `.` for a gap."""

    name_field = "name"

    name: Word
    rows: tuple[str, ...]


@node
class Shapes(Declaration):
    """`shapes name`: shapes on a square grid, pieces or areas."""

    keyword = "shapes"
    named = sourced = used = removable = True
    names_field = "drawings"

    drawings: tuple[ShapeDrawing, ...]


@node
class CoveringTask(Node):
    """An area, and the sets of pieces that must cover it."""

    area: Word
    sets: tuple[tuple[Word, ...], ...]


@node
class Coverings(Declaration):
    """`coverings name of areas by pieces for key`: sets of pieces for each area, one for each value of `key`."""

    keyword = "coverings"
    named = sourced = used = removable = True

    areas: Word
    pieces: Word
    key: Word | None
    rows: tuple[CoveringTask, ...]


@node
class Path(Node):
    """`0-3: 2`: a path between two sides of a card, and its number (0 where none is written)."""

    sides: tuple[int, int]
    number: int


@node
class Crossing(Node):
    """The paths across one card."""

    key: Expression
    paths: tuple[Path, ...]


@node
class Paths(Declaration):
    """`paths name of cards with number`: the sides of a card that paths connect.

    `number` names the table of their numbers.
    """

    keyword = "paths"
    sourced = used = True
    names_field = "number"

    keys: Word
    number: Word | None
    rows: tuple[Crossing, ...]


@node
class Setting(Declaration):
    """`option name = value in low to high`: a number or yes/no that a variant or a table may change.

    `range` is the span of `low to high`.
    """

    keyword = "option"
    named = sourced = used = removable = True

    value: Expression
    low: int | None
    high: int | None
    range: Span | None = None


@node
class Procedure(Declaration):
    """Common part of setup, play, rules and effects: parameters, a result type, a body."""

    parameters: tuple[Typed, ...]
    gives: TypeName | None
    body: Block

    @property
    def steps(self) -> Iterator[Statement]:
        """All steps, including nested ones."""
        return (node for node in walk(self.body) if isinstance(node, Statement))

    def ending_with(self, statements: Block) -> Procedure:
        """Return a procedure that runs `statements` before each of its ends."""
        ends = {"end rule", "end game"} if isinstance(self, Play) else {"end rule"}

        def before_end(step: Statement) -> Sequence[Statement]:
            ending = step.ends == "rule" or (isinstance(step, KeywordStatement) and step.word in ends)
            return (*copied(statements), step) if ending else (step,)

        body = with_steps(self.body, before_end)
        leaves = bool(self.body) and isinstance(self.body[-1], LeavingStatement)
        return replace(self, body=body if leaves else (*body, *statements))


@node
class Setup(Procedure):
    """The procedure that is run before the first turn."""

    keyword = "setup"
    sourced = single = True


@node
class Play(Procedure):
    """The procedure that plays the game after the setup."""

    keyword = "play"
    sourced = single = True


@node
class Rule(Procedure):
    """`rule name(parameters) gives type`: a procedure that other rules call."""

    keyword = "rule"
    named = sourced = used = removable = True


@node
class Effect(Procedure):
    """`effect face(parameters) for p at place: type`: `card_parameters` are the card's parameters."""

    keyword = "effect"
    sourced = removable = True

    card_parameters: tuple[Word, ...]


@node
class Define(Declaration):
    """`define name(parameters) = e`: a named expression."""

    keyword = "define"
    named = sourced = used = removable = True

    parameters: tuple[Typed, ...]
    value: Expression


@node
class RankingLine(Node):
    """One line of `winner`: the most or the fewest of a measure."""

    part_name = ""
    extreme: Extreme
    measure: Expression


@node
class Winner(Declaration):
    """`winner p`: the ranking that decides who has won at the end; `name` stands for the player in the measures."""

    keyword = "winner"
    sourced = single = True
    parts_field = "ranking"

    ranking: tuple[RankingLine, ...]


@node
class File(Node):
    """A rule file: its articles in order; `head` is the game or variant line, None where it is missing.

    `unparsed_words` holds the words of articles with syntax errors, whose declarations may therefore be missing.
    """

    head: Game | Variant | None
    articles: tuple[Declaration, ...]
    unparsed_words: frozenset[str] = frozenset()


#: Keywords for boards of equal areas.
LATTICES = ("grid", "hexagons")
#: Article class of each sort.
SORTS: Mapping[str, type[Declaration]] = {
    article.keyword: article for article in (
        Game, Enumeration, Shapes, Coverings, Board, Figure, Cards, Deck, Zone, Remember, Score, Track, LookupTable,
        Paths, Setting, Setup, Play, Rule, Effect, Define, Winner,
    )
}  # fmt: skip


# ---- changes of a variant --------------------------------------------------------------------------------------------


#: Sorts with parts that a variant can add or remove; a choice has options.
ListSort = Literal["enum", "cards", "deck", "track", "table", "winner", "choice"]
#: Sorts with steps.
ProcedureSort = Literal["rule", "effect", "setup", "play"]
#: Side of a part on which something new is inserted.
Side = Literal["before", "after"]
#: Parts that a variant can add.
Part = Word | Face | Copies | TrackPhase | TableRow | RankingLine | Option


class ValueChange(Declaration):
    """Common part of the changes that set a value: `changed_sort` is the sort of the changed article."""

    __slots__ = ()
    changed_sort: ClassVar[Sort]


@node
class SetSetting(ValueChange):
    """`set option to value`."""

    changed_sort = "option"

    value: Expression


@node
class SetCell(ValueChange):
    """`set table[row, column] to value`."""

    changed_sort = "table"

    keys: tuple[Expression, ...]
    value: Expression


@node
class SetRow(ValueChange):
    """`set row key of table to values`."""

    changed_sort = "table"
    name_field = "key"

    key: Expression
    cells: tuple[Expression, ...]


@node
class SetCount(ValueChange):
    """`set face in deck to n`; `name` is the deck."""

    changed_sort = "deck"
    name_field = "face"

    face: Expression
    count: int


@node
class SetPlayers(Declaration):
    """`set players to 3 to 4`; `range` is the span of the two numbers."""

    players: tuple[int, int]
    range: Span


@node
class SetBoxFact(Declaration):
    """`set age to 12` or `set minutes to 45 to 60`; `name` is the keyword of the fact."""

    fact: BoxFact


@node
class Replace(Declaration):
    """`replace article`."""

    article: Declaration

    @property
    def new_article(self) -> Declaration:
        """The new article."""
        return self.article


@node
class Remove(Declaration):
    """`remove sort name`."""

    sort: Sort


# ---- of parts of an article ----------------------------------------------------------------------------------------


@node
class AddTo(Declaration):
    """`add to sort name [before anchor]`, followed by parts as written in such an article.

    `anchor` is the part beside which the new ones are inserted, None for the end. With `columns` the rows are those of
    the table, with their cells in the new columns only. `otherwise` is the block for when no option is left.
    """

    subject_fields = ("name", "parts")

    sort: ListSort
    parts: tuple[Part, ...]
    side: Side | None = None
    anchor: Expression | None = None
    columns: tuple[Expression, ...] = ()
    otherwise: Block | None = None

    @property
    def inner_names(self) -> tuple[Word, ...]:
        """The new values of an enumeration, or kinds of cards."""
        return tuple(cast(Word, part.name_node) for part in self.parts if self.sort in ("enum", "cards"))


@node
class RemoveFrom(Declaration):
    """`remove part from sort name`; `name` is that of the article or choice."""

    subject_fields = ("name", "part")

    sort: ListSort | ProcedureSort
    part: Expression


@node
class Insert(Declaration):
    """`after step in rule name`, followed by a block; without a step, before or after the whole rule."""

    sort: ProcedureSort
    side: Side
    step: Word | None
    body: Block


@node
class AllowOnly(Declaration):
    """`allow option in choice name only if condition`."""

    subject_fields = ("name", "option")

    option: Word
    condition: Expression


@node
class SetOffered(Declaration):
    """`set parameter of option in choice name to domain`: changes the values that an option offers."""

    subject_fields = ("name", "option", "parameter")

    option: Word
    parameter: Word
    domain: Domain


@node
class SetStep(Declaration):
    """`set step in rule name to value`: changes the value of a `let` or `set`."""

    subject_fields = ("name", "step")

    sort: ProcedureSort
    step: Word
    value: Expression


#: Changes of a part of an article; the rest of it stays as it is.
PartialChange = AddTo | RemoveFrom | Insert | AllowOnly | SetOffered | SetStep


def key_of(article: Declaration) -> Key:
    """Return the sort and name that identify an article (`("rule", "play_round")`)."""
    article = article.new_article
    return (article.keyword, "" if article.single else article.name.text)


def key_text(article: Declaration) -> str:
    """Return the key of an article as texts name it: `rule.draw`, `setup`."""
    sort, name = key_of(article)
    return f"{sort}.{name}" if name and name != sort else sort
