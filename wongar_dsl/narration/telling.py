"""What events beside each other have to do with one another, as somebody is told of them.

The catalogs say it, each message for itself; `Words` has the names.  A language that says nothing tells one event after
the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from wongar_dsl.model import Type
from wongar_dsl.narration.deeds import Arguments, Deed, Group, Telling, agree, first_of, number_of
from wongar_dsl.narration.narrator import Narrator, Raw
from wongar_dsl.words import UNSAID, Again, Attribute, Listing, Nominal, Player, Relative, Said, Term, Text, Value
from wongar_dsl.words.clause import Slot
from wongar_dsl.words.words import (
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
)

#: A sentence goes on up to so many characters.
LONGEST = 199
#: So many numbered things that follow on each other are told as a row of them.
FEWEST = 3


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
        """The events without those that their neighbours say anyhow; these know of them."""
        found: list[Telling] = []
        waiting: list[Telling] = []
        for at, telling in enumerate(told):
            if found and not waiting and self._echoes(telling, found[-1]):
                found[-1] = replace(found[-1], implied=(*found[-1].implied, telling))
                continue
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
        return all(agree(other, telling, slot) for slot in slots)

    def _echoes(self, telling: Telling, before: Telling) -> bool:
        """Whether an event says nothing that the sentence before has not said."""
        if not self.has(telling, ECHOED):
            return False
        told = [before.arguments[name] for name in self._spoken(before) if name in before.arguments]
        slots = self.words.slots(f"{telling.message}{ECHOED}", self.scope)
        return all(telling.arguments.get(slot) in told for slot in slots)

    def implied_by_asking(self, telling: Telling, player: Player) -> bool:
        """Whether an event is not told where who comes next says it, and a question to a player says that."""
        said = self._implied_values(telling)
        return bool(said) and all(value == player for value in said)

    def says_whose_turn(self, telling: Telling) -> bool:
        """Whether a question to a player says all that an event tells."""
        said = self._implied_values(telling)
        return bool(said) and all(isinstance(value, Player) for value in said)

    def _implied_values(self, telling: Telling) -> list[Value | None]:
        slots = self.words.slots(f"{telling.message}{IMPLIED}", self.scope) if self.has(telling, IMPLIED) else ()
        return [telling.values.get(slot) for slot in slots]

    def with_asides(
        self, told: Sequence[Telling], known: dict[str, tuple[Type, Raw]], part: bool = False
    ) -> list[Telling]:
        """The events with those before them that are told by the way in their sentence.

        `known` are the last arguments of each name that were told before; of a `part` of a game also those of which
        nothing else was told in it.
        """
        found: list[Telling] = []
        waiting: list[Telling] = []
        for telling in told:
            if self.has(telling, ASIDE):
                waiting.append(telling)
                continue
            before = first_of(waiting) | known if part else known
            if waiting and all(self._by_the_way(other, telling, before) for other in waiting):
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
        agreed = any(agree(other, telling, name) for name in telling.arguments)
        if not (agreed if self.has(telling, HEADING) else self.place_of(other, telling)):
            return False
        said = self.words.slots(f"{other.message}{ASIDE}", self.scope)
        unsaid = [name for name in other.arguments if name in self._spoken(other) and name not in said]
        return all(agree(other, telling, name) or known.get(name) == other.arguments[name] for name in unsaid)

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
        return next((name for name in things if agree(other, telling, name)), None)

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
        more = self._longer(last, telling, lists_only)
        if more is not None:
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

    def _longer(self, group: Group, telling: Telling, lists_only: bool) -> Group | None:
        """A group with one more event that can be a part of its list, or happened again; None where it cannot."""
        one, tellings = group.first, (*group.tellings, telling)
        if not self._lists(one.message):
            again = not lists_only and one.key == telling.key and self._counts(one)
            return Group(tellings) if again else None
        if not group.shared and self._common(one, TOGETHER) == self._common(telling, TOGETHER):
            return Group(tellings)
        if not (group.shared or len(group.tellings) == 1) or not self._lists(one.message, SHARED):
            return None
        each_once = len({other.key for other in tellings}) == len(tellings)
        same = self._common(one, SHARED) == self._common(telling, SHARED)
        plain = all(number_of(other.arguments) == 1 and not other.beside for other in tellings)
        return Group(tellings, shared=True) if same and each_once and plain else None

    def _lists(self, message: str, end: str = TOGETHER) -> bool:
        """Whether a message has sentences for a list of its events."""
        each = EACH if end == TOGETHER else f"{end}{EACH}"
        return all(self.words.has(f"{message}{name}", self.scope) for name in (end, each))

    def _common(self, telling: Telling, end: str) -> object:
        """What an event has in common with others in a list."""
        slots = self.words.slots(f"{telling.message}{end}", self.scope)
        return telling.message, {name: value for name, (_, value) in telling.arguments.items() if name in slots}

    def _counts(self, telling: Telling) -> bool:
        """Whether a message has a sentence for what happens several times, which says how often."""
        together = f"{telling.message}{TOGETHER}"
        return self.words.has(together, self.scope) and "parts" not in self.words.slots(together, self.scope)

    def _goes_on(self, deed: Deed, group: Group) -> bool:
        """Whether of a group only the rest need be said behind others of its sort."""
        first, telling, message = deed.groups[0], group.first, group.first.message
        # Where there are lists, what comes next may make one of it.
        ends = (ALSO, f"{group.end}{ALSO}") if self._lists(message) else (ALSO,)
        if self._sentence_of(group)[1].startswith(REPEATED):
            return False
        if deed.first.message != message or not all(self.words.has(f"{message}{end}", self.scope) for end in ends):
            return False
        said = self.words.slots(f"{group.message}{ALSO}", self.scope)
        if group.listed:
            said |= self.words.slots(f"{message}{group.each}", self.scope)
        unsaid = self.words.slots(first.message, self.scope) - said
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
        same = all(agree(telling, other, slot) for other in group.tellings)
        return slot if ends and same and isinstance(group.first.values.get(slot), Term) else None

    # ---- clauses ----

    def clauses(self, deed: Deed, after: bool = False) -> list[Said]:
        """The clauses of a deed; the first one can stand alone, or `after` those of the sentence before."""
        first, *more = deed.groups
        message, each = (first.message, first.each) if after else self._sentence_of(first)
        values = self._with_about(self._values_of(first, each), deed)
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

    def going_on(self, deed: Deed, before: Deed) -> list[Said]:
        """The clauses of a deed behind another one that is about the same, without what that has said already."""
        said, *more = [Said(said.message, said.values, joined=True) for said in self.clauses(deed)]
        named = f"{deed.first.message}{KNOWN}"
        slots = self.words.slots(named, self.scope) if self.words.has(named, self.scope) else frozenset()
        told = [*deed.tellings, *before.tellings]
        known = [slot for slot in slots if all(agree(told[0], other, slot) for other in told)]
        said_there = {slot for said in self.clauses(before) for slot in self.words.slots(said.message, self.scope)}
        values = {**said.values, **{slot: UNSAID for slot in known if slot in said_there}}
        return [replace(said, values=values), *more]

    def _sentence_of(self, group: Group) -> tuple[str, str]:
        """The sentence for a group, and what that for the parts of its list ends with."""
        message = group.first.message
        repeats = not group.shared and len({telling.key for telling in group.tellings}) < len(group.tellings)
        if repeats and self._lists(message, REPEATED):
            return f"{message}{REPEATED}", f"{REPEATED}{EACH}"
        return group.message, group.each

    def _about_whom(self, group: Group) -> object:
        return self.subject(Said(group.message, self._values_of(group)))

    def subject(self, said: Said) -> object:
        """What a clause is about, if it stands at its beginning."""
        opening = self.words.opening(said.message, self.scope)
        return (opening, said.values.get(opening.name)) if isinstance(opening, Slot) else opening

    def _values_of(self, group: Group, each: str | None = None) -> dict[str, Value]:
        """What the slots of a group's sentence are filled with; what happened again is counted."""
        if not group.listed:
            return self._values(group.first)
        if not self._lists(group.first.message):
            return {**group.first.values, "n": len(group.tellings)}
        return {**group.first.values, "parts": Listing(tuple(self._parts(group, each or group.each)))}

    def _values(self, telling: Telling) -> dict[str, Value]:
        values = dict(telling.values)
        slots = dict.fromkeys(self.place_of(other, telling) for other in telling.beside)
        for slot in slots:
            thing = values[slot] if slot else None
            if slot and isinstance(thing, Term):
                here = [other for other in telling.beside if self.place_of(other, telling) == slot]
                named = [self.words.adjective(f"{other.message}{ASIDE}", self.scope) for other in here]
                adjectives = tuple(name for name in named if name is not None)
                rest = [other for other, name in zip(here, named, strict=True) if name is None]
                aside = (Attribute("story.aside", {"said": by_the_way(rest)}),) if rest else ()
                values[slot] = Nominal(thing, modifiers=aside, besides=adjectives)
        return values

    def _with_about(self, values: dict[str, Value], deed: Deed) -> dict[str, Value]:
        slot = self.thing_of(deed.about, deed) if deed.about is not None else None
        thing = values[slot] if slot else None
        if deed.about is None or slot is None or not isinstance(thing, Term):
            return values
        clause = Relative(deed.about.message, slot, deed.about.values, on=True)
        return {**values, slot: Nominal(thing, modifiers=(clause,))}

    def _parts(self, group: Group, each: str) -> Iterator[Text]:
        """The parts of a list; of those that differ in nothing but their number that is told, or else how often.

        Those that begin alike stand together, and what they begin with is named once.
        """
        sorts = EACH if each.startswith(REPEATED) else each
        begins = self.words.first_slot(f"{group.first.message}{sorts}", self.scope) or ""
        together: dict[object, dict[object, list[Telling]]] = {}
        for telling in group.tellings:
            together.setdefault(telling.arguments.get(begins), {}).setdefault(telling.key, []).append(telling)
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
            counts = [number_of(telling.arguments) for telling in same]
            counted, other, one = ({**values, "n": n} for n in (sum(counts), sum(counts) + 1, counts[0]))
            part, more = (self._part(group, each, _part_of(said, before, common)) for said in (counted, other))
            if len(same) == 1 or part != more:
                yield Text(part)
            else:
                part = self._part(group, each, _part_of(one, before, common))
                yield Text(self.words.say("story.times", part=Text(part), n=len(same)))
            before = counted

    def _numbers(self, slot: str, told: Sequence[Telling]) -> list[int] | None:
        """The numbers of numbered things that stand in a slot; None if they are none."""
        kind = told[0].arguments[slot][0] if slot in told[0].arguments else None
        if kind is None or kind.kind != "enum" or not self.words.has_term(kind.name, self.scope):
            return None
        values = [value for telling in told if isinstance(value := telling.arguments[slot][1], int) and value >= 0]
        model, term = self.narrator.game.model, self.words.term
        named = [term(model.value_name(kind, value), self.scope).rpartition(" ") for value in values]
        same = {name.casefold() for name, _, _ in named} == {term(kind.name, self.scope).casefold()}
        numbers = [int(digits) for _, _, digits in named if digits.isdecimal()]
        return numbers if same and len(numbers) == len(told) else None

    def _row(self, slot: str, told: Sequence[Telling], numbers: Sequence[int]) -> Value | None:
        """Things with these numbers that stand in a slot as one: *places 1 to 6*, *places 2 and 5*; None if there is
        only one, or more to tell."""
        first = told[0]
        said = self.words.slots(f"{first.message}{EACH}", self.scope) - {slot}
        if len(told) == 1 or any(telling.beside or number_of(telling.arguments) != 1 for telling in told):
            return None
        if any(telling.arguments.get(name) != first.arguments.get(name) for telling in told for name in said):
            return None
        if len(told) >= FEWEST and list(numbers) == list(range(numbers[0], numbers[0] + len(told))):
            ends = {"first": Text(str(numbers[0])), "last": Text(str(numbers[-1]))}
            which = Attribute("story.row", ends)
        else:
            which = Attribute("story.numbers", {"numbers": Listing(tuple(Text(str(number)) for number in numbers))})
        kind, _ = first.arguments[slot]
        return Nominal(Term(kind.name, self.scope), several=True, modifiers=(which,))

    def _part(self, group: Group, each: str, values: Mapping[str, Value]) -> str:
        return self.words.say(f"{group.first.message}{each}", self.scope, **values)


def by_the_way(told: Sequence[Telling]) -> Value:
    """What events are in the sentence of another one."""
    return _chained([Said(f"{telling.message}{ASIDE}", telling.values) for telling in told])


def _chained(said: Sequence[Value]) -> Value:
    first, *more = said
    return Said("story.asides", {"first": first, "more": _chained(more)}) if more else first


def _elided(values: Mapping[str, Value], before: Mapping[str, Value]) -> dict[str, Value]:
    """Values of which those that were named just before in the same slot need only be counted."""
    return {name: _again(value) if _same_sort(value, before.get(name)) else value for name, value in values.items()}


def _part_of(values: Mapping[str, Value], before: Mapping[str, Value], common: Set[str]) -> dict[str, Value]:
    """Values of a part of a list; a player that all of its parts have in `common` is named with the first one only.

    Any other player says whose one part is.  Without the name, that part could be anybody's.
    """
    same = (name for name, value in values.items() if name in common and before.get(name) == value)
    return {**_elided(values, before), **{name: UNSAID for name in same if isinstance(values[name], Player)}}


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


def _implied(told: Sequence[Telling]) -> Iterator[Telling]:
    for telling in told:
        yield from telling.implied
