"""Golden texts of the rulebooks of all bundled games in all languages, and robustness for other rules and languages.

One file per game and language, one sentence per line. `pytest tests/nlg/prose --rewrite-goldens` rewrites them; review
the changes before committing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from wongar_dsl.base.terminal_text import fold, width
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.prose.document.outline import rulebook, unreported
from wongar_dsl.nlg.prose.document.play_texts import ExplainedCards
from wongar_dsl.nlg.prose.micro.sentence_plan import Why
from wongar_dsl.nlg.prose.render.realised_rulebook import GUTTER, RealisedRulebook, escaped, markdown, render_text
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.locale import load_locale

from .books import LANGUAGES, book, model, reading, rules_in, text_of_game, unverbalised_nodes, words

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = Path(__file__).with_name("rulebooks")
GAMES = (
    "wongar", "wongar/initiated", "tongiaki", "ubongo", "ubongo+hard+long", "connect_four", "goofspiel", "kuhn_poker",
    "nim", "tictactoe",
)  # fmt: skip
#: Various rules: hidden zones, layouts, directions, unbounded recursion and nested conditions.
OTHERS = (
    *sorted((ROOT / "data").glob("*.rules")),
    *sorted((ROOT / "games" / "classics" / "extra").glob("*.rules")),
    ROOT / "attacks" / "files" / "exp_rule2.rules",
    ROOT / "attacks" / "files" / "nest_for21b.rules",
    *sorted((ROOT / "language" / "variants").rglob("*.rules")),
)


def assert_golden(golden: Path, text: str, rewrite: bool) -> None:
    if rewrite:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_rulebooks_match_the_goldens(name: str, rewrite_goldens: bool) -> None:
    for language in LANGUAGES:
        golden = GOLDENS / f"{name.replace('/', '_').replace('+', '_')}.{language}.txt"
        assert_golden(golden, text_of_game(name, language), rewrite_goldens)


@pytest.mark.parametrize(("name", "language"), [*zip(GAMES, ("it", "de", "nl") * 4, strict=False)])
def test_rulebook_planned_with_english_words_has_the_same_text(name: str, language: str) -> None:
    usual = reading(name, language)
    own = RealisedRulebook(rulebook(model(name), usual.words), usual.words, usual.title)
    assert "".join(f"{line.text}\n" for line in render_text(own)) == text_of_game(name, language)


@pytest.mark.parametrize("name", [*GAMES, "ubongo/hard", "ubongo/long"])
def test_all_nodes_are_verbalised_or_have_a_reason(name: str) -> None:
    assert list(unreported(model(name), book(name))) == []
    assert all(why for fate, why in book(name).log.fates.values() if fate != "said")


def test_manual_explains_all_reasons_for_omissions() -> None:
    text = (ROOT.parent / "docs" / "language" / "messages_and_sources.md").read_text(encoding="utf-8")
    table = text.partition("## What the rulebook leaves out")[2]
    explained = re.findall(r"^\| ([a-z][^|]+?) \|", table, re.MULTILINE)
    assert sorted(explained) == sorted(why for why in get_args(Why) if why)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_other_rules_have_a_whole_rulebook(path: Path) -> None:
    rules = rules_in(path)
    document = rulebook(rules, words("it"))
    assert list(unverbalised_nodes(rules, document)) == []
    realised = RealisedRulebook(document, words("it"), path.stem)
    text = "\n".join([*(line.text for line in render_text(realised, 79)), *markdown(realised)])
    # A message missing in the language would appear as its id.
    assert "rulebook." not in text
    assert "prose." not in text


def test_tables_fit_into_the_available_width() -> None:
    document = reading("wongar", "de")
    narrow, wide = (
        [line.text for line in render_text(document, room) if GUTTER in line.text.strip()] for room in (79, None)
    )
    assert narrow
    assert max(map(width, narrow)) <= 79 < max(map(width, wide))


def test_wrapped_line_keeps_its_indentation() -> None:
    assert fold("  – one two", 8, "    ") == ["  – one", "    two"]


def test_markdown_characters_are_escaped() -> None:
    assert escaped("1. *a* | [b] <c>") == r"1\. \*a\* \| \[b\] \<c\>"
    assert escaped("- a_b") == r"\- a\_b"


@pytest.fixture(scope="module")
def swedish() -> Translator:
    """Return a language that only files of the tests define, without a fallback: a missing word is an error."""
    return Translator(load_locale("sv", [ROOT / "data" / "languages"], strict=True), None, "sv", strict=True)


@pytest.mark.parametrize("name", ["nim", "connect_four"])
def test_rulebook_is_complete_without_a_fallback_language(
    name: str, swedish: Translator, rewrite_goldens: bool
) -> None:
    document = RealisedRulebook(rulebook(model(name), swedish), swedish, title(swedish, name))
    text = "".join(f"{line.text}\n" for line in render_text(document))
    assert "[…" not in text
    assert_golden(GOLDENS / f"{name}.sv.txt", text, rewrite_goldens)
    assert "## Spelets gång" in [*markdown(document)]


def test_card_texts_are_complete_without_a_fallback_language(swedish: Translator, rewrite_goldens: bool) -> None:
    cards = ExplainedCards(model("wongar"), swedish, "wongar")
    text = "\n".join(f"## {card}\n{cards.card(card)}\n" for card in ("token_card", "ancestor_card", "ritual"))
    assert_golden(Path(__file__).with_name("wongar_cards.sv.txt"), text, rewrite_goldens)
