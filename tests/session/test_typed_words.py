"""Typed words at the menus of all shipped games: explanations select nothing, unavailable options give the reason."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from tests.session.test_forecast import match
from wongar_dsl.engine import State, library
from wongar_dsl.engine.library.builtin_games import builtin_names
from wongar_dsl.nlg.narration import Narrator, illegal_move
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.session.options.menu import Menu, MenuEntry, plain_words
from wongar_dsl.session.options.unavailable_options import unavailable_moves, unavailable_options

TURNS = 40


def decisions(game: str, language: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[State, Narrator]]:
    """Yield the states of the first decisions of a random game; each is valid until the next.

    The entries of a decision are worded once, since each typed word is compared with all of them.
    """
    worded = MenuEntry.of
    sample = match(game, library.load(game).model.players[0], seed)
    narrator = Narrator(sample.game, Translator.load(language), tuple(f"P{n}" for n in range(sample.game.seats)))
    chance = random.Random(seed)
    for _ in range(TURNS):
        if sample.state.over:
            return
        monkeypatch.setattr(MenuEntry, "of", cache(worded))
        yield sample.state, narrator
        sample.play(chance.choice(sample.state.legal_moves()))


def explained_words(menu: Menu) -> Iterator[tuple[MenuEntry, str]]:
    """Yield the words that stand only in explanations of options."""
    named = {word for entry in menu.entries for word in entry.words}
    for entry in menu.entries:
        for word in plain_words(entry.text):
            if entry.words[word] == 0 and not any(other.startswith(word) for other in named):
                yield entry, word


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("game", builtin_names())
def test_no_word_of_an_explanation_plays_and_unavailable_options_give_reasons(
    game: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    explained = 0
    for state, narrator in decisions(game, language, 33, monkeypatch):
        menu = Menu.of(state, narrator)
        for entry, word in explained_words(menu):
            explained += 1
            assert menu.match_words(word) == [], (entry.text, word)
            assert entry in menu.match_partly(word) or len(word) <= 2
        unavailable = [MenuEntry.of(1, move, state, narrator) for move, _ in unavailable_options(state)]
        words = {typed for entry in unavailable for typed in (entry.text, entry.title, *plain_words(entry.title))}
        for typed in words - narrator.words.function_words:
            if menu.match_words(typed):
                continue
            errors = unavailable_moves(state, narrator, typed)
            assert errors, typed
            assert illegal_move.explain_nearest(errors, state, narrator, state.seat), typed
    assert explained or game != "tongiaki"


@pytest.mark.parametrize(
    ("language", "word"), [("de", "königsinsel"), ("nl", "koningseiland"), ("it", "isola"), ("en", "royal")]
)
def test_word_of_an_explanation_that_names_an_unavailable_option_gives_its_reason(
    language: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons = set()
    for state, narrator in decisions("tongiaki", language, 33, monkeypatch):
        menu = Menu.of(state, narrator)
        if any(word in entry.text.casefold() and word not in entry.title.casefold() for entry in menu.entries):
            errors = unavailable_moves(state, narrator, word) if not menu.match_words(word) else []
            reasons |= {error.option for error in errors}
    assert reasons == {"found"}
