"""Sentence plans for control flow: conditionals, loops and iteration over players or things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import leaves_loop, with_rest
from wongar_dsl.nlg.prose.content.choices import describes_action_of, omit_if_possibility, under_lead
from wongar_dsl.nlg.prose.content.conditions import restate, with_clause
from wongar_dsl.nlg.prose.content.noun_phrases import counted_noun, named_direction, place, zone_content
from wongar_dsl.nlg.prose.content.values import (
    common_effect_of_branches,
    fold,
    guard_implied_by_gain,
    guard_implied_by_shuffle,
    is_reshuffle,
    only_conditional,
    pile_of_top,
)
from wongar_dsl.nlg.prose.context import (
    Amount,
    NotVerbalisable,
    ProseContext,
    changed,
    conjunctions,
    mentions,
    values_in,
)
from wongar_dsl.nlg.prose.game_facts import is_needless_guard
from wongar_dsl.nlg.prose.micro.instructions import TURNS
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention, Message, Plan, PlanGroup, PlanLine, Why
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Sentence, Value

#: Reason for omitting a statement.
NOTHING: Why = "nothing is done that players need to know"
#: Leads of the steps of all players, and those of their endless repetition.
_FOREVER = {
    Message.DOES: "prose.does_forever",
    Message.DOES_IN_ORDER: "prose.does_forever",
    Message.DOES_YOU: "prose.does_forever.you",
    Message.DOES_IN_ORDER_YOU: "prose.does_forever.you",
}
#: Sorts of names for the kind of a card.
_KINDS = ("face", "facekind", "value")


def conditional(context: ProseContext, statement: s.If, rest: s.Block = ()) -> tuple[Plan, ...]:
    """Plan a conditional; branches with constant conditions are folded.

    `rest` is what follows it, if a single branch continues with that and says it.
    """
    if not rest:
        return _branches(context, statement)
    context.log.mark_said(statement)
    context.log.depends_on_all(rest, statement)
    whole = with_rest(statement, rest) or statement
    series = _series(context, whole)
    try:
        plans = _branches(context, series)
        whole = series
    except NotVerbalisable:
        if series is whole:
            raise
        # Only the further condition is quoted.
        plans = _branches(context, whole)
    if not plans:
        context.log.retract(statement, "news", NOTHING)
    return tuple(replace(plan, origin=statement) if plan.origin is whole else plan for plan in plans)


def _series(context: ProseContext, whole: s.If) -> s.If:
    """Return a conditional joined with further ones in its last branch that take in what follows them."""
    inner = whole.otherwise[0] if whole.otherwise else None
    if not isinstance(inner, s.If) or context.exits.get(inner) != "last":
        return whole
    context.log.mark_said(inner)
    further = _series(context, with_rest(inner, whole.otherwise[1:]) or inner)
    return replace(whole, branches=(*whole.branches, *further.branches), otherwise=further.otherwise)


def _branches(context: ProseContext, statement: s.If) -> tuple[Plan, ...]:
    plans: list[Plan] = []
    first: tuple[Plan, ...] = ()
    last_condition: Sentence | None = None
    passed: list[s.Expression] = []
    same = common_effect_of_branches(statement)
    if same:
        done = context.body(same)
        context.log.omit(statement, "news", "only what is told differs")
        # Branches with the same effects are described once, but the text depends on all of them.
        context.log.depends_on_all((statement.branches, statement.otherwise), statement)
        return done
    context.log.mark_said(statement)

    def add(condition: Sentence | None, parts: tuple[Plan, ...]) -> None:
        """Add a branch under its condition, if it has one."""
        if condition is not None:
            lead = Sentence("prose.otherwise_if" if plans else Message.IF, {"condition": condition})
            plans.append(under_lead(lead, parts, statement))
        elif plans:
            plans.append(under_lead(Sentence("prose.otherwise"), parts, statement))
        else:
            plans.extend(parts)

    for condition, block in statement.branches:
        folded = fold(context, condition)
        if folded is not None:
            context.log.depends_on_all((statement.branches, statement.otherwise), condition)
        if folded == 0:
            context.log.omit(block, "folded", "it does not come to that")
            continue
        inner = None
        only = folded is None and len(statement.branches) == 1 and not statement.otherwise
        if only and omit_if_possibility(context, condition, block):
            plans.append(under_lead(Sentence("prose.possible"), context.body(block), statement))
            continue
        if folded is None and guard_implied_by_gain(condition, block) and not statement.otherwise:
            context.log.omit(condition, "implied", "who gains or loses none, gains or loses nothing")
        elif folded is None and not _guards(context, condition, block):
            inner = restate(_asked(context, condition, block))
        parts = _renewed(condition, block, context.body(block))
        context.substitutes = {}
        if inner is not None and not parts:
            context.log.retract(condition, "news", "nothing is done then")
            passed.append(condition)
            continue
        if passed:
            inner = _neither(context, passed, inner)
        add(inner, parts)
        if inner is not None:
            first, last_condition = parts, inner
        elif folded is not None:
            context.log.omit((*s.blocks(statement),), "folded", "it does not come to that")
            return tuple(plans)
    if statement.otherwise:
        parts = context.body(statement.otherwise)
        if (
            last_condition is not None
            and len(plans) == 1 == len(statement.branches)
            and _begin_alike(context, statement, first, parts)
        ):
            # *Play the card: if it is …, otherwise …*, without repetition.
            then = under_lead(Sentence(Message.IF, {"condition": last_condition}), first[1:], statement)
            plans = [parts[0], then, under_lead(Sentence("prose.otherwise"), parts[1:], statement)]
        elif parts:
            add(_neither(context, passed, None) if passed else None, parts)
    if not plans:
        context.log.retract(statement, "news", NOTHING)
    return tuple(plans)


def _neither(context: ProseContext, passed: Sequence[s.Expression], inner: Sentence | None) -> Sentence:
    """Return the clause that none of the conditions without effects holds, joined with a further condition."""
    denied = [context.condition(s.Negation(condition.span, condition)) for condition in passed]
    every = (*denied, *([inner] if inner is not None else ()))
    return every[0] if len(every) == 1 else Sentence(Message.AND, {"all": Listing(every)})


def _begin_alike(context: ProseContext, statement: s.If, one: tuple[Plan, ...], other: tuple[Plan, ...]) -> bool:
    """Return whether both branches begin with the same action, which does not affect the condition (a card's kind)."""
    condition = statement.branches[0][0]
    if not isinstance(condition, s.Compare) or condition.operator not in ("=", "!="):
        return False
    sides = (condition.left, condition.right)
    if not all(isinstance(side, s.Name) for side in sides) or context.ref(sides[1]).kind not in _KINDS:
        return False
    match one, other:
        case (PlanLine(sentence=first), _, *_), (PlanLine(sentence=second), _, *_):
            return first == second
    return False


def _asked(context: ProseContext, condition: s.Expression, block: s.Block) -> Sentence:
    """Return a condition without parts that its action presupposes: what is not there cannot be moved."""
    every = s.conjuncts(condition)
    relevant = [part for part in every if not guard_implied_by_shuffle(part, block)]
    if not 0 < len(relevant) < len(every):
        return context.condition(condition)
    context.log.mark_said(condition, *conjunctions(condition))
    for part in every:
        if part not in relevant:
            context.log.omit(part, "implied", "what is not there cannot be taken")
    clauses = [context.condition(part) for part in relevant]
    return clauses[0] if len(clauses) == 1 else Sentence(Message.AND, {"all": Listing(tuple(clauses))})


def _renewed(condition: s.Expression, block: s.Block, parts: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Return the plan *if the pile is empty, the others are shuffled and become the new pile*, if it applies."""
    relevant = [part for part in s.conjuncts(condition) if not guard_implied_by_shuffle(part, block)]
    match parts:
        case (PlanLine(sentence=Sentence(message=Message.ALL_GO, values=values)) as line,) if (
            len(relevant) == 1 and is_reshuffle(relevant[0], block) and isinstance(pile := values["to"], NounPhrase)
        ):
            # The relative clause of the pile already mentions the shuffling.
            renewed = {"what": values["what"], "to": replace(pile, modifiers=pile.modifiers[:-1])}
            return (replace(line, sentence=Sentence("prose.renews", renewed)),)
    return parts


def _guards(context: ProseContext, condition: s.Expression, block: s.Block) -> bool:
    """Return whether a condition only tests that an assignment would change something."""
    deeds = [part for part in block if isinstance(part, s.Assign)]
    if len(deeds) != 1 or not is_needless_guard(condition, deeds):
        return False
    if not all(isinstance(part, s.Tell | s.Assign) for part in block):
        return False
    context.log.omit(condition, "implied", "it makes no difference to what is so already")
    return True


def loop(context: ProseContext, statement: s.Repeat) -> tuple[Plan, ...]:
    """Plan a loop: counted, conditional or endless."""
    block, subject = statement.body, statement.subject
    match statement.kind:
        case "times" if subject is not None:
            return (_times(context, statement, subject),)
        case "while" | "until" if subject is not None:
            ending = _until(context, subject) if statement.kind == "until" else None
            lead = Sentence(f"prose.{statement.kind}", {"condition": ending or context.condition(subject)})
            # The end condition did not hold before.
            context.log.depends_on_all(subject, statement)
            if statement.kind == "until":
                context.substitutes = {}
            return (under_lead(lead, context.body(block), statement),)
        case _:
            parts = context.body(block)
            # The end of a round is not the end of the repetition.
            rounds = (each.body for each in block if isinstance(each, s.ForEach))
            leaves_round = any(map(leaves_loop, chain.from_iterable(rounds)))
            match parts:
                case (PlanGroup(lead=lead) as turns,) if lead.message in _FOREVER and not leaves_round:
                    return (replace(turns, lead=replace(lead, message=_FOREVER[lead.message])),)
            return (PlanGroup(Sentence("prose.forever"), parts, statement),)


def _until(context: ProseContext, condition: s.Expression) -> Sentence | None:
    """Return the game's own words for a stored truth value that ends a loop, which hold at the end of a round only."""
    ref = context.ref(condition)
    if ref.kind != "remember" or not context.has_message(message := f"until.{ref.name}"):
        return None
    _, declarations = context.words.articles(message, context.model.scope)
    if declarations and s.key_text(context.inside[-1]) not in declarations:
        return None  # Another loop does not end at the end of a round.
    context.log.mark_said(condition)
    return context.game_sentence(message, context.slots(s.index_nodes(condition)))


def _times(context: ProseContext, statement: s.Repeat, subject: s.Expression) -> Plan:
    each = _for_each_player(context, subject)
    if each is not None:
        parts = context.body(statement.body)
        drawn = _drawn_for_each(context, parts, each)
        if drawn is not None:
            every: dict[str, Value] = {"what": NounPhrase(context.term("player"), ("every",))}
            return under_lead(Sentence("prose.for_each", every), (drawn,), statement)
        return under_lead(Sentence("prose.times_per_player", {"amount": each}), parts, statement)
    number = context.value(subject)
    only = only_conditional(statement.body)
    if only is not None and omit_if_possibility(context, *only[1:]):
        context.log.mark_said(only[0])
        message, parts = "prose.times_possible", context.body(only[2])
    else:
        message, parts = Message.TIMES, context.body(statement.body)
        together = _top_ones(context, statement.body, parts, number)
        if together is not None:
            return replace(together, origin=statement)
    values: dict[str, Value] = {"n": number}
    if isinstance(subject, s.Called) and message == Message.TIMES and context.has_term(f"{subject.name}.each"):
        # *For every new token*, instead of a number of times.
        values = {"what": NounPhrase(context.term(f"{subject.name}.each"), ("every",))}
        return under_lead(Sentence("prose.for_each", values), parts, statement)
    if isinstance(number, NounPhrase):
        message, values = f"{message}_amount", {"amount": number}
    return under_lead(Sentence(message, values), parts, statement)


def _for_each_player(context: ProseContext, subject: s.Expression) -> NounPhrase | None:
    """Return the amount per player, if a number is a multiple of the number of players."""
    if not isinstance(subject, s.Binary) or subject.operator != "*" or context.ref(subject.left).kind != "players":
        return None
    context.log.mark_said(subject, subject.left)
    value = context.value(subject.right)
    return value if isinstance(value, NounPhrase) else None


def _drawn_for_each(context: ProseContext, parts: tuple[Plan, ...], amount: NounPhrase) -> PlanLine | None:
    """Return *as many tokens … are drawn blindly*, instead of a repeated *a token is drawn blindly*; or None."""
    match parts:
        case (
            PlanLine(
                sentence=Sentence(message=Message.DRAWN_BLIND, values={"what": NounPhrase() as one}) as said
            ) as line,
        ):
            as_many = Attribute("prose.as_many_said", {"amount": amount})
            drawn = replace(one, words=("as_many",), several=True, modifiers=(*one.modifiers, as_many))
            return replace(line, sentence=replace(said, values={**said.values, "what": drawn}))
    return None


def _top_ones(context: ProseContext, block: s.Block, parts: tuple[Plan, ...], number: Amount) -> PlanLine | None:
    """Return *12 cards go out of the pile*, instead of twelve times *the top card goes*; or None."""
    pile = pile_of_top(block)
    match parts:
        case (PlanLine(sentence=Sentence(message=Message.GOES)) as one,) if pile is not None and number != 0:
            cards = counted_noun(NounPhrase(context.term(zone_content(context, pile))), number)
            goes: dict[str, Value] = {"what": cards, "from": place(context, pile), "to": one.sentence.values["place"]}
            return replace(one, sentence=Sentence(Message.TOKENS_GO, goes))
    return None


#: Messages of attributes that select one of several things, as relative clauses do; others say where or whose it is.
_SELECTING = (Message.SPAN, "prose.along", "prose.reached", "prose.line", "prose.clockwise", Message.WEIGHTED)


def _describes(value: object, entity: Entity) -> bool:
    """Return whether a phrase in a value selects another thing by a description that mentions an entity."""
    match value:
        case Mention(entity=Entity() as other) if other is entity:
            return False
        case Mention(entity=Entity(thing=NounPhrase() as thing)) if thing is not value:
            return _describes(thing, entity) or any(map(partial(_selects, entity), value.modifiers))
        case NounPhrase(modifiers=modifiers):
            return any(map(partial(_selects, entity), modifiers))
    return any(_describes(inner, entity) for inner in values_in(value))


def _selects(entity: Entity, modifier: Attribute | Relative) -> bool:
    """Return whether a modifier that mentions an entity selects one of several things."""
    values = tuple(modifier.values.values())
    if isinstance(modifier, Relative) or modifier.last or modifier.message.startswith(_SELECTING):
        return entity in mentions(values)
    return any(_describes(inner, entity) for inner in values)


def _in_each(sentence: Sentence, entity: Entity) -> bool:
    """Return whether a sentence can say *each* of an entity: it mentions it, and not only in an amount."""
    if _describes(sentence, entity):
        # *The player who has the most of every kind* has another meaning.
        return False
    if entity.type.kind == "number" and Mention.of(entity) not in sentence.values.values():
        # A number in a computation must be introduced before it.
        return False
    amounts = tuple(v for v in sentence.values.values() if isinstance(v, NounPhrase) and v.words[:1] == ("as_many",))
    if entity.type.kind == "player" and entity in mentions(amounts) and "player" not in sentence.values:
        # *As many as every player has* is another number.
        return False
    return entity in mentions(tuple(v for v in sentence.values.values() if v not in amounts))


def _narrowed(context: ProseContext, statement: s.ForEach, thing: NounPhrase, entity: Entity) -> NounPhrase | None:
    """Return a phrase with the relative clause for a body that consists of a single conditional, or None.

    An iteration must not change the condition of another one, since the text selects the elements first.
    """
    only = only_conditional(statement.body)
    if only is None or entity.type.kind == "player" or context.facts.loops.changes(statement, only[1]):
        return None
    modifiers = with_clause(context, thing.modifiers, entity, context.condition_about(entity, only[1]))
    return replace(thing, modifiers=modifiers) if modifiers[-1].message != Message.HOLDS_FOR else None


def _only_those(context: ProseContext, sentence: Sentence, entity: Entity) -> Sentence:
    """Return *every player who …, the others not* for an assignment that mirrors a condition."""
    match sentence:
        case Sentence(
            message=Message.EXACTLY_IF, values={"deed": Sentence() as deed, "condition": Sentence() as asked}
        ):
            if isinstance(entity.thing, NounPhrase):
                modifiers = with_clause(context, entity.thing.modifiers, entity, asked)
                if modifiers[-1].message == asked.message:
                    entity.thing = replace(entity.thing, modifiers=modifiers)
                    return Sentence("prose.only_those", {"deed": deed})
    return sentence


def _tested_in_body(context: ProseContext, statement: s.ForEach) -> tuple[s.Domain, s.Block]:
    """Return the domain and the body of a loop, with the conditions in the body that earlier iterations may change.

    Each is tested when its turn comes.
    """
    domain, changed = statement.domain, context.facts.loops.changed_conditions(statement)
    if not changed or domain.where is None:
        return domain, statement.body
    kept = [part for part in s.conjuncts(domain.where) if part not in changed]
    context.log.mark_said(domain, domain.where, *conjunctions(domain.where))
    tested = s.If(statement.span, ((s.conjoined(changed), statement.body),), ())
    return replace(domain, where=s.conjoined(kept) if kept else None), (tested,)


def for_each(context: ProseContext, statement: s.ForEach) -> tuple[Plan, ...]:
    """Plan an iteration: *every player* as the subject, or a lead."""
    local = context.model.locals[statement.variable]
    domain, body = _tested_in_body(context, statement)
    is_tested = body is not statement.body
    restrictions = s.conjuncts(domain.where)
    ordered = domain.kind in ("from", "after") and domain.first is not None
    start = context.thing(domain.first) if ordered and domain.first is not None else None
    if ordered:
        context.log.mark_said(domain, domain.base, domain.where)
        thing = context.domain(replace(domain, kind="all", first=None), local, restrictions, ("every",))
    else:
        thing = context.domain(domain, local, restrictions, ("every",))
    entity = context.refine(local, thing)
    narrowed = _narrowed(context, statement, thing, entity) if not ordered and not is_tested else None
    if narrowed is not None:
        thing = narrowed
        context.refine(local, thing)
        [only] = body
        assert isinstance(only, s.If)
        context.log.mark_said(only)
        body = only.branches[0][1]
    parts = context.body(body)
    if not parts:
        context.log.retract(statement, "news", NOTHING)
        return ()
    subject = Mention.of(entity)
    doers = [mentions(doer) for doer in _doers(parts)]
    acts = local.type.kind == "player" and (not doers or any(entity in mentioned for mentioned in doers))
    if start is not None:
        values: dict[str, Value] = {"start": start, "player": subject}
        lead = Sentence(f"prose.in_turn_{domain.kind}" if acts else f"prose.in_turn_{domain.kind}_for", values)
        if len(parts) == 1 and isinstance(parts[0], PlanLine) and describes_action_of(parts[0], subject):
            line = Sentence(f"prose.in_turn_{domain.kind}_line", {"start": start, "then": parts[0].sentence})
            return (PlanLine(line, statement, plain=False, others=(parts[0].origin, *parts[0].others)),)
        return (_turns(context, PlanGroup(lead, parts, statement), entity),)
    if is_tested or context.facts.loops.is_ordered(statement):
        if acts:
            group = PlanGroup(Sentence(Message.DOES_IN_ORDER, {"player": subject}), parts, statement)
            return (_turns(context, group, entity),)
        lattice = context.model.lattices.get(local)
        if lattice is not None and isinstance(entity.thing, NounPhrase):
            order = Attribute("prose.clockwise_ways", {"way": named_direction(context, 0, lattice)}, last=True)
            entity.thing = replace(entity.thing, modifiers=(*entity.thing.modifiers, order))
        lead = Sentence("prose.for_each_in_order", {"what": subject})
        return (under_lead(lead, parts, statement),)
    first = parts[0]
    if len(parts) == 1 and isinstance(first, PlanLine) and local.type.kind == "player":
        first = replace(first, sentence=_only_those(context, first.sentence, entity))
    if len(parts) == 1 and isinstance(first, PlanLine) and first.plain and _in_each(first.sentence, entity):
        return (replace(first, origin=statement, others=(first.origin, *first.others)),)
    if acts:
        return (_turns(context, PlanGroup(Sentence(Message.DOES, {"player": subject}), parts, statement), entity),)
    return (under_lead(Sentence("prose.for_each", {"what": subject}), parts, statement),)


def _turns(context: ProseContext, turns: PlanGroup, player: Entity) -> PlanGroup:
    """Return the steps of every player, in a text that teaches as those of the reader whose turn it is.

    Within the steps of an addressed player, the text stays as it is.
    """
    every = player.thing
    if turns.lead.message not in TURNS or not isinstance(every, NounPhrase) or not context.address(player):
        return turns
    each = Entity(player.name, player.type, every)

    def about_each(part: Value) -> Value | None:
        return replace(part, entity=each) if isinstance(part, Mention) and part.entity is player else None

    thing = changed(every, about_each)
    assert isinstance(thing, NounPhrase)
    each.thing = thing
    values = {**turns.lead.values, "player": Mention.of(each)}
    return replace(turns, lead=Sentence(TURNS[turns.lead.message], values))


def _doers(plans: Iterable[Plan]) -> Iterator[Value]:
    """Yield the players who act in plans, also below conditions."""
    for plan in plans:
        if isinstance(plan, PlanLine | PlanGroup):
            sentence = plan.lead if isinstance(plan, PlanGroup) else plan.sentence
            while "player" not in sentence.values and isinstance(then := sentence.values.get("then"), Sentence):
                sentence = then
            if "player" in sentence.values:
                yield sentence.values["player"]
            elif isinstance(plan, PlanGroup):
                yield from _doers(plan.parts)
