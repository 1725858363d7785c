"""What somebody sees who walks through a game: nothing that they may not know, and all of a step on any screen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.sitting import LEFT, PAGE_UP, RIGHT, Sized
from tests.cli.test_hidden import DATA, NAMES, WORDS, another
from tests.properties.permuter import random_match, replayed
from wongar_dsl.cli.replay_screen import ReplayScreen
from wongar_dsl.cli.replaying import Walk
from wongar_dsl.cli.terminal.screen import Screen, plain
from wongar_dsl.cli.terminal.timed import Terminal
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import Rules, load
from wongar_dsl.table.table import Table
from wongar_dsl.text.width import width

HOME, END, PAGE_DOWN = "\x1b[H", "\x1b[F", "\x1b[6~"
#: Games with the number of seats, and after how many decisions somebody looks.
GAMES = {
    "wongar/initiated": (3, (60, 61)),
    "kuhn_poker": (2, (1, 2)),
    "goofspiel": (3, (1, 5)),
    str(DATA / "which_hand.rules"): (2, (1, 2, 3)),
    str(DATA / "stash.rules"): (2, (1, 1)),
}


def every_step(rules: Rules, match: Match, viewer: int) -> list[str]:
    walk = Walk(Table(rules, match, WORDS, "", Path("save.json")), viewer, Screen())
    found = []
    for number in range(len(walk.replay) + 1):
        walk.number = number
        found += [plain(line) for line in walk.lines()]
    return found


@pytest.mark.parametrize("name", GAMES, ids=[Path(name).stem for name in GAMES])
def test_a_walk_shows_a_seat_the_same_in_games_that_look_the_same_to_it(name: str) -> None:
    rules, (seats, lengths) = load(name), GAMES[name]
    game, checked = rules.game(seats), 0
    for seed, length in enumerate(lengths):
        match = random_match(game, seed, length)
        match.seats = [Seat("human", name) for name in NAMES[:seats]]
        for viewer in range(seats):
            other = another(match, viewer)
            if other is not None:
                checked += 1
                own = replayed(match, match.past.first, viewer, random.Random(0), change=False)
                assert own is not None
                assert every_step(rules, other, viewer) == every_step(rules, own, viewer)
    assert checked


class Small(Screen):
    """A screen of a size that a test sets."""

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
def walked(keys: PipeInput) -> Walked:
    """Walks through a game with keys, and gives the screen as it was left."""

    def walked(*pressed: str, size: tuple[int, int] = (80, 24)) -> ReplayScreen:
        rules = load("wongar")
        match = random_match(rules.game(3), 4, 30)
        match.seats = [Seat("human", name) for name in NAMES]
        walk = Walk(Table(rules, match, WORDS, "", Path("save.json")), 0, Small(*size))
        screen = ReplayScreen(walk, Terminal(False, True, keys, Sized(*size)))
        for key in (*pressed, "q"):
            keys.send_text(key)
        screen.run()
        return screen

    return walked


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
def test_the_keys_go_on_back_and_to_a_number(walked: Walked, pressed: tuple[str, ...], number: int) -> None:
    assert walked(*pressed).walk.number == number


@pytest.mark.parametrize("size", [(80, 24), (40, 30), (120, 50)])
def test_nothing_is_wider_or_longer_than_the_screen(walked: Walked, size: tuple[int, int]) -> None:
    for pressed in ((), (END,), ("5", "\r")):
        screen = walked(*pressed, size=size)
        shown = [*screen.lines(), *screen.keys()]
        assert len(shown) <= size[1]
        assert max(width(plain(line)) for line in shown) <= size[0]


def test_what_does_not_fit_is_reached_page_by_page(walked: Walked) -> None:
    screen = walked()
    whole = [plain(line) for line in screen.walk.lines(screen.room)]
    assert len(whole) > screen.room
    seen = [plain(line) for line in screen.lines()]
    while screen.below:
        before = screen.below
        screen._turn(1)
        seen += [plain(line) for line in screen.lines()]
        assert screen.below < before
    assert set(whole) <= set(seen)


def test_a_page_above_the_first_is_the_first_and_another_step_begins_at_its_top(walked: Walked) -> None:
    assert walked(PAGE_UP, PAGE_DOWN).top > 0
    assert walked(PAGE_DOWN, PAGE_UP, PAGE_UP).top == 0
    assert walked(PAGE_DOWN, RIGHT).top == 0
