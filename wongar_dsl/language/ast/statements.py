"""Statements, and the choices that players are offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from wongar_dsl.language.ast.expressions import Domain, Expression
from wongar_dsl.language.ast.node import Node, TraversedNode, Word

#: Loop conditions.
RepeatKind = Literal["times", "while", "until", "forever"]
#: Statements made of keywords only.
KeywordPhrase = Literal["end game", "end rule", "leave loop", "impossible", "nothing", "forget choices"]


@dataclass(frozen=True, eq=False, slots=True)
class StatementNode(TraversedNode):
    """Base class of statements; passes use the union `Statement`, which lists its members.

    `changes` are the fields that name changed state. `lasting`: its effect or message outlasts the rule that contains
    it, so that no query may run it. `loops`: its blocks may run any number of times. `ends`: it ends the rule or the
    game, so that nothing after it in its block runs.
    """

    changes: ClassVar[tuple[str, ...]] = ()
    lasting: ClassVar[bool] = True
    loops: ClassVar[bool] = False
    ends: ClassVar[Literal["rule", "game"] | None] = None

    @property
    def targets(self) -> tuple[Expression | Word, ...]:
        """The targets that the statement changes: expressions, and names of scores, tracks and figures."""
        return tuple(target for name in self.changes if (target := getattr(self, name)) is not None)


@dataclass(frozen=True, eq=False, slots=True)
class Argument(Node):
    """`name: value` of a message; without a written name, that of the value is used."""

    name: str
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class MessageRef(Node):
    """The message of an event: its name and arguments.

    `name` is None for `quietly`: the event is recorded but not shown.
    """

    name: str | None
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class If(StatementNode):
    """`if c ... otherwise if d ... otherwise ...`."""

    lasting = False

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block


@dataclass(frozen=True, eq=False, slots=True)
class Repeat(StatementNode):
    """A loop."""

    lasting = False
    loops = True

    kind: RepeatKind
    subject: Expression | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class ForEach(StatementNode):
    """`for each x in domain`."""

    lasting = False
    loops = True

    variable: Word
    domain: Domain
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class OptionParameter(Node):
    """A parameter of an option: `name: domain`."""

    name: Word
    domain: Domain


@dataclass(frozen=True, eq=False, slots=True)
class Option(Node):
    """One option of a decision: name, parameters, condition and body."""

    name: Word
    parameters: tuple[OptionParameter, ...]
    condition: Expression | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Clock(Node):
    """`by time from a within n seconds`: the time on the clock at the start of the decision, and the time limit."""

    start: Expression | None
    end: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class Choose(StatementNode):
    """`p chooses name ...`: p is offered the options whose condition holds; `otherwise` runs if there are none.

    `acyclic` stands for `without going round`: options that were taken least often in this position come first.
    """

    lasting = False

    chooser: Expression
    name: Word | None
    options: tuple[Option, ...]
    otherwise: Block | None
    clock: Clock | None = None
    acyclic: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class ChooseSimultaneously(StatementNode):
    """`each p in player chooses name at once`: choices stay hidden until all have chosen, then all are carried out.

    With a clock they are carried out in the order of their times.
    """

    lasting = False

    variable: Word
    domain: Domain
    name: Word | None
    options: tuple[Option, ...]
    clock: Clock | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Let(StatementNode):
    """`let x = e`."""

    lasting = False

    variable: Word
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Assign(StatementNode):
    """`set x to e`."""

    changes = ("target",)
    lasting = False  # Depends on what is set.

    target: Expression
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Move(StatementNode):
    """`move what [from zone] to place`: a card or a figure."""

    changes = ("what", "origin", "target")

    what: Expression
    origin: Expression | None
    target: Expression
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class Lay(StatementNode):
    """`lay card [from zone] on layout at area turned n`: places a card, rotated clockwise by n sides."""

    changes = ("what", "origin", "target")

    what: Expression
    origin: Expression | None
    target: Expression
    area: Expression
    turned: Expression
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class MoveTokens(StatementNode):
    """`move n kind from zone to zone`."""

    changes = ("origin", "target")

    count: Expression
    kind: Expression
    origin: Expression
    target: Expression
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class MoveAll(StatementNode):
    """`move all of zone to zone`."""

    changes = ("origin", "target")

    origin: Expression
    target: Expression
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class Fill(StatementNode):
    """`fill zone with deck`, or `fill zone with n kind`, of tokens or cards; a deck is a `Name`."""

    changes = ("zone",)

    zone: Expression
    count: Expression | None
    filling: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Shuffle(StatementNode):
    """`shuffle pile`."""

    changes = ("zone",)

    zone: Expression
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class Take(StatementNode):
    """`p takes figure`: p becomes the holder of the figure's card or copy."""

    changes = ("figure",)

    taker: Expression
    figure: Word
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class Gain(StatementNode):
    """`p gains n points for origin`, or `loses`."""

    changes = ("score",)

    player: Expression
    loses: bool
    amount: Expression
    score: Word
    origin: Expression | None
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class Advance(StatementNode):
    """`advance track by n`."""

    changes = ("track",)

    track: Word
    amount: Expression
    message: MessageRef | None


@dataclass(frozen=True, eq=False, slots=True)
class Perform(StatementNode):
    """`perform card for p at place`: the effect of the card."""

    card: Expression
    player: Expression
    place: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class Call(StatementNode):
    """A rule, by its name."""

    lasting = False

    call: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Tell(StatementNode):
    """`tell message(a, b)`: an event that changes nothing."""

    message: MessageRef


@dataclass(frozen=True, eq=False, slots=True)
class KeywordStatement(StatementNode):
    """A statement of keywords only."""

    lasting = False

    word: KeywordPhrase


@dataclass(frozen=True, eq=False, slots=True)
class Give(StatementNode):
    """`give e`: the value of the rule."""

    lasting = False
    ends = "rule"

    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Wins(StatementNode):
    """`p wins`: the game ends, and p alone has won."""

    ends = "game"

    player: Expression


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
