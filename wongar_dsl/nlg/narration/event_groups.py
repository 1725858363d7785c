"""Data types of narration: narrated events, groups of similar events, and clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.engine.events import Event
from wongar_dsl.language.semantics import NUMBER, Type
from wongar_dsl.nlg.narration.narrator import Narrator, Raw
from wongar_dsl.nlg.words import Value
from wongar_dsl.nlg.words.translator import EACH, SHARED, TOGETHER

Arguments = Mapping[str, tuple[Type, Raw]]


@dataclass(frozen=True, slots=True)
class NarratedEvent:
    """An event as a viewer sees it, with its position in the history and its message.

    `beside` are earlier events that its sentence mentions parenthetically, `implied` those that it makes redundant.
    """

    at: int
    event: Event
    message: str
    arguments: Arguments
    values: Mapping[str, Value]
    beside: tuple[NarratedEvent, ...] = ()
    implied: tuple[NarratedEvent, ...] = ()

    @property
    def key(self) -> object:
        """Identity of the narrated content, apart from its count."""
        slots = tuple((name, value) for name, (_, value) in self.arguments.items() if name != "n")
        return self.message, slots, tuple(aside.key for aside in self.beside)


@dataclass(frozen=True, slots=True)
class EventGroup:
    """One event, or a list of similar ones that share a clause.

    With `shared`, the events differ in one slot only, and the list consists of its values.
    """

    members: tuple[NarratedEvent, ...]
    shared: bool = False

    @property
    def first(self) -> NarratedEvent:
        """The first event of the group."""
        return self.members[0]

    @property
    def is_list(self) -> bool:
        """True if several events form a list."""
        return len(self.members) > 1

    @property
    def message(self) -> str:
        """The message of the group's sentence."""
        return f"{self.first.message}{self.end}" if self.is_list else self.first.message

    @property
    def end(self) -> str:
        """Suffix of the message for the whole list."""
        return SHARED if self.shared else TOGETHER

    @property
    def each(self) -> str:
        """Suffix of the message for a part of the list."""
        return f"{SHARED}{EACH}" if self.shared else EACH


@dataclass(frozen=True, slots=True, eq=False)
class EventClause:
    """Events that share one verb: a group, and further groups of the same kind, reduced to what differs.

    `about` is narrated in a relative clause on a thing in it.
    """

    groups: tuple[EventGroup, ...]
    about: NarratedEvent | None = None

    @property
    def first(self) -> NarratedEvent:
        """The first event of the clause."""
        return self.groups[0].first

    @property
    def events(self) -> Iterator[NarratedEvent]:
        """Yield the events, without those in parentheses."""
        for group in self.groups:
            yield from group.members
        if self.about is not None:
            yield self.about

    def all(self) -> Iterator[NarratedEvent]:
        """Yield all narrated events, without those that are only implied."""
        for narrated in self.events:
            yield from narrated.beside
            yield narrated


def narrated_events(narrator: Narrator, events: Sequence[tuple[int, Event]], viewer: int | None) -> list[NarratedEvent]:
    """Return the events that a viewer is told of, each with its position in the history."""
    result = []
    for index, event in events:
        seen = narrator.narrated(event, viewer)
        spoken = narrator.spoken_event(seen) if seen is not None else None
        if seen is not None and spoken is not None:
            result.append(NarratedEvent(index, seen, spoken.message, spoken.arguments, spoken.values))
    return result


def same_argument(one: NarratedEvent, other: NarratedEvent, name: str) -> bool:
    """Return whether two events have the same value in a slot; hidden values never agree."""
    value = one.arguments.get(name)
    return value is not None and value[1] is not None and value == other.arguments.get(name)


def number_of(arguments: Arguments) -> int:
    """Return the count of an event, 1 by default."""
    _, n = arguments.get("n", (NUMBER, 1))
    return n if isinstance(n, int) else 1


def first_of(events: Sequence[NarratedEvent]) -> dict[str, tuple[Type, Raw]]:
    """Return the earliest argument under each name."""
    return {name: value for narrated in reversed(events) for name, value in narrated.arguments.items()}
