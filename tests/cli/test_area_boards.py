"""Boards of named areas on screens of every size: the map stays a map, and numbers are never cut."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from wongar_dsl.cli.pictures.position import board, picture, players
from wongar_dsl.cli.pictures.scene import Scene
from wongar_dsl.cli.terminal.screen import measure, plain

from wongar_dsl.engine import State
from wongar_dsl.library import load
from wongar_dsl.narration import Narrator
from wongar_dsl.words import Words, available

GAME = load("wongar").game(3)
NAMES = ("Anna", "Ben", "Cleo")
START, _ = GAME.start(3)


def scene(width: int, height: int, language: str = "de", state: State = START) -> Scene:
    return Scene(state, Narrator(GAME, Words.load(language), NAMES), "ABC", 0, width, True, height)


def drawn(width: int, height: int, language: str = "de") -> list[str]:
    return [plain(line) for line in board(scene(width, height, language))]


def test_a_board_is_lower_on_a_lower_screen_and_says_the_same() -> None:
    heights = [len(drawn(160, height)) for height in (40, 12, 4)]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > heights[1] > heights[2]
    for height in (40, 12, 4):
        words = " ".join(drawn(160, height)).replace("│", " ").split()
        assert {"Känguru", "Fledermaus", "♟Urahne", "♟Ältester"} <= set(words)


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("height", [0, 12])
def test_a_name_is_cut_before_the_number_beside_it(language: str, height: int) -> None:
    assert sum(line.count("+14") for line in drawn(60, height, language)) == 10
    assert any("…" in line for line in drawn(50, height, "de"))


def test_no_column_of_the_players_comes_or_goes() -> None:
    state = START.copy()
    heads = set()
    while not state.over and len(heads) < 5:
        lines = [plain(line) for line in players(scene(200, 0, "en", state))]
        heads.add(tuple(lines[0].split()))
        state.apply(state.legal_moves()[0])
    assert len(heads) == 1


@pytest.mark.parametrize("width", [160, 200])
def test_on_a_wide_screen_everything_else_stands_beside_the_board(width: int) -> None:
    beside, below = picture(scene(width, 50)), picture(scene(width, 0))
    assert len(beside) < len(below)
    assert all(measure(line) <= width for line in beside)
    assert any("│" in plain(line) and "Anna" in plain(line) for line in beside)


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("height", [0, 12])
def test_on_a_very_narrow_screen_the_number_stands_below_the_name(language: str, height: int) -> None:
    lines = drawn(40, height, language)
    assert max(map(len, lines)) <= 40
    assert sum(line.count("+14") for line in lines) == 10
    names = [word for line in lines for word in re.findall(r"[^\W\d]+…?", line)]
    short = [Narrator(GAME, Words.load(language), NAMES).term(area, "short") for area in areas()]
    # Cut or not, no two areas are called the same.
    begun = [next(word for word in names if name.startswith(word.rstrip("…")) and len(word) > 2) for name in short]
    assert len(set(begun)) == 10


@pytest.mark.parametrize("width", [40, 50, 80])
def test_the_signs_of_a_lit_area_are_never_cut(width: int) -> None:
    lit = frozenset((name, area) for name, graph in GAME.model.boards.items() for area in range(len(graph.areas)))
    lines = [plain(line) for line in board(replace(scene(width, 0), lit=lit, marked=lit))]
    assert sum(line.count("[") for line in lines) == sum(line.count("*]") for line in lines) == 10


def areas() -> list[str]:
    return [area for graph in GAME.model.boards.values() for area in graph.areas]
