"""Boards on screens of all sizes: a stable layout, numbers and marks that are never cut, and highlighted places."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from tests.cli.sitting import ANNA, BEN, Sitting, at_table
from tests.small_games import write_rules
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.position import board, picture, shown_changes
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.status import players
from wongar_dsl.session.menu import OptionNumbers, assign_numbers
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


def game_before_laying(keys: PipeInput, folder: Path, **more: object) -> Sitting:
    """Return a game in which a card must be laid beside others."""
    game = Sitting("tongiaki", [ANNA, BEN], keys, folder, **more)  # type: ignore[arg-type]
    match, dice = game.line_session.session.match, random.Random(5)
    for step in range(200):
        if match.state.decision is not None and match.state.decision.name == "laying" and step > 30:
            return game
        moves = match.state.legal_moves()
        match.play(dice.choice([m for m in moves if (match.state.write(m) == "resettle") == (step > 30)] or moves))
    raise AssertionError("no card is laid")


@pytest.mark.parametrize(("size", "unicode"), [((200, 50), True), ((100, 40), False), ((40, 24), True)])
@at_table(game_before_laying)
def test_card_is_previewed_before_it_is_laid(game: Sitting, size: tuple[int, int], unicode: bool) -> None:
    app = game.app
    scene = game.view.scene
    assert scene is not None
    seen, heights, others = set(), set(), set()
    for entry in game.view.menu.entries:
        app.ui.cursor = entry.number
        aim = scene.aims[entry.move]
        assert aim.laid is not None
        assert (aim.board, aim.area) in app.frame.touched
        name = re.sub(r"\W.*", "", scene.short(scene.state.game.fields[aim.zone].type, aim.laid.face))[:2]
        lines = game.text.split("\n")
        rows = [row for row in lines if f"[{name}" in row]
        assert rows, lines
        seen.add(rows[0].split("[")[0] + str(lines.index(rows[0])))
        drawn = [line_text(line) for line in app.frame.boards.page("board")]
        heights.add(len(drawn))
        if size[0] > 80:
            row = next(n for n, line in enumerate(drawn) if "Ton" in line)
            others.add((row, re.sub(r"[\[\]]", " ", drawn[row]).index("Ton")))
    # The previews differ in place or rotation, and nothing else moves.
    assert len(seen) > len(game.view.menu.entries) // 2
    assert len(heights) == 1
    assert len(others) == (size[0] > 80)


@at_table(game_before_laying)
def test_yes_or_no_question_has_no_card_preview(game: Sitting) -> None:
    app = game.app
    assert app.frame.highlight.placement is not None
    game.show(kind="confirm")
    assert app.frame.highlight.placement is None


#: Without any move: the first option of Wongar leads on to one of five areas.
def game_with_onward_move(keys: PipeInput, folder: Path, **more: object) -> Sitting:
    return Sitting("wongar", [Seat("random", "Anna"), BEN, Seat("random", "Cleo")], keys, folder, seed=11, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("unicode", "left", "right"), [(True, "‹", "›"), (False, "<", ">")])
@at_table(game_with_onward_move)
def test_onward_places_have_other_marks_than_touched_places_as_the_legend_says(
    game: Sitting, unicode: bool, left: str, right: str
) -> None:
    game.wait_until(lambda: game.view.reachable)
    frame = game.app.frame
    assert frame.highlight.lit == game.view.touched[game.app.ui.cursor]
    legend = " ".join(line_text(line) for line in frame.legend(80))
    for name, sign in (("drawing.lit", "[ ]"), ("drawing.led", f"{left} {right}")):
        assert " ".join(game.view.words.say(name, None, sign=sign).split()) in " ".join(legend.split())
    emu = next(entry.number for entry in game.view.menu.entries if entry.notation == "take(emu)")
    game.press(*str(emu))
    assert re.findall(r"\[(\w+)\]", "\n".join(map(str, game.text.split("\n")[:20]))) == ["emu"]
    led = re.findall(rf"{left}(\w+){right}", game.text)
    assert len(led) == len(game.view.reachable[emu]) > 1
    assert "kangaroo" in led
    assert not game.view.reachable[emu] & game.view.touched[emu]
    styles = {style for line in game.app.frame.lines() for style, text in line if text[:1] == left}
    assert "led" in styles
    assert "lit" not in styles
    # The legend does not depend on the question.
    game.show(touched={}, reachable={})
    assert " ".join(map(line_text, game.app.frame.legend(80))) == legend


#: Game in which named cards are laid into squares.
SQUARES = """
enum colour = red, blue, green
board field
    grid 3 by 3
