"""Verbalisation pipeline: combines the passes to plan procedures, definitions and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.content.conditions import condition, domain, extreme_of, restate
from wongar_dsl.nlg.prose.content.noun_phrases import as_copies, counts, value
from wongar_dsl.nlg.prose.content.statements import body
from wongar_dsl.nlg.prose.content.values import constant_holder_argument, constant_number, exits, fold
from wongar_dsl.nlg.prose.context import SLOTS, NotVerbalisable, ProseContext, Verbalisers, changed, owners_of, parts
from wongar_dsl.nlg.prose.micro.instructions import Instructions
from wongar_dsl.nlg.prose.micro.referring_expressions import resolve
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Introduction,
    Mention,
    Message,
    Plan,
    PlanLine,
    VerbalisationLog,
    VerbatimRule,
    entity_of,
)
from wongar_dsl.nlg.words import ADDRESSED, Attribute, NounPhrase, Relative, Sentence, Translator, Value

VERBALISERS = Verbalisers(value, condition, domain, body)


def plan_of(
    model: Model,
    article: s.Procedure | s.Define | s.Winner,
    words: Translator,
    seats: int | None = None,
    given: Mapping[str, str] | None = None,
    teaching: bool = False,
) -> tuple[tuple[Plan, ...], VerbalisationLog]:
    """Plan a procedure, a definition or the ranking; return the plans and the record of its nodes.

    The result is equal for every language. `seats` is the number of players, None if it is open; `given` are parameter
    values for the text of a single card. A text that is `teaching` addresses its readers, if the language does: as the
    only player of a rule (unless all calls give the same one), as every player of a turn, and as those who move things.
    """
    context = ProseContext(model, words, VERBALISERS, seats, inside=(article,))
    context.teaching = teaching and words.lexicon.addresses and isinstance(article, s.Procedure)
    addressed = _addressed_player(context, article) if context.teaching else None
    plans = _planned(context, article, given or {}, addressed)
    if context.teaching:
        you = NounPhrase(ADDRESSED)
        is_addressed = addressed is not None and context.entities[addressed].thing == you
        plans = instructions(model, words).plans(plans, you if is_addressed else None)
    return _resolved(context, article, plans), context.log


def instructions(model: Model, words: Translator) -> Instructions:
    """Return the instructions of a game."""
    return Instructions(words, model.scope, model.declared.figures)


def _addressed_player(context: ProseContext, article: s.Declaration) -> Local | None:
    """Return the only player of a rule or an effect, if the rules have no name for that player."""
    players = [local for local in context.model.parameters.get(article, ()) if local.type.kind == "player"]
    if len(players) != 1 or any(
        context.has_term(f"{owner}.{players[0].name}") for owner in owners_of(context.model, article)
    ):
        return None
    return players[0]


def unresolved_plan(model: Model, article: s.Procedure | s.Define | s.Winner, words: Translator) -> tuple[Plan, ...]:
    """Plan a declaration without choosing referring expressions."""
    context = ProseContext(model, words, VERBALISERS, inside=(article,))
    plans = _planned(context, article, {})
    _resolved(context, article, plans)  # Marks the names to quote.
    return plans


def _resolved(context: ProseContext, article: s.Declaration, plans: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Choose the referring expressions; each criterion of a ranking speaks of a player of its own."""
    if isinstance(article, s.Winner):
        return tuple(resolved for plan in plans for resolved in resolve((plan,), context.has_term))
    return resolve(plans, context.has_term)


