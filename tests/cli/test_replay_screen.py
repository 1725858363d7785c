"""Replay of a game on a full screen: keys, and complete visibility of each step."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from wongar_dsl.base.text.width import width
from wongar_dsl.cli.commands.play.replay_screen import ReplayScreen
from wongar_dsl.cli.commands.play.replay_view import ReplayCursor
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.cli.terminal.terminal_io import Terminal
from wongar_dsl.engine import library
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line, line_text, line_width
from wongar_dsl.session.game_session import GameSession

RIGHT, LEFT, HOME, END, PAGE_DOWN, PAGE_UP = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[6~", "\x1b[5~"


class Paper(io.StringIO):
    """Stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


class Small(Screen):
    """Screen of a fixed size."""

    size = (80, 24)

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


def replay_of(
    folder: Path, game: str, seats: int, steps: int, viewer: int | None = EVERYTHING, seed: int = 3
) -> ReplayCursor:
    rules, luck = library.load(game), random.Random(seed)
    match = Match.begin(rules.game(seats), [Seat("random", name) for name in "ABCDE"[:seats]], seed, rules.hash)
    while len(match.steps) < steps and not match.state.over:
        match.play(luck.choice(match.state.legal_moves()))
    screen = Small(Paper(), interactive=True)
    return ReplayCursor(GameSession(rules, match, Translator.load("en"), "", folder / "save.json"), viewer, screen)


def numbers_after(keys: PipeInput, replay: ReplayCursor, *typed: str) -> list[int]:
    """Return the step number after each of these key sequences."""
    numbers = []
    for key in typed:
        screen = ReplayScreen(replay, Terminal(input=keys, output=DummyOutput()))
        keys.send_text(key + "q")
        screen.run()
        numbers.append(replay.number)
    return numbers


def test_keys_move_forwards_and_back(keys: PipeInput, tmp_path: Path) -> None:
    replay = replay_of(tmp_path, "tictactoe", 2, 5)
    assert numbers_after(keys, replay, RIGHT, "n", "\r", "b", LEFT, END, RIGHT, HOME, LEFT) == [
        1,
        2,
        3,
        2,
        1,
        5,
        5,
        0,
        0,
    ]


def test_typed_number_selects_a_step_or_is_refused(keys: PipeInput, tmp_path: Path) -> None:
    replay = replay_of(tmp_path, "tictactoe", 2, 5)
    assert numbers_after(keys, replay, "3\r", "4\n", "9\r") == [3, 4, 4]
    screen = ReplayScreen(replay, Terminal(input=keys, output=DummyOutput()))
    assert "q quit" in plain_text(screen.keys())
    screen._type("9")
    screen._move("n")
    assert "a number from 0 to 5" in plain_text(screen.keys())
    screen._move("b")
    assert "q quit" in plain_text(screen.keys())


@pytest.mark.parametrize("size", [(80, 24), (40, 20), (100, 40), (160, 50)])
@pytest.mark.parametrize(("game", "seats"), [("wongar/initiated", 3), ("tongiaki", 3), ("ubongo", 2)])
def test_step_is_completely_visible_at_any_size(
    keys: PipeInput, tmp_path: Path, game: str, seats: int, size: tuple[int, int]
) -> None:
    replay = replay_of(tmp_path, game, seats, 30)
    replay.screen.size = size
    screen = ReplayScreen(replay, Terminal(input=keys, output=DummyOutput()))
    for key in ("<", ">"):
        screen._move(key)
        room, footer = screen.room, screen.keys()
        assert room + len(footer) == size[1]
        assert all(line_width(line) <= size[0] for line in footer)
        seen = screen.lines()
        assert all(width(line_text(line).rstrip()) < size[0] for line in seen)
        while screen.below:
            before = screen.top
            screen._scroll(1)
            part = screen.lines()
            seen += part[before + room - screen.top :]
        screen._scroll(-99)
        assert [line_text(line) for line in screen.lines()] == [line_text(line) for line in seen[:room]]
        whole = "".join(line_text(line) for line in replay.lines(room))
        assert "".join("".join(line_text(line) for line in seen).split()) == "".join(whole.split())


def test_steps_are_accessible_in_any_order(tmp_path: Path) -> None:
    replay = replay_of(tmp_path, "wongar", 3, 120)
    straight = [replay.replay.at(number).lines for number in range(len(replay.replay) + 1)]
    for number in (119, 60, 61, 0, 7, 120, 3):
        assert replay.replay.at(number).lines == straight[number]


def plain_text(lines: list[Line]) -> str:
    return " ".join(line_text(line) for line in lines)
