"""Replay of a game: no hidden information is shown, and each step is completely visible on any screen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.sitting import LEFT, PAGE_UP, RIGHT, Sized
from tests.cli.test_hidden import DATA, NAMES, WORDS, indistinguishable_match
from tests.properties.permuter import random_match, replayed
from wongar_dsl.base.text.width import width
from wongar_dsl.cli.commands.play.replay_screen import ReplayScreen
from wongar_dsl.cli.commands.play.replay_view import ReplayCursor
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.cli.terminal.terminal_io import Terminal
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.game_session import GameSession

HOME, END, PAGE_DOWN = "\x1b[H", "\x1b[F", "\x1b[6~"
#: Per game: number of seats, and the decision counts after which the output is compared.
GAMES = {
    "wongar/initiated": (3, (60, 61)),
    "kuhn_poker": (2, (1, 2)),
    "goofspiel": (3, (1, 5)),
    str(DATA / "which_hand.rules"): (2, (1, 2, 3)),
    str(DATA / "stash.rules"): (2, (1, 1)),
}


def lines_of_every_step(rules: Rules, match: Match, viewer: int) -> list[str]:
    walk = ReplayCursor(GameSession(rules, match, WORDS, "", Path("save.json")), viewer, Screen())
    lines = []
    for number in range(len(walk.replay) + 1):
        walk.number = number
        lines += [line_text(line) for line in walk.lines()]
    return lines


@pytest.mark.parametrize("name", GAMES, ids=[Path(name).stem for name in GAMES])
def test_replay_is_equal_for_indistinguishable_games(name: str) -> None:
    rules, (seats, lengths) = load(name), GAMES[name]
    game, checked = rules.game(seats), 0
    for seed, length in enumerate(lengths):
        match = random_match(game, seed, length)
        match.seats = [Seat("human", name) for name in NAMES[:seats]]
        for viewer in range(seats):
            twin_match = indistinguishable_match(match, viewer)
            if twin_match is not None:
                checked += 1
                copy = replayed(match, match.past.first, viewer, random.Random(0), change=False)
                assert copy is not None
                assert lines_of_every_step(rules, twin_match, viewer) == lines_of_every_step(rules, copy, viewer)
    assert checked


class Small(Screen):
    """Screen of a size set by the test."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(interactive=True)
        self.size = (columns, rows)

    @property
    def width(self) -> int:
        return self.size[0]

    @property
    def height(self) -> int:
        return self.size[1]


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


Walked = Callable[..., ReplayScreen]


@pytest.fixture
def screen_after(keys: PipeInput) -> Walked:
    """Return a function that replays a game with keys and returns the final screen."""

    def replay_with(*pressed: str, size: tuple[int, int] = (80, 24)) -> ReplayScreen:
        rules = load("wongar")
        match = random_match(rules.game(3), 4, 30)
        match.seats = [Seat("human", name) for name in NAMES]
        walk = ReplayCursor(GameSession(rules, match, WORDS, "", Path("save.json")), 0, Small(*size))
        screen = ReplayScreen(walk, Terminal(False, True, keys, Sized(*size)))
        for key in (*pressed, "q"):
            keys.send_text(key)
        screen.run()
        return screen

    return replay_with


@pytest.mark.parametrize(
    ("pressed", "number"),
    [
        ((), 0),
        ((RIGHT, RIGHT, "n", "\r", LEFT), 3),
        ((LEFT,), 0),
        ((END,), 30),
        ((END, RIGHT, "b"), 29),
        (("1", "7", "\r"), 17),
        (("9", "9", "\r"), 0),
        (("1", "2", "\r", HOME), 0),
    ],
)
def test_keys_move_forwards_back_and_to_a_number(screen_after: Walked, pressed: tuple[str, ...], number: int) -> None:
    assert screen_after(*pressed).cursor.number == number


@pytest.mark.parametrize("size", [(80, 24), (40, 30), (120, 50)])
def test_output_fits_the_screen(screen_after: Walked, size: tuple[int, int]) -> None:
    for pressed in ((), (END,), ("5", "\r")):
        screen = screen_after(*pressed, size=size)
        shown = [*screen.lines(), *screen.keys()]
        assert len(shown) <= size[1]
        assert max(width(line_text(line)) for line in shown) <= size[0]


def test_paging_reaches_every_line(screen_after: Walked) -> None:
    screen = screen_after()
    whole = [line_text(line) for line in screen.cursor.lines(screen.room)]
    assert len(whole) > screen.room
    seen = [line_text(line) for line in screen.lines()]
    while screen.below:
        before = screen.below
        screen._scroll(1)
        seen += [line_text(line) for line in screen.lines()]
        assert screen.below < before
    assert set(whole) <= set(seen)


def test_paging_stops_at_the_top_and_restarts_per_step(screen_after: Walked) -> None:
    assert screen_after(PAGE_UP, PAGE_DOWN).top > 0
    assert screen_after(PAGE_DOWN, PAGE_UP, PAGE_UP).top == 0
    assert screen_after(PAGE_DOWN, RIGHT).top == 0
