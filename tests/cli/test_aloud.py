"""A dumb terminal, as screen readers use it, gets no drawing: the table is told in words, and then what has changed."""

from __future__ import annotations

import re

from tests.cli.command import Command

DRAWN = set("┌┐└┘─│├┤┬┴┼●■▮▲◆▸♟↗↘↙↖→←")
SEATS = ("--seats", "human:Anna,random:Ben,random:Cleo", "--seed", "3", "--lang", "en")


OPTION = re.compile("[1-9] [abc][123]")
#: What comes before an answer: on a dumb terminal, and on another one.
PROMPT, READY = "\n> ", "\x1b[?2004h"


def lines_of(shown: str) -> list[str]:
    return [line.strip() for line in shown.splitlines() if line.strip()]


def test_a_dumb_terminal_gets_the_table_in_words(wongar: Command) -> None:
    with wongar.terminal("play", "wongar", *SEATS, columns=200, rows=60, TERM="dumb") as terminal:
        first = terminal.wait_for(PROMPT)
        assert not set(first) & DRAWN
        told = lines_of(first)
        assert any(line.startswith("Snake area: ") for line in told)
        assert any(line.startswith("Anna, to move: Supply 14 discs") for line in told)
        later: list[str] = []
        for _ in range(6):
            terminal.type("1\r")
            areas = [line for line in lines_of(terminal.wait_for(PROMPT)) if " area: " in line]
            assert len(areas) < 10
            later += areas
        assert later
        assert not set(later) & set(told)


def test_the_whole_of_it_is_told_again_for_who_asks(wongar: Command) -> None:
    for kind, word in (("dumb", "board"), ("dumb", "read"), ("xterm", "read")):
        with wongar.terminal("play", "wongar", *SEATS, columns=200, rows=60, TERM=kind) as terminal:
            there = PROMPT if kind == "dumb" else READY
            terminal.wait_for(there)
            terminal.type(f"{word}\r")
            assert sum(" area: " in line for line in lines_of(terminal.wait_for(there))) == 10


def test_its_options_stand_below_each_other(wongar: Command) -> None:
    with wongar.terminal("play", "tictactoe", "--seats", "human:Anna,random", "--lang", "en", TERM="dumb") as terminal:
        assert sum(bool(OPTION.fullmatch(line)) for line in lines_of(terminal.wait_for(PROMPT))) == 9


def test_a_legend_is_shown_once_and_all_of_it_where_somebody_asks(wongar: Command) -> None:
    with wongar.terminal("play", "wongar", *SEATS, columns=100, rows=40) as terminal:
        assert "Disc" in terminal.prompt()
        for answer in ("1", "1"):
            terminal.type(f"{answer}\r")
            shown = terminal.prompt()
        assert "● Disc" not in shown
        terminal.type("board\r")
        assert "● Disc" in terminal.prompt()
