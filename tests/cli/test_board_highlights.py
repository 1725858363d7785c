"""Highlights on a full screen: places touched by an option, places it may lead to, and the preview of a card."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from tests.cli.sitting import ANNA, BEN, Sitting, at_table
from tests.small_games import write_rules
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.position import board
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session.menu import OptionNumbers, assign_numbers


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
