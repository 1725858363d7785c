"""How each mention of somebody or something is called: as it comes up, as what was just spoken of, or as a pronoun."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from wongar_dsl.prose.plan import Entity, Group, Introduction, Line, Mention, Passage, Plan, Unsaid
from wongar_dsl.words import ADDRESSED, Attribute, Listing, Nominal, Said, Term, Value


class Referring:
    """One walk over a plan in the order in which it is read."""

    def __init__(self) -> None:
        #: Whom and what the text has spoken of, in order.
        self._known: list[Entity] = []
        self._subject: Entity | None = None
        self._acting: Entity | None = None

    def plans(self, plans: Iterable[Plan]) -> tuple[Plan, ...]:
        """The same plans, each mention of an entity as it is called there."""
        return tuple(self._plan(plan) for plan in plans)

    def _plan(self, plan: Plan) -> Plan:
        match plan:
            case Line(said=said):
                before = len(self._known)
                if not _has_doer(said):
                    self._subject = None
                called = self._said(said)
                # *Every* player is spoken of only in that sentence.
                self._forget(before, each=True)
                return replace(plan, said=called)
            case Group(lead=lead, parts=parts):
                known = len(self._known)
                if not _has_doer(lead):
                    self._subject = None
                called = self._said(lead)
                self._forget(known, each=False)
                found = replace(plan, lead=called, parts=self._options(parts) if plan.options else self.plans(parts))
                del self._known[known:]
                return found
            case Passage(parts=parts):
                known = len(self._known)
                whole = replace(plan, parts=self.plans(parts))
                del self._known[known:]
                return whole
            case Unsaid():
                return plan

    def _options(self, options: Iterable[Plan]) -> tuple[Plan, ...]:
        """Options: what comes up in one of them, another one knows nothing of."""
        found: list[Plan] = []
        known = list(self._known)
        for option in options:
            self._known[:] = known
            found.append(self._plan(option))
        return tuple(found)

    def _forget(self, before: int, each: bool) -> None:
        """Nobody speaks again of who was only in one condition, or `each` of several."""
        self._known[before:] = [one for one in self._known[before:] if not one.passing and not (each and _is_each(one))]

    def _said(self, said: Said) -> Said:
        doer = said.values.get("player")
        if not _has_doer(said) or (doer is not None and _entity(doer) is None):
            # Somebody else does it, or nobody, so a pronoun would be taken for them.
            self._subject = None
        acting, self._acting = self._acting, _entity(doer)
        values = {name: self._value(value, name) for name, value in said.values.items()}
        self._acting = acting
        return replace(said, values=values)

    def _value(self, value: Value, slot: str = "") -> Value:
        match value:
            case Mention(entity=Entity() as entity, modifiers=besides):
                thing = self._called(entity, subject=slot == "player")
                added = tuple(replace(m, values=self._all(m.values)) for m in besides)
                return replace(thing, modifiers=(*added, *thing.modifiers)) if added else thing
            case Nominal(modifiers=[Attribute(message="prose.of.owner", values=whose)]) if (
                self._acting is not None and _entity(whose.get("owner")) is self._acting
            ):
                # What belongs to who acts is *theirs*.
                return replace(value, own=True, modifiers=())
            case Nominal(modifiers=[*others, Attribute(message="prose.of.owner" | "prose.of.one", values=whose)]) if (
                _is_addressed(whose.get("owner"))
            ):
                return self._value(replace(value, yours=True, modifiers=tuple(others)))
            case Introduction(entity=Entity() as entity):
                if entity not in self._known:
                    self._known.append(entity)
                modifiers = tuple(replace(m, values=self._all(m.values)) for m in value.modifiers)
                return replace(value, modifiers=modifiers)
            case Nominal():
                modifiers = tuple(replace(m, values=self._all(m.values)) for m in value.modifiers)
                return replace(value, modifiers=modifiers)
            case Said():
                return self._said(value)
            case Listing(items=items):
                return replace(value, items=tuple(self._value(item) for item in items))
        return value

    def _all(self, values: Mapping[str, Value]) -> dict[str, Value]:
        # What is said of a thing in passing does not change whom the sentence is about.
        subject = self._subject
        found = {name: self._value(value, name) for name, value in values.items()}
        self._subject = subject
        return found

    def _called(self, entity: Entity, subject: bool) -> Nominal:
        again = self._subject is entity
        if subject:
            self._subject = entity
        if entity.given or entity not in self._known:
            if entity not in self._known:
                self._known.append(entity)
            thing = self._value(entity.thing)
            assert isinstance(thing, Nominal)
            return replace(thing, pronoun=True) if again and subject else thing
        assert isinstance(entity.thing, Nominal)
        head = entity.thing.head
        if head.name.endswith(".kind") and entity.type.kind == "enum":
            head = Term("kind")
        return Nominal(head, self._pointing(entity, head), pronoun=again and subject)

    def _pointing(self, entity: Entity, head: Term) -> tuple[str, ...]:
        """How one points at somebody or something again, so that nobody takes it for another one of the sort."""
        alike = [one for one in self._known if isinstance(one.thing, Nominal) and one.thing.head == head]
        if len(alike) == 2 and entity is alike[1] and (entity.type.kind != "player" or _is_another(entity)):
            return ("def", "other")
        return ("def",) if entity.type.kind == "player" and entity is alike[0] else ("this",)


def _entity(value: object) -> Entity | None:
    return value.entity if isinstance(value, Mention) else None


def _is_addressed(value: object) -> bool:
    """Whether somebody is who reads the text."""
    entity = _entity(value)
    return entity is not None and isinstance(entity.thing, Nominal) and entity.thing.head == ADDRESSED


def _is_each(entity: Entity) -> bool:
    """Whether an entity is each of several in turn."""
    return isinstance(entity.thing, Nominal) and entity.thing.words[:1] in (("every",), ("not_any",))


def _is_another(entity: Entity) -> bool:
    """Whether it is certain that somebody is not who was spoken of before."""
    return isinstance(entity.thing, Nominal) and entity.thing.words[:1] == ("another",)


def _has_doer(value: object) -> bool:
    """Whether somebody does something in a sentence, or in one of several."""
    match value:
        case Said(values=values):
            return "player" in values or any(_has_doer(inner) for inner in values.values())
        case Listing(items=items):
            return any(_has_doer(item) for item in items)
    return False
