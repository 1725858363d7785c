"""Events as somebody is told of them, and what those beside each other have to do with one another.

The catalogs say it, each message for itself; `Words` has the names.  A language that says nothing tells one event after
the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wongar_dsl.engine.events import Event
from wongar_dsl.model import NUMBER, Type
from wongar_dsl.narration.narrator import Narrator, Raw
from wongar_dsl.words import Attribute, Listing, Nominal, Relative, Said, Term, Text, Value
from wongar_dsl.words.clause import Slot
from wongar_dsl.words.words import ABOUT, AFTER, ALSO, ASIDE, EACH, HEADING, IMPLIED, SAME, TOGETHER

#: A sentence goes on up to so many characters.
LONGEST = 199

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
    """Events that one clause tells: one, a list of those that are alike, or one after another with the same verb.

    `about` is told in a clause about a thing in it.
    """

    tellings: tuple[Telling, ...]
    listed: bool = False
    about: Telling | None = None

    @property
    def first(self) -> Telling:
        """What is told first."""
        return self.tellings[0]

    def all(self) -> Iterator[Telling]:
        """All that is told here, without what is only implied."""
        for telling in (*self.tellings, *((self.about,) if self.about else ())):
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


class Joiner:
    """Puts events together as the language of a narrator does."""

    def __init__(self, narrator: Narrator) -> None:
        self.narrator, self.words, self.scope = narrator, narrator.words, narrator.scope

    def has(self, telling: Telling, end: str) -> bool:
        """Whether a message has such a sentence besides its own."""
        return self.words.has(f"{telling.message}{end}", self.scope)

    def waits(self, group: Group) -> bool:
        """Whether what comes next can still change how it is told."""
        return all(self.has(telling, IMPLIED) or self.has(telling, ASIDE) for telling in group.tellings)

    # ---- what is told with something else ----

    def without_implied(self, told: Sequence[Telling]) -> list[Telling]:
        """The events without those that the next ones say anyhow; these know of them."""
        found: list[Telling] = []
        waiting: list[Telling] = []
        for at, telling in enumerate(told):
            if self.has(telling, IMPLIED):
                waiting.append(telling)
                continue
            alike = [telling]
            for other in told[at + 1 :]:
                if other.message != telling.message:
                    break
                alike.append(other)
            implied = tuple(w for w in waiting if any(self._implies(other, w) for other in alike))
            found += [w for w in waiting if w not in implied]
            found.append(replace(telling, implied=implied))
            waiting = []
        return found + waiting

    def _implies(self, telling: Telling, other: Telling) -> bool:
        slots = self.words.slots(f"{other.message}{IMPLIED}", self.scope)
        return all(_agree(other, telling, slot) for slot in slots)

    def with_asides(self, told: Sequence[Telling], known: dict[str, tuple[Type, Raw]]) -> list[Telling]:
        """The events with those before them that are told by the way in their sentence.

        `known` are the last arguments of each name that were told before.
        """
        found: list[Telling] = []
        waiting: list[Telling] = []
        for telling in told:
            if self.has(telling, ASIDE):
                waiting.append(telling)
                continue
            if waiting and all(self._by_the_way(other, telling, known) for other in waiting):
                telling = replace(telling, beside=tuple(waiting), implied=(*_implied(waiting), *telling.implied))
            else:
                found += waiting
            for other in (*waiting, telling):
                known |= other.arguments
            found.append(telling)
            waiting = []
        return found + waiting

    def _by_the_way(self, other: Telling, telling: Telling, known: Arguments) -> bool:
        """Whether an event can be told as words behind a thing in another's sentence, and nothing of it gets lost."""
        agreed = any(_agree(other, telling, name) for name in telling.arguments)
        if not (agreed if self.has(telling, HEADING) else self.place_of(other, telling)):
            return False
        said = self.words.slots(f"{other.message}{ASIDE}", self.scope)
        unsaid = [name for name in other.arguments if name in self._spoken(other) and name not in said]
        return all(_agree(other, telling, name) or known.get(name) == other.arguments[name] for name in unsaid)

    def _spoken(self, telling: Telling) -> frozenset[str]:
        """The arguments that the sentence of an event says."""
        return self.words.slots(telling.message, self.scope)

    def place_of(self, other: Telling, telling: Telling) -> str | None:
        """The slot of a sentence for a thing of which another one speaks as well."""
        slots = self._spoken(telling)
        for end in (ALSO, EACH):
            if self.has(telling, end):
                slots &= self.words.slots(f"{telling.message}{end}", self.scope)
        things = (name for name, value in telling.values.items() if name in slots and isinstance(value, Term))
        return next((name for name in things if _agree(other, telling, name)), None)

    # ---- groups ----

    def groups(self, told: Sequence[Telling], lists_only: bool = False) -> list[Group]:
        """Events that one clause can tell, and those that are told about a thing in the clause before."""
        found: list[Group] = []
        for telling in told:
            last = found[-1] if found else None
            if last is not None and last.about is None and self._lists(last, telling):
                found[-1] = replace(last, tellings=(*last.tellings, telling), listed=True)
            elif lists_only:
                found.append(Group((telling,)))
            elif last is not None and last.about is None and self._goes_on(last, telling):
                found[-1] = replace(last, tellings=(*last.tellings, telling))
            elif last is not None and last.about is None and self.thing_of(telling, last) is not None:
                found[-1] = replace(last, about=telling)
            else:
                found.append(Group((telling,)))
        return found

    def _lists(self, group: Group, telling: Telling) -> bool:
        if len(group.tellings) > 1 and not group.listed:
            return False
        return shared(self.narrator, group.first) == shared(self.narrator, telling) is not None

    def _goes_on(self, group: Group, telling: Telling) -> bool:
        alike = group.first.message == telling.message and self.has(telling, ALSO)
        if not alike or group.listed or telling.implied:
            return False
        said = self.words.slots(f"{telling.message}{ALSO}", self.scope)
        shared = self._spoken(telling) - said
        same = all(telling.arguments.get(name) == group.first.arguments.get(name) for name in shared)
        if not same or self.words.opening(telling.message, self.scope) is None:
            return False
        deeds = Listing(tuple(self.clauses(replace(group, tellings=(*group.tellings, telling)))))
        return len(self.words.say("story.deeds", self.scope, deeds=deeds)) <= LONGEST

    def thing_of(self, telling: Telling, group: Group) -> str | None:
        """The slot of a group's sentence, its last one, for the thing that an event tells something about."""
        if not self.has(telling, ABOUT) or (len(group.tellings) > 1 and not group.listed):
            return None
        (slot,) = self.words.slots(f"{telling.message}{ABOUT}", self.scope) or ("",)
        message = f"{group.first.message}{TOGETHER}" if group.listed else group.first.message
        ends = self.words.last_slot(message, self.scope) == slot
        same = all(_agree(telling, other, slot) for other in group.tellings)
        return slot if ends and same and isinstance(group.first.values.get(slot), Term) else None

    # ---- clauses ----

    def clauses(self, group: Group, after: bool = False) -> list[Said]:
        """The clauses of a group; the first one can stand alone, or `after` those of the sentence before."""
        if group.listed:
            values: dict[str, Value] = {**group.first.values, "parts": Listing(tuple(self._parts(group)))}
            return [Said(f"{group.first.message}{TOGETHER}", self._with_about(values, group))]
        first = self._with_about(self._values(group.first), group)
        message = group.first.message
        if after:
            message = f"{message}{AFTER}"
        elif _repeats(first, self._spoken(group.first)) and self.has(group.first, SAME):
            message = f"{message}{SAME}"
        return [Said(message, first), *self._more(group)]

    def _more(self, group: Group) -> Iterator[Said]:
        """What is left of the sentences behind the first one; whoever it was about before is not named again."""
        before = self.subject(Said(group.first.message, group.first.values))
        for telling in group.tellings[1:]:
            about = self.subject(Said(telling.message, telling.values))
            yield Said(f"{telling.message}{ALSO}", self._values(telling), joined=about == before)
            before = about

    def subject(self, said: Said) -> object:
        """What a clause is about, if it stands at its beginning."""
        opening = self.words.opening(said.message, self.scope)
        return (opening, said.values.get(opening.name)) if isinstance(opening, Slot) else opening

    def _values(self, telling: Telling) -> dict[str, Value]:
        values = dict(telling.values)
        slots = dict.fromkeys(self.place_of(other, telling) for other in telling.beside)
        for slot in slots:
            thing = values[slot] if slot else None
            if slot and isinstance(thing, Term):
                here = [other for other in telling.beside if self.place_of(other, telling) == slot]
                values[slot] = Nominal(thing, modifiers=(Attribute("story.aside", {"said": by_the_way(here)}),))
        return values

    def _with_about(self, values: dict[str, Value], group: Group) -> dict[str, Value]:
        slot = self.thing_of(group.about, group) if group.about is not None else None
        thing = values[slot] if slot else None
        if group.about is None or slot is None or not isinstance(thing, Term):
            return values
        clause = Relative(group.about.message, slot, group.about.values, on=True)
        return {**values, slot: Nominal(thing, modifiers=(clause,))}

    def _parts(self, group: Group) -> Iterator[Text]:
        """The parts of a list; those that differ in nothing but their number are counted where the language does."""
        alike: dict[object, list[Telling]] = {}
        for telling in group.tellings:
            alike.setdefault(telling.key, []).append(telling)
        for same in alike.values():
            numbers = [number_of(telling.arguments) for telling in same]
            counted = self._part(same[0], sum(numbers))
            once = len(same) == 1 or counted != self._part(same[0], numbers[0])
            yield from map(Text, [counted] if once else [self._part(same[0], n) for n in numbers])

    def _part(self, telling: Telling, n: int) -> str:
        return self.words.say(f"{telling.message}{EACH}", self.scope, **{**self._values(telling), "n": n})


