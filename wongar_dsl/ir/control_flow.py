"""How the parts of a program follow on each other: what stands inside of what, and what hangs on which branch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, TypeVar, assert_never

from wongar_dsl.ir import code, program

#: Blocks that follow one another stand inside of each other up to this depth.
MAX_DEPTH = 60


def breaks(body: code.Body) -> bool:
    """Whether statements leave the loop around them."""
    return any(isinstance(s, code.Break) or (isinstance(s, code.If) and breaks((*s.then, *s.otherwise))) for s in body)


def statements(body: code.Body, told: bool = True) -> Iterator[code.Stmt]:
    """All statements, with those inside of others; what is only worked out to be told among them where it is `told`."""
    for statement in body:
        yield statement
        match statement:
            case code.If(then=then, otherwise=otherwise):
                yield from statements(then, told)
                yield from statements(otherwise, told)
            case code.ForRange(body=inner) | code.ForList(body=inner) | code.Loop(body=inner):
                yield from statements(inner, told)
            case code.Emit(prepare=prepare):
                yield from statements(prepare) if told else ()
            case (
                code.SetVar() | code.Store() | code.Poke() | code.Break() | code.Call() | code.Return() | code.Chance()
                | code.Endless() | code.HashState() | code.Shuffle() | code.Push() | code.Pop() | code.Draw()
                | code.Fault() | code.EndGame() | code.Yield() | code.Charge() | code.Mark()
            ):  # fmt: skip
                pass
            case _:
                assert_never(statement)


def assigned(body: code.Body) -> Iterator[int]:
    """The variables that statements give values, once for each place."""
    for statement in statements(body):
        match statement:
            case code.SetVar(number=number) | code.ForRange(number=number) | code.ForList(number=number):
                yield number
        if (into := getattr(statement, "into", None)) is not None:
            yield into


_Node = code.Stmt | code.Expr | code.End
Node = TypeVar("Node", code.Stmt, code.Expr, code.Stmt | code.Expr)
_PARTS: dict[type[_Node], tuple[str, ...]] = {}


def _parts(sort: type[_Node]) -> tuple[str, ...]:
    """The names of what nodes of a sort consist of."""
    if sort not in _PARTS:
        _PARTS[sort] = tuple(part.name for part in fields(sort))
    return _PARTS[sort]


def expressions(node: _Node) -> list[code.Expr]:
    """The expressions right under a node; of an event, only who sees it."""
    found: list[code.Expr] = []
    for name in _parts(type(node)):
        value = getattr(node, name)
        found.extend(v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, code.Expr))
    return found


def rebuilt(node: Node, change: Callable[[Any], Any]) -> Node:
    """The same node with each of its parts changed."""
    made: Callable[..., Node] = type(node)
    return made(*(change(getattr(node, name)) for name in _parts(type(node))))


def nodes(e: code.Expr) -> Iterator[code.Expr]:
    """An expression and all in it."""
    yield e
    for part in expressions(e):
        yield from nodes(part)


def replaced(part: Any, old: code.Expr, new: code.Expr) -> Any:
    """Code with one expression in place of another."""
    if part == old:
        return new
    if isinstance(part, tuple):
        return tuple(replaced(p, old, new) for p in part)
    return rebuilt(part, lambda p: replaced(p, old, new)) if isinstance(part, code.Stmt | code.Expr) else part


def everything(whole: program.Program) -> Iterator[code.Stmt]:
    """All statements of a program."""
    for block in whole.blocks:
        yield from statements(block.body)
    for procedure in whole.procedures:
        yield from statements(procedure.body)


def procedures_of(whole: program.Program, bodies: Iterable[code.Body]) -> frozenset[int]:
    """The procedures that some bodies call, directly or through others, where nobody is told anything."""
    found: set[int] = set()
    waiting = [*bodies]
    while waiting:
        for statement in statements(waiting.pop(), told=False):
            if isinstance(statement, code.Call) and statement.procedure not in found:
                found.add(statement.procedure)
                waiting.append(whole.procedures[statement.procedure].body)
    return frozenset(found)


def most_turns(loop: code.ForRange | code.ForList, whole: program.Program) -> int | None:
    """How often a loop goes round at most; None where that is not known before play."""
    match loop:
        case code.ForRange(count=code.Const(value=count)):
            return max(0, count)
        case code.ForList(lists=lists):
            return max(map(len, whole.lists[lists]), default=0)
    return None


def weight(e: code.Expr) -> int:
    """How many parts an expression has."""
    return 1 + sum(map(weight, expressions(e)))


def following(end: code.End) -> tuple[int, ...]:
    """The blocks that may come next in the same run; what waits or returns comes in by an entry."""
    match end:
        case code.Jump(block=number):
            return (number,)
        case code.Branch(then=then, otherwise=otherwise):
            return (then, otherwise)
        case code.Decide(otherwise=otherwise):
            return (otherwise,) if otherwise >= 0 else ()
        case code.Resume() | code.Pause():
            return ()
        case _:
            assert_never(end)


def resting(whole: program.Program) -> frozenset[int]:
    """The blocks that a run begins with, or comes to by a number in the state, but for those that somebody chooses."""
    paused = {block.end.block for block in whole.blocks if isinstance(block.end, code.Pause)}
    return frozenset({whole.entry} | whole.resumed | paused)


def entries(whole: program.Program) -> frozenset[int]:
    """The blocks that a run begins with, or comes to by a number in the state."""
    closing = {whole.closing} - {-1}
    return resting(whole) | closing | {option.block for decision in whole.decisions for option in decision.options}


def heads(whole: program.Program) -> frozenset[int]:
    """The blocks that are entered from more than one place, or by a number in the state."""
    entered = Counter(number for block in whole.blocks for number in following(block.end))
    return entries(whole) | {number for number, times in entered.items() if times > 1}


def ways(whole: program.Program, end: code.End) -> tuple[int, ...]:
    """The blocks that may come next where choices are made in the same run."""
    chosen = (o.block for o in whole.decisions[end.decision].options) if isinstance(end, code.Decide) else ()
    return *following(end), *chosen


def deeper(whole: program.Program, end: code.End, after: int) -> int:
    """How much deeper than the end of a block one of the `ways` from it stands inside of it."""
    match end:
        case code.Branch(then=then):
            return int(after == then)
        case code.Decide(decision=decision):
            options = [option.block for option in whole.decisions[decision].options]
            return 0 if after not in options else 1 + (after != options[-1])
    return 0


def met(whole: program.Program, entered: frozenset[int]) -> frozenset[int]:
    """As `heads`, where choices are made in the same run, of what is come to from the blocks with which one begins."""
    found, times = set(entered), Counter[int]()
    waiting = list(entered)
    while waiting:
        after = ways(whole, whole.blocks[waiting.pop()].end)
        times.update(after)
        waiting += set(after) - found
        found |= set(after)
    return entered | {number for number, count in times.items() if count > 1}


def depending(ways: Sequence[Sequence[int]]) -> list[frozenset[int]]:
    """For each block with several ways on, the blocks that are come to on some of them only.

    These are the blocks that can be reached from it before the ways meet: before its nearest postdominator.
    """
    count = len(ways)
    every = (1 << count) - 1
    after = [every if ways[i] else 1 << i for i in range(count)]
    changed = True
    while changed:
        changed = False
        for i in reversed(range(count)):
            if ways[i]:
                meet = every
                for n in ways[i]:
                    meet &= after[n]
                if meet | 1 << i != after[i]:
                    after[i] = meet | 1 << i
                    changed = True
    return [_until(ways, i, after[i] & ~(1 << i)) if len(ways[i]) > 1 else frozenset() for i in range(count)]


def _until(ways: Sequence[Sequence[int]], start: int, stop: int) -> frozenset[int]:
    """The blocks reached from one before any of a set, given as bits."""
    found: set[int] = set()
    waiting = list(ways[start])
    while waiting:
        number = waiting.pop()
        if number not in found and not stop >> number & 1:
            found.add(number)
            waiting.extend(ways[number])
    return frozenset(found)
