"""How each mention of somebody or something is called: as it comes up, as what was just spoken of, or as a pronoun."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice

from wongar_dsl.prose.context import QUOTED, Amount, mentions
from wongar_dsl.prose.nearness import near
from wongar_dsl.prose.plan import Entity, Group, Introduction, Line, Mention, Passage, Plan, Unsaid
from wongar_dsl.words import ADDRESSED, Attribute, Listing, Nominal, Relative, Said, Term, Value

#: Clauses about a thing, after which it is known which one is meant: *if the top card is a joker, it goes …*.
_ABOUT = frozenset(
    {
        "prose.is_a",
        "prose.is_a.none",
        "prose.is_of_kind",
        "prose.is_a_or_of_kind",
        "prose.at_end",
        "prose.at_end.not",
        "prose.advances",
    }
)
#: Sentences in which that thing can be a pronoun in every language.
_GOES_ON = _ABOUT | {"prose.goes", "prose.goes_under"}
#: What lies at an end of a pile.
_ENDS = frozenset({"top", "bottom"})


class Referring:
    """One walk over a plan in the order in which it is read."""

    def __init__(self) -> None:
        #: Whom and what the text has spoken of, in order.
        self._known: list[Entity] = []
        #: Whom the last clause was about, and who did something last.
        self._subject: Entity | None = None
        #: Whom it only spoke of, as the only one: nobody else can be meant.
        self._aside: Entity | None = None
        self._lately: Entity | None = None
        self._acting: Entity | None = None
        #: Who does what the sentence says, also in the clauses inside of it.
        self._doer: Entity | None = None
        #: Which thing was spoken of last.
        self._last: Entity | None = None
        #: Who and what has come up in this sentence.
        self._fresh: frozenset[Entity] = frozenset()
        #: What the last clause was about, and with which figure something was done in it.
        self._topic: Value | None = None
        self._figure: Value | None = None
        #: Which number was spoken of last, and how many lines were said until then.
        self._number: tuple[Entity, int] | None = None
        self._lines = 0
        #: The places that were spoken of with what they belong to.
        self._places: list[Nominal] = []
        #: Who was there before the text, of those whom this piece of it speaks of.
        self._given: frozenset[Entity] | None = None
        #: Which things this sentence has spoken of, and what it says the meaning of something about.
        self._here: set[Entity] = set()
        self._defined: Entity | None = None
        #: What a definition speaks of, as long as it is said when that holds.
        self._meant: tuple[Value, ...] = ()

    def plans(self, plans: Iterable[Plan]) -> tuple[Plan, ...]:
        """The same plans, each mention of an entity as it is called there."""
        return tuple(self._plan(plan) for plan in plans)

    def clause(self, said: Said) -> Said:
        """A clause that stands alone, each mention of an entity as it is called there."""
        return self._said(said)

    def _plan(self, plan: Plan) -> Plan:
        if self._given is not None:
            return self._resolved(plan)
        self._given = frozenset(one for one in _spoken_of(plan) if one.given and one.type.kind == "player")
        plan = self._resolved(plan)
        self._given = None
        return plan

    def _resolved(self, plan: Plan) -> Plan:
        match plan:
            case Line(said=said):
                before = len(self._known)
                self._here.clear()
                self._lines += 1
                if not _has_doer(said):
                    self._subject = None
                called = self._said(said)
                # *Every* player is spoken of only in that sentence.
                self._forget(before, each=True)
                return replace(plan, said=called)
            case Group(lead=lead, parts=parts):
                known, places, lately = len(self._known), len(self._places), self._lately
                self._here.clear()
                if not _has_doer(lead):
                    self._subject = None
                called = self._said(lead)
                self._forget(known, each=False)
                found = replace(plan, lead=called, parts=self._options(parts) if plan.options else self.plans(parts))
                self._leave(known, places)
                self._lately = lately
                return found
            case Unsaid(parts=()):
                return plan
            case Passage(parts=parts) | Unsaid(parts=parts):
                known, places = len(self._known), len(self._places)
                whole = replace(plan, parts=self.plans(parts))
                self._leave(known, places)
                return whole

    def _leave(self, known: int, places: int) -> None:
        """What came up under a lead, nobody knows behind it."""
        del self._known[known:], self._places[places:]
        self._topic = self._figure = None

    def _options(self, options: Iterable[Plan]) -> tuple[Plan, ...]:
        """Options: what comes up in one of them, another one knows nothing of."""
        found: list[Plan] = []
        known, places, lately = list(self._known), list(self._places), self._lately
        for option in options:
            self._known[:], self._places[:], self._lately = known, places, lately
            self._topic = self._figure = None
            found.append(self._plan(option))
        return tuple(found)

    def _forget(self, before: int, each: bool) -> None:
        """Nobody speaks again of who was only in one condition, or `each` of several."""
        self._known[before:] = [one for one in self._known[before:] if not one.passing and not (each and _is_each(one))]

    def _said(self, said: Said) -> Said:
        said = near(said, self._known, self._meant)
        doer, what = self._neighbour(said.values.get("player")), said.values.get("what")
        if not _has_doer(said) or (doer is not None and _entity(doer) is None):
            # Somebody else does it, or nobody, so a pronoun would be taken for them.
            self._subject = None
        if doer is not None and _entity(doer) is None:
            self._lately = None
        slot = _about(said)
        again = slot is not None and _same(said.values[slot], self._topic)
        figure = said.values.get("figure")
        once_more = figure is not None and _entity(doer) is self._subject and _same(figure, self._figure)
        acting, self._acting = self._acting, _entity(doer)
        known = frozenset(self._known)
        outer = self._doer
        self._doer = outer if doer is None else self._acting
        values: dict[str, Value] = {}
        for name, value in said.values.items():
            self._fresh = frozenset(self._known) - known
            values[name] = self._value(value if doer is None or value != said.values["player"] else doer, name)
            if name == "condition" and self._subject is None:
                self._subject = self._aside = _only_person(value)
            elif said.message == "prose.amounts_to" and name == "what":
                self._lately = self._lately or _only_person(_whose(value))
            it = values[name]
            if self._defined is not None and _entity(value) is self._defined and isinstance(it, Nominal):
                values[name] = replace(it, pronoun=True, doing=True)
            if said.message == "prose.means" and name == "deed":
                self._topic = _first_thing(value)
                self._defined = _entity(self._topic)
                self._meant = tuple(value.values.values()) if isinstance(value, Said) else ()
        if said.message == "prose.means":
            self._defined, self._meant = None, ()
        self._acting, self._doer = acting, outer
        if again and slot is not None and isinstance(found := values[slot], Nominal):
            values[slot] = replace(found, pronoun=True, doing=True)
        if once_more:
            values["figure"] = _pronoun(values["figure"])
        if said.message == "prose.or":
            self._topic = None
        elif not any(_says(value) for value in said.values.values()):
            self._topic = what if said.message in _ABOUT else None
            self._figure = figure
        return replace(said, values=values)

    def _neighbour(self, doer: Value | None) -> Value | None:
        """Somebody who does something, known by somebody else who just did: *their left neighbour*."""
        match doer:
            case Nominal(modifiers=[Attribute(message="prose.of.owner", values=whose)]):
                one = _entity(whose["owner"])
                if one is not None and one is (self._acting or self._lately) and isinstance(one.thing, Nominal):
                    return replace(doer, own=True, whose=replace(one.thing, modifiers=()), modifiers=())
        return doer

    def _value(self, value: Value, slot: str = "") -> Value:
        match value:
            case Mention(entity=Entity() as entity, modifiers=besides):
                thing = self._called(entity, subject=slot == "player")
                if slot == "other" and entity is self._doer and entity.type.kind == "player":
                    # Less than *they* have, who do it.
                    return replace(thing, pronoun=True)
                thing = replace(thing, grouped=value.grouped and bool(thing.modifiers or besides))
                added = tuple(replace(m, values=self._all(m.values)) for m in besides)
                # What tells it apart may belong to the thing already.
                others = tuple(m for m in thing.modifiers if m.message not in {one.message for one in added})
                labels = _labels(thing)
                rest = tuple(m for m in others if m not in labels)
                return replace(thing, modifiers=(*labels, *added, *rest)) if added else thing
            case Nominal(modifiers=[*others, Attribute(message="prose.of.owner" | "prose.of.one", values=whose)]) if (
                _is_addressed(whose.get("owner"))
            ):
                # What belongs to who reads it is *yours*.
                return self._value(replace(value, own=True, whose=Nominal(ADDRESSED), modifiers=tuple(others)))
            case Nominal(modifiers=[*others, Attribute(message="prose.of.one", values=whose)]) if (
                self._acting is None and self._defined is not None and _entity(whose.get("owner")) is self._defined
            ):
                # What belongs to the thing that the sentence is about is *its*.
                assert isinstance(self._defined.thing, Nominal)
                its = replace(self._defined.thing, modifiers=(), pronoun=True)
                return self._value(replace(value, own=True, whose=its, modifiers=tuple(others)))
            case Nominal(
                modifiers=[Attribute(message="prose.side.to", values={"one": Mention(entity=one), "two": two})]
            ) if one is self._defined and self._defined is not None and isinstance(self._defined.thing, Nominal):
                its = replace(self._defined.thing, modifiers=(), pronoun=True)
                there = (Attribute("prose.that_way", {"way": two}),)
                return self._value(replace(value, own=True, whose=its, modifiers=there))
            case Nominal(modifiers=[Attribute(message="prose.of.owner", values=whose)]) if (
                owner := _entity(whose.get("owner"))
            ) is not None and (found := self._theirs(value, owner, slot)) is not None:
                return found
            case Introduction(entity=Entity() as new):
                self._last = new if new.type.kind != "player" else self._last
                if new not in self._known:
                    self._known.append(new)
                self._here.add(new)
                if new.type.kind == "player":
                    # In a clause about somebody, what belongs to them is theirs.
                    acting, self._acting = self._acting, new
                    modifiers = tuple(replace(m, values=self._all(m.values)) for m in value.modifiers)
                    self._acting = acting
                    return replace(value, modifiers=modifiers)
                modifiers = tuple(replace(m, values=self._all(m.values)) for m in value.modifiers)
                return replace(value, modifiers=modifiers)
            case Nominal(
                modifiers=[Attribute(message="prose.next_to", values={"one": Mention(entity=one)} as where)]
            ) if one is not None and one is self._defined:
                # *Next to it*, not to that thing once more.
                it = replace(self._called(one, subject=False), pronoun=True)
                beside = {name: it if name == "one" else self._value(v, name) for name, v in where.items()}
                return replace(value, modifiers=(Attribute("prose.next_to", beside),))
            case Nominal(head=Term(name="opposite"), modifiers=[Attribute(values={"way": Mention(entity=way)})]) if (
                way in self._here
            ):
                # *The opposite direction* of the one that the sentence speaks of.
                return replace(value, modifiers=())
            case Nominal(words=("as_many",), modifiers=[*others, Attribute(values=amount)]) if (
                number := _entity(amount.get("n"))
            ) is not None and self._counted_before(number):
                return self._value(replace(value, words=("that_many",), modifiers=tuple(others)))
            case Nominal():
                said = value.modifiers[1:] if self._named_before(value) else value.modifiers
                return replace(value, modifiers=tuple(replace(m, values=self._all(m.values)) for m in said))
            case Said():
                return self._said(value)
            case Listing(items=items):
                return replace(value, items=tuple(self._value(item) for item in items))
        return value

    def _counted_before(self, number: Entity) -> bool:
        """Whether the line before, or this one, has said this number."""
        said, self._number = self._number, (number, self._lines)
        return said is not None and said[0] is number and said[1] >= self._lines - 1

    def _theirs(self, value: Nominal, owner: Entity, slot: str) -> Nominal | None:
        """What belongs to who acts, or did so last, is *theirs*; None if it is somebody else's."""
        # Of what is counted, not every language can say *the number of their cards*.
        counted = slot == "what" and value.several
        lately = self._acting is None and owner is self._lately and slot != "from" and not counted
        # *A token of that player* may be one of several, which *their token* is not.
        acts = (owner is self._acting or lately) and "indef" not in value.words
        if acts and isinstance(owner.thing, Nominal):
            return replace(value, own=True, whose=replace(owner.thing, modifiers=()), modifiers=())
        if slot == "to" and owner in self._fresh and owner.type.kind == "player" and isinstance(owner.thing, Nominal):
            # The sentence has just spoken of somebody else: *that player's*.
            return replace(value, whose=replace(owner.thing, modifiers=()), modifiers=())
        return None

    def _named_before(self, value: Nominal) -> bool:
        """Whether a place, or the card at an end of it, was spoken of with what it belongs to, and no other like it."""
        match value.modifiers:
            case [Attribute(message="prose.of.one", values={"owner": owner}) as whose, *_]:
                plain = replace(value, modifiers=(whose,))
            case _:
                return False
        end = _ENDS & set(value.words)
        entity = _entity(owner)
        if not end and (entity is None or entity.given or entity.type.kind != "board"):
            return False
        alike = [one for one in self._places if one.head == value.head and _ENDS & set(one.words) == end]
        if not alike:
            self._places.append(plain)
        return bool(alike) and all(_same(plain, one) for one in alike)

    def _all(self, values: Mapping[str, Value]) -> dict[str, Value]:
        # What is said of a thing in passing does not change whom the sentence is about.
        subject, lately, topic, figure = self._subject, self._lately, self._topic, self._figure
        found = {name: self._value(value, name) for name, value in values.items()}
        self._subject, self._lately, self._topic, self._figure = subject, lately, topic, figure
        return found

    def _called(self, entity: Entity, subject: bool) -> Nominal:
        there = entity in self._here and self._last is entity
        found = self._named(entity, subject)
        self._here.add(entity)
        return replace(found, there=there, key=id(entity))

    def _named(self, entity: Entity, subject: bool) -> Nominal:
        again = self._subject is entity
        aside = again and self._aside is entity
        last, self._last = self._last, entity if entity.type.kind != "player" else self._last
        if entity.type.kind == "number":
            self._number = (entity, self._lines)
        if subject:
            self._subject = self._lately = entity
            self._aside = None
        if entity.given or entity not in self._known:
            if entity not in self._known:
                self._known.append(entity)
            thing = self._value(entity.thing)
            assert isinstance(thing, Nominal)
            return replace(thing, pronoun=True, aside=aside) if again and subject else thing
        assert isinstance(entity.thing, Nominal)
        head = entity.thing.head
        if head.name.endswith(".kind") and entity.type.kind == "enum":
            head = Term("kind")
        elif entity.type.kind == "cards" and entity.type.name and "." not in head.name:
            # What lay in a place of its own is a card, not *this face-up card*.
            head = Term(entity.type.name, head.game)
        elif entity.type.kind == "board" and head.name.endswith(".none"):
            # *This square*, not *this empty square*, which it may be no more.
            head = Term(entity.type.name, head.game)
        if labels := _labels(entity.thing):
            return Nominal(head, ("def",), labels)
        return Nominal(head, self._pointing(entity, head, last is entity), pronoun=again and subject, aside=aside)

    def _pointing(self, entity: Entity, head: Term, last: bool) -> tuple[str, ...]:
        """How one points at somebody or something again, so that nobody takes it for another one of the sort."""
        # A third one says no more than a second one, and a text may know thousands.
        alike = list(islice((one for one in self._known if _is_called(one, head)), 3))
        if len(alike) == 2 and entity is alike[0] and _are_chosen(alike):
            # *This* one would be the other, which came up after it.
            return ("def", "first")
        if last:
            return ("this",)
        if len(alike) == 2 and entity is alike[1] and (entity.type.kind != "player" or _is_another(entity)):
            return ("def", "other")
        if (
            entity.type.kind != "player"
            or entity is not alike[0]
            or any(_is_called(one, head) for one in self._given or () if one in self._here or not _labels(one.thing))
        ):
            return ("this",)
        # *The* player is the one of whom the rules speak, not the one whom they have just described.
        thing = entity.thing
        described = isinstance(thing, Nominal) and thing.words == ("def",) and bool(thing.modifiers)
        return ("this",) if described else ("def",)


