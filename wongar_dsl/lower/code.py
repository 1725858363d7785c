"""Code under construction: where statements go, and where the names of a rule are kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.model import Local

Cell = ir.Var | ir.Load


def plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """A sum, folded where both are known."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(left.value + right.value)
    if isinstance(left, ir.Const) and left.value == 0:
        return right
    if isinstance(right, ir.Const) and right.value == 0:
        return left
    if isinstance(left, ir.Const):
        left, right = right, left
    match left, right:
        case ir.Bin(operator="+", left=rest, right=ir.Const(value=a)), ir.Const(value=b):
            return plus(rest, ir.Const(a + b))
    return ir.Bin("+", left, right)


def times(left: ir.Expr, factor: int) -> ir.Expr:
    """A product with a constant, folded where possible."""
    if factor == 1:
        return left
    if isinstance(left, ir.Const):
        return ir.Const(left.value * factor)
    return ir.Bin("*", left, ir.Const(factor))


@dataclass(slots=True)
class Unit:
    """A procedure or a block: its statements so far, its variables, and what its names stand for."""

    rule: str
    out: list[ir.Stmt] = field(default_factory=list)
    variables: int = 0
    names: dict[Local, Cell] = field(default_factory=dict)

    def fresh(self) -> ir.Var:
        """A new local variable."""
        self.variables += 1
        return ir.Var(self.variables - 1)

    def add(self, statement: ir.Stmt) -> None:
        """Append a statement."""
        self.out.append(statement)

    @contextmanager
    def inner(self) -> Iterator[list[ir.Stmt]]:
        """Collect statements apart, for the body of a compound statement."""
        around, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = around

    def keep(self, value: ir.Expr) -> ir.Expr:
        """The value, computed once."""
        if isinstance(value, ir.Const | ir.Var):
            return value
        variable = self.fresh()
        self.add(ir.SetVar(variable.number, value))
        return variable


@dataclass(slots=True)
class Frame:
    """A rule in which somebody decides: its addresses in the state and its blocks."""

    rule: str
    entry: int
    parameters: tuple[int, ...]
    back: int
    exit: int
    addresses: list[int] = field(default_factory=list)


def conjuncts(e: s.Expression | None) -> tuple[s.Expression, ...]:
    """The parts of a condition that must all hold."""
    if e is None:
        return ()
    if isinstance(e, s.Logical) and e.operator == "and":
        return tuple(part for operand in e.operands for part in conjuncts(operand))
    return (e,)
