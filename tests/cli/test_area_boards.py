"""Boards of named areas on screens of every size: the map stays a map, and numbers are never cut."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from wongar_dsl.cli.pictures.position import board, picture, players
from wongar_dsl.cli.pictures.scene import Scene
from wongar_dsl.cli.terminal.screen import measure, plain
from wongar_dsl.engine import State
from wongar_dsl.ir import Field
from wongar_dsl.library import load
from wongar_dsl.narration import Narrator
from wongar_dsl.words import Words, available

GAME = load("wongar").game(3)
NAMES = ("Anna", "Ben", "Cleo")
START, _ = GAME.start(3)


def scene(width: int, height: int, language: str = "de", state: State = START) -> Scene:
    return Scene(state, Narrator(GAME, Words.load(language), NAMES), "ABC", 0, width, True, height)


def drawn(width: int, height: int, language: str = "de", state: State = START) -> list[str]:
    return [plain(line) for line in board(scene(width, height, language, state))]


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


class Many(Scene):
    """A scene in which there are many tokens wherever there are some."""

    def tokens(self, place: Field, indices: tuple[int, ...], at: int) -> str:
        return "10●12■11▮" if super().tokens(place, indices, at) else ""


def stones(lines: list[str]) -> list[str]:
    return sorted(re.findall(r"\d+[●■▮]|\+\d+|▸\d+", "\n".join(lines)))


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("height", [0, 4, 12, 20])
@pytest.mark.parametrize("width", [40, 50, 60, 80])
def test_on_a_narrow_screen_names_are_cut_and_never_a_figure(width: int, height: int, language: str) -> None:
    state = START.copy()
    for _ in range(60):
        state.apply(state.legal_moves()[-1])
    for kind in (Scene, Many):
        narrow, wide = (
            [plain(line) for line in board(kind(state, Narrator(GAME, Words.load(language), NAMES), "ABC", 0, *size))]
            for size in ((width, True, height), (300, True, 0))
        )
        assert stones(narrow) == stones(wide)
        assert max(map(len, narrow)) < width
        assert sum("+" in word for word in stones(narrow)) == 10


def test_names_have_a_line_of_their_own_where_they_would_be_too_short() -> None:
    text = "\n".join(drawn(40, 12))
    assert "│Känguru │" in text
    assert "│+14" in text
    changed = replace(scene(40, 12), lit=frozenset({("area", 0)}), marked=frozenset({("area", 0)}))
    assert "│[Käng…*]│" in "\n".join(plain(line) for line in board(changed))


@pytest.mark.parametrize(("width", "height"), [(160, 30), (80, 12), (100, 20)])
def test_a_board_stays_as_high_as_it_is_while_a_few_things_come_into_an_area(width: int, height: int) -> None:
    state, heights = START.copy(), set()
    for _ in range(25):
        heights.add(len(drawn(width, height, state=state)))
        state.apply(state.legal_moves()[0])
    assert len(heights) == 1


@pytest.mark.parametrize("width", [40, 50, 80])
def test_the_signs_of_a_lit_area_are_never_cut(width: int) -> None:
    lit = frozenset((name, area) for name, graph in GAME.model.boards.items() for area in range(len(graph.areas)))
    lines = [plain(line) for line in board(replace(scene(width, 0), lit=lit, marked=lit))]
    assert sum(line.count("[") for line in lines) == sum(line.count("*]") for line in lines) == 10