def _planned(
    context: ProseContext,
    article: s.Procedure | s.Define | s.Winner,
    given: Mapping[str, str],
    addressed: Local | None = None,
) -> tuple[Plan, ...]:
    model = context.model
    for index, local in enumerate(model.parameters.get(article, ())):
        always = constant_holder_argument(context, article, index)
        if local.name in given:
            context.known_parameter(local, given[local.name])
        elif always is not None:
            context.bind_new(local, context.value(always)).given = True
        elif local is addressed:
            context.bind_new(local, NounPhrase(ADDRESSED)).given = True
        else:
            context.given_parameter(owners_of(model, article), local)
    if isinstance(article, s.Procedure):
        # The end of a rule without a result is said as such.
        context.exits = dict(exits(article.body)) if isinstance(article, s.Rule) and article.gives else {}
        plans = context.body(article.body)
    else:
        try:
            plans = (_definition(context, article),) if isinstance(article, s.Define) else _ranking(context, article)
        except NotVerbalisable as missing:
            plans = (VerbatimRule(missing.node, (article,)),)
    if unused := _unused_bindings(context) & context.retained:
        context.restart(unused)
        return _planned(context, article, given, addressed)
    return plans


def _unused_bindings(context: ProseContext) -> set[s.Let]:
    """Return and mark the named expressions that no verbalised node uses."""
    named = {context.model.locals[let.variable]: let for let in (*context.quiet, *context.retained)}
    spoken: set[Local] = set()
    for node, ref in context.model.refs.items() if named else ():
        if ref.local is not None and context.log.fates.get(node, ("said", ""))[0] in ("said", "folded"):
            spoken.add(ref.local)
    silent = {let for local, let in named.items() if local not in spoken}
    for let in silent:
        context.log.retract(let, "news", "only what need not be said speaks of it")
    return silent


def _definition(context: ProseContext, article: s.Define) -> Plan:
    """Plan a definition: the condition under which it holds, or its value."""
    name = article.name.text
    locals_ = context.model.parameters.get(article, ())
    values: dict[str, Value] = {local.name: context.mention(local) for local in locals_}
    players = [local.name for local in locals_ if local.type.kind == "player"]
    sentence = {**values, "player": values[players[0]]} if players else values
    context.log.mark_said(article.value)
    kind, has_clause = context.kind(article.value).kind, context.has_message(f"define.{name}")
    holds = Sentence("prose.is_so", {"what": NounPhrase(context.term(name), ("def",))})
    if has_clause:
        holds = context.game_sentence(f"define.{name}", sentence)
        _introduce_arguments(context, [local for local in locals_ if values[local.name] in holds.values.values()])
    if kind == "truth" or (kind == "number" and has_clause and _only_asked_for(context, name)):
        # The sentence about a number says that there is any.
        any_ = None if kind == "truth" else Sentence("prose.is_more", {"what": context.value(article.value), "n": 0})
        clause = any_ or restate(context.condition(article.value))
        return PlanLine(Sentence(Message.MEANS, {"deed": holds, "condition": clause}), article, plain=False)
    # Without a noun, what the rules say of the value would not have the words of this sentence.
    if context.has_message(f"amounts.{name}") and context.has_term(name):
        mentioned = context.game_sentence(f"amounts.{name}", sentence).values.values()
        _introduce_arguments(context, [local for local in locals_ if values[local.name] in mentioned])
        amounts = context.game_sentence(f"amounts.{name}", {**sentence, "value": context.value(article.value)})
        return PlanLine(amounts, article, plain=False)
    slots = dict(zip(SLOTS, values.values(), strict=False))
    if context.has_message(f"of.{name}"):
        named = context.words.slots(f"of.{name}", context.model.scope)
        _introduce_arguments(context, [local for slot, local in zip(SLOTS, locals_, strict=False) if slot in named])
    elif len(locals_) == 1:
        _introduce_arguments(context, locals_)
    head = NounPhrase(context.term(name), ("def",))
    if slots and context.has_message(f"of.{name}"):
        whose = context.game_sentence(f"of.{name}", slots).values
        head = replace(head, modifiers=(Attribute(f"of.{name}", whose),))
    elif len(slots) == 1:
        head = replace(head, modifiers=(Attribute(Message.OF_ONE, {"owner": slots["one"]}),))
    amounts = Sentence(Message.AMOUNTS_TO, {"what": head, "value": context.value(article.value)})
    return PlanLine(amounts, article, plain=False)


