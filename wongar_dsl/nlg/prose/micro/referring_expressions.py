"""Referring expression generation: introduces each entity, then refers to it by a definite phrase or a pronoun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.prose.context import OPERATIONS, QUOTED, Amount, label, mentions, occurrences, persons, persons_said
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Entity,
    Introduction,
    Mention,
    Message,
    Passage,
    Plan,
    PlanGroup,
    PlanLine,
    VerbatimRule,
    described,
    entity_of,
    sentences,
)
from wongar_dsl.nlg.words import ADDRESSED, Attribute, Listing, NounPhrase, Relative, Sentence, Term, Value


def with_adjacency(sentence: Sentence, known: Collection[Entity], besides: Collection[Value] = ()) -> Sentence:
    """Shorten the descriptions of places that are near another place of the sentence.

    The other place may be mentioned itself or by a figure that stands there and moves away; `besides` are values of the
    surrounding sentence. Places in `known` keep their short form.
    """
    values = sentence.values
    others = {name: (*(v for slot, v in values.items() if slot != name), *besides) for name in values}
    return replace(sentence, values={name: _nearer(value, others[name], known) for name, value in values.items()})


def _nearer(value: Value, others: Collection[Value], known: Collection[Entity]) -> Value:
    if isinstance(value, Mention) and value.entity in known:
        return value
    thing = described(value)
    match thing:
        case Introduction(modifiers=[Relative(message=Message.TOUCHES | Message.WITHIN as near_, values=where), *rest]):
            pass
        case _:
            return value
    if not any(_is_there(item, where["other"]) for item in others):
        return value
    if near_ == Message.TOUCHES:
        closer = replace(thing, words=(*thing.words, "adjacent"), modifiers=tuple(rest))
    elif thing.words[:1] in (("indef",), ("another",)):
        # *Another*, since a place is not within any distance of itself; other phrases say how far it is at least.
        nearby = Relative("prose.within_here", "area", {"n": where["n"]})
        closer = replace(thing, words=("another", *thing.words[1:]), modifiers=(nearby, *rest))
    else:
        return value
    return closer


def _is_there(other: Value, place: Value) -> bool:
    """Return whether a value of the sentence is a place, or the thing that stands there."""
    if isinstance(other, Mention) and isinstance(place, Mention):
        return other.entity is place.entity
    match place:
        case NounPhrase(modifiers=[Attribute(message=Message.OF_ONE, values={"owner": owner})]):
            return other == owner
    return False


#: Clauses after which their topic can be a pronoun: *if the top card is a joker, it goes …*.
_ABOUT = frozenset(
    {
        Message.IS_A,
        Message.IS_A_NONE,
        Message.IS_A_NOT,
        Message.IS_OF_KIND,
        "prose.is_a_or_of_kind",
        "prose.at_end",
        "prose.at_end.not",
        "prose.advances",
    }
)
#: Sentences in which the previous topic can be a pronoun in every language.
_GOES_ON = _ABOUT | {Message.GOES, "prose.goes_under", Message.PUTS_INTO, Message.PUTS_UNDER}
#: Changes of a number by an amount, which *that many* would mean.
_BY_AMOUNT = frozenset({"prose.grows", "prose.shrinks"})
#: Optional actions; the things that they introduce exist only if the player acts.
_OPTIONAL = frozenset({"prose.may", "prose.may_then"})
#: Numbers of an area, which are no places.
_COORDINATES = frozenset({"row", "column"})
#: Nouns of phrases that *this number* could mean.
_NUMBERS = frozenset({"number", "count", "least", "greatest"})
#: The cards at the ends of a pile.
_ENDS = frozenset({"top", "bottom"})


class ReferenceResolver:
    """A resolver that replaces the mentions of a plan in reading order.

    `has_term` tells whether a name has a term. A name without one has no article, so that only the whole that it
    belongs to makes it definite: *owner of this plot*.
    """

    def __init__(self, has_term: Callable[[str], bool] = lambda name: True) -> None:
        self._has_term = has_term
        #: The entities mentioned so far, in order.
        self._known: list[Entity] = []
        #: The subject of the last clause.
        self._subject: Entity | None = None
        #: The only person that the last clause mentioned in passing, who is an unambiguous antecedent; the person who
        #: acted last; and the person who acts in the current sentence.
        self._aside: Entity | None = None
        self._lately: Entity | None = None
        self._acting: Entity | None = None
        #: Whether another person was mentioned since the last one acted.
        self._others = False
        #: The person mentioned last, None if that was by a description.
        self._person: Entity | None = None
        #: The person who acts in the whole sentence, including its inner clauses.
        self._doer: Entity | None = None
        #: The thing mentioned last, and the nouns of the places that the text has described since.
        self._last: Entity | None = None
        self._elsewhere: frozenset[Term] = frozenset()
        #: The entities introduced in this sentence.
        self._fresh: frozenset[Entity] = frozenset()
        #: The topic of the last clause, and the figure that it moved.
        self._topic: Value | None = None
        self._figure: Value | None = None
        #: The number mentioned last, and the line of that mention.
        self._number: tuple[Entity, int] | None = None
        self._lines = 0
        #: The number that *this number* means: the entity or the phrase mentioned last.
        self._last_number: Entity | NounPhrase | None = None
        #: The numbers that this and the previous line mention, with the line of each.
        self._numbers_said: list[tuple[Entity | NounPhrase, int]] = []
        #: The places mentioned with their owner or whole.
        self._places: list[NounPhrase] = []
        #: The given players in the current plan.
        self._given: frozenset[Entity] | None = None
        #: How often this sentence speaks of each thing.
        self._sentence: Mapping[Entity, int] = {}
        #: The things mentioned in this sentence so far, and the thing that it defines.
        self._here: set[Entity] = set()
        #: Those of them that it calls *this*.
        self._pointed: set[Entity] = set()
        self._defined: Entity | None = None
        #: The things that an amount is defined for, while its value is resolved.
        self._operands: frozenset[Entity] = frozenset()
        #: The arguments of a definition while its condition is resolved.
        self._meant: tuple[Value, ...] = ()
        #: The things that the leads of this line mention, and the line before; those whose noun is not distinct.
        self._above: frozenset[Entity] = frozenset()
        self._before: frozenset[Entity] = frozenset()
        self.unclear: set[Entity] = set()
        #: Those introduced as all *except* one with the same noun.
        self._all_but_one: set[Entity] = set()

    def plans(self, plans: Iterable[Plan]) -> tuple[Plan, ...]:
        """Replace the mentions in plans."""
        return tuple(self._plan(plan) for plan in plans)

    def clause(self, sentence: Sentence) -> Sentence:
        """Replace the mentions in an independent clause."""
        return self._said(sentence)

    def _plan(self, plan: Plan) -> Plan:
        if self._given is not None:
            return self._resolved(plan)
        self._given = frozenset(e for e in mentions((*sentences((plan,)),)) if e.given and e.type.kind == "player")
        plan = self._resolved(plan)
        self._given = None
        return plan

    def _resolved(self, plan: Plan) -> Plan:
        match plan:
            case PlanLine(sentence=said):
                before = len(self._known)
                self._lines += 1
                self._numbers_said = [(n, at) for n, at in self._numbers_said if at >= self._lines - 1]
                called = self._whole(said)
                # *Every* player, and what is chosen for an optional action, is only known inside that sentence.
                self._forget(before, each=True)
                # The card at an end of a pile may be another one after an action.
                self._places = [place for place in self._places if _ENDS.isdisjoint(place.words)]
                self._before = frozenset(self._sentence)
                if _is_optional(said):
                    del self._known[before:]
                return replace(plan, sentence=called)
            case PlanGroup(lead=lead, parts=parts):
                known_count, places, lately, above = len(self._known), self._places, self._lately, self._above
                called = self._whole(lead)
                self._forget(known_count, each=False)
                self._above = above.union(e for e in self._sentence if e.given or not e.passing)
                result = replace(plan, lead=called, parts=self._options(parts) if plan.options else self.plans(parts))
                self._leave(known_count, places)
                self._above = above
                self._others = self._others or self._lately is not lately
                self._lately = lately
                if len({entity_of(said.values.get("player")) for said in sentences(parts)} - {None}) > 1:
                    # Behind the steps of several persons, *they* could be any of them.
                    self._subject = None
                return result
            case VerbatimRule(parts=()):
                return plan
            case Passage(parts=parts) | VerbatimRule(parts=parts):
                known_count, places = len(self._known), self._places
                whole = replace(plan, parts=self.plans(parts))
                self._leave(known_count, places)
                return whole

    def _whole(self, sentence: Sentence) -> Sentence:
        """Replace the mentions in the sentence of a line or lead."""
        self._here.clear()
        self._pointed.clear()
        self._sentence = Counter(occurrences(sentence, set()))
        if not _has_doer(sentence):
            self._subject = None
        return self._said(sentence)

    def _leave(self, known: int, places: Sequence[NounPhrase]) -> None:
        """Forget the entities and `places` introduced under a lead."""
        del self._known[known:]
        self._places = [place for place in self._places if any(place is earlier for earlier in places)]
        self._topic = self._figure = None

    def _options(self, options: Iterable[Plan]) -> tuple[Plan, ...]:
        """Resolve options independently: entities of one are unknown in the others."""
        result: list[Plan] = []
        known_before, places, lately, others = list(self._known), self._places, self._lately, self._others
        number = self._last_number
        for option in options:
            self._known[:], self._places, self._lately, self._others = known_before, places, lately, others
            self._topic, self._figure, self._last_number = None, None, number
            result.append(self._plan(option))
        return tuple(result)

    def _forget(self, before: int, each: bool) -> None:
        """Forget entities of a single condition, and distributive ones (`each`)."""
        self._known[before:] = [
            e for e in self._known[before:] if (e.given or not e.passing) and not (each and _is_each(e))
        ]

    def _said(self, sentence: Sentence) -> Sentence:
        sentence = with_adjacency(sentence, self._known, self._meant)
        doer, noun = self._neighbour(sentence.values.get("player")), sentence.values.get("what")
        if not _has_doer(sentence) or (doer is not None and entity_of(doer) is None):
            # Another agent, or none: a pronoun would be misunderstood.
            self._subject = None
        if doer is not None and entity_of(doer) is None:
            self._lately = None
        slot = _about(sentence)
        same_topic = slot is not None and _same(sentence.values[slot], self._topic)
        figure = sentence.values.get("figure")
        once_more = figure is not None and entity_of(doer) is self._subject and _same(figure, self._figure)
        acting, self._acting = self._acting, entity_of(doer)
        known_before = frozenset(self._known)
        outer = self._doer
        self._doer = outer if doer is None else self._acting
        values: dict[str, Value] = {}
        spoken_of: frozenset[object] = frozenset()
        for name, value in sentence.values.items():
            # *That player's* is clear only as long as the sentence mentions nobody else beside the agent.
            self._fresh = frozenset(self._known) - known_before if len(spoken_of) == 1 else frozenset()
            spoken_of |= persons_said(value) - {self._acting}
            values[name] = self._value(value if doer is None or value != sentence.values["player"] else doer, name)
            if name == "condition" and len(persons(value)) > 1:
                self._subject = None
            elif name == "condition" and self._subject is None:
                self._subject = self._aside = _only_person(value)
            elif sentence.message == Message.AMOUNTS_TO and name == "what" and self._lately is None:
                self._lately, self._others = _only_person(_whose(value)), False
            if sentence.message == Message.AMOUNTS_TO and name == "what":
                self._operands = mentions(value)
            rendered = values[name]
            if self._defined is not None and entity_of(value) is self._defined and isinstance(rendered, NounPhrase):
                values[name] = replace(rendered, pronoun=True, doing=True)
            if sentence.message == Message.MEANS and name == "deed":
                self._topic = _first_thing(value)
                self._defined = entity_of(self._topic)
                self._meant = tuple(value.values.values()) if isinstance(value, Sentence) else ()
        if sentence.message in _BY_AMOUNT and self._number is not None and self._number[0] is entity_of(noun):
            self._number = None
        if sentence.message == Message.MEANS:
            self._defined, self._meant = None, ()
        if sentence.message == Message.AMOUNTS_TO:
            self._operands = frozenset()
        self._acting, self._doer = acting, outer
        if same_topic and slot is not None and isinstance(topic := values[slot], NounPhrase):
            values[slot] = replace(topic, pronoun=True, doing=doer is None)
        if once_more:
            values["figure"] = _pronoun(values["figure"])
        if sentence.message == Message.OR:
            self._topic = None
        elif not any(_says(value) for value in sentence.values.values()):
            self._topic = noun if sentence.message in _ABOUT else None
            self._figure = figure
        return replace(sentence, values=values)

    def _neighbour(self, doer: Value | None) -> Value | None:
        """Return an agent who is identified by the last one: *their left neighbour*."""
        match doer:
            case NounPhrase(modifiers=[Attribute(message=Message.OF_OWNER, values=whose)]):
                previous = entity_of(whose["owner"])
                recent = self._acting is None and all(entity.type.kind == "player" for entity in self._here)
                acts = previous is not None and (previous is self._acting or (recent and self._is_lately(previous)))
                if previous is not None and acts and isinstance(previous.thing, NounPhrase):
                    return replace(doer, own=True, whose=replace(previous.thing, modifiers=()), modifiers=())
        return doer

    def _are_operands(self, values: Sequence[Value]) -> bool:
        """Return whether the sentence defines an amount for these things, and for nothing else of their types."""
        wholes = [entity_of(value) for value in values]
        types = {whole.type for whole in wholes if whole is not None}
        return {operand for operand in self._operands if operand.type in types} == {*wholes}

    def _is_lately(self, person: Entity) -> bool:
        """Return whether a person acted last and is the only one in reach since."""
        return person is self._lately and not self._others and not self._is_one_of_several(person)

    def _value(self, value: Value, slot: str = "") -> Value:
        replaced = self._replaced(value, slot)
        if isinstance(value, NounPhrase) and any(m.message in OPERATIONS for m in value.modifiers):
            # A demonstrative would mean the result, not an operand.
            self._say_number(value)
        if isinstance(value, NounPhrase) and value.person:
            self._person, self._others = None, True
        if isinstance(value, NounPhrase) and value.place:
            self._elsewhere |= {value.head}
        return _with_kind(replaced) if isinstance(replaced, NounPhrase) else replaced

    def _replaced(self, value: Value, slot: str) -> Value:
        match value:
            case Mention(entity=Entity() as entity, modifiers=besides):
                thing = self._called(entity, subject=slot == "player")
                if slot == "other" and entity is self._doer and entity.type.kind == "player":
                    # Less than *they* have, referring to the agent.
                    return replace(thing, pronoun=True)
                thing = replace(thing, grouped=value.grouped and bool(thing.modifiers or besides))
                added = tuple(replace(m, values=self._all(m.values)) for m in besides)
                # The identifying modifiers may already be part of the phrase.
                others = tuple(m for m in thing.modifiers if m.message not in {referent.message for referent in added})
                labels = _labels(thing)
                rest = tuple(m for m in others if m not in labels)
                # A computation applies to the whole phrase.
                computed = tuple(m for m in added if m.message in OPERATIONS)
                added = tuple(m for m in added if m not in computed)
                as_adverb = thing.there and self._are_operands([v for m in besides for v in m.values.values()])
                modifiers = (*labels, *added, *rest, *computed)
                return replace(thing, modifiers=modifiers, there=as_adverb) if besides else thing
            case NounPhrase(
                modifiers=[*others, Attribute(message=Message.OF_OWNER | Message.OF_ONE, values=whose)]
            ) if _is_addressed(whose.get("owner")):
                # A possession of the reader is *yours*.
                return self._value(replace(value, own=True, whose=NounPhrase(ADDRESSED), modifiers=tuple(others)))
            case NounPhrase(modifiers=[*others, Attribute(message=Message.OF_ONE, values=whose)]) if (
                self._acting is None and self._defined is not None and entity_of(whose.get("owner")) is self._defined
            ):
                # A possession of the topic is *its*.
                assert isinstance(self._defined.thing, NounPhrase)
                its = replace(self._defined.thing, modifiers=(), pronoun=True)
                return self._value(replace(value, own=True, whose=its, modifiers=tuple(others)))
            case NounPhrase(
                modifiers=[Attribute(message=Message.SIDE_TO, values={"one": Mention(entity=referent), "two": two})]
            ) if referent is self._defined and isinstance(referent.thing, NounPhrase):
                its = replace(referent.thing, modifiers=(), pronoun=True)
                that_way = (Attribute("prose.that_way", {"way": two}),)
                return self._value(replace(value, own=True, whose=its, modifiers=that_way))
            case NounPhrase(modifiers=[Attribute(message=Message.OF_OWNER, values=whose)]) if (
                owner := entity_of(whose.get("owner"))
            ) is not None and (theirs := self._theirs(value, owner, slot)) is not None:
                return theirs
            case Introduction(entity=Entity() as new) if new.quoted and not _labels(value):
                return self._replaced(replace(value, modifiers=(label(new), *value.modifiers)), slot)
            case Introduction(entity=Entity(other_than=Entity() as one) as new, modifiers=modifiers) if (
                not (one in self._known or one in self._sentence or _is_addressed(Mention.of(one)))
                and (except_one := _except(value, one)) not in modifiers
            ):
                words = tuple(word for word in value.words if word != "other" or except_one.last)
                if _is_called(one, value.head):
                    self._all_but_one.add(new)
                return self._replaced(replace(value, words=words, modifiers=(*modifiers, except_one)), slot)
            case Introduction(entity=Entity() as new):
                self._note_thing(new)
                if new not in self._known:
                    self._known.append(new)
                self._here.add(new)
                if new.type.kind == "player":
                    self._person, self._others = new, self._others or new is not self._lately
                    # Inside a clause about a player, that is *they*, and their possessions are *theirs*.
                    outer = self._acting, self._doer, self._subject
                    self._acting = new
                    if not value.several:
                        self._doer = self._subject = new
                    modifiers = tuple(replace(m, values=self._all(m.values)) for m in value.modifiers)
                    self._acting, self._doer, self._subject = outer
                    self._person = new
                    return replace(value, modifiers=modifiers)
                said_before = len(self._numbers_said)
                modifiers = tuple(replace(m, values=self._all(m.values)) for m in value.modifiers)
                self._note_number(new, said_before)
                return replace(value, modifiers=modifiers, key=id(new), first=True)
            case NounPhrase(
                modifiers=[Attribute(message=Message.NEXT_TO, values={"one": Mention(entity=referent)} as where)]
            ) if referent is self._defined:
                # *Next to it*, without repeating the thing.
                pronoun = replace(self._called(referent, subject=False), pronoun=True)
                beside = {name: pronoun if name == "one" else self._value(v, name) for name, v in where.items()}
                return replace(value, modifiers=(Attribute(Message.NEXT_TO, beside),))
            case NounPhrase(head=Term(name="opposite"), modifiers=[Attribute(values={"way": Mention(entity=way)})]) if (
                way in self._here
            ):
                # *The opposite direction* of the one just mentioned.
                return replace(value, modifiers=())
            case NounPhrase(words=("as_many",), modifiers=[*others, Attribute(values=amount)]) if (
                number := entity_of(amount.get("n"))
            ) is not None and self._counted_before(number, amount["n"]):
                return self._value(replace(value, words=("that_many",), modifiers=tuple(others)))
            case NounPhrase():
                if value.head.name in _NUMBERS:
                    self._say_number(value)
                elif value.head.count is not None or value.one:
                    self._last_number = value
                described = value.modifiers[1:] if self._named_before(value) else value.modifiers
                return replace(value, modifiers=tuple(replace(m, values=self._all(m.values)) for m in described))
            case Sentence():
                return self._said(value)
            case Listing(items=items):
                return replace(value, items=tuple(self._value(item) for item in items))
        return value

    def _counted_before(self, number: Entity, mention: Value) -> bool:
        """Return whether this or the previous line mentioned this number last and no other; record the mention."""
        last_mention, self._number = self._number, (number, self._lines)
        if last_mention is None or self._last_number is not number or mention != Mention.of(number):
            return False
        alone = all(other is number for other, line in self._numbers_said if line >= last_mention[1])
        return last_mention[0] is number and last_mention[1] >= self._lines - 1 and alone

    def _theirs(self, value: NounPhrase, owner: Entity, slot: str) -> NounPhrase | None:
        """Return a possession of the current or last agent with *their*, None for one of other players."""
        # Not every language has a phrase for *the number of their cards*.
        counted = slot == "what" and value.several
        lately = self._acting is None and self._is_lately(owner)
        lately = lately and slot != "from" and not counted
        # *A token of that player* is indefinite, unlike *their token*.
        acts = (owner is self._acting or lately) and "indef" not in value.words
        is_fresh = slot == "to" and owner in self._fresh and owner.type.kind == "player"
        if not (acts or is_fresh) or not isinstance(owner.thing, NounPhrase):
            return None
        # An owner who was just introduced is *that player*.
        return replace(value, own=acts or value.own, whose=replace(owner.thing, modifiers=()), modifiers=())

    def _named_before(self, value: NounPhrase) -> bool:
        """Return whether a place, or the card at its end, was mentioned with its whole and is unique."""
        match value.modifiers:
            case [Attribute(message=Message.OF_ONE, values={"owner": owner}) as whose, *_]:
                plain = replace(value, modifiers=(whose,))
            case _:
                return False
        if value.head.name in _COORDINATES:
            return False
        end = _ENDS & set(value.words)
        entity = entity_of(owner)
        if not end and (entity is None or entity.given or entity.type.kind != "board"):
            self._places = [*self._places, plain]
            return False
        if not end and not self._has_term(value.head.name):
            return False
        alike = [place for place in self._places if place.head == value.head and _ENDS & set(place.words) == end]
        if not alike:
            self._places = [*self._places, plain]
        if not alike or not all(_same(plain, place) for place in alike):
            return False
        wholes = mentions(owner)
        kinds = {whole.type for whole in wholes}
        # With two areas in play, *the face-up card* could lie in either.
        return all(thing in wholes or thing.type not in kinds for thing in self._known)

    def _all(self, values: Mapping[str, Value]) -> dict[str, Value]:
        # Modifiers do not change the topic of the sentence.
        subject, lately, topic, figure = self._subject, self._lately, self._topic, self._figure
        others = self._others
        result = {name: self._value(value, name) for name, value in values.items()}
        self._others = others or self._others or self._lately is not lately
        self._subject, self._lately, self._topic, self._figure = subject, lately, topic, figure
        return result

    def _called(self, entity: Entity, subject: bool) -> NounPhrase:
        as_adverb = entity in self._here and self._last is entity and not self._elsewhere
        others = (e for e in self._here if e is not entity and e.type == entity.type)
        as_adverb = as_adverb and not entity.quoted and all(other.quoted or _labels(other.thing) for other in others)
        said_before = len(self._numbers_said)
        thing = self._named(entity, subject)
        self._note_number(entity, said_before)
        self._here.add(entity)
        return replace(thing, there=as_adverb, key=id(entity))

    def _note_thing(self, entity: Entity) -> None:
        """Record the mention of a thing."""
        if entity.type.kind != "player":
            self._last, self._elsewhere = entity, frozenset()

    def _note_number(self, entity: Entity, said_before: int) -> None:
        """Record the mention of a number, instead of those in its description."""
        if entity.type.kind == "number":
            del self._numbers_said[said_before:]
            self._say_number(entity)

    def _say_number(self, number: Entity | NounPhrase) -> None:
        self._last_number = number
        self._numbers_said.append((number, self._lines))

    def _named(self, entity: Entity, subject: bool) -> NounPhrase:
        same_subject = self._subject is entity
        aside = same_subject and self._aside is entity
        last, elsewhere = self._last, self._elsewhere
        self._note_thing(entity)
        if entity.type.kind == "number":
            self._number = (entity, self._lines)
        if subject:
            self._subject = self._lately = entity
            self._aside, self._others = None, False
        elif entity.type.kind == "player":
            self._others = self._others or entity is not self._lately
        person = self._person
        self._person = entity if entity.type.kind == "player" else person
        if entity.given or entity not in self._known:
            if entity not in self._known:
                self._known.append(entity)
            others, mentioned = self._others, self._person
            if entity.given and isinstance(entity.thing, NounPhrase) and not entity.thing.modifiers:
                self.unclear |= {entity} if self._could_be_another_number(entity, entity.thing.head) else set()
            known_before = len(self._known)
            thing = self._value(entity.thing)
            # A phrase that is repeated in full introduces its things again.
            self._known[known_before:] = [e for e in self._known[known_before:] if not e.passing]
            self._others, self._person = others or len(persons(entity.thing)) > 1, mentioned
            assert isinstance(thing, NounPhrase)
            if entity.quoted and not _labels(thing):
                thing = replace(thing, modifiers=(label(entity), *thing.modifiers))
            pronoun = same_subject and subject and not self._is_one_of_several(entity)
            return replace(thing, pronoun=True, aside=aside) if pronoun else thing
        assert isinstance(entity.thing, NounPhrase)
        head = _lasting_head(entity.type, entity.thing.head)
        if labels := _labels(entity.thing):
            return NounPhrase(head, ("def",), labels)
        pointing = self._pointing(entity, head, last is entity, person is entity)
        unclear = pointing != ("def", "other") and self._is_one_of_several(entity)
        unclear = unclear or (pointing == ("this",) and self._could_be_meant(last, entity))
        is_pronoun = same_subject and subject
        unclear = unclear or self._could_be_another_number(entity, head)
        unclear = unclear or (entity in self._all_but_one and not is_pronoun)
        if pointing == ("this",):
            unclear = unclear or head in elsewhere or self._has_rival(entity, head, is_last_person=person is entity)
            self._pointed.add(entity)
        self.unclear |= {entity} if unclear else set()
        if entity.quoted and (unclear or _is_another(entity) or not is_pronoun):
            return NounPhrase(head, ("def",), (label(entity),))
        return NounPhrase(head, pointing, pronoun=is_pronoun, aside=aside)

    def _has_rival(self, entity: Entity, head: Term, *, is_last_person: bool) -> bool:
        """Return whether *this* also fits a thing of a lead, or one that the line calls so, or a later person."""
        near = self._pointed.union(e for e in self._above if e in self._known)
        if entity.type.kind == "player":
            near.update(() if is_last_person else self._known)
        # A passing thing of the same name belongs to a condition that is over.
        near = {e for e in near if not (entity.passing and e.passing and e.name == entity.name)}
        alike = (e for e in near if e is not entity and not _labels(e.thing) and isinstance(e.thing, NounPhrase))
        return any(_lasting_head(e.type, e.thing.head) == head for e in alike if isinstance(e.thing, NounPhrase))

    def _could_be_another_number(self, entity: Entity, head: Term) -> bool:
        """Return whether *this number* could mean another number than an entity."""
        return head.name in _NUMBERS and self._last_number not in (None, entity)

    def _could_be_meant(self, last: Entity | None, entity: Entity) -> bool:
        """Return whether *this* could mean the thing mentioned last instead of an entity."""
        if last is None or last is entity or last.type != entity.type or _labels(last.thing):
            return False
        alike = isinstance(entity.thing, NounPhrase) and _is_called(last, entity.thing.head)
        return alike or entity in self._here

    def _is_one_of_several(self, entity: Entity) -> bool:
        """Return whether the noun of a person, or of a thing of a single condition, also fits another one in reach.

        In reach are the entities of the line, of the leads above it, and of the line before if they are still known.
        One of a single condition is so only if it is named again.
        """
        thing, is_person = entity.thing, entity.type.kind == "player"
        if not isinstance(thing, NounPhrase) or entity.type.kind == "number":
            return False
        if entity.given if entity.passing else not is_person:
            return False
        recent = (e for e in self._known if not is_person or e in self._before or (e.given and e.passing))
        near = {**dict.fromkeys((*self._above, *recent), 2), **self._sentence}
        if entity.passing and near.get(entity, 0) < 2:
            return False
        return any(
            other is not entity
            and _is_called(other, thing.head)
            and (not other.passing or (times > 1 and not _is_another(other)) or other.given)
            and (not _is_another(other) or _is_each(other))
            # Names cannot be shadowed: two names of single conditions that are spelled alike are never both in reach.
            and not (entity.passing and other.passing and entity.name == other.name)
            for other, times in near.items()
        )

    def _pointing(self, entity: Entity, head: Term, last: bool, last_person: bool) -> tuple[str, ...]:
        """Return the determiners of a definite phrase that distinguish an entity from others with the same noun.

        `last`: it is the thing mentioned last; `last_person`: the person.
        """
        # Three suffice to recognise ambiguity; a text may have thousands of entities.
        candidates = (thing for thing in self._known if _is_called(thing, head) and not _labels(thing.thing))
        alike = list(islice(candidates, 3))
        second = len(alike) == 2 and entity is alike[1]
        inner = [thing for thing in alike if thing.passing]
        other_one = _is_another(entity) and (second or (len(inner) == 2 and entity is inner[1]))
        if last and not (other_one and entity.passing):
            return ("this",)
        if other_one:
            return ("def", "other")
        if entity.type.kind != "player" or (entity is not alike[0] and last_person):
            return ("this",)
        given = {e for e in self._known if e.given and entity.passing} | (self._given or frozenset())
        if any(_is_called(e, head) for e in given if not e.passing and not _labels(e.thing)):
            return ("this",)
        # *The* player is the one of the rules, not the one just described.
        thing = entity.thing
        described = isinstance(thing, NounPhrase) and thing.words == ("def",) and bool(thing.modifiers)
        return ("this",) if described else ("def",)


def resolve(plans: Sequence[Plan], has_term: Callable[[str], bool] = lambda name: True) -> tuple[Plan, ...]:
    """Replace the mentions in plans; entities that would be confused with others are marked, and their names quoted."""
    quoted: set[Entity] = set()
    while True:
        resolver = ReferenceResolver(has_term)
        resolved = resolver.plans(plans)
        if resolver.unclear <= quoted:
            return resolved
        quoted |= resolver.unclear
        for entity in resolver.unclear:
            entity.quoted = True


def _lasting_head(kind: Type, head: Term) -> Term:
    """Return the noun of a later mention, which claims no place or state that the thing may have lost."""
    if head.name.endswith(".kind") and kind.kind == "enum":
        return Term("kind")
    of_own_place = kind.kind == "cards" and head.name != "kind" and "." not in head.name
    if kind.name and (of_own_place or (kind.kind == "board" and head.name.endswith(".none"))):
        # *This card*, not *this face-up card*; *this square*, not *this empty square*.
        return Term(kind.name, head.game)
    return head


def _with_kind(thing: NounPhrase) -> NounPhrase:
    """Return a phrase that does not repeat its noun: *a coin of this kind*, not *a coin of this coin*."""

    def of_kind(modifier: Attribute | Relative) -> Attribute | Relative:
        kind = modifier.values.get("kind")
        if modifier.message != Message.OF_KIND or not isinstance(kind, NounPhrase) or kind.head.name != thing.head.name:
            return modifier
        return replace(modifier, values={**modifier.values, "kind": replace(kind, head=Term("kind"))})

    return replace(thing, modifiers=tuple(map(of_kind, thing.modifiers))) if thing.modifiers else thing


def _only_person(clause: Value | None) -> Entity | None:
    """Return the only person in a clause, who need not be named again in the next one."""
    people = persons(clause)
    match clause:
        case Sentence(values=values) if len(people) == 1:
            return next((e for e in map(entity_of, values.values()) if e in people), None)
    return None


def _whose(thing: Value) -> Sentence | None:
    """Return the clause for the owner or whole of a thing."""
    match thing:
        case NounPhrase(modifiers=[Attribute(message=message, values=values)]):
            return Sentence(message, values)
    return None


def _is_addressed(value: object) -> bool:
    """Return whether a value is the addressed reader."""
    entity = entity_of(value)
    return entity is not None and isinstance(entity.thing, NounPhrase) and entity.thing.head == ADDRESSED


def _same(one: Value, other: Value | None) -> bool:
    """Return whether two values have the same referent; modifiers do not matter."""
    entity = entity_of(one)
    return entity_of(other) is entity if entity is not None else one == other


def _says(value: Value) -> bool:
    """Return whether a value contains a sentence, which then precedes as context."""
    return isinstance(value, Sentence) or (isinstance(value, Listing) and any(map(_says, value.items)))


def _about(sentence: Sentence) -> str | None:
    """Return the slot of a sentence's topic, if it can continue the previous topic."""
    if sentence.message.startswith(("define.", "becomes.")) and "player" not in sentence.values:
        return next((name for name, value in sentence.values.items() if isinstance(value, Mention)), None)
    return "what" if sentence.message in _GOES_ON and "what" in sentence.values else None


