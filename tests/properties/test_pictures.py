"""The table as a terminal shows it and as it is read out: it fits, can be read in ASCII, hides what is hidden."""

from __future__ import annotations

import random

import pytest

from tests.properties.permuter import random_match, twin
from tests.properties.play import game, games, positions
from wongar_dsl.cli.pictures.position import board, picture, signs
from wongar_dsl.cli.pictures.scene import Scene
from wongar_dsl.cli.pictures.spoken import news, spoken
from wongar_dsl.cli.terminal.screen import measure, plain
from wongar_dsl.engine import State
from wongar_dsl.narration import Narrator
from wongar_dsl.table.menu import offers
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.words import Words, available

#: Each game with the fewest players, which is where most is drawn beside each other, and with the most.
SOME = [(name, seats) for name, seats in games() if seats in (2, 3, 5)]
on_games = pytest.mark.parametrize(("name", "seats"), SOME, ids=[f"{n}-{s}" for n, s in SOME])
NAMES = ("Anna", "Jürgen", "Zoë", "Ben", "Eva", "Ole")
DRAWN = set("┌┐└┘─│├┤┬┴┼╭╮╯╰┏┓┗┛━┃●■▮▲◆▸♟♔↗↘↙↖→←◆·")
WORDS = {language: Words.load(language) for language in available()}


def scene(state: State, language: str, width: int, height: int, fancy: bool = True) -> Scene:
    words = WORDS[language] if fancy else WORDS[language].written_in("ascii")
    names = NAMES[: state.game.seats]
    mine = {} if state.over else offers(state, Numbering())
    viewer = None if state.over else state.seat
    return Scene(state, Narrator(state.game, words, names), "AJZBEO", viewer, width, fancy, height, offers=mine)


def some(name: str, seats: int) -> list[State]:
    played = game(name, seats)
    found = list(positions(played, seats, 25))
    return [played.start(1)[0], *random.Random(seats).sample(found, min(3, len(found)))]


@on_games
def test_pictures_fit_every_screen(name: str, seats: int) -> None:
    languages = sorted(WORDS)
    for number, state in enumerate(some(name, seats)):
        for width in (60, 80, 100, 160, 200):
            for height in (0, 24, 40):
                shown = picture(scene(state, languages[number % len(languages)], width, height))
                assert [plain(line) for line in shown if measure(line) > width] == []


@on_games
def test_a_low_screen_has_a_low_board(name: str, seats: int) -> None:
    for state in some(name, seats):
        whole, low = (len(board(scene(state, "en", 80, height))) for height in (0, 8))
        assert low <= whole


@on_games
def test_pictures_and_what_is_read_out_are_legible_in_ascii(name: str, seats: int) -> None:
    for state in some(name, seats):
        for language in WORDS:
            plainly = scene(state, language, 80, 24, fancy=False)
            told = [*(plain(line).replace("…", ".") for line in picture(plainly)), *signs(plainly).values()]
            assert [line for line in told if not line.isascii()] == []


@on_games
def test_what_is_read_out_is_words(name: str, seats: int) -> None:
    for state in some(name, seats):
        for language in WORDS:
            lines = spoken(scene(state, language, 80, 24))
            assert lines
            assert [line for line in lines if set(line) & DRAWN or line != line.strip() or not line] == []


@on_games
def test_after_a_move_only_what_has_changed_is_read_out(name: str, seats: int) -> None:
    for state in some(name, seats):
        if state.over:
            continue
        before = spoken(scene(state, "en", 80, 24))
        after = state.copy()
        after.apply(state.legal_moves()[0])
        told = news(before, spoken(scene(after, "en", 80, 24)))
        assert not set(told) & set(before)
        assert set(spoken(scene(after, "en", 80, 24))) <= set(told) | set(before)


@pytest.mark.parametrize(
    ("name", "seats"), [("wongar", 3), ("wongar/initiated", 3), ("kuhn_poker", 2), ("tongiaki", 3)]
)
def test_what_is_hidden_is_in_no_picture(name: str, seats: int) -> None:
    found = 0
    for length in (1, 3, 12, 40):
        match = random_match(game(name, seats), length, length)
        for seat in range(seats):
            other = twin(match, seat, random.Random(length))
            if other is None or match.state.over:
                continue
            found += 1
            shown = []
            for one in (match, other):
                mine = offers(one.state, Numbering()) if one.state.seat == seat else {}
                narrator = Narrator(one.game, WORDS["en"], NAMES[:seats])
                seen = Scene(one.state, narrator, "AJZBEO", seat, 100, True, 40, offers=mine)
                shown.append(([plain(line) for line in picture(seen)], spoken(seen), dict(seen.aims)))
            assert shown[0] == shown[1]
    assert found
