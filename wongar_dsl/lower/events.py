"""Events: what a statement tells, with the arguments of its message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.context import NONE, Dispatch, Lowering
from wongar_dsl.lower.quantifiers import tally
from wongar_dsl.lower.zones import Zone
from wongar_dsl.model import TALLY, Spoken, Told, Type


class Argument(NamedTuple):
    """An argument of an event; a place has its indices in its values, and what is secret only some see."""

    name: str
    type: Type
    values: tuple[ir.Expr, ...]
    secret: bool = False


_NOTHING = Told()


def place(name: str, zone: Zone) -> Argument:
    """A zone or a remembered value as an argument."""
    field, indices = zone
    return Argument(name, Type("place", field.name), tuple(indices))


def silent(node: s.Node) -> s.MessageRef:
    """The message of an event that is recorded, not told."""
    return s.MessageRef(node.span, None)


def emit(
    to: Lowering,
    kind: ir.EventName,
    fields: Sequence[Argument],
    told: s.MessageRef | None = None,
    seen: ir.Expr = NONE,
    besides: Sequence[Argument] = (),
) -> None:
    """Tell an event: the primitive's own fields, then the slots of its message.

    `besides` is what the statement knows for its sentence and no record has.
    """
    said = to.model.told.get(told, _NOTHING) if told is not None else _NOTHING
    with to.code.inner() as prepare:
        slots = [_slot(to, spoken, fields, besides) for spoken in said.written]
    needed = {spoken.field for spoken in said.offered}
    every = [*fields, *slots, *(a for a in besides if a.name in needed)]
    numbers = {a.name: i for i, a in enumerate(every) if not len(fields) <= i < len(fields) + len(slots)}
    spec = ir.EventSpec(
        kind,
        # None: there is no message; empty: recorded, not told.
        None if told is None else told.name or "",
        tuple((a.name, a.type) for a in every),
        len(fields),
        len(slots),
        tuple(a.secret for a in every),
        tuple((spoken.name, spoken.type, numbers[spoken.field], spoken.part) for spoken in said.offered),
        tuple(_doubtful(every, len(fields))),
        to.origin(),
    )
    to.code.add(ir.Emit(to.pool.event(spec), tuple(prepare), tuple(a.values for a in every), seen))


def _doubtful(arguments: Sequence[Argument], own: int) -> Iterator[int]:
    """What is said with an event that not everybody sees whole, and is not known to all from the event itself."""
    if any(a.secret for a in arguments[:own]):
        shown = {value for a in arguments[:own] if not a.secret for value in a.values}
        for number, argument in enumerate(arguments[own:], own):
            if not argument.secret and not all(v in shown or isinstance(v, ir.Const) for v in argument.values):
                yield number


def _slot(to: Lowering, spoken: Spoken, fields: Sequence[Argument], besides: Sequence[Argument]) -> Argument:
    """A slot of a message: what is written, or what the statement knows."""
    if spoken.value is None:
        own = next(a for a in (*fields, *besides) if a.name == spoken.field)
        values = own.values if spoken.part is None else own.values[spoken.part : spoken.part + 1]
        return Argument(spoken.name, spoken.type, values, own.secret)
    if spoken.type == TALLY:
        assert isinstance(spoken.value, s.Quantified)
        return Argument(spoken.name, spoken.type, tally(to, spoken.value))
    # A card in the message of a moved card is as secret as the move.
    secret = spoken.type.kind == "cards" and any(f.secret for f in fields)
    return Argument(spoken.name, spoken.type, (to.value(spoken.value),), secret)


def tell(to: Lowering, node: s.Tell) -> None:
    """`tell message(a, b)`."""
    emit(to, "told", [], node.told)


#: What is lowered here.
LOWERED = Dispatch(
    statements={
        s.Tell: tell,
    },
)
