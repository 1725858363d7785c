"""Aggregation of events: implied events, parentheticals, lists, repetitions, and shared subjects.

The catalogs define it for each message with the suffixes in `Translator`. In a language without such messages, each
event has its own sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile

from wongar_dsl.engine.events import Event
from wongar_dsl.language.semantics import NUMBER, Type
from wongar_dsl.nlg.narration.narrator import Narrator, Raw
from wongar_dsl.nlg.words import (
    UNSAID,
    Anaphor,
    Attribute,
    Listing,
    NounPhrase,
    PlayerName,
    Relative,
    Sentence,
    Term,
    Text,
    Value,
)
from wongar_dsl.nlg.words.arguments import is_number
from wongar_dsl.nlg.words.clause import AgreeingAdjective, Slot
from wongar_dsl.nlg.words.translator import (
    ABOUT,
    AFTER,
    ALSO,
    ASIDE,
    EACH,
    ECHOED,
    HEADING,
    IMPLIED,
    KNOWN,
    REPEATED,
    SAME,
    SHARED,
    TOGETHER,
    repeats_a_term,
)

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


#: Maximum length of an extended sentence, in characters.
MAX_SENTENCE_LENGTH = 199
#: Minimum number of consecutive numbered things for a range (*1 to 3*).
MIN_ROW_LENGTH = 3


class Aggregator:
    """Aggregator of events in the language of a narrator."""

    def __init__(self, narrator: Narrator) -> None:
        self.narrator, self.words, self.scope = narrator, narrator.words, narrator.scope
        self.clauses = cache(self._clauses)

    def has(self, event: NarratedEvent, end: str) -> bool:
        """Return whether a message has the sentence with this suffix."""
        return self.words.has(f"{event.message}{end}", self.scope)

    def may_aggregate_further(self, clause: EventClause) -> bool:
        """Return whether the next events can still change how a clause is narrated."""
        return all(self.has(narrated, IMPLIED) or self.has(narrated, ASIDE) for narrated in clause.events)

    # ---- implied and parenthetical events ----

    def drop_implied(self, events: Sequence[NarratedEvent]) -> list[NarratedEvent]:
        """Return the events without those that a neighbour implies; the neighbour records them."""
        result: list[NarratedEvent] = []
        waiting: list[NarratedEvent] = []
        for index, narrated in enumerate(events):
            if result and not waiting and self._echoes(narrated, result[-1]):
                result[-1] = replace(result[-1], implied=(*result[-1].implied, narrated))
                continue
            if self.has(narrated, IMPLIED):
                waiting.append(narrated)
                continue
            implied = self._implied_by(events[index:], waiting) if waiting else ()
            dropped = {w.at for w in implied}
            result += [w for w in waiting if w.at not in dropped]
            result.append(replace(narrated, implied=implied) if implied else narrated)
            waiting = []
        return result + waiting

    def _implied_by(
        self, events: Sequence[NarratedEvent], waiting: Sequence[NarratedEvent]
    ) -> tuple[NarratedEvent, ...]:
        """Return those of the waiting events that agree with one of the first events with the same message."""
        slots = {w.message: self.words.slots(f"{w.message}{IMPLIED}", self.scope) for w in waiting}
        alike = list(takewhile(lambda event: event.message == events[0].message, events))
        said = {(message, _arguments(event, names)) for message, names in slots.items() for event in alike}
        return tuple(
            w
            for w in waiting
            if all(same_argument(w, w, name) for name in slots[w.message])
            and (w.message, _arguments(w, slots[w.message])) in said
        )

    def _echoes(self, event: NarratedEvent, before: NarratedEvent) -> bool:
        """Return whether an event repeats what the previous sentence said."""
        if not self.has(event, ECHOED):
            return False
        repeatable = [before.arguments[name] for name in self._spoken(before) if name in before.arguments]
        slots = self.words.slots(f"{event.message}{ECHOED}", self.scope)
        return all(event.arguments.get(slot) in repeatable for slot in slots)

    def implied_by_prompt(self, event: NarratedEvent, player: PlayerName) -> bool:
        """Return whether an event is redundant if the next decision belongs to `player`."""
        values = self._implied_values(event)
        return bool(values) and all(value == player for value in values)

    def says_whose_turn(self, event: NarratedEvent) -> bool:
        """Return whether an event only announces whose turn it is, as a prompt does."""
        values = self._implied_values(event)
        return bool(values) and all(isinstance(value, PlayerName) for value in values)

    def _implied_values(self, event: NarratedEvent) -> list[Value | None]:
        slots = self.words.slots(f"{event.message}{IMPLIED}", self.scope) if self.has(event, IMPLIED) else ()
        return [event.values.get(slot) for slot in slots]

    def attach_parentheticals(
        self, events: Sequence[NarratedEvent], known: dict[str, tuple[Type, Raw]], part: bool = False
    ) -> list[NarratedEvent]:
        """Return the events, with parenthetical ones attached to the following sentence.

        `known` are the last narrated arguments by name. For a `part` of a game, the first arguments in it count as
        known too.
        """
        result: list[NarratedEvent] = []
        waiting: list[NarratedEvent] = []
        for narrated in events:
            if self.has(narrated, ASIDE):
                waiting.append(narrated)
                continue
            before = first_of(waiting) | known if part else known
            if waiting and all(self._by_the_way(aside, narrated, before) for aside in waiting):
                narrated = replace(
                    narrated, beside=tuple(waiting), implied=tuple(i for t in (*waiting, narrated) for i in t.implied)
                )
            else:
                result += waiting
            for aside in (*waiting, narrated):
                known |= aside.arguments
            result.append(narrated)
            waiting = []
        return result + waiting

    def _by_the_way(self, other: NarratedEvent, event: NarratedEvent, known: Arguments) -> bool:
        """Return whether an event can become a phrase behind a noun of another sentence without loss of information."""
        agreed = any(same_argument(other, event, name) for name in event.arguments)
        if not (agreed if self.has(event, HEADING) else self.place_of(other, event)):
            return False
        shown = self.words.slots(f"{other.message}{ASIDE}", self.scope)
        hidden = [name for name in other.arguments if name in self._spoken(other) and name not in shown]
        return all(same_argument(other, event, name) or known.get(name) == other.arguments[name] for name in hidden)

    def _spoken(self, event: NarratedEvent) -> frozenset[str]:
        """Return the slots in the sentence of an event."""
        return self.words.slots(event.message, self.scope)

    def place_of(self, other: NarratedEvent, event: NarratedEvent) -> str | None:
        """Return the slot of a sentence for a thing that another event mentions as well."""
        slots = self._spoken(event)
        for end in (ALSO, EACH):
            if self.has(event, end):
                slots &= self.words.slots(f"{event.message}{end}", self.scope)
        things = (name for name, value in event.values.items() if name in slots and isinstance(value, Term))
        return next((name for name in things if same_argument(other, event, name)), None)

    # ---- clauses from events ----

    def event_clauses(self, events: Sequence[NarratedEvent], lists_only: bool = False) -> list[EventClause]:
        """Combine events into clauses, including relative clauses on a thing in the previous clause."""
        result: list[EventClause] = []
        for narrated in events:
            result[-1:] = (
                self._with(result[-1], narrated, lists_only) if result else [EventClause((EventGroup((narrated,)),))]
            )
        return result

    def _with(self, clause: EventClause, event: NarratedEvent, lists_only: bool) -> list[EventClause]:
        """Return a clause extended by an event, or two clauses if it needs its own."""
        alone = [clause, EventClause((EventGroup((event,)),))]
        if clause.about is not None:
            return alone
        *before, last = clause.groups
        more = self._longer(last, event, lists_only)
        if more is not None:
            whole = replace(clause, groups=(*before, more))
            if not before or (self._goes_on(EventClause(tuple(before)), more) and self._fits(whole)):
                return [whole]
            return [EventClause(tuple(before)), EventClause((more,))]
        whole = EventClause((*clause.groups, EventGroup((event,))))
        if not lists_only and self._goes_on(clause, whole.groups[-1]) and self._fits(whole):
            return [whole]
        return alone if lists_only or self.thing_of(event, clause) is None else [replace(clause, about=event)]

    def _longer(self, group: EventGroup, event: NarratedEvent, lists_only: bool) -> EventGroup | None:
        """Return the group extended by an event that joins its list or repeats it, or None."""
        first, events = group.first, (*group.members, event)
        if not self._lists(first.message):
            repeated = not lists_only and self._counts(first) and first.key == event.key
            return EventGroup(events) if repeated else None
        if not group.shared and self._common(first, TOGETHER) == self._common(event, TOGETHER):
            return EventGroup(events)
        if not (group.shared or len(group.members) == 1) or not self._lists(first.message, SHARED):
            return None
        each_once = len({item.key for item in events}) == len(events)
        same = self._common(first, SHARED) == self._common(event, SHARED)
        plain = all(number_of(item.arguments) == 1 and not item.beside for item in events)
        return EventGroup(events, shared=True) if same and each_once and plain else None

    def _lists(self, message: str, end: str = TOGETHER) -> bool:
        """Return whether a message has sentences for a list of its events."""
        each = EACH if end == TOGETHER else f"{end}{EACH}"
        return all(self.words.has(f"{message}{name}", self.scope) for name in (end, each))

    def _common(self, event: NarratedEvent, end: str) -> object:
        """Return the properties that all events of a list must share."""
        slots = self.words.slots(f"{event.message}{end}", self.scope)
        return event.message, {name: value for name, (_, value) in event.arguments.items() if name in slots}

    def _counts(self, event: NarratedEvent) -> bool:
        """Return whether a message has a sentence that counts repetitions of the event."""
        together = f"{event.message}{TOGETHER}"
        return self.words.has(together, self.scope) and "parts" not in self.words.slots(together, self.scope)

    def _goes_on(self, clause: EventClause, group: EventGroup) -> bool:
        """Return whether a group can follow others of its kind in reduced form."""
        first, narrated, message = clause.groups[0], group.first, group.first.message
        # If the message has lists, the next event may turn this one into a list.
        ends = (ALSO, f"{group.end}{ALSO}") if self._lists(message) else (ALSO,)
        if clause.first.message != message or not all(self.words.has(f"{message}{end}", self.scope) for end in ends):
            return False
        if self._sentence_of(group)[1].startswith(REPEATED):
            return False
        mentioned = self.words.slots(f"{group.message}{ALSO}", self.scope)
        if group.is_list:
            mentioned |= self.words.slots(f"{message}{group.each}", self.scope)
        omitted = self.words.slots(first.message, self.scope) - mentioned
        same = all(narrated.arguments.get(name) == clause.first.arguments.get(name) for name in omitted)
        return same and not narrated.implied and self.words.opening(first.message, self.scope) is not None

    def _fits(self, clause: EventClause) -> bool:
        deeds = Listing(tuple(self.clauses(clause)))
        return len(self.words.say("story.deeds", self.scope, deeds=deeds)) <= MAX_SENTENCE_LENGTH

    def thing_of(self, event: NarratedEvent, clause: EventClause) -> str | None:
        """Return the last slot of a clause if an event describes the thing in it, or None."""
        if not self.has(event, ABOUT) or len(clause.groups) > 1:
            return None
        (slot,) = self.words.slots(f"{event.message}{ABOUT}", self.scope) or ("",)
        (group,) = clause.groups
        last = self.words.parts(group.message, self.scope)[-1:]
        ends = any(isinstance(part, Slot) and part.name == slot for part in last)
        same = all(same_argument(event, item, slot) for item in group.members)
        return slot if ends and same and isinstance(group.first.values.get(slot), Term) else None

    # ---- clauses ----

    def _clauses(self, clause: EventClause, after: bool = False) -> list[Sentence]:
        """Return the clauses; the first is independent, or with `after` the second half of the previous sentence."""
        first, *more = clause.groups
        message, each = (first.message, first.each) if after else self._sentence_of(first)
        values = self._with_about(self._values_of(first, each), clause)
        if after:
            message = f"{message}{AFTER}"
        elif repeats_a_term(values, self.words.slots(message, self.scope)) and self.has(first.first, SAME):
            message = f"{message}{SAME}"
        result, before = [Sentence(message, values)], first
        for group in more:
            values = _elided(self._values_of(group), self._values_of(before))
            joined = self._about_whom(group) == self._about_whom(before)
            result.append(Sentence(f"{group.message}{ALSO}", values, joined=joined))
            before = group
        return result

    def continuation(self, clause: EventClause, before: EventClause) -> list[Sentence]:
        """Return the clauses as they follow another one with the same subject, without repeated information."""
        first, *more = [Sentence(said.message, said.values, joined=True) for said in self.clauses(clause)]
        named = f"{clause.first.message}{KNOWN}"
        slots = self.words.slots(named, self.scope) if self.words.has(named, self.scope) else frozenset()
        events = [*clause.events, *before.events]
        repeated = [slot for slot in slots if all(same_argument(events[0], event, slot) for event in events)]
        said_there = {slot for said in self.clauses(before) for slot in self.words.slots(said.message, self.scope)}
        values = {**first.values, **{slot: UNSAID for slot in repeated if slot in said_there}}
        return [replace(first, values=values), *more]

    def _sentence_of(self, group: EventGroup) -> tuple[str, str]:
        """Return the message of a group's sentence, and the suffix for the parts of its list."""
        message = group.first.message
        lists = group.is_list and not group.shared and self._lists(message, REPEATED)
        if lists and len({narrated.key for narrated in group.members}) < len(group.members):
            return f"{message}{REPEATED}", f"{REPEATED}{EACH}"
        return group.message, group.each

    def _about_whom(self, group: EventGroup) -> object:
        return self.subject(Sentence(group.message, self._values_of(group)))

    def subject(self, sentence: Sentence) -> object:
        """Return the subject of a clause, if it comes first."""
        opening = self.words.opening(sentence.message, self.scope)
        return (opening, sentence.values.get(opening.name)) if isinstance(opening, Slot) else opening

    def _values_of(self, group: EventGroup, each: str | None = None) -> dict[str, Value]:
        """Return the values for a group's sentence; repetitions are counted."""
        if not group.is_list:
            return self._values(group.first)
        if not self._lists(group.first.message):
            return {**group.first.values, "n": len(group.members)}
        return {**group.first.values, "parts": Listing(tuple(self._parts(group, each or group.each)))}

    def _values(self, narrated: NarratedEvent) -> dict[str, Value]:
        values = dict(narrated.values)
        slots = dict.fromkeys(self.place_of(event, narrated) for event in narrated.beside)
        for slot in slots:
            thing = values[slot] if slot else None
            if slot and isinstance(thing, Term):
                asides = [event for event in narrated.beside if self.place_of(event, narrated) == slot]
                adjectives, rest = list[str](), list[NarratedEvent]()
                for event in asides:
                    match self.words.parts(f"{event.message}{ASIDE}", self.scope):
                        case (AgreeingAdjective(adjective),):
                            adjectives.append(adjective)
                        case _:
                            rest.append(event)
                aside = (Attribute("story.aside", {"said": parenthetical_events(rest)}),) if rest else ()
                values[slot] = NounPhrase(thing, modifiers=aside, besides=tuple(adjectives))
        return values

    def _with_about(self, values: dict[str, Value], clause: EventClause) -> dict[str, Value]:
        slot = self.thing_of(clause.about, clause) if clause.about is not None else None
        thing = values[slot] if slot else None
        if clause.about is None or slot is None or not isinstance(thing, Term):
            return values
        relative = Relative(clause.about.message, slot, clause.about.values, on=True)
        return {**values, slot: NounPhrase(thing, modifiers=(relative,))}

    def _parts(self, group: EventGroup, each: str) -> Iterator[Text]:
        """Yield the parts of a list; parts that differ only in number are added up, equal ones counted.

        Parts that begin with the same thing stand together and name it once.
        """
        sorts = EACH if each.startswith(REPEATED) else each
        first = next(iter(self.words.parts(f"{group.first.message}{sorts}", self.scope)), None)
        begins = first.name if isinstance(first, Slot) else ""
        together: dict[object, dict[object, list[NarratedEvent]]] = {}
        for narrated in group.members:
            together.setdefault(narrated.arguments.get(begins), {}).setdefault(narrated.key, []).append(narrated)
        alike = [same for parts in together.values() for same in parts.values()]
        numbers = self._numbers(begins, [same[0] for same in alike])
        if numbers is not None:
            alike = [same for _, same in sorted(zip(numbers, alike, strict=True), key=lambda pair: pair[0])]
            row = self._row(begins, [same[0] for same in alike], sorted(numbers))
            if row is not None and all(len(same) == 1 for same in alike):
                values = {**self._values(alike[0][0]), "n": len(alike), begins: row}
                yield Text(self._part(group, each, values))
                return
        before: Mapping[str, Value] = {}
        common = self.words.slots(group.message, self.scope) - {begins}
        for same in alike:
            values = {**self._values(same[0]), "n": 0}
            counts = [number_of(narrated.arguments) for narrated in same]
            counted, increased, single = ({**values, "n": n} for n in (sum(counts), sum(counts) + 1, counts[0]))
            part = self._part(group, each, _part_of(counted, before, common))
            if len(same) == 1 or part != self._part(group, each, _part_of(increased, before, common)):
                yield Text(part)
            else:
                part = self._part(group, each, _part_of(single, before, common))
                yield Text(self.words.say("story.times", part=Text(part), n=len(same)))
            before = counted

    def _numbers(self, slot: str, events: Sequence[NarratedEvent]) -> list[int] | None:
        """Return the numbers of numbered things in a slot; None if they are not numbered."""
        kind = events[0].arguments[slot][0] if slot in events[0].arguments else None
        if kind is None or kind.kind != "enum" or not self.words.has_term(kind.name, self.scope):
            return None
        values = [value for narrated in events if isinstance(value := narrated.arguments[slot][1], int) and value >= 0]
        model, term = self.narrator.game.model, self.words.term
        named = [term(model.value_name(kind, value), self.scope).rpartition(" ") for value in values]
        same = {name.casefold() for name, _, _ in named} == {term(kind.name, self.scope).casefold()}
        numbers = [int(digits) for _, _, digits in named if digits.isdecimal()]
        return numbers if same and len(numbers) == len(events) else None

    def _row(self, slot: str, events: Sequence[NarratedEvent], numbers: Sequence[int]) -> Value | None:
        """Return numbered things in a slot as one noun phrase: *places 1 to 6*, *places 2 and 5*.

        None if there is only one, or if the events have further information.
        """
        first = events[0]
        other_slots = self.words.slots(f"{first.message}{EACH}", self.scope) - {slot}
        if len(events) == 1 or any(narrated.beside or number_of(narrated.arguments) != 1 for narrated in events):
            return None
        if any(
            narrated.arguments.get(name) != first.arguments.get(name) for narrated in events for name in other_slots
        ):
            return None
        if len(events) >= MIN_ROW_LENGTH and list(numbers) == list(range(numbers[0], numbers[0] + len(events))):
            ends = {"first": Text(str(numbers[0])), "last": Text(str(numbers[-1]))}
            which = Attribute("story.row", ends)
        else:
            which = Attribute("story.numbers", {"numbers": Listing(tuple(Text(str(number)) for number in numbers))})
        kind, _ = first.arguments[slot]
        return NounPhrase(Term(kind.name, self.scope), several=True, modifiers=(which,))

    def _part(self, group: EventGroup, each: str, values: Mapping[str, Value]) -> str:
        return self.words.say(f"{group.first.message}{each}", self.scope, **values)


