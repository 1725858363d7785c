"""Boards of named areas on screens of all sizes: the map keeps its layout, and numbers are never cut."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.position import board, picture, players
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session.board.scene import FieldCopy

GAME = load("wongar").game(3)
NAMES = ("Anna", "Ben", "Cleo")
START, _ = GAME.start(3)


def scene(width: int, height: int, language: str = "de", state: State = START) -> TextScene:
    return TextScene(state, Narrator(GAME, Translator.load(language), NAMES), "ABC", 0, width, True, height)


def board_lines(width: int, height: int, language: str = "de", state: State = START) -> list[str]:
    return [line_text(line) for line in board(scene(width, height, language, state))]


def test_low_screen_shows_a_lower_board_with_the_same_content() -> None:
    heights = [len(board_lines(160, height)) for height in (40, 12, 4)]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > heights[1] > heights[2]
    for height in (40, 12, 4):
        words = " ".join(board_lines(160, height)).replace("│", " ").split()
        assert {"Känguru", "Fledermaus", "♟Urahne", "♟Ältester"} <= set(words)


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("height", [0, 12])
def test_a_name_is_cut_before_the_number_beside_it(language: str, height: int) -> None:
    assert sum(line.count("+14") for line in board_lines(60, height, language)) == 10
    assert any("…" in line for line in board_lines(50, height, "de"))


def test_player_table_keeps_its_columns() -> None:
    state = START.copy()
    heads = set()
    while not state.over and len(heads) < 5:
        lines = [line_text(line) for line in players(scene(200, 0, "en", state))]
        heads.add(tuple(lines[0].split()))
        state.apply(state.legal_moves()[0])
    assert len(heads) == 1


@pytest.mark.parametrize("width", [160, 200])
def test_wide_screen_places_other_parts_beside_the_board(width: int) -> None:
    beside, below = picture(scene(width, 50)), picture(scene(width, 0))
    assert len(beside) < len(below)
    assert all(line_width(line) <= width for line in beside)
    assert any("│" in line_text(line) and "Anna" in line_text(line) for line in beside)


class Many(TextScene):
    """Scene that shows many tokens in every area that has any."""

    def tokens(self, copy: FieldCopy) -> str:
        return "10●12■11▮" if super().tokens(copy) else ""


def counts(lines: list[str]) -> list[str]:
    return sorted(re.findall(r"\d+[●■▮]|\+\d+|▸\d+", "\n".join(lines)))


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("height", [0, 4, 12, 20])
@pytest.mark.parametrize("width", [40, 50, 60, 80])
def test_narrow_screen_cuts_names_but_no_numbers(width: int, height: int, language: str) -> None:
    state = START.copy()
    for _ in range(60):
        state.apply(state.legal_moves()[-1])
    for kind in (TextScene, Many):
        narrow, wide = (
            [
                line_text(line)
                for line in board(kind(state, Narrator(GAME, Translator.load(language), NAMES), "ABC", 0, *size))
            ]
            for size in ((width, True, height), (300, True, 0))
        )
        assert counts(narrow) == counts(wide)
        assert max(map(len, narrow)) < width
        assert sum("+" in word for word in counts(narrow)) == 10


def test_long_names_get_a_separate_line() -> None:
    text = "\n".join(board_lines(40, 12))
    assert "│Känguru │" in text
    assert "│+14" in text
    changed = replace(scene(40, 12), lit=frozenset({("area", 0)}), marked=frozenset({("area", 0)}))
    assert "│[Käng…*]│" in "\n".join(line_text(line) for line in board(changed))


@pytest.mark.parametrize(("width", "height"), [(160, 30), (80, 12), (100, 20)])
def test_board_height_is_stable_while_areas_fill(width: int, height: int) -> None:
    state, heights = START.copy(), set()
    for _ in range(25):
        heights.add(len(board_lines(width, height, state=state)))
        state.apply(state.legal_moves()[0])
    assert len(heights) == 1


@pytest.mark.parametrize("width", [40, 50, 80])
def test_markers_of_a_highlighted_area_are_never_cut(width: int) -> None:
    lit = frozenset((name, area) for name, graph in GAME.model.boards.items() for area in range(len(graph.areas)))
    lines = [line_text(line) for line in board(replace(scene(width, 0), lit=lit, marked=lit))]
    assert sum(line.count("[") for line in lines) == sum(line.count("*]") for line in lines) == 10
