"""Rulebooks in Swedish, a language defined only by files in `tests/data/languages`.

It has no fallback language, so a missing word is an error.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.prose.document.card_text import ExplainedCards
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.render.markdown import markdown
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import render_text
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.locale import load_locale

LANGUAGES = Path(__file__).parents[2] / "data" / "languages"
GOLDENS = Path(__file__).with_name("rulebooks")


@pytest.fixture(scope="module")
def swedish() -> Translator:
    return Translator(load_locale("sv", [LANGUAGES], strict=True), None, "sv", strict=True)


def reading(name: str, words: Translator) -> RealisedRulebook:
    document = rulebook(load(name).model, words)
    return RealisedRulebook(document, words, title(words, document.scope))


@pytest.mark.parametrize("name", ["nim", "connect_four"])
def test_rulebook_is_complete_without_a_fallback_language(
    name: str, swedish: Translator, rewrite_goldens: bool
) -> None:
    golden = GOLDENS / f"{name}.sv.txt"
    text = "".join(f"{line.text}\n" for line in render_text(reading(name, swedish)))
    if rewrite_goldens:
        golden.write_text(text, encoding="utf-8")
    assert "[…" not in text
    assert text == golden.read_text(encoding="utf-8")


def test_markdown_is_complete_without_a_fallback_language(swedish: Translator) -> None:
    text = "\n".join(markdown(reading("nim", swedish)))
    assert "## Spelets gång" in text
    assert "Om varje hög är tom vinner spelaren spelet." in text


def test_card_texts_are_complete_without_a_fallback_language(swedish: Translator, rewrite_goldens: bool) -> None:
    golden = Path(__file__).with_name("wongar_cards.sv.txt")
    model = load("wongar").model
    texts = (
        (card, ExplainedCards(model, swedish, "wongar").card(card))
        for card in ("token_card", "ancestor_card", "ritual")
    )
    text = "\n".join(f"## {card}\n{help_}\n" for card, help_ in texts)
    if rewrite_goldens:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