def _arguments(event: NarratedEvent, names: Set[str]) -> tuple[tuple[Type, Raw] | None, ...]:
    return tuple(map(event.arguments.get, names))


def parenthetical_events(events: Sequence[NarratedEvent]) -> Value:
    """Return the parenthetical phrase for events in the sentence of another one."""
    return _chained([Sentence(f"{narrated.message}{ASIDE}", narrated.values) for narrated in events])


def _chained(said: Sequence[Value]) -> Value:
    first, *more = said
    return Sentence("story.asides", {"first": first, "more": _chained(more)}) if more else first


def _elided(values: Mapping[str, Value], before: Mapping[str, Value]) -> dict[str, Value]:
    """Return values reduced to a count where the same slot of the previous part names the same thing."""
    return {name: _again(value) if _same_sort(value, before.get(name)) else value for name, value in values.items()}


def _part_of(values: Mapping[str, Value], before: Mapping[str, Value], common: Set[str]) -> dict[str, Value]:
    """Return the values of a list part; a player in all parts (`common`) is named with the first one only.

    Any other player identifies the owner of the part, so that name is kept.
    """
    same = (name for name, value in values.items() if name in common and before.get(name) == value)
    return {**_elided(values, before), **{name: UNSAID for name in same if isinstance(values[name], PlayerName)}}


def _same_sort(value: Value, before: Value | None) -> bool:
    """Return whether both values are numbers, or the same term."""
    if is_number(value):
        return isinstance(before, int)
    return isinstance(value, Term) and value == before


def _again(value: Value) -> Value:
    return (
        replace(value, again=True) if isinstance(value, Term) else Anaphor(value) if isinstance(value, int) else value
    )
