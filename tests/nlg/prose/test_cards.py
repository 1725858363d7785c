"""Text of card effects, generated from the rules in every language, with every node accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.mutants.operators import mutants, mutated
from wongar_dsl.base.diagnostic_codes import Severity
from wongar_dsl.engine.library import Rules
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker import check_game
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.card_text import ExplainedCards
from wongar_dsl.nlg.prose.document.document_model import Prose
from wongar_dsl.nlg.prose.micro.plan_text import text_of
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.verbalisation_log import VerbalisationLog
from wongar_dsl.nlg.words import Translator

from .books import document_of, model, plans_of, rules_in, shipped

#: All cards with an effect; the effect of a scorpion is part of a rule.
SAID = (
    "token_card",
    "three_tokens",
    "four_rituals",
    "ancestor_card",
    "elder_card",
    "both_card",
    "ritual",
    "double_ritual",
)
#: Mutants with unchanged text, each with the reason.
READ_THE_SAME = {
    "279: condition dropped": "the token is taken from there",
    "383: condition dropped": "the token is taken from there",
    "385: condition dropped": "the token is taken from there",
    "387: where dropped": "the token is taken from there",
}


@pytest.fixture(scope="module")
def rules() -> Rules:
    return shipped("wongar")


@pytest.fixture(scope="module")
def languages() -> dict[str, Translator]:
    return {language: Translator.load(language, strict=True) for language in ("de", "nl", "it", "en")}


def effects(model: Model) -> Iterator[s.Effect]:
    for sort in model.code.effects.values():
        yield from (effect for effect in sort if effect.name.text in SAID)


def effect_text(model: Model, effect: s.Effect, words: Translator) -> tuple[str, VerbalisationLog]:
    plans, account = plans_of(model, effect)
    lines = [
        f"[{type(unit.origin).__name__}]" if unit.unsaid else "– " * unit.depth + unit.text
        for unit in text_of(plans, words, model.name)
    ]
    return "\n".join(lines), account


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_card_texts_match_the_goldens(rules: Rules, languages: dict[str, Translator], language: str) -> None:
    sections = [
        f"## {e.name.text}\n{effect_text(rules.model, e, languages[language])[0]}\n" for e in effects(rules.model)
    ]
    golden = Path(__file__).with_name(f"wongar_cards.{language}.txt")
    assert "\n".join(sections) == golden.read_text(encoding="utf-8")


def test_all_nodes_of_card_effects_are_accounted_for(rules: Rules, languages: dict[str, Translator]) -> None:
    for effect in effects(rules.model):
        _, account = effect_text(rules.model, effect, languages["en"])
        assert list(account.unreported(effect.body)) == []


def test_omitted_nodes_have_a_reason(rules: Rules, languages: dict[str, Translator]) -> None:
    for effect in effects(rules.model):
        _, account = effect_text(rules.model, effect, languages["en"])
        assert all(why for fate, why in account.fates.values() if fate != "said")


def test_rule_changes_change_the_text_in_all_languages(rules: Rules, languages: dict[str, Translator]) -> None:
    """Each valid mutant of these cards changes the text, except those listed.

    Checking mutants is slow, so only every third is tried, plus those listed.
    """
    model, source = rules.model, rules.sources[-1]
    before = {
        (e.name.text, language): effect_text(model, e, words)[0]
        for language, words in languages.items()
        for e in effects(model)
    }
    tried, same = 0, set()
    candidates = [mutant for mutant in mutants(model, source) if mutant.key[1] in SAID]
    for number, mutant in enumerate(candidates):
        if number % 3 and f"{mutant.span.line}: {mutant.what}" not in READ_THE_SAME:
            continue
        changed, diagnostics = check_game(mutated(model.merged, mutant), frozenset(reserved_words()))
        if any(d.severity is Severity.ERROR for d in diagnostics):
            continue
        tried += 1
        effect = next(e for e in effects(changed) if e.name.text == mutant.key[1])
        if any(
            effect_text(changed, effect, words)[0] == before[mutant.key[1], language]
            for language, words in languages.items()
        ):
            same.add(f"{mutant.span.line}: {mutant.what}")
    assert tried > 60
    assert same == set(READ_THE_SAME)


def test_card_names_its_piece_unlike_its_kind(rules: Rules, languages: dict[str, Translator]) -> None:
    single, kind = (
        ExplainedCards(rules.model, languages["en"], "wongar").card(name) for name in ("token_card(disc)", "token_card")
    )
    assert single is not None
    assert "places a disc from their supply" in single
    assert kind is not None
    assert "places a token of the pictured kind from their supply" in kind


def test_card_without_an_effect_is_described_by_its_rule(rules: Rules, languages: dict[str, Translator]) -> None:
    description = ExplainedCards(rules.model, languages["en"], "wongar").card("scorpion_card")
    assert description is not None
    assert "sets off the scorpion" in description
    assert ExplainedCards(rules.model, languages["en"], "wongar").card("no_card") is None


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_book_difference_and_help_say_that_cards_without_their_effect_have_none(
    tmp_path: Path, languages: dict[str, Translator], language: str
) -> None:
    path, words = tmp_path / "bare.rules", languages[language]
    path.write_text("variant bare of wongar\n" + "".join(f"remove effect {kind}\n" for kind in SAID), encoding="utf-8")
    base, bare = model("wongar"), rules_in(path)
    before, book = (RealisedRulebook(document_of(rules), words, rules.name) for rules in (base, bare))
    sections = {inner.key: inner for section in book.book.sections for _, inner in section.walk()}
    changed = {section.key: section for section in differences(before, book)}
    for kind in SAID:
        prose = (block for block in sections[f"effect.{kind}"].blocks if isinstance(block, Prose))
        (line,) = (unit.text for block in prose for unit in book.units(block))
        assert ExplainedCards(bare, words, bare.name).card(kind) == line
        change = changed[f"effect.{kind}"]
        assert change.whole is None
        assert [part.text for part in change.changes if part.sort == "new"] == [line]
