"""Line mode at a terminal: hot seat, keys, signals, colours, width, and output for screen readers."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import unicodedata
from functools import partial

import pytest

from tests.cli.command import Command, choices_in
from wongar_dsl.cli.play import metacommands as hint
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.cli.terminal.signals import Terminated, raise_on_signal
from wongar_dsl.engine.bots import SearchBudget

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>78]")
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
HOT_SEAT = ("play", "wongar", "--seats", "human:Anna,human:Bert,random:Carl", "--seed", "36", "--lang", "en", "--drawn")


def cell_width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def test_hands_are_hidden_until_the_next_player_confirms(wongar: Command) -> None:
    with wongar.terminal(*HOT_SEAT, columns=100) as terminal:
        shown = terminal.prompt()
        assert "Anna, it is your turn. Make sure that no one else is looking" in CODES.sub("", shown)
        assert "Ritual cards:" not in shown
        terminal.type("\r")
        first = terminal.prompt()
        assert CLEAR in first
        hands = re.findall(r"Ritual cards: .*", CODES.sub("", first))
        assert hands
        # The foot's card: a token, then two declined draws; then it is Bert's turn.
        for answer in ("take(foot)", "decline", "decline"):
            terminal.type(answer + "\r")
            shown = terminal.prompt()
        between = CODES.sub("", shown.rpartition(CLEAR)[2])
        assert "Bert, it is your turn." in between
        assert "Ritual cards" not in between
        assert "Anna is dealt" not in between
        terminal.type("\r")
        second = terminal.prompt()
        seen = CODES.sub("", second.rpartition(CLEAR)[2])
        assert "Bert, " in seen
        assert re.search(r"Bert · .*Ritual cards: ", seen)
        assert not re.search(r"Anna · .*Ritual cards: ", seen)


def test_input_history_does_not_cross_players(wongar: Command) -> None:
    with wongar.terminal(
        "play", "goofspiel", "--seats", "human:Anna,human:Bert", "--lang", "en", "--drawn"
    ) as terminal:
        for answer in ("", "bid the three", ""):
            terminal.prompt()
            terminal.type(answer + "\r")
        terminal.prompt()
        terminal.type("\x1b[A\x19?\r")
        assert "bid the three" not in CODES.sub("", terminal.prompt())


@pytest.mark.parametrize(
    ("kind", "end", "view", "commands"),
    [
        ("xterm", "\r", "--plain", ("why", "hint", "lang en", "board")),
        ("xterm", "\r", "--drawn", ("board",)),
        ("dumb", "\n", "--drawn", ("hint",)),
    ],
)
def test_lines_typed_while_a_command_runs_answer_the_same_question_only(
    wongar: Command, kind: str, end: str, view: str, commands: tuple[str, ...]
) -> None:
    save = wongar.home / "save.json"
    # Long enough for all lines to be typed meanwhile.
    wongar.patch.setattr(hint, "BUDGET", SearchBudget(0, seconds=0.3))
    arguments = ("play", "connect_four", "--seats", "human:Anna,human:Bert", "--lang", "en", view, "--save", str(save))
    with wongar.terminal(*arguments, TERM=kind, rows=60) as terminal:
        ready = terminal.prompt if kind == "xterm" else partial(terminal.wait_for, "> ")
        ready()
        for line in (*commands, "4", "5"):
            terminal.type(line + end)
        # The second number was typed before Bert was asked.
        terminal.wait_for("What you typed before this question does not count.")
        ready()
        assert choices_in(save) == ["drop(d1)"]
        terminal.type("6" + end)
        shown = terminal.wait_for("Anna, which column?")
        assert "does not count" not in shown
        assert choices_in(save) == ["drop(d1)", "drop(f1)"]


@pytest.mark.parametrize(
    ("game", "kind", "view"),
    [("tictactoe", "xterm", "--drawn"), ("tictactoe", "dumb", "--drawn"), ("ubongo", "xterm", "--drawn"),
     ("tictactoe", "xterm", "")],
)  # fmt: skip
def test_sigterm_saves_and_restores_the_terminal(wongar: Command, game: str, kind: str, view: str) -> None:
    save = wongar.home / "save.json"
    arguments = ("play", game, "--seats", "human,random", "--lang", "de", "--save", str(save), *view.split())
    with wongar.terminal(*arguments, TERM=kind) as terminal:
        if kind == "dumb":
            terminal.wait_for("> ")
        elif view:
            terminal.prompt()
        else:
            terminal.wait_for("welches Feld")
        if game == "ubongo":
            terminal.type("1\r")
            terminal.wait_for("\x1b[?1049h")
        assert kind == "dumb" or terminal.modes() != terminal.modes_before
        terminal.process.send_signal(signal.SIGTERM)
        rest = terminal.rest()
        assert "Die Partie ist gespeichert" in rest
        assert "Traceback" not in rest
        assert terminal.process.returncode == 143
        assert terminal.modes() == terminal.modes_before
        # The alternate screen is left, and the cursor is visible.
        assert "\x1b[?1049l" in rest or (game != "ubongo" and view)
        assert rest.rfind("\x1b[?25h") >= rest.rfind("\x1b[?25l")
    assert bool(choices_in(save)) == (game == "ubongo")


def test_ctrl_c_ctrl_d_and_sigint_save_the_game_and_exit(wongar: Command) -> None:
    for key, code in (("\x03", 130), ("\x04", 0), ("", 130)):
        with wongar.terminal("play", "tictactoe", "--seats", "human,random", "--lang", "de", "--plain") as terminal:
            terminal.prompt()
            if key:
                terminal.type(key)
            else:
                terminal.process.send_signal(signal.SIGINT)
            rest = terminal.rest()
            assert "Die Partie ist gespeichert" in rest
            assert terminal.process.returncode == code


def test_colour_depends_on_the_environment(wongar: Command) -> None:
    arguments = ("play", "wongar", "--seats", "human:Anna,random,random", "--seed", "36", "--lang", "de", "--drawn")
    coloured = re.compile(r"\x1b\[[0-9;]*[1-9][0-9;]*m")
    for environment, expected in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        with wongar.terminal(*arguments, **environment) as terminal:
            shown = terminal.wait_for("> ") if environment.get("TERM") else terminal.prompt()
            assert bool(coloured.search(shown)) == expected, environment
            if environment.get("TERM") == "dumb":
                assert "\x1b" not in shown
            assert "\x1b[5m" not in shown


def test_output_is_not_wider_than_the_terminal(wongar: Command) -> None:
    seats = "human:Maximiliana,random:Bartholomaeus,random,random,random"
    arguments = ("play", "wongar/initiated", "--seats", seats, "--seed", "5", "--lang", "de")
    with wongar.terminal(*arguments, columns=80, NO_COLOR="1", TERM="dumb") as terminal:
        shown = terminal.wait_for("> ")
        terminal.type("?\n")
        shown += terminal.wait_for("> ")
    for line in CODES.sub("", shown).splitlines():
        assert cell_width(line) <= 80, line


def test_tab_completes_a_choice(wongar: Command) -> None:
    save = wongar.home / "save.json"
    arguments = ("play", "tictactoe", "--seats", "human,human:Zoe", "--lang", "en", "--save", str(save), "--drawn")
    with wongar.terminal(*arguments) as terminal:
        terminal.prompt()
        terminal.type("mark(b2\t\r")
        terminal.wait_for("Zoe, which square")
    assert choices_in(save)[0] == "mark(b2)"  # the save also holds the time taken


DRAWN = set("┌┐└┘─│├┤┬┴┼●■▮▲◆▸♟↗↘↙↖→←")
SEATS = ("--seats", "human:Anna,random:Ben,random:Cleo", "--seed", "3", "--lang", "en")


AREA = re.compile("[A-Z][a-z]+ area: ")
#: Prompt before an answer.
PROMPT = "\n> "


def lines_of(shown: str) -> list[str]:
    return [line.strip() for line in CODES.sub("", shown).splitlines() if line.strip()]


def test_a_dumb_terminal_gets_the_table_in_words(wongar: Command) -> None:
    with wongar.terminal("play", "wongar", *SEATS, columns=200, rows=60, TERM="dumb") as terminal:
        first = terminal.wait_for(PROMPT)
        assert not set(first) & DRAWN
        lines = lines_of(first)
        assert any(line.startswith("Snake area: ") for line in lines)
        assert any(line.startswith("Anna, to move: Supply 14 discs") for line in lines)
        later: list[str] = []
        for _ in range(6):
            terminal.type("1\r")
            areas = [line for line in lines_of(terminal.wait_for(PROMPT)) if AREA.match(line)]
            assert len(areas) < 10
            later += areas
        assert later
        assert not set(later) & set(lines)
        for word in ("board", "read"):
            terminal.type(f"{word}\r")
            assert sum(bool(AREA.match(line)) for line in lines_of(terminal.wait_for(PROMPT))) == 10


def test_plain_mode_uses_words_and_draws_on_request(wongar: Command) -> None:
    with wongar.terminal("play", "wongar", *SEATS, "--plain", columns=200, rows=60) as terminal:
        shown = [terminal.prompt()]
        for typed in ("1", "board", "read"):
            terminal.type(f"{typed}\r")
            shown.append(terminal.prompt())
    areas = [sum(bool(AREA.match(line)) for line in lines_of(part)) for part in shown]
    assert (areas[0], 0 < areas[1] < 10, areas[3]) == (10, True, 10)
    assert [bool(set(CODES.sub("", part)) & DRAWN) for part in shown[:3]] == [False, False, True]


def test_drawn_option_shows_pictures_line_by_line(wongar: Command) -> None:
    with wongar.terminal("play", "wongar", *SEATS, "--drawn", columns=200, rows=60, TERM="dumb") as terminal:
        shown = terminal.wait_for(PROMPT)
        assert "┌" in shown
        assert not any(AREA.match(line) for line in lines_of(shown))
        assert "\x1b[?1049h" not in shown


def test_plain_mode_takes_puzzle_answers_in_a_line(wongar: Command) -> None:
    arguments = ("play", "ubongo", "--seats", "human:Anna,random", "--seed", "3", "--lang", "en", "--plain")
    with wongar.terminal(*arguments, columns=120) as terminal:
        terminal.prompt()
        terminal.type("1\r")
        shown = terminal.prompt()
        assert "\x1b[?1049h" not in shown
        assert re.search(r"@\s+31\.5", CODES.sub("", shown))


def test_final_points_are_listed_per_player_in_plain_mode(wongar: Command) -> None:
    arguments = ("play", "goofspiel", "--seats", "human:Anna,random:Ben", "--seed", "3", "--lang", "en")
    with wongar.terminal(*arguments, "--plain", columns=120) as terminal:
        shown = ""
        for _ in range(40):
            shown = terminal.prompt()
            if "Play again" in shown:
                break
            entry = re.search(r"\n *([0-9]+) Bid", CODES.sub("", shown))
            assert entry is not None, shown
            terminal.type(f"{entry[1]}\r")
        assert re.search(r"\n(Anna|Ben) \(winner\): .*[0-9]", CODES.sub("", shown)), shown
        assert "----" not in shown


def test_legend_is_shown_once_and_again_on_request(wongar: Command) -> None:
    played, asked = (wongar("play", "wongar", *SEATS, answers=typed).out for typed in ("1\n" * 4, "1\nboard\nread\n"))
    assert played.count("▸ Face-up card") == 1
    assert played.count("┌") >= 2
    assert asked.count("▸ Face-up card") == 2
    assert sum(bool(AREA.match(line)) for line in lines_of(asked)) == 10


def test_plain_mode_describes_the_table_without_a_terminal(wongar: Command) -> None:
    for views, described in (({"plain": True}, True), ({}, False), ({"plain": True, "drawn": True}, False)):
        shown = wongar.play("tongiaki", seats="human:Anna,random", seed=3, **views).out
        assert ("Tonga (value 0): nothing" in shown) is described


def test_signal_just_before_the_wait_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler that has run before the system call does not interrupt the wait, but its wake-up byte ends it."""
    ready: list[int] = []

    def select_after_signal(read: list[int], write: list[int], other: list[int]) -> object:
        os.kill(os.getpid(), signal.SIGUSR1)
        found = wait(read, write, other, 5)
        ready.extend(found[0])
        os.write(controller, b"a line\n")
        return found

    wait = select.select
    controller, terminal = pty.openpty()
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    monkeypatch.setattr(select, "select", select_after_signal)
    try:
        with os.fdopen(terminal, encoding="utf-8") as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert Screen().ask("?") == "a line"
            assert len(ready) == 1
            assert stream.fileno() not in ready
    finally:
        signal.signal(signal.SIGUSR1, before)
        os.close(controller)
    assert signal.set_wakeup_fd(-1) == -1


def test_termination_at_a_terminal_ends_the_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def terminated(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    controller, terminal = pty.openpty()
    monkeypatch.setattr(select, "select", terminated)
    with os.fdopen(terminal, encoding="utf-8") as stream, raise_on_signal():
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(Terminated):
            Screen().ask("?")
    os.close(controller)


def test_end_of_input_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(EOFError):
            Screen().ask("?")
