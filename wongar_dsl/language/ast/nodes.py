"""Nodes of rules: expressions, domains, types, statements, and the choices that players are offered."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar, cast, dataclass_transform

from wongar_dsl.base.span import Span

_Class = TypeVar("_Class")

#: Name of the field with the local name that a node binds; its scope is the rest of the node, or what follows a `let`.
BOUND = "variable"


@dataclass_transform(eq_default=False, frozen_default=True)
def node(cls: type[_Class]) -> type[_Class]:
    """Make a class of nodes a frozen dataclass with slots, which is compared by identity.

    A metaclass would do so without a decorator, but `isinstance` and `match` are much slower for classes with one.
    """
    return dataclass(frozen=True, eq=False, slots=True)(cls)


@node
class Node:
    """A node of the syntax tree, with its position in the source.

    `text_field` is the field with the name that a word or an expression begins with, `name_field` the one with the node
    that names a step or a part of an article.
    """

    text_field: ClassVar[str | None] = None
    name_field: ClassVar[str | None] = None

    span: Span

    @property
    def name_text(self) -> str:
        """The name that a word or an expression begins with; empty if it is no name."""
        return cast(str, getattr(self, self.text_field)) if self.text_field is not None else ""

    @property
    def part_text(self) -> str:
        """The source form of a key of a table or a card of a deck: `early`, `3`, `card(a, b)`."""
        return self.name_text or "?"

    @property
    def name_node(self) -> Node:
        """The node that names a part."""
        return self if self.name_field is None else cast(Node, getattr(self, self.name_field))

    @property
    def part_name(self) -> str:
        """The name that identifies a part in its article; empty for a line of `winner`."""
        return self.name_node.part_text


@node
class Word(Node):
    """A name or keyword of the source text, with its position."""

    text_field = "text"

    text: str


class TraversedNode(Node):
    """A node whose descendants are listed at the first traversal, since each analysis of the rules visits them all.

    The slot `descendants` is not set before the first traversal, and not saved.
    """

    __slots__ = ("descendants",)


# ---- expressions ---------------------------------------------------------------------------------------------------

#: Ways in which a domain produces its values.
DomainKind = Literal[
    "all", "kinds", "span", "touching", "within", "from", "after", "along", "reached", "lines", "through"
]  # fmt: skip
#: Operators over the values of a domain.
QuantifiedKind = Literal[
    "some", "none", "every", "number", "sum", "highest", "lowest", "first", "random", "tally"
]  # fmt: skip

Arithmetic = Literal["+", "-", "*", "div", "mod"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
#: The negation of each comparison.
OPPOSITE: Mapping[Comparison, Comparison] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
#: Selection of the values with the most, or the fewest, of a measure.
Extreme = Literal["most", "fewest"]


@node
class ExpressionNode(Node):
    """Base class of expressions; passes use the union `Expression`, which lists its members."""


@node
class Number(ExpressionNode):
    """A whole number."""

    value: int

    @property
    def part_text(self) -> str:
        """The number."""
        return str(self.value)


@node
class Truth(ExpressionNode):
    """`yes` or `no`."""

    value: bool

    @property
    def part_text(self) -> str:
        """The word."""
        return "yes" if self.value else "no"


@node
class Nobody(ExpressionNode):
    """`nobody` or `none`: no player, no place, no card."""

    part_text = "nobody"


@node
class Name(ExpressionNode):
    """A name: a local one, a value of an enumeration, an option, a zone, a type."""

    text_field = "text"

    text: str


@node
class Called(ExpressionNode):
    """`name(a, b)`: a definition, a rule that gives something, or a card with parameters."""

    text_field = "name"

    name: str
    arguments: tuple[Expression, ...]

    @property
    def part_text(self) -> str:
        """The name with its arguments."""
        return f"{self.name}({', '.join(argument.part_text for argument in self.arguments)})"


@node
class Indexed(ExpressionNode):
    """`name[a, b]`: a table's cell, or one of several zones or remembered values."""

    text_field = "name"
    part_text = "?"

    name: str
    indices: tuple[Expression, ...]


