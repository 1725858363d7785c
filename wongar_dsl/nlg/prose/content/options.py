"""Option texts generated from the effects of a choice: an option with its values, and the topic of a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import takewhile

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.content.choices import Choosing, option_plan, own_sentence, repeated_infinitive
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext, mentions, owners_of
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.prose.micro.name_bindings import bind, players_by_seat
from wongar_dsl.nlg.prose.micro.referring_expressions import resolve
from wongar_dsl.nlg.prose.micro.sentence_plan import Passage, Plan, PlanLine
from wongar_dsl.nlg.prose.pipeline import VERBALISERS
from wongar_dsl.nlg.prose.verbalisation_log import VerbalisationLog
from wongar_dsl.nlg.words import Listing, NounPhrase, Sentence, Translator

#: Maximum number of effects that an option text tells; an option with more of them has only its name.
MAX_EFFECTS = 3
#: Movements are described as actions of the chooser.
_MOVED: Mapping[str, str] = {
    "prose.goes": "offer.puts",
    "prose.goes_under": "offer.puts_under",
    "prose.tokens_go": "offer.moves",
    "prose.all_go": "offer.puts_all",
    "prose.fills": "offer.fills",
}
#: Movements, which the text omits for something whose movement a message has just told.
_MOVEMENTS = frozenset({*_MOVED.values(), "prose.fills_own"})


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """The effect of an option as an infinitive; `mentioned` are the arguments in it."""

    sentence: Sentence
    mentioned: frozenset[str]
    several: bool = False


@dataclass(frozen=True, slots=True)
class DecisionOffer:
    """A decision in the rule that offers it, for a number of players.

    `given` are values of names in scope, which are visible to all readers of the text.
    """

    model: Model
    words: Translator
    article: s.Declaration
    choosing: Choosing
    seats: int
    given: Mapping[str, int]
    #: The players by seat, and the deciding seat; without them, the rule's own terms are used.
    people: Sequence[NounPhrase] = ()
    seat: int | None = None

    def option(self, number: int, arguments: Sequence[int]) -> OptionEffect | None:
        """Return the effect of an option with its arguments; None if the rules describe no action of the chooser."""
        choice = self.choosing.options[number]
        context = self._context()
        locals_ = [self.model.locals[offered.name] for offered in choice.parameters]
        for local, value in zip(locals_, arguments, strict=True):
            self._bind(context, local, value)
        message = own_sentence(self.choosing, choice)
        try:
            if context.has_message(message):
                values = {local.name: context.mention(local) for local in locals_}
                sentence = context.game_sentence(message, {"player": self._who(context), **values})
                return OptionEffect(
                    _spoken((PlanLine(sentence, choice),)), self.words.slots(message, context.model.scope)
                )
            lines = self._effects(context, context.body(choice.body))
        except NotVerbalisable:
            return None
        if not lines:
            return None
        nodes = (node for line in lines for node in self._nodes(context, line.origin))
        used = self._passed(choice, {ref.local for node in nodes if (ref := self.model.refs.get(node))})
        named = mentions(tuple(line.sentence for line in lines))
        mentioned = (
            local.name
            for local in locals_
            if (self.people or local.type.kind != "player") and (local in used or context.entities[local] in named)
        )
        return OptionEffect(_spoken(lines), frozenset(mentioned), len(lines) > 1)

    def general_effect(self, number: int) -> Sentence | None:
        """Return the effect of an option, independent of its arguments."""
        chosen, done = self._enacted(number)
        return _spoken(lines) if (lines := (*chosen, *done)) and len(lines) <= MAX_EFFECTS else None

    def says(self, number: int) -> bool:
        """Return whether an option can be named by its effect."""
        return bool(self._enacted(number)[1])

    def _enacted(self, number: int) -> tuple[tuple[PlanLine, ...], tuple[PlanLine, ...]]:
        """Return the selections for an option, and its effects."""
        # The condition is already met when the option is offered.
        choice = replace(self.choosing.options[number], condition=None)
        context = self._context()
        try:
            chosen, done, *_ = option_plan(context, self.choosing, choice, self._who(context))
            if own_sentence(self.choosing, choice) in (
                line.sentence.message for line in chosen if isinstance(line, PlanLine)
            ):
                return (), self._effects(context, chosen)
            return self._effects(context, chosen), self._effects(context, done)
        except NotVerbalisable:
            return (), ()

    def _context(self) -> ProseContext:
        facts, log = GameFacts.of(self.model), VerbalisationLog()
        context = ProseContext(self.model, log, self.words, VERBALISERS, facts, self.seats, inside=(self.article,))
        context.in_short = True
        for local in dict.fromkeys((*self.model.parameters.get(self.article, ()), *self._named_before())):
            self._bind(context, local, self.given.get(local.name))
        for local in self._choosers():
            self._bind(context, local, self.seat)
        return context

    def _named_before(self) -> Sequence[Local]:
        """Return the names bound at the position of the decision."""
        return _names_before(self.model, self.article, self.choosing) or ()

    def _choosers(self) -> Iterator[Local]:
        """Yield the name bound to the chooser, if any."""
        if isinstance(self.choosing, s.ChooseSimultaneously):
            yield self.model.locals[self.choosing.variable]
            return
        ref = self.model.refs.get(self.choosing.chooser)
        if ref is not None and ref.local is not None:
            yield ref.local

    def _bind(self, context: ProseContext, local: Local, value: int | None) -> None:
        """Bind a name to a value, or to the rule's term for it."""
        if value is None or (self.model.display_type(local).kind == "player" and not 0 <= value < len(self.people)):
            context.given_parameter(owners_of(self.model, self.article), local)
        else:
            bind(context, local, value, players_by_seat(self.people))

    def _who(self, context: ProseContext) -> NounPhrase:
        if isinstance(self.choosing, s.ChooseSimultaneously):
            chooser = context.mention(self.model.locals[self.choosing.variable])
            assert isinstance(chooser, NounPhrase)
            return chooser
        return context.thing(self.choosing.chooser)

    def _effects(self, context: ProseContext, plans: Sequence[Plan]) -> tuple[PlanLine, ...]:
        """Return all effects, the first of them as actions of the chooser; none if one of them cannot be told."""
        chooser = self._who(context)
        lines: list[PlanLine] = []
        acting = True
        for plan in _lines(plans):
            if not isinstance(plan, PlanLine) or (lines and not plan.plain):
                return ()
            deed = _deed(plan, chooser)
            if deed is None and not lines:
                return ()
            if deed is not None and _goes_on(deed, lines):
                continue
            acting = acting and deed is not None
            lines.append(deed if deed is not None and acting else plan)
        return tuple(lines) if len(lines) <= MAX_EFFECTS else ()

    def _passed(self, choice: s.Option, used: Set[Local | None]) -> Set[Local | None]:
        """Return the names in the arguments of calls whose parameters are used, and the names used already."""
        nodes = (choice, *called_statements(self.model, choice))
        calls = [call for node in nodes for call in s.walk(node) if isinstance(call, s.Called)]
        for call in reversed(calls):
            rule = self.model.code.rules.get(call.name)
            parameters = self.model.parameters.get(rule, ()) if rule is not None else ()
            for argument in (a for local, a in zip(parameters, call.arguments, strict=False) if local in used):
                used |= {ref.local for node in s.walk(argument) if (ref := self.model.refs.get(node))}
        return used

    def _nodes(self, context: ProseContext, node: s.Node) -> Iterator[s.Node]:
        """Yield a node with its descendants, including those of named expressions."""
        for inner in s.walk(node):
            yield inner
            ref = self.model.refs.get(inner)
            if ref is not None and ref.local in context.lets:
                yield from self._nodes(context, context.lets[ref.local])


