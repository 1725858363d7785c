"""Shared state of the verbalisation passes: the rules, the record of verbalised nodes, and the referents of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Literal, NamedTuple, TypeVar

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import NameSets
from wongar_dsl.language.semantics import Local, Model, Ref, Type
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Entity,
    Introduction,
    Mention,
    Message,
    Plan,
    VerbalisationLog,
    entity_of,
)
from wongar_dsl.nlg.words import (
    ADDRESSED,
    Attribute,
    Listing,
    NounPhrase,
    ProperName,
    Sentence,
    Term,
    Text,
    Translator,
    Value,
)

V = TypeVar("V")

#: Slot names of operands, in order.
SLOTS = ("one", "two", "three", "four")
#: Message part for each comparison of numbers.
COMPARED: Mapping[s.Comparison, str] = {
    "=": "equal", "!=": "unequal", "<": "less", "<=": "at_most", ">": "more", ">=": "at_least",
}  # fmt: skip
#: A number, or a noun phrase for one: *the number of players*.
Amount = int | NounPhrase


#: Where a statement ends its rule: as the last one on its path, in a loop that is the last one, or before others.
Exit = Literal["last", "loop", "within"]
#: Maximum number of conditions and inlined rules in one text; mutually calling rules grow exponentially.
MAX_PARTS = 4000
#: Messages of modifiers for sums and differences; and of all computations.
ADDITIONS = frozenset({"prose.plus", "prose.minus", Message.SIGN_PLUS, Message.SIGN_MINUS, "prose.sign.times"})
#: Messages of modifiers for the bounds of a number.
LIMITS = frozenset({"prose.limit_least", "prose.limit_greatest", "prose.limit_both"})
OPERATIONS = ADDITIONS | LIMITS | {"prose.between", "prose.among", "prose.or_else"}
#: Modifier of a noun that quotes a name of the rules.
QUOTED = "prose.quoted"


class NotVerbalisable(Exception):
    """Raised if a node cannot be verbalised."""

    def __init__(self, node: s.Node) -> None:
        super().__init__(type(node).__name__)
        self.node = node


class Verbalisers(NamedTuple):
    """The verbalisers for each kind of node, combined in `pipeline`, so that they can call each other."""

    value: Callable[[ProseContext, s.Expression], Amount]
    condition: Callable[[ProseContext, s.Expression, bool], Sentence]
    domain: Callable[[ProseContext, s.Domain, Local, Sequence[s.Expression], tuple[str, ...], bool], NounPhrase]
    body: Callable[[ProseContext, s.Block], tuple[Plan, ...]]


@dataclass(slots=True)
class ProseContext:
    """State of the verbalisation of one procedure, definition or ranking.

    `entities` are the referents of its names; `seats` is the number of players, None if it is open. `words` is only
    asked which messages exist, which is the same in every language.
    """

    model: Model
    words: Translator
    verbalisers: Verbalisers
    seats: int | None = None
    log: VerbalisationLog = field(default_factory=VerbalisationLog)
    facts: GameFacts = field(init=False)
    #: Whether the reader has just seen all the arguments, so that a sentence may omit them.
    named: bool = False
    #: True if one message may stand for a whole block: in the text of a chosen option, but not of a rule.
    in_short: bool = False
    #: True if the text addresses its readers as the players who act.
    teaching: bool = False
    entities: dict[Local, Entity] = field(default_factory=dict)
    #: The names of the declarations that the current one is inlined into.
    outer: frozenset[Local] = frozenset()
    #: Known values of parameters.
    values: dict[Local, str] = field(default_factory=dict)
    #: The expressions that names are bound to.
    lets: dict[Local, s.Expression] = field(default_factory=dict)
    #: The inputs of a name's value, for a name that is inlined as an expression.
    inputs: dict[Local, NameSets] = field(default_factory=dict)
    #: Bindings without a sentence of their own.
    quiet: set[s.Let] = field(default_factory=set)
    #: Bindings with a sentence that retains their values, because their inputs change before they are used.
    retained: set[s.Let] = field(default_factory=set)
    #: Those of them that the text does not use, found by a first attempt.
    unused: frozenset[s.Let] = frozenset()
    #: The clauses of named truth values.
    truth_clauses: dict[Local, Sentence] = field(default_factory=dict)
    #: The declaration being verbalised, and the rules being inlined.
    inside: tuple[s.Declaration, ...] = ()
    #: What ends the rules being inlined and rules with a result, and the conditionals that take in what follows them.
    exits: Mapping[s.Node, Exit] = field(default_factory=dict)
    #: Number of conditions and inlined rules so far, which `MAX_PARTS` limits.
    parts_used: int = 0
    #: The entities that the current nested conditions are about.
    about: tuple[Entity, ...] = ()
    #: Names in nested conditions that their nouns do not distinguish.
    rivals: set[Local] = field(default_factory=set)
    #: Values and zones that other parts of the same condition say are present or not empty.
    present: tuple[s.Expression, ...] = ()
    #: Substitutes for expressions with a known referent, until the next action.
    substitutes: Mapping[s.Expression, Entity] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = GameFacts.of(self.model)

    def restart(self, unused: Iterable[s.Let]) -> None:
        """Reset the state, to verbalise again without the unused bindings."""
        fresh = ProseContext(self.model, self.words, self.verbalisers, self.seats, inside=self.inside)
        fresh.in_short, fresh.teaching = self.in_short, self.teaching
        fresh.unused = self.unused | frozenset(unused)
        for part in fields(self):
            setattr(self, part.name, getattr(fresh, part.name))

    def address(self, player: Entity) -> bool:
        """Make a player the reader of a text that teaches, unless another one is; return whether this was done."""
        you = NounPhrase(ADDRESSED)
        if not self.teaching or any(entity.thing == you for entity in self.entities.values()):
            return False
        player.thing, player.given = you, True
        return True

    @contextmanager
    def write_out(self, article: s.Declaration, node: s.Node, given: Mapping[Local, Amount]) -> Iterator[None]:
        """Inline a rule or definition at a call, with its parameters bound to `given`.

        Raises `NotVerbalisable` for recursion and when there are too many.
        """
        self._spend(node)
        if article in self.inside:
            raise NotVerbalisable(node)
        before, inside, outer = dict(self.entities), self.inside, self.outer
        self.outer = frozenset(before)
        for local, value in given.items():
            entity = known_entity(value)
            if entity is not None:
                self.entities[local] = entity
            else:
                self.bind_new(local, value)
        self.inside = (*inside, article)
        try:
            yield
        finally:
            self.entities, self.inside, self.outer = before, inside, outer

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Enter a part of a rule whose names are unknown after it."""
        before = dict(self.entities)
        try:
            yield
        finally:
            self.entities = before

    def late_changes(self, local: Local, value: s.Expression, block: s.Block) -> tuple[s.Statement, ...]:
        """Return the statements that may change a value before its name is used in a block, empty if none matter."""
        # Numbers, truth values and constants have the same phrase each time; no referring expression is possible.
        described = local.type.kind not in ("number", "truth") and not isinstance(value, s.Name)
        inputs = self.facts.freshness.inputs(value)
        for dependency in tuple(inputs.local):
            inputs.add(self.inputs.get(dependency, NameSets()))
        changes = self.facts.freshness.changes_before_use(local, inputs, block, described=described)
        self.inputs[local] = NameSets() if changes else inputs
        return changes

    def _spend(self, node: s.Node) -> None:
        self.parts_used += 1
        if self.parts_used > MAX_PARTS:
            raise NotVerbalisable(node)

    # ---- names ----

    def term(self, name: str, count: int | None = None) -> Term:
        """Return a term of the game or a common one."""
        return Term(name, self.model.scope, count, sort=self.model.sort_of(name))

    def has_term(self, name: str) -> bool:
        """Return whether a term exists."""
        return self.words.has_term(name, self.model.scope)

    def has_message(self, message: str) -> bool:
        """Return whether a message exists."""
        return self.words.has_message(message, self.model.scope)

    def ref(self, e: s.Node) -> Ref:
        """Return the referent of a name; of kind `unknown` for anything else."""
        return self.model.ref(e)

    def kind(self, e: s.Node) -> Type:
        """Return the type of an expression."""
        return self.model.types[e]

    def is_sort(self, kind: Type) -> bool:
        """Return whether values of a type are kinds, which are chosen before things of that kind."""
        return kind.kind == "enum" and self.has_term(f"{kind.name}.kind")

    def noun_and_determiner(self, kind: Type) -> tuple[str, str]:
        """Return the noun for values of a type, and the determiner for a known one."""
        match kind.kind:
            case "player":
                return "player", "def"
            case "enum" if self.is_sort(kind):
                return "kind", "this"
            case "coverings":
                term_name = f"{kind.name}.one"
                return term_name if self.has_term(term_name) else "covering", "this"
            case "tally" | "none" | "nothing" | "unknown" | "truth" | "zone" | "place":
                return "number", "this"
        return kind.name if kind.name and kind.kind not in ("line", "direction") else kind.kind, "this"

    def one_of(self, cards: str) -> Term:
        """Return the noun for a card whose sort is clear from context: *the top card of …*, *the card of this kind*."""
        return self.term(f"{cards}.one") if self.has_term(f"{cards}.one") else self.term(cards)

    def local_term_key(self, name: str) -> str:
        """Return the key for texts about a local name of the current declaration, empty outside of one."""
        return f"{self.inside[-1].name.text}.{name}" if self.inside else ""

    def indefinite_term(self, kind: Type, name: str = "") -> str:
        """Return the noun for a value in an indefinite phrase; a declaration can define a term for its own name."""
        if name and self.has_term(term_name := self.local_term_key(name)):
            return term_name
        if self.is_sort(kind):
            return f"{kind.name}.kind"
        return self.noun_and_determiner(kind)[0]

    # ---- who and what ----

    def given_parameter(self, owners: Sequence[str], local: Local) -> Entity:
        """Enter a parameter as a given entity; one of its `owners` may have a term for it."""
        terms = (f"{owner}.{local.name}" for owner in owners)
        term_name = next((term for term in terms if self.has_term(term)), None)
        kind = self.model.display_type(local)
        head, word = (term_name, "def") if term_name is not None else self.noun_and_determiner(kind)
        if not self.is_sort(local.type):
            word = "def"
        thing = NounPhrase(self.term(head), (word,), self.labels(local, head))
        return self._enter(Entity(local.name, local.type, thing, given=True), local)

    def labels(self, local: Local, head: str) -> tuple[Attribute, ...]:
        """Return the label of a name that its noun does not distinguish: *the number “k”*."""
        unclear = local in self.rivals or (head == "number" and local in self.facts.numbers)
        return (label(self._distinct(local)),) if unclear else ()

    def known_parameter(self, local: Local, name: str) -> Entity:
        """Enter a parameter with a known value, which becomes its name."""
        words = () if local.type.kind == "enum" else ("def",)
        self.values[local] = name
        return self._enter(Entity(local.name, local.type, NounPhrase(self.term(name), words), given=True), local)

    def bind_new(self, local: Local, thing: Amount) -> Entity:
        """Enter a name introduced in the text.

        A computed phrase is repeated in full: *this number* would refer to its operand.
        """
        return self._enter(Entity(self._distinct(local).name, local.type, thing, given=bool(operations(thing))), local)

    def refine(self, local: Local, thing: Amount) -> Entity:
        """Update the phrase of a name's entity."""
        entity = self.entities[local]
        entity.thing = thing
        return entity

    def _distinct(self, local: Local) -> Local:
        """Return a name of an inlined declaration, numbered if a thing of its type in reach around it is called so."""
        called = {entity.name for name, entity in self._alike(local).items() if name in self.outer}
        numbered = (f"{local.name}_{n}" for n in range(2, len(called) + 3))
        return replace(local, name=next(n for n in (local.name, *numbered) if n not in called))

    def _enter(self, entity: Entity, local: Local) -> Entity:
        self.entities[local] = entity
        return entity

    def game_sentence(self, message: str, values: Mapping[str, Value]) -> Sentence:
        """Return a sentence of the game, with the values that it uses."""
        slots = self.words.slots(message, self.model.scope)
        return Sentence(message, {name: value for name, value in values.items() if name in slots})

    def end_ambiguous_substitutes(self, said: object) -> None:
        """Keep *this player* only for the single person that the text has mentioned since."""
        others = persons(said)
        self.substitutes = {
            known_as: entity
            for known_as, entity in self.substitutes.items()
            if entity.type.kind != "player" or others <= {entity}
        }

    def invalidate_pile_ends(self) -> None:
        """Remove bindings to the top or bottom of piles and what is known of these cards, after something has moved."""
        for local, known_as in tuple(self.lets.items()):
            if self.ref(known_as).kind in ("top", "bottom"):
                del self.lets[local]
        ends = [known_as for known_as in self.substitutes if isinstance(known_as, s.Of) and known_as.name == "top"]
        self.substitutes = {e: entity for e, entity in self.substitutes.items() if e not in ends}

    def argument_slots(self, locals_: Sequence[Local], arguments: Sequence[s.Expression]) -> dict[str, Value]:
        """Return the arguments of a definition by parameter name, with the first player as `player`."""
        values: dict[str, Value] = {
            local.name: self.value(argument) for local, argument in zip(locals_, arguments, strict=True)
        }
        return with_player(values, [local.type for local in locals_])

    def slots(self, owners: Sequence[s.Expression]) -> dict[str, Value]:
        """Return operands as slots of a sentence: in order, with the first player as `player`."""
        values: dict[str, Value] = {slot: self.value(owner) for slot, owner in zip(SLOTS, owners, strict=False)}
        return with_player(values, [self.kind(owner) for owner in owners])

    # ---- verbalisers ----

    def value(self, e: s.Expression) -> Amount:
        """Return the phrase for an expression. Raises `NotVerbalisable`."""
        return self.verbalisers.value(self, e)

    def thing(self, e: s.Expression) -> NounPhrase:
        """Return the phrase for an expression that is no number. Raises `NotVerbalisable`."""
        value = self.value(e)
        if isinstance(value, int):
            raise NotVerbalisable(e)
        return value

    def condition(self, e: s.Expression, negated: bool = False) -> Sentence:
        """Return the clause for a condition or its negation. Raises `NotVerbalisable`."""
        self._spend(e)
        return self.verbalisers.condition(self, e, negated)

    def condition_about(self, entity: Entity, e: s.Expression) -> Sentence:
        """Return the clause for a condition about an entity."""
        before, self.about = self.about, (*self.about, entity)
        try:
            return self.condition(e)
        finally:
            self.about = before

    def note_rivals(self, local: Local, conditions: Iterable[s.Expression]) -> None:
        """Record that a name needs a label inside a condition about others of its type.

        It needs none if it is *another* one than the only such thing.
        """
        about = [_referent(entity) for entity in self.about]
        alike = {name: entity for name, entity in self._alike(local).items() if entity in about}
        distinct = len({*alike.values()}) == 1 and any(self.is_another(condition, local) for condition in conditions)
        if alike and not distinct:
            self.rivals |= {*alike, local}

    def is_another(self, condition: s.Expression, local: Local) -> bool:
        """Return whether a condition excludes the only other thing in reach that has the type of a name."""
        names, alike = self.unequal(condition), self._alike(local)
        # Inside a condition about a thing, that is the only antecedent.
        inner = [entity for entity in map(_referent, self.about) if entity in alike.values()]
        excluded = {alike[name] for name in names if name in alike}
        return local in names and {*(inner[-1:] or alike.values())} == excluded != set()

    def excluded(self, condition: s.Expression, local: Local) -> Entity | None:
        """Return the thing that a condition says a name is not."""
        names = self.unequal(condition) - {local}
        return next((_referent(self.entities[name]) for name in names if name in self.entities), None)

    def unequal(self, condition: s.Expression) -> frozenset[Local]:
        """Return the two names that a condition says are different things, none for another condition."""
        if not isinstance(condition, s.Compare) or condition.operator != "!=":
            return frozenset()
        if self.compares_kinds(condition.left, condition.right):
            return frozenset()
        refs = [self.ref(e) for e in (condition.left, condition.right) if isinstance(e, s.Name)]
        return frozenset(ref.local for ref in refs if ref.local is not None)

    def compares_kinds(self, left: s.Expression, right: s.Expression) -> bool:
        """Return whether an equation of two cards is about their kinds: there are several cards of a kind."""
        of_kinds = all(ref.local in self.facts.kinds for ref in [self.ref(e) for e in (left, right)])
        return self.kind(left).name in self.facts.copied and self.kind(left).kind == "cards" and not of_kinds

    def _alike(self, local: Local) -> dict[Local, Entity]:
        """Return the things in reach that have the type of a name, by their names."""
        return {
            name: _referent(entity)
            for name, entity in self.entities.items()
            if name.type == local.type
            and name is not local
            and (name not in self.facts.quantified or entity in self.about)
        }

    def body(self, body: s.Block) -> tuple[Plan, ...]:
        """Return the plans for a block."""
        return self.verbalisers.body(self, body)

    def domain(
        self,
        domain: s.Domain,
        local: Local,
        asked: Sequence[s.Expression],
        words: tuple[str, ...] = ("indef",),
        several: bool = False,
    ) -> NounPhrase:
        """Return a phrase for one value of a domain (or `several`) that meets the conditions. Raises
        `NotVerbalisable`.
        """
        return self.verbalisers.domain(self, domain, local, asked, words, several)

    def of(self, head: str, *owners: s.Expression, message: str = Message.OF_ONE) -> NounPhrase:
        """Return *the* something *of* something else."""
        whose = tuple(Attribute(message, {"owner": self.value(owner)}) for owner in owners)
        return NounPhrase(self.term(head), ("def",), whose)

    def mention(self, local: Local) -> Amount:
        """Return a mention of a name's referent."""
        entity = self.entities[local]
        return entity.thing if isinstance(entity.thing, int) else Mention.of(entity)


