"""Typed words at the menus of all shipped games: explanations select nothing, unavailable options give the reason."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from tests.session.test_forecast import match
from wongar_dsl.engine import State, library
from wongar_dsl.engine.library.builtin_games import builtin_names
from wongar_dsl.nlg.narration import Narrator, illegal_move
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.session import menu as module
from wongar_dsl.session.menu import Menu, MenuEntry, plain_words, unavailable_moves, unavailable_options

TURNS = 24
ROYAL = {"de": "königsinsel", "nl": "koningseiland", "it": "isola", "en": "royal"}


def decisions(
    game: str, languages: Sequence[str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[State, dict[str, Narrator]]]:
    """Yield the states of the first decisions of a random game, with narrators; each is valid until the next.

    The entries of a decision are worded, and its moves refused for a reason, only once: each typed word means many.
    """
    worded, refused, reasoned = MenuEntry.of, module._refused, illegal_move._reason_of
    sample = match(game, library.load(game).model.players[0], seed)
    names = tuple(f"P{n}" for n in range(sample.game.seats))
    narrators = {language: Narrator(sample.game, Translator.load(language), names) for language in languages}
    chance = random.Random(seed)
    for _ in range(TURNS):
        if sample.state.over:
            return
        monkeypatch.setattr(MenuEntry, "of", cache(worded))
        monkeypatch.setattr(module, "_refused", cache(refused))
        monkeypatch.setattr(illegal_move, "_reason_of", cache(reasoned))
        yield sample.state, narrators
        sample.play(chance.choice(sample.state.legal_moves()))


def explained_words(menu: Menu) -> Iterator[tuple[MenuEntry, str]]:
    """Yield the words that stand only in explanations of options."""
    named = {word for entry in menu.entries for word in entry.words}
    for entry in menu.entries:
        for word in plain_words(entry.text):
            if entry.words[word] == 0 and not any(other.startswith(word) for other in named):
                yield entry, word


@pytest.mark.parametrize("game", builtin_names())
def test_no_word_of_an_explanation_plays_and_unavailable_options_give_reasons(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    explained, royal = dict.fromkeys(available(), 0), {language: set[str]() for language in ROYAL}
    for state, narrators in decisions(game, available(), 33, monkeypatch):
        options = [move for move, _ in unavailable_options(state)]
        for language, narrator in narrators.items():
            menu = Menu.of(state, narrator)
            for entry, word in explained_words(menu):
                explained[language] += 1
                if word == ROYAL.get(language) and game == "tongiaki":
                    # A word of an explanation that names an option gives the reason why it is not available.
                    royal[language] |= {error.option for error in unavailable_moves(state, narrator, word)}
                assert menu.match_words(word) == [], (language, entry.text, word)
                assert entry in menu.match_partly(word) or len(word) <= 2, (language, entry.text, word)
            unavailable = [MenuEntry.of(1, move, state, narrator) for move in options]
            words = {typed for entry in unavailable for typed in (entry.text, entry.title, *plain_words(entry.title))}
            for typed in words - narrator.words.function_words:
                if menu.match_words(typed):
                    continue
                errors = unavailable_moves(state, narrator, typed)
                assert errors, (language, typed)
                assert illegal_move.explain_nearest(errors, state, narrator, state.seat), (language, typed)
    assert all(explained.values()) or game != "tongiaki", explained
    assert all(options <= {"found"} for options in royal.values())
    assert any(royal.values()) == (game == "tongiaki")
