"""Pages of the board pane on small screens, room for the options, and focus between turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.sitting import ANNA, BEN, BOT, DOWN, ENTER, F3, PAGE_DOWN, TAB, Sitting
from wongar_dsl.base.text.width import width as cells_of
from wongar_dsl.cli.fullscreen.option_grid import OptionGrid
from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.options.menu import Menu, MenuEntry


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def board_pane(game: Sitting) -> list[str]:
    """Return the lines of the board pane without its title."""
    return game.text.split("\n")[1 : game.line_session.dialogue.app.frame.box("board").height]


def highlighted_lines(game: Sitting) -> list[str]:
    """Return the listed lines of highlighted places."""
    return [line for line in board_pane(game) if line.startswith("[") and "1 " in line]


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
def test_contents_of_touched_places_are_listed_below_the_map(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int]
) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=size, moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        assert "F3: List" in game.text
        seen = 0
        for _ in game.view.menu.entries:
            places = game.line_session.dialogue.app.frame.touched
            assert bool(highlighted_lines(game)) is bool(places)
            seen += bool(places)
            game.press(DOWN)
        assert seen

    game.play(script)


def test_list_page_of_the_board_stays_open_between_questions(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        game.press(F3)
        for _ in range(3):
            assert "─ List ─ F3: Ways " in game.text
            assert any(" 1 " in line and " 2 " in line for line in board_pane(game))
            assert not any("/" in line and "\\" in line for line in board_pane(game))
            # The arrows still go through the options.
            assert game.line_session.dialogue.app.ui.focus == "options"
            game.answer(ENTER)
            game.wait_for_question()
        game.press(F3)
        assert "─ Ways ─ F3: Board " in game.text
        assert board_pane(game)[0].startswith("Where the ways lead")
        assert not any("/" in line and "\\" in line for line in board_pane(game))
        game.press(F3)
        assert "─ Board ─ F3: List " in game.text

    game.play(script)


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (100, 40)])
def test_page_of_connections_shows_every_connection(keys: PipeInput, tmp_path: Path, size: tuple[int, int]) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=size, moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        frame = game.line_session.dialogue.app.frame
        width = frame.box("board").width
        pieces = [line_text(line).rstrip() for line in frame.drawing.part("ways", width)]
        shown = [line_text(line) for line in frame.boards.ways]
        assert len(pieces) > 2
        assert [line for line in pieces if not any(line in row for row in shown)] == []
        assert max(map(cells_of, shown)) <= width

    game.play(script)


def test_list_keeps_its_scroll_position_unless_highlights_need_room(keys: PipeInput, tmp_path: Path) -> None:
    # Here the pages of the board share their place with the other panes.
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=(60, 8), moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        app = game.line_session.dialogue.app
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


@pytest.mark.parametrize("size", [(80, 24), (100, 40), (40, 24)])
@pytest.mark.parametrize("typed", ["", "zzz" + ENTER, "1, 1, 1, 1" + ENTER])
def test_six_option_rows_remain_after_a_typo(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int], typed: str
) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=size, moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        if typed:
            game.answer(typed)
            game.wait_for_question()
        options = game.line_session.dialogue.app.frame.options
        assert bool(options.view.notes) is bool(typed)
        assert options.room >= min(6, len(options.choices.rows))
        assert game.view.question.split()[0] in game.text
        if typed:
            assert line_text(options.below[0]).strip()

    game.play(script)


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


@pytest.mark.parametrize("options", [4, 9, 10, 11])
@pytest.mark.parametrize("height", [2, 3, 4])
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


# ---- front pane per player ----


def test_new_turn_brings_the_log_to_the_front(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.wait_for_question()
        ui = game.line_session.dialogue.app.ui
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

    game.play(script)


def test_each_player_has_their_own_pane_state(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        ui = game.line_session.dialogue.app.ui
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

    game.play(script)


@pytest.mark.parametrize(("unicode", "mark"), [(True, "▸"), (False, "*")])
def test_focused_pane_is_marked_without_colours(keys: PipeInput, tmp_path: Path, unicode: bool, mark: str) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(80, 24), unicode=unicode)

    def script() -> None:
        game.wait_for_question()
        for name, hidden in (("Options", "(Players)"), ("Log", "(Players)"), ("Players", "(Log)"), ("Board", "(Log)")):
            assert f"{mark}{name} " in game.text
            assert hidden in game.text
            game.press(TAB)
        assert f"{mark}Options " in game.text

    game.play(script)


# ---- keys pressed too early ----


def test_curtain_shows_when_it_can_be_opened(keys: PipeInput, tmp_path: Path) -> None:
    times = [0.0]
    game = Sitting("goofspiel", [ANNA, BEN], keys, tmp_path, now=lambda: times[0])

    def bar() -> str:
        return "".join(text for _, text in game.line_session.dialogue.app._prompt())

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


def test_message_is_shown_while_a_game_is_prepared(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT], keys, tmp_path, language="nl")
    assert game.text.strip() == "Een ogenblikje: het spel wordt klaargezet."


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("unicode", [True, False])
def test_narrow_screen_shows_whole_key_hints_and_always_help(
    keys: PipeInput, tmp_path: Path, language: str, unicode: bool
) -> None:
    game = Sitting("nim", [ANNA, BEN], keys, tmp_path, language=language, size=(40, 24), unicode=unicode)

    def script() -> None:
        game.wait_for_question()
        app = game.line_session.dialogue.app
        # After the question, input is ignored for a moment, in which the prompt is hidden.
        game.wait_until(lambda: len(app._prompt()) == 2)
        hint = app._prompt()[1][1]
        assert hint.startswith("? + ")
        assert cells_of(hint) <= 37
        assert app._displayable(game.view.words.say("screen.keys")).startswith(hint + app._displayable(" · "))

    game.play(script)
