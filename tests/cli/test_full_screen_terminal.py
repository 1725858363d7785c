"""The full screen at a real terminal: leaving, suspending, ending, and modes without it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.cli.command import Command, Terminal, choices_in

TICTACTOE = ("play", "tictactoe", "--seats", "human:Anna,human:Ben", "--lang", "en")
FULL, LEFT = "\x1b[?1049h", "\x1b[?1049l"
#: Seconds in which keys count as pressed too early, in terminals forked from this process.
GRACE_S = 0.05
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def pause() -> None:
    time.sleep(3 * GRACE_S)


def shorten_key_grace(wongar: Command) -> None:
    wongar.patch.setattr("wongar_dsl.cli.fullscreen.app.KEY_GRACE_S", GRACE_S)


@pytest.fixture(autouse=True)
def _short_grace(wongar: Command) -> None:
    shorten_key_grace(wongar)


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0), ("quit\r", 0)])
def test_leaving_prints_the_save_below_the_full_screen(wongar: Command, key: str, code: int) -> None:
    save = wongar.home / "save.json"
    with wongar.terminal(*TICTACTOE, "--save", str(save)) as terminal:
        assert FULL in terminal.wait_for("which square")
        pause()
        terminal.type("5\r")
        terminal.wait_for("Anna marks b2")
        pause()
        terminal.type(key)
        rest = terminal.rest()
    assert terminal.process.returncode == code
    below = CODES.sub("", rest[rest.rindex(LEFT) :])
    assert "Continue with: wongar resume" in below
    assert "which square" not in below
    assert choices_in(save) == ["mark(b2)"]


@contextmanager
def thinking_bot(wongar: Command, simulations: int) -> Iterator[Terminal]:
    """Yield a game at the moment when a bot begins to think."""
    with wongar.terminal("play", "connect_four", "--seats", f"human,mcts:{simulations}", "--lang", "en") as terminal:
        terminal.wait_for("which column")
        pause()
        terminal.type("\r")
        terminal.wait_for("is thinking")
        yield terminal


def test_player_can_leave_while_a_bot_is_thinking(wongar: Command) -> None:
    with thinking_bot(wongar, 1_000_000) as terminal:
        pause()
        terminal.type("\x03")
        rest = terminal.rest(10)
        assert terminal.process.returncode == 130
    assert "The game has been saved" in rest


def test_text_typed_while_a_bot_thinks_waits_for_enter(wongar: Command) -> None:
    with thinking_bot(wongar, 3_000) as terminal:
        terminal.type("quit\r")
        terminal.wait_for("which column")
        pause()
        assert terminal.process.poll() is None
        terminal.type("\r")
        terminal.rest(10)
        assert terminal.process.returncode == 0