def _agree(one: Telling, other: Telling, name: str) -> bool:
    """Whether two events speak of the same thing under a name; of what is hidden nobody knows."""
    value = one.arguments.get(name)
    return value is not None and value[1] is not None and value == other.arguments.get(name)


def _implied(told: Sequence[Telling]) -> Iterator[Telling]:
    for telling in told:
        yield from telling.implied


def by_the_way(told: Sequence[Telling]) -> Value:
    """What events are in the sentence of another one."""
    return _chained([Said(f"{telling.message}{ASIDE}", telling.values) for telling in told])


def _chained(said: Sequence[Value]) -> Value:
    first, *more = said
    return Said("story.asides", {"first": first, "more": _chained(more)}) if more else first


def _repeats(values: Mapping[str, Value], said: frozenset[str]) -> bool:
    """Whether two of the terms that are said are the same."""
    terms = [value.name for name, value in values.items() if name in said and isinstance(value, Term)]
    return len(set(terms)) < len(terms)


def shared(narrator: Narrator, telling: Telling) -> object:
    """What an event has in common with others that can be told together with it; None if it is told alone."""
    message, words = telling.message, narrator.words
    if not all(words.has(f"{message}{part}", narrator.scope) for part in (TOGETHER, EACH)):
        return None
    slots = words.slots(f"{message}{TOGETHER}", narrator.scope)
    return message, tuple(sorted((name, value) for name, (_, value) in telling.arguments.items() if name in slots))


def number_of(arguments: Arguments) -> int:
    """How many there are of what an event is about."""
    _, n = arguments.get("n", (NUMBER, 1))
    return n if isinstance(n, int) else 1
