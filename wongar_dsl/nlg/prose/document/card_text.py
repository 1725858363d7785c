"""Explanation of a card's effect in a few sentences, on request during play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import NO_EFFECT
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.prose.micro.plan_text import joined, text_of
from wongar_dsl.nlg.prose.micro.sentence_plan import Passage, Plan, PlanGroup, PlanLine
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.words import Listing, NounPhrase, Sentence, Term, Translator


@dataclass
class ExplainedCards:
    """Explanations of the cards of one game, with shared cached analyses."""

    model: Model
    words: Translator
    scope: str
    seats: int | None = None

    def card(self, name: str) -> str | None:
        """Explain a card by the name of its face, or all cards of a kind; without an effect, the rules for its
        appearance.

        Returns None if the rules do nothing with it.
        """
        model = self.model
        for sort in model.cards.values():
            face = sort.index(name)
            if face is None and name not in sort.kinds:
                continue
            kind = name if face is None else sort.faces[face].kind
            attribute_values = {
                attribute: model.value_name(type_, values[face])
                for attribute, (type_, values) in sort.attributes.items()
                if face is not None and values[face] >= 0 and type_.kind in ("enum", "cards", "board")
            }
            effect = next((e for e in model.code.effects.get(sort.name, ()) if e.name.text == kind), None)
            if effect is not None:
                return self._text(plan_of(model, effect, self.words, self.seats, attribute_values, self._facts)[0])
            matching = tuple(plan for plans in self._rules for plan in _when(plans, kind))
            removed = model.merged.texts().get(f"effect.{kind}")
            if removed is not None and not matching:
                matching = (PlanLine(Sentence(NO_EFFECT, {"what": Term(sort.name, self.scope)}), removed),)
            return self._text(matching) if matching else None
        return None

    @cached_property
    def _facts(self) -> GameFacts:
        return GameFacts.of(self.model)

    @cached_property
    def _rules(self) -> list[tuple[Plan, ...]]:
        # Only rules: the course of play inlines some of them and would repeat their text.
        rules = self.model.code.rules.values()
        return [plan_of(self.model, rule, self.words, self.seats, facts=self._facts)[0] for rule in rules]

    def _text(self, plans: tuple[Plan, ...]) -> str | None:
        lines = list(text_of(plans, self.words, self.scope))
        return joined([(line.depth, line.text) for line in lines]) if lines else None


def _when(plans: tuple[Plan, ...], kind: str) -> Iterator[Plan]:
    """Yield the plans that apply if a card is of a kind."""
    for plan in plans:
        match plan:
            case PlanLine(sentence=said) if _asks(said, kind):
                yield plan
            case PlanGroup(lead=lead) if _asks(lead, kind):
                yield plan
            case PlanGroup(parts=parts) | Passage(parts=parts):
                yield from _when(parts, kind)


def _asks(sentence: Sentence, kind: str) -> bool:
    """Return whether a sentence is conditional on a card being of a kind."""
    condition = sentence.values.get("condition") if sentence.message.startswith(("prose.if", "prose.while")) else None
    return isinstance(condition, Sentence) and _is_about(condition, kind)


def _is_about(asked: Sentence, kind: str) -> bool:
    match asked:
        case Sentence(
            message="prose.is_a" | "prose.is_a.none" | "prose.is_a.not", values={"kind": NounPhrase(head=head)}
        ):
            return head.name == kind
        case Sentence(message="prose.and", values={"all": Listing(items=items)}):
            return any(isinstance(item, Sentence) and _is_about(item, kind) for item in items)
    return False
