"""Subject of a decision and of its options: the cards that they name or lead to, and the rule behind the decision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.illegal_move import article_at, citations
from wongar_dsl.nlg.words import Text
from wongar_dsl.session.board.scene import Scene
from wongar_dsl.session.options.menu import Menu

#: Maximum number of things that are mentioned of a row, from its front.
MAX_ROW_THINGS = 2


@dataclass(frozen=True, slots=True)
class DecisionGrounds:
    """Rule behind a decision: the face of its card (None if it is no card's rule), and its citations in sentences."""

    face: str | None
    cited: tuple[str, ...]


def chosen_cards(state: State, move: Move) -> Iterator[str]:
    """Yield the names of the cards that are arguments of a move."""
    assert state.decision is not None
    parameters = state.decision.options[move.option].parameters
    for (_, kind), value in zip(parameters, move.arguments, strict=True):
        if kind.kind == "cards" and value >= 0:
            yield state.game.model.value_name(kind, value)


def open_cards(scene: Scene, move: Move) -> Iterator[str]:
    """Yield the names of the open cards in the target of a move, if the option's conditions refer to them."""
    state = scene.state
    assert state.decision is not None
    spec = state.decision.options[move.option]
    for (_, kind), value in zip(spec.parameters, move.arguments, strict=True):
        for field in scene.fields if kind.kind == "board" else ():
            if field.kind == "slot" and field.indices == (kind,) and _conditions_mention(spec, field.name):
                for indices, address in copies(field):
                    if indices == (value,) and state.cells[address] >= 0:
                        yield state.game.model.value_name(field.type, state.cells[address])


def with_cards(menu: Menu, scene: Scene) -> Menu:
    """Return the menu with the open cards at the target of each option, and the first things of a row there."""
    narrator, entries = scene.narrator, []
    for entry in menu.entries:
        texts = [scene.open_card(narrator.term(name, "short")) for name in open_cards(scene, entry.move)]
        for things in _first_of_rows(scene, entry.move):
            texts.append(narrator.words.say("option.in_front", None, things=Text(narrator.words.chain(things))))
        entries.append(replace(entry, card=narrator.words.chain(texts)) if texts else entry)
    return replace(menu, entries=tuple(entries))


def _first_of_rows(scene: Scene, move: Move) -> Iterator[list[str]]:
    """Yield the first things of each open row that a move leads to."""
    state = scene.state
    assert state.decision is not None
    spec = state.decision.options[move.option]
    for (_, kind), value in zip(spec.parameters, move.arguments, strict=True):
        for field in scene.fields if kind.kind == "enum" and value >= 0 else ():
            zone = container(field)
            if zone is None or not zone.ordered or field.indices != (kind,):
                continue
            things = zone.ordered_things(state.cells, field.at(value), field.width)[:MAX_ROW_THINGS]
            if things:
                yield [scene.narrator.listed(scene.narrator.short(field.type, thing)) for thing in things]


def _conditions_mention(spec: ir.OptionSpec, zone: str) -> bool:
    """Return whether an option's conditions name a zone, so that its contents matter."""
    return any(re.search(rf"\b{re.escape(zone)}\b", check.span.text) for check in spec.checks)


def decision_grounds(match: Match, narrator: Narrator) -> DecisionGrounds:
    """Return the rule behind the current decision; empty if there is none."""
    return DecisionGrounds(rule_card(match), cited_sentences(match, narrator))


def cited_sentences(match: Match, narrator: Narrator) -> tuple[str, ...]:
    """Return the citations of the rule behind the current decision, in sentences."""
    decision, model = match.state.decision, match.game.model
    if decision is None:
        return ()
    first = next((check.span for option in decision.options for check in option.checks), None)
    span = match.game.program.spans.get(decision.rule) or first
    article = article_at(model, span) if span is not None else None
    return tuple(citations(model, article, narrator)) if article is not None else ()


def rule_card(match: Match) -> str | None:
    """Return the face of the card whose rule is executed now; None for other rules, and without a decision."""
    return _card_with_rule(match, match.state.decision.rule) if match.state.decision is not None else None


def _card_with_rule(match: Match, rule: str) -> str | None:
    """Return the face of the card with this rule; of several, the last one that the deciding player has seen."""
    model = match.game.model
    if any(sort.index(rule) is not None for sort in model.cards.values()):
        return rule
    if not any(face.kind == rule for sort in model.cards.values() for face in sort.faces):
        return None
    for event in reversed(match.history()):
        seen = match.game.knowledge.visible_event(event, match.state.seat)
        for (_, field_type), value in zip(seen.spec.fields, seen.values, strict=True) if seen is not None else ():
            if field_type.kind == "cards" and isinstance(value, int) and value >= 0:
                name = model.value_name(field_type, value)
                if name.partition("(")[0] == rule:
                    return name
    return None
