"""Code laid out flat: small procedures stand where they are called, short loops turn by turn, what is known is put in.

What comes out does the same to the state and yields the same options; only the variables are others, and each decision
has its options listed for the place where it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, reduce
from typing import assert_never

from wongar_dsl.ir import code
from wongar_dsl.ir.control_flow import MAX_DEPTH, assigned, breaks, deeper, expressions, rebuilt, statements, ways
from wongar_dsl.ir.folding import folded, is_truth
from wongar_dsl.ir.program import Program

#: A loop is laid out in so many turns at most, and into so many statements.
MOST_TURNS, MOST_STATEMENTS = 16, 120
#: So many statements at most has a procedure that stands where it is called.
SMALL = 60
#: So many statements at most come of loops and calls in a program.
ROOM = 20_000

Known = dict[int | code.Expr, code.Expr]
"""What variables are known to hold, a constant or the same as another one; of those that hold 0 or 1 also `_truth`."""


def unfolded(program: Program, functions: frozenset[int], frames: int) -> Program:
    """The same program, laid out; cells from `frames` on are named by their own addresses only."""
    return _Unfolding(program, functions, frames).result()


class _Unfolding:
    """Works through code forwards, with what is known on the way.

    Cells from `frames` on are as good as variables: their numbers are the addresses, below 0.  What stands where it is
    called has other variables at each place: `base` is what is added to their numbers.
    """

    def __init__(self, program: Program, functions: frozenset[int], frames: int) -> None:
        self.program = program
        self.frames = frames
        self.functions = functions
        self.blocks = list(program.blocks)
        self.decisions = list(program.decisions)
        self.procedures = list(program.procedures)
        self.sizes = [sum(1 for _ in statements(p.body)) for p in program.procedures]
        self.widths = [max(_variables(p.body), default=0) + 1 + p.parameters for p in program.procedures]
        #: The first variable that is free everywhere.
        self.free = max(self.widths, default=0)
        self.room = ROOM
        #: What is to be done before the statement at hand.
        self.first: list[code.Stmt] = []

    def result(self) -> Program:
        listers = {d.lister for d in self.program.decisions}
        for number, procedure in enumerate(self.program.procedures):
            if number not in listers:
                self.procedures[number] = replace(procedure, body=tuple(self.body(procedure.body, {}, 0)))
        for number in sorted(self.functions):
            # As deep as it stands in its function.
            self.block(number, {}, 2)
        made = tuple(self.procedures), tuple(self.blocks), tuple(self.decisions)
        return replace(self.program, procedures=made[0], blocks=made[1], decisions=made[2])

    def block(self, number: int, known: Known, depth: int) -> None:
        """A block, and those that only follow it, as far as they stand inside of it."""
        if depth > MAX_DEPTH:
            known = {}
        block = self.program.blocks[number]
        end = block.end
        base = self.variables(max(_variables(block.body) | _used(end), default=0) + 1)
        body = self.body(block.body, known, base)
        match end:
            case code.Branch(condition=condition, then=then, otherwise=otherwise):
                end = replace(end, condition=self.value(condition, known, base))
                if isinstance(end.condition, code.Const):
                    end = code.Jump(then if end.condition.value else otherwise)
            case code.Decide(decision=decision):
                # Whose turn it is matters to those who look on only.
                end = replace(end, seat=code.Const(0), decision=len(self.decisions))
                self.list_options(decision, known)
        self.blocks[number] = replace(block, body=(*body, *self.before()), end=end)
        before = block.end if isinstance(end, code.Decide) else end
        for after in ways(self.program, before):
            if after in self.functions:
                continue
            own = dict(known)
            match before:
                case code.Branch(condition=condition):
                    suppose(own, condition, after == before.then)
                case code.Decide(decision=decision):
                    options = self.program.decisions[decision].options
                    forget(own, {-a for option in options if option.block == after for a in option.addresses})
            self.block(after, own, depth + deeper(self.program, before, after))

    def list_options(self, number: int, known: Known) -> None:
        """Another decision like one of the program's, for the place where it is made."""
        spec = self.program.decisions[number]
        lister = self.program.procedures[spec.lister]
        body = tuple(self.body(lister.body, dict(known), self.variables(self.widths[spec.lister])))
        self.decisions.append(replace(spec, lister=len(self.procedures)))
        self.procedures.append(replace(lister, body=body))

    def variables(self, count: int) -> int:
        """The first of some variables that nothing else uses."""
        self.free += count
        return self.free - count

    def before(self) -> list[code.Stmt]:
        """What is to be done before the statement at hand, told once."""
        first, self.first = self.first, []
        return first

    def named(self, value: code.Expr) -> code.Expr:
        """The same value as something that can be put in many times."""
        if isinstance(value, code.Const | code.Var):
            return value
        own = self.variables(1)
        self.first.append(code.SetVar(own, value))
        return code.Var(own)

    # ---- statements ----

    def body(self, body: code.Body, known: Known, base: int) -> list[code.Stmt]:
        found: list[code.Stmt] = []
        for statement in body:
            found += self.statement(statement, known, base)
            if _leaves(found):
                break
        return found

    def statement(self, statement: code.Stmt, known: Known, base: int) -> list[code.Stmt]:
        match statement:
            case code.SetVar(number=number, value=value):
                value = self.value(value, known, base)
                return [*self.before(), *self.set(number + base, value, known)]
            case code.Store(address=code.Const(value=address), value=value) if address >= self.frames:
                value = self.named(self.value(value, known, base))
                first = self.before()
                known[-address] = value
                return [*first, code.Store(statement.address, value)]
            case code.If():
                return self.choice(statement, known, base)
            case code.ForRange() | code.ForList():
                values = self.turns(statement, known, base)
                if values is not None:
                    return [*self.before(), *self.laid_out(statement, values, known, base)]
                return self.loop(statement, known, base)
            case code.Loop():
                return self.loop(statement, known, base)
            case code.Call(procedure=procedure) if self.fits(self.sizes[procedure]) and self.at_end(procedure):
                return self.call(statement, known, base)
        made = rebuilt(statement, lambda part: self.part(part, known, base))
        if (into := getattr(statement, "into", None)) is not None:
            made = replace(made, into=into + base)
            forget(known, {into + base})
        return [*self.before(), made]

    def part(self, part: object, known: Known, base: int) -> object:
        """A part of a statement: expressions are worked out, numbers stay."""
        if isinstance(part, tuple):
            return tuple(self.part(p, known, base) for p in part)
        return self.value(part, known, base) if isinstance(part, code.Expr) else part

    def set(self, number: int, value: code.Expr, known: Known) -> list[code.Stmt]:
        """Give a variable a value that is worked out already."""
        if value in (code.Var(number), known.get(number)):
            return []
        truth = is_truth(value) or _truth(value) in known
        forget(known, {number})
        if isinstance(value, code.Const | code.Var):
            known[number] = value
        if truth:
            known[_truth(code.Var(number))] = code.Var(number)
        return [code.SetVar(number, value)]

    def choice(self, statement: code.If, known: Known, base: int) -> list[code.Stmt]:
        condition = self.value(statement.condition, known, base)
        first = self.before()
        if isinstance(condition, code.Const):
            return [*first, *self.body(statement.then if condition.value else statement.otherwise, known, base)]
        known_then, known_otherwise = dict(known), dict(known)
        suppose(known_then, condition, True)
        suppose(known_otherwise, condition, False)
        then = self.body(statement.then, known_then, base)
        otherwise = self.body(statement.otherwise, known_otherwise, base)
        if _leaves(then):
            left = known_otherwise
        elif _leaves(otherwise):
            left = known_then
        else:
            left = {n: v for n, v in known_then.items() if known_otherwise.get(n) == v}
            if _truth(condition) in known and not _set((*then, *otherwise)) & _used(condition):
                # What is 1 where a truth holds, and 0 where not, is that truth.
                yes, no = (condition, code.Const(1)), (condition, code.Const(0))
                left |= {n: condition for n, v in known_then.items() if v in yes and known_otherwise.get(n) in no}
        known.clear()
        known.update(left)
        return [*first, code.If(condition, tuple(then), tuple(otherwise))] if then or otherwise else first

    # ---- calls ----

    def fits(self, size: int) -> bool:
        """Whether there is room for so many statements more."""
        return size <= SMALL and size <= self.room

    @cache  # noqa: B019 (lives as long as its only user)
    def at_end(self, number: int) -> bool:
        """Whether a procedure is left at its end only."""
        return not any(
            isinstance(s, code.Return) and s is not self.program.procedures[number].body[-1]
            for s in statements(self.program.procedures[number].body)
        )

    def call(self, statement: code.Call, known: Known, base: int) -> list[code.Stmt]:
        """What a procedure does, where it is called."""
        self.room -= self.sizes[statement.procedure]
        inner = self.variables(self.widths[statement.procedure])
        found: list[code.Stmt] = []
        for number, argument in enumerate(statement.arguments):
            value = self.value(argument, known, base)
            found += [*self.before(), *self.set(inner + number, value, known)]
        body = self.program.procedures[statement.procedure].body
        result: code.Expr = code.Const(0)
        match body:
            case (*before, code.Return(value=given)):
                body, result = tuple(before), result if given is None else given
        found += self.body(body, known, inner)
        if statement.into is not None and not _leaves(found):
            value = self.value(result, known, inner)
            found += [*self.before(), *self.set(statement.into + base, value, known)]
        return found

    # ---- loops ----

    def loop(self, loop: code.ForRange | code.ForList | code.Loop, known: Known, base: int) -> list[code.Stmt]:
        """A loop that stays one."""
        match loop:
            case code.ForRange(count=count):
                loop = replace(loop, number=loop.number + base, count=self.value(count, known, base))
            case code.ForList(index=index):
                loop = replace(loop, number=loop.number + base, index=self.value(index, known, base))
        first, before = self.before(), dict(known)
        forget(known, {n + base if n >= 0 else n for n in _set(loop.body)})
        if not isinstance(loop, code.Loop):
            forget(known, {loop.number})
        body = tuple(self.body(loop.body, dict(known), base))
        known |= _still_truths(body, before)
        return [*first, replace(loop, body=body)]

    def turns(self, loop: code.ForRange | code.ForList, known: Known, base: int) -> Sequence[int] | None:
        """The values of the variable of a loop that is laid out turn by turn."""
        values: Sequence[int] = ()
        match loop:
            case code.ForRange(count=count):
                count = self.value(count, known, base)
                if not isinstance(count, code.Const):
                    return None
                values = range(count.value)
            case code.ForList(lists=lists, index=index):
                index = self.value(index, known, base)
                if not isinstance(index, code.Const):
                    return None
                values = self.program.lists[lists][index.value]
        size = len(values) * self.size(loop.body)
        if len(values) > MOST_TURNS or size > min(MOST_STATEMENTS, self.room):
            return None
        self.room -= size
        return values

    def size(self, body: code.Body) -> int:
        """How many statements there are, with those of procedures and of turns."""
        total = 0
        for statement in body:
            match statement:
                case code.If(then=then, otherwise=otherwise):
                    total += 1 + self.size(then) + self.size(otherwise)
                case code.ForRange(count=code.Const(value=count), body=inner) if count <= MOST_TURNS:
                    total += max(0, count) * self.size(inner)
                case code.ForRange(body=inner) | code.ForList(body=inner) | code.Loop(body=inner):
                    total += 1 + self.size(inner)
                case code.Call(procedure=procedure):
                    total += min(self.sizes[procedure], SMALL)
                case _:
                    total += 1
        return total

    def laid_out(
        self, loop: code.ForRange | code.ForList, values: Sequence[int], known: Known, base: int
    ) -> list[code.Stmt]:
        """A loop turn by turn."""
        before = dict(known)
        found: list[code.Stmt] = []
        for turn in values:
            found += self.set(loop.number + base, code.Const(turn), known)
            found += self.body(loop.body, known, base)
            if _leaves(found):
                break
        if not breaks(tuple(found)):
            return found
        if isinstance(found[-1], code.Break) and not breaks(tuple(found[:-1])):
            return found[:-1]
        forget(known, _set(tuple(found)))
        for key in [k for k, v in known.items() if before.get(k) != v]:
            del known[key]
        match self.either(loop.number + base, found, before):
            case [*first, code.SetVar(number=number, value=value)]:
                return [*first, *self.set(number, value, known)]
            case [_, *_] as one:
                return one
        known |= _still_truths(tuple(found), before)
        # Left at once: only what leaves the turns needs a loop.
        return [code.Loop((*found, code.Break()))]

    def either(self, number: int, found: list[code.Stmt], before: Known) -> list[code.Stmt]:
        """Turns that all do the same if something holds, as one condition; empty where they are others."""
        first: list[code.Stmt] = []
        conditions: list[code.Expr] = []
        deeds: set[code.Body] = set()
        for statement in found:
            match statement:
                case code.If(condition=condition, then=(*done, code.Break()), otherwise=()) if not breaks(tuple(done)):
                    conditions.append(condition)
                    deeds.add(tuple(done))
                case code.SetVar(value=code.Const()) if statement.number == number:
                    pass
                case code.SetVar(value=code.Load(address=code.Const())):
                    first.append(statement)
                case _:
                    return []
        if len(deeds) != 1:
            return []
        condition = reduce(lambda left, right: code.Bin("or", left, right), conditions)
        match deed := deeds.pop():
            case (code.SetVar(number=into, value=code.Const(value=1)),) if before.get(into) == code.Const(0):
                return [*first, code.SetVar(into, condition if is_truth(condition) else _truth(condition))]
        return [*first, code.If(condition, deed, ())]

    # ---- expressions ----

    def value(self, e: code.Expr, known: Known, base: int) -> code.Expr:
        """An expression with what is known put in."""
        match e:
            case code.Const():
                return e
            case code.Var(number=number):
                own = code.Var(number + base)
                return known.get(own.number, own)
            case code.Load(address=address):
                address = self.value(address, known, base)
                if not isinstance(address, code.Const) or address.value < self.frames:
                    return code.Load(address)
                if -address.value not in known:
                    known[-address.value] = self.named(code.Load(address))
                return known[-address.value]
            case (
                code.Peek() | code.Not() | code.Bin() | code.Lookup() | code.Top() | code.Bottom() | code.CountIn()
                | code.Find()
            ):  # fmt: skip
                return folded(rebuilt(e, lambda part: self.part(part, known, base)), self.program.tables)
            case _:
                assert_never(e)


