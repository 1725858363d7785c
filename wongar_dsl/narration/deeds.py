"""Events as somebody is told of them: one by one, those that are alike as a list, and what one verb tells of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.engine.events import Event
from wongar_dsl.model import NUMBER, Type
from wongar_dsl.narration.narrator import Narrator, Raw
from wongar_dsl.words import Value
from wongar_dsl.words.words import EACH, SHARED, TOGETHER

Arguments = Mapping[str, tuple[Type, Raw]]


@dataclass(frozen=True, slots=True)
class Telling:
    """An event as a viewer sees it, with its place in the history and the message that tells it.

    `beside` are those before it that its sentence tells by the way, `implied` those that it says anyhow.
    """

    at: int
    event: Event
    message: str
    arguments: Arguments
    values: Mapping[str, Value]
    beside: tuple[Telling, ...] = ()
    implied: tuple[Telling, ...] = ()

    @property
    def key(self) -> object:
        """What is told, without how many."""
        known = tuple((name, value) for name, (_, value) in self.arguments.items() if name != "n")
        return self.message, known, tuple(other.key for other in self.beside)


@dataclass(frozen=True, slots=True)
class Group:
    """One event, or a list of those that are alike; its part of a clause.

    Those that differ in one thing only are `shared` out, and of that one the list is.
    """

    tellings: tuple[Telling, ...]
    shared: bool = False

    @property
    def first(self) -> Telling:
        """What is told first."""
        return self.tellings[0]

    @property
    def listed(self) -> bool:
        """Whether several are told as a list."""
        return len(self.tellings) > 1

    @property
    def message(self) -> str:
        """The sentence that tells it."""
        return f"{self.first.message}{self.end}" if self.listed else self.first.message

    @property
    def end(self) -> str:
        """What the name of the sentence for the list ends with."""
        return SHARED if self.shared else TOGETHER

    @property
    def each(self) -> str:
        """What the name of the sentence for a part of the list ends with."""
        return f"{SHARED}{EACH}" if self.shared else EACH


@dataclass(frozen=True, slots=True)
class Deed:
    """Events that one verb tells: some alike, and behind them others of their sort, of which only the rest is said.

    `about` is told in a clause about a thing in it.
    """

    groups: tuple[Group, ...]
    about: Telling | None = None

    @property
    def first(self) -> Telling:
        """What is told first."""
        return self.groups[0].first

    @property
    def tellings(self) -> Iterator[Telling]:
        """What is told one by one, without what stands in the sentence of another one."""
        for group in self.groups:
            yield from group.tellings
        if self.about is not None:
            yield self.about

    def all(self) -> Iterator[Telling]:
        """All that is told here, without what is only implied."""
        for telling in self.tellings:
            yield from telling.beside
            yield telling


def tellings(narrator: Narrator, events: Sequence[tuple[int, Event]], viewer: int | None) -> list[Telling]:
    """What a viewer is told of events, each with its place in the history."""
    found = []
    for at, event in events:
        seen = narrator.seen(event, viewer)
        spoken = narrator.spoken(seen) if seen is not None else None
        if seen is not None and spoken is not None:
            found.append(Telling(at, seen, spoken.message, spoken.arguments, spoken.values))
    return found


def agree(one: Telling, other: Telling, name: str) -> bool:
    """Whether two events speak of the same thing under a name; of what is hidden nobody knows."""
    value = one.arguments.get(name)
    return value is not None and value[1] is not None and value == other.arguments.get(name)


def number_of(arguments: Arguments) -> int:
    """How many there are of what an event is about."""
    _, n = arguments.get("n", (NUMBER, 1))
    return n if isinstance(n, int) else 1


def first_of(told: Sequence[Telling]) -> dict[str, tuple[Type, Raw]]:
    """The first arguments of each name."""
    return {name: value for telling in reversed(told) for name, value in telling.arguments.items()}
