"""The syntax tree of a rule file: frozen nodes, each with its span.

Nodes compare by identity, so that passes can keep what they find out about a node in tables beside the tree.
An *article* is a top-level declaration; articles hold statements, statements hold expressions.
"""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.source import Span


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """What every node has: where it stands."""

    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Word(Node):
    """A name as it stands in the text."""

    text: str


# ---- expressions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Expression(Node):
    """Something that has a value."""


@dataclass(frozen=True, eq=False, slots=True)
class Number(Expression):
    """A whole number."""

    value: int


@dataclass(frozen=True, eq=False, slots=True)
class Truth(Expression):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True, eq=False, slots=True)
class Nobody(Expression):
    """`nobody` or `none`: no player, no place, no card."""


@dataclass(frozen=True, eq=False, slots=True)
class Name(Expression):
    """A name: a local one, a value of an enumeration, an option, a zone, a type."""

    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Called(Expression):
    """`name(a, b)`: a definition, a rule that gives something, or a card with parameters."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Indexed(Expression):
    """`name[a, b]`: a table's cell, or one of several zones or remembered values."""

    name: str
    indices: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Of(Expression):
    """`name of x`, also written `my name`: a property of x, or the zone or value that belongs to x."""

    name: str
    owner: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Negation(Expression):
    """`not x`."""

    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Minus(Expression):
    """`-x`."""

    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Binary(Expression):
    """`+ - * div mod` between two numbers."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Logical(Expression):
    """Conditions joined by `and` or `or`."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Compare(Expression):
    """A comparison; `is` and `is not` stand as `=` and `!=`, and also ask for the kind of a card."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Empty(Expression):
    """`x is empty`, or with `negated` `x is not empty`."""

    zone: Expression
    negated: bool


@dataclass(frozen=True, eq=False, slots=True)
class Domain(Node):
    """What a bound name runs over: `base [clockwise ...] [where c] [with most e]`.

    `kind` is `all`, `span`, `touching`, `within`, `from` or `after`; `first` and `second` are its expressions.
    """

    kind: str
    base: Expression
    first: Expression | None = None
    second: Expression | None = None
    where: Expression | None = None
    extreme: str | None = None
    measure: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Quantified(Expression):
    """A bound name over a domain.

    `kind` is `some`, `none`, `every`, `number`, `sum`, `highest`, `lowest`, `first`, `random` or `tally`; `value` is the
    condition of `every`, the summand of `sum`, the weight of `random`.
    """

    kind: str
    variable: Word
    domain: Domain
    value: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class CountOf(Expression):
    """`count of card in zone`."""

    card: Expression
    zone: Expression


# ---- types ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class TypeName(Node):
    """A type as written: `number`, `number 0 to 5`, `yes or no`, or the name of an enumeration, board or kind of card."""

    name: str
    low: Expression | None = None
    high: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Typed(Node):
    """A parameter: `name: type`."""

    name: Word
    type: TypeName


# ---- statements ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Statement(Node):
    """Something that is done."""


Block = tuple[Statement, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Argument(Node):
    """`name: value` of a message; where no name is written, the value's own name serves."""

    name: str
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Told(Node):
    """The message of an event: its name and arguments.  `name` is None for `quietly`: recorded, not told."""

    name: str | None
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class If(Statement):
    """`if c ... otherwise if d ... otherwise ...`."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block


@dataclass(frozen=True, eq=False, slots=True)
class Repeat(Statement):
    """A loop: `kind` is `times`, `while`, `until` or `forever`."""

    kind: str
    subject: Expression | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class ForEach(Statement):
    """`for each x in domain`."""

    variable: Word
    domain: Domain
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Offered(Node):
    """A parameter of an option: `name: domain`."""

    name: Word
    domain: Domain


@dataclass(frozen=True, eq=False, slots=True)
class Choice(Node):
    """One option of a decision: name, parameters, condition, and what it does."""

    name: Word
    parameters: tuple[Offered, ...]
    condition: Expression | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Choose(Statement):
    """`p chooses name ...`: p is offered the options whose conditions hold; `otherwise` is done where there are none."""

    chooser: Expression
    name: Word | None
    choices: tuple[Choice, ...]
    otherwise: Block | None


@dataclass(frozen=True, eq=False, slots=True)
class ChooseTogether(Statement):
    """`each p in player chooses name at once`: choices stay hidden until all have chosen, then all are carried out."""

    variable: Word
    domain: Domain
    name: Word | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Let(Statement):
    """`let x = e`."""

    variable: Word
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Assign(Statement):
    """`set x to e`."""

    target: Expression
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Move(Statement):
    """`move what [from zone] to place`: a card or a figure."""

    what: Expression
    origin: Expression | None
    target: Expression
    told: Told | None


@dataclass(frozen=True, eq=False, slots=True)
class MoveTokens(Statement):
    """`move n kind from zone to zone`."""

    count: Expression
    kind: Expression
    origin: Expression
    target: Expression
    told: Told | None


@dataclass(frozen=True, eq=False, slots=True)
class MoveAll(Statement):
    """`move all of zone to zone`."""

    origin: Expression
    target: Expression
    told: Told | None


@dataclass(frozen=True, eq=False, slots=True)
class Fill(Statement):
    """`fill zone with deck`, or `fill zone with n kind`."""

    zone: Expression
    count: Expression | None
    filling: Word


@dataclass(frozen=True, eq=False, slots=True)
class Shuffle(Statement):
    """`shuffle pile`."""

    zone: Expression
    told: Told | None


@dataclass(frozen=True, eq=False, slots=True)
class Take(Statement):
    """`p takes figure`: the figure's card or double now stands before p."""

    taker: Expression
    figure: Word
    told: Told | None


