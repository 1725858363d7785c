"""Boards on screens of all sizes: a familiar and stable layout, and numbers and marks are never cut."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.position import board, picture, shown_changes
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.status import players
from wongar_dsl.session.scene import FieldCopy

GAME = load("wongar").game(3)
NAMES = ("Anna", "Ben", "Cleo")
START, _ = GAME.start(3)


def scene(width: int, height: int, language: str = "de", state: State = START) -> TextScene:
    return TextScene(state, Narrator(GAME, Translator.load(language), NAMES), "ABC", 0, width, True, height)


def board_lines(width: int, height: int, language: str = "de", state: State = START) -> list[str]:
    return [line_text(line) for line in board(scene(width, height, language, state))]


@pytest.mark.parametrize(("height", "language"), [(0, "de"), (12, "it")])
def test_a_name_is_cut_before_the_number_beside_it(height: int, language: str) -> None:
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


def test_wide_screen_places_other_parts_beside_the_board() -> None:
    width = 160
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


@pytest.mark.parametrize(
    ("width", "height", "language"),
    [(40, 0, "de"), (40, 12, "nl"), (50, 4, "it"), (50, 20, "en"), (60, 12, "de"), (80, 4, "nl"), (80, 0, "it")],
)
def test_narrow_screen_cuts_names_but_no_numbers(width: int, height: int, language: str) -> None:
    state = START.copy()
    for _ in range(60):
        state.apply(state.legal_moves()[-1])
    for kind in (TextScene, Many):
        told = Narrator(GAME, Translator.load(language), NAMES)
        narrow, wide = (
            [line_text(line) for line in board(kind(state, told, "ABC", 0, *size))]
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


@pytest.mark.parametrize("width", [40, 80])
def test_markers_of_a_highlighted_area_are_never_cut(width: int) -> None:
    lit = frozenset((name, area) for name, graph in GAME.model.boards.items() for area in range(len(graph.areas)))
    lines = [line_text(line) for line in board(replace(scene(width, 0), lit=lit, marked=lit))]
    assert sum(line.count("[") for line in lines) == sum(line.count("*]") for line in lines) == 10


EXTRA = Path(__file__).parents[1] / "games" / "classics" / "extra"


def state_after(game: str, *moves: str) -> State:
    state, _ = load(game).game(2).start(1)
    for move in moves:
        state.apply(state.read(move))
    return state


def scene_of(state: State, height: int = 0, fancy: bool = True, **more: frozenset[tuple[str, int]]) -> TextScene:
    narrator = Narrator(state.game, Translator.load("en"), ("Anna", "Bert"))
    offers = {} if state.over else {move: number for number, move in enumerate(state.legal_moves(), 1)}
    return TextScene(
        state, narrator, "AB", None if state.over else state.seat, 80, fancy, height, **more, offers=offers
    )


def picture_lines(state: State, height: int = 0, fancy: bool = True, **more: frozenset[tuple[str, int]]) -> list[str]:
    lines = picture(scene_of(state, height, fancy, **more))
    assert all(line_width(line) < 80 for line in lines)
    return [line_text(line).rstrip() for line in lines]


def test_option_number_is_above_its_column() -> None:
    for moves in ((), ("drop(d1)",), ("drop(d1)", "drop(c1)", "drop(d1)")):
        lines = picture_lines(state_after("connect_four", *moves))
        assert lines[0].split() == ["1", "2", "3", "4", "5", "6", "7"]
        assert next(line for line in lines if "g" in line).split() == list("abcdefg")
    full = picture_lines(state_after("connect_four", *["drop(a1)"] * 6))
    assert full[0].split() == ["1", "2", "3", "4", "5", "6"]
    assert full[0].index("1") > full[1].index("┬")
    # Pieces that can be counted have no written count, and squares no names.
    rows = [line for line in lines if line[:2].strip().isdigit()]
    assert [row.split()[0] for row in rows] == ["6", "5", "4", "3", "2", "1"]
    assert "●A" in rows[-1]
    assert not any(sign.isdigit() for row in rows for sign in row[2:])
    squares = picture_lines(state_after("tictactoe", "mark(b2)"))
    assert "│ 4  │ ●A │ 5  │" in squares[3]
    assert "a1" not in "\n".join(squares)


@pytest.mark.parametrize("fancy", [True, False])
def test_pieces_differ_without_colours(fancy: bool) -> None:
    state = state_after("tictactoe", "mark(a3)", "mark(b2)")
    small, large = picture_lines(state, fancy=fancy), picture_lines(state, 24, fancy)
    assert any(("●A" if fancy else "(A)") in line for line in small)
    assert any(("■B" if fancy else "#B#") in line for line in small)
    assert any(("╭───╮" if fancy else ".---.") in line for line in large)
    assert any(("┏━━━┓" if fancy else "#####") in line for line in large)
    assert fancy or all(line.isascii() for line in (*small, *large))


def test_a_board_is_as_large_as_the_screen_allows() -> None:
    state = state_after("connect_four", "drop(d1)")
    heights = {height: len(picture_lines(state, height)) for height in (20, 24, 40)}
    assert heights[20] < heights[24] < heights[40]
    assert all(lines + 5 <= height for height, lines in heights.items())


def test_crown_is_beside_its_piece() -> None:
    rules = load(EXTRA / "draughts.rules")
    state, _ = rules.game(2).start(1)
    crowned, owner = state.game.fields["crowned"], state.game.fields["owner"]
    area = next(a for a in range(64) if state.cells[owner.at(a)] == 0)
    assert not any("●A+" in line for line in picture_lines(state))
    state.cells[crowned.at(area)] = 1
    assert any("●A+" in line for line in picture_lines(state))


@pytest.mark.parametrize(("height", "fancy"), [(0, True), (24, False)])
def test_changed_and_touched_squares_have_signs(height: int, fancy: bool) -> None:
    state = state_after("tictactoe", "mark(b2)")
    middle, corner = 4, 0
    before = picture_lines(state, height, fancy)
    places = {"marked": frozenset({("cell", middle)}), "lit": frozenset({("cell", corner)})}
    after = picture_lines(state, height, fancy, **places)
    assert sum("*" in line for line in before) == 0
    assert sum("*" in line for line in after) >= 1
    assert sum("[" in line and "1" in line for line in after) == 1
    styles = {style for line in picture(scene_of(state, height, fancy, **places)) for style, _ in line}
    assert {"lit", "changed"} <= styles


def test_only_visible_changes_are_marked() -> None:
    """The lowest square of a column stores the number of discs in it, which is not shown."""
    before, now = state_after("connect_four", "drop(d1)"), state_after("connect_four", "drop(d1)", "drop(d1)")
    areas = now.game.model.boards["cell"].areas
    foot, top = ("cell", areas.index("d1")), ("cell", areas.index("d2"))
    changed = frozenset({foot, top})
    assert shown_changes(scene_of(before), scene_of(now), changed) == {top}


MARKS = """game marks
    players 2
    source house rule
board field
    grid 3 by 2
enum seed = fern, moss
{zone}remember keeper of each field: player
remember watered of each field: yes or no = no
setup
    set keeper of b2 to player(2)
    set watered of b2 to yes
    {filled}
play
    player(1) chooses turn
        stop
            nobody wins
"""


@pytest.mark.parametrize("fancy", [True, False])
def test_marks_are_explained_and_not_used_beside_tokens(fancy: bool, tmp_path: Path) -> None:
    """A piece or a mark could be taken for the sign of a token or of a pile."""
    path = tmp_path / "marks.rules"
    path.write_text(MARKS.format(zone="", filled="nothing"), encoding="utf-8")
    plain = "\n".join(picture_lines(load(path).game(2).start(1)[0], fancy=fancy))
    assert "+ Watered" in plain
    assert "■B" in plain or not fancy
    text = MARKS.format(zone="tokens bed of each field holds seed\n", filled="fill bed[b2] with 2 moss")
    path.write_text(text, encoding="utf-8")
    beside = "\n".join(picture_lines(load(path).game(2).start(1)[0], fancy=fancy))
    assert all(name in beside for name in ("Keeper B", "Watered", "2■" if fancy else "2#"))
    assert "+" not in beside.replace("+-", "").replace("-+", "")
