"""A program in which the same is not looked for again and again, to the same effect.

Where a card lies is found by going through a row.  What a condition looks for by what it is asked about is looked for
by whoever asks it, and handed on; and what is the same at each turn of a loop is looked for before it.  That is done
only where nothing changes meanwhile; looking costs no steps and cannot go wrong, so that it may also be done in vain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from wongar_dsl import ir
from wongar_dsl.ir.control_flow import assigned, expressions, rebuilt, statements

#: Statements that change nothing of a state, apart from calls.
_ASKING = (
    ir.SetVar, ir.If, ir.ForRange, ir.ForList, ir.Loop, ir.Break, ir.Return, ir.Charge, ir.Fault, ir.Mark, ir.Yield,
)  # fmt: skip


class _Row(NamedTuple):
    """Where something is looked for, and for the value of which variable."""

    size: int
    row: int
    variable: int


def looked_for_once(program: ir.Program) -> ir.Program:
    """The same program, in which conditions are handed what they would look for."""
    if not any(_rows(p.body) for p in program.procedures):
        return program
    handing = _Handing(program)
    procedures = tuple(handing.procedure(number) for number in range(len(program.procedures)))
    blocks = tuple(replace(block, body=handing.body(block.body)) for block in program.blocks)
    return replace(program, procedures=procedures, blocks=blocks)


class _Handing:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.handed = cache(self._handed)
        self.asks = cache(self._asks)

    def procedure(self, number: int) -> ir.Procedure:
        """A procedure that takes what it looks for behind its own arguments."""
        procedure, handed = self.program.procedures[number], self.handed(number)
        first = procedure.parameters
        body = _moved(procedure.body, first, len(handed))
        known = {row: first + at for at, row in enumerate(handed)}
        return replace(procedure, parameters=first + len(handed), body=self.body(body, known))

    def body(self, body: ir.Body, known: Mapping[_Row, int] | None = None) -> ir.Body:
        """Statements, where the variables that are `known` hold what was looked for already."""
        return _Body(self, max(_variables(body), default=-1) + 1).changed(body, known or {})

    def _handed(self, number: int) -> Sequence[_Row]:
        """What a procedure that changes nothing looks for by its parameters, itself and in what it calls."""
        procedure = self.program.procedures[number]
        if not self.asks(number):
            return ()
        found = dict.fromkeys(_rows(procedure.body))
        for call in _calls(procedure.body):
            found |= dict.fromkeys(self.asked(call).values())
        own = {*range(procedure.parameters)} - {*assigned(procedure.body)}
        return tuple(row for row in found if row.variable in own)

    def asked(self, call: ir.Call) -> dict[_Row, _Row]:
        """What is looked for by the variables that are arguments of a call: by the parameter, and by the variable."""
        handed = ((row, call.arguments[row.variable]) for row in self.handed(call.procedure))
        return {row: row._replace(variable=e.number) for row, e in handed if isinstance(e, ir.Var)}

    def _asks(self, number: int) -> bool:
        return self.changes_nothing(self.program.procedures[number].body)

    def changes_nothing(self, body: ir.Body) -> bool:
        """Whether all stays as it is while statements are carried out."""
        return all(
            self.asks(s.procedure) if isinstance(s, ir.Call) else isinstance(s, _ASKING) for s in statements(body)
        )


@dataclass(slots=True)
class _Body:
    """The statements of one procedure or block; variables are free from `free` on."""

    handing: _Handing
    free: int

    def changed(self, body: ir.Body, known: Mapping[_Row, int]) -> ir.Body:
        found: list[ir.Stmt] = []
        for statement in body:
            if isinstance(statement, ir.ForRange | ir.ForList | ir.Loop):
                inside = {**known, **self.before(statement, known)}
                found += (ir.SetVar(inside[row], _find(row)) for row in inside if row not in known)
                found.append(self.statement(statement, inside))
            else:
                found.append(self.statement(statement, known))
        return tuple(found)

    def before(self, loop: ir.ForRange | ir.ForList | ir.Loop, known: Mapping[_Row, int]) -> dict[_Row, int]:
        """What is looked for before a loop, and the variables for it."""
        if not self.handing.changes_nothing(loop.body):
            return {}
        wanted = dict.fromkeys(_rows(loop.body))
        for call in _calls(loop.body):
            wanted |= dict.fromkeys(self.handing.asked(call).values())
        given = {*assigned((loop,))}
        rows = [row for row in wanted if row not in known and row.variable not in given]
        first, self.free = self.free, self.free + len(rows)
        return {row: first + at for at, row in enumerate(rows)}

    def statement(self, statement: ir.Stmt, known: Mapping[_Row, int]) -> ir.Stmt:
        if isinstance(statement, ir.Emit):
            return statement  # Nobody listens.
        if isinstance(statement, ir.Call):
            return self.call(statement, known)

        def change(part: object) -> object:
            if isinstance(part, tuple) and part and isinstance(part[0], ir.Stmt):
                return self.changed(part, known)
            return tuple(map(change, part)) if isinstance(part, tuple) else _replaced(part, known)

        return rebuilt(statement, change)

    def call(self, call: ir.Call, known: Mapping[_Row, int]) -> ir.Call:
        arguments = tuple(_replaced(argument, known) for argument in call.arguments)
        more = (
            _replaced(ir.Find(ir.Const(row.size), ir.Const(row.row), call.arguments[row.variable]), known)
            for row in self.handing.handed(call.procedure)
        )
        return replace(call, arguments=(*arguments, *more))


# ---- what stands in statements -------------------------------------------------------------------------------------


def _find(row: _Row) -> ir.Find:
    return ir.Find(ir.Const(row.size), ir.Const(row.row), ir.Var(row.variable))


def _row(e: ir.Expr) -> _Row | None:
    match e:
        case ir.Find(size=ir.Const(value=size), row=ir.Const(value=row), value=ir.Var(number=variable)):
            return _Row(size, row, variable)
    return None


def _rows(body: ir.Body) -> list[_Row]:
    """What statements look for, each as often as it stands there."""
    waiting = [e for statement in statements(body) for e in expressions(statement)]
    found = []
    while waiting:
        e = waiting.pop()
        waiting += expressions(e)
        if (row := _row(e)) is not None:
            found.append(row)
    return found


def _calls(body: ir.Body) -> list[ir.Call]:
    return [statement for statement in statements(body) if isinstance(statement, ir.Call)]


def _variables(body: ir.Body) -> set[int]:
    """All variables that stand in statements."""
    found, waiting = {*assigned(body)}, [e for statement in statements(body) for e in expressions(statement)]
    while waiting:
        e = waiting.pop()
        waiting += expressions(e)
        if isinstance(e, ir.Var):
            found.add(e.number)
    return found


def _replaced(part: Any, known: Mapping[_Row, int]) -> Any:
    """An expression in which what was looked for already is a variable; anything else as it is."""
    if not isinstance(part, ir.Expr):
        return part
    row = _row(part)
    if row is not None and row in known:
        return ir.Var(known[row])
    return rebuilt(part, lambda inner: _replaced(inner, known))


def _moved(part: Any, first: int, by: int) -> Any:
    """Statements and expressions whose variables have a number higher by so many, from the first of them on."""
    if isinstance(part, tuple):
        return tuple(_moved(inner, first, by) for inner in part)
    if not by or not isinstance(part, ir.Expr | ir.Stmt):
        return part
    found = rebuilt(part, lambda inner: _moved(inner, first, by))
    for name in ("number", "into"):
        number = getattr(found, name, None)
        if number is not None and number >= first:
            found = replace(found, **{name: number + by})
    return found