def owners_of(model: Model, article: s.Declaration) -> tuple[str, ...]:
    """Return the names under which a procedure has terms for its parameters: its own, and the sort of its card."""
    sort = next((name for name, cards in model.code.effects.items() if article in cards), None)
    return (article.name.text, *((sort,) if sort is not None else ()))


def with_player(slots: dict[str, V], kinds: Sequence[Type]) -> dict[str, V]:
    """Return the slots, with the first player also as `player` unless that name is taken."""
    player = next((slot for slot, kind in zip(slots, kinds, strict=False) if kind.kind == "player"), None)
    return {**slots, "player": slots.get("player", slots[player])} if player is not None else slots


def as_written(local: Local | Entity) -> Text:
    """Return a name of the rules as text, where it has no term."""
    return Text(local.name.replace("_", " "))


def label(local: Local | Entity) -> Attribute:
    """Return the modifier that distinguishes a number by its name in the rules: *the number “k”*."""
    return Attribute(QUOTED, {"name": as_written(local)})


def operations(amount: Amount) -> frozenset[str]:
    """Return the messages of the computations in an amount."""
    if not isinstance(amount, NounPhrase):
        return frozenset()
    messages = {m.message for m in amount.modifiers} & OPERATIONS
    if isinstance(amount, Mention) and operations(amount.entity.thing):
        # The final phrase is chosen later and may be a computation, so no operation can follow it.
        messages.add("prose.between")
    return frozenset(messages)