# ---- what is known -------------------------------------------------------------------------------------------------


def forget(known: Known, changed: set[int]) -> None:
    """Variables get values that are not known."""
    for key in [k for k, v in known.items() if k in changed or not changed.isdisjoint(_used(v))]:
        del known[key]


def suppose(known: Known, condition: code.Expr, holds: bool) -> None:
    """What a condition tells of variables."""
    match condition:
        case code.Var(number=number) if not holds:
            for key in [k for k, v in known.items() if v == condition]:
                known[key] = code.Const(0)
            known[number] = code.Const(0)
        case code.Not(operand=operand):
            suppose(known, operand, not holds)


def _truth(value: code.Expr) -> code.Expr:
    """What is known, as this value, of a value that is 0 or 1."""
    return code.Not(code.Not(value))


def _still_truths(body: code.Body, before: Known) -> Known:
    """What is known of variables that were 0 or 1 before a loop and get nothing else in it."""
    others = {s.number for s in statements(body) if isinstance(s, code.SetVar) and not is_truth(s.value)}
    others |= _set(tuple(s for s in statements(body) if not isinstance(s, code.SetVar)))
    return {k: v for k, v in before.items() if isinstance(k, code.Not) and others.isdisjoint(_used(v))}


# ---- what code looks like ------------------------------------------------------------------------------------------


def _leaves(body: Sequence[code.Stmt]) -> bool:
    """Whether nothing after some statements is come to."""
    match body:
        case [*_, code.If(then=then, otherwise=otherwise)]:
            return _leaves(then) and _leaves(otherwise)
        case [*_, code.Break() | code.Return() | code.Fault() | code.EndGame()]:
            return True
    return False


def _set(body: code.Body) -> set[int]:
    """The variables that statements give a value, and the cells, as numbers below 0."""
    stores = (s.address for s in statements(body) if isinstance(s, code.Store))
    return {*assigned(body), *(-at.value for at in stores if isinstance(at, code.Const))}


@cache
def _used(node: code.Stmt | code.Expr | code.End) -> frozenset[int]:
    """The variables in the expressions of a node."""
    own = {node.number} if isinstance(node, code.Var) else ()
    return frozenset(own).union(*map(_used, expressions(node)))


def _variables(body: code.Body) -> set[int]:
    """All variables of some statements."""
    return {n for n in _set(body).union(*map(_used, statements(body))) if n >= 0}