def _entity(value: object) -> Entity | None:
    return value.entity if isinstance(value, Mention) else None


def _only_person(clause: Value | None) -> Entity | None:
    """The only one whom a clause speaks of, who need not be named once more in the next one."""
    match clause:
        case Said(values=values):
            people = {one for one in map(_entity, values.values()) if one is not None and one.type.kind == "player"}
            return people.pop() if len(people) == 1 else None
    return None


def _whose(thing: Value) -> Said | None:
    """What is said of whose something is."""
    match thing:
        case Nominal(modifiers=[Attribute(message=message, values=values)]):
            return Said(message, values)
    return None


def _is_addressed(value: object) -> bool:
    """Whether somebody is who reads the text."""
    entity = _entity(value)
    return entity is not None and isinstance(entity.thing, Nominal) and entity.thing.head == ADDRESSED


def _same(one: Value, other: Value | None) -> bool:
    """Whether two values speak of the same; a mention is of its entity, whatever is said besides."""
    entity = _entity(one)
    return _entity(other) is entity if entity is not None else one == other


def _says(value: Value) -> bool:
    """Whether a sentence stands in a value, which is then what was said last."""
    return isinstance(value, Said) or (isinstance(value, Listing) and any(map(_says, value.items)))


def _about(said: Said) -> str | None:
    """The slot of what a sentence is about, if it can go on about what the one before it was about."""
    if said.message.startswith(("define.", "becomes.")) and "player" not in said.values:
        return next((name for name, value in said.values.items() if isinstance(value, Mention)), None)
    return "what" if said.message in _GOES_ON and "what" in said.values else None