def _names_before(model: Model, tree: object, goal: s.Node) -> Sequence[Local] | None:
    """Return the names bound at a node inside a tree, or None if the tree does not contain it."""
    if tree is goal:
        return ()
    parts: tuple[object, ...] = tree if isinstance(tree, tuple) else ()
    if isinstance(tree, s.Node):
        parts = tuple(getattr(tree, name) for name in s.field_names(type(tree)))
    names: list[Local] = []
    for part in parts:
        inside = _names_before(model, part, goal)
        if inside is not None:
            return (*names, *inside)
        names += (model.locals[node] for node in _naming(part) if node in model.locals)
    return None


def _naming(part: object) -> Iterator[s.Node]:
    """Yield the names that a node binds for the nodes after it."""
    match part:
        case s.Let(variable=name) | s.OptionParameter(name=name) | (s.Word() as name):
            yield name
        case (s.OptionParameter(), *_):
            yield from (offered.name for offered in part if isinstance(offered, s.OptionParameter))


def _lines(plans: Sequence[Plan]) -> Iterator[Plan]:
    """Yield the plans in sequence, including those of inlined rules."""
    for plan in plans:
        if isinstance(plan, Passage):
            yield from _lines(plan.parts)
        else:
            yield plan


def _deed(plan: Plan, who: NounPhrase) -> PlanLine | None:
    """Return a line as an action of the chooser, or None if it is not."""
    if not isinstance(plan, PlanLine):
        return None
    sentence = repeated_infinitive(plan.sentence)
    if sentence.message in _MOVED:
        sentence = Sentence(_MOVED[sentence.message], {"player": who, **sentence.values})
    return replace(plan, sentence=sentence) if sentence.values.get("player") == who else None


