"""Kinds named by diagnostics and events of the engine have words in every language."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from tests.small_games import diagnostics_of
from wongar_dsl.compiler.ir import EVENTS
from wongar_dsl.language.ast import LATTICES, ZoneKind
from wongar_dsl.language.semantics.builtins import SORTS
from wongar_dsl.nlg.diagnostic_text.diagnostics import message
from wongar_dsl.nlg.words import Translator

LANGUAGES = ("de", "nl", "it", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_kinds_have_words(language: str) -> None:
    words = Translator.load(language)
    assert set(get_args(ZoneKind)) | set(LATTICES) < SORTS
    assert [sort for sort in sorted(SORTS) if not words.has_message(f"plain.{sort.replace(' ', '_')}")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_engine_events_have_words(language: str) -> None:
    words = Translator.load(language)
    missing = [m for kind in EVENTS.values() for m in kind.messages if not words.has_message(f"engine.{m}")]
    assert missing == []


LAID_ON_A_PILE = """
board field
    grid 2 by 2
cards tile
    piece
deck box of tile
    1 piece
pile stack holds tile, seen by all
pile other holds tile, seen by all
score points
setup
    fill stack with box
play
    lay top of stack on other at a1 turned 0
    set points of player(1) to space of field
    nobody wins
"""


def test_german_messages_contain_no_english_kind_names(tmp_path: Path) -> None:
    words = Translator.load("de")
    sentences = [message(d, words.say) for d in diagnostics_of(tmp_path, LAID_ON_A_PILE) if d.code == "R0203"]
    assert any("eine Auslage von Karten" in sentence for sentence in sentences)
    assert not any(word in sentence.split() for sentence in sentences for word in ("layout", "pile", "board", "track"))
