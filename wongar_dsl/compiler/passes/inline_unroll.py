"""Inlining of small procedures, loop unrolling, and constant propagation.

The result has the same effect on the state and yields the same options.  Variables are renumbered, and each decision
gets its own lister for the code where it occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, reduce
from typing import assert_never

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.cfg import (
    MAX_DEPTH,
    assigned,
    breaks,
    choice_successors,
    expressions,
    map_parts,
    nesting_delta,
    statements,
    variables,
)
from wongar_dsl.compiler.ir.constant_folding import is_truth, simplify
from wongar_dsl.compiler.ir.program import Program

#: Maximum number of iterations, and of resulting statements, of an unrolled loop.
MAX_UNROLLED_ITERATIONS, MAX_UNROLLED_STATEMENTS = 16, 120
#: Maximum number of statements of an inlined procedure.
SMALL = 60
#: Maximum number of statements that inlining and unrolling add to a program.
MAX_INLINED_STATEMENTS = 20_000

#: Known values of variables: a constant or another variable; `_truth` keys mark values that are 0 or 1.
Known = dict[int | ir.Expr, ir.Expr]


def inline_and_unroll(program: Program, functions: frozenset[int], frames: int) -> Program:
    """Return the transformed program.  Cells from `frames` on must be accessed by constant addresses only."""
    return _InlineUnroll(program, functions, frames).result()


class _InlineUnroll:
    """Forward pass with constant and copy propagation.

    Frame cells from `frames` on count as variables and are represented by their negative addresses.  Inlined code gets
    new variables at each call: `base` is added to its variable numbers.
    """

    def __init__(self, program: Program, functions: frozenset[int], frames: int) -> None:
        self.program = program
        self.frames = frames
        self.functions = functions
        self.blocks = list(program.blocks)
        self.decisions = list(program.decisions)
        self.procedures = list(program.procedures)
        self.sizes = [sum(1 for _ in statements(p.body)) for p in program.procedures]
        self.widths = [max(variables(p.body), default=0) + 1 + p.parameters for p in program.procedures]
        #: First variable number that is unused everywhere.
        self.free = max(self.widths, default=0)
        self.room = MAX_INLINED_STATEMENTS
        #: Statements to be emitted before the current one.
        self.first: list[ir.Stmt] = []

    def result(self) -> Program:
        listers = {d.lister for d in self.program.decisions}
        for number, procedure in enumerate(self.program.procedures):
            if number not in listers:
                self.procedures[number] = replace(procedure, body=tuple(self.body(procedure.body, {}, 0)))
        for number in sorted(self.functions):
            # Nesting depth of the first block in its function.
            self.block(number, {}, 2)
        parts = tuple(self.procedures), tuple(self.blocks), tuple(self.decisions)
        return replace(self.program, procedures=parts[0], blocks=parts[1], decisions=parts[2])

    def block(self, number: int, known: Known, depth: int) -> None:
        """Transform a block and the exclusive successors nested in it."""
        if depth > MAX_DEPTH:
            known = {}
        block = self.program.blocks[number]
        end = block.end
        base = self.new_variables(max(variables(block.body) | _used(end), default=0) + 1)
        body = self.body(block.body, known, base)
        match end:
            case ir.Branch(condition=condition, then=then, otherwise=otherwise):
                end = replace(end, condition=self.value(condition, known, base))
                if isinstance(end.condition, ir.Const):
                    end = ir.Jump(then if end.condition.value else otherwise)
            case ir.Decide(decision=decision):
                # The acting seat matters only to observers.
                end = replace(end, seat=ir.Const(0), decision=len(self.decisions))
                self.list_options(decision, known)
        self.blocks[number] = replace(block, body=(*body, *self.pending_code()), end=end)
        before = block.end if isinstance(end, ir.Decide) else end
        for after in choice_successors(self.program, before):
            if after in self.functions:
                continue
            known_after = dict(known)
            match before:
                case ir.Branch(condition=condition):
                    assume(known_after, condition, after == before.then)
                case ir.Decide(decision=decision):
                    options = self.program.decisions[decision].options
                    invalidate(
                        known_after, {-a for option in options if option.block == after for a in option.addresses}
                    )
            self.block(after, known_after, depth + nesting_delta(self.program, before, after))

    def list_options(self, number: int, known: Known) -> None:
        """Add a copy of a decision with its lister transformed for the current code."""
        spec = self.program.decisions[number]
        lister = self.program.procedures[spec.lister]
        body = tuple(self.body(lister.body, dict(known), self.new_variables(self.widths[spec.lister])))
        self.decisions.append(replace(spec, lister=len(self.procedures)))
        self.procedures.append(replace(lister, body=body))

    def new_variables(self, count: int) -> int:
        """Reserve unused variables and return the first."""
        self.free += count
        return self.free - count

    def pending_code(self) -> list[ir.Stmt]:
        """Return the statements to be emitted before the current one, and clear them."""
        first, self.first = self.first, []
        return first

    def as_atom(self, value: ir.Expr) -> ir.Expr:
        """Return the value as a constant or variable that can be substituted repeatedly."""
        if isinstance(value, ir.Const | ir.Var):
            return value
        number = self.new_variables(1)
        self.first.append(ir.SetVar(number, value))
        return ir.Var(number)

    # ---- statements ----

    def body(self, body: ir.Body, known: Known, base: int) -> list[ir.Stmt]:
        result: list[ir.Stmt] = []
        for statement in body:
            result += self.statement(statement, known, base)
            if _leaves(result):
                break
        return result

    def statement(self, statement: ir.Stmt, known: Known, base: int) -> list[ir.Stmt]:
        match statement:
            case ir.SetVar(number=number, value=value):
                value = self.value(value, known, base)
                return [*self.pending_code(), *self.set(number + base, value, known)]
            case ir.Store(address=ir.Const(value=address), value=value) if address >= self.frames:
                value = self.as_atom(self.value(value, known, base))
                first = self.pending_code()
                known[-address] = value
                return [*first, ir.Store(statement.address, value)]
            case ir.If():
                return self.choice(statement, known, base)
            case ir.ForRange() | ir.ForList():
                values = self.unrolled_values(statement, known, base)
                if values is not None:
                    return [*self.pending_code(), *self.unroll(statement, values, known, base)]
                return self.loop(statement, known, base)
            case ir.Loop():
                return self.loop(statement, known, base)
            case ir.Call(procedure=procedure) if self.fits(self.sizes[procedure]) and self.returns_at_end_only(
                procedure
            ):
                return self.call(statement, known, base)
        changed = map_parts(statement, lambda part: self.part(part, known, base))
        if (into := getattr(statement, "into", None)) is not None:
            changed = replace(changed, into=into + base)
            invalidate(known, {into + base})
        return [*self.pending_code(), changed]

    def part(self, part: object, known: Known, base: int) -> object:
        """Transform a part of a statement: expressions are evaluated, numbers stay."""
        if isinstance(part, tuple):
            return tuple(self.part(p, known, base) for p in part)
        return self.value(part, known, base) if isinstance(part, ir.Expr) else part

    def set(self, number: int, value: ir.Expr, known: Known) -> list[ir.Stmt]:
        """Assign an evaluated expression to a variable."""
        if value in (ir.Var(number), known.get(number)):
            return []
        truth = is_truth(value) or _truth(value) in known
        invalidate(known, {number})
        if isinstance(value, ir.Const | ir.Var):
            known[number] = value
        if truth:
            known[_truth(ir.Var(number))] = ir.Var(number)
        return [ir.SetVar(number, value)]

    def choice(self, statement: ir.If, known: Known, base: int) -> list[ir.Stmt]:
        condition = self.value(statement.condition, known, base)
        first = self.pending_code()
        if isinstance(condition, ir.Const):
            return [*first, *self.body(statement.then if condition.value else statement.otherwise, known, base)]
        known_then, known_otherwise = dict(known), dict(known)
        assume(known_then, condition, True)
        assume(known_otherwise, condition, False)
        then = self.body(statement.then, known_then, base)
        otherwise = self.body(statement.otherwise, known_otherwise, base)
        if _leaves(then):
            known_behind = known_otherwise
        elif _leaves(otherwise):
            known_behind = known_then
        else:
            known_behind = {n: v for n, v in known_then.items() if known_otherwise.get(n) == v}
            if _truth(condition) in known and not _set((*then, *otherwise)) & _used(condition):
                # A variable that is 1 if a truth value holds, otherwise 0, equals that value.
                yes, no = (condition, ir.Const(1)), (condition, ir.Const(0))
                known_behind |= {
                    n: condition for n, v in known_then.items() if v in yes and known_otherwise.get(n) in no
                }
        known.clear()
        known.update(known_behind)
        return [*first, ir.If(condition, tuple(then), tuple(otherwise))] if then or otherwise else first

    # ---- calls ----

    def fits(self, size: int) -> bool:
        """Return whether there is room for this number of statements."""
        return size <= SMALL and size <= self.room

    @cache  # noqa: B019 (lives as long as its only user)
    def returns_at_end_only(self, number: int) -> bool:
        """Return whether a procedure returns only at its end."""
        return not any(
            isinstance(s, ir.Return) and s is not self.program.procedures[number].body[-1]
            for s in statements(self.program.procedures[number].body)
        )

    def call(self, statement: ir.Call, known: Known, base: int) -> list[ir.Stmt]:
        """Return the inlined body of a procedure."""
        self.room -= self.sizes[statement.procedure]
        inner = self.new_variables(self.widths[statement.procedure])
        result_code: list[ir.Stmt] = []
        for number, argument in enumerate(statement.arguments):
            value = self.value(argument, known, base)
            result_code += [*self.pending_code(), *self.set(inner + number, value, known)]
        body = self.program.procedures[statement.procedure].body
        result: ir.Expr = ir.Const(0)
        match body:
            case (*before, ir.Return(value=given)):
                body, result = tuple(before), result if given is None else given
        result_code += self.body(body, known, inner)
        if statement.into is not None and not _leaves(result_code):
            value = self.value(result, known, inner)
            result_code += [*self.pending_code(), *self.set(statement.into + base, value, known)]
        return result_code

    # ---- loops ----

    def loop(self, loop: ir.ForRange | ir.ForList | ir.Loop, known: Known, base: int) -> list[ir.Stmt]:
        """Return a loop that is not unrolled."""
        match loop:
            case ir.ForRange(count=count):
                loop = replace(loop, number=loop.number + base, count=self.value(count, known, base))
            case ir.ForList(index=index):
                loop = replace(loop, number=loop.number + base, index=self.value(index, known, base))
        first, before = self.pending_code(), dict(known)
        invalidate(known, {n + base if n >= 0 else n for n in _set(loop.body)})
        if not isinstance(loop, ir.Loop):
            invalidate(known, {loop.number})
        body = tuple(self.body(loop.body, dict(known), base))
        known |= _still_truths(body, before)
        return [*first, replace(loop, body=body)]

    def unrolled_values(self, loop: ir.ForRange | ir.ForList, known: Known, base: int) -> Sequence[int] | None:
        """Return the values of the variable of an unrolled loop; None if it cannot be unrolled."""
        values: Sequence[int] = ()
        match loop:
            case ir.ForRange(count=count):
                count = self.value(count, known, base)
                if not isinstance(count, ir.Const):
                    return None
                values = range(count.value)
            case ir.ForList(lists=lists, index=index):
                index = self.value(index, known, base)
                if not isinstance(index, ir.Const):
                    return None
                values = self.program.lists[lists][index.value]
        size = len(values) * self.size(loop.body)
        if len(values) > MAX_UNROLLED_ITERATIONS or size > min(MAX_UNROLLED_STATEMENTS, self.room):
            return None
        self.room -= size
        return values

    def size(self, body: ir.Body) -> int:
        """Return the number of statements, including those of inlined procedures and unrolled loops."""
        total = 0
        for statement in body:
            match statement:
                case ir.If(then=then, otherwise=otherwise):
                    total += 1 + self.size(then) + self.size(otherwise)
                case ir.ForRange(count=ir.Const(value=count), body=inner) if count <= MAX_UNROLLED_ITERATIONS:
                    total += max(0, count) * self.size(inner)
                case ir.ForRange(body=inner) | ir.ForList(body=inner) | ir.Loop(body=inner):
                    total += 1 + self.size(inner)
                case ir.Call(procedure=procedure):
                    total += min(self.sizes[procedure], SMALL)
                case _:
                    total += 1
        return total

    def unroll(self, loop: ir.ForRange | ir.ForList, values: Sequence[int], known: Known, base: int) -> list[ir.Stmt]:
        """Return an unrolled loop."""
        before = dict(known)
        unrolled: list[ir.Stmt] = []
        for turn in values:
            unrolled += self.set(loop.number + base, ir.Const(turn), known)
            unrolled += self.body(loop.body, known, base)
            if _leaves(unrolled):
                break
        if not breaks(tuple(unrolled)):
            return unrolled
        if isinstance(unrolled[-1], ir.Break) and not breaks(tuple(unrolled[:-1])):
            return unrolled[:-1]
        invalidate(known, _set(tuple(unrolled)))
        for key in [k for k, v in known.items() if before.get(k) != v]:
            del known[key]
        match self.merged_iterations(loop.number + base, unrolled, before):
            case [*first, ir.SetVar(number=number, value=value)]:
                return [*first, *self.set(number, value, known)]
            case [_, *_] as condition:
                return condition
        known |= _still_truths(tuple(unrolled), before)
        # The loop runs once; it is only a target for breaks.
        return [ir.Loop((*unrolled, ir.Break()))]

    def merged_iterations(self, number: int, found: list[ir.Stmt], before: Known) -> list[ir.Stmt]:
        """Return iterations with equal effects as one condition; empty if they differ."""
        first: list[ir.Stmt] = []
        conditions: list[ir.Expr] = []
        deeds: set[ir.Body] = set()
        for statement in found:
            match statement:
                case ir.If(condition=condition, then=(*done, ir.Break()), otherwise=()) if not breaks(tuple(done)):
                    conditions.append(condition)
                    deeds.add(tuple(done))
                case ir.SetVar(value=ir.Const()) if statement.number == number:
                    pass
                case ir.SetVar(value=ir.Load(address=ir.Const())):
                    first.append(statement)
                case _:
                    return []
        if len(deeds) != 1:
            return []
        condition = reduce(lambda left, right: ir.Bin("or", left, right), conditions)
        match deed := deeds.pop():
            case (ir.SetVar(number=into, value=ir.Const(value=1)),) if before.get(into) == ir.Const(0):
                return [*first, ir.SetVar(into, condition if is_truth(condition) else _truth(condition))]
        return [*first, ir.If(condition, deed, ())]

    # ---- expressions ----

    def value(self, e: ir.Expr, known: Known, base: int) -> ir.Expr:
        """Return an expression with known values substituted, and folded."""
        match e:
            case ir.Const():
                return e
            case ir.Var(number=number):
                variable = ir.Var(number + base)
                return known.get(variable.number, variable)
            case ir.Load(address=address):
                address = self.value(address, known, base)
                if not isinstance(address, ir.Const) or address.value < self.frames:
                    return ir.Load(address)
                if -address.value not in known:
                    known[-address.value] = self.as_atom(ir.Load(address))
                return known[-address.value]
            case (
                ir.Peek() | ir.Not() | ir.Bin() | ir.Lookup() | ir.Top() | ir.Bottom() | ir.CountIn()
                | ir.Find()
            ):  # fmt: skip
                return simplify(map_parts(e, lambda part: self.part(part, known, base)), self.program.tables)
            case _:
                assert_never(e)


# ---- known values --------------------------------------------------------------------------------------------------


def invalidate(known: Known, changed: set[int]) -> None:
    """Invalidate what is known about changed variables."""
    for key in [k for k, v in known.items() if k in changed or not changed.isdisjoint(_used(v))]:
        del known[key]


def assume(known: Known, condition: ir.Expr, holds: bool) -> None:
    """Add the consequences of a condition to the known values."""
    match condition:
        case ir.Var(number=number) if not holds:
            for key in [k for k, v in known.items() if v == condition]:
                known[key] = ir.Const(0)
            known[number] = ir.Const(0)
        case ir.Not(operand=operand):
            assume(known, operand, not holds)


def _truth(value: ir.Expr) -> ir.Expr:
    """Return the key that marks a value as 0 or 1."""
    return ir.Not(ir.Not(value))


def _still_truths(body: ir.Body, before: Known) -> Known:
    """Return the truth values that remain known because a loop assigns only truth values to them."""
    others = {s.number for s in statements(body) if isinstance(s, ir.SetVar) and not is_truth(s.value)}
    others |= _set(tuple(s for s in statements(body) if not isinstance(s, ir.SetVar)))
    return {k: v for k, v in before.items() if isinstance(k, ir.Not) and others.isdisjoint(_used(v))}


# ---- predicates and variables of code -------------------------------------------------------------------------------


def _leaves(body: Sequence[ir.Stmt]) -> bool:
    """Return whether code after these statements is unreachable."""
    match body:
        case [*_, ir.If(then=then, otherwise=otherwise)]:
            return _leaves(then) and _leaves(otherwise)
        case [*_, ir.Break() | ir.Return() | ir.Fault() | ir.EndGame()]:
            return True
    return False


def _set(body: ir.Body) -> set[int]:
    """Return the variables that statements assign, and the cells as negative addresses."""
    stores = (s.address for s in statements(body) if isinstance(s, ir.Store))
    return {*assigned(body), *(-a.value for a in stores if isinstance(a, ir.Const))}


@cache
def _used(node: ir.Stmt | ir.Expr | ir.End) -> frozenset[int]:
    """Return the variables in the expressions of a node."""
    direct = {node.number} if isinstance(node, ir.Var) else ()
    return frozenset(direct).union(*map(_used, expressions(node)))
