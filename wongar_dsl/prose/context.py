"""What the passes of prose share: the rules, what is said of them, and who and what their names stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import NamedTuple, TypeVar

from wongar_dsl import syntax as s
from wongar_dsl.analysis.effects import Names
from wongar_dsl.model import Local, Model, Ref, Type
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.overall import Overall
from wongar_dsl.prose.plan import Entity, Introduction, Mention, Plan
from wongar_dsl.words import Attribute, Listing, Nominal, Said, Term, Text, Value, Words

V = TypeVar("V")

#: The slots of what something is asked of, in order.
SLOTS = ("one", "two", "three", "four")
#: What a comparison of numbers is called.
COMPARED: Mapping[s.Comparison, str] = {
    "=": "equal", "!=": "unequal", "<": "less", "<=": "at_most", ">": "more", ">=": "at_least",
}  # fmt: skip
#: A number, or what somebody would call it: *the number of players*.
Amount = int | Nominal


#: How many conditions and rules written out one text can hold: in rules that call others twice there are ever more.
MOST_SAID = 4000
#: What is said behind a number to which more is added, or from which it is taken; and all that computing is said with.
ADDITIONS = frozenset({"prose.plus", "prose.minus", "prose.sign.plus", "prose.sign.minus", "prose.sign.times"})
OPERATIONS = ADDITIONS | {"prose.between", "prose.or_else", "prose.limit_least", "prose.limit_greatest"}
#: What stands behind the word for something that is called as the rules call it.
QUOTED = "prose.quoted"


class Unsayable(Exception):
    """There are no words for a node."""

    def __init__(self, node: s.Node) -> None:
        super().__init__(type(node).__name__)
        self.node = node


class Passes(NamedTuple):
    """What says which sort of node; joined in `phrases`, so that each may speak of all others."""

    value: Callable[[Context, s.Expression], Amount]
    condition: Callable[[Context, s.Expression, bool], Said]
    domain: Callable[[Context, s.Domain, Local, Sequence[s.Expression], tuple[str, ...], bool], Nominal]
    body: Callable[[Context, s.Block], tuple[Plan, ...]]


@dataclass(slots=True)
class Context:
    """One procedure, definition or ranking that is put into words.

    `entities` are who and what its names stand for; `seats` is how many play, None where that is open.  Of the words
    only which there are is asked, which is the same in every language.
    """

    model: Model
    account: Account
    words: Words
    passes: Passes
    overall: Overall
    seats: int | None = None
    #: Whether who reads it has just named all that it is about, so that a sentence may leave that out.
    named: bool = False
    #: Whether one message may stand for all that is done with it: for an option that is chosen, not for a rule.
    in_short: bool = False
    entities: dict[Local, Entity] = field(default_factory=dict)
    #: The parameters whose values are known.
    values: dict[Local, str] = field(default_factory=dict)
    #: What was given a name.
    lets: dict[Local, s.Expression] = field(default_factory=dict)
    #: What the value of a name depends on, for a name that is written out as an expression.
    inputs: dict[Local, Names] = field(default_factory=dict)
    #: The names that were given without a word.
    quiet: set[s.Let] = field(default_factory=set)
    #: The names whose values are kept, for what they were computed from changes before they are used.
    kept: set[s.Let] = field(default_factory=set)
    #: Those of them that the text turned out not to speak of.
    unasked: frozenset[s.Let] = frozenset()
    #: The sentences of what was named and holds or not.
    held: dict[Local, Said] = field(default_factory=dict)
    #: What is put into words, and the rules that are being written out where they are called.
    inside: tuple[s.Article, ...] = ()
    #: How many conditions were said, and rules written out, so far.
    said: int = 0
    #: Whom or what the conditions are asked of that are just being said, one inside of the other.
    about: tuple[Entity, ...] = ()
    #: What stands for somebody whom a condition has spoken of, as long as nothing is done.
    alike: Mapping[s.Expression, Entity] = field(default_factory=dict)
    #: What was asked of the kinds that were chosen.
    settled: list[s.Expression] = field(default_factory=list)

    def begin_again(self, unasked: Iterable[s.Let]) -> None:
        """Forget all that was said, to say it without the values that no one asked for."""
        fresh = Context(self.model, Account(), self.words, self.passes, self.overall, self.seats, inside=self.inside)
        fresh.in_short = self.in_short
        fresh.unasked = self.unasked | frozenset(unasked)
        for part in fields(self):
            setattr(self, part.name, getattr(fresh, part.name))

    @contextmanager
    def written_out(self, article: s.Article, node: s.Node, given: Mapping[Local, Amount]) -> Iterator[None]:
        """Write out an article at a node where it is called, its parameters standing for what is `given`.

        Raises `Unsayable` inside of itself, and after too many.
        """
        self._spend(node)
        if article in self.inside:
            raise Unsayable(node)
        before, inside = dict(self.entities), self.inside
        for local, value in given.items():
            known = spoken_of(value)
            if known is not None:
                self.entities[local] = known
            else:
                self.bound(local, value)
        self.inside = (*inside, article)
        try:
            yield
        finally:
            self.entities, self.inside = before, inside

    def late(self, local: Local, value: s.Expression, block: s.Block) -> tuple[s.Statement, ...]:
        """Return what may change a value before its name is used in a block; nothing where the two mean the same."""
        # A number or a truth, and what has a name in the rules, is called the same each time: it cannot be pointed to.
        described = local.type.kind not in ("number", "truth") and not isinstance(value, s.Name)
        found = self.overall.fresh.inputs(value)
        for other in tuple(found.local):
            found.add(self.inputs.get(other, Names()))
        changes = self.overall.fresh.changes_before_use(local, found, block, described=described)
        self.inputs[local] = Names() if changes else found
        return changes

    def _spend(self, node: s.Node) -> None:
        self.said += 1
        if self.said > MOST_SAID:
            raise Unsayable(node)

    # ---- names ----

    def term(self, name: str, count: int | None = None) -> Term:
        """A word of the game, or one that all games have."""
        return Term(name, self.model.scope, count)

    def has_term(self, name: str) -> bool:
        """Whether there is such a word."""
        return self.words.has_term(name, self.model.scope)

    def knows(self, message: str) -> bool:
        """Whether there is such a sentence."""
        return self.words.knows(message, self.model.scope)

    def ref(self, e: s.Node) -> Ref | None:
        """What a name means."""
        return self.model.refs.get(e)

    def kind(self, e: s.Node) -> Type:
        """The type of an expression."""
        return self.model.types[e]

    def is_sort(self, kind: Type) -> bool:
        """Whether values of a type are sorts of things: they are chosen before anything of that sort is spoken of."""
        return kind.kind == "enum" and self.has_term(f"{kind.name}.kind")

    def sort(self, kind: Type) -> tuple[str, str]:
        """What values of a type are called, and how one that is known is pointed at."""
        match kind.kind:
            case "player":
                return "player", "def"
            case "enum" if self.is_sort(kind):
                return "kind", "this"
            case "coverings":
                own = f"{kind.name}.one"
                return own if self.has_term(own) else "covering", "this"
            case "tally" | "none" | "nothing" | "unknown" | "truth" | "zone" | "place":
                return "number", "this"
        return kind.name if kind.name and kind.kind not in ("line", "direction") else kind.kind, "this"

    def one_of(self, cards: str) -> Term:
        """What a card is called beside what says already of which sort it is: *the top card of the pile of …*."""
        return self.term(f"{cards}.one") if self.has_term(f"{cards}.one") else self.term(cards)

    def within(self, name: str) -> str:
        """What the words are kept under that the article being put into words has for a name in it; empty outside."""
        return f"{self.inside[-1].name.text}.{name}" if self.inside else ""

    def sought(self, kind: Type, name: str = "") -> str:
        """What a value of a type is called where one is looked for; an article may have a term for a name in it."""
        if name and self.has_term(own := self.within(name)):
            return own
        if self.is_sort(kind):
            return f"{kind.name}.kind"
        return self.sort(kind)[0]

    # ---- who and what ----

    def given(self, owners: Sequence[str], local: Local) -> Entity:
        """A parameter: it was there before the text begins; one of its `owners` may have a term for it."""
        terms = (f"{owner}.{local.name}" for owner in owners)
        own = next((term for term in terms if self.has_term(term)), None)
        head, word = (own, "def") if own is not None else self.sort(local.type)
        if not self.is_sort(local.type):
            word = "def"
        thing = Nominal(self.term(head), (word,), self.labels(local, head))
        return self._enter(Entity(local.name, local.type, thing, given=True), local)

    def labels(self, local: Local, head: str) -> tuple[Attribute, ...]:
        """What a number that has no word of its own is told apart by, where others like it are computed with."""
        return (label(local),) if head == "number" and local in self.overall.numbers else ()

    def known(self, local: Local, name: str) -> Entity:
        """A parameter whose value is known: it is called by that."""
        words = () if local.type.kind == "enum" else ("def",)
        self.values[local] = name
        return self._enter(Entity(local.name, local.type, Nominal(self.term(name), words), given=True), local)

    def bound(self, local: Local, thing: Amount) -> Entity:
        """A name that comes up in the text, as the thing that it is when it does.

        What is computed is said in full each time: *this number* would be the one that it is computed from.
        """
        return self._enter(Entity(local.name, local.type, thing, given=bool(operations(thing))), local)

    def refined(self, local: Local, thing: Amount) -> Entity:
        """More is known of what a name stands for."""
        entity = self.entities[local]
        entity.thing = thing
        return entity

    def _enter(self, entity: Entity, local: Local) -> Entity:
        self.entities[local] = entity
        return entity

    def own(self, message: str, values: Mapping[str, Value]) -> Said:
        """A sentence of the game, with what it speaks of; an acting player may stand in its slot `player`."""
        slots = self.words.slots(message, self.model.scope)
        return Said(message, {name: value for name, value in values.items() if name in slots})

    def forget_ends(self) -> None:
        """Something was moved: what was named as the top or bottom of a pile is that no longer."""
        for local, known_as in tuple(self.lets.items()):
            ref = self.ref(known_as)
            if ref is not None and ref.kind in ("top", "bottom"):
                del self.lets[local]

    def called_with(self, locals_: Sequence[Local], arguments: Sequence[s.Expression]) -> dict[str, Value]:
        """What a definition is asked of, by its names, and the first player as `player`."""
        found: dict[str, Value] = {
            local.name: self.value(argument) for local, argument in zip(locals_, arguments, strict=True)
        }
        return with_player(found, [local.type for local in locals_])

    def slots(self, owners: Sequence[s.Expression]) -> dict[str, Value]:
        """What something is asked of, as the slots of its sentence: in order, and the first player as `player`."""
        found: dict[str, Value] = {slot: self.value(owner) for slot, owner in zip(SLOTS, owners, strict=False)}
        return with_player(found, [self.kind(owner) for owner in owners])

    # ---- what the passes say ----

    def value(self, e: s.Expression) -> Amount:
        """What an expression stands for.  Raises `Unsayable`."""
        return self.passes.value(self, e)

    def thing(self, e: s.Expression) -> Nominal:
        """What an expression stands for, if that is no number.  Raises `Unsayable`."""
        found = self.value(e)
        if isinstance(found, int):
            raise Unsayable(e)
        return found

    def condition(self, e: s.Expression, negated: bool = False) -> Said:
        """What has to be so, or has not to be.  Raises `Unsayable`."""
        self._spend(e)
        return self.passes.condition(self, e, negated)

    def said_of(self, entity: Entity, e: s.Expression) -> Said:
        """The condition, said of somebody or something."""
        before, self.about = self.about, (*self.about, entity)
        try:
            return self.condition(e)
        finally:
            self.about = before

    def body(self, body: s.Block) -> tuple[Plan, ...]:
        """What is said of statements one after the other."""
        return self.passes.body(self, body)

    def domain(
        self,
        domain: s.Domain,
        local: Local,
        asked: Sequence[s.Expression],
        words: tuple[str, ...] = ("indef",),
        several: bool = False,
    ) -> Nominal:
        """One of the values of a domain (or `several`) for which all that is asked holds.  Raises `Unsayable`."""
        return self.passes.domain(self, domain, local, asked, words, several)

    def of(self, head: str, *owners: s.Expression, message: str = "prose.of.one") -> Nominal:
        """*The* something *of* something else."""
        whose = tuple(Attribute(message, {"owner": self.value(owner)}) for owner in owners)
        return Nominal(self.term(head), ("def",), whose)

    def mention(self, local: Local) -> Amount:
        """A place that speaks of what a name stands for."""
        entity = self.entities[local]
        return entity.thing if isinstance(entity.thing, int) else Mention.of(entity)


def owners_of(model: Model, article: s.Article) -> tuple[str, ...]:
    """Under which names a procedure has terms for its parameters: its own, and for a card that of its sort."""
    sort = next((name for name, cards in model.code.effects.items() if article in cards), None)
    return (article.name.text, *((sort,) if sort is not None else ()))


def with_player(slots: dict[str, V], kinds: Sequence[Type]) -> dict[str, V]:
    """The slots, of these types in order, with the first player also as `player`, unless one has that name."""
    player = next((slot for slot, kind in zip(slots, kinds, strict=False) if kind.kind == "player"), None)
    return {**slots, "player": slots.get("player", slots[player])} if player is not None else slots


def as_written(local: Local) -> Text:
    """A name of the rules where there is no word for it."""
    return Text(local.name.replace("_", " "))


def label(local: Local) -> Attribute:
    """What tells a number from others by the name that the rules have for it: *the number “k”*."""
    return Attribute(QUOTED, {"name": as_written(local)})


def operations(amount: Amount) -> frozenset[str]:
    """The messages of what is computed in an amount."""
    if not isinstance(amount, Nominal):
        return frozenset()
    own = {m.message for m in amount.modifiers} & OPERATIONS
    if isinstance(amount, Mention) and amount.entity is not None and operations(amount.entity.thing):
        # The words for it are found only later, and others cannot follow them.
        own.add("prose.between")
    return frozenset(own)


def spoken_of(value: Amount) -> Entity | None:
    """Who or what a value is, where it is somebody or something that was spoken of; *this number plus 1* is not."""
    if operations(value):
        return None
    return value.entity if isinstance(value, Mention | Introduction) else None


def conjunctions(e: s.Expression | None) -> tuple[s.Expression, ...]:
    """The *and*s that only hold conditions together."""
    return tuple(inner for inner in s.walk(e) if isinstance(inner, s.Logical) and inner.operator == "and")


def mentions(value: object, beyond: frozenset[Entity] = frozenset()) -> frozenset[Entity]:
    """Who and what is spoken of in a value, however deep; not again in what is said of those `beyond`."""
    match value:
        case Mention(entity=Entity() as entity, modifiers=besides):
            if entity in beyond:
                return frozenset({entity})
            inner = mentions(tuple(v for m in besides for v in m.values.values()), beyond)
            return frozenset({entity}) | inner | mentions(entity.thing, beyond | {entity})
        case Nominal(modifiers=modifiers):
            inner = mentions(tuple(v for m in modifiers for v in m.values.values()), beyond)
            return inner | {value.entity} if isinstance(value, Introduction) and value.entity is not None else inner
        case Said(values=values):
            return mentions(tuple(values.values()), beyond)
        case Listing(items=items):
            return mentions(items, beyond)
        case tuple():
            return frozenset(found for v in value for found in mentions(v, beyond))
    return frozenset()
