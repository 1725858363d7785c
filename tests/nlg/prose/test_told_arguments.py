"""Different amounts have different phrases: an argument that the words of a game omit is told where it matters."""

from __future__ import annotations

from itertools import combinations

import pytest

from wongar_dsl.nlg.prose.content import noun_phrases
from wongar_dsl.nlg.prose.optional_messages import sentences_of
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.clause import Slot
from wongar_dsl.nlg.words.locale import load_locale

from .books import LANGUAGES, model, rules_of, text_of_book, words

VARIANT = """variant other of ubongo
    source house rule
allow stay in choice trip only if {condition} or finished = 4
add to choice trip
    otherwise
        nothing
"""
AMOUNTS = ("amount(p, 1)", "amount(p, 2)", "amount(left of p, 1)", "amount(left of left of p, 1)", "amount(starter, 1)")
LIMITS = ("colours_with(p, 2)", "colours_with(p, 3)", "colours_with(left of p, 2)", "colours_with(starter, 2)")
OTHERS = ("amount(q, 1)", "amount(p, 1)", "amount(left of q, 1)", "colours_with(q, 2)", "colours_with(p, 2)")
CONDITIONS = {
    "phrase": tuple(f"{value} >= 3" for value in AMOUNTS),
    "clause": tuple(f"{value} >= 3" for value in LIMITS),
    "of other players": tuple(f"(no q in player where {value} >= 3)" for value in OTHERS),
}


def book_if(condition: str, language: str, own: Translator | None = None) -> str:
    """Return the rulebook of a variant with a condition for an option."""
    return text_of_book(rules_of("other.rules", VARIANT.format(condition=condition)), language, "play", own)


def alike(conditions: tuple[str, ...], language: str, own: Translator | None = None) -> list[tuple[str, str]]:
    """Return the pairs of conditions with the same text."""
    books = {condition: book_if(condition, language, own) for condition in conditions}
    return [(one, other) for one, other in combinations(books, 2) if books[one] == books[other]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sort", CONDITIONS)
def test_amounts_of_different_arguments_have_different_words(sort: str, language: str) -> None:
    assert alike(CONDITIONS[sort], language) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("other", AMOUNTS[1:])
def test_sides_of_a_comparison_have_different_words(other: str, language: str) -> None:
    one = AMOUNTS[0]
    assert alike((f"{one} > {other}", f"{other} > {one}"), language) == []


def test_comparison_of_equal_phrases_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noun_phrases, "omitted_players", lambda *_: [])
    monkeypatch.setattr(noun_phrases, "is_obvious", lambda *_: True)
    one, other = "amount(p, 1)", "amount(left of p, 1)"
    # A rulebook with a translator of its own is never taken from the cache.
    assert alike((f"{one} > {other}", f"{other} > {one}"), "en", words("en")) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "kuhn_poker", "nim"])
def test_sentence_of_a_rule_names_what_is_chosen_in_order(game: str, language: str) -> None:
    """What is chosen later may be described by what was chosen before: *a beach of this island*."""
    rules, speech = model(game), load_locale(language, ()).realiser
    for name, slots in sentences_of(rules):
        if name.startswith("rule.") and words(language).has_message(name, rules.scope):
            parts = speech.template(name, rules.scope).parts
            chosen = [slot for slot, kind in slots.items() if kind.kind != "player"]
            named = [part.name for part in parts if isinstance(part, Slot) and part.name in chosen]
            assert named == [slot for slot in chosen if slot in named], name
