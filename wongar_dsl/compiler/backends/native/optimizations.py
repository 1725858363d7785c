"""Optimisations of the C generator: searches passed as arguments, and tests of a few items without branches.

A search finds a card in a row by scanning it.  A procedure gets the result of a search by its parameter as an
additional argument, and loop-invariant searches are moved before the loop.  That is done only where the state does not
change meanwhile.  A search has no cost in steps and cannot fail, so it may be executed needlessly.

A loop that tests a few items becomes one expression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import fold
from wongar_dsl.compiler.ir.cfg import assigned, expressions, map_parts, nodes, statements, variables

# ---- hoisting of searches ------------------------------------------------------------------------------------------


#: Statements without effect on the state, apart from calls.
_PURE = (
    ir.SetVar, ir.If, ir.ForRange, ir.ForList, ir.Loop, ir.Break, ir.Return, ir.Charge, ir.Fault, ir.CoverageMark,
    ir.Yield,
)  # fmt: skip


class _FindKey(NamedTuple):
    """Key of a search: the address of the length of a row, that of its first cell, and the variable to be found."""

    size: int
    row: int
    variable: int


def hoist_finds(program: ir.Program) -> ir.Program:
    """Return the program with searches passed as arguments."""
    if not any(_find_keys(p.body) for p in program.procedures):
        return program
    hoist = _Hoisting(program)
    procedures = tuple(hoist.procedure(number) for number in range(len(program.procedures)))
    blocks = tuple(replace(block, body=hoist.body(block.body)) for block in program.blocks)
    return replace(program, procedures=procedures, blocks=blocks)


class _Hoisting:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.parameter_keys = cache(self._parameter_finds)
        self.is_pure = cache(self._is_pure)

    def procedure(self, number: int) -> ir.Procedure:
        """Return a procedure with additional parameters for its searches."""
        procedure, parameter_keys = self.program.procedures[number], self.parameter_keys(number)
        first = procedure.parameters
        body = _shifted(procedure.body, first, len(parameter_keys))
        results = {key: first + index for index, key in enumerate(parameter_keys)}
        return replace(procedure, parameters=first + len(parameter_keys), body=self.body(body, results))

    def body(self, body: ir.Body, results: Mapping[_FindKey, int] | None = None) -> ir.Body:
        """Return transformed statements; `results` are the variables that hold results of searches."""
        return _FindBody(self, max(variables(body), default=-1) + 1).with_results(body, results or {})

    def _parameter_finds(self, number: int) -> Sequence[_FindKey]:
        """Return the searches by parameters in a procedure without side effects, and in its callees."""
        procedure = self.program.procedures[number]
        if not self.is_pure(number):
            return ()
        searches = dict.fromkeys(_find_keys(procedure.body))
        for call in _calls(procedure.body):
            searches |= dict.fromkeys(self.argument_finds(call).values())
        unassigned = {*range(procedure.parameters)} - {*assigned(procedure.body)}
        return tuple(key for key in searches if key.variable in unassigned)

    def argument_finds(self, call: ir.Call) -> dict[_FindKey, _FindKey]:
        """Return the searches that a call needs as arguments, mapped to searches by variables of the caller."""
        parameter_keys = ((key, call.arguments[key.variable]) for key in self.parameter_keys(call.procedure))
        return {key: key._replace(variable=e.number) for key, e in parameter_keys if isinstance(e, ir.Var)}

    def _is_pure(self, number: int) -> bool:
        return self.is_pure_code(self.program.procedures[number].body)

    def is_pure_code(self, body: ir.Body) -> bool:
        """Return whether statements leave the state unchanged."""
        return all(
            self.is_pure(s.procedure) if isinstance(s, ir.Call) else isinstance(s, _PURE) for s in statements(body)
        )


@dataclass(slots=True)
class _FindBody:
    """Pass over one procedure or block; variables from `free` on are unused."""

    hoist: _Hoisting
    free: int

    def with_results(self, body: ir.Body, results: Mapping[_FindKey, int]) -> ir.Body:
        result: list[ir.Stmt] = []
        for statement in body:
            if isinstance(statement, ir.ForRange | ir.ForList | ir.Loop):
                inside = {**results, **self.code_before_loop(statement, results)}
                result += (ir.SetVar(inside[key], _find(key)) for key in inside if key not in results)
                result.append(self.statement(statement, inside))
            else:
                result.append(self.statement(statement, results))
        return tuple(result)

    def code_before_loop(
        self, loop: ir.ForRange | ir.ForList | ir.Loop, results: Mapping[_FindKey, int]
    ) -> dict[_FindKey, int]:
        """Return the searches to be moved before a loop, with their variables."""
        if not self.hoist.is_pure_code(loop.body):
            return {}
        searches = dict.fromkeys(_find_keys(loop.body))
        for call in _calls(loop.body):
            searches |= dict.fromkeys(self.hoist.argument_finds(call).values())
        changing = {*assigned((loop,))}
        keys = [key for key in searches if key not in results and key.variable not in changing]
        first, self.free = self.free, self.free + len(keys)
        return {key: first + index for index, key in enumerate(keys)}

    def statement(self, statement: ir.Stmt, results: Mapping[_FindKey, int]) -> ir.Stmt:
        if isinstance(statement, ir.Emit):
            return statement  # The native backend emits no events.
        if isinstance(statement, ir.Call):
            return self.call(statement, results)

        def change(part: object) -> object:
            if isinstance(part, tuple) and part and isinstance(part[0], ir.Stmt):
                return self.with_results(part, results)
            return tuple(map(change, part)) if isinstance(part, tuple) else _replaced(part, results)

        return map_parts(statement, change)

    def call(self, call: ir.Call, results: Mapping[_FindKey, int]) -> ir.Call:
        arguments = tuple(_replaced(argument, results) for argument in call.arguments)
        more = (
            _replaced(ir.Find(ir.Const(key.size), ir.Const(key.row), call.arguments[key.variable]), results)
            for key in self.hoist.parameter_keys(call.procedure)
        )
        return replace(call, arguments=(*arguments, *more))


# ---- searches in code ----------------------------------------------------------------------------------------------


def _find(key: _FindKey) -> ir.Find:
    return ir.Find(ir.Const(key.size), ir.Const(key.row), ir.Var(key.variable))


def _find_key(e: ir.Expr) -> _FindKey | None:
    match e:
        case ir.Find(size=ir.Const(value=size), row=ir.Const(value=row), value=ir.Var(number=variable)):
            return _FindKey(size, row, variable)
    return None


def _find_keys(body: ir.Body) -> list[_FindKey]:
    """Return the searches in statements, with repetitions."""
    parts = (part for statement in statements(body) for e in expressions(statement) for part in nodes(e))
    return [key for part in parts if (key := _find_key(part)) is not None]


def _calls(body: ir.Body) -> list[ir.Call]:
    return [statement for statement in statements(body) if isinstance(statement, ir.Call)]


def _replaced(part: Any, results: Mapping[_FindKey, int]) -> Any:
    """Return an expression with available searches replaced by variables; other parts unchanged."""
    if not isinstance(part, ir.Expr):
        return part
    key = _find_key(part)
    if key is not None and key in results:
        return ir.Var(results[key])
    return map_parts(part, lambda inner: _replaced(inner, results))


def _shifted(part: Any, first: int, by: int) -> Any:
    """Return code with the numbers of variables from `first` on increased."""
    if isinstance(part, tuple):
        return tuple(_shifted(inner, first, by) for inner in part)
    if not by or not isinstance(part, ir.Expr | ir.Stmt):
        return part
    result = map_parts(part, lambda inner: _shifted(inner, first, by))
    for name in ("number", "into"):
        number = getattr(result, name, None)
        if number is not None and number >= first:
            result = replace(result, **{name: number + by})
    return result


# ---- loops ---------------------------------------------------------------------------------------------------------


#: Maximum number of items tested without branches.
MAX_BRANCHLESS_TESTS = 8
#: Maximum number of items of a test inside of a loop, for all iterations in one row.
MAX_ROW_ITEMS = 4096
_SAFE = frozenset({"+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "min", "max", "and", "or"})


def reads(body: ir.Body, ends: Sequence[ir.Expr] = ()) -> Counter[int]:
    """Return how often each variable is read, without preparations of events."""
    steps = (s for s in statements(body, with_events=False) if not isinstance(s, ir.Emit))
    values = [*(e for s in steps for e in expressions(s)), *ends]
    return Counter(part.number for e in values for part in nodes(e) if isinstance(part, ir.Var))


# ---- tests of all items at once ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchLoop:
    """Loop that sets a variable if a condition holds for any item, or does not hold for every item."""

    things: int
    #: Number of empty lists, which come before all others.
    empty: int
    condition: ir.Expr
    every: bool
    into: int
    value: int


def search_loop(loop: ir.ForList, program: ir.Program, read: Counter[int]) -> SearchLoop | None:
    """Return a loop over a short list as one test, or None.

    `read` counts the reads in the surrounding code.  The condition is evaluated for all items, so it must be safe for
    each.
    """
    match loop.body:
        case (
            ir.If(
                condition=condition,
                then=(ir.SetVar(number=into, value=ir.Const(value=value)), ir.Break()),
                otherwise=(),
            ),
        ):
            is_universal = False
        case (
            ir.If(
                condition=condition,
                then=(),
                otherwise=(ir.SetVar(number=into, value=ir.Const(value=value)), ir.Break()),
            ),
        ):
            is_universal = True
        case _:
            return None
    uses = reads(loop.body)[loop.number]
    lists = program.lists[loop.lists]
    lengths, values = [len(items) for items in lists], {value for items in lists for value in items}
    longest = max(lengths, default=0)
    empty = lengths.count(0)
    if not 2 <= longest <= MAX_BRANCHLESS_TESTS or lengths != [0] * empty + [longest] * (len(lengths) - empty):
        return None
    if not uses or read[loop.number] != uses:
        return None
    if not _safe(condition, loop.number, values, program):
        return None
    return SearchLoop(longest, empty, condition, is_universal, into, value)


def iteration_values(
    outer: ir.ForList, question: SearchLoop, lists: int, index: ir.Expr, program: ir.Program
) -> tuple[int, ...] | None:
    """Return the items of a test inside of a loop, for all iterations in one row.

    Returns None if an iteration has no items, if there are too many, or if the list depends on anything but the loop
    variable.
    """
    turns = [value for values in program.lists[outer.lists] for value in values]
    if len(turns) * question.things > MAX_ROW_ITEMS or outer.number in assigned(outer.body):
        return None
    places = [fold(index, outer.number, value, program.tables) for value in turns]
    items_by_list = program.lists[lists]
    if any(place is None or not question.empty <= place < len(items_by_list) for place in places):
        return None
    return tuple(thing for place in places if place is not None for thing in items_by_list[place])


def _safe(e: ir.Expr, number: int, values: set[int], program: ir.Program) -> bool:
    """Return whether an expression can be evaluated safely for all values of a variable."""
    match e:
        case ir.Const() | ir.Var():
            return True
        case ir.Not(operand=operand):
            return _safe(operand, number, values, program)
        case ir.Bin(operator=sign, left=left, right=right):
            return sign in _SAFE and _safe(left, number, values, program) and _safe(right, number, values, program)
        case ir.Load(address=address):
            places = [fold(address, number, value, program.tables) for value in values]
            return all(place is not None and 0 <= place < program.size for place in places)
        case ir.Lookup():
            return all(fold(e, number, value, program.tables) is not None for value in values)
    return False
