"""Expressions, domains and conditions of rules as things and clauses, in no language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from wongar_dsl import syntax as s
from wongar_dsl.model import Local, Model, Type
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.plan import Entity, Mention
from wongar_dsl.words import Attribute, Listing, Nominal, Relative, Said, Term, Value, Words


class Unsayable(Exception):
    """There are no words for a node."""

    def __init__(self, node: s.Node) -> None:
        super().__init__(type(node).__name__)
        self.node = node


@dataclass(slots=True)
class Phrases:
    """The phrases of one procedure: `entities` are who and what its names stand for.

    Of the words only which there are is asked, which is the same in every language.
    """

    model: Model
    account: Account
    words: Words
    entities: dict[Local, Entity] = field(default_factory=dict)

    # ---- who and what ----

    def given(self, owners: Sequence[str], local: Local) -> Entity:
        """A parameter: it was there before the text begins; one of its `owners` may have a term for it."""
        terms = (f"{owner}.{local.name}" for owner in owners)
        own = next((term for term in terms if self.words.has_term(term, self.model.name)), None)
        head, word = (own, "def") if own is not None else self._sort(local.type)
        return self._enter(local, Nominal(Term(head, self.model.name), (word,)), given=True)

    def bound(self, local: Local, thing: Nominal) -> Entity:
        """A name that comes up in the text, as the thing that it is when it does."""
        return self._enter(local, thing, given=False)

    def _enter(self, local: Local, thing: Nominal, given: bool) -> Entity:
        entity = Entity(local.name, local.type, thing, given)
        self.entities[local] = entity
        return entity

    def _sort(self, kind: Type) -> tuple[str, str]:
        """What values of a type are called, and how one that is known is pointed at."""
        match kind.kind:
            case "player":
                return "player", "def"
            case "enum":
                return "kind", "this"
        return kind.name or kind.kind, "this"

    def thing(self, e: s.Expression) -> Nominal:
        """What an expression stands for.  Raises `Unsayable`."""
        ref = self.model.refs.get(e)
        match e:
            case s.Name() if ref is not None and ref.local is not None and ref.local in self.entities:
                self.account.say(e)
                return Mention.of(self.entities[ref.local])
            case s.Name() if ref is not None and ref.kind in ("value", "face", "facekind", "track"):
                self.account.say(e)
                # A value of an enumeration is what it is called; how, its sentence says.
                words = () if self.model.types[e].kind == "enum" else ("def",)
                return Nominal(Term(e.text, self.model.name), words)
            case s.Of(name="left" | "right" | "holder" | "place" as name, owner=owner):
                self.account.say(e)
                kind = self.model.types[e]
                head = f"{name}_{kind.name}" if name == "place" else name
                whose = Attribute(f"prose.of.{name}", {"owner": self.thing(owner)})
                return Nominal(Term(kind.name if name == "place" else head), ("def",), (whose,))
        raise Unsayable(e)

    def tokens(self, count: s.Expression | None, kind: s.Expression) -> Nominal:
        """So many tokens of a kind."""
        number = s.written_number(count) if count is not None else 1
        if number is None:
            raise Unsayable(count or kind)
        self.account.say(count)
        words = ("indef",) if number == 1 else ()
        many = None if number == 1 else number
        ref = self.model.refs.get(kind)
        if ref is not None and ref.kind == "value":
            self.account.say(kind)
            return Nominal(Term(ref_name(self.model, kind), self.model.name, many), words)
        of = Attribute("prose.of_kind", {"kind": self.thing(kind)})
        return Nominal(Term(self.model.types[kind].name, self.model.name, many), words, (of,))

    # ---- what is asked for ----

    def domain(self, domain: s.Domain, local: Local, asked: Sequence[s.Expression]) -> Nominal:
        """One of the values of a domain, before it is known which, for which all that is asked holds."""
        kind = local.type
        head, words = self._sort(kind)[0], ("indef",)
        modifiers: list[Attribute | Relative] = []
        if kind.kind == "enum":
            head = f"{kind.name}.kind"
        match domain.kind:
            case "all" if isinstance(domain.base, s.Name):
                others = [c for c in asked if self._is_another(c, local)]
                asked = [c for c in asked if c not in others]
                words = ("any",) if domain.where is None and kind.kind == "board" else ("indef",)
                words = ("another",) if others else words
            case "touching" if domain.first is not None:
                modifiers.append(Relative("prose.touches", "area", {"other": self.thing(domain.first)}))
            case "within" if domain.first is not None and domain.second is not None:
                steps = s.written_number(domain.first)
                if steps is None:
                    raise Unsayable(domain.first)
                self.account.say(domain.first)
                words = ("another",)
                away: dict[str, Value] = {"n": steps, "other": self.thing(domain.second)}
                modifiers.append(Relative("prose.within", "area", away))
            case _:
                raise Unsayable(domain)
        if domain.extreme is not None or domain.through is not None:
            raise Unsayable(domain)
        self.account.say(domain, domain.base)
        thing = Nominal(Term(head, self.model.name), words, tuple(modifiers))
        if domain.where is not None:
            self.account.say(domain.where)
        entity = self.bound(local, thing)
        for condition in asked:
            modifiers.append(self._about(entity, condition))
        return replace(thing, modifiers=tuple(modifiers))

    def _about(self, entity: Entity, condition: s.Expression) -> Relative:
        """A condition as a clause about somebody or something."""
        clause = self.condition(condition, entity)
        slot = _slot_of(clause, entity)
        if slot is None or not isinstance(clause, Said):
            raise Unsayable(condition)
        return Relative(clause.message, slot, {name: v for name, v in clause.values.items() if name != slot})

    def _is_another(self, condition: s.Expression, local: Local) -> bool:
        """Whether a condition says that a name stands for somebody else than who acts."""
        match condition:
            case s.Compare(operator="!=", left=s.Name() as one, right=s.Name() as other):
                refs = [self.model.refs[one], self.model.refs[other]]
                if {local} < {ref.local for ref in refs} and all(ref.kind == "local" for ref in refs):
                    self.account.say(condition, one, other)
                    return True
        return False

    def condition(self, e: s.Expression, about: Entity | None = None) -> Said | Listing:
        """What has to be so, said of somebody or something if it is `about` that.  Raises `Unsayable`."""
        match e:
            case s.Compare(operator=">", left=s.Indexed() as zone, right=s.Number(value=0)) if self._tokens_in(zone):
                self.account.say(e, e.right)
                return self._has(zone, about)
            case s.Compare(operator=">", left=s.Called() as called, right=s.Number(value=0)) if self._defined(called):
                self.account.say(e, called, e.right)
                define = self.model.code.defines[called.name]
                named = zip(self.model.parameters[define], called.arguments, strict=True)
                return Said(f"define.{called.name}", {local.name: self.thing(a) for local, a in named})
            case s.Empty(zone=zone, negated=negated):
                self.account.say(e, zone)
                return self._lies(zone, negated)
            case s.Called(name=name, arguments=()) if self.words.knows(f"define.{name}", self.model.name):
                self.account.say(e)
                return Said(f"define.{name}")
        raise Unsayable(e)

    def _defined(self, e: s.Called) -> bool:
        """Whether there are words for a definition."""
        return e.name in self.model.code.defines and self.words.knows(f"define.{e.name}", self.model.name)

    def _tokens_in(self, e: s.Indexed) -> bool:
        ref = self.model.refs.get(e)
        return ref is not None and ref.kind == "tokens"

    def _has(self, zone: s.Indexed, about: Entity | None) -> Said:
        """Somebody has a token somewhere."""
        self.account.say(zone)
        *indices, kind = zone.indices
        owner = next((i for i in indices if self.model.types[i].kind == "player"), None)
        if owner is None:
            raise Unsayable(zone)
        values: dict[str, Value] = {"player": self.thing(owner), "place": self.place(zone.name, indices)}
        if about is not None and self.thing(kind) == Mention.of(about):
            one = Nominal(Term(self.model.types[kind].name, self.model.name), ("indef",))
            return Said("prose.has_of", {**values, "what": one, "kind": Mention.of(about)})
        return Said("prose.has", {**values, "what": self.tokens(None, kind)})

    def place(self, zone: str, indices: list[s.Expression]) -> Nominal:
        """Where things lie: the area that tells zones apart, or the zone by its name."""
        area = next((i for i in indices if self.model.types[i].kind == "board"), None)
        if area is not None:
            return self.thing(area)
        return Nominal(Term(zone, self.model.name), ("def",))

    def _lies(self, zone: s.Expression, negated: bool) -> Said:
        """Whether something lies in a zone."""
        ref = self.model.refs.get(zone)
        if isinstance(zone, s.Of) and ref is not None and ref.kind == "slot":
            what = Nominal(Term(zone.name, self.model.name), ("indef",))
            return Said("prose.lies" if negated else "prose.lies_none", {"what": what, "place": self.thing(zone.owner)})
        raise Unsayable(zone)


def terms_of(model: Model) -> frozenset[str]:
    """The terms that a game may have besides, for its rules in words: what a parameter is, and a kind of something."""
    parameters = {
        f"{owner}.{local.name}"
        for article, locals_ in model.parameters.items()
        for owner in owners_of(model, article)
        for local in locals_
    }
    return frozenset(parameters | {f"{name}.kind" for name in model.enums})


def owners_of(model: Model, article: s.Article) -> tuple[str, ...]:
    """Under which names a procedure has terms for its parameters: its own, and for a card that of its sort."""
    sort = next((name for name, cards in model.code.effects.items() if article in cards), None)
    return (article.name.text, *((sort,) if sort is not None else ()))


def _slot_of(clause: Said | Listing, entity: Entity) -> str | None:
    """The slot of a clause that an entity fills, if one does."""
    values: Mapping[str, Value] = clause.values if isinstance(clause, Said) else {}
    return next((name for name, v in values.items() if isinstance(v, Mention) and v.entity is entity), None)


def ref_name(model: Model, e: s.Expression) -> str:
    """The name of the value that an expression is."""
    ref = model.refs[e]
    return model.value_name(model.types[e], ref.number)
