"""Output for screen readers, with `--plain` or at a dumb terminal: words instead of drawings, then only changes."""

from __future__ import annotations

import re

import pytest

from tests.cli.command import Command

DRAWN = set("┌┐└┘─│├┤┬┴┼●■▮▲◆▸♟↗↘↙↖→←")
SEATS = ("--seats", "human:Anna,random:Ben,random:Cleo", "--seed", "3", "--lang", "en")


CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>78]")
AREA = re.compile("[A-Z][a-z]+ area: ")
OPTION = re.compile("[1-9] [abc][123]")
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


def test_plain_mode_uses_words_and_draws_on_request(wongar: Command) -> None:
    with wongar.terminal("play", "wongar", *SEATS, "--plain", columns=200, rows=60) as terminal:
        first = terminal.prompt()
        assert not set(CODES.sub("", first)) & DRAWN
        assert sum(bool(AREA.match(line)) for line in lines_of(first)) == 10
        terminal.type("1\r")
        shown = terminal.prompt()
        assert 0 < sum(bool(AREA.match(line)) for line in lines_of(shown)) < 10
        assert not set(CODES.sub("", shown)) & DRAWN
        terminal.type("board\r")
        assert "┌" in terminal.prompt()
        terminal.type("read\r")
        assert sum(bool(AREA.match(line)) for line in lines_of(terminal.prompt())) == 10


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_drawn_option_shows_pictures_line_by_line(wongar: Command, kind: str) -> None:
    with wongar.terminal("play", "wongar", *SEATS, "--drawn", columns=200, rows=60, TERM=kind) as terminal:
        shown = terminal.wait_for(PROMPT) if kind == "dumb" else terminal.prompt()
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


def test_board_and_read_commands_repeat_the_whole_table(wongar: Command) -> None:
    for word in ("board", "read"):
        with wongar.terminal("play", "wongar", *SEATS, columns=200, rows=60, TERM="dumb") as terminal:
            terminal.wait_for(PROMPT)
            terminal.type(f"{word}\r")
            assert sum(bool(AREA.match(line)) for line in lines_of(terminal.wait_for(PROMPT))) == 10


def test_read_command_works_without_a_terminal(wongar: Command) -> None:
    shown = wongar("play", "wongar", *SEATS, answers="read\n").out
    assert sum(bool(AREA.match(line)) for line in lines_of(shown)) == 10
    assert "┌" in shown


def test_options_are_listed_one_per_line(wongar: Command) -> None:
    with wongar.terminal("play", "tictactoe", "--seats", "human:Anna,random", "--lang", "en", TERM="dumb") as terminal:
        assert sum(bool(OPTION.fullmatch(line)) for line in lines_of(terminal.wait_for(PROMPT))) == 9


def test_legend_is_shown_once_and_again_on_request(wongar: Command) -> None:
    shown = wongar("play", "wongar", *SEATS, answers="1\n1\n1\n1\n").out
    assert shown.count("▸ Face-up card") == 1
    assert shown.count("┌") >= 2
    shown = wongar("play", "wongar", *SEATS, answers="1\nboard\n").out
    assert shown.count("▸ Face-up card") == 2


def test_legend_is_shown_once_to_each_player(wongar: Command) -> None:
    seats = ("--seats", "human:Anna,human:Bert,random", "--seed", "4", "--lang", "en")
    shown = wongar("play", "wongar", *seats, answers="".join(f"{n}\n" for n in range(1, 25)) * 8).out
    assert shown.count("Ritual pile: ") > 4
    assert shown.count("▸ Face-up card") == 2


def test_plain_mode_describes_the_table_without_a_terminal(wongar: Command) -> None:
    seats = ("--seats", "human:Anna,random", "--seed", "3", "--lang", "en")
    shown = wongar("play", "tongiaki", *seats, "--plain", answers="").out
    assert "Tonga (value 0): nothing" in shown
    assert "Tonga (value 0): nothing" not in wongar("play", "tongiaki", *seats, answers="").out
    assert "Tonga (value 0): nothing" not in wongar("play", "tongiaki", *seats, "--plain", "--drawn", answers="").out