def _first_thing(deed: Value) -> Value | None:
    """What a sentence is about, where nobody does anything in it."""
    if not isinstance(deed, Said) or "player" in deed.values:
        return None
    return next((value for value in deed.values.values() if isinstance(value, Mention)), None)


def _pronoun(figure: Value) -> Value:
    """A pronoun for one figure or for several; a language without one calls them so again."""
    if isinstance(figure, Listing):
        return Nominal(Term("figure"), ("def",), several=True, pronoun=True)
    return replace(figure, pronoun=True) if isinstance(figure, Nominal) else figure


def _is_called(entity: Entity, head: Term) -> bool:
    """Whether this is the word for somebody or something."""
    return isinstance(entity.thing, Nominal) and entity.thing.head == head


def _labels(thing: Amount) -> tuple[Attribute | Relative, ...]:
    """What tells a thing apart by its name in the rules."""
    return tuple(m for m in thing.modifiers if m.message == QUOTED) if isinstance(thing, Nominal) else ()


def _spoken_of(plan: Plan) -> frozenset[Entity]:
    """Who and what a piece of a text speaks of."""
    match plan:
        case Line(said=said):
            return mentions(said)
        case Group(lead=lead, parts=parts):
            return mentions(lead).union(*map(_spoken_of, parts))
        case Passage(parts=parts):
            return frozenset().union(*map(_spoken_of, parts))
    return frozenset()


def _is_each(entity: Entity) -> bool:
    """Whether an entity is each of several in turn."""
    return isinstance(entity.thing, Nominal) and entity.thing.words[:1] in (("every",), ("not_any",))


def _is_another(entity: Entity) -> bool:
    """Whether it is certain that somebody is not who was spoken of before."""
    return isinstance(entity.thing, Nominal) and entity.thing.words[:1] == ("another",)


def _are_chosen(things: Iterable[Entity]) -> bool:
    """Whether all of these are things that came up in the text and stay known."""
    return not any(one.given or one.passing or one.type.kind == "player" for one in things)


def _has_doer(value: object) -> bool:
    """Whether somebody does something in a sentence, or in one of several."""
    match value:
        case Said(values=values):
            return "player" in values or any(_has_doer(inner) for inner in values.values())
        case Listing(items=items):
            return any(_has_doer(item) for item in items)
    return False
