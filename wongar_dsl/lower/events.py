"""Events: what a statement tells, with the arguments of its message."""

from __future__ import annotations

from typing import NamedTuple

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.context import NONE, Lowering
from wongar_dsl.lower.quantifiers import tally
from wongar_dsl.lower.zones import Zone
from wongar_dsl.model import TALLY, Type


class Argument(NamedTuple):
    """An argument of an event; a place has its indices in its values, and what is secret only some see."""

    name: str
    type: Type
    values: tuple[ir.Expr, ...]
    secret: bool = False


def place(name: str, zone: Zone) -> Argument:
    """A zone or a remembered value as an argument."""
    field, indices = zone
    return Argument(name, Type("place", field.name), tuple(indices))


def silent(node: s.Node) -> s.MessageRef:
    """The message of an event that is recorded, not told."""
    return s.MessageRef(node.span, None)


def emit(
    to: Lowering, kind: ir.EventName, fields: list[Argument], told: s.MessageRef | None = None, seen: ir.Expr = NONE
) -> None:
    """Tell an event: the primitive's own fields, then the slots of its message."""
    with to.code.inner() as prepare:
        slots: list[Argument] = []
        for argument in told.arguments if told is not None else ():
            slot = to.model.types[argument.value]
            if slot == TALLY:
                assert isinstance(argument.value, s.Quantified)
                slots.append(Argument(argument.name, slot, tally(to, argument.value)))
                continue
            # A card in the message of a moved card is as secret as the move.
            secret = slot.kind == "cards" and any(f.secret for f in fields)
            slots.append(Argument(argument.name, slot, (to.value(argument.value),), secret))
    # None: there is no message; empty: recorded, not told.
    message = None if told is None else told.name or ""
    every = [*fields, *slots]
    spec = ir.EventSpec(
        kind, message, tuple((a.name, a.type) for a in every), len(slots), tuple(a.secret for a in every)
    )
    to.code.add(ir.Emit(to.pool.event(spec), tuple(prepare), tuple(a.values for a in every), seen))


def tell(to: Lowering, node: s.Tell) -> None:
    """`tell message(a, b)`."""
    emit(to, "told", [], node.told)
