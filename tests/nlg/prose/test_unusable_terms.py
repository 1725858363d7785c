"""A term that a language cannot use is told in English, and neither stops the rulebook nor shows a message's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.nlg.words import Translator

from .books import LANGUAGES, rules_in, text_of_book

GAME = """
cards leaf
    ivy
deck leaves of leaf
    4 ivy
pile stock holds leaf, seen by nobody
hand held of each player holds leaf, seen by owner
setup
    fill stock with leaves
play
    for each p in player
        move top of stock to held of p
    nobody wins
"""


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("fault", ["place: nowhere", "gender: neither", "only: all"])
def test_rulebook_with_an_unusable_term(tmp_path: Path, language: str, fault: str) -> None:
    file = write_rules(tmp_path, GAME)
    for code, entry in ((language, f"{fault}, sg: xxx, pl: xxxs"), ("en", "sg: hand, pl: hands")):
        folder = tmp_path / "locales" / code
        folder.mkdir(parents=True)
        (folder / "lexicon.yaml").write_text(f"games:\n  small:\n    held: {{{entry}}}\n", encoding="utf-8")
    told = text_of_book(rules_in(file), language, own=Translator.load(language, [tmp_path / "locales"]))
    assert "goes into the hand" in told
    assert "prose." not in told
