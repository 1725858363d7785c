"""What a player needs stays on a small screen: what lies on the places at hand, and the options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input
from wongar_dsl.cli.fullscreen.choices import Choices
from wongar_dsl.cli.terminal.screen import plain

from tests.cli.sitting import ANNA, BEN, BOT, DOWN, ENTER, F3, PAGE_DOWN, TAB, Sitting
from wongar_dsl.engine import Move
from wongar_dsl.table.menu import Entry, Menu
from wongar_dsl.text.width import width as cells_of
from wongar_dsl.words import Words


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def board(game: Sitting) -> list[str]:
    """The lines of the board's pane, without its title."""
    return game.text.split("\n")[1 : game.session.stage.app.frame.box("board").height]


def lit(game: Sitting) -> list[str]:
    """What is listed of the places that light up."""
    return [line for line in board(game) if line.startswith("[") and "1 " in line]


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
def test_what_lies_where_an_option_does_something_is_seen_below_the_map(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int]
) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=size, moves=[0] * 40)

    def script() -> None:
        game.asked()
        assert "F3: List" in game.text
        seen = 0
        for _ in game.view.menu.entries:
            places = game.session.stage.app.frame.touched
            assert bool(lit(game)) is bool(places)
            seen += bool(places)
            game.press(DOWN)
        assert seen

    game.play(script)


def test_the_list_is_the_other_page_of_the_board_and_stays_through_questions(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.asked()
        game.press(F3)
        for _ in range(3):
            assert "─ List ─ F3: Ways " in game.text
            assert any(" 1 " in line and " 2 " in line for line in board(game))
            assert not any("/" in line and "\\" in line for line in board(game))
            # The arrows still go through the options.
            assert game.session.stage.app.desk.focus == "options"
            game.answer(ENTER)
            game.asked()
        game.press(F3)
        assert "─ Ways ─ F3: Board " in game.text
        assert board(game)[0].startswith("Where the ways lead")
        assert not any("/" in line and "\\" in line for line in board(game))
        game.press(F3)
        assert "─ Board ─ F3: List " in game.text

    game.play(script)


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (100, 40)])
def test_no_way_is_lost_on_the_page_of_the_ways(keys: PipeInput, tmp_path: Path, size: tuple[int, int]) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=size, moves=[0] * 40)

    def script() -> None:
        game.asked()
        frame = game.session.stage.app.frame
        width = frame.box("board").width
        pieces = [plain(line).rstrip() for line in frame.drawing.part("ways", width)]
        shown = [plain(line) for line in frame.boards.ways]
        assert len(pieces) > 2
        assert [line for line in pieces if not any(line in row for row in shown)] == []
        assert max(map(cells_of, shown)) <= width

    game.play(script)


def test_the_list_stays_where_somebody_has_scrolled_it_unless_more_must_be_seen(
    keys: PipeInput, tmp_path: Path
) -> None:
    # Here the pages of the board share their place with the other panes.
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=(60, 8), moves=[0] * 40)

    def script() -> None:
        game.asked()
        app = game.session.stage.app
        game.press(F3, F3, TAB, TAB, TAB, TAB)
        assert app.desk.focus == "list"
        assert any(line.startswith("[") for line in board(game))
        game.press(PAGE_DOWN)
        game.until(lambda: app.desk.scrolled["list"] > 0)
        board(game)
        scrolled = app.desk.scrolled["list"]
        # Another question has the keys, and lights up nothing.
        app.desk.again(0)
        board(game)
        assert app.desk.scrolled["list"] == scrolled
        app.desk.again(game.view.menu.entries[0].number)
        assert any(line.startswith("[") for line in board(game))

    game.play(script)


@pytest.mark.parametrize("size", [(80, 24), (100, 40), (40, 24)])
@pytest.mark.parametrize("typed", ["", "zzz" + ENTER, "1, 1, 1, 1" + ENTER])
def test_six_rows_of_options_stay_after_a_slip_too(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int], typed: str
) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=size, moves=[0] * 40)

    def script() -> None:
        game.asked()
        if typed:
            game.answer(typed)
            game.asked()
        options = game.session.stage.app.frame.options
        assert bool(options.view.notes) is bool(typed)
        assert options.room >= min(6, len(options.choices.rows))
        assert game.view.question.split()[0] in game.text
        if typed:
            assert plain(options.below[0]).strip()

    game.play(script)


def entry(number: int, text: str, outlook: str = "") -> Entry:
    return Entry(number, Move(0), text, text, outlook=outlook, outlook_in_short=outlook)


def shown(choices: Choices, cursor: int = 0) -> list[str]:
    return [plain(line).rstrip() for line in choices.lines(cursor)]


LONG = "a move with a name that goes on and on"


