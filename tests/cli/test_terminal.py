"""Line mode at a terminal: hot seat, keys, colours, width."""

from __future__ import annotations

import re
import signal
import unicodedata
from functools import partial

import pytest

from tests.cli.command import Command, choices_in
from wongar_dsl.cli.play import hint
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


@pytest.mark.parametrize(("kind", "end"), [("xterm", "\r"), ("dumb", "\n")])
@pytest.mark.parametrize("commands", [("hint",), ("board",), ("why", "hint", "lang en", "board")])
@pytest.mark.parametrize("view", ["--plain", "--drawn"])
def test_lines_typed_while_a_command_runs_answer_the_same_question_only(
    wongar: Command, kind: str, end: str, commands: tuple[str, ...], view: str
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


def test_open_game_has_no_curtain(wongar: Command) -> None:
    arguments = ("play", "tictactoe", "--seats", "human:Anna,human:Bert", "--lang", "en", "--drawn")
    with wongar.terminal(*arguments, rows=60) as terminal:
        shown = terminal.prompt()
        terminal.type("b2\r")
        shown += terminal.prompt()
        terminal.type("a1\r")
        shown += terminal.prompt()
    assert "no one else is looking" not in CODES.sub("", shown)
    assert CLEAR not in shown
    for name, square in (("Anna", "b2"), ("Bert", "a1")):
        assert CODES.sub("", shown).count(f"{name} marks {square}.") == 1


def test_sigint_saves_the_game(wongar: Command) -> None:
    save = wongar.home / "save.json"
    arguments = ("play", "tictactoe", "--seats", "human,human", "--lang", "de", "--save", str(save))
    with wongar.terminal(*arguments, TERM="dumb") as terminal:
        terminal.wait_for("> ")
        terminal.type("b2\n")
        terminal.wait_for("> ")
        terminal.process.send_signal(signal.SIGINT)
        rest = terminal.rest()
        assert "Die Partie ist gespeichert" in rest
        assert "Traceback" not in rest
        assert terminal.process.returncode == 130
    assert choices_in(save) == ["mark(b2)"]


@pytest.mark.parametrize(("game", "kind"), [("tictactoe", "xterm"), ("tictactoe", "dumb"), ("ubongo", "xterm")])
def test_sigterm_saves_and_restores_the_terminal(wongar: Command, game: str, kind: str) -> None:
    save = wongar.home / "save.json"
    arguments = ("play", game, "--seats", "human,random", "--lang", "de", "--save", str(save), "--drawn")
    with wongar.terminal(*arguments, TERM=kind) as terminal:
        before = terminal.modes()
        if kind == "dumb":
            terminal.wait_for("> ")
        else:
            terminal.prompt()
        if game == "ubongo":
            terminal.type("1\r")
            terminal.wait_for("\x1b[?1049h")
        assert kind == "dumb" or terminal.modes() != before
        terminal.process.send_signal(signal.SIGTERM)
        rest = terminal.rest()
        assert "Die Partie ist gespeichert" in rest
        assert "Traceback" not in rest
        assert terminal.process.returncode == 143
        assert terminal.modes() == before
        # The alternate screen is left, and the cursor is visible.
        assert game != "ubongo" or "\x1b[?1049l" in rest
        assert rest.rfind("\x1b[?25h") >= rest.rfind("\x1b[?25l")
    assert bool(choices_in(save)) == (game == "ubongo")


def test_ctrl_c_and_ctrl_d_save_the_game_and_exit(wongar: Command) -> None:
    for key, code in (("\x03", 130), ("\x04", 0)):
        with wongar.terminal("play", "tictactoe", "--seats", "human,random", "--lang", "de", "--plain") as terminal:
            terminal.prompt()
            terminal.type(key)
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


@pytest.mark.parametrize("game", ["wongar", "wongar/initiated"])
def test_output_is_not_wider_than_the_terminal(wongar: Command, game: str) -> None:
    seats = "human:Maximiliana,random:Bartholomaeus,random,random,random"
    arguments = ("play", game, "--seats", seats, "--seed", "5", "--lang", "de")
    with wongar.terminal(*arguments, columns=80, NO_COLOR="1", TERM="dumb") as terminal:
        shown = terminal.wait_for("> ")
        terminal.type("?\n")
        shown += terminal.wait_for("> ")
    for line in CODES.sub("", shown).splitlines():
        assert cell_width(line) <= 80, line


def test_ascii_terminal_gets_ascii_output(wongar: Command) -> None:
    arguments = ("play", "wongar", "--seats", "human:Anna,random,random", "--seed", "36", "--lang", "de")
    result = wongar.process(*arguments, answers="1\n", PYTHONIOENCODING="ascii")
    assert result.code == 0
    assert "+------" in result.out
    assert result.out.isascii()


def test_tab_completes_a_choice(wongar: Command) -> None:
    save = wongar.home / "save.json"
    arguments = ("play", "tictactoe", "--seats", "human,human:Zoe", "--lang", "en", "--save", str(save), "--drawn")
    with wongar.terminal(*arguments) as terminal:
        terminal.prompt()
        terminal.type("mark(b2\t\r")
        terminal.wait_for("Zoe, which square")
    assert choices_in(save)[0] == "mark(b2)"  # the save also holds the time taken