@node
class Of(ExpressionNode):
    """`name of x`, also written `my name`: a property of x, or the zone or value that belongs to x."""

    text_field = "name"
    part_text = "?"

    name: str
    owner: Expression


@node
class Negation(ExpressionNode):
    """`not x`."""

    operand: Expression


@node
class Minus(ExpressionNode):
    """`-x`."""

    operand: Expression


@node
class Binary(ExpressionNode):
    """An operator between two numbers."""

    operator: Arithmetic
    left: Expression
    right: Expression


@node
class Logical(ExpressionNode):
    """Conditions joined by `and` or `or`."""

    operator: Literal["and", "or"]
    operands: tuple[Expression, ...]


@node
class Compare(ExpressionNode):
    """A comparison; `is` and `is not` stand as `=` and `!=`, and also ask for the kind of a card."""

    operator: Comparison
    left: Expression
    right: Expression


@node
class Conditional(ExpressionNode):
    """`(a if c otherwise b)`: one of two values."""

    condition: Expression
    then: Expression
    other: Expression


@node
class Empty(ExpressionNode):
    """`x is empty`, or with `negated` `x is not empty`."""

    zone: Expression
    negated: bool


@node
class Domain(Node):
    """The values of a bound name: `base [clockwise ...] [where c] [with most e]`.

    Kinds: `kinds` are those of the cards or tokens in a zone, each once; `lines` those of a board, `through` those
    through an area. `first` and `second` are the operands of the kind; the field `through` is the condition along the
    path.
    """

    kind: DomainKind
    base: Expression
    first: Expression | None = None
    second: Expression | None = None
    where: Expression | None = None
    extreme: Extreme | None = None
    measure: Expression | None = None
    through: Expression | None = None


@node
class Quantified(ExpressionNode):
    """A bound name over a domain.

    `value` is the condition of `every`, the summand of `sum`, the weight of `random`.
    """

    kind: QuantifiedKind
    variable: Word
    domain: Domain
    value: Expression | None = None


@node
class CountOf(ExpressionNode):
    """`count of card in zone`."""

    card: Expression
    zone: Expression


#: Any expression. A `match` that must handle all of them ends in `assert_never`.
Expression = (
    Number | Truth | Nobody | Name | Called | Indexed | Of | Negation | Minus | Binary | Logical | Compare | Conditional
    | Empty | Quantified | CountOf
)  # fmt: skip


def written_number(e: Expression) -> int | None:
    """Return the number that an expression writes out, None if it has to be computed."""
    match e:
        case Number(value=value):
            return value
        case Minus(operand=Number(value=value)):
            return -value
    return None


def constant_number(e: Expression) -> int | None:
    """Fold an expression of written numbers; return None if it depends on anything else."""
    match e:
        case Binary(operator="+" | "-" | "*" as operator, left=left, right=right):
            first, second = constant_number(left), constant_number(right)
            if first is None or second is None:
                return None
            return first + second if operator == "+" else first - second if operator == "-" else first * second
        case Minus(operand=operand):
            number = constant_number(operand)
            return None if number is None else -number
    return written_number(e)


def index_nodes(e: Expression) -> tuple[Expression, ...]:
    """Return the expressions in the brackets of `e`, or after its `of`."""
    match e:
        case Of(owner=owner):
            return (owner,)
        case Indexed(indices=indices):
            return indices
    return ()


def whole_of(place: Expression | Word, parts: Collection[str]) -> Expression | Word:
    """Return what a place is one of `parts` of: a zone for the top of it; otherwise the place itself."""
    while isinstance(place, Of) and place.name in parts:
        place = place.owner
    return place


# ---- types ---------------------------------------------------------------------------------------------------------


@node
class TypeName(Node):
    """A type as written: `number`, `number 0 to 5`, `yes or no`, or the name of an enumeration, board or cards."""

    name: str
    low: Expression | None = None
    high: Expression | None = None


@node
class Typed(Node):
    """A parameter: `name: type`."""

    name: Word
    type: TypeName


