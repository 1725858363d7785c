"""What happened in a game, as values: every change is an event, in no language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine.notation import write_value
from wongar_dsl.model import Model, Type

#: The viewer who sees everything, as a referee does; others are a seat, or None for somebody who watches.
EVERYTHING = -1


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its sort, its values in the order of `spec.fields`, and who sees the secret ones, as bits.

    A value is an integer; a place is the tuple of its indices; a tally is a tuple of pairs (counted, number) by seat.
    A value that the reader may not see is None.
    """

    spec: ir.EventSpec
    values: tuple[int | tuple[int, ...] | None, ...]
    seen: int

    def sees(self, seat: int | None) -> bool:
        """Whether a seat, or with None somebody who watches, sees the secret values."""
        return self.seen == -1 or (seat is not None and bool(self.seen >> seat & 1))

    def without(self, secret: Sequence[bool]) -> Event:
        """The event without some of its values."""
        kept = tuple(None if hidden else value for value, hidden in zip(self.values, secret, strict=True))
        return Event(self.spec, kept, self.seen)

    @property
    def told(self) -> bool:
        """Whether a log tells this event."""
        return self.spec.message != "" and self.spec.facts.told

    def fields(self) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        """The event's own fields by name, without the slots of its message."""
        return self._values(0, self.spec.own)

    def slots(self) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        """The slots of the event's message that the rules fill, by name."""
        return self._values(self.spec.own, self.spec.own + self.spec.slots)

    def _values(self, first: int, end: int) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        pairs = zip(self.spec.fields[first:end], self.values[first:end], strict=True)
        return {name: (kind, value) for (name, kind), value in pairs}

    def arguments(self) -> dict[str, tuple[Type, int | tuple[int, ...] | None]]:
        """All that the sentence of the event's message can speak of: its slots, and what its statement knows."""
        found = self.slots()
        for name, kind, number, part in self.spec.offered:
            value = self.values[number]
            if part is not None and value is not None:
                value = value[part] if isinstance(value, tuple) else value
            found[name] = (kind, value)
        return found


def plain_value(model: Model, fields: dict[str, ir.Field], kind: Type, value: int | tuple[int, ...] | None) -> object:
    """A value of an event for JSON: numbers, truths, names; players by seat from 1; None where it is hidden."""
    if value is None:
        return None
    if kind.kind == "tally":
        assert isinstance(value, tuple)
        pairs = zip(value[::2], value[1::2], strict=True)
        return {str(seat + 1): number for seat, (inside, number) in enumerate(pairs) if inside}
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


def plain(model: Model, fields: dict[str, ir.Field], event: Event) -> dict[str, object]:
    """An event for JSON: its kind, its message where it has one, its fields, and the message's arguments."""
    result: dict[str, object] = {"event": event.spec.kind}
    result |= {n: plain_value(model, fields, t, v) for n, (t, v) in event.fields().items()}
    if event.spec.message:
        result["message"] = event.spec.message
        result["arguments"] = {n: plain_value(model, fields, t, v) for n, (t, v) in event.slots().items()}
    return result
