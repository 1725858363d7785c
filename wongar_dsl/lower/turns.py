"""Which turn of a counted loop a decision belongs to, so that a question can say that it is the first of two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.builder import Cell
from wongar_dsl.lower.context import Lowering
from wongar_dsl.model import Local

#: What everybody knows in any case, and what lies open where it is declared so.
_KNOWN = frozenset({"value", "option", "players", "type", "table", "define"})
_DECLARED = frozenset({"tokens", "zone", "slot"})


def of(step: Cell, count: ir.Expr) -> tuple[ir.Turn, Local | None] | None:
    """A loop that is gone through `count` times; None where nothing in it lasts while somebody decides, or where there
    is but one turn."""
    at, times = _address(step), _address(count)
    if at is None:
        return None
    if isinstance(count, ir.Const):
        return (ir.Turn(at, count.value), None) if count.value > 1 else None
    return (ir.Turn(at, 0, times), None) if times is not None else None


def under(to: Lowering, tests: Iterable[s.Expression]) -> tuple[ir.Turn, Local | None] | None:
    """The loop at hand inside of conditions: which turns somebody is asked in must tell nothing that is hidden."""
    if to.turn is None:
        return None
    turn, by = to.turn
    needs, parts = set(turn.needs), list(_parts(to, tests))
    # What is bound inside of a condition comes from its other parts.
    bound = {to.model.locals[node] for node in parts if node in to.model.locals}
    for node in parts:
        ref = to.model.refs.get(node)
        if ref is None or ref.kind in _KNOWN or ref.local in bound:
            continue
        if ref.kind in _DECLARED and to.memory.place(ref.name).seen == "all":
            continue
        cell = to.code.names.get(ref.local) if ref.local is not None else None
        at = _address(cell) if cell is not None else None
        if at is None:
            return None
        needs.add(at)
    return replace(turn, needs=frozenset(needs)), by


def _parts(to: Lowering, tests: Iterable[s.Expression]) -> Iterator[s.Node]:
    """All parts of conditions, with those of the definitions that they call."""
    waiting: list[s.Node] = list(tests)
    called: set[str] = set()
    while waiting:
        for node in s.walk(waiting.pop()):
            yield node
            ref = to.model.refs.get(node)
            if ref is not None and ref.kind == "define" and ref.name not in called:
                called.add(ref.name)
                waiting.append(to.model.code.defines[ref.name])


def each(to: Lowering, node: s.ForEach) -> tuple[ir.Turn, Local | None] | None:
    """The loop at hand inside of one over all players, each of whom has a turn of it."""
    local = to.model.locals[node.variable]
    if to.turn is None or to.turn[1] is not None or local.type.kind != "player" or node.domain.where is not None:
        return None
    return to.turn[0], local


def at(to: Lowering, chooser: s.Expression) -> ir.Turn | None:
    """The loop in each turn of which a seat decides once."""
    if to.turn is None:
        return None
    turn, by = to.turn
    ref = to.model.refs.get(chooser)
    return turn if by is None or (ref is not None and ref.local is by) else None


def _address(cell: ir.Expr) -> int | None:
    match cell:
        case ir.Load(address=ir.Const(value=address)):
            return address
        case _:
            return None