# ---- statements ------------------------------------------------------------------------------------------------------


#: Loop conditions.
RepeatKind = Literal["times", "while", "until", "forever"]
#: Parts of a zone or of a figure; a step that changes one is labelled by the whole.
_LABELLED_BY_OWNER = frozenset({"top", "bottom", "holder", "place"})
#: Statements made of keywords only.
KeywordPhrase = Literal["end game", "end rule", "leave loop", "impossible", "nothing", "forget choices"]


@node
class StatementNode(TraversedNode):
    """Base class of statements; passes use the union `Statement`, which lists its members.

    `keyword` is its first word, if it has neither a name nor a target. `changes` are the fields that name changed
    state. `lasting`: its effect or message outlasts the rule that contains it, so that no query may run it. `loops`:
    its blocks may run any number of times. `ends`: it ends the rule or the game, so that nothing after it in its block
    runs.
    """

    keyword: ClassVar[str] = ""
    changes: ClassVar[tuple[str, ...]] = ()
    lasting: ClassVar[bool] = True
    loops: ClassVar[bool] = False
    ends: ClassVar[Literal["rule", "game"] | None] = None

    @property
    def targets(self) -> tuple[Expression | Word, ...]:
        """The targets that the statement changes: expressions, and names of scores, tracks and figures."""
        return tuple(target for name in self.changes if (target := getattr(self, name)) is not None)

    @property
    def label(self) -> str:
        """The name by which a variant refers to a step; empty if it has none.

        It is the name or keyword of the step, or that of its message, or that of the last thing that it changes.
        """
        named = getattr(self, self.name_field) if self.name_field is not None else None
        message: MessageRef | None = getattr(self, "message", None)
        name = named.name_text if named is not None else self.keyword or (message.name if message is not None else None)
        return name or (whole_of(self.targets[-1], _LABELLED_BY_OWNER).name_text if self.targets else "")


@node
class Argument(Node):
    """`name: value` of a message; without a written name, that of the value is used."""

    name: str
    value: Expression


@node
class MessageRef(Node):
    """The message of an event: its name and arguments.

    `name` is None for `quietly`: the event is recorded but not shown.
    """

    name: str | None
    arguments: tuple[Argument, ...] = ()


@node
class If(StatementNode):
    """`if c ... otherwise if d ... otherwise ...`."""

    keyword = "if"
    lasting = False

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block


@node
class Repeat(StatementNode):
    """A loop."""

    keyword = "repeat"
    lasting = False
    loops = True

    kind: RepeatKind
    subject: Expression | None
    body: Block


@node
class ForEach(StatementNode):
    """`for each x in domain`."""

    keyword = "for each"
    lasting = False
    loops = True

    variable: Word
    domain: Domain
    body: Block


@node
class OptionParameter(Node):
    """A parameter of an option: `name: domain`."""

    name: Word
    domain: Domain


@node
class Option(Node):
    """One option of a decision: name, parameters, condition and body."""

    name_field = "name"
    name: Word
    parameters: tuple[OptionParameter, ...]
    condition: Expression | None
    body: Block


@node
class Clock(Node):
    """`by time from a within n seconds`: the time on the clock at the start of the decision, and the time limit."""

    start: Expression | None
    end: Expression | None


@node
class Choose(StatementNode):
    """`p chooses name ...`: p is offered the options whose condition holds; `otherwise` runs if there are none.

    `acyclic` stands for `without going round`: options that were taken least often in this position come first.
    """

    name_field = "name"
    lasting = False

    chooser: Expression
    name: Word | None
    options: tuple[Option, ...]
    otherwise: Block | None
    clock: Clock | None = None
    acyclic: bool = False


@node
class ChooseSimultaneously(StatementNode):
    """`each p in player chooses name at once`: choices stay hidden until all have chosen, then all are carried out.

    With a clock they are carried out in the order of their times.
    """

    name_field = "name"
    lasting = False

    variable: Word
    domain: Domain
    name: Word | None
    options: tuple[Option, ...]
    clock: Clock | None = None