def _introduce_arguments(context: ProseContext, locals_: Sequence[Local]) -> None:
    """Introduce the arguments of a definition in its sentence: *an area* is something if *this area* …"""
    kinds = [local.type for local in locals_]
    unnamed = [local.type for local in locals_ if not context.has_term(context.local_term_key(local.name))]
    for local in locals_:
        entity = context.entities[local]
        # Another one of the same type that has a name of its own cannot be confused with it.
        alone = local.type in unnamed and unnamed.count(local.type) == 1
        plain = (alone or kinds.count(local.type) == 1) and local.type.kind != "number"
        term_name, (general, pointed) = context.local_term_key(local.name), context.noun_and_determiner(local.type)
        named = term_name if context.has_term(term_name) else general
        sort = named == general and context.is_sort(local.type)
        if plain and entity.thing == NounPhrase(context.term(named), (pointed if sort else "def",)):
            # A kind is introduced by its own term, and then called *this kind*.
            head = context.indefinite_term(local.type) if sort else named
            entity.thing = NounPhrase(context.term(head), ("indef",))
            entity.given = False


def _only_asked_for(context: ProseContext, name: str) -> bool:
    """Return whether the rules only test whether a number is positive."""
    uses = sum(node.name == name for node in context.facts.nodes(s.Called))
    tested = (node.left for node in context.facts.nodes(s.Compare) if s.written_number(node.right) == 0)
    return uses == sum(isinstance(operand, s.Called) and operand.name == name for operand in tested)


def _ranking(context: ProseContext, article: s.Winner) -> tuple[Plan, ...]:
    """Plan the ranking: the winner, and the tie-breakers."""
    local = context.model.locals[article.name]
    context.bind_new(local, NounPhrase(context.term("player"), ("def",)))
    if all(constant_number(context, ranked.measure) is not None for ranked in article.ranking):
        # Players who are always equal win together, as in a cooperative game.
        context.log.mark_said(*(node for ranked in article.ranking for node in s.walk(ranked)))
        return (PlanLine(Sentence("prose.all_win"), article.ranking[0], plain=False, others=article.ranking[1:]),)
    plans: list[Plan] = []
    ladder = _ladder(context, article)
    if ladder is not None:
        plans.append(PlanLine(ladder, article.ranking[0], plain=False, others=article.ranking[1:]))
    for number, ranked in enumerate(article.ranking if ladder is None else ()):
        context.log.mark_said(ranked)
        plans.append(PlanLine(_criterion(context, local, ranked, number), ranked, plain=False))
    # Players who are equal in all criteria share the victory.
    still = "_still" if len(article.ranking) > 1 else ""
    plans.append(PlanLine(Sentence(f"prose.wins_together{still}"), article))
    return tuple(plans)


def _criterion(context: ProseContext, local: Local, ranked: s.RankingLine, number: int) -> Sentence:
    """Return the sentence for a criterion: what decides the game, or the tie-breaker with this number."""
    player, measure = NounPhrase(context.term("player"), ("def",)), ranked.measure
    entity = context.bind_new(local, player)
    kind, still = "ties" if number else "wins", "_still" if number > 1 else ""
    if isinstance(measure, s.Conditional) and fold(context, measure) is None:
        degree = {"most": "greatest", "fewest": "least"}[ranked.extreme]
        return Sentence(f"prose.{kind}_{degree}_if{still}", _conditional_values(context, measure))
    points = _points(context, measure)
    if points is not None:
        # *Who has the most points*, but *the player whose number of cards is highest*.
        return Sentence(f"prose.{kind}_{ranked.extreme}{still}", {"measure": points})
    most = _who_has_most(context, local, ranked) or Relative(
        f"prose.with_{ranked.extreme}", "who", {"measure": context.value(measure)}
    )
    return Sentence(f"prose.{kind}_who{still}", {"who": Introduction.of(entity, replace(player, modifiers=(most,)))})


