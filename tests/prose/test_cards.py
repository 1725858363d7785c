"""What cards do, in words: made of the rules, in every language, with an account of each part of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.mutants.operators import mutants, mutated
from wongar_dsl import syntax as s
from wongar_dsl.checker import check
from wongar_dsl.library import Rules, load
from wongar_dsl.model import Model
from wongar_dsl.parser import reserved_words
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.document import text_of
from wongar_dsl.prose.explain import Explained
from wongar_dsl.prose.phrases import plan_of
from wongar_dsl.text.codes import Severity
from wongar_dsl.words import Words

#: All cards that do something of themselves; what a scorpion does stands in a rule.
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
#: The mutants that read the same, each with its reason.
READ_THE_SAME = {
    "279: condition dropped": "the token is taken from there",
    "383: condition dropped": "the token is taken from there",
    "385: condition dropped": "the token is taken from there",
    "387: where dropped": "the token is taken from there",
    "403: condition dropped": "the token is taken from there",
    "421: where dropped": "the token is taken from there",
}


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load("wongar")


@pytest.fixture(scope="module")
def languages() -> dict[str, Words]:
    return {language: Words.load(language, strict=True) for language in ("de", "nl", "it", "en")}


def effects(model: Model) -> Iterator[s.Effect]:
    for sort in model.code.effects.values():
        yield from (effect for effect in sort if effect.name.text in SAID)


def text(model: Model, effect: s.Effect, words: Words) -> tuple[str, Account]:
    plans, account = plan_of(model, effect, words)
    lines = [
        f"[{type(unit.origin).__name__}]" if unit.unsaid else "– " * unit.depth + unit.text
        for unit in text_of(plans, words, model.name)
    ]
    return "\n".join(lines), account


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_cards_read_as_a_person_would_write_them(rules: Rules, languages: dict[str, Words], language: str) -> None:
    found = [f"## {e.name.text}\n{text(rules.model, e, languages[language])[0]}\n" for e in effects(rules.model)]
    golden = Path(__file__).with_name(f"wongar_cards.{language}.txt")
    assert "\n".join(found) == golden.read_text(encoding="utf-8")


def test_every_part_of_a_card_is_accounted_for(rules: Rules, languages: dict[str, Words]) -> None:
    for effect in effects(rules.model):
        _, account = text(rules.model, effect, languages["en"])
        assert list(account.left_over(effect.body)) == []


def test_what_is_left_unsaid_has_a_reason(rules: Rules, languages: dict[str, Words]) -> None:
    for effect in effects(rules.model):
        _, account = text(rules.model, effect, languages["en"])
        assert all(why for fate, why in account.fates.values() if fate != "said")


def test_a_change_of_the_rules_changes_the_words_in_every_language(rules: Rules, languages: dict[str, Words]) -> None:
    """Each mutant of these cards that is still a game reads differently, but those that are listed.

    Checking them takes longest, so only every third is tried, beside those that are listed.
    """
    model, source = rules.model, rules.sources[-1]
    before = {(e.name.text, one): text(model, e, words)[0] for one, words in languages.items() for e in effects(model)}
    tried, same = 0, set()
    those = [mutant for mutant in mutants(model, source) if mutant.key[1] in SAID]
    for number, mutant in enumerate(those):
        if number % 3 and f"{mutant.span.line}: {mutant.what}" not in READ_THE_SAME:
            continue
        changed, found = check(mutated(model.merged, mutant), frozenset(reserved_words()))
        if any(d.severity is Severity.ERROR for d in found):
            continue
        tried += 1
        effect = next(e for e in effects(changed) if e.name.text == mutant.key[1])
        if any(text(changed, effect, words)[0] == before[mutant.key[1], one] for one, words in languages.items()):
            same.add(f"{mutant.span.line}: {mutant.what}")
    assert tried > 60
    assert same == set(READ_THE_SAME)


def test_one_card_names_what_it_brings_and_a_kind_of_cards_does_not(rules: Rules, languages: dict[str, Words]) -> None:
    one, kind = (
        Explained(rules.model, languages["en"], "wongar").card(name) for name in ("token_card(disc)", "token_card")
    )
    assert one is not None
    assert "places a disc from their supply" in one
    assert kind is not None
    assert "places a token of the pictured kind from their supply" in kind


def test_a_card_that_does_nothing_of_itself_is_told_by_the_rule_that_turns_it_up(
    rules: Rules, languages: dict[str, Words]
) -> None:
    told = Explained(rules.model, languages["en"], "wongar").card("scorpion_card")
    assert told is not None
    assert "sets off the scorpion" in told
    assert Explained(rules.model, languages["en"], "wongar").card("no_card") is None
