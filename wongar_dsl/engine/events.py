"""Events of a game as language-independent values; every change of state is an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.engine.notation import write_value
from wongar_dsl.language.semantics import Model, Type

#: A viewer who sees everything, such as a referee. Other viewers are a seat, or None for a spectator. Functions for
#: a seat or None do not accept it.
EVERYTHING = -1


@dataclass(frozen=True, slots=True)
class Event:
    """An event: its specification, its values, and a bit mask of the seats that see its secret values.

    The values are in the order of `spec.fields`. A value is an integer; a place (copy of a field) is the tuple of its
    indices; a tally (numbers of some seats) is a flat tuple of pairs (whether the seat is counted, number) by seat. A
    value that the reader may not see is None. A mask (`seen`) of -1 includes spectators.
    """

    spec: ir.EventSpec
    values: tuple[int | tuple[int, ...] | None, ...]
    seen: int

    def is_visible_to(self, seat: int | None) -> bool:
        """Return whether a seat (None: a spectator) sees the secret values."""
        return self.seen == -1 or (seat is not None and bool(self.seen >> seat & 1))

    def without(self, secret: Sequence[bool]) -> Event:
        """Return the event with some of its values removed."""
        visible = tuple(None if hidden else value for value, hidden in zip(self.values, secret, strict=True))
        return Event(self.spec, visible, self.seen)

    @property
    def told(self) -> bool:
        """Return whether the event appears in a log."""
        return self.spec.message != "" and self.spec.facts.told

    def fields(self) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        """Return the event's own fields by name, without the slots of its message."""
        return self._values(0, self.spec.own)

    def slots(self) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        """Return the slots of the event's message that the rules fill, by name."""
        return self._values(self.spec.own, self.spec.own + self.spec.slots)

    def _values(self, first: int, end: int) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        pairs = zip(self.spec.fields[first:end], self.values[first:end], strict=True)
        return {name: (kind, value) for (name, kind), value in pairs}

    def arguments(self) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        """Return all arguments available to the event's message: its slots, and those that its statement supplies."""
        available = self.slots()
        for name, kind, number, part in self.spec.offered:
            value = self.values[number]
            if part is not None and value is not None:
                value = value[part] if isinstance(value, tuple) else value
            available[name] = (kind, value)
        return available


def argument_names(spec: ir.EventSpec) -> set[str]:
    """Return the names of the arguments of an event: of its message, or its own fields if it has none."""
    first, end = (spec.own, spec.own + spec.slots) if spec.message else (0, spec.own)
    return {name for name, _ in spec.fields[first:end]} | {name for name, *_ in spec.offered}


def value_json(model: Model, fields: dict[str, ir.Field], kind: Type, value: int | tuple[int, ...] | None) -> object:
    """Return a value of an event for JSON: a number, truth value or name; players count from 1; None if hidden."""
    if value is None:
        return None
    if kind.kind == "tally":
        assert isinstance(value, tuple)
        pairs = zip(value[::2], value[1::2], strict=True)
        return {str(seat + 1): number for seat, (is_counted, number) in enumerate(pairs) if is_counted}
    if kind.kind == "place":
        indices = value if isinstance(value, tuple) else (value,)
        types = fields[kind.name].indices
        shown = [write_value(model, t, v) for t, v in zip(types, indices, strict=True)]
        return f"{kind.name}[{', '.join(shown)}]" if shown else kind.name
    assert isinstance(value, int)
    if kind.kind == "truth":
        return bool(value)
    if kind.kind in ("number", "direction"):
        return value
    if kind.kind == "player":
        return None if value < 0 else value + 1
    return write_value(model, kind, value)


def event_json(model: Model, fields: dict[str, ir.Field], event: Event) -> dict[str, object]:
    """Return an event for JSON: its kind, its message if any, its fields, and the message's arguments."""
    result: dict[str, object] = {"event": event.spec.kind}
    result |= {n: value_json(model, fields, t, v) for n, (t, v) in event.fields().items()}
    if event.spec.message:
        result["message"] = event.spec.message
        result["arguments"] = {n: value_json(model, fields, t, v) for n, (t, v) in event.slots().items()}
    return result
