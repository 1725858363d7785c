"""Code: expressions, statements, how a block ends, and the blocks and procedures that are made of these.

Expressions have no effects, and know no names: a value of an enumeration, a place or a card is its number,
nobody is -1.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

Operator = Literal[
    "+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "min", "max", "<<", ">>", "&", "|", "and", "or"
]  # fmt: skip
#: What the operators between two numbers mean; `and` and `or` look at their right side only where they must.
OPERATORS: Mapping[Operator, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "min": min,
    "max": max,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
}

# ---- expressions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    """A number."""

    value: int


@dataclass(frozen=True, slots=True)
class Var:
    """A local variable of the procedure or block, by number."""

    number: int


@dataclass(frozen=True, slots=True)
class Load:
    """What stands in the state at an address."""

    address: Expr


@dataclass(frozen=True, slots=True)
class Bin:
    """An operator between two values."""

    operator: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    """1 for 0, 0 for anything else."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Lookup:
    """A cell of a constant table."""

    table: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Top:
    """The top card of the pile at an address, -1 where it is empty."""

    pile: Expr


@dataclass(frozen=True, slots=True)
class Bottom:
    """The bottom card of the pile at an address, -1 where it is empty."""

    pile: Expr


@dataclass(frozen=True, slots=True)
class CountIn:
    """How many of a card are in the pile at an address."""

    pile: Expr
    card: Expr


@dataclass(frozen=True, slots=True)
class Find:
    """Where a value stands in a row of cells: counted from 0, of several the last; -1 where it does not.

    `size` is the address of the cell that says how many cells of the row there are, `row` that of the first of them.
    """

    size: Expr
    row: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Peek:
    """A cell of the scratch memory, which holds nothing from one statement of the rules to the next."""

    address: Expr


Expr = Const | Var | Load | Bin | Not | Lookup | Top | Bottom | CountIn | Find | Peek

# ---- statements ----------------------------------------------------------------------------------------------------


class Rounds(IntEnum):
    """What was found out about choices that may go round for ever."""

    #: Some choices lead on.
    LEAD_ON = 0
    #: All go round for ever, but the position may never come again: not everything that can come has come.
    ENDLESS = 1
    #: That would have cost more than there is.
    UNKNOWN = 2
    #: All go round for ever, and whatever is chosen, the position can come again.
    HERE_AGAIN = 3


@dataclass(frozen=True, slots=True)
class SetVar:
    """Give a local variable a value."""

    number: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    """Write into the state."""

    address: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Poke:
    """Write into the scratch memory."""

    address: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    """One of two bodies."""

    condition: Expr
    then: Body
    otherwise: Body


@dataclass(frozen=True, slots=True)
class ForRange:
    """The variable runs from 0 to `count` - 1."""

    number: int
    count: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class ForList:
    """The variable runs over one list of a constant table of lists."""

    number: int
    lists: int
    index: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Loop:
    """For ever, until `Break`."""

    body: Body


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Call:
    """Run a procedure; its value goes to the variable `into` where that is not None."""

    procedure: int
    arguments: tuple[Expr, ...]
    into: int | None


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the procedure with a value."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Chance:
    """A random number from 0 to `count` - 1 into a variable."""

    into: int
    count: Expr


@dataclass(frozen=True, slots=True)
class HashState:
    """Make one number, below 2 to the 40th, of all of the state but its head and a stretch, into a variable."""

    into: int
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Endless:
    """Whether choices can only go round for ever: one of `Rounds` into a variable.

    What is asked about is a decision of a seat, before it is made.  Its choices, and those after them, are carried out
    on copies of the state, as far as the step budget lasts.  In the copies the stretch from `first` to `end` holds
    only 0, but 1 at `first`: a run that clears that leads on, as does one that ends the game, draws chance, faults, or
    comes to a decision made at once or by time.
    """

    into: int
    decision: int
    seat: Expr
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Put the pile at an address in a random order."""

    pile: Expr


@dataclass(frozen=True, slots=True)
class Push:
    """Lay a card on the pile at an address, or under it; `capacity` is how many it can hold."""

    pile: Expr
    card: Expr
    capacity: int
    under: bool
    fault: int


@dataclass(frozen=True, slots=True)
class Pop:
    """Take the top (or bottom) card of a pile into a variable."""

    into: int
    pile: Expr
    bottom: bool
    fault: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the topmost copy of a card out of a pile."""

    pile: Expr
    card: Expr
    fault: int


@dataclass(frozen=True, slots=True)
class Fault:
    """The rules did what they must not: stop the game with `Program.faults[fault]`."""

    fault: int


@dataclass(frozen=True, slots=True)
class EndGame:
    """The game is over; `winners` is a set of seats as bits."""

    winners: Expr


@dataclass(frozen=True, slots=True)
class Emit:
    """An event, told only where somebody listens.

    `prepare` computes what the arguments need and changes no state; each argument is a tuple of expressions (a place
    has its indices in it); `seen` is the set of seats, as bits, that see the secret arguments.
    """

    event: int
    prepare: Body
    arguments: tuple[tuple[Expr, ...], ...]
    seen: Expr


@dataclass(frozen=True, slots=True)
class Yield:
    """An option: its number in the decision, and its arguments."""

    option: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Charge:
    """Use up a part of the step budget; `fault` is raised when it is spent."""

    steps: int
    fault: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Note that a run has come here, at `Program.marks[mark]`; only a program that was asked for them has marks."""

    mark: int


#: What goes through cells of the state that no expression names: those of a pile, or nearly all.
Handling = HashState | Shuffle | Push | Pop | Draw
Stmt = (
    SetVar | Store | Poke | If | ForRange | ForList | Loop | Break | Call | Return | Chance | Endless | Handling
    | Fault | EndGame | Emit | Yield | Charge | Mark
)  # fmt: skip
Body = tuple[Stmt, ...]

# ---- how a block ends ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on with another block."""

    block: int


@dataclass(frozen=True, slots=True)
class Branch:
    """Go on with one of two blocks."""

    condition: Expr
    then: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with the block whose number stands in the state: the way back from a rule."""

    address: int


@dataclass(frozen=True, slots=True)
class Decide:
    """Wait for a decision of a seat; with no option go on with `otherwise`, -1 if there always is one."""

    decision: int
    seat: Expr
    otherwise: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop between setup and play, where a position can be laid out; go on with a block."""

    block: int


End = Jump | Branch | Resume | Decide | Pause

# ---- what is made of it ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """Statements without a decision, and how to go on; `rule` names the rule for messages."""

    body: Body
    end: End
    rule: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """A rule without decisions, or one that lists a decision's options."""

    name: str
    parameters: int
    body: Body
