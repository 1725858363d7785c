"""Variant of a program for unobserved runs: without events and with merged charges, which are upper bounds.

If such a run stays within the step budget between two decisions, so does the exact run; if it exceeds it, nothing is
known.  Known costs are charged at the start of a block, costs of other loops in each iteration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.cfg import all_statements, expressions, max_iterations, procedures_of, statements
from wongar_dsl.compiler.ir.program import Program

#: Maximum cost of a loop of known length that is charged as a whole.
LIMIT = 100_000
#: These charges have no fault: the run is abandoned when the budget is exhausted.
_NO_FAULT = -1


def strip_events(program: Program) -> Program:
    """Return the program for unobserved runs."""
    loosening = _EventStripper(program)
    procedures = (replace(p, body=loosening.procedure(n)[0]) for n, p in enumerate(program.procedures))
    return replace(program, procedures=tuple(procedures), blocks=tuple(map(loosening.block, program.blocks)))


class _EventStripper:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.procedures: dict[int, tuple[ir.Body, int]] = {}
        self.begun: set[int] = set()

    def block(self, block: ir.Block) -> ir.Block:
        body, cost = self.body(block.body)
        if isinstance(block.end, ir.Decide):
            cost += self.procedure(self.program.decisions[block.end.decision].lister)[1]
        return replace(block, body=(ir.Charge(cost, _NO_FAULT), *body))

    def procedure(self, number: int) -> tuple[ir.Body, int]:
        """Return the body and the cost of a procedure.  Raises RecursionError if it calls itself."""
        if number not in self.procedures:
            if number in self.begun:
                raise RecursionError(self.program.procedures[number].name)
            self.begun.add(number)
            self.procedures[number] = self.body(self.program.procedures[number].body)
        return self.procedures[number]

    def body(self, body: ir.Body) -> tuple[ir.Body, int]:
        """Return statements and the upper bound of their cost, without what they charge themselves."""
        kept_statements: list[ir.Stmt] = []
        total = 0
        for statement in body:
            match statement:
                case ir.Emit():
                    continue
                case ir.Charge(steps=steps):
                    total += steps
                    continue
                case ir.If(then=then, otherwise=otherwise):
                    (then, a), (otherwise, b) = self.body(then), self.body(otherwise)
                    total += max(a, b)
                    statement = replace(statement, then=then, otherwise=otherwise)
                case ir.ForRange() | ir.ForList() | ir.Loop():
                    inner, cost = self.body(statement.body)
                    turns = None if isinstance(statement, ir.Loop) else max_iterations(statement, self.program)
                    if turns is None or turns * cost > LIMIT:
                        inner = (ir.Charge(cost + 1, _NO_FAULT), *inner)
                    else:
                        total += turns * cost
                    statement = replace(statement, body=inner)
                case ir.Call(procedure=procedure):
                    total += self.procedure(procedure)[1]
            kept_statements.append(statement)
        return tuple(kept_statements), total


# ---- addresses -----------------------------------------------------------------------------------------------------


def frames_are_private(program: Program) -> bool:
    """Return whether frame cells are accessed by constant addresses only, and never by called procedures."""
    stmts = [*all_statements(program)]
    if any(isinstance(s, ir.HashState | ir.DetectCycle) for s in stmts):
        return False
    computed = (a for s in stmts for a in addresses(s) if not isinstance(a, ir.Const))
    inside = (a for n in called(program) for s in statements(program.procedures[n].body) for a in addresses(s))
    return not any(_offset(a) >= program.frames for group in (computed, inside) for a in group)


def addresses(node: ir.Stmt | ir.Expr) -> Iterator[ir.Expr]:
    """Yield the addresses of cells and piles that a node accesses."""
    if not isinstance(node, ir.Peek | ir.Poke):
        for name in ("address", "pile", "size", "row"):
            if isinstance(address := getattr(node, name, None), ir.Expr):
                yield address
    for part in expressions(node):
        yield from addresses(part)


def _offset(address: ir.Expr) -> int:
    """Return the constant part of a computed address, where its array begins."""
    match address:
        case ir.Const(value=value):
            return value
        case ir.Bin(operator="+", left=left, right=right):
            return _offset(left) + _offset(right)
        case ir.Bin(operator="-", left=left):
            return _offset(left)
    return 0


def called(program: Program) -> list[int]:
    """Return the procedures that are called during play."""
    listers = (program.procedures[decision.lister].body for decision in program.decisions)
    return sorted(procedures_of(program, (*(block.body for block in program.blocks), *listers)))
