"""Hoisting of repeated searches, an optimisation for the C compiler.

A search finds a card in a row by scanning it.  A procedure gets the result of a search by its parameter as an
additional argument, and loop-invariant searches are moved before the loop.  That is done only where the state does not
change meanwhile.  A search has no cost in steps and cannot fail, so it may be executed needlessly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.cfg import assigned, expressions, map_parts, statements

#: Statements without effect on the state, apart from calls.
_ASKING = (
    ir.SetVar,
    ir.If,
    ir.ForRange,
    ir.ForList,
    ir.Loop,
    ir.Break,
    ir.Return,
    ir.Charge,
    ir.Fault,
    ir.CoverageMark,
    ir.Yield,
)


class _FindKey(NamedTuple):
    """Search in a row for the value of a variable."""

    size: int
    row: int
    variable: int


def hoist_finds(program: ir.Program) -> ir.Program:
    """Return the program with searches passed as arguments."""
    if not any(_rows(p.body) for p in program.procedures):
        return program
    handing = _HoistFind(program)
    procedures = tuple(handing.procedure(number) for number in range(len(program.procedures)))
    blocks = tuple(replace(block, body=handing.body(block.body)) for block in program.blocks)
    return replace(program, procedures=procedures, blocks=blocks)


class _HoistFind:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.handed = cache(self._parameter_finds)
        self.asks = cache(self._asks)

    def procedure(self, number: int) -> ir.Procedure:
        """Return a procedure with additional parameters for its searches."""
        procedure, handed = self.program.procedures[number], self.handed(number)
        first = procedure.parameters
        body = _moved(procedure.body, first, len(handed))
        results = {row: first + index for index, row in enumerate(handed)}
        return replace(procedure, parameters=first + len(handed), body=self.body(body, results))

    def body(self, body: ir.Body, known: Mapping[_FindKey, int] | None = None) -> ir.Body:
        """Return transformed statements; `known` are the variables that hold results of searches."""
        return _FindBody(self, max(_variables(body), default=-1) + 1).rewritten(body, known or {})

    def _parameter_finds(self, number: int) -> Sequence[_FindKey]:
        """Return the searches by parameters in a procedure without side effects, and in its callees."""
        procedure = self.program.procedures[number]
        if not self.asks(number):
            return ()
        searches = dict.fromkeys(_rows(procedure.body))
        for call in _calls(procedure.body):
            searches |= dict.fromkeys(self.argument_finds(call).values())
        unassigned = {*range(procedure.parameters)} - {*assigned(procedure.body)}
        return tuple(row for row in searches if row.variable in unassigned)

    def argument_finds(self, call: ir.Call) -> dict[_FindKey, _FindKey]:
        """Return the searches that a call needs as arguments, mapped to searches by variables of the caller."""
        handed = ((row, call.arguments[row.variable]) for row in self.handed(call.procedure))
        return {row: row._replace(variable=e.number) for row, e in handed if isinstance(e, ir.Var)}

    def _asks(self, number: int) -> bool:
        return self.changes_nothing(self.program.procedures[number].body)

    def changes_nothing(self, body: ir.Body) -> bool:
        """Return whether statements leave the state unchanged."""
        return all(
            self.asks(s.procedure) if isinstance(s, ir.Call) else isinstance(s, _ASKING) for s in statements(body)
        )


@dataclass(slots=True)
class _FindBody:
    """Pass over one procedure or block; variables from `free` on are unused."""

    handing: _HoistFind
    free: int

    def rewritten(self, body: ir.Body, known: Mapping[_FindKey, int]) -> ir.Body:
        result: list[ir.Stmt] = []
        for statement in body:
            if isinstance(statement, ir.ForRange | ir.ForList | ir.Loop):
                inside = {**known, **self.code_before_loop(statement, known)}
                result += (ir.SetVar(inside[row], _find(row)) for row in inside if row not in known)
                result.append(self.statement(statement, inside))
            else:
                result.append(self.statement(statement, known))
        return tuple(result)

    def code_before_loop(
        self, loop: ir.ForRange | ir.ForList | ir.Loop, known: Mapping[_FindKey, int]
    ) -> dict[_FindKey, int]:
        """Return the searches to be moved before a loop, with their variables."""
        if not self.handing.changes_nothing(loop.body):
            return {}
        searches = dict.fromkeys(_rows(loop.body))
        for call in _calls(loop.body):
            searches |= dict.fromkeys(self.handing.argument_finds(call).values())
        changing = {*assigned((loop,))}
        rows = [row for row in searches if row not in known and row.variable not in changing]
        first, self.free = self.free, self.free + len(rows)
        return {row: first + index for index, row in enumerate(rows)}

    def statement(self, statement: ir.Stmt, known: Mapping[_FindKey, int]) -> ir.Stmt:
        if isinstance(statement, ir.Emit):
            return statement  # The native backend emits no events.
        if isinstance(statement, ir.Call):
            return self.call(statement, known)

        def change(part: object) -> object:
            if isinstance(part, tuple) and part and isinstance(part[0], ir.Stmt):
                return self.rewritten(part, known)
            return tuple(map(change, part)) if isinstance(part, tuple) else _replaced(part, known)

        return map_parts(statement, change)

    def call(self, call: ir.Call, known: Mapping[_FindKey, int]) -> ir.Call:
        arguments = tuple(_replaced(argument, known) for argument in call.arguments)
        more = (
            _replaced(ir.Find(ir.Const(row.size), ir.Const(row.row), call.arguments[row.variable]), known)
            for row in self.handing.handed(call.procedure)
        )
        return replace(call, arguments=(*arguments, *more))


# ---- searches in code ----------------------------------------------------------------------------------------------


def _find(row: _FindKey) -> ir.Find:
    return ir.Find(ir.Const(row.size), ir.Const(row.row), ir.Var(row.variable))


def _row(e: ir.Expr) -> _FindKey | None:
    match e:
        case ir.Find(size=ir.Const(value=size), row=ir.Const(value=row), value=ir.Var(number=variable)):
            return _FindKey(size, row, variable)
    return None


def _rows(body: ir.Body) -> list[_FindKey]:
    """Return the searches in statements, with repetitions."""
    waiting = [e for statement in statements(body) for e in expressions(statement)]
    rows = []
    while waiting:
        e = waiting.pop()
        waiting += expressions(e)
        if (row := _row(e)) is not None:
            rows.append(row)
    return rows


def _calls(body: ir.Body) -> list[ir.Call]:
    return [statement for statement in statements(body) if isinstance(statement, ir.Call)]


def _variables(body: ir.Body) -> set[int]:
    """Return all variables in statements."""
    numbers, waiting = {*assigned(body)}, [e for statement in statements(body) for e in expressions(statement)]
    while waiting:
        e = waiting.pop()
        waiting += expressions(e)
        if isinstance(e, ir.Var):
            numbers.add(e.number)
    return numbers


def _replaced(part: Any, known: Mapping[_FindKey, int]) -> Any:
    """Return an expression with available searches replaced by variables; other parts unchanged."""
    if not isinstance(part, ir.Expr):
        return part
    row = _row(part)
    if row is not None and row in known:
        return ir.Var(known[row])
    return map_parts(part, lambda inner: _replaced(inner, known))


def _moved(part: Any, first: int, by: int) -> Any:
    """Return code with the numbers of variables from `first` on increased."""
    if isinstance(part, tuple):
        return tuple(_moved(inner, first, by) for inner in part)
    if not by or not isinstance(part, ir.Expr | ir.Stmt):
        return part
    result = map_parts(part, lambda inner: _moved(inner, first, by))
    for name in ("number", "into"):
        number = getattr(result, name, None)
        if number is not None and number >= first:
            result = replace(result, **{name: number + by})
    return result
