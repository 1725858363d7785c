"""Detection of loops that the C generator writes in a faster way, with the same effect.

A test of a few items is done without branches, and repeated steps through a table are one lookup.  If the number of
options is bounded, their memory is reserved at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.cfg import assigned, expressions, max_iterations, nodes
from wongar_dsl.compiler.ir.constant_folding import fold

#: Maximum number of items tested without branches.
MAX_BRANCHLESS_TESTS = 8
#: Maximum number of loop iterations that are tabulated, and of numbers in a table of steps.
MAX_LOOP_STEPS = 4096
_SAFE = frozenset({"+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "min", "max", "and", "or"})


def reads(body: ir.Body, ends: Sequence[ir.Expr] = ()) -> Counter[int]:
    """Return how often each variable is read, without preparations of events."""
    counts: Counter[int] = Counter()
    for statement in body:
        if isinstance(statement, ir.Emit):
            continue
        counts.update(_read(expressions(statement)))
        for inner in _bodies(statement):
            counts += reads(inner)
    counts.update(_read(ends))
    return counts


def _read(worked_out: Sequence[ir.Expr]) -> Iterator[int]:
    return (part.number for e in worked_out for part in nodes(e) if isinstance(part, ir.Var))


def _bodies(statement: ir.Stmt) -> Iterator[ir.Body]:
    match statement:
        case ir.If(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case ir.ForRange(body=body) | ir.ForList(body=body) | ir.Loop(body=body):
            yield body


def max_options(body: ir.Body, program: ir.Program) -> int | None:
    """Return the maximum number of options that a body lists; None if it is not statically known."""
    total = 0
    for statement in body:
        inner = [max_options(part, program) for part in _bodies(statement)]
        if None in inner:
            return None
        more = sum(n for n in inner if n)
        match statement:
            case ir.Yield():
                more = 1
            case ir.ForRange() | ir.ForList() if more:
                turns = max_iterations(statement, program)
                if turns is None:
                    return None
                more *= turns
            case ir.Loop() if more:
                return None
        total += more
    return total


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
    if len(turns) * question.things > MAX_LOOP_STEPS or outer.number in assigned(outer.body):
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


# ---- repeated steps through a table --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepWalk:
    """Repeated table lookup: for each number of steps the target of each start, until more steps change nothing."""

    variable: int
    lowest: int
    rows: tuple[tuple[int, ...], ...]
    #: Charge per step.
    charge: ir.Charge | None


def step_walk(loop: ir.ForRange, program: ir.Program, read: Counter[int]) -> StepWalk | None:
    """Return a loop as a repeated table lookup, or None.  `read` counts the reads in the surrounding code."""
    match loop.body:
        case (ir.SetVar(number=variable, value=ir.Lookup(table=table) as following),):
            charge = None
        case (ir.Charge() as charge, ir.SetVar(number=variable, value=ir.Lookup(table=table) as following)):
            pass
        case _:
            return None
    edge = 2 * len(program.tables[table])
    leads = {
        place: target
        for place in range(-edge, edge + 1)
        if (target := fold(following, variable, place, program.tables)) is not None
    }
    places = sorted(leads)
    if read[loop.number] or not places or len(places) > MAX_LOOP_STEPS or places[0] == -edge or places[-1] == edge:
        return None
    if len(places) != places[-1] - places[0] + 1 or not leads.keys() >= set(leads.values()):
        return None
    rows = [places]
    while len(rows) * len(places) <= MAX_LOOP_STEPS:
        next_row = [leads[place] for place in rows[-1]]
        if next_row == rows[-1]:
            return StepWalk(variable, places[0], tuple(map(tuple, rows)), charge)
        rows.append(next_row)
    return None
