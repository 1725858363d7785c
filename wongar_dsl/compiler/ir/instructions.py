"""Instructions of the IR: expressions, statements, block terminators, blocks and procedures.

Expressions have no side effects and contain no names.  Enumeration values, areas and cards are represented by their
numbers; no player is -1.
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
#: Functions of the binary operators.  `and` and `or` evaluate their right operand lazily.
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
    """Integer constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Var:
    """Local variable of the procedure or block, by number."""

    number: int


@dataclass(frozen=True, slots=True)
class Load:
    """Value of the state cell at an address."""

    address: Expr


@dataclass(frozen=True, slots=True)
class Bin:
    """Binary operation."""

    operator: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    """Logical negation: 1 for 0, otherwise 0."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Lookup:
    """Cell of a constant table."""

    table: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Top:
    """Top card of the pile at an address, -1 if it is empty."""

    pile: Expr


@dataclass(frozen=True, slots=True)
class Bottom:
    """Bottom card of the pile at an address, -1 if it is empty."""

    pile: Expr


@dataclass(frozen=True, slots=True)
class CountIn:
    """Number of copies of a card in the pile at an address."""

    pile: Expr
    card: Expr


@dataclass(frozen=True, slots=True)
class Find:
    """Index of a value in a row of cells, from 0; of several the last, -1 if absent.

    `size` is the address of the cell with the length of the row, `row` the address of its first cell.
    """

    size: Expr
    row: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Peek:
    """Cell of the scratch memory, which holds nothing between statements of the rules."""

    address: Expr


Expr = Const | Var | Load | Bin | Not | Lookup | Top | Bottom | CountIn | Find | Peek

# ---- statements ----------------------------------------------------------------------------------------------------


class CycleVerdict(IntEnum):
    """Verdict of the search for a cycle of choices."""

    #: Some sequence of choices leads out.
    HAS_EXIT = 0
    #: None leads out, but from some reachable position the start cannot be reached again.
    NO_EXIT = 1
    #: The search exceeded the step budget.
    UNKNOWN = 2
    #: None leads out, and the start can be reached from every reachable position.
    RECURS = 3


@dataclass(frozen=True, slots=True)
class SetVar:
    """Assign a value to a local variable."""

    number: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    """Write a value into the state."""

    address: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Poke:
    """Write a value into the scratch memory."""

    address: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    """Run one of two bodies."""

    condition: Expr
    then: Body
    otherwise: Body


@dataclass(frozen=True, slots=True)
class ForRange:
    """Run a body with the variable from 0 to `count` - 1."""

    number: int
    count: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class ForList:
    """Run a body with the variable over one list of a constant table of lists."""

    number: int
    lists: int
    index: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Loop:
    """Run a body until `Break`."""

    body: Body


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call a procedure and assign its result to the variable `into`, unless that is None."""

    procedure: int
    arguments: tuple[Expr, ...]
    into: int | None


@dataclass(frozen=True, slots=True)
class Return:
    """Return from the procedure with a value."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Chance:
    """Draw a random number from 0 to `count` - 1 into a variable."""

    into: int
    count: Expr


@dataclass(frozen=True, slots=True)
class HashState:
    """Compute a 40-bit hash of the state, without its header and a range of cells."""

    into: int
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class DetectCycle:
    """Search whether all choices lead back into a cycle, and assign one of `CycleVerdict`.

    The search starts at a decision of a seat before it is made.  It runs its options, and those of later decisions, on
    copies of the state within the step budget.  In the copies the cells from `first` to `end` are 0, except 1 at
    `first`.  A run leads out of the cycle if it clears that cell, ends the game, draws chance, fails, or reaches a
    simultaneous or timed decision.
    """

    into: int
    decision: int
    seat: Expr
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle the pile at an address."""

    pile: Expr


@dataclass(frozen=True, slots=True)
class Push:
    """Put a card on top of the pile at an address, or under it; `capacity` is its maximum size."""

    pile: Expr
    card: Expr
    capacity: int
    under: bool
    fault: int


@dataclass(frozen=True, slots=True)
class Pop:
    """Remove the top (or bottom) card of a pile into a variable."""

    into: int
    pile: Expr
    bottom: bool
    fault: int


@dataclass(frozen=True, slots=True)
class RemoveCard:
    """Remove the topmost copy of a card from a pile."""

    pile: Expr
    card: Expr
    fault: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Stop the game because of an error in the rules, `Program.faults[fault]`."""

    fault: int


@dataclass(frozen=True, slots=True)
class EndGame:
    """End the game; `winners` is a bit set of seats."""

    winners: Expr


@dataclass(frozen=True, slots=True)
class Emit:
    """Emit an event if there is a listener.

    `prepare` computes values for the arguments and does not change the state.  Each argument is a tuple of expressions
    (a place includes its indices).  `seen` is the bit set of seats that see the secret arguments.
    """

    event: int
    prepare: Body
    arguments: tuple[tuple[Expr, ...], ...]
    seen: Expr


@dataclass(frozen=True, slots=True)
class Yield:
    """Yield an option of a decision: its number and its arguments."""

    option: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Charge:
    """Subtract from the step budget; raise `fault` if it is exhausted."""

    steps: int
    fault: int


@dataclass(frozen=True, slots=True)
class CoverageMark:
    """Record that a run has reached `Program.marks[mark]`.  Programs have marks only if compiled for rule coverage."""

    mark: int


#: Instructions that access cells of the state without an address expression: cells of a pile, or almost all cells.
PileInstruction = HashState | Shuffle | Push | Pop | RemoveCard
Stmt = (
    SetVar
    | Store
    | Poke
    | If
    | ForRange
    | ForList
    | Loop
    | Break
    | Call
    | Return
    | Chance
    | DetectCycle
    | PileInstruction
    | Fault
    | EndGame
    | Emit
    | Yield
    | Charge
    | CoverageMark
)
Body = tuple[Stmt, ...]

# ---- block terminators ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Jump:
    """Continue with another block."""

    block: int


@dataclass(frozen=True, slots=True)
class Branch:
    """Continue with one of two blocks."""

    condition: Expr
    then: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Continue with the block whose number is in the state: the return from a rule."""

    address: int


@dataclass(frozen=True, slots=True)
class Decide:
    """Suspend at a decision of a seat.

    Without an option continues with `otherwise`, which is -1 if there always is one.
    """

    decision: int
    seat: Expr
    otherwise: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Suspend between setup and play, where a position can be set up, then continue with a block."""

    block: int


End = Jump | Branch | Resume | Decide | Pause

# ---- blocks and procedures -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """Basic block: statements without a decision, and a terminator.  `rule` names the rule for messages."""

    body: Body
    end: End
    rule: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """Rule without decisions, or lister of the options of a decision."""

    name: str
    parameters: int
    body: Body
