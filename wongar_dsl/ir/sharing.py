"""Sums that come again are worked out once, and what is the same in each turn of a loop stands before it.

This is for a language that works everything out as often as it is written; compilers do it by themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from wongar_dsl.ir import code
from wongar_dsl.ir.control_flow import (
    MAX_DEPTH,
    assigned,
    deeper,
    expressions,
    nodes,
    rebuilt,
    replaced,
    statements,
    ways,
)
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.ir.program import Program

_Terms = frozenset[tuple[int, int]]
"""Variables, each with its factor."""
_Uses = Counter[_Terms]


class _Sum(NamedTuple):
    """Variables with their factors, and a constant."""

    terms: _Terms
    constant: int = 0

    @property
    def steps(self) -> int:
        """How many operations it takes to work it out."""
        factors = sum(factor != 1 for _, factor in self.terms)
        return factors + max(len(self.terms) - 1, 0) + (self.constant != 0)

    def expression(self) -> code.Expr:
        found: code.Expr = code.Const(0)
        for number, factor in sorted(self.terms):
            found = plus(found, times(code.Var(number), factor))
        return plus(found, code.Const(self.constant))


_Turning = code.ForRange | code.ForList | code.Loop
_Active = dict[_Sum, code.Var]
"""What holds sums that are worked out already."""


def shared(program: Program, functions: frozenset[int]) -> Program:
    """The same program, in which sums are worked out once; `functions` are the blocks that are such, in which those
    that follow only one other block stand."""
    return _Sharing(program, functions).result()


class _Sharing:
    """Goes through one function after the other, from outside to inside.

    Only variables count that are given a value at one place of a function: a sum of these is the same wherever they
    are known.
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
        #: Of the function at hand: its blocks, and the variables that count.
        self.own: set[int] = set()
        self.once: frozenset[int] = frozenset()

    def result(self) -> Program:
        listers = {decision.lister for decision in self.program.decisions}
        for number, procedure in enumerate(self.program.procedures):
            if number not in listers:
                self.look_at(assigned(procedure.body), procedure.parameters)
                self.procedures[number] = replace(procedure, body=self.body(procedure.body, {}, Counter()))
        waiting = sorted(self.functions)
        while waiting:
            first = waiting.pop()
            self.own = set()
            self.collect(first, 2, waiting)
            self.look_at(n for number in self.own for body in self.bodies(number) for n in assigned(body))
            self.block(first, {})
        made = tuple(self.procedures), tuple(self.blocks), tuple(self.lists)
        return replace(self.program, procedures=made[0], blocks=made[1], lists=made[2])

    def collect(self, number: int, depth: int, waiting: list[int]) -> None:
        """The blocks of a function; those that stand too deep become functions of their own."""
        self.own.add(number)
        end = self.program.blocks[number].end
        for after in ways(self.program, end):
            deep = depth + deeper(self.program, end, after)
            if after not in self.functions:
                if deep > MAX_DEPTH:
                    waiting.append(after)
                else:
                    self.collect(after, deep, waiting)

    def look_at(self, given: Iterator[int], parameters: int = 0) -> None:
        """Begin with a function, in which variables are given values."""
        times_given = Counter([*range(parameters), *given])
        self.once = frozenset(n for n, count in times_given.items() if count == 1)

    def bodies(self, number: int) -> Iterator[code.Body]:
        """The statements of a block, and those that list the options of its decision."""
        block = self.program.blocks[number]
        yield block.body
        if isinstance(block.end, code.Decide):
            yield self.program.procedures[self.program.decisions[block.end.decision].lister].body

    # ---- blocks ----

    def block(self, number: int, active: _Active) -> None:
        block = self.program.blocks[number]
        left = self.uses_after(number)
        body = self.body(block.body, active, left)
        end = block.end
        body += tuple(self.names(expressions(end), active, left))
        match end:
            case code.Branch(condition=condition):
                end = replace(end, condition=self.value(condition, active))
            case code.Decide(decision=decision):
                lister = self.program.decisions[decision].lister
                procedure = self.program.procedures[lister]
                listed = self.body(procedure.body, dict(active), Counter())
                self.procedures[lister] = replace(procedure, body=listed)
        self.blocks[number] = replace(block, body=body, end=end)
        for after in self.inner(number):
            self.block(after, dict(active))

    def inner(self, number: int) -> list[int]:
        """The blocks that stand at the end of a block."""
        after = ways(self.program, self.program.blocks[number].end)
        return [n for n in after if n in self.own and n not in self.functions]

    def uses_after(self, number: int) -> _Uses:
        """The sums behind the statements of a block."""
        found = Counter(s.terms for e in expressions(self.program.blocks[number].end) for s in self.sums(e))
        _, *listed = self.bodies(number)
        for body in listed:
            found += self.uses(body)
        for after in self.inner(number):
            found += self.uses(self.program.blocks[after].body) + self.uses_after(after)
        return found

    # ---- statements ----

    def body(self, body: code.Body, active: _Active, after: _Uses) -> code.Body:
        """Statements, behind which sums are used; what is worked out in them is added to `active`."""
        found: list[code.Stmt] = []
        left = self.uses(body) + after
        for statement in body:
            found += self.names(expressions(statement), active, left)
            left -= self.uses((statement,))
            if isinstance(statement, _Turning) and not _is_left_at_once(statement):
                found += [self.name(same, active) for same in self.the_same(statement) if same not in active]
            found.append(self.statement(statement, active))
        return tuple(found)

    def statement(self, statement: code.Stmt, active: _Active) -> code.Stmt:
        made = rebuilt(statement, lambda part: self.part(part, active))
        return self.multiplied(made) if isinstance(made, code.ForList) else made

    def part(self, part: Any, active: _Active) -> Any:
        """A part of a statement."""
        match part:
            case tuple() if part and isinstance(part[0], code.Stmt):
                return self.body(part, dict(active), Counter())
            case tuple():
                return tuple(self.part(p, active) for p in part)
        return self.value(part, active) if isinstance(part, code.Expr) else part

    def name(self, wanted: _Sum, active: _Active) -> code.SetVar:
        """A variable for a sum."""
        value = self.value(wanted.expression(), active)
        self.free += 1
        active[wanted] = code.Var(self.free - 1)
        return code.SetVar(self.free - 1, value)

    def names(self, worked_out: Sequence[code.Expr], active: _Active, uses: _Uses) -> Iterator[code.SetVar]:
        """Variables for the sums in what is worked out next that are not used only once."""
        for found in (found for e in worked_out for found in self.sums(e)):
            wanted = _Sum(found.terms)
            several = sum(n for terms, n in uses.items() if wanted.terms <= terms) > 1
            if wanted.steps and several and wanted not in active and found not in active:
                yield self.name(wanted, active)

    def the_same(self, loop: _Turning) -> Iterator[_Sum]:
        """What is the same in each turn of a loop, of the sums that every turn works out."""
        changing = {*assigned((loop,))}
        constants: dict[_Terms, set[int]] = defaultdict(set)
        for e in (e for statement in loop.body for e in expressions(statement)):
            for found in self.sums(e):
                constants[frozenset(t for t in found.terms if t[0] not in changing)].add(found.constant)
        for terms, of_terms in constants.items():
            same = _Sum(terms, min(of_terms) if len(of_terms) == 1 else 0)
            if terms and same.steps:
                yield same

    def multiplied(self, loop: code.ForList) -> code.ForList:
        """A loop over a list, of which only multiples are used, as one over these."""
        own = code.Var(loop.number)
        inside = [node for s in statements(loop.body) for e in expressions(s) for node in nodes(e)]
        products = [node for node in inside if isinstance(node, code.Bin) and _factor(node) and node.left == own]
        if len(set(products)) != 1 or len(products) != inside.count(own):
            return loop
        product = products[0]
        key = loop.lists, _factor(product)
        if key not in self.multiples:
            self.multiples[key] = len(self.lists)
            self.lists.append(tuple(tuple(v * key[1] for v in values) for values in self.program.lists[loop.lists]))
        return replace(loop, lists=self.multiples[key], body=replaced(loop.body, product, own))

    # ---- sums ----

    def uses(self, body: code.Body) -> _Uses:
        """How often sums stand in statements."""
        return Counter(s.terms for one in statements(body) for e in expressions(one) for s in self.sums(e) if s.terms)

    def sums(self, e: code.Expr) -> Iterator[_Sum]:
        """The sums in an expression."""
        found, others = self.taken_apart(e)
        if found.terms:
            yield found
        for other, _ in others:
            for part in expressions(other):
                yield from self.sums(part)

    def taken_apart(self, e: code.Expr) -> tuple[_Sum, list[tuple[code.Expr, int]]]:
        """An expression as a sum of variables that count, and what is added to it, with its factors."""
        terms, others, constant = dict[int, int](), list[tuple[code.Expr, int]](), 0
        waiting = [(e, 1)]
        while waiting:
            part, factor = waiting.pop()
            match part:
                case code.Const(value=value):
                    constant += value * factor
                case code.Bin(operator="+", left=left, right=right):
                    waiting += [(right, factor), (left, factor)]
                case code.Bin(operator="*", left=left) if _factor(part):
                    waiting.append((left, factor * _factor(part)))
                case code.Var(number=number) if number in self.once:
                    terms[number] = terms.get(number, 0) + factor
                case _:
                    others.append((part, factor))
        return _Sum(frozenset(terms.items()), constant), others

    def value(self, e: code.Expr, active: _Active) -> code.Expr:
        """An expression with the sums put in that are worked out already."""
        whole, others = self.taken_apart(e)
        if not whole.terms:
            return rebuilt(e, lambda part: self.part(part, active))
        known = [s for s in active if s.terms <= whole.terms and s.constant in (0, whole.constant)]
        best = max(known, key=lambda s: s.steps, default=None)
        found: code.Expr = code.Const(0)
        if best is not None:
            found, whole = active[best], _Sum(whole.terms - best.terms, whole.constant - best.constant)
        for other, factor in others:
            found = plus(found, times(rebuilt(other, lambda part: self.part(part, active)), factor))
        return plus(plus(found, _Sum(whole.terms).expression()), code.Const(whole.constant))


def _is_left_at_once(loop: _Turning) -> bool:
    return isinstance(loop, code.Loop) and isinstance(loop.body[-1], code.Break)


def _factor(e: code.Bin) -> int:
    """The constant by which a product multiplies; 0 for any other operation."""
    return e.right.value if e.operator == "*" and isinstance(e.right, code.Const) else 0
