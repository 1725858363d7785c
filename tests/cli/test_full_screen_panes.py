"""Panes of a full screen: size, position, overlays, pages of the board, room for the options, and focus."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.sitting import (
    ANNA,
    BEN,
    BOT,
    DOWN,
    ENTER,
    ESCAPE,
    F2,
    F3,
    PAGE_DOWN,
    PAGE_UP,
    RIGHT,
    TAB,
    UP,
    Sitting,
    at_table,
)
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.cli.fullscreen.frame import PaneBox, ScreenFrame, score_line
from wongar_dsl.cli.fullscreen.options import OptionGrid
from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Seat
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.status import hands
from wongar_dsl.session.menu import Menu, MenuEntry


@at_table("wongar", ANNA, BOT, BOT, size=(80, 24))
def test_escape_restores_the_screen_before_a_long_answer(game: Sitting) -> None:
    # Wait until all forecasts are shown.
    game.wait_until(lambda: game.line_session._forecasts_shown_at == 0.0)
    game.press(DOWN, UP)
    before = game.text
    # The overlay can be opened and closed a second time.
    for typed in ("?", "rules"):
        game.answer(typed + ENTER)
        game.wait_for_question()
        assert "which card" in before
        assert "which card" not in game.text
        game.press(ESCAPE)
        assert game.text == before
    # The log scrolls back to the start.
    game.press(PAGE_UP, PAGE_UP)
    assert game.text != before
    game.press_repeatedly(PAGE_UP, 60)
    assert "Wongar" in game.text
    assert game.choices == []


@at_table("tictactoe", ANNA, BEN, size=(80, 24))
def test_tab_moves_the_focus_and_completes_typed_text(game: Sitting) -> None:
    app = game.app
    game.wait_for_question()
    game.press(TAB)
    assert app.ui.focus == "story"
    game.press(TAB)
    assert app.ui.focus == app.ui.tab == "table"
    game.press(ESCAPE, *"mark(b2", TAB)
    assert app.input.text == "mark(b2)"
    game.answer(ENTER)
    assert game.choices == ["mark(b2)"]


@pytest.mark.parametrize("size", [(200, 50), (80, 24), (40, 24), (60, 12)])
@pytest.mark.parametrize("name", ["wongar/initiated", "tongiaki", "ubongo"])
def test_panes_fit_the_screen_and_show_the_question(
    keys: PipeInput, tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    @at_table(name, ANNA, BOT, BOT, size=size)
    def script(game: Sitting) -> None:
        columns, rows = size
        lines = game.text.split("\n")
        assert len(lines) == rows - 1
        assert max(map(len, lines)) <= columns
        assert game.view.question.split()[0] in game.text
        assert f"▸{game.view.menu.entries[0].number}" in game.text.replace(" ", "")
        for key in (DOWN, RIGHT, TAB, TAB, DOWN, TAB):
            game.press(key)
            assert len(game.text.split("\n")) == rows - 1

    script(keys, tmp_path)


@at_table("wongar", ANNA, BOT, BOT)
def test_resizing_keeps_cursor_and_input(game: Sitting) -> None:
    game.press(DOWN, DOWN, *"car")
    for columns, rows in ((60, 24), (200, 50), (100, 40)):
        game.output.columns, game.output.rows = columns, rows
        game.app.app._on_resize()
        game.press(DOWN, UP)
        assert game.app.ui.cursor == 3
        assert game.app.input.text == "car"
        assert max(map(len, game.text.split("\n"))) <= columns


@at_table("wongar", ANNA, BOT, BOT, language="it", unicode=False)
def test_ascii_terminal_shows_no_replacement_characters(game: Sitting) -> None:
    app = game.app
    drawn = "\n".join("".join(piece[1] for piece in line) for line in app.draw(100, 39))
    assert drawn.isascii()
    assert "\\u" not in drawn
    assert drawn.count("?") == game.view.question.count("?")


@at_table("tongiaki", ANNA, BEN, size=(80, 24), moves=[0] * 40)
def test_legend_opens_on_a_key_if_it_does_not_fit(game: Sitting) -> None:
    first = line_text(game.app.frame.legend(78)[0]).rstrip()
    assert "F2: legend" in game.text.split("\n")[0]
    assert first not in game.text
    game.press(F2)
    assert "F2: legend" not in game.text
    assert game.text.split("\n")[0].startswith(first)
    game.press(F2)
    assert "F2: legend" in game.text.split("\n")[0]


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (60, 12)])
@at_table("wongar", ANNA, BOT, BOT, BOT, BOT, moves=[3, 1, 7, 2, 5] * 16)
def test_scores_are_in_the_title_if_the_player_table_is_hidden(game: Sitting, size: tuple[int, int]) -> None:
    frame = game.app.frame
    scores = game.session.match.state.scores
    assert "table" in frame.arrangement.tabs
    titles = [line for line in game.text.split("\n") if line.startswith(("─", "▶")) or "│─" in line]
    shown = [line for line in titles if "▶" in line]
    assert len(shown) == 1
    digits = re.findall(r" (-?\d+)", shown[0].replace("−", "-").split("▶" if "▶A" in shown[0] else " A")[1])
    assert [int(number) for number in digits] == list(scores)
    game.press(TAB, TAB)
    assert "▶" in game.text


@pytest.mark.parametrize(("room", "told"), [(60, "▶Anna 0 ancestor, boomerang"), (40, "▶Anna 0 · "), (17, "▶A 0 "),
                                            (5, "")])  # fmt: skip
@at_table("wongar", ANNA, BOT, BOT)
def test_narrow_standings_drop_pieces_then_names_but_no_scores(game: Sitting, room: int, told: str) -> None:
    assert game.view.scene is not None
    line = line_text(score_line(game.view.scene, room))
    assert line.lower().startswith(told.lower())
    assert bool(line) is bool(told)
    assert line.count("0") == (3 if told else 0)


@at_table("tongiaki", ANNA, BOT, BOT)
def test_provisional_scores_are_shown_in_brackets(game: Sitting) -> None:
    assert game.view.scene is not None
    line = line_text(score_line(game.view.scene, 60))
    assert line.startswith("▶Anna 0 (0) · ")
    assert line.count("(0)") == 3
    assert "(n) Running score" in game.text


@at_table("wongar", ANNA, BOT, BOT, size=(80, 24))
def test_own_hand_is_shown_in_the_players_pane(game: Sitting) -> None:
    hand = [line_text(line).strip() for line in hands(game.view.scene)]
    game.wait_until(lambda: game.press(TAB) or "▸Players" in game.text)
    assert hand
    for word in re.findall(r"[\w×]+", " ".join(hand)):
        assert word in game.text.partition("▸Players")[2]


def boxes(game: Sitting) -> Mapping[str, PaneBox]:
    return dict(game.app.frame.arrangement.boxes)


@pytest.mark.parametrize("size", [(100, 40), (40, 24)])
@at_table("wongar", ANNA, BOT, BOT)
def test_a_board_that_has_grown_does_not_shrink_again(game: Sitting, size: tuple[int, int]) -> None:
    late = Sitting("wongar", [ANNA, BOT, BOT], game.keys, game.session.path.parent, moves=[1] * 120)
    scene, before = game.view.scene, boxes(game)
    assert scene is not None
    full = replace(
        scene, position=late.line_session.session.match.state.copy(), marked=frozenset({("area", 0)}), offers={}
    )
    game.show(scene=full)
    grown = boxes(game)
    game.show(scene=scene)
    assert boxes(game) == grown
    assert grown["board"].height >= before["board"].height
    if size == (100, 40):
        # Each size of the screen has its own panes.
        game.output.columns, game.output.rows = 80, 24
        game.app.app._on_resize()
        game.press("1")
        assert boxes(game)["board"].height < grown["board"].height


@pytest.mark.parametrize("size", [(200, 60), (80, 24)])
@at_table("wongar", ANNA, BOT, BOT)
def test_panes_do_not_move_while_a_turn_is_played(game: Sitting, size: tuple[int, int]) -> None:
    seen: list[Mapping[str, PaneBox]] = []
    for _ in range(6):
        game.wait_for_question()
        seen.append(boxes(game))
        game.press(ENTER)
        game.wait_for_change()
    assert len(seen) == 6
    assert all(panes == seen[0] for panes in seen)


def board_pane(game: Sitting) -> list[str]:
    """Return the lines of the board pane without its title."""
    return game.text.split("\n")[1 : game.app.frame.box("board").height]


def highlighted_lines(game: Sitting) -> list[str]:
    """Return the listed lines of highlighted places."""
    return [line for line in board_pane(game) if line.startswith("[") and "1 " in line]


@at_table("tongiaki", ANNA, BEN, size=(40, 24), moves=[0] * 40)
def test_contents_of_touched_places_are_listed_below_the_map(game: Sitting) -> None:
    assert "F3: List" in game.text
    seen = 0
    for _ in game.view.menu.entries:
        places = game.app.frame.touched
        assert bool(highlighted_lines(game)) is bool(places)
        seen += bool(places)
        game.press(DOWN)
    assert seen


@at_table("tongiaki", ANNA, BOT, size=(80, 24), moves=[0] * 40)
def test_list_page_of_the_board_stays_open_between_questions(game: Sitting) -> None:
    game.press(F3)
    for _ in range(3):
        assert "─ List ─ F3: Ways " in game.text
        assert any(" 1 " in line and " 2 " in line for line in board_pane(game))
        assert not any("/" in line and "\\" in line for line in board_pane(game))
        # The arrows still go through the options.
        assert game.app.ui.focus == "options"
        game.answer(ENTER)
        game.wait_for_question()
    game.press(F3)
    assert "─ Ways ─ F3: Board " in game.text
    assert board_pane(game)[0].startswith("Where the ways lead")
    assert not any("/" in line and "\\" in line for line in board_pane(game))
    game.press(F3)
    assert "─ Board ─ F3: List " in game.text


@at_table("tongiaki", ANNA, BEN, size=(40, 24), moves=[0] * 40)
def test_page_of_connections_shows_every_connection(game: Sitting) -> None:
    frame = game.app.frame
    width = frame.box("board").width
    pieces = [line_text(line).rstrip() for line in frame.drawing.part("ways", width)]
    shown = [line_text(line) for line in frame.boards.ways]
    assert len(pieces) > 2
    assert [line for line in pieces if not any(line in row for row in shown)] == []
    assert max(map(cells_of, shown)) <= width


def test_list_keeps_its_scroll_position_unless_highlights_need_room(keys: PipeInput, tmp_path: Path) -> None:
    # Here the pages of the board share their place with the other panes.
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=(60, 8), moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        app = game.app
        game.press(F3, F3, TAB, TAB, TAB, TAB)
        assert app.ui.focus == "list"
        assert any(line.startswith("[") for line in board_pane(game))
        game.press(PAGE_DOWN)
        game.wait_until(lambda: app.ui.scrolled["list"] > 0)
        board_pane(game)
        scrolled = app.ui.scrolled["list"]
        # The next question takes the focus and highlights nothing.
        app.ui.next_question(0)
        board_pane(game)
        assert app.ui.scrolled["list"] == scrolled
        app.ui.next_question(game.view.menu.entries[0].number)
        assert any(line.startswith("[") for line in board_pane(game))

    game.play(script)


@pytest.mark.parametrize(
    ("size", "typed"), [((100, 40), ""), ((80, 24), "zzz" + ENTER), ((40, 24), "1, 1, 1, 1" + ENTER)]
)
@at_table("tongiaki", ANNA, BEN, moves=[0] * 40)
def test_six_option_rows_remain_after_a_typo(game: Sitting, size: tuple[int, int], typed: str) -> None:
    if typed:
        game.answer(typed)
        game.wait_for_question()
    options = game.app.frame.options
    assert bool(options.view.notes) is bool(typed)
    assert options.room >= min(6, len(options.choices.rows))
    assert game.view.question.split()[0] in game.text
    if typed:
        assert line_text(options.below[0]).strip()


def entry(number: int, text: str, forecast_line: str = "") -> MenuEntry:
    return MenuEntry(number, Move(0), text, text, forecast_line=forecast_line, short_forecast=forecast_line)


def shown(choices: OptionGrid, cursor: int = 0) -> list[str]:
    return [line_text(line).rstrip() for line in choices.lines(cursor)]


LONG_GAME_DECISIONS = "a move with a name that goes on and on"


def test_option_text_is_complete_if_rows_suffice() -> None:
    menu = Menu((entry(1, LONG_GAME_DECISIONS, "three points"), entry(2, "pass")))
    words = Translator.load("en")
    choices = OptionGrid(menu, words, 24, 6, True)
    assert shown(choices) == [" 1 a move with a name", "     that goes on and on", "     three points", " 2 pass"]
    assert choices.shows_text(menu.entries[0])
    assert choices.shows_forecast(menu.entries[0])
    # The cursor moves by option, and all lines of an option select it.
    assert choices.move_cursor(1, 1, 0) == 2
    assert choices.move_cursor(2, -1, 0) == 1
    assert [choices.at(row, 5) for row in range(4)] == [1, 1, 1, 2]
    few = OptionGrid(menu, words, 24, 3, True)
    assert shown(few)[:2] == [" 1 a move with a name", "     that goes on and on"]
    least = OptionGrid(menu, words, 24, 2, True)
    assert len(shown(least)) == 2
    assert not least.shows_text(menu.entries[0])


def test_short_forecast_is_shown_if_the_whole_one_does_not_fit() -> None:
    told = replace(entry(1, "a move", "so: three points for Anna and two for Ben"), short_forecast="so: Anna +3")
    choices = OptionGrid(Menu((told, entry(2, "pass"))), Translator.load("en"), 30, 2, True)
    assert [line.split() for line in shown(choices)] == [["1", "a", "move", "so:", "Anna", "+3"], ["2", "pass"]]


@pytest.mark.parametrize(("options", "height"), [(4, 2), (9, 3), (10, 3), (11, 4)])
def test_down_and_up_keys_visit_every_option(options: int, height: int) -> None:
    menu = Menu(tuple(entry(number, f"option {number}") for number in range(1, options + 1)))
    choices = OptionGrid(menu, Translator.load("en"), 60, height, True)
    path = [1]
    while (number := choices.move_cursor(path[-1], 1, 0)) != path[-1]:
        path.append(number)
    assert path == list(range(1, options + 1))
    while (number := choices.move_cursor(path[-1], -1, 0)) != path[-1]:
        path.append(number)
    assert path[options:] == list(range(options - 1, 0, -1))


def test_ellipsis_marks_a_forecast_that_does_not_fit() -> None:
    menu = Menu((entry(1, "a move of some length", "three points for Anna"), entry(2, "pass")))
    assert shown(OptionGrid(menu, Translator.load("en"), 28, 2, True)) == [" 1 a move of some length  …", " 2 pass"]


@at_table("tongiaki", ANNA, BOT, size=(80, 24))
def test_new_turn_brings_the_log_to_the_front(game: Sitting) -> None:
    ui = game.app.ui
    game.press(TAB, TAB)
    assert ui.tab == "table"
    seat = len(game.choices)
    while not any(step.seat for step in game.session.match.steps[seat:]):
        before = len(game.session.match.steps)
        game.answer(ENTER)
        game.wait_for_question()
        if not any(step.seat for step in game.session.match.steps[before:]):
            # During the same turn the pane stays.
            assert ui.tab == "table"
    assert ui.tab == "story"


@at_table("tongiaki", ANNA, BEN, size=(80, 24), moves=[0] * 40)
def test_each_player_has_their_own_pane_state(game: Sitting) -> None:
    ui = game.app.ui
    first = game.view.viewer
    game.press(F3, TAB, TAB)
    assert (ui.page, ui.tab) == ("list", "table")
    seen = set()
    for _ in range(40):
        game.answer(ENTER)
        game.wait_for_question()
        is_other = game.view.viewer != first
        seen.add(is_other)
        assert ui.page == ("board" if is_other else "list")
        if seen == {True, False} and not is_other:
            break
    assert seen == {True, False}


@at_table("wongar", ANNA, BOT, BOT, size=(80, 24), unicode=False)
def test_focused_pane_is_marked_without_colours(game: Sitting) -> None:
    for name, hidden in (("Options", "(Players)"), ("Log", "(Players)"), ("Players", "(Log)"), ("Board", "(Log)")):
        assert f"*{name} " in game.text
        assert hidden in game.text
        game.press(TAB)
    assert "*Options " in game.text


def test_curtain_shows_when_it_can_be_opened(keys: PipeInput, tmp_path: Path) -> None:
    times = [0.0]
    game = Sitting("goofspiel", [ANNA, BEN], keys, tmp_path, now=lambda: times[0])

    def bar() -> str:
        return "".join(text for _, text in game.app._prompt())

    def script() -> None:
        game.wait_for_question("privacy")
        assert bar() == "…"
        game.press(ENTER)
        assert game.view.kind == "privacy"
        assert bar() == "…"
        times[0] = 10
        assert bar() == "Enter continues"
        game.press(ENTER)
        game.wait_for_question()
        # An extra Enter chooses nothing, and the bar shows that it came too early.
        game.press(ENTER)
        assert bar() == "…"
        assert game.choices == []
        times[0] = 20
        assert bar().startswith("> ")

    game.play(script)


@pytest.mark.parametrize(("language", "unicode"), [("de", True), ("nl", False), ("it", False), ("en", True)])
@at_table("nim", ANNA, BEN, size=(40, 24))
def test_narrow_screen_shows_whole_key_hints_and_always_help(game: Sitting, language: str, unicode: bool) -> None:
    app = game.app
    # After the question, input is ignored for a moment, in which the prompt is hidden.
    game.wait_until(lambda: len(app._prompt()) == 2)
    hint = app._prompt()[1][1]
    assert hint.startswith("? + ")
    assert cells_of(hint) <= 37
    assert app._displayable(game.view.words.say("screen.keys")).startswith(hint + app._displayable(" · "))


SEATS = [Seat("human", "Anna"), Seat("random", "Ben"), Seat("random", "Carl")]


def summary_lines(frame: ScreenFrame, width: int, height: int) -> list[str]:
    digest = frame.view.digest
    assert digest is not None
    return [line_text(line) for line in frame._digest_lines(digest, width, height)]


def test_small_pane_keeps_the_most_important_sentences(tmp_path: Path) -> None:
    checked = 0
    with create_pipe_input() as keys:
        game = Sitting("wongar", SEATS, keys, tmp_path, size=(80, 24))

        def script() -> None:
            nonlocal checked
            game.wait_for_question()
            for _ in range(12):
                frame, digest = game.app.frame, game.view.digest
                assert digest is not None
                assert summary_lines(frame, 60, 40)[0] == ("Until now:" if digest.new else "Since your last turn:")
                if len(digest.sentences) > 3:
                    lines, heaviest = (
                        summary_lines(frame, 60, 6),
                        max(digest.sentences, key=lambda sentence: sentence.weight),
                    )
                    text = " ".join(line.strip() for line in lines)
                    checked += 1
                    assert len(lines) <= 6
                    assert heaviest.text in text
                    assert f"(+{digest.omitted_count})" not in text
                    assert "… and more" in lines[-1]
                game.answer(ENTER)

        game.play(script)
    assert checked > 1
