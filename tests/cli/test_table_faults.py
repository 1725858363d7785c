"""Regressions at the table: clocks, numbers, the final position, secrets of a running game, foreign files."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import time
from pathlib import Path

import pytest

from tests.cli.command import START, Command, Terminal, choices_in
from tests.cli.test_forecast import Sitting
from wongar_dsl.cli.play.terminal_session import LONG_GAME_DECISIONS
from wongar_dsl.engine.saves import read_save

TICTACTOE = ("play", "tictactoe", "--seats", "human,human")
ENDLESS = """game endless
    players 2
    source house rule
remember n: number = 0
play
    repeat until n = 1
        player(1) chooses t
            go
                set n to number of p in player
            stay
                set n to number of p in player
    nobody wins
"""


def test_very_long_numbers_are_refused(wongar: Command) -> None:
    digits = "9" * 5000
    answers = (digits, f"? {digits}", f"log {digits}", f"b2 @ {digits}", f"mark({digits})", f"-{digits}")
    result = wongar.play("tictactoe", *answers, lang="de")
    assert result.code == 0
    assert "schiefgegangen" not in result.out + result.err
    assert "Wähle eine Nummer von 1 bis 9" in result.out


def test_final_position_is_drawn(wongar: Command) -> None:
    result = wongar(*TICTACTOE, answers="a1\nb1\na2\nb2\na3\n")
    assert result.code == 0
    last = result.out[result.out.rindex("┌") :]
    # Five squares are occupied, the winning row is marked, and no square shows its name.
    assert (len(re.findall(r"A\*", last)), len(re.findall(r"B", last.split("└")[0]))) == (3, 2)
    assert "a1" not in last.split("└")[0]


def test_resumed_game_keeps_its_language(wongar: Command) -> None:
    save = str(wongar.home / "game.json")
    # A single human player changes the language of the table; among several, only their own.
    seats = ("play", "tictactoe", "--seats", "human,random", "--seed", "1")
    wongar(*seats, "--lang", "de", "--save", save, answers="b2\nsprache it\n")
    assert "La partita riprende" in wongar("resume", save).out
    assert "De partij gaat verder" in wongar("resume", save, "--lang", "nl").out
    assert read_save(Path(save)).language == "nl"
    with Path(save).open("a") as grown:
        grown.write(json.dumps({"language": "xx\x1b[2J"}) + "\n")
    assert wongar("resume", save).out.startswith("Tic-tac-toe begins: ")


def test_file_without_a_save_is_not_overwritten(wongar: Command) -> None:
    save, precious = wongar.home / "game.json", wongar.home / "precious.txt"
    for answer in ("a1", "b2"):
        assert wongar(*TICTACTOE, "--save", str(save), answers=f"{answer}\nsave {save}\n").code == 0
        assert choices_in(save) == [f"mark({answer})"]
    precious.write_text("all my poems")
    result = wongar(*TICTACTOE, "--save", str(precious))
    assert (result.code, result.out) == (2, "")
    assert str(precious) in result.err
    refused = wongar(*TICTACTOE, answers=f"save {precious}\n")
    assert refused.code == 0
    assert str(precious) in refused.out
    assert precious.read_text() == "all my poems"


def test_saves_are_regular_files(wongar: Command) -> None:
    pipe, link = wongar.home / "pipe", wongar.home / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/null")
    for place in map(str, (pipe, wongar.home, link, "/dev/null")):
        result = wongar(*TICTACTOE, "--save", place)
        assert (result.code, place in result.err) == (2, True)
    assert pipe.is_fifo()
    assert link.is_symlink()
    for place in (str(pipe), "/dev/zero", "/dev/null", str(wongar.home), f"{wongar.home}/{'x' * 300}"):
        for command in ("log", "resume"):
            result = wongar(command, place)
            assert (result.code, result.out, len(result.err.splitlines())) == (1, "", 1)
            assert place in result.err


def test_unknown_home_folder_is_reported(wongar: Command) -> None:
    for arguments in ((*TICTACTOE, "--save", "~nosuchuser/x"), ("resume", "~nosuchuser/x"), ("log", "~nosuchuser/x")):
        result = wongar(*arguments)
        assert (result.code, result.out) == (2, "")
        assert "nosuchuser" in result.err
        assert len(result.err.splitlines()) == 1
    result = wongar(*TICTACTOE, answers="save ~nosuchuser/x\n")
    assert "~nosuchuser/x" in result.out


def test_failed_save_is_not_reported_as_saved(wongar: Command) -> None:
    (wongar.home / "file").write_text("")
    nowhere = str(wongar.home / "file" / "save.json")
    over = wongar("play", "tictactoe", "--seats", "random,random", "--save", nowhere)
    abandoned = wongar(*TICTACTOE, "--save", nowhere, answers="quit\n")
    for result in (over, abandoned):
        assert result.code == 1
        assert "has not been saved" in result.out.splitlines()[-1]
        assert result.out.count(nowhere) == 1


def test_endless_game_is_stopped_without_a_terminal(wongar: Command) -> None:
    wongar.patch.setattr("wongar_dsl.cli.play.terminal_session.LONG_GAME_DECISIONS", 50)
    rules = wongar.home / "endless.rules"
    rules.write_text(ENDLESS)
    result = wongar.play(rules, seats="random,random")
    assert (result.code, result.err, len(result.choices)) == (0, "", 50)
    assert str(result.save) in result.out
    assert wongar("resume", str(result.save)).code == 0
    assert len(result.choices) == 100


#: Fields with 43,200 cells, and statements that set them.
LARGE = [f"kept_{number}" for number in range(12)]
FIELDS = "board sq\n    grid 60 by 60\n" + "".join(f"remember {name} of each sq: number\n" for name in LARGE)
SET_FIELDS = "".join(f"    set {name} of a1 to 1\n" for name in LARGE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("go\n", "go(k: 1 to 2000)\n"),
        ("set n to", "repeat 20 times\n                    tell x(n)\n                set n to"),
        ("remember n: number = 0\nplay\n", f"{FIELDS}remember n: number = 0\nplay\n{SET_FIELDS}"),
    ],
    ids=["options", "events", "cells"],
)
def test_many_options_events_or_cells_count_as_a_long_game(wongar: Command, old: str, new: str) -> None:
    wongar.patch.setattr("wongar_dsl.cli.play.terminal_session.LONG_GAME_DECISIONS", 50)
    rules = wongar.home / "endless.rules"
    rules.write_text(ENDLESS.replace(old, new))
    result = wongar.play(rules, seats="random,random")
    assert (result.code, result.err) == (0, "")
    assert 20 < len(result.choices) < 35


def test_player_is_asked_whether_to_continue_a_long_game(wongar: Command) -> None:
    assert LONG_GAME_DECISIONS == 5_000
    wongar.patch.setattr("wongar_dsl.cli.play.terminal_session.LONG_GAME_DECISIONS", 3)
    rules = wongar.home / "endless.rules"
    rules.write_text(ENDLESS)
    sitting = Sitting(rules, wongar.home, [*["go"] * 3, "yes", *["go"] * 3, "no"], seats="human,random")
    assert sitting.play() == ["go"] * 6
    asked = [re.findall(r"\d+", question) for question in sitting.questions if question]
    assert asked == [["3"], ["6"]]


def test_progress_is_shown_at_a_terminal(wongar: Command) -> None:
    many = ("--games", "3000", "--backend", "python", "--jobs", "1")
    with wongar.terminal("simulate", "goofspiel", *many, "--lang", "en") as terminal:
        assert "of 3,000" in terminal.wait_for(" s")
        terminal.process.send_signal(signal.SIGINT)
        assert "Stopped. Games played: " in terminal.rest()
        assert terminal.process.returncode == 130


def test_input_typed_ahead_is_discarded(wongar: Command) -> None:
    save = wongar.home / "game.json"
    with wongar.terminal(*TICTACTOE, "--lang", "en", "--save", str(save), "--plain") as terminal:
        terminal.prompt()
        terminal.type("b2\r1\r2\r3\r")
        terminal.prompt()
        terminal.type("\x03")
        terminal.rest()
    assert choices_in(save) == ["mark(b2)"]


class Shell(Terminal):
    """Interactive shell with job control at a pseudo-terminal."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.pid, self._controller = pty.fork()
        if not self.pid:
            os.chdir(folder)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment | {"PS1": "$ ", "TERM": "xterm"})
        self.text = ""

    def __exit__(self, *_: object) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._controller)