def _goes_on(deed: PlanLine, lines: Sequence[PlanLine]) -> bool:
    """Return whether the line before an action tells it.

    It may tell the way of a thing for the same statement, or be the game's message about a card that is carried out.
    """
    if not lines:
        return False
    before = lines[-1]
    if deed.sentence.message in ("prose.performs", "prose.performs_at"):
        told = not before.sentence.message.startswith("prose.")
        return told and deed.sentence.values["what"] in before.sentence.values.values()
    return deed.sentence.message in _MOVEMENTS and before.origin is deed.origin


def _spoken(lines: tuple[PlanLine, ...]) -> Sentence:
    """Combine lines into one infinitive phrase, followed by the clauses about others."""
    chooser = lines[0].sentence.values.get("player")
    acts = len([*takewhile(lambda line: line.sentence.values.get("player") == chooser, lines)])
    resolved = [line.sentence for line in resolve(lines) if isinstance(line, PlanLine)]
    deeds = [Sentence("prose.option", {"deed": sentence}) for sentence in resolved[:acts]]
    first = deeds[0] if len(deeds) == 1 else Sentence("offer.deeds", {"deeds": Listing(tuple(deeds))})
    others = tuple(resolved[acts:])
    return Sentence("offer.effects", {"deeds": first, "effects": Listing(others)}) if others else first


def called_statements(model: Model, node: s.Node) -> Iterator[s.Node]:
    """Yield the statements of the rules that a node calls, directly or through others."""
    for call in s.walk(node):
        rule = model.code.rules.get(call.name) if isinstance(call, s.Called) else None
        for statement in rule.body if rule is not None else ():
            yield statement
            yield from called_statements(model, statement)


def choose_statement_of(
    model: Model, rule: str, decision: str, options: Sequence[str]
) -> tuple[s.Declaration, Choosing] | None:
    """Return the declaration and node of a decision with these options; None if the rule offers different ones."""
    sites = [
        (article, node)
        for article in model.code.articles
        if article.name.text == rule
        for node in s.walk(article)
        if isinstance(node, s.Choose | s.ChooseSimultaneously)
        and model.decision_names[node] == decision
        and tuple(choice.name.text for choice in node.options) == tuple(options)
    ]
    return sites[0] if sites and all(s.same(sites[0][1], node) for _, node in sites[1:]) else None
