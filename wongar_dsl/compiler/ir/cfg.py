"""Control-flow graph of a program: traversal of code, successors, join points, and control dependence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar, assert_never

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir import program


def breaks(body: ir.Body) -> bool:
    """Return whether statements break the enclosing loop."""
    return any(isinstance(s, ir.Break) or (isinstance(s, ir.If) and breaks((*s.then, *s.otherwise))) for s in body)


def statements(body: ir.Body, with_events: bool = True) -> Iterator[ir.Stmt]:
    """Yield all statements, including nested ones.

    With `with_events=False` statements that only prepare events are omitted.
    """
    for statement in body:
        yield statement
        if with_events or not isinstance(statement, ir.Emit):
            for inner in bodies(statement):
                yield from statements(inner, with_events)


def bodies(statement: ir.Stmt) -> Iterator[ir.Body]:
    """Yield the statements directly inside of a statement, by branch."""
    for name in _field_names(type(statement), "Body"):
        yield getattr(statement, name)


def target(statement: ir.Stmt) -> int | None:
    """Return the variable that a statement assigns, apart from those inside of it; None if it assigns none."""
    match statement:
        case ir.SetVar(number=number) | ir.ForRange(number=number) | ir.ForList(number=number):
            return number
    into: int | None = getattr(statement, "into", None)
    return into


def assigned(body: ir.Body) -> Iterator[int]:
    """Yield the variables that statements assign, once per assignment."""
    return (number for statement in statements(body) if (number := target(statement)) is not None)


def variables(body: ir.Body) -> set[int]:
    """Return all variables that statements assign or read."""
    parts = (part for statement in statements(body) for e in expressions(statement) for part in nodes(e))
    return {*assigned(body), *(part.number for part in parts if isinstance(part, ir.Var))}


_Node = ir.Stmt | ir.Expr | ir.End
Node = TypeVar("Node", ir.Stmt, ir.Expr, ir.Stmt | ir.Expr)
_FIELD_NAMES: dict[tuple[type[_Node], str], tuple[str, ...]] = {}


def _field_names(node_class: type[_Node], with_type: str = "") -> tuple[str, ...]:
    if (node_class, with_type) not in _FIELD_NAMES:
        _FIELD_NAMES[node_class, with_type] = tuple(p.name for p in fields(node_class) if with_type in str(p.type))
    return _FIELD_NAMES[node_class, with_type]


def expressions(node: _Node) -> list[ir.Expr]:
    """Return the direct subexpressions of a node; of an event only its viewers."""
    children: list[ir.Expr] = []
    for name in _field_names(type(node), "Expr"):
        value = getattr(node, name)
        children += [value] if isinstance(value, ir.Expr) else [v for v in value or () if isinstance(v, ir.Expr)]
    return children


def field_texts(node: _Node, text: Callable[[ir.Expr], str]) -> dict[str, object]:
    """Return the fields of a node by name, with expressions as text."""
    values = ((name, getattr(node, name)) for name in _field_names(type(node)))
    return {name: text(value) if isinstance(value, ir.Expr) else value for name, value in values}


def map_parts(node: Node, change: Callable[[Any], Any]) -> Node:
    """Return a copy of a node with a function applied to each field."""
    create: Callable[..., Node] = type(node)
    return create(*(change(getattr(node, name)) for name in _field_names(type(node))))


def nodes(e: ir.Expr) -> Iterator[ir.Expr]:
    """Yield an expression and all its subexpressions."""
    yield e
    for part in expressions(e):
        yield from nodes(part)


def all_statements(whole: program.Program) -> Iterator[ir.Stmt]:
    """Yield all statements of a program."""
    for block in whole.blocks:
        yield from statements(block.body)
    for procedure in whole.procedures:
        yield from statements(procedure.body)


def procedures_of(whole: program.Program, bodies: Iterable[ir.Body]) -> frozenset[int]:
    """Return the procedures that bodies call directly or indirectly, except for preparing events."""

    def called(body: ir.Body) -> list[int]:
        return [s.procedure for s in statements(body, with_events=False) if isinstance(s, ir.Call)]

    direct = (number for body in bodies for number in called(body))
    return frozenset(reachable(direct, lambda number: called(whole.procedures[number].body)))


def max_iterations(loop: ir.ForRange | ir.ForList, whole: program.Program) -> int | None:
    """Return the maximum number of iterations of a loop; None if it is not statically known."""
    match loop:
        case ir.ForRange(count=ir.Const(value=count)):
            return max(0, count)
        case ir.ForList(lists=lists):
            return max(map(len, whole.lists[lists]), default=0)
    return None


def weight(e: ir.Expr) -> int:
    """Return the number of nodes of an expression."""
    return 1 + sum(map(weight, expressions(e)))


def successors(end: ir.End) -> tuple[int, ...]:
    """Return the successors of a block within a run.

    Blocks after a decision or return are reached through an entry.
    """
    match end:
        case ir.Jump(block=number):
            return (number,)
        case ir.Branch(then=then, otherwise=otherwise):
            return (then, otherwise)
        case ir.Decide(otherwise=otherwise):
            return (otherwise,) if otherwise >= 0 else ()
        case ir.Resume() | ir.Pause():
            return ()
        case _:
            assert_never(end)


def entry_points(whole: program.Program) -> frozenset[int]:
    """Return the entry points: blocks that a run starts at or reaches by a number in the state."""
    paused = {block.end.block for block in whole.blocks if isinstance(block.end, ir.Pause)}
    chosen = {option.block for decision in whole.decisions for option in decision.options}
    return frozenset({whole.entry, whole.closing} - {-1} | whole.return_blocks | paused | chosen)


def leaders(whole: program.Program) -> frozenset[int]:
    """Return the leaders: entry points, and blocks with several predecessors."""
    entered = Counter(number for block in whole.blocks for number in successors(block.end))
    return entry_points(whole) | {number for number, predecessors in entered.items() if predecessors > 1}


def control_dependents(graph: Sequence[Sequence[int]]) -> list[frozenset[int]]:
    """Return for each block the blocks that are control-dependent on it, given the successors of each block.

    These are the blocks reachable from it before its nearest postdominator, where its successors meet.
    """
    count = len(graph)
    all_blocks = (1 << count) - 1
    after = [all_blocks if graph[i] else 1 << i for i in range(count)]
    changed = True
    while changed:
        changed = False
        for i in reversed(range(count)):
            if graph[i]:
                meet = all_blocks
                for n in graph[i]:
                    meet &= after[n]
                if meet | 1 << i != after[i]:
                    after[i] = meet | 1 << i
                    changed = True

    def until(stop: int, blocks: Iterable[int]) -> list[int]:
        return [number for number in blocks if not stop >> number & 1]

    def dependents(i: int) -> frozenset[int]:
        before_meeting = partial(until, after[i] & ~(1 << i))
        return frozenset(reachable(before_meeting(graph[i]), lambda number: before_meeting(graph[number])))

    return [dependents(i) if len(graph[i]) > 1 else frozenset() for i in range(count)]


def reachable(starts: Iterable[int], successors: Callable[[int], Iterable[int]]) -> dict[int, None]:
    """Return everything that can be reached from the starts, themselves included, in depth-first order."""
    reached: dict[int, None] = {}
    waiting = [*starts]
    while waiting:
        number = waiting.pop()
        if number not in reached:
            reached[number] = None
            waiting += successors(number)
    return reached
