"""A dumb terminal, as screen readers use it, gets no drawing: the table is told in words, and then what has changed."""

from __future__ import annotations

import re

from tests.cli.command import Command

DRAWN = set("┌┐└┘─│├┤┬┴┼●■▮▲◆▸♟↗↘↙↖→←")
SEATS = ("--seats", "human:Anna,random:Ben,random:Cleo", "--seed", "3", "--lang", "en")


AREA = re.compile("[A-Z][a-z]+ area: ")
OPTION = re.compile("[1-9] [abc][123]")
#: What comes before an answer.
PROMPT = "\n> "


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
            areas = [line for line in lines_of(terminal.wait_for(PROMPT)) if AREA.match(line)]
            assert len(areas) < 10
            later += areas
        assert later
        assert not set(later) & set(told)


def test_the_whole_of_it_is_told_again_for_who_asks(wongar: Command) -> None:
    for word in ("board", "read"):
        with wongar.terminal("play", "wongar", *SEATS, columns=200, rows=60, TERM="dumb") as terminal:
            terminal.wait_for(PROMPT)
            terminal.type(f"{word}\r")
            assert sum(bool(AREA.match(line)) for line in lines_of(terminal.wait_for(PROMPT))) == 10


def test_without_a_terminal_it_is_told_for_who_asks(wongar: Command) -> None:
    told = wongar("play", "wongar", *SEATS, answers="read\n").out
    assert sum(bool(AREA.match(line)) for line in lines_of(told)) == 10
    assert "┌" in told


def test_its_options_stand_below_each_other(wongar: Command) -> None:
    with wongar.terminal("play", "tictactoe", "--seats", "human:Anna,random", "--lang", "en", TERM="dumb") as terminal:
        assert sum(bool(OPTION.fullmatch(line)) for line in lines_of(terminal.wait_for(PROMPT))) == 9


def test_a_legend_is_shown_once_and_all_of_it_where_somebody_asks(wongar: Command) -> None:
    told = wongar("play", "wongar", *SEATS, answers="1\n1\n1\n1\n").out
    assert told.count("▸ Face-up card") == 1
    assert told.count("┌") >= 2
    told = wongar("play", "wongar", *SEATS, answers="1\nboard\n").out
    assert told.count("▸ Face-up card") == 2