def _referent(entity: Entity) -> Entity:
    """Return the entity that stands for all names of the same thing."""
    thing = entity.thing
    inner = thing.entity if isinstance(thing, Mention | Introduction) else None
    return entity if inner is None or inner is entity else _referent(inner)


def known_entity(value: Amount) -> Entity | None:
    """Return the entity that a value refers to, or None; *this number plus 1* refers to none."""
    if operations(value):
        return None
    return value.entity if isinstance(value, Mention | Introduction) else None


def conjunctions(e: s.Expression | None) -> tuple[s.Expression, ...]:
    """Return the *and* nodes that join conditions."""
    return tuple(inner for inner in s.walk(e) if isinstance(inner, s.Logical) and inner.operator == "and")


def mentions(value: object) -> frozenset[Entity]:
    """Return all entities mentioned in a value or in a tuple of values, recursively."""
    found = set[Entity]()
    _add_mentions(value if isinstance(value, tuple) else (value,), frozenset(), found)
    return frozenset(found)


def _add_mentions(values: Iterable[object], beyond: frozenset[Entity], found: set[Entity]) -> None:
    """Add the entities mentioned in values to `found`; descriptions of the entities `beyond` are not searched."""
    for value in values:
        if isinstance(value, Mention | Introduction):
            entity = value.entity
            found.add(entity)
            if isinstance(value, Mention):
                if entity in beyond:
                    continue
                _add_mentions((entity.thing,), beyond | {entity}, found)
        _add_mentions(values_in(value), beyond, found)


