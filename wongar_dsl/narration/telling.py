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
from wongar_dsl.words import Again, Attribute, Listing, Nominal, Player, Relative, Said, Term, Text, Value
from wongar_dsl.words.clause import Slot
from wongar_dsl.words.words import ABOUT, AFTER, ALSO, ASIDE, EACH, HEADING, IMPLIED, SAME, TOGETHER

#: A sentence goes on up to so many characters.
LONGEST = 199
#: So many numbered things that follow on each other are told as a row of them.
FEWEST = 3

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
    """One event, or a list of those that are alike; its part of a clause."""

    tellings: tuple[Telling, ...]

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
        return f"{self.first.message}{TOGETHER}" if self.listed else self.first.message


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


class Joiner:
    """Puts events together as the language of a narrator does."""

    def __init__(self, narrator: Narrator) -> None:
        self.narrator, self.words, self.scope = narrator, narrator.words, narrator.scope

    def has(self, telling: Telling, end: str) -> bool:
        """Whether a message has such a sentence besides its own."""
        return self.words.has(f"{telling.message}{end}", self.scope)

    def waits(self, deed: Deed) -> bool:
        """Whether what comes next can still change how it is told."""
        return all(self.has(telling, IMPLIED) or self.has(telling, ASIDE) for telling in deed.tellings)

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

    def implied_by_asking(self, telling: Telling, player: Player) -> bool:
        """Whether an event is not told where who comes next says it, and a question to a player says that."""
        slots = self.words.slots(f"{telling.message}{IMPLIED}", self.scope) if self.has(telling, IMPLIED) else ()
        return bool(slots) and all(telling.values.get(slot) == player for slot in slots)

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

    # ---- deeds ----

    def deeds(self, told: Sequence[Telling], lists_only: bool = False) -> list[Deed]:
        """Events that one clause can tell, and those that are told about a thing in the clause before."""
        found: list[Deed] = []
        for telling in told:
            found[-1:] = self._with(found[-1], telling, lists_only) if found else [Deed((Group((telling,)),))]
        return found

    def _with(self, deed: Deed, telling: Telling, lists_only: bool) -> list[Deed]:
        """A deed that tells an event as well; or two, where the event has to be told by another one."""
        alone = [deed, Deed((Group((telling,)),))]
        if deed.about is not None:
            return alone
        *before, last = deed.groups
        if self._alike(last.first, telling, lists_only):
            more = Group((*last.tellings, telling))
            whole = replace(deed, groups=(*before, more))
            if not before or (self._goes_on(Deed(tuple(before)), more) and self._fits(whole)):
                return [whole]
            return [Deed(tuple(before)), Deed((more,))]
        if lists_only:
            return alone
        whole = replace(deed, groups=(*deed.groups, Group((telling,))))
        if self._goes_on(deed, whole.groups[-1]) and self._fits(whole):
            return [whole]
        return alone if self.thing_of(telling, deed) is None else [replace(deed, about=telling)]

    def _alike(self, one: Telling, other: Telling, lists_only: bool) -> bool:
        """Whether two events can be parts of one list, or happened again."""
        if self._lists(one.message):
            return self._shared(one) == self._shared(other)
        return not lists_only and one.key == other.key and self._counts(one)

    def _lists(self, message: str) -> bool:
        """Whether a message has sentences for a list of its events."""
        return all(self.words.has(f"{message}{end}", self.scope) for end in (TOGETHER, EACH))

    def _shared(self, telling: Telling) -> object:
        """What an event has in common with others in a list."""
        slots = self.words.slots(f"{telling.message}{TOGETHER}", self.scope)
        return telling.message, {name: value for name, (_, value) in telling.arguments.items() if name in slots}

    def _counts(self, telling: Telling) -> bool:
        """Whether a message has a sentence for what happens several times, which says how often."""
        together = f"{telling.message}{TOGETHER}"
        return self.words.has(together, self.scope) and "parts" not in self.words.slots(together, self.scope)

    def _goes_on(self, deed: Deed, group: Group) -> bool:
        """Whether of a group only the rest need be said behind others of its sort."""
        first, telling, message = deed.groups[0], group.first, group.first.message
        # Where there are lists, what comes next may make one of it.
        ends = (ALSO, f"{TOGETHER}{ALSO}") if self._lists(message) else (ALSO,)
        if deed.first.message != message or not all(self.words.has(f"{message}{end}", self.scope) for end in ends):
            return False
        unsaid = self.words.slots(first.message, self.scope) - self.words.slots(f"{group.message}{ALSO}", self.scope)
        same = all(telling.arguments.get(name) == deed.first.arguments.get(name) for name in unsaid)
        return same and not telling.implied and self.words.opening(first.message, self.scope) is not None

    def _fits(self, deed: Deed) -> bool:
        deeds = Listing(tuple(self.clauses(deed)))
        return len(self.words.say("story.deeds", self.scope, deeds=deeds)) <= LONGEST

    def thing_of(self, telling: Telling, deed: Deed) -> str | None:
        """The slot of a deed's sentence, its last one, for the thing that an event tells something about."""
        if not self.has(telling, ABOUT) or len(deed.groups) > 1:
            return None
        (slot,) = self.words.slots(f"{telling.message}{ABOUT}", self.scope) or ("",)
        (group,) = deed.groups
        ends = self.words.last_slot(group.message, self.scope) == slot
        same = all(_agree(telling, other, slot) for other in group.tellings)
        return slot if ends and same and isinstance(group.first.values.get(slot), Term) else None

    # ---- clauses ----

    def clauses(self, deed: Deed, after: bool = False) -> list[Said]:
        """The clauses of a deed; the first one can stand alone, or `after` those of the sentence before."""
        first, *more = deed.groups
        message, values = first.message, self._with_about(self._values_of(first), deed)
        if after:
            message = f"{message}{AFTER}"
        elif _repeats(values, self.words.slots(message, self.scope)) and self.has(first.first, SAME):
            message = f"{message}{SAME}"
        said, before = [Said(message, values)], first
        for group in more:
            values = _elided(self._values_of(group), self._values_of(before))
            joined = self._about_whom(group) == self._about_whom(before)
            said.append(Said(f"{group.message}{ALSO}", values, joined=joined))
            before = group
        return said

    def _about_whom(self, group: Group) -> object:
        return self.subject(Said(group.message, self._values_of(group)))

    def subject(self, said: Said) -> object:
        """What a clause is about, if it stands at its beginning."""
        opening = self.words.opening(said.message, self.scope)
        return (opening, said.values.get(opening.name)) if isinstance(opening, Slot) else opening

    def _values_of(self, group: Group) -> dict[str, Value]:
        """What the slots of a group's sentence are filled with; what happened again is counted."""
        if not group.listed:
            return self._values(group.first)
        if not self._lists(group.first.message):
            return {**group.first.values, "n": len(group.tellings)}
        return {**group.first.values, "parts": Listing(tuple(self._parts(group)))}

    def _values(self, telling: Telling) -> dict[str, Value]:
        values = dict(telling.values)
        slots = dict.fromkeys(self.place_of(other, telling) for other in telling.beside)
        for slot in slots:
            thing = values[slot] if slot else None
            if slot and isinstance(thing, Term):
                here = [other for other in telling.beside if self.place_of(other, telling) == slot]
                values[slot] = Nominal(thing, modifiers=(Attribute("story.aside", {"said": by_the_way(here)}),))
        return values

    def _with_about(self, values: dict[str, Value], deed: Deed) -> dict[str, Value]:
        slot = self.thing_of(deed.about, deed) if deed.about is not None else None
        thing = values[slot] if slot else None
        if deed.about is None or slot is None or not isinstance(thing, Term):
            return values
        clause = Relative(deed.about.message, slot, deed.about.values, on=True)
        return {**values, slot: Nominal(thing, modifiers=(clause,))}

    def _parts(self, group: Group) -> Iterator[Text]:
        """The parts of a list; of those that differ in nothing but their number that is told, or else how often.

        Those that begin alike stand together, and what they begin with is named once.
        """
        begins = self.words.first_slot(f"{group.first.message}{EACH}", self.scope) or ""
        together: dict[object, dict[object, list[Telling]]] = {}
        for telling in group.tellings:
            together.setdefault(telling.arguments.get(begins), {}).setdefault(telling.key, []).append(telling)
        alike = [same for parts in together.values() for same in parts.values()]
        if all(len(same) == 1 for same in alike):
            row = self._row(begins, [same[0] for same in alike])
            if row is not None:
                yield Text(self._part(group, {**self._values(alike[0][0]), "n": 0, begins: row}))
                return
        before: Mapping[str, Value] = {}
        for same in alike:
            values = {**self._values(same[0]), "n": 0}
            numbers = [number_of(telling.arguments) for telling in same]
            counted = self._part(group, _elided({**values, "n": sum(numbers)}, before))
            once = len(same) == 1 or counted != self._part(group, _elided({**values, "n": numbers[0]}, before))
            yield Text(counted if once else self.words.say("story.times", part=Text(counted), n=len(same)))
            before = values

    def _row(self, slot: str, told: Sequence[Telling]) -> Value | None:
        """Numbered things that stand in a slot, and follow on each other, as one: *places 1 to 6*; None if they are
        none, or if there is more to tell."""
        first = told[0]
        kind = first.arguments[slot][0] if slot in first.arguments else None
        if len(told) < FEWEST or kind is None or kind.kind != "enum" or not self.words.has_term(kind.name, self.scope):
            return None
        said = self.words.slots(f"{first.message}{EACH}", self.scope) - {slot}
        if any(telling.beside or number_of(telling.arguments) != 1 for telling in told):
            return None
        if any(telling.arguments.get(name) != first.arguments.get(name) for telling in told for name in said):
            return None
        numbers = sorted(value for telling in told if isinstance(value := telling.arguments[slot][1], int))
        if numbers != list(range(numbers[0], numbers[0] + len(told))):
            return None
        model, term = self.narrator.game.model, self.words.term
        named = [term(model.value_name(kind, number), self.scope).rpartition(" ") for number in numbers]
        counted = [int(digits) for _, _, digits in named if digits.isdecimal()]
        same = {name.casefold() for name, _, _ in named} == {term(kind.name, self.scope).casefold()}
        if not same or counted != list(range(counted[0], counted[0] + len(named))):
            return None
        ends = {"first": Text(named[0][2]), "last": Text(named[-1][2])}
        return Nominal(Term(kind.name, self.scope), several=True, modifiers=(Attribute("story.row", ends),))

    def _part(self, group: Group, values: Mapping[str, Value]) -> str:
        return self.words.say(f"{group.first.message}{EACH}", self.scope, **values)


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


def _elided(values: Mapping[str, Value], before: Mapping[str, Value]) -> dict[str, Value]:
    """Values of which those that were named just before in the same slot need only be counted."""
    return {name: _again(value) if _same_sort(value, before.get(name)) else value for name, value in values.items()}


def _same_sort(value: Value, before: Value | None) -> bool:
    """Whether two numbers count the same, or two terms are."""
    if isinstance(value, int) and not isinstance(value, bool):
        return isinstance(before, int)
    return isinstance(value, Term) and value == before


def _again(value: Value) -> Value:
    return replace(value, again=True) if isinstance(value, Term) else Again(value) if isinstance(value, int) else value


def _repeats(values: Mapping[str, Value], said: frozenset[str]) -> bool:
    """Whether two of the terms that are said are the same."""
    terms = [value.name for name, value in values.items() if name in said and isinstance(value, Term)]
    return len(set(terms)) < len(terms)


def number_of(arguments: Arguments) -> int:
    """How many there are of what an event is about."""
    _, n = arguments.get("n", (NUMBER, 1))
    return n if isinstance(n, int) else 1