def test_an_option_is_whole_where_there_are_rows_for_it() -> None:
    menu = Menu((entry(1, LONG, "three points"), entry(2, "pass")))
    words = Words.load("en")
    choices = Choices(menu, words, 24, 6, True)
    assert shown(choices) == [" 1 a move with a name", "     that goes on and on", "     three points", " 2 pass"]
    assert choices.shows_text(menu.entries[0])
    assert choices.shows_outlook(menu.entries[0])
    # The cursor goes from option to option, and each line of one belongs to it.
    assert choices.moved(1, 1, 0) == 2
    assert choices.moved(2, -1, 0) == 1
    assert [choices.at(row, 5) for row in range(4)] == [1, 1, 1, 2]
    few = Choices(menu, words, 24, 3, True)
    assert shown(few)[:2] == [" 1 a move with a name", "     that goes on and on"]
    least = Choices(menu, words, 24, 2, True)
    assert len(shown(least)) == 2
    assert not least.shows_text(menu.entries[0])


@pytest.mark.parametrize("options", [4, 9, 10, 11])
@pytest.mark.parametrize("height", [2, 3, 4])
def test_down_comes_to_every_option_and_up_back(options: int, height: int) -> None:
    menu = Menu(tuple(entry(number, f"option {number}") for number in range(1, options + 1)))
    choices = Choices(menu, Words.load("en"), 60, height, True)
    way = [1]
    while (number := choices.moved(way[-1], 1, 0)) != way[-1]:
        way.append(number)
    assert way == list(range(1, options + 1))
    while (number := choices.moved(way[-1], -1, 0)) != way[-1]:
        way.append(number)
    assert way[options:] == list(range(options - 1, 0, -1))


def test_that_an_option_would_bring_something_is_seen_where_there_is_no_room_for_what() -> None:
    menu = Menu((entry(1, "a move of some length", "three points for Anna"), entry(2, "pass")))
    assert shown(Choices(menu, Words.load("en"), 28, 2, True)) == [" 1 a move of some length  …", " 2 pass"]


# ---- what is in front, and whose it is ----


def test_another_turn_begins_with_what_has_happened(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.asked()
        desk = game.session.stage.app.desk
        game.press(TAB, TAB)
        assert desk.tab == "table"
        seat = len(game.took)
        while not any(step.seat for step in game.table.match.steps[seat:]):
            before = len(game.table.match.steps)
            game.answer(ENTER)
            game.asked()
            if not any(step.seat for step in game.table.match.steps[before:]):
                # In one's own turn it is left as it is.
                assert desk.tab == "table"
        assert desk.tab == "story"

    game.play(script)


def test_nobody_finds_the_panes_as_another_one_has_left_them(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.asked()
        desk = game.session.stage.app.desk
        first = game.view.viewer
        game.press(F3, TAB, TAB)
        assert (desk.page, desk.tab) == ("list", "table")
        seen = set()
        for _ in range(40):
            game.answer(ENTER)
            game.asked()
            other = game.view.viewer != first
            seen.add(other)
            assert desk.page == ("board" if other else "list")
            if seen == {True, False} and not other:
                break
        assert seen == {True, False}

    game.play(script)


@pytest.mark.parametrize(("unicode", "mark"), [(True, "▸"), (False, "*")])
def test_which_pane_has_the_keys_is_seen_without_colours(
    keys: PipeInput, tmp_path: Path, unicode: bool, mark: str
) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(80, 24), unicode=unicode)

    def script() -> None:
        game.asked()
        for name, hidden in (("Options", "(Players)"), ("Log", "(Players)"), ("Players", "(Log)"), ("Board", "(Log)")):
            assert f"{mark}{name} " in game.text
            assert hidden in game.text
            game.press(TAB)
        assert f"{mark}Options " in game.text

    game.play(script)


# ---- what is pressed too soon ----


def test_before_a_curtain_it_is_seen_when_it_can_be_opened(keys: PipeInput, tmp_path: Path) -> None:
    times = [0.0]
    game = Sitting("goofspiel", [ANNA, BEN], keys, tmp_path, now=lambda: times[0])

    def bar() -> str:
        return "".join(text for _, text in game.session.stage.app._prompt())

    def script() -> None:
        game.asked("curtain")
        assert bar() == "…"
        game.press(ENTER)
        assert game.view.kind == "curtain"
        assert bar() == "…"
        times[0] = 10
        assert bar() == "Enter continues"
        game.press(ENTER)
        game.asked()
        # Who presses Enter once more than is needed chooses nothing, and sees that it was too soon.
        game.press(ENTER)
        assert bar() == "…"
        assert game.took == []
        times[0] = 20
        assert bar().startswith("> ")

    game.play(script)


def test_as_long_as_a_game_is_made_ready_that_is_said(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT], keys, tmp_path, language="nl")
    assert game.text.strip() == "Een ogenblikje: het spel wordt klaargezet."
