"""The panes of a full screen: how they fit, what is read over them, and how one goes from one to another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from cli.terminal.screen import plain
from tests.cli.sitting import ANNA, BEN, BOT, DOWN, ENTER, ESCAPE, F2, PAGE_UP, RIGHT, TAB, UP, Sitting
from wongar_dsl.cli.fullscreen.standing import standing
from wongar_dsl.cli.pictures.position import hands


def test_a_long_answer_is_read_over_the_panes(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.answer("?" + ENTER)
        game.asked()
        assert "You can also type:" in game.text or "[mark(a1)]" in game.text
        assert "which square" not in game.text
        game.press(ESCAPE)
        assert "Anna, which square" in game.text

    game.play(script)
    assert game.took == []


@pytest.mark.parametrize("typed", ["?", "? 1", "rules"])
def test_what_was_put_away_does_not_stay_below_the_options(keys: PipeInput, tmp_path: Path, typed: str) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.asked()
        # What an option would bring is shown as soon as it is known.
        game.until(lambda: game.session._looked == 0.0)
        game.press(DOWN, UP)
        before = game.text
        game.answer(typed + ENTER)
        game.asked()
        assert game.text != before
        game.press(ESCAPE)
        assert game.text == before
        # It can be read again, and is put away again.
        game.answer(typed + ENTER)
        game.asked()
        assert game.text != before
        game.press(ESCAPE)
        assert game.text == before

    game.play(script)


def test_a_short_answer_is_put_away_too(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.answer("xyzzy" + ENTER)
        game.asked()
        assert "“xyzzy”" in game.text
        game.press(ESCAPE)
        assert "“xyzzy”" not in game.text

    game.play(script)


def test_tab_goes_through_the_panes_and_completes_what_is_typed(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path, size=(80, 24))

    def script() -> None:
        app = game.session.stage.app
        game.asked()
        game.press(TAB)
        assert app.desk.focus == "story"
        game.press(TAB)
        assert app.desk.focus == app.desk.tab == "table"
        game.press(ESCAPE, *"mark(b2", TAB)
        assert app.input.text == "mark(b2)"
        game.answer(ENTER)

    game.play(script)
    assert game.took == ["mark(b2)"]


def test_the_whole_story_is_there_to_be_read(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.asked()
        before = game.text
        game.press(PAGE_UP, PAGE_UP)
        assert game.text != before
        game.press(*[PAGE_UP] * 60)
        assert "Wongar" in game.text

    game.play(script)


@pytest.mark.parametrize("game_name", ["wongar/initiated", "tongiaki", "connect_four", "ubongo"])
@pytest.mark.parametrize("size", [(200, 50), (100, 40), (80, 24), (40, 24), (60, 12)])
def test_everything_fits_and_the_question_is_seen(
    keys: PipeInput, tmp_path: Path, game_name: str, size: tuple[int, int]
) -> None:
    seats = [ANNA, *[BOT] * (4 if "wongar" in game_name else 1)]
    game = Sitting(game_name, seats, keys, tmp_path, size=size, moves=[] if game_name == "ubongo" else [1] * 12)

    def script() -> None:
        game.asked()
        columns, rows = size
        lines = game.text.split("\n")
        assert len(lines) == rows - 1
        assert max(map(len, lines)) <= columns
        assert game.view.question.split()[0] in game.text
        assert f"▸{game.view.menu.entries[0].number}" in game.text.replace(" ", "")
        for key in (DOWN, RIGHT, TAB, TAB, DOWN, TAB):
            game.press(key)
            assert len(game.text.split("\n")) == rows - 1

    game.play(script)


def test_resizing_keeps_the_place(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.asked()
        game.press(DOWN, DOWN, *"car")
        for columns, rows in ((60, 24), (200, 50), (100, 40)):
            game.output.columns, game.output.rows = columns, rows
            game.session.stage.app.app._on_resize()
            game.press(DOWN, UP)
            assert game.session.stage.app.desk.cursor == 3
            assert game.session.stage.app.input.text == "car"
            assert max(map(len, game.text.split("\n"))) <= columns

    game.play(script)


@pytest.mark.parametrize("language", ["de", "it", "nl", "en"])
def test_an_ascii_terminal_is_written_without_question_marks(keys: PipeInput, tmp_path: Path, language: str) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, language=language, unicode=False)

    def script() -> None:
        game.asked()
        app = game.session.stage.app
        drawn = "\n".join("".join(piece[1] for piece in line) for line in app.draw(100, 39))
        assert drawn.isascii()
        assert "\\u" not in drawn
        assert drawn.count("?") == game.view.question.count("?")

    game.play(script)


def test_the_signs_of_a_board_are_read_where_there_is_no_room_for_them(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.asked()
        first = plain(game.session.stage.app.frame.legend(78)[0]).rstrip()
        assert "F2: signs" in game.text.split("\n")[0]
        assert first not in game.text
        game.press(F2)
        assert "F2: signs" not in game.text
        assert game.text.split("\n")[0].startswith(first)
        game.press(F2)
        assert "F2: signs" in game.text.split("\n")[0]

    game.play(script)


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("size", [(80, 24), (64, 24), (40, 24), (100, 20), (60, 12)])
def test_how_everybody_stands_is_seen_where_the_table_of_the_players_is_not(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int], seats: int
) -> None:
    game = Sitting("wongar", [ANNA, *[BOT] * (seats - 1)], keys, tmp_path, size=size, moves=[3, 1, 7, 2, 5] * 16)

    def script() -> None:
        game.asked()
        frame = game.session.stage.app.frame
        scores = game.table.match.state.scores
        assert "table" in frame.arrangement.tabs
        titles = [line for line in game.text.split("\n") if line.startswith(("─", "▶")) or "│─" in line]
        shown = [line for line in titles if "▶" in line]
        assert len(shown) == 1
        digits = re.findall(r" (-?\d+)", shown[0].replace("−", "-").split("▶" if "▶A" in shown[0] else " A")[1])
        assert [int(number) for number in digits] == list(scores)
        game.press(TAB, TAB)
        assert "▶" in game.text

    game.play(script)


@pytest.mark.parametrize(("room", "told"), [(60, "▶Anna 0 ancestor, boomerang"), (40, "▶Anna 0 · "), (17, "▶A 0 "),
                                            (5, "")])  # fmt: skip
def test_with_little_room_figures_go_first_then_names_and_numbers_never(
    keys: PipeInput, tmp_path: Path, room: int, told: str
) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.asked()
        assert game.view.scene is not None
        found = plain(standing(game.view.scene, room))
        assert found.lower().startswith(told.lower())
        assert bool(found) is bool(told)
        assert found.count("0") == (3 if told else 0)

    game.play(script)


def test_in_brackets_stands_what_everybody_would_have_if_the_game_ended_now(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.asked()
        assert game.view.scene is not None
        found = plain(standing(game.view.scene, 60))
        assert found.startswith("▶Anna 0 (0) · ")
        assert found.count("(0)") == 3
        assert "(n) Running score" in game.text

    game.play(script)


@pytest.mark.parametrize(("name", "others"), [("wongar", 4), ("wongar/initiated", 2), ("kuhn_poker", 1)])
def test_the_own_hand_is_seen_in_the_pane_of_the_players(
    keys: PipeInput, tmp_path: Path, name: str, others: int
) -> None:
    game = Sitting(name, [ANNA, *[BOT] * others], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.asked()
        hand = [plain(line).strip() for line in hands(game.view.scene)]
        game.until(lambda: game.press(TAB) or "▸Players" in game.text)
        assert hand
        for word in re.findall(r"[\w×]+", " ".join(hand)):
            assert word in game.text.partition("▸Players")[2]

    game.play(script)
