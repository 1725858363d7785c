"""Loops that machine code goes through in another way than they are written, to the same effect.

One that asks the same of a few things asks without a branch for each; one that goes on from place to place by a table
takes all its steps at once.  For options whose number is known there is room once for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.ir.control_flow import assigned, expressions, most_turns, nodes
from wongar_dsl.ir.folding import fold

#: So many things are asked about without a branch for each.
FEW = 8
#: So long are the loops in which it is found out what is left out, and so many numbers the tables of steps have.
LONGEST = 4096
_SAFE = frozenset({"+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "min", "max", "and", "or"})


def reads(body: ir.Body, ends: Sequence[ir.Expr] = ()) -> Counter[int]:
    """How often each variable is read by what is carried out."""
    found: Counter[int] = Counter()
    for statement in body:
        if isinstance(statement, ir.Emit):
            continue
        found.update(_read(expressions(statement)))
        for inner in _bodies(statement):
            found += reads(inner)
    found.update(_read(ends))
    return found


def _read(worked_out: Sequence[ir.Expr]) -> Iterator[int]:
    return (part.number for e in worked_out for part in nodes(e) if isinstance(part, ir.Var))


def _bodies(statement: ir.Stmt) -> Iterator[ir.Body]:
    match statement:
        case ir.If(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case ir.ForRange(body=body) | ir.ForList(body=body) | ir.Loop(body=body):
            yield body


def most_listed(body: ir.Body, program: ir.Program) -> int | None:
    """How many options a body lists at most; None where that is not known before play."""
    found = 0
    for statement in body:
        inner = [most_listed(part, program) for part in _bodies(statement)]
        if None in inner:
            return None
        more = sum(n for n in inner if n)
        match statement:
            case ir.Yield():
                more = 1
            case ir.ForRange() | ir.ForList() if more:
                turns = most_turns(statement, program)
                if turns is None:
                    return None
                more *= turns
            case ir.Loop() if more:
                return None
        found += more
    return found


# ---- asked all at once ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """A loop that sets a variable where something is true of one of its things, or where it is not true of all."""

    things: int
    #: So many lists have none instead; all others come after them.
    empty: int
    condition: ir.Expr
    every: bool
    into: int
    value: int


def asked(loop: ir.ForList, program: ir.Program, read: Counter[int]) -> Asked | None:
    """A loop over a short list as one question; `read` is what the code around it reads.

    The question is asked of all of them then, so looking must not go wrong with any.
    """
    match loop.body:
        case (
            ir.If(
                condition=condition,
                then=(ir.SetVar(number=into, value=ir.Const(value=value)), ir.Break()),
                otherwise=(),
            ),
        ):
            every = False
        case (
            ir.If(
                condition=condition,
                then=(),
                otherwise=(ir.SetVar(number=into, value=ir.Const(value=value)), ir.Break()),
            ),
        ):
            every = True
        case _:
            return None
    own = reads(loop.body)[loop.number]
    lists = program.lists[loop.lists]
    lengths, values = [len(one) for one in lists], {value for one in lists for value in one}
    longest = max(lengths, default=0)
    empty = lengths.count(0)
    if not 2 <= longest <= FEW or lengths != [0] * empty + [longest] * (len(lengths) - empty):
        return None
    if not own or read[loop.number] != own:
        return None
    if not _safe(condition, loop.number, values, program):
        return None
    return Asked(longest, empty, condition, every, into, value)


def in_a_row(
    outer: ir.ForList, question: Asked, lists: int, index: ir.Expr, program: ir.Program
) -> tuple[int, ...] | None:
    """The things that a question in a loop is asked of, for one turn of it behind the other in all lists of the loop;
    None where they are none for some turn, too many, or follow from anything but what the loop is at."""
    turns = [value for values in program.lists[outer.lists] for value in values]
    if len(turns) * question.things > LONGEST or outer.number in assigned(outer.body):
        return None
    places = [fold(index, outer.number, value, program.tables) for value in turns]
    every = program.lists[lists]
    if any(place is None or not question.empty <= place < len(every) for place in places):
        return None
    return tuple(thing for place in places if place is not None for thing in every[place])


def _safe(e: ir.Expr, number: int, values: set[int], program: ir.Program) -> bool:
    """Whether an expression can be worked out for all values of a variable, also where it would not have been."""
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


# ---- all steps at once ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps that lead from each place to the next by a table: for each number of steps where they lead from each place,
    up to the number from which on more lead nowhere else."""

    variable: int
    lowest: int
    rows: tuple[tuple[int, ...], ...]
    #: What each step is charged.
    charge: ir.Charge | None


def walk(loop: ir.ForRange, program: ir.Program, read: Counter[int]) -> Walk | None:
    """A loop as such steps; `read` is what the code around it reads."""
    match loop.body:
        case (ir.SetVar(number=variable, value=ir.Lookup(table=table) as following),):
            charge = None
        case (ir.Charge() as charge, ir.SetVar(number=variable, value=ir.Lookup(table=table) as following)):
            pass
        case _:
            return None
    edge = 2 * len(program.tables[table])
    leads = {
        place: there
        for place in range(-edge, edge + 1)
        if (there := fold(following, variable, place, program.tables)) is not None
    }
    places = sorted(leads)
    if read[loop.number] or not places or len(places) > LONGEST or places[0] == -edge or places[-1] == edge:
        return None
    if len(places) != places[-1] - places[0] + 1 or not leads.keys() >= set(leads.values()):
        return None
    rows = [places]
    while len(rows) * len(places) <= LONGEST:
        more = [leads[place] for place in rows[-1]]
        if more == rows[-1]:
            return Walk(variable, places[0], tuple(map(tuple, rows)), charge)
        rows.append(more)
    return None
