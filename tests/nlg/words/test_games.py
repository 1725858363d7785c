"""Every sentence of a bundled game exists in every language, with every possible term."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain

import pytest

from wongar_dsl.engine import library
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.words import available
from wongar_dsl.nlg.words.clause import Verb, parse_marks
from wongar_dsl.nlg.words.lint.catalog_check import MessageSpec, all_forms, check
from wongar_dsl.nlg.words.lint.style_lint import OTHER_ORDERS, text_faults
from wongar_dsl.nlg.words.locale import load_locale

GAMES = tuple(library.builtin_games())


@cache
def models(game: str) -> tuple[Model, ...]:
    names = (game, *(f"{game}/{variant}" for variant in library.builtin_games()[game]))
    return tuple(library.load(name).model for name in names)


def kind_of(model: Model, slot: Type) -> str:
    if slot.kind == "board" and model.boards[slot.name].steps:
        return "text"  # Squares of a lattice are named by their notation.
    if slot.kind in ("enum", "board", "cards"):
        return f"term:{slot.name}"
    return {"figure": "term:figure", "number": "number", "player": "player", "tally": "tally"}.get(slot.kind, "text")


def vocabulary(game: str) -> dict[str, tuple[str, ...]]:
    """Return the terms of each type that can occur in a sentence; a hidden card counts as its kind."""
    terms: dict[str, tuple[str, ...]] = {}
    for model in models(game):
        terms |= dict(model.enums)
        terms |= {name: board.areas for name, board in model.boards.items() if not board.steps}
        terms |= {name: (*(f.name for f in sort.faces), name) for name, sort in model.cards.items()}
        terms |= {"figure": tuple(model.figures)} if model.figures else {}
    return terms


def messages_of(game: str) -> list[MessageSpec]:
    specs: dict[str, MessageSpec] = {}
    for model in models(game):
        for message in model.messages.values():
            slots = {name: kind_of(model, kind) for name, kind in message.slots}
            specs[message.name] = MessageSpec(f"{game}.{message.name}", slots)
    return list(specs.values())


@pytest.mark.parametrize("language", available())
def test_messages_can_be_realised_with_all_terms(language: str) -> None:
    specs = {game: messages_of(game) for game in GAMES}
    assert all(specs.values())
    terms = {}
    for game in GAMES:
        categories = {kind.partition(":")[2] for spec in specs[game] for kind in spec.slots.values()}
        terms[game] = {name: values for name, values in vocabulary(game).items() if name in categories}
    grave = [f for f in check(chain(*specs.values()), terms, (), [language]) if not f.unused]
    assert [(f.name, f.details) for f in grave if f.name != "words.unused_message"] == []


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("game", GAMES)
def test_marked_sentences_pass_the_style_check_in_all_orders(game: str, language: str) -> None:
    speech = load_locale(language, ())
    texts: list[str] = []
    for spec in messages_of(game):
        template = speech.catalog.template(spec.name, source=language == "en")
        if template is None or template.clause is None:
            continue
        for order in OTHER_ORDERS:
            for _, text in all_forms(speech, spec, template, {game: vocabulary(game)}, (2,), order):
                assert isinstance(text, str), (spec.name, text)
                texts.append(text)
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
@pytest.mark.parametrize("game", GAMES)
def test_decisions_and_options_have_sentences(game: str, language: str) -> None:
    catalog = load_locale(language, ()).catalog
    for model in models(game):
        for decision in model.decisions.values():
            names = [f"{game}.decision.{decision.name}"]
            names += [f"{names[0]}.{option}" for option, _ in decision.options]
            missing = [n for n in names if catalog.template(n, source=language == "en") is None]
            assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_games_have_no_unused_sentences(game: str) -> None:
    used = {spec.name.partition(".")[2] for spec in messages_of(game)}
    entries = [n.partition(".")[2] for n in load_locale("en", ()).catalog.entries if n.startswith(f"{game}.")]
    assert [name for name in entries if "." not in name and name not in used] == []