READY = "\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h"


def command_line(*arguments: str) -> str:
    return shlex.join([*START, *arguments]) + "\r"


@pytest.mark.parametrize("view", [(), ("--plain",)], ids=["full screen", "lines"])
def test_prompt_can_be_suspended(wongar: Command, view: tuple[str, ...]) -> None:
    with Shell(wongar.environment(PROMPT_TOOLKIT_NO_CPR="1"), wongar.home) as shell:
        shell.wait_for("$ ")
        shell.type(command_line("play", "tictactoe", "--seats", "human:Anna,human", "--lang", "en", *view))
        shell.wait_for(READY if view else "which square")
        shell.type("\x1a")
        shell.wait_for("Stopped")
        shell.type("fg\r")
        shell.wait_for("?25h" if view else "which square")
        time.sleep(0 if view else 0.3)
        shell.type("b2\r")
        shell.wait_for("Anna marks b2")


def test_suspended_puzzle_keeps_its_clock_running(wongar: Command) -> None:
    save = wongar.home / "game.json"
    arguments = ("play", "ubongo", "--seats", "human,random", "--seed", "3", "--set", "sandglass=240", "--drawn")
    with Shell(wongar.environment(PROMPT_TOOLKIT_NO_CPR="1"), wongar.home) as shell:
        shell.wait_for("$ ")
        shell.type(command_line(*arguments, "--lang", "en", "--save", str(save)))
        shell.wait_for(READY)
        shell.type("1\r")
        # Output of the full screen does not appear on the normal screen.
        assert "Space 1" not in shell.wait_for("\x1b[?1049h")
        shell.wait_for("Enter")
        time.sleep(0.3)
        shell.type("\r")
        shell.wait_for("240 s left")
        shell.type("\x1a")
        shell.wait_for("Stopped")
        time.sleep(0.7)
        shell.type("fg\r")
        shell.wait_for("\x1b[?1049h")
        time.sleep(0.3)
        shell.type("\x03")
        shell.wait_for("has been saved")
        elapsed = read_save(save).thought
        assert 700 <= elapsed < 60_000
        # The clock continues from its last value, and only the message follows the full screen.
        shell.wait_for("$ ")
        shell.type(command_line("resume", str(save)))
        shell.wait_for("Enter")
        time.sleep(0.3)
        shell.type("\r")
        shell.wait_for("s left")
        shell.type("\x03")
        shell.wait_for("has been saved")
        assert read_save(save).thought >= elapsed