@node
class Let(StatementNode):
    """`let x = e`."""

    name_field = BOUND
    lasting = False

    variable: Word
    value: Expression


@node
class Assign(StatementNode):
    """`set x to e`."""

    changes = ("target",)
    lasting = False  # Depends on what is set.

    target: Expression
    value: Expression


@node
class Move(StatementNode):
    """`move what [from zone] to place`: a card or a figure."""

    changes = ("what", "origin", "target")

    what: Expression
    origin: Expression | None
    target: Expression
    message: MessageRef | None


@node
class Lay(StatementNode):
    """`lay card [from zone] on layout at area turned n`: places a card, rotated clockwise by n sides."""

    changes = ("what", "origin", "target")

    what: Expression
    origin: Expression | None
    target: Expression
    area: Expression
    turned: Expression
    message: MessageRef | None


@node
class MoveTokens(StatementNode):
    """`move n kind from zone to zone`."""

    changes = ("origin", "target")

    count: Expression
    kind: Expression
    origin: Expression
    target: Expression
    message: MessageRef | None


@node
class MoveAll(StatementNode):
    """`move all of zone to zone`."""

    changes = ("origin", "target")

    origin: Expression
    target: Expression
    message: MessageRef | None


@node
class Fill(StatementNode):
    """`fill zone with deck`, or `fill zone with n kind`, of tokens or cards; a deck is a `Name`."""

    changes = ("zone",)

    zone: Expression
    count: Expression | None
    filling: Expression


@node
class Shuffle(StatementNode):
    """`shuffle pile`."""

    changes = ("zone",)

    zone: Expression
    message: MessageRef | None


@node
class Take(StatementNode):
    """`p takes figure`: p becomes the holder of the figure's card or copy."""

    changes = ("figure",)

    taker: Expression
    figure: Word
    message: MessageRef | None


@node
class Gain(StatementNode):
    """`p gains n points for origin`, or `loses`."""

    changes = ("score",)

    player: Expression
    loses: bool
    amount: Expression
    score: Word
    origin: Expression | None
    message: MessageRef | None


@node
class Advance(StatementNode):
    """`advance track by n`."""

    changes = ("track",)

    track: Word
    amount: Expression
    message: MessageRef | None


@node
class Perform(StatementNode):
    """`perform card for p at place`: the effect of the card."""

    keyword = "perform"

    card: Expression
    player: Expression
    place: Expression | None


@node
class Call(StatementNode):
    """A rule, by its name."""

    name_field = "call"
    lasting = False

    call: Expression


@node
class Tell(StatementNode):
    """`tell message(a, b)`: an event that changes nothing."""

    message: MessageRef


@node
class KeywordStatement(StatementNode):
    """A statement of keywords only."""

    lasting = False

    word: KeywordPhrase

    @property
    def label(self) -> str:
        """The words."""
        return self.word


@node
class Give(StatementNode):
    """`give e`: the value of the rule."""

    keyword = "give"
    lasting = False
    ends = "rule"

    value: Expression


@node
class Wins(StatementNode):
    """`p wins`: the game ends, and p alone has won."""

    keyword = "wins"
    ends = "game"

    player: Expression


#: Statements in which players decide.
Decision = Choose | ChooseSimultaneously
#: Statements that contain blocks.
CompoundStatement = If | Repeat | ForEach | Choose | ChooseSimultaneously
#: Statements that can leave a block.
LeavingStatement = KeywordStatement | Give | Wins
#: Statements with a message of their own, whose amounts and places they supply themselves.
EventStatement = Move | Lay | MoveTokens | MoveAll | Shuffle | Take | Gain | Advance
#: All other simple statements.
ImmediateStatement = Let | Assign | Fill | Perform | Call | Tell
#: Any statement. Only the checker must handle each of them, and ends in `assert_never`; all other passes have a default
#: for statements that they do not handle.
Statement = CompoundStatement | LeavingStatement | EventStatement | ImmediateStatement
Block = tuple[Statement, ...]
