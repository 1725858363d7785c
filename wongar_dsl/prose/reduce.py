"""What need not be said, since what is said implies it."""

from __future__ import annotations

from collections.abc import Iterable

from wongar_dsl import syntax as s


def asks_for_what_is_taken(condition: s.Expression, body: s.Block) -> bool:
    """Whether a condition asks for no more than that there is what the first statement takes away.

    `z[a, k] > 0` before `move 1 k from z[a]`: nobody can move what is not there.  Any other number is something else.
    """
    first = next((part for part in body if not isinstance(part, s.Let)), None)
    match condition, first:
        case (
            s.Compare(operator=">", left=s.Indexed(name=zone, indices=indices), right=s.Number(value=0)),
            s.MoveTokens(count=s.Number(value=1), kind=kind, origin=origin),
        ):
            named = isinstance(origin, s.Indexed | s.Of) and origin.name == zone
            return named and s.same((*s.index_nodes(origin), kind), tuple(indices))
    return False


def conditions(e: s.Expression | None) -> tuple[s.Expression, ...]:
    """The conditions that must all hold."""
    if e is None:
        return ()
    if isinstance(e, s.Logical) and e.operator == "and":
        return tuple(inner for operand in e.operands for inner in conditions(operand))
    return (e,)


def deeds(body: s.Block) -> Iterable[s.Block]:
    """The statements that a body comes to first: itself, and those of each option where it only offers some."""
    yield body
    if len(body) == 1 and isinstance(body[0], s.Choose):
        for choice in body[0].choices:
            yield from deeds(choice.body)