def values_in(value: object) -> Iterable[object]:
    """Return the values directly in a value."""
    if isinstance(value, NounPhrase):
        return [inner for modifier in value.modifiers for inner in modifier.values.values()]
    if isinstance(value, Sentence):
        return value.values.values()
    return value.items if isinstance(value, Listing) else ()


def changed(value: Value, change: Callable[[Value], Value | None]) -> Value:
    """Return a value with its parts changed, outermost first; `change` returns None for a part to look into."""
    new = change(value)
    if new is not None:
        return new

    def inner(values: Mapping[str, Value]) -> dict[str, Value]:
        return {name: changed(part, change) for name, part in values.items()}

    match value:
        case NounPhrase(modifiers=modifiers):
            return replace(value, modifiers=tuple(replace(m, values=inner(m.values)) for m in modifiers))
        case Sentence(values=values):
            return replace(value, values=inner(values))
        case Listing(items=items):
            return replace(value, items=tuple(changed(item, change) for item in items))
    return value


def parts(value: object) -> Iterator[object]:
    """Yield a value and all values in it, without the descriptions of the entities that it mentions."""
    yield value
    for inner in values_in(value):
        yield from parts(inner)


def persons(value: object) -> frozenset[object]:
    """Return the persons that a value mentions: their entities, or descriptions without one."""
    described = (id(part) for part in parts(value) if isinstance(part, NounPhrase) and part.person)
    return frozenset((*(e for e in mentions(value) if e.type.kind == "player"), *described))