cards tile
    piece(of: colour)
deck box of tile
    1 piece(red), 1 piece(blue), 1 piece(green)
slot drawn holds tile, seen by all
pile stack holds tile, seen by all
layout ground holds tile on field, seen by all
setup
    fill stack with box
play
    repeat until stack is empty
        for each p in player clockwise from player(1)
            if stack is not empty
                move top of stack to drawn
                p chooses turn
                    put(card: drawn, there: field where ground[there] is nobody)
                        lay drawn on ground at there turned 0
                    otherwise
                        end game
    nobody wins
"""


def test_card_is_previewed_on_a_board_of_squares(tmp_path: Path) -> None:
    game = load(write_rules(tmp_path, SQUARES)).game(2)
    state, _ = game.start(1)
    mine = assign_numbers(state, OptionNumbers())
    scene = TextScene(state, Narrator(game, Translator.load("en"), ("Anna", "Ben")), "AB", 0, 80, True, 0, offers=mine)
    before = {line_text(line) for line in board(scene)}
    for aim in scene.aims.values():
        assert aim.laid is not None
        lines = [line_text(line) for line in board(replace(scene, placement=aim))]
        (row,) = (line for line in lines if line not in before)
        assert scene.short(game.fields["ground"].type, aim.laid.face) in row


@pytest.mark.parametrize("size", [(100, 40), (40, 24)])
@at_table(game_before_laying)
def test_click_on_an_empty_place_filters_the_options(game: Sitting, size: tuple[int, int]) -> None:
    """Cover a partly visible map, and a map with the preview of another option."""
    ui, scene, clicked = game.app.ui, game.view.scene, 0
    assert scene is not None
    for row, line in enumerate(game.text.split("\n")[1 : game.app.frame.box("board").height], 1):
        for match in re.finditer(r" \[(\d+)\] ", line):
            column = match.start() + 2
            game.click(row, column)
            assert ui.shown_options is not None
            assert int(match[1]) in ui.shown_options
            game.press("\x1b")
            clicked += 1
        if clicked:
            break
    assert clicked


@pytest.mark.parametrize(("name", "width", "height"), [("wongar", 40, 0), ("wongar", 80, 6), ("wongar", 140, 12),
                                                       ("tictactoe", 40, 6), ("connect_four", 60, 12)])  # fmt: skip
@pytest.mark.parametrize("fancy", [True, False])
def test_changed_places_keep_their_star_under_every_mark(name: str, width: int, height: int, fancy: bool) -> None:
    seats = 3 if name == "wongar" else 2
    game = load(name).game(seats)
    state, _ = game.start(3)
    (board_name, graph), *_ = game.model.boards.items()
    everywhere = frozenset((board_name, area) for area in range(len(graph.areas)))
    words = Translator.load("de") if fancy else Translator.load("de").written_in("ascii")
    narrator = Narrator(game, words, ("Anna", "Ben", "Cleo")[:seats])
    dark = TextScene(state, narrator, "ABC", 0, width, fancy, height, marked=everywhere)
    for scene in (dark, replace(dark, lit=everywhere), replace(dark, reachable=everywhere)):
        text = "\n".join(line_text(line) for line in board(scene))
        assert text.count("*") == len(everywhere)
        lit, led = text.count("["), text.count("‹" if fancy else "<")
        assert (lit, led) == (len(scene.lit), len(scene.reachable))
