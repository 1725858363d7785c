"""A program for runs that nobody watches: without events, and with few charges, which come to no less than all did.

Where such a run spends less than the step budget from one decision to the next, so does the one that is watched; where
it spends more, nothing is said.  What costs a known amount is paid at the beginning of the block that it is in; what
goes round pays at each turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wongar_dsl.ir import code
from wongar_dsl.ir.control_flow import everything, expressions, most_turns, procedures_of, statements
from wongar_dsl.ir.program import Program

#: What a loop of known length may cost at most without paying at each turn.
LIMIT = 100_000
#: The charges name no fault: where one cannot be paid, the run is broken off.
_NO_FAULT = -1


def loosened(program: Program) -> Program:
    """The same program for runs that nobody watches."""
    loosening = _Loosening(program)
    procedures = (replace(p, body=loosening.procedure(n)[0]) for n, p in enumerate(program.procedures))
    return replace(program, procedures=tuple(procedures), blocks=tuple(map(loosening.block, program.blocks)))


class _Loosening:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.procedures: dict[int, tuple[code.Body, int]] = {}
        self.begun: set[int] = set()

    def block(self, block: code.Block) -> code.Block:
        body, cost = self.body(block.body)
        if isinstance(block.end, code.Decide):
            cost += self.procedure(self.program.decisions[block.end.decision].lister)[1]
        return replace(block, body=(code.Charge(cost, _NO_FAULT), *body))

    def procedure(self, number: int) -> tuple[code.Body, int]:
        """The statements of a procedure, and what they cost; raises RecursionError where it calls itself."""
        if number not in self.procedures:
            if number in self.begun:
                raise RecursionError(self.program.procedures[number].name)
            self.begun.add(number)
            self.procedures[number] = self.body(self.program.procedures[number].body)
        return self.procedures[number]

    def body(self, body: code.Body) -> tuple[code.Body, int]:
        """Statements, and what they cost at most besides what they pay themselves."""
        found: list[code.Stmt] = []
        total = 0
        for statement in body:
            match statement:
                case code.Emit():
                    continue
                case code.Charge(steps=steps):
                    total += steps
                    continue
                case code.If(then=then, otherwise=otherwise):
                    (then, a), (otherwise, b) = self.body(then), self.body(otherwise)
                    total += max(a, b)
                    statement = replace(statement, then=then, otherwise=otherwise)
                case code.ForRange() | code.ForList() | code.Loop():
                    inner, cost = self.body(statement.body)
                    turns = None if isinstance(statement, code.Loop) else most_turns(statement, self.program)
                    if turns is None or turns * cost > LIMIT:
                        inner = (code.Charge(cost + 1, _NO_FAULT), *inner)
                    else:
                        total += turns * cost
                    statement = replace(statement, body=inner)
                case code.Call(procedure=procedure):
                    total += self.procedure(procedure)[1]
            found.append(statement)
        return tuple(found), total


# ---- what is named how ---------------------------------------------------------------------------------------------


def only_named(program: Program) -> bool:
    """Whether cells of frames are named by their own addresses only, and not at all by procedures that are called."""
    whole = [*everything(program)]
    if any(isinstance(s, code.HashState | code.Endless) for s in whole):
        return False
    reckoned = (at for s in whole for at in addresses(s) if not isinstance(at, code.Const))
    inside = (at for n in called(program) for s in statements(program.procedures[n].body) for at in addresses(s))
    return not any(_offset(at) >= program.frames for group in (reckoned, inside) for at in group)


def addresses(node: code.Stmt | code.Expr) -> Iterator[code.Expr]:
    """The addresses of cells, and of piles, that a statement names."""
    if not isinstance(node, code.Peek | code.Poke):
        for name in ("address", "pile", "size", "row"):
            if isinstance(address := getattr(node, name, None), code.Expr):
                yield address
    for part in expressions(node):
        yield from addresses(part)


def _offset(address: code.Expr) -> int:
    """Where the cells begin that an address is reckoned among."""
    match address:
        case code.Const(value=value):
            return value
        case code.Bin(operator="+", left=left, right=right):
            return _offset(left) + _offset(right)
        case code.Bin(operator="-", left=left):
            return _offset(left)
    return 0


def called(program: Program) -> list[int]:
    """The procedures that are called in play."""
    listers = (program.procedures[decision.lister].body for decision in program.decisions)
    return sorted(procedures_of(program, (*(block.body for block in program.blocks), *listers)))