def _first_thing(deed: Value) -> Value | None:
    """Return the topic of a sentence without an agent."""
    if not isinstance(deed, Sentence) or "player" in deed.values:
        return None
    return next((value for value in deed.values.values() if isinstance(value, Mention)), None)


def _pronoun(figure: Value) -> Value:
    """Return a pronoun for one or several figures; languages without one repeat the phrase."""
    if isinstance(figure, Listing):
        return NounPhrase(Term("figure"), ("def",), several=True, pronoun=True)
    return replace(figure, pronoun=True) if isinstance(figure, NounPhrase) else figure


def _is_called(entity: Entity, head: Term) -> bool:
    """Return whether an entity has this noun."""
    return isinstance(entity.thing, NounPhrase) and entity.thing.head == head


def _labels(thing: Amount) -> tuple[Attribute | Relative, ...]:
    """Return the modifiers that quote a name of the rules."""
    return tuple(m for m in thing.modifiers if m.message == QUOTED) if isinstance(thing, NounPhrase) else ()


def _is_each(entity: Entity) -> bool:
    """Return whether an entity is distributive: each of several in turn."""
    return isinstance(entity.thing, NounPhrase) and entity.thing.words[:1] in (("every",), ("not_any",))


def _is_another(entity: Entity) -> bool:
    """Return whether a phrase excludes the previous entity."""
    return isinstance(entity.thing, NounPhrase) and not {"another", "other"}.isdisjoint(entity.thing.words)


def _except(thing: NounPhrase, one: Entity) -> Attribute:
    """Return the modifier that says whom a phrase excludes: *every player except the starter*.

    It follows the clauses about the thing, which could otherwise be about the excluded one.
    """
    excluded = {"one": Mention.of(one)}
    if any(isinstance(modifier, Relative) for modifier in thing.modifiers):
        return Attribute("prose.not_counting", excluded, last=True)
    return Attribute("prose.other_than" if "another" in thing.words else "prose.except", excluded)


def _is_optional(sentence: Sentence) -> bool:
    """Return whether a sentence is an action that a player may leave out, possibly under a condition."""
    then = sentence.values.get("then")
    return sentence.message in _OPTIONAL or (isinstance(then, Sentence) and _is_optional(then))


def _has_doer(value: object) -> bool:
    """Return whether a sentence, or one of its parts, has an agent."""
    match value:
        case Sentence(values=values):
            return "player" in values or any(_has_doer(inner) for inner in values.values())
        case Listing(items=items):
            return any(_has_doer(item) for item in items)
    return False
