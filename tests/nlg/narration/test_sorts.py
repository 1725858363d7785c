"""Kinds named by diagnostics and events of the engine have words in every language."""

from __future__ import annotations

from typing import get_args

import pytest

from wongar_dsl.compiler.ir import EVENTS
from wongar_dsl.language.ast import LATTICES, ZoneKind
from wongar_dsl.language.semantics.builtins import SORTS
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
