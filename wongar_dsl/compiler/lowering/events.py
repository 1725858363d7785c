"""Lowering of events: primitive fields and message arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering.context import NONE, Dispatch, Lowering
from wongar_dsl.compiler.lowering.quantifiers import tally
from wongar_dsl.compiler.lowering.zones import Zone
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import TALLY, MessageArgument, MessageUse, Type


class EventArgument(NamedTuple):
    """Event argument.  The values of a place are its indices; a secret argument is visible only to some players."""

    name: str
    type: Type
    values: tuple[ir.Expr, ...]
    secret: bool = False


_NOTHING = MessageUse()


def place(name: str, zone: Zone) -> EventArgument:
    """Return a zone or remembered value as an argument."""
    field, indices = zone
    return EventArgument(name, Type("place", field.name), tuple(indices))


def recorded_message(node: s.Node) -> s.MessageRef:
    """Return the message of an event that is recorded but not shown."""
    return s.MessageRef(node.span, None)


def emit(
    ctx: Lowering,
    kind: ir.EventName,
    fields: Sequence[EventArgument],
    reference: s.MessageRef | None = None,
    seen: ir.Expr = NONE,
    extra: Sequence[EventArgument] = (),
) -> None:
    """Add code that emits an event: fields of the primitive, then slots of its message.

    `extra` are values available to the sentence that records do not contain.
    """
    message = ctx.model.message_uses.get(reference, _NOTHING) if reference is not None else _NOTHING
    with ctx.code.inner() as prepare:
        slots = [_slot(ctx, slot, fields, extra) for slot in message.written]
    needed = {slot.field for slot in message.offered}
    arguments = [*fields, *slots, *(a for a in extra if a.name in needed)]
    numbers = {a.name: i for i, a in enumerate(arguments) if not len(fields) <= i < len(fields) + len(slots)}
    spec = ir.EventSpec(
        kind,
        # None: no message; empty: recorded, not shown.
        None if reference is None else reference.name or "",
        tuple((a.name, a.type) for a in arguments),
        len(fields),
        len(slots),
        tuple(a.secret for a in arguments),
        tuple((slot.name, slot.type, numbers[slot.field], slot.part) for slot in message.offered),
        tuple(_doubtful(arguments, len(fields), _copies(ctx.code.out))),
        ctx.origin(),
    )
    ctx.code.add(ir.Emit(ctx.program.event(spec), tuple(prepare), tuple(a.values for a in arguments), seen))


def _doubtful(arguments: Sequence[EventArgument], own: int, copies: Mapping[ir.Expr, ir.Expr]) -> Iterator[int]:
    """Yield message arguments that may reveal a secret: those not known from the public fields of the event.

    `copies` are variables with the value that each is a copy of.
    """
    if any(a.secret for a in arguments[:own]):
        shown = {value for a in arguments[:own] if not a.secret for value in a.values}
        shown |= {copies[value] for value in shown if value in copies}
        for number, argument in enumerate(arguments[own:], own):
            if not argument.secret and not all(v in shown or isinstance(v, ir.Const) for v in argument.values):
                yield number


def _copies(before: Sequence[ir.Stmt]) -> dict[ir.Expr, ir.Expr]:
    """Return the variables set by the last of some statements, behind everything that might change what they copy."""
    last = takewhile(lambda statement: isinstance(statement, ir.SetVar), reversed(before))
    return {ir.Var(s.number): s.value for s in last if isinstance(s, ir.SetVar) and isinstance(s.value, ir.Load)}


def _slot(
    ctx: Lowering, slot: MessageArgument, fields: Sequence[EventArgument], extra: Sequence[EventArgument]
) -> EventArgument:
    """Return the argument of a message slot: an expression, or a value known to the statement."""
    if slot.value is None:
        source = next(a for a in (*fields, *extra) if a.name == slot.field)
        values = source.values if slot.part is None else source.values[slot.part : slot.part + 1]
        return EventArgument(slot.name, slot.type, values, source.secret)
    if slot.type == TALLY:
        assert isinstance(slot.value, s.Quantified)
        return EventArgument(slot.name, slot.type, tally(ctx, slot.value))
    # A card in the message of a move is as secret as the move.
    secret = slot.type.kind == "cards" and any(f.secret for f in fields)
    return EventArgument(slot.name, slot.type, (ctx.value(slot.value),), secret)


def tell(ctx: Lowering, node: s.Tell) -> None:
    """Lower `tell message(a, b)`."""
    emit(ctx, "told", [], node.message)


#: Lowering functions of this module.
LOWERED = Dispatch(
    statements={
        s.Tell: tell,
    },
)
