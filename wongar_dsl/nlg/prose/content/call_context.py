"""Context of rules and cards: what ends a rule, arguments that all callers pass, and effects of the cards in a zone."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import ends_rule, with_rest
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.context import Exit, ProseContext


def exits(block: s.Block, where: Exit = "last") -> Iterator[tuple[s.Node, Exit]]:
    """Yield the statements that end a rule with such a body, and the conditionals that take in what follows them."""
    for index, statement in enumerate(block):
        rest = block[index + 1 :]
        if ends_rule(statement):
            yield statement, where
        if rest and where == "last" and any(map(ends_rule, s.walk(statement))):
            if isinstance(statement, s.If) and (whole := with_rest(statement, rest)) is not None:
                yield statement, "last"
                yield from exits((whole,))
                return
            inner: Exit = "within"
        else:
            inner = where
        if statement.loops:
            inner = "loop" if inner == "last" else "within"
        elif isinstance(statement, s.ChooseSimultaneously):
            inner = "within"
        for body in s.blocks(statement):
            yield from exits(body, inner)


def constant_holder_argument(context: ProseContext, article: s.Declaration, at: int) -> s.Expression | None:
    """Return the `holder of X` that every call passes for the parameter at index `at`, or None.

    The argument is independent of the caller's names, and the rule does not change its value.
    """
    if not isinstance(article, s.Rule):
        return None
    name = article.name.text
    if context.model.code.rules.get(name) is not article:
        return None
    calls = [node for node in context.facts.nodes(s.Called) if node.name == name]
    values = [call.arguments[at] if at < len(call.arguments) else None for call in calls]
    held = next((argument for argument in values if isinstance(argument, s.Of) and argument.name == "holder"), None)
    if held is None:
        return None
    reached = tuple(_reached(context.model, article))
    handing = [node for node in reached if _hands_over(node)]
    decisive = [*calls, *handing, *(node for node in reached if isinstance(node, s.Called))]
    context.log.depends_on(article.parameters[at].name, *decisive)
    return held if not handing and all(value is not None and s.same(held, value) for value in values) else None


def _hands_over(node: s.Node) -> bool:
    """Return whether a statement may give a figure to another player."""
    match node:
        case s.Take() | s.Perform() | s.Assign(target=s.Of(name="holder")):
            return True
    return False


def _reached(model: Model, article: s.Procedure) -> Iterator[s.Node]:
    """Yield all nodes of a rule and of the rules that it calls."""
    seen, waiting = set[s.Declaration](), [article]
    while waiting:
        procedure = waiting.pop()
        if procedure in seen:
            continue
        seen.add(procedure)
        for node in s.walk(procedure.body):
            yield node
            rule = model.code.rules.get(node.name) if isinstance(node, s.Called) else None
            if rule is not None:
                waiting.append(rule)


def ignores_place(context: ProseContext, where: s.Expression, card: Local | None) -> bool:
    """Return whether no card that a name can denote uses the place `where` it is resolved."""
    zone = _taken_from(context, card)
    if zone is None:
        return False
    effects, brought = _effects_in(context, zone)
    places = (node for effect in effects or () for node in s.walk(effect.body) if _is_place(context, node))
    context.log.depends_on(where, *brought, *places)
    return effects is not None and not any(_asks_where(context.model, effect) for effect in effects)


def _taken_from(context: ProseContext, card: Local | None) -> str | None:
    """Return the zone from which a card is chosen."""
    for node in context.facts.nodes(s.OptionParameter):
        if context.model.locals[node.name] is card:
            ref = context.ref(node.domain.base)
            return ref.name if ref is not None and ref.kind == "zone" else None
    return None


def _effects_in(context: ProseContext, zone: str) -> tuple[list[s.Effect] | None, list[s.Node]]:
    """Return the effects of all cards that a zone can contain (None if unknown), and the statements that add cards."""
    model, decks = context.model, list[str]()
    brought: list[s.Node] = []
    unknown = False
    for sort in (s.Fill, s.Move, s.MoveAll, s.Lay):
        for node in context.facts.nodes(sort):
            match node:
                case s.Fill(zone=goal, count=None, filling=s.Name(text=deck)) if _is_zone(model, goal, zone):
                    decks.append(deck)
                    brought += (node, *(a for a in model.merged.articles if s.key_of(a) == ("deck", deck)))
                case s.Fill(zone=goal) | s.Move(target=goal) | s.MoveAll(target=goal) | s.Lay(target=goal) if _is_zone(
                    model, goal, zone
                ):
                    unknown = True
                    brought.append(node)
    if unknown:
        return None, brought
    sorts = [(model.cards[model.declared.decks[deck].cards.name], model.declared.decks[deck].copies) for deck in decks]
    kinds = {(sort.name, sort.faces[face].kind) for sort, copies in sorts for face, count in copies if count}
    every = [(effect, kind) for sort, kind in kinds for effect in model.code.effects.get(sort, ())]
    return [effect for effect, kind in every if effect.name.text == kind], brought


def _is_place(context: ProseContext, node: s.Node) -> bool:
    """Return whether a node names an area."""
    ref = context.ref(node)
    return ref is not None and ref.local is not None and ref.local.type.kind == "board"


def _is_zone(model: Model, goal: s.Expression, zone: str) -> bool:
    refs = (model.refs.get(node) for node in s.walk(goal))
    return any(ref is not None and ref.kind == "zone" and ref.name == zone for ref in refs)


def _asks_where(model: Model, effect: s.Effect) -> bool:
    places = [local for local in model.parameters.get(effect, ()) if local.type.kind == "board"]
    refs = (model.refs.get(node) for node in s.walk(effect.body))
    return any(ref is not None and ref.local in places for ref in refs)
