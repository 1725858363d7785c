"""Common-subexpression elimination of sums, and loop-invariant code motion.

Only the Python backend needs it; C compilers do the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.cfg import (
    MAX_DEPTH,
    assigned,
    choice_successors,
    expressions,
    map_parts,
    nesting_delta,
    nodes,
    replace_expression,
    statements,
)
from wongar_dsl.compiler.ir.constant_folding import plus, times
from wongar_dsl.compiler.ir.program import Program

#: Linear terms: variables with factors.
_Terms = frozenset[tuple[int, int]]
_Uses = Counter[_Terms]


class _LinearSum(NamedTuple):
    """Linear combination of variables, and a constant."""

    terms: _Terms
    constant: int = 0

    @property
    def steps(self) -> int:
        """Number of operations to compute the sum."""
        factors = sum(factor != 1 for _, factor in self.terms)
        return factors + max(len(self.terms) - 1, 0) + (self.constant != 0)

    def expression(self) -> ir.Expr:
        result: ir.Expr = ir.Const(0)
        for number, factor in sorted(self.terms):
            result = plus(result, times(ir.Var(number), factor))
        return plus(result, ir.Const(self.constant))


_Turning = ir.ForRange | ir.ForList | ir.Loop
#: Variables that hold computed sums.
_Active = dict[_LinearSum, ir.Var]


def eliminate_common_subexpressions(program: Program, functions: frozenset[int]) -> Program:
    """Return the program with common sums computed once.

    `functions` are the blocks that begin a generated function; exclusive successors are emitted inside of it.
    """
    return _SubexpressionSharing(program, functions).result()


class _SubexpressionSharing:
    """Pass over all functions, from outer to inner blocks.

    Only variables that are assigned once in a function are considered, so that a sum of them has the same value
    throughout.
    """

    def __init__(self, program: Program, functions: frozenset[int]) -> None:
        self.program = program
        self.functions = functions
        self.blocks = list(program.blocks)
        self.procedures = list(program.procedures)
        self.lists = list(program.lists)
        self.multiples: dict[tuple[int, int], int] = {}
        bodies = [*(b.body for b in program.blocks), *(p.body for p in program.procedures)]
        parameters = max((p.parameters for p in program.procedures), default=0)
        self.free = max((n + 1 for body in bodies for n in assigned(body)), default=0) + parameters
        #: Blocks and singly assigned variables of the current function.
        self.own: set[int] = set()
        self.once: frozenset[int] = frozenset()

    def result(self) -> Program:
        listers = {decision.lister for decision in self.program.decisions}
        for number, procedure in enumerate(self.program.procedures):
            if number not in listers:
                self.enter_function(assigned(procedure.body), procedure.parameters)
                self.procedures[number] = replace(procedure, body=self.body(procedure.body, {}, Counter()))
        waiting = sorted(self.functions)
        while waiting:
            first = waiting.pop()
            self.own = set()
            self.collect(first, 2, waiting)
            self.enter_function(n for number in self.own for body in self.bodies(number) for n in assigned(body))
            self.block(first, {})
        parts = tuple(self.procedures), tuple(self.blocks), tuple(self.lists)
        return replace(self.program, procedures=parts[0], blocks=parts[1], lists=parts[2])

    def collect(self, number: int, depth: int, waiting: list[int]) -> None:
        """Collect the blocks of a function.  Blocks that would be nested too deeply become functions of their own."""
        self.own.add(number)
        end = self.program.blocks[number].end
        for after in choice_successors(self.program, end):
            deep = depth + nesting_delta(self.program, end, after)
            if after not in self.functions:
                if deep > MAX_DEPTH:
                    waiting.append(after)
                else:
                    self.collect(after, deep, waiting)

    def enter_function(self, given: Iterator[int], parameters: int = 0) -> None:
        """Begin a function with these assignments."""
        times_given = Counter([*range(parameters), *given])
        self.once = frozenset(n for n, count in times_given.items() if count == 1)

    def bodies(self, number: int) -> Iterator[ir.Body]:
        """Yield the statements of a block, and of the lister of its decision."""
        block = self.program.blocks[number]
        yield block.body
        if isinstance(block.end, ir.Decide):
            yield self.program.procedures[self.program.decisions[block.end.decision].lister].body

    # ---- blocks ----

    def block(self, number: int, active: _Active) -> None:
        block = self.program.blocks[number]
        later_uses = self.uses_after(number)
        body = self.body(block.body, active, later_uses)
        end = block.end
        body += tuple(self.names(expressions(end), active, later_uses))
        match end:
            case ir.Branch(condition=condition):
                end = replace(end, condition=self.value(condition, active))
            case ir.Decide(decision=decision):
                lister = self.program.decisions[decision].lister
                procedure = self.program.procedures[lister]
                listed = self.body(procedure.body, dict(active), Counter())
                self.procedures[lister] = replace(procedure, body=listed)
        self.blocks[number] = replace(block, body=body, end=end)
        for after in self.inner(number):
            self.block(after, dict(active))

    def inner(self, number: int) -> list[int]:
        """Return the blocks nested at the end of a block."""
        after = choice_successors(self.program, self.program.blocks[number].end)
        return [n for n in after if n in self.own and n not in self.functions]

    def uses_after(self, number: int) -> _Uses:
        """Return the sums used after the statements of a block."""
        uses = Counter(s.terms for e in expressions(self.program.blocks[number].end) for s in self.sums(e))
        _, *listed = self.bodies(number)
        for body in listed:
            uses += self.uses(body)
        for after in self.inner(number):
            uses += self.uses(self.program.blocks[after].body) + self.uses_after(after)
        return uses

    # ---- statements ----

    def body(self, body: ir.Body, active: _Active, after: _Uses) -> ir.Body:
        """Return transformed statements, and add the sums that they compute to `active`.

        `after` are the sums used later.
        """
        result: list[ir.Stmt] = []
        remaining_uses = self.uses(body) + after
        for statement in body:
            result += self.names(expressions(statement), active, remaining_uses)
            remaining_uses -= self.uses((statement,))
            is_left_at_once = isinstance(statement, ir.Loop) and isinstance(statement.body[-1], ir.Break)
            if isinstance(statement, _Turning) and not is_left_at_once:
                result += [self.name(same, active) for same in self.loop_invariants(statement) if same not in active]
            result.append(self.statement(statement, active))
        return tuple(result)

    def statement(self, statement: ir.Stmt, active: _Active) -> ir.Stmt:
        changed = map_parts(statement, lambda part: self.part(part, active))
        return self.strength_reduced(changed) if isinstance(changed, ir.ForList) else changed

    def part(self, part: Any, active: _Active) -> Any:
        match part:
            case tuple() if part and isinstance(part[0], ir.Stmt):
                return self.body(part, dict(active), Counter())
            case tuple():
                return tuple(self.part(p, active) for p in part)
        return self.value(part, active) if isinstance(part, ir.Expr) else part

    def name(self, wanted: _LinearSum, active: _Active) -> ir.SetVar:
        """Return the assignment of a sum to a new variable."""
        value = self.value(wanted.expression(), active)
        self.free += 1
        active[wanted] = ir.Var(self.free - 1)
        return ir.SetVar(self.free - 1, value)

    def names(self, worked_out: Sequence[ir.Expr], active: _Active, uses: _Uses) -> Iterator[ir.SetVar]:
        """Yield variables for sums in the next expressions that are used more than once."""
        for candidate in (candidate for e in worked_out for candidate in self.sums(e)):
            variable_part = _LinearSum(candidate.terms)
            several = sum(n for terms, n in uses.items() if variable_part.terms <= terms) > 1
            if variable_part.steps and several and variable_part not in active and candidate not in active:
                yield self.name(variable_part, active)

    def loop_invariants(self, loop: _Turning) -> Iterator[_LinearSum]:
        """Yield the loop-invariant sums that every iteration computes."""
        changing = {*assigned((loop,))}
        constants: dict[_Terms, set[int]] = defaultdict(set)
        for e in (e for statement in loop.body for e in expressions(statement)):
            for term_sum in self.sums(e):
                constants[frozenset(t for t in term_sum.terms if t[0] not in changing)].add(term_sum.constant)
        for terms, of_terms in constants.items():
            same = _LinearSum(terms, min(of_terms) if len(of_terms) == 1 else 0)
            if terms and same.steps:
                yield same

    def strength_reduced(self, loop: ir.ForList) -> ir.ForList:
        """Replace a loop over a list by one over its multiples, if the body uses the variable only in one product."""
        variable = ir.Var(loop.number)
        inside = [node for s in statements(loop.body) for e in expressions(s) for node in nodes(e)]
        products = [node for node in inside if isinstance(node, ir.Bin) and _factor(node) and node.left == variable]
        if len(set(products)) != 1 or len(products) != inside.count(variable):
            return loop
        product = products[0]
        key = loop.lists, _factor(product)
        if key not in self.multiples:
            self.multiples[key] = len(self.lists)
            self.lists.append(tuple(tuple(v * key[1] for v in values) for values in self.program.lists[loop.lists]))
        return replace(loop, lists=self.multiples[key], body=replace_expression(loop.body, product, variable))

    # ---- sums ----

    def uses(self, body: ir.Body) -> _Uses:
        """Return how often each sum occurs in statements."""
        return Counter(
            s.terms for statement in statements(body) for e in expressions(statement) for s in self.sums(e) if s.terms
        )

    def sums(self, e: ir.Expr) -> Iterator[_LinearSum]:
        """Yield the sums in an expression."""
        linear, rest = self.linear_form(e)
        if linear.terms:
            yield linear
        for term, _ in rest:
            for part in expressions(term):
                yield from self.sums(part)

    def linear_form(self, e: ir.Expr) -> tuple[_LinearSum, list[tuple[ir.Expr, int]]]:
        """Return the linear part of an expression, and its other terms with factors."""
        terms, others, constant = dict[int, int](), list[tuple[ir.Expr, int]](), 0
        waiting = [(e, 1)]
        while waiting:
            part, factor = waiting.pop()
            match part:
                case ir.Const(value=value):
                    constant += value * factor
                case ir.Bin(operator="+", left=left, right=right):
                    waiting += [(right, factor), (left, factor)]
                case ir.Bin(operator="*", left=left) if _factor(part):
                    waiting.append((left, factor * _factor(part)))
                case ir.Var(number=number) if number in self.once:
                    terms[number] = terms.get(number, 0) + factor
                case _:
                    others.append((part, factor))
        return _LinearSum(frozenset(terms.items()), constant), others

    def value(self, e: ir.Expr, active: _Active) -> ir.Expr:
        """Return an expression with available sums substituted."""
        linear, rest = self.linear_form(e)
        if not linear.terms:
            return map_parts(e, lambda part: self.part(part, active))
        available = [s for s in active if s.terms <= linear.terms and s.constant in (0, linear.constant)]
        best = max(available, key=lambda s: s.steps, default=None)
        result: ir.Expr = ir.Const(0)
        if best is not None:
            result, linear = active[best], _LinearSum(linear.terms - best.terms, linear.constant - best.constant)
        for term, factor in rest:
            result = plus(result, times(map_parts(term, lambda part: self.part(part, active)), factor))
        return plus(plus(result, _LinearSum(linear.terms).expression()), ir.Const(linear.constant))


def _factor(e: ir.Bin) -> int:
    """Return the constant factor of a product; 0 for any other operation."""
    return e.right.value if e.operator == "*" and isinstance(e.right, ir.Const) else 0
