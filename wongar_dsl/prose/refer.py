"""How each mention of somebody or something is called: as it comes up, as what was just spoken of, or as a pronoun."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from wongar_dsl.prose.plan import Entity, Group, Line, Mention, Plan, Unsaid
from wongar_dsl.words import Listing, Nominal, Said, Term, Value


class Referring:
    """One walk over a plan in the order in which it is read."""

    def __init__(self) -> None:
        self._known: set[Entity] = set()
        self._subject: Entity | None = None

    def plans(self, plans: Iterable[Plan]) -> tuple[Plan, ...]:
        """The same plans, each mention of an entity as it is called there."""
        return tuple(self._plan(plan) for plan in plans)

    def _plan(self, plan: Plan) -> Plan:
        match plan:
            case Line(said=said):
                return replace(plan, said=self._said(said))
            case Group(lead=lead, parts=parts):
                called = self._said(lead)
                return replace(plan, lead=called, parts=self.plans(parts))
            case Unsaid():
                return plan

    def _said(self, said: Said) -> Said:
        values = {name: self._value(value, name) for name, value in said.values.items()}
        return replace(said, values=values)

    def _value(self, value: Value, slot: str = "") -> Value:
        match value:
            case Mention(entity=Entity() as entity):
                return self._called(entity, subject=slot == "player")
            case Nominal():
                modifiers = tuple(replace(m, values=self._all(m.values)) for m in value.modifiers)
                return replace(value, modifiers=modifiers)
            case Said():
                return self._said(value)
            case Listing(items=items):
                return replace(value, items=tuple(self._value(item) for item in items))
        return value

    def _all(self, values: Mapping[str, Value]) -> dict[str, Value]:
        return {name: self._value(value, name) for name, value in values.items()}

    def _called(self, entity: Entity, subject: bool) -> Nominal:
        again = self._subject is entity
        if subject:
            self._subject = entity
        if entity.given or entity not in self._known:
            self._known.add(entity)
            thing = self._value(entity.thing)
            assert isinstance(thing, Nominal)
            return replace(thing, pronoun=True) if again and subject else thing
        kind = entity.type.kind
        head = Term("kind") if kind == "enum" else entity.thing.head
        return Nominal(head, ("this",) if kind != "player" else ("def",), pronoun=again and subject)
