"""Texts about the options of a decision: their effects with the values chosen, and reasons why one is unavailable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Protocol

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.content.choices import Choosing, option_plan, own_sentence, repeated_infinitive
from wongar_dsl.nlg.prose.content.comparisons import MIRRORED, conjunction, has_something, opposite
from wongar_dsl.nlg.prose.content.noun_phrases import distinguishing_index, sort_of
from wongar_dsl.nlg.prose.context import (
    COMPARED,
    SLOTS,
    Amount,
    NotVerbalisable,
    ProseContext,
    bind,
    by_term,
    mentions,
    owners_of,
    players_by_seat,
)
from wongar_dsl.nlg.prose.game_facts import rules_called
from wongar_dsl.nlg.prose.micro.referring_expressions import resolve
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Message, Passage, Plan, PlanLine
from wongar_dsl.nlg.prose.pipeline import VERBALISERS
from wongar_dsl.nlg.words import ADDRESSED, Attribute, Listing, NounPhrase, Sentence, Translator, Value

#: Maximum number of effects that an option text tells; an option with more of them has only its name.
MAX_EFFECTS = 3
#: Movements are described as actions of the chooser.
_MOVED: Mapping[str, str] = {
    Message.GOES: "offer.puts",
    "prose.goes_under": "offer.puts_under",
    Message.TOKENS_GO: "offer.moves",
    Message.ALL_GO: "offer.puts_all",
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
                slots = self.words.slots(message, context.model.scope)
                return OptionEffect(_spoken((PlanLine(sentence, choice),)), slots)
            lines = self._effects(context, context.body(choice.body))
        except NotVerbalisable:
            return None
        if not lines:
            return None
        nodes = (node for line in lines for node in self._nodes(context, line.origin))
        used = self._passed(choice, {self.model.ref(node).local for node in nodes})
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
        context = ProseContext(self.model, self.words, VERBALISERS, self.seats, inside=(self.article,), in_short=True)
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
        ref = self.model.ref(self.choosing.chooser)
        if ref.local is not None:
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
                used |= {self.model.ref(node).local for node in s.walk(argument)}
        return used

    def _nodes(self, context: ProseContext, node: s.Node) -> Iterator[s.Node]:
        """Yield a node with its descendants, including those of named expressions."""
        for inner in s.walk(node):
            yield inner
            ref = self.model.ref(inner)
            if ref.local in context.lets:
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
    for node in part if isinstance(part, tuple) else (part,):
        if isinstance(node, s.OptionParameter):
            yield node.name
        elif isinstance(node, s.Let | s.Word) and node is part:
            yield node.variable if isinstance(node, s.Let) else node


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
    if deed.sentence.message in (Message.PERFORMS, Message.PERFORMS_AT):
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
    for rule in rules_called(model, node):
        for statement in rule.body:
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


#: Messages that only restrict the selectable values.
_OF_WHAT_IS_CHOSEN = frozenset({"reason.only", "reason.not_that", "reason.another"})
#: Messages that demand something, while the others state a fact of the position.
_DEMANDS = _OF_WHAT_IS_CHOSEN | {
    Message.ALLOWED_IF,
    *(f"reason.{name}" for name in ("no_more", "no_less", "row", "column", *COMPARED.values())),
}
#: The bound that a comparison sets (upper or not), and its offset from the named number.
_BOUNDS: Mapping[s.Comparison, tuple[bool, int]] = {"<": (True, -1), "<=": (True, 0), ">": (False, 1), ">=": (False, 0)}
#: Negated messages for possessions and locations.
_NOT = {Message.HAS: "reason.has_not", "prose.lies": "reason.lies_not"}
#: Messages for an insufficient amount.
_ONLY = {Message.HAS: "reason.has_only", "prose.lies": "reason.lies_only"}


class DecisionPosition(Protocol):
    """A position with a pending decision, in which conditions are evaluated."""

    def value(self, e: s.Expression, given: Mapping[Local, int]) -> int | None:
        """Return the value of an expression with some bound names; None if it is hidden from the deciding player."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a failed condition, and the failing node.

    `depth` is the place of the failing part in nested conjunctions: the reason with the greater one fulfils more of
    them. `lasting`: no position of the game fulfils it.
    """

    sentence: Sentence
    node: s.Node
    depth: tuple[int, ...] = ()
    lasting: bool = False


@dataclass(slots=True)
class ReasonSearch:
    """A search for a reason: the rules in a position, the players by seat, and the bound names.

    A name without a value is hidden from the deciding player and only called by its noun.
    """

    model: Model
    words: Translator
    #: The rule that offers the decision.
    rule: str
    seats: int
    position: DecisionPosition
    people: Sequence[NounPhrase]
    given: dict[Local, int] = field(default_factory=dict)
    context: ProseContext = field(init=False)
    _players: tuple[Entity, ...] = field(init=False)
    #: The parameters of the option, whose values are rejected.
    _offered: frozenset[Local] = frozenset()

    def __post_init__(self) -> None:
        self.context = ProseContext(self.model, self.words, VERBALISERS, self.seats, named=True)
        self._players = players_by_seat(self.people)

    # ---- names ----

    def bind(self, local: Local, value: int) -> None:
        """Bind a name to a value."""
        self.given[local] = value
        bind(self.context, local, value, self._players)

    def choose(self, chosen: Mapping[Local, int]) -> None:
        """Bind the arguments of an option, in order."""
        self._offered = frozenset(chosen)
        before: list[Local] = []
        for local, value in chosen.items():
            self.bind(local, value)
            self._tell_apart(local, before)
            before.append(local)

    def _tell_apart(self, local: Local, before: Sequence[Local]) -> None:
        """Add distinguishing details to a place: *seat 3 of the first row*.

        A place with a noun in the rule is called by that: *the route from the harbour towards north*.
        """
        context, entity, noun = self.context, self.context.entities[local], f"{self.rule}.{local.name}"
        if not isinstance(entity.thing, NounPhrase):
            return
        if local.type.kind == "enum" and context.has_term(noun):
            starts = [earlier for earlier in before if earlier.type.kind in ("enum", "board")]
            start = [Attribute("reason.whence", {"place": context.mention(earlier)}) for earlier in starts[-1:]]
            where = Attribute("prose.lying", {"place": entity.thing})
            entity.thing = NounPhrase(context.term(noun), ("def",), (*start, where))
            return
        for zone in self.model.declared.zones.values():
            index = distinguishing_index(context, zone.name)
            if index is None or zone.indices[index] != local.type:
                continue
            values: dict[str, Value] = {}
            for slot, kind in zip(SLOTS, zone.indices, strict=False):
                names = (earlier for earlier in (*self.given, *before) if earlier is not local)
                bound_names = [earlier for earlier in names if earlier.type == kind]
                if slot != SLOTS[index] and kind.kind != "player" and bound_names:
                    values[slot] = context.mention(bound_names[-1])
            if values and set(values) >= self.words.slots(f"of.{zone.name}", self.model.scope):
                entity.thing = replace(entity.thing, modifiers=(Attribute(f"of.{zone.name}", values),))
                return

    def hide(self, local: Local) -> None:
        """Declare a name hidden from the deciding player."""
        self.context.given_parameter((), local)

    # ---- failed conditions ----

    def of_condition(self, e: s.Expression) -> Reason:
        """Return the reason for a failed condition on an option or its arguments. Raises `NotVerbalisable`."""
        return self._failing(e, True)

    def _failing(self, e: s.Expression, wanted: bool) -> Reason:
        """Return the reason for a condition that should be `wanted` but is not."""
        lasting = self._is_lasting(e)
        reason = self._worded(e, wanted)
        return replace(reason, lasting=reason.lasting or lasting)

    def _worded(self, e: s.Expression, wanted: bool) -> Reason:
        with suppress(NotVerbalisable):
            reason = self._inside(e, wanted)
            if reason is not None:
                return reason
        if isinstance(e, s.Compare):
            reason = self._compared(e, e.operator if wanted else s.OPPOSITE[e.operator])
            if reason is not None:
                return reason
        return Reason(self.context.condition(e, wanted), e)

    def _is_lasting(self, e: s.Node) -> bool:
        """Return whether a condition or domain depends on the offered arguments only, not on the position."""
        names = self.context.facts.freshness.effects.reads(e)
        bound = {self.model.locals[node] for node in s.walk(e) if node in self.model.locals}
        return not names.state and names.local <= self._offered | bound

    def _inside(self, e: s.Expression, wanted: bool) -> Reason | None:
        """Return the reason from the failing part of a compound condition; None for an atomic one."""
        if isinstance(e, s.Negation):
            return self._failing(e.operand, not wanted)
        if isinstance(e, s.Quantified) and e.kind in ("some", "none", "every"):
            return self._for_whom(e, wanted)
        if isinstance(e, s.Name | s.Called):
            return self._defined(e, wanted)
        if not isinstance(e, s.Logical):
            return None
        if wanted != (e.operator == "and"):
            return self._all_of(e, wanted, [self._failing(operand, wanted).sentence for operand in e.operands])
        failing = self._first(e.operands, not wanted)
        if failing is None:
            return self._whole(e, wanted)
        reason = self._failing(e.operands[failing], wanted)
        return replace(reason, depth=(failing, *reason.depth))

    def _all_of(self, e: s.Expression, wanted: bool, parts: Sequence[Sentence]) -> Reason:
        """Return the reason from the reasons of several alternatives; each alone is enough if it is `wanted`.

        Facts hold together, but not demands: these would not be alternatives, so the whole condition is stated.
        """
        # Restrictions on the other selectable values do not explain the choice.
        telling = [part for part in parts if part.message not in _OF_WHAT_IS_CHOSEN] or parts
        if len(parts) == 1 or not any(part.message in _DEMANDS for part in telling):
            return Reason(conjunction("and", telling), e)
        return self._whole(e, wanted)

    def _whole(self, e: s.Expression, wanted: bool) -> Reason:
        """Return the whole condition as the reason."""
        with self._undetermined(e):
            condition = self.context.condition(e, not wanted)
        return Reason(Sentence(Message.ALLOWED_IF, {"condition": condition}), e)

    @contextmanager
    def _undetermined(self, e: s.Expression) -> Iterator[None]:
        """Call numbers, and the selected values that a condition compares, by their nouns instead of their values."""
        context = self.context
        compared = (part for node in s.walk(e) if isinstance(node, s.Compare | s.Called) for part in s.operands(node))
        refs = [context.ref(part).local for part in compared]
        names = [local for local, entity in context.entities.items() if isinstance(entity.thing, int) or local in refs]
        names = [local for local in names if local in self._offered or local.type.kind == "number"]
        values, rivals = context.values, context.rivals
        kinds = Counter(local.type for local in names)
        context.values = {local: value for local, value in values.items() if local not in names}
        context.rivals = rivals | {local for local in names if kinds[local.type] > 1}
        try:
            with context.scope():
                for local in names:
                    context.given_parameter((self.rule,), local)
                yield
        finally:
            context.values, context.rivals = values, rivals

    def _first(self, operands: Sequence[s.Expression], held: bool) -> int | None:
        """Return the index of the first condition that the deciding player knows to be `held`, or None."""
        values = (self.position.value(operand, self.given) for operand in operands)
        return next((index for index, value in enumerate(values) if value is not None and bool(value) == held), None)

    def _for_whom(self, e: s.Quantified, wanted: bool) -> Reason | None:
        """Return the reason from a counterexample to a universal or negative condition."""
        domain, local = e.domain, self.model.locals[e.variable]
        conditions = [*s.conjuncts(domain.where)]
        if wanted != (e.kind != "some") or domain.extreme is not None:
            return None
        if e.kind == "every":
            assert e.value is not None
            conditions.append(s.Negation(e.value.span, e.value))
        if not conditions:
            return None
        first = s.Quantified(e.span, "first", e.variable, replace(domain, where=s.conjoined(conditions)))
        value = self.position.value(first, self.given)
        if value is None:
            return None
        self.bind(local, value)
        if e.kind == "every":
            assert e.value is not None
            return self._failing(e.value, True)
        relevant = [condition for condition in conditions if not _tells_apart(condition)] or conditions
        return self._all_of(e, wanted, [self._failing(condition, False).sentence for condition in relevant])

    def _defined(self, e: s.Name | s.Called, wanted: bool) -> Reason | None:
        """Return the reason inside a definition; one with a sentence is only expanded if it is a conjunction."""
        context = self.context
        ref, name = context.ref(e), e.text if isinstance(e, s.Name) else e.name
        if ref.kind != "define":
            return None
        define = self.model.code.defines[name]
        several = wanted and isinstance(define.value, s.Logical) and define.value.operator == "and"
        if context.has_message(f"define.{name}") and not several:
            return None
        arguments = e.arguments if isinstance(e, s.Called) else ()
        locals_ = self.model.parameters.get(define, ())
        values = [self.position.value(argument, self.given) for argument in arguments]
        things = {local: context.value(argument) for local, argument in zip(locals_, arguments, strict=True)}
        values_before = dict(context.values)
        with context.write_out(define, e, things):
            for local, argument, value in zip(locals_, arguments, values, strict=True):
                if value is None:
                    return None
                ref = context.ref(argument)
                if isinstance(argument, s.Name):
                    self.bind(local, value)
                if ref.local in self._offered:
                    self._offered |= {local}
                self.given[local] = value
            reason = self._failing(define.value, wanted)
        context.values = values_before
        return reason

    # ---- comparisons ----

    def _compared(self, e: s.Compare, wanted: s.Comparison) -> Reason | None:
        """Return the reason from the actual values of a comparison, which should be `wanted`."""
        if self.context.kind(e.left).kind == "number":
            return self._measured(e, wanted)
        if wanted not in ("=", "!=") or isinstance(e.left, s.Nobody) or isinstance(e.right, s.Nobody):
            return None
        for chosen, fixed in ((e.left, e.right), (e.right, e.left)):
            if self.context.ref(chosen).local not in self._offered or not isinstance(fixed, s.Name):
                continue
            # A chosen value is not named: *X is not Y* is obvious.
            if wanted == "!=":
                return Reason(self._not_that(chosen, fixed), e)
            # A kind of card with parameters is no value.
            value = None if self.context.ref(fixed).kind == "facekind" else self.position.value(fixed, self.given)
            kind = self.context.kind(fixed)
            noun = self.context.value(fixed) if value is None else by_term(self.context, kind, value)
            return Reason(Sentence("reason.only", {"what": noun}), e)
        return None

    def _measured(self, e: s.Compare, wanted: s.Comparison) -> Reason | None:
        """Return the reason from the actual and the required amount."""
        if self.context.ref(e.left).local not in self._offered and (
            self.context.ref(e.right).local in self._offered
            or (self.context.ref(e.left).local is None and isinstance(self.context.value(e.left), int))
        ):
            # The side that is limited comes first.
            e, wanted = replace(e, operator=MIRRORED[e.operator], left=e.right, right=e.left), MIRRORED[wanted]
        clause = self.context.condition(e, wanted == e.operator)
        # A clause that is only *it is not so that …* is replaced by the number.
        noun = self.context.value(e.left) if clause.message == Message.NOT else clause.values.get("what")
        actual, limit = (self.position.value(side, self.given) for side in (e.left, e.right))
        if actual is None or limit is None:
            return None
        if self.context.ref(e.left).local in self._offered:
            return Reason(_bound(wanted, limit), e)
        if isinstance(noun, int):
            with self._undetermined(e):
                noun = self.context.value(e.left)
        verb = next((verb for verb in _ONLY if clause.message.startswith(f"{verb}_")), None)
        if verb is not None and isinstance(noun, NounPhrase) and noun.head.count is not None:
            counted = replace(noun.head, count=actual or None)
            how_many = replace(noun, head=counted, words=() if actual else ("not_any",))
            message = _ONLY[verb] if actual and wanted in (">", ">=") else verb
            return Reason(Sentence(message, {**clause.values, "what": how_many}), e)
        if isinstance(e.left, s.Of) and wanted == "=" and e.left.name in ("row", "column"):
            lies: dict[str, Value] = {"what": self.context.value(e.left.owner), "n": actual, "limit": limit}
            return Reason(Sentence(f"reason.{e.left.name}", lies), e)
        if clause.message == Message.HAS and isinstance(noun, NounPhrase):
            if noun.words == ("indef",) and actual > 1:
                noun = replace(noun, head=replace(noun.head, count=actual), words=())
            where = clause.values.get("place")
            declared = self.model.declared.zones.get(self.context.ref(e.left).name)
            kinds = [kind.kind for kind in declared.indices] if declared is not None else []
            if isinstance(where, NounPhrase) and kinds == ["player"]:
                # The instances of the zone differ only in their owner.
                where = replace(where, own=True)
            assert where is not None
            none_wanted = (wanted, limit) in (("=", 0), ("<=", 0), ("<", 1))
            message = "reason.has_still" if actual and none_wanted else clause.message
            return Reason(Sentence(message, {**clause.values, "what": noun, "place": where}), e)
        plain = {Message.NOT, *(f"prose.is_{name}" for name in COMPARED.values())}
        if clause.message in plain and isinstance(noun, NounPhrase):
            shown: dict[str, Value] = {"what": noun, "n": actual, "limit": limit}
            return Reason(Sentence(f"reason.{COMPARED[wanted]}", shown), e)
        return None

    # ---- values outside the domain ----

    def of_argument(self, offered: s.OptionParameter, value: int) -> Reason:
        """Return the reason that a value is outside the domain of a parameter. Raises `NotVerbalisable`."""
        lasting = self._is_lasting(replace(offered.domain, where=None, extreme=None, measure=None))
        return replace(self._outside(offered, value), lasting=lasting)

    def _outside(self, offered: s.OptionParameter, value: int) -> Reason:
        context, domain = self.context, offered.domain
        local = self.model.locals[offered.name]
        ref = context.ref(domain.base)
        thing = context.mention(local)
        match domain.kind:
            case _ if domain.measure is not None:
                return self._no_extreme(offered, domain.measure) or self._no_such(domain, local)
            case "all" if ref.kind == "slot_card":
                return Reason(Sentence("reason.only", {"what": context.value(domain.base)}), domain)
            case "all" | "kinds" if ref.kind == "zone" and isinstance(thing, NounPhrase):
                bare = replace(domain, where=None, extreme=None, measure=None)
                queries = (s.Quantified(domain.span, kind, offered.name, bare) for kind in ("number", "first"))
                count, first = (self.position.value(query, self.given) for query in queries)
                if count == 1 and first is not None:
                    return Reason(Sentence("reason.only", {"what": by_term(self.context, local.type, first)}), domain)
                return Reason(self._not_there(local, value, domain.base), domain)
            case "touching" if domain.first is not None:
                return self._away(domain, domain.first, thing, value, Sentence(Message.TOUCHES, {"area": thing}))
            case "within" if domain.first is not None and domain.second is not None:
                near = Sentence(Message.WITHIN, {"area": thing, "n": context.value(domain.first)})
                return self._away(domain, domain.second, thing, value, near)
            case "span" if domain.first is not None:
                return self._beyond(domain, domain.base, domain.first, value)
        return self._no_such(domain, local)

    def _no_extreme(self, offered: s.OptionParameter, measure: s.Expression) -> Reason | None:
        """Return the reason from the measure of a selected thing and the greatest or least one."""
        domain = offered.domain
        kind: s.QuantifiedKind = "highest" if domain.extreme == "most" else "lowest"
        every = replace(domain, extreme=None, measure=None)
        best = s.Quantified(domain.span, kind, offered.name, every, measure)
        what = self.context.value(measure)
        actual, limit = (self.position.value(e, self.given) for e in (measure, best))
        if actual is None or limit is None or isinstance(what, int):
            return None
        return Reason(Sentence(f"reason.{kind}", {"what": what, "n": actual, "limit": limit}), domain)

    def _no_such(self, domain: s.Domain, local: Local) -> Reason:
        """Return the reason that a selected thing is none of a domain."""
        del self.context.entities[local]
        such = self.context.domain(domain, local, s.conjuncts(domain.where), ("not_any",))
        return Reason(Sentence("reason.that_is", {"what": such}), domain)

    def _not_that(self, chosen: s.Expression, other: s.Name) -> Sentence:
        """Return the clause that a value is excluded: a constant, or the value of another name."""
        context, ref = self.context, self.context.ref(other)
        if ref.local is None:
            return Sentence("reason.not_that", {"what": context.value(chosen)})
        if context.compares_kinds(chosen, other):
            named, sorts = sort_of(context, context.kind(chosen))
        else:
            (named, _), sorts = context.noun_and_determiner(context.kind(chosen)), ()
        return Sentence("reason.another", {"what": NounPhrase(context.term(named), ("another",), sorts)})

    def _not_there(self, local: Local, value: int, zone: s.Expression) -> Sentence:
        """Return the clause that a thing does not lie in a zone, with a definite phrase if it is unique."""
        thing = self.context.entities[local].thing
        assert isinstance(thing, NounPhrase)
        decks = (deck for deck in self.model.declared.decks.values() if deck.cards.name == local.type.name)
        if local.type.kind == "cards" and all(dict(deck.copies).get(value, 0) <= 1 for deck in decks):
            lies = has_something(self.context, "", thing, zone)
            if lies.message in _NOT:
                return replace(lies, message=_NOT[lies.message])
        return has_something(self.context, "", replace(thing, words=("not_any",)), zone)

    def _away(self, domain: s.Domain, start: s.Expression, thing: Amount, value: int, near: Sentence) -> Reason:
        """Return the reason that a place is not near another one, or is that place itself."""
        neighbour = self.context.thing(start)
        if self.position.value(start, self.given) == value:
            if isinstance(start, s.Of) and start.name == "place":
                stands: dict[str, Value] = {"what": self.context.value(start.owner), "place": thing}
                return Reason(Sentence("reason.stands", stands), domain)
            if isinstance(start, s.Name):
                return Reason(self._not_that(start, start), domain)
            return Reason(Sentence(Message.IS, {"what": neighbour, "other": thing}), domain)
        return Reason(opposite(self.context, replace(near, values={**near.values, "other": neighbour})), domain)

    def _beyond(self, domain: s.Domain, low: s.Expression, high: s.Expression, value: int) -> Reason:
        """Return the reason that a number is too great or too small."""
        least, most = (self.position.value(bound, self.given) for bound in (low, high))
        # In an empty range no value is too small.
        if least is not None and value < least and (most is None or least <= most):
            return Reason(Sentence("reason.no_less", {"n": least}), domain)
        if most is None:
            raise NotVerbalisable(domain)
        return Reason(self._only(high, most) or Sentence("reason.no_more", {"n": most}), domain)

    def _only(self, e: s.Expression, number: int) -> Sentence | None:
        """Return the clause for the limited amount that a number counts, or None."""
        exactly = s.Compare(e.span, "=", e, s.Number(e.span, number))
        with suppress(NotVerbalisable):
            clause = self.context.condition(exactly)
            only = _ONLY.get(clause.message.removesuffix("_equal"))
            if only is not None and number:
                return replace(clause, message=only)
            return clause if not number else None
        return None


def line(reason: Reason, words: Translator, game: str) -> str | None:
    """Return a reason as a sentence; None if the language lacks words for it."""
    [plan] = resolve((PlanLine(reason.sentence, reason.node),))
    assert isinstance(plan, PlanLine)
    return words.say_native("prose.line", game, said=_about_the_reader(plan.sentence))


def _about_the_reader(sentence: Sentence) -> Sentence:
    """Return a sentence with the reader as its subject: *you are the owner*, rather than *the owner is you*."""
    match sentence:
        case Sentence(Message.IS | Message.IS_NOT, {"what": what, "other": NounPhrase(head=head) as reader}):
            return replace(sentence, values={"what": reader, "other": what}) if head == ADDRESSED else sentence
        case Sentence(Message.AND | Message.OR, {"all": Listing(parts)}):
            said = (_about_the_reader(part) if isinstance(part, Sentence) else part for part in parts)
            return replace(sentence, values={"all": Listing(tuple(said))})
        case Sentence(values={"condition": Sentence() as condition}):
            return replace(sentence, values={**sentence.values, "condition": _about_the_reader(condition)})
    return sentence


def _bound(wanted: s.Comparison, limit: int) -> Sentence:
    """Return the clause that a selected number should compare with a limit as `wanted`."""
    if wanted not in _BOUNDS:
        return Sentence("reason.only" if wanted == "=" else "reason.not_that", {"what": limit})
    more, by = _BOUNDS[wanted]
    return Sentence("reason.no_more" if more else "reason.no_less", {"n": limit + by})


def _tells_apart(e: s.Expression) -> bool:
    """Return whether a condition only excludes another entity."""
    return isinstance(e, s.Compare) and e.operator == "!=" and isinstance(e.left, s.Name)