@dataclass(frozen=True, eq=False, slots=True)
class Gain(Statement):
    """`p gains n points for origin`, or `loses`."""

    player: Expression
    loses: bool
    amount: Expression
    score: Word
    origin: Expression | None
    told: Told | None


@dataclass(frozen=True, eq=False, slots=True)
class Advance(Statement):
    """`advance track by n`."""

    track: Word
    amount: Expression
    told: Told | None


@dataclass(frozen=True, eq=False, slots=True)
class Perform(Statement):
    """`perform card for p at place`: the effect of the card."""

    card: Expression
    player: Expression
    place: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class Call(Statement):
    """A rule, by its name."""

    call: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Tell(Statement):
    """`tell message(a, b)`: an event that changes nothing."""

    told: Told


@dataclass(frozen=True, eq=False, slots=True)
class Simple(Statement):
    """A statement of set words: `end game`, `end rule`, `leave loop`, `impossible`, `nothing`."""

    word: str


@dataclass(frozen=True, eq=False, slots=True)
class Give(Statement):
    """`give e`: the value of the rule."""

    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Wins(Statement):
    """`p wins`: the game ends, p alone has won."""

    player: Expression


# ---- articles ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Citation(Node):
    """Where a rule comes from: `kind` is `text`, `inferred`, `reconstruction` or `house`; a book and its headings."""

    kind: str
    book: str | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Article(Node):
    """A top-level declaration with its sources."""

    name: Word
    sources: tuple[Citation, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Book(Node):
    """A rulebook that sources cite."""

    name: str
    title: str


@dataclass(frozen=True, eq=False, slots=True)
class Game(Article):
    """`game name`: how many play, and the rulebooks."""

    players: tuple[int, int] | None
    books: tuple[Book, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Variant(Article):
    """`variant name of base`."""

    base: Word
    books: tuple[Book, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Enumeration(Article):
    """`enum name = a, b, c`."""

    values: tuple[Word, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Touches(Node):
    """`area touches other, other`."""

    area: Word
    others: tuple[Word, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Board(Article):
    """`board name`: rows of areas, offset by half or not, and what touches what."""

    rows: tuple[tuple[Word, ...], ...]
    offset: bool
    touches: tuple[Touches, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Figure(Article):
    """`figure name on board held by player`."""

    board: Word | None
    held: bool


@dataclass(frozen=True, eq=False, slots=True)
class Face(Node):
    """A kind of card, with parameters over enumerations."""

    name: Word
    parameters: tuple[Typed, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Cards(Article):
    """`cards name`: the faces of one sort of card."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Copies(Node):
    """`3 face` in a deck."""

    count: int
    face: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Deck(Article):
    """`deck name of cards total n`: how many of each."""

    cards: Word
    total: int | None
    copies: tuple[Copies, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Zone(Article):
    """A place for cards or tokens.

    `kind` is `tokens`, `pile`, `hand`, `heap` or `slot`; `seen` is `all`, `owner`, `nobody` or `number`.
    """

    kind: str
    each: tuple[Word, ...]
    capacity: int | None
    holds: Word
    seen: str
    never: tuple[Word, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Remember(Article):
    """`remember name of each d: type = e`: a value that the game keeps."""

    each: tuple[Word, ...]
    type: TypeName
    start: Expression | None
    seen: str


@dataclass(frozen=True, eq=False, slots=True)
class Score(Article):
    """`score name by enum`: a number that each player has, told apart by where it came from."""

    by: Word | None


@dataclass(frozen=True, eq=False, slots=True)
class Stretch(Node):
    """A phase of a track and how many spaces it has."""

    phase: Word
    spaces: int


@dataclass(frozen=True, eq=False, slots=True)
class Track(Article):
    """`track name`: spaces in phases."""

    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Row(Node):
    """A row of a table: its key and its cells."""

    key: Expression
    cells: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Table(Article):
    """`table name columns ...`: a value for each row, or for each row and column."""

    columns: tuple[Expression, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Option(Article):
    """`option name = value in low to high`: a number or yes/no that a variant or a table may set otherwise."""

    value: Expression
    low: int | None
    high: int | None


@dataclass(frozen=True, eq=False, slots=True)
class Procedure(Article):
    """What setup, play, rules and effects have in common: parameters, a result type, a body."""

    parameters: tuple[Typed, ...]
    gives: TypeName | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Setup(Procedure):
    """What is done before the first turn."""


@dataclass(frozen=True, eq=False, slots=True)
class Play(Procedure):
    """The course of the game."""


@dataclass(frozen=True, eq=False, slots=True)
class Rule(Procedure):
    """`rule name(parameters) gives type`."""


@dataclass(frozen=True, eq=False, slots=True)
class Effect(Procedure):
    """`effect face(parameters) for p at place: type`: `names` are the card's parameters."""

    names: tuple[Word, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Define(Article):
    """`define name(parameters) = e`."""

    parameters: tuple[Typed, ...]
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Ranked(Node):
    """One line of `winner`: most or fewest of something."""

    extreme: str
    measure: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Winner(Article):
    """`winner p`: who has won when the game ends; `name` is the player's name in the measures."""

    ranking: tuple[Ranked, ...]


# ---- what a variant changes ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class SetOption(Article):
    """`set option to value`."""

    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class SetCell(Article):
    """`set table[row, column] to value`."""

    keys: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class SetRow(Article):
    """`set row key of table to values`."""

    key: Expression
    cells: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class SetCount(Article):
    """`set face in deck to n`; `name` is the deck."""

    face: Expression
    count: int


@dataclass(frozen=True, eq=False, slots=True)
class SetPlayers(Article):
    """`set players to 3 to 4`."""

    players: tuple[int, int]


@dataclass(frozen=True, eq=False, slots=True)
class Replace(Article):
    """`replace article`."""

    article: Article


@dataclass(frozen=True, eq=False, slots=True)
class Remove(Article):
    """`remove sort name`."""

    sort: str


@dataclass(frozen=True, eq=False, slots=True)
class File(Node):
    """A rule file: its articles in their order; `head` is the game or variant line, None where it is missing."""

    head: Game | Variant | None
    articles: tuple[Article, ...]


def key_of(article: Article) -> tuple[str, str]:
    """What makes an article the same as another: its sort and its name (`("rule", "play_round")`)."""
    if isinstance(article, Replace):
        return key_of(article.article)
    for sort, cls in SORTS.items():
        if isinstance(article, cls):
            return (sort, "" if sort in ("setup", "play", "winner", "game") else article.name.text)
    return ("change", article.name.text)


#: The sorts of articles, by the word that a rule file uses for them.
SORTS: dict[str, type[Article]] = {
    "game": Game,
    "enum": Enumeration,
    "board": Board,
    "figure": Figure,
    "cards": Cards,
    "deck": Deck,
    "zone": Zone,
    "remember": Remember,
    "score": Score,
    "track": Track,
    "table": Table,
    "option": Option,
    "setup": Setup,
    "play": Play,
    "rule": Rule,
    "effect": Effect,
    "define": Define,
    "winner": Winner,
}
