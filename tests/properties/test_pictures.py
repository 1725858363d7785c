"""Terminal pictures and screen reader text: they fit and are legible in ASCII."""

from __future__ import annotations

import random
from functools import cache
from itertools import cycle

import pytest

from tests.properties.play import game, positions, tables
from tests.web import viewings
from wongar_dsl.engine import State
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import available
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.position import board, picture, signs
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.screen_reader import changed_lines, spoken_table
from wongar_dsl.session.menu import OptionNumbers, assign_numbers

#: Each game with few players, where most is drawn side by side, and with the most.
SOME = [(name, seats) for name, seats in tables() if seats in (2, 3, 5)]
on_games = pytest.mark.parametrize(("name", "seats"), SOME, ids=[f"{n}-{s}" for n, s in SOME])
NAMES = ("Anna", "Jürgen", "Zoë", "Ben", "Eva", "Ole")
DRAWN = set("┌┐└┘─│├┤┬┴┼╭╮╯╰┏┓┗┛━┃●■▮▲◆▸♟♔↗↘↙↖→←◆·")
WORDS = {language: viewings.words(language) for language in available()}


def scene(state: State, language: str, width: int, height: int, fancy: bool = True) -> TextScene:
    words = WORDS[language] if fancy else WORDS[language].written_in("ascii")
    names = NAMES[: state.game.seats]
    mine = {} if state.over else assign_numbers(state, OptionNumbers())
    viewer = None if state.over else state.seat
    return TextScene(state, Narrator(state.game, words, names), "AJZBEO", viewer, width, fancy, height, offers=mine)


@cache
def sample_states(name: str, seats: int) -> list[State]:
    """Return some positions of a random game, which no test changes."""
    played = game(name, seats)
    states = list(positions(played, seats, 25))
    return [played.start(1)[0], *random.Random(seats).sample(states, min(3, len(states)))]


@on_games
def test_pictures_fit_every_screen(name: str, seats: int) -> None:
    for number, (state, language) in enumerate(zip(sample_states(name, seats), cycle(sorted(WORDS)), strict=False)):
        for turn, width in enumerate((60, 80, 100, 160, 200), number):
            shown = picture(scene(state, language, width, (0, 24, 40)[turn % 3]))
            assert [line_text(line) for line in shown if line_width(line) > width] == []
        whole, low = (len(board(scene(state, "en", 80, height))) for height in (0, 8))
        assert low <= whole


@on_games
def test_text_has_no_drawing_characters_in_ascii_and_for_screen_readers(name: str, seats: int) -> None:
    for state, language in zip(sample_states(name, seats), cycle(WORDS), strict=False):
        plainly = scene(state, language, 80, 24, fancy=False)
        ascii_lines = [*(line_text(line).replace("…", ".") for line in picture(plainly)), *signs(plainly).values()]
        assert [line for line in ascii_lines if not line.isascii()] == []
        lines = spoken_table(scene(state, language, 80, 24))
        assert lines
        assert [line for line in lines if set(line) & DRAWN or line != line.strip() or not line] == []


@on_games
def test_only_changes_are_read_out_after_a_move(name: str, seats: int) -> None:
    for state in sample_states(name, seats):
        if state.over:
            continue
        before = spoken_table(scene(state, "en", 80, 24))
        after = state.copy()
        after.apply(state.legal_moves()[0])
        news_lines = changed_lines(before, spoken_table(scene(after, "en", 80, 24)))
        assert not set(news_lines) & set(before)
        assert set(spoken_table(scene(after, "en", 80, 24))) <= set(news_lines) | set(before)
