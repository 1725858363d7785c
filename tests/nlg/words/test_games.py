"""The shipped languages are complete: every sentence, with every possible term, in every word order."""

from __future__ import annotations

import re
from functools import cache
from typing import get_args

import pytest

from tests.nlg.prose.books import shipped
from wongar_dsl.compiler.ir import EVENTS
from wongar_dsl.engine import library
from wongar_dsl.language.ast import LATTICES, ZoneKind
from wongar_dsl.language.semantics.builtins import SORTS
from wongar_dsl.nlg.translation import MessageInventory, state_of
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.nlg.words.catalog_check import all_forms
from wongar_dsl.nlg.words.clause import Verb, parse_marks
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.style_lint import OTHER_ORDERS, text_faults


@cache
def inventory() -> MessageInventory:
    rules = map(shipped, library.builtin_names())
    return MessageInventory.collect([played.game(played.model.players[0]) for played in rules])


@pytest.mark.parametrize("language", available())
def test_shipped_languages_are_complete_and_without_faults(language: str) -> None:
    state = state_of(language, inventory(), ())
    assert state.done == state.all > 2_000
    assert (state.incomplete, state.wrong) == ((), ())
    assert load_locale(language, ()).lexicon.quotation
    assert load_locale(language, ()).lexicon.after_numbers


@pytest.mark.parametrize("language", available())
def test_marked_sentences_of_games_pass_the_style_check_in_all_orders(language: str) -> None:
    speech = load_locale(language, ())
    texts: list[str] = []
    few = {game: {sort: names[:2] for sort, names in sorts.items()} for game, sorts in inventory().vocabulary.items()}
    for spec in inventory().specs.values():
        template = speech.catalog.template(spec.name)
        if template is None or template.clause is None:
            continue
        for order in OTHER_ORDERS:
            for _, text in all_forms(speech, spec, template, few, (2,), order):
                assert isinstance(text, str), (spec.name, text)
                texts.append(text)
    assert len(texts) > 1_000
    assert [text for text in texts if set("[]{}|") & set(text) or list(text_faults(text, speech.lexicon))] == []


@pytest.mark.parametrize("language", available())
def test_marked_sentences_begin_in_lower_case(language: str) -> None:
    """Player names, and nouns in German, are always capitalised."""
    entries = load_locale(language, ()).catalog.entries.values()
    texts = [text for entry in entries for text in (entry.english if language == "en" else entry.texts)]
    firsts = [text.split(" ")[0] for text in texts if next((p for p in parse_marks(text) if isinstance(p, Verb)), None)]
    assert firsts
    small = re.compile(
        r"(Der|Die|Das|Dem|Den|Ein|Eine|Einem|Einen|I[mn]|Aus|Beim?|Alles)$" if language == "de" else "[A-Z]"
    )
    assert [first for first in firsts if small.match(first)] == []


@pytest.mark.parametrize("language", available())
def test_all_kinds_have_words(language: str) -> None:
    words = Translator.load(language)
    assert set(get_args(ZoneKind)) | set(LATTICES) < SORTS
    assert [sort for sort in sorted(SORTS) if not words.has_message(f"plain.{sort.replace(' ', '_')}")] == []


@pytest.mark.parametrize("language", available())
def test_all_engine_events_have_words(language: str) -> None:
    words = Translator.load(language)
    missing = [m for kind in EVENTS.values() for m in kind.messages if not words.has_message(f"engine.{m}")]
    assert missing == []