def persons_said(value: Value) -> frozenset[object]:
    """Return the persons in the words of a value, without those in the descriptions of its entities."""
    said = [part for part in parts(value) if isinstance(part, NounPhrase)]
    entities = (entity_of(part) for part in said)
    described = (id(part) for part in said if part.person)
    return frozenset((*(e for e in entities if e is not None and e.type.kind == "player"), *described))


def occurrences(value: object, described: set[Entity]) -> Iterator[Entity]:
    """Yield the entity of each introduction and mention in a value, and once those in its description."""
    for part in parts(value):
        entity = part.entity if isinstance(part, Mention | Introduction) else None
        if entity is not None:
            yield entity
            if isinstance(part, Mention) and entity not in described and isinstance(entity.thing, NounPhrase):
                described.add(entity)
                inner = (v for m in entity.thing.modifiers for v in m.values.values())
                yield from (e for item in inner for e in occurrences(item, described))
            described.add(entity)


def players_by_seat(people: Sequence[NounPhrase]) -> tuple[Entity, ...]:
    """Return entities for the players by seat."""
    return tuple(Entity("", Type("player"), thing, given=True) for thing in people)


def bind(context: ProseContext, local: Local, value: int, players: Sequence[Entity]) -> None:
    """Bind a name to a value; names with the same player as value share an entity."""
    kind = context.model.display_type(local)
    if kind.kind == "player" and value >= 0:
        context.entities[local] = players[value]
        return
    context.bind_new(local, by_term(context, kind, value)).given = True
    if kind.kind in ("enum", "cards") and value >= 0:
        context.values[local] = context.model.value_name(kind, value)


def by_term(context: ProseContext, kind: Type, value: int) -> Amount:
    """Return the phrase for a value."""
    if kind.kind == "number":
        return value
    if kind.kind == "truth":
        return NounPhrase(context.term("yes" if value else "no"))
    if value < 0 and kind.kind != "direction":
        return NounPhrase(context.term("none"))
    name = context.model.value_name(kind, value)
    drawn = kind.kind == "coverings" or (kind.kind == "enum" and kind.name in context.model.shapes)
    squares = kind.kind == "board" and context.model.boards[kind.name].steps
    if (drawn or squares) and not context.has_term(name):
        return NounPhrase(ProperName(name))
    return NounPhrase(context.term(name), () if kind.kind in ("enum", "direction") else ("def",))
