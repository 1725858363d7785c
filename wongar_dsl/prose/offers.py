"""What one may choose, said from what the choice does: an option with its values, and what a question is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wongar_dsl import syntax as s
from wongar_dsl.model import Local, Model
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.bindings import bind, somebody
from wongar_dsl.prose.choices import Choosing, enacted, often, own_sentence
from wongar_dsl.prose.context import Context, Unsayable, mentions, owners_of
from wongar_dsl.prose.overall import Overall
from wongar_dsl.prose.phrases import PASSES
from wongar_dsl.prose.plan import Line, Passage, Plan
from wongar_dsl.prose.refer import Referring
from wongar_dsl.words import Listing, Nominal, Said, Words

#: So many things are said to be done, one after the other.
MOST = 2
#: What moves is moved by who chooses that.
_MOVED: Mapping[str, str] = {
    "prose.goes": "offer.puts",
    "prose.goes_under": "offer.puts_under",
    "prose.tokens_go": "offer.moves",
    "prose.all_go": "offer.puts_all",
    "prose.fills": "offer.fills",
}
#: Where something comes that was just taken, which need not be said.
_FOLLOWING = frozenset({*_MOVED.values(), "prose.fills_own"})


@dataclass(frozen=True, slots=True)
class Deed:
    """What choosing an option comes to, to be said in the infinitive; `told` are the values that it speaks of."""

    said: Said
    told: frozenset[str]


@dataclass(frozen=True, slots=True)
class Offer:
    """A decision as its rule offers it, for so many players.

    `given` are the values of names around it that everybody who may read it knows.
    """

    model: Model
    words: Words
    article: s.Article
    choosing: Choosing
    seats: int
    overall: Overall
    given: Mapping[str, int]
    #: Who the players are, by seat, and which of them decides; where that is open, they are what the rule calls them.
    people: Sequence[Nominal] = ()
    seat: int | None = None

    def option(self, number: int, arguments: Sequence[int]) -> Deed | None:
        """What an option does with its arguments; None where no word of the rules says that who chooses does it."""
        choice = self.choosing.choices[number]
        context = self._context()
        locals_ = [self.model.locals[offered.name] for offered in choice.parameters]
        for local, value in zip(locals_, arguments, strict=True):
            self._bind(context, local, value)
        own = own_sentence(self.choosing, choice)
        try:
            if context.knows(own):
                values = {local.name: context.mention(local) for local in locals_}
                said = context.own(own, {"player": self._who(context), **values})
                return Deed(_spoken((Line(said, choice),)), self.words.slots(own, context.model.scope))
            found = self._deeds(context, context.body(choice.body))
        except Unsayable:
            return None
        if not found:
            return None
        nodes = (node for line in found for node in self._nodes(context, line.origin))
        asked = {ref.local for node in nodes if (ref := self.model.refs.get(node))}
        named = mentions(tuple(line.said for line in found))
        told = (
            local.name
            for local in locals_
            if (self.people or local.type.kind != "player") and (local in asked or context.entities[local] in named)
        )
        return Deed(_spoken(found), frozenset(told))

    def question(self, number: int) -> Said | None:
        """What an option does, whatever its arguments are."""
        chosen, done = self._enacted(number)
        return _spoken(found) if (found := (*chosen, *done)[:MOST]) else None

    def says(self, number: int) -> bool:
        """Whether an option can be called by what it does."""
        return bool(self._enacted(number)[1])

    def _enacted(self, number: int) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """What is chosen for an option, and what it does then."""
        # Whether there is such an option is seen by then.
        asked = replace(self.choosing.choices[number], condition=None)
        context = self._context()
        try:
            chosen, done, _ = enacted(context, self.choosing, asked, self._who(context))
            if own_sentence(self.choosing, asked) in (line.said.message for line in chosen if isinstance(line, Line)):
                return (), self._deeds(context, chosen)
            return self._deeds(context, chosen), self._deeds(context, done)
        except Unsayable:
            return (), ()

    def _context(self) -> Context:
        context = Context(self.model, Account(), self.words, PASSES, self.overall, self.seats, inside=(self.article,))
        context.in_short = True
        for local in dict.fromkeys((*self.model.parameters.get(self.article, ()), *self._named_before())):
            self._bind(context, local, self.given.get(local.name))
        for local in self._choosers():
            self._bind(context, local, self.seat)
        return context

    def _named_before(self) -> Sequence[Local]:
        """The names that stand for something where the decision stands."""
        return _names_before(self.model, self.article, self.choosing) or ()

    def _choosers(self) -> Iterator[Local]:
        """The name that stands for who chooses, if one does."""
        if isinstance(self.choosing, s.ChooseSimultaneously):
            yield self.model.locals[self.choosing.variable]
            return
        ref = self.model.refs.get(self.choosing.chooser)
        if ref is not None and ref.local is not None:
            yield ref.local

    def _bind(self, context: Context, local: Local, value: int | None) -> None:
        """A name stands for a value, or for what the rule calls it."""
        if value is None or (self.model.shown(local).kind == "player" and not 0 <= value < len(self.people)):
            context.given(owners_of(self.model, self.article), local)
        else:
            bind(context, local, value, somebody(self.people))

    def _who(self, context: Context) -> Nominal:
        if isinstance(self.choosing, s.ChooseSimultaneously):
            who = context.mention(self.model.locals[self.choosing.variable])
            assert isinstance(who, Nominal)
            return who
        return context.thing(self.choosing.chooser)

    def _deeds(self, context: Context, plans: Sequence[Plan]) -> tuple[Line, ...]:
        """What who chooses does first, as far as nothing else happens before it."""
        who = self._who(context)
        found: list[Line] = []
        for plan in _lines(plans):
            deed = _deed(plan, who)
            if deed is None or len(found) == MOST or (found and (deed.said.message in _FOLLOWING or not deed.plain)):
                break
            found.append(deed)
        return tuple(found)

    def _nodes(self, context: Context, node: s.Node) -> Iterator[s.Node]:
        """A node with all under it, what was named before too."""
        for inner in s.walk(node):
            yield inner
            ref = self.model.refs.get(inner)
            if ref is not None and ref.local in context.lets:
                yield from self._nodes(context, context.lets[ref.local])


def _names_before(model: Model, tree: object, goal: s.Node) -> Sequence[Local] | None:
    """The names that stand for something at a node inside of a piece of rules; None where it does not stand there."""
    if tree is goal:
        return ()
    parts: tuple[object, ...] = tree if isinstance(tree, tuple) else ()
    if isinstance(tree, s.Node):
        parts = tuple(getattr(tree, name) for name in s.parts(type(tree)))
    names: list[Local] = []
    for part in parts:
        inside = _names_before(model, part, goal)
        if inside is not None:
            return (*names, *inside)
        names += (model.locals[node] for node in _naming(part) if node in model.locals)
    return None


def _naming(part: object) -> Iterator[s.Node]:
    """What gives a name to what stands behind a piece of rules."""
    match part:
        case s.Let(variable=name) | s.Offered(name=name) | (s.Word() as name):
            yield name
        case (s.Offered(), *_):
            yield from (offered.name for offered in part if isinstance(offered, s.Offered))


def _lines(plans: Sequence[Plan]) -> Iterator[Plan]:
    """The plans one after the other, those of rules that are written out too."""
    for plan in plans:
        if isinstance(plan, Passage):
            yield from _lines(plan.parts)
        else:
            yield plan


def _deed(plan: Plan, who: Nominal) -> Line | None:
    """A line as something that somebody does; None if it is not for them to do."""
    if not isinstance(plan, Line):
        return None
    said = often(plan.said)
    if said.message in _MOVED:
        said = Said(_MOVED[said.message], {"player": who, **said.values})
    return replace(plan, said=said) if said.values.get("player") == who else None


def _spoken(lines: tuple[Line, ...]) -> Said:
    """Lines as one phrase in the infinitive."""
    resolved = Referring().plans(lines)
    deeds = tuple(Said("prose.option", {"deed": line.said}) for line in resolved if isinstance(line, Line))
    return deeds[0] if len(deeds) == 1 else Said("offer.deeds", {"deeds": Listing(deeds)})


def choosing_of(model: Model, rule: str, decision: str, options: Sequence[str]) -> tuple[s.Article, Choosing] | None:
    """Where a rule offers a decision with these options; None where it does so in several ways."""
    found = [
        (article, node)
        for article in model.code.articles
        if article.name.text == rule
        for node in s.walk(article)
        if isinstance(node, s.Choose | s.ChooseSimultaneously)
        and model.decision_names[node] == decision
        and tuple(choice.name.text for choice in node.choices) == tuple(options)
    ]
    return found[0] if found and all(s.same(found[0][1], node) for _, node in found[1:]) else None