def _conditional_values(context: ProseContext, measure: s.Conditional) -> dict[str, Value]:
    """Return the values of the sentence for a criterion with one value under a condition, and otherwise another."""
    context.log.mark_said(measure)
    return {
        "measure": context.value(measure.then),
        "condition": context.condition(measure.condition),
        "other": context.value(measure.other),
    }


def _ladder(context: ProseContext, article: s.Winner) -> Sentence | None:
    """Return the game's own sentence for *the most of one sort, then the second most, and so on*, or None."""
    local, name = context.model.locals[article.name], context.ref(article.ranking[0].measure).name
    if len(article.ranking) < 2 or not context.has_message(f"ranks.{name}"):
        return None
    for number, ranked in enumerate(article.ranking, 1):
        who, *which = getattr(ranked.measure, "arguments", ()) or (ranked.measure,)
        if ranked.extreme != "most" or context.ref(ranked.measure).name != name or context.ref(who).local is not local:
            return None
        if [*map(s.written_number, which)] != [number]:
            return None
    context.log.mark_said(*article.ranking, *(node for ranked in article.ranking for node in s.walk(ranked.measure)))
    return Sentence(f"ranks.{name}", {"last": len(article.ranking)})


def _who_has_most(context: ProseContext, local: Local, ranked: s.RankingLine) -> Relative | None:
    """Return *who has the most cards in hand*, *who is on the most areas*, or None if no such clause exists."""
    entity, measure = context.entities[local], ranked.measure
    domain = measure.domain if isinstance(measure, s.Quantified) and measure.kind == "number" else None
    if domain is None or domain.where is None or as_copies(context, measure) is not None:
        if not counts(measure) and context.ref(measure).kind not in ("size", "token_count"):
            return None
        superlative = extreme_of(context, entity, ranked.extreme, context.value(measure))
        return superlative if superlative.slot == "player" else None
    assert isinstance(measure, s.Quantified)
    counted = context.model.locals[measure.variable]
    thing = replace(context.domain(domain, counted, ()), words=(ranked.extreme,), several=True)
    context.refine(counted, thing).passing = True
    clause = context.condition(domain.where)
    slots = [name for name, v in clause.values.items() if entity_of(v) is entity]
    rest = {name: v for name, v in clause.values.items() if name not in slots}
    spoken = ((name, part) for name, v in rest.items() for part in parts(v) if isinstance(part, Mention))
    within = {name: part for name, part in spoken if part.entity is context.entities[counted]}
    if len(slots) != 1 or len(within) != 1 or not _may_be_most(clause, slots[0], *within):
        return None
    [(name, part)] = within.items()
    context.log.mark_said(measure)
    rest[name] = changed(rest[name], lambda value: thing if value is part else None)
    return Relative(clause.message, slots[0], rest)


def _may_be_most(clause: Sentence, who: str, what: str) -> bool:
    """Return whether a clause about a player stays clear with *the most* of the things in one of its slots.

    Of *more than 3 tokens of the most kinds*, the sense would be unclear.
    """
    if clause.message.startswith("prose."):
        return clause.message.startswith(Message.HAS) and who == "player" and what in ("place", "kind")
    return sum(value is not None for value in clause.values.values()) <= 3


def _points(context: ProseContext, measure: s.Expression) -> NounPhrase | None:
    """Return the name of a compared score, or of a number with words of its own; None for another value."""
    ref = context.ref(measure)
    if ref.kind == "score" and isinstance(measure, s.Of):
        context.log.mark_said(measure, measure.owner)
        return NounPhrase(context.term(ref.name), several=True)
    if ref.kind != "define" or not context.has_message(f"of.{ref.name}"):
        return None
    value = context.value(measure)
    # *The most things of …*, not *the most the things of …*.
    return replace(value, words=()) if isinstance(value, NounPhrase) and value.several else None
