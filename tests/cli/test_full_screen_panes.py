"""Panes of a full screen: size, overlays, and moving the focus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from tests.cli.sitting import ANNA, BEN, BOT, DOWN, ENTER, ESCAPE, F2, PAGE_UP, RIGHT, TAB, UP, Sitting
from wongar_dsl.cli.fullscreen.score_line import score_line
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.position import hands


def test_long_answer_covers_the_panes(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.answer("?" + ENTER)
        game.wait_for_question()
        assert "You can also type:" in game.text or "[mark(a1)]" in game.text
        assert "which square" not in game.text
        game.press(ESCAPE)
        assert "Anna, which square" in game.text

    game.play(script)
    assert game.choices == []


@pytest.mark.parametrize("typed", ["?", "? 1", "rules"])
def test_escape_restores_the_screen_before_an_answer(keys: PipeInput, tmp_path: Path, typed: str) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.wait_for_question()
        # Wait until all forecasts are shown.
        game.wait_until(lambda: game.line_session._forecasts_shown_at == 0.0)
        game.press(DOWN, UP)
        before = game.text
        game.answer(typed + ENTER)
        game.wait_for_question()
        assert game.text != before
        game.press(ESCAPE)
        assert game.text == before
        # The overlay can be opened and closed a second time.
        game.answer(typed + ENTER)
        game.wait_for_question()
        assert game.text != before
        game.press(ESCAPE)
        assert game.text == before

    game.play(script)


def test_escape_closes_a_short_answer(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.answer("xyzzy" + ENTER)
        game.wait_for_question()
        assert "“xyzzy”" in game.text
        game.press(ESCAPE)
        assert "“xyzzy”" not in game.text

    game.play(script)


def test_tab_moves_the_focus_and_completes_typed_text(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path, size=(80, 24))

    def script() -> None:
        app = game.line_session.dialogue.app
        game.wait_for_question()
        game.press(TAB)
        assert app.ui.focus == "story"
        game.press(TAB)
        assert app.ui.focus == app.ui.tab == "table"
        game.press(ESCAPE, *"mark(b2", TAB)
        assert app.input.text == "mark(b2)"
        game.answer(ENTER)

    game.play(script)
    assert game.choices == ["mark(b2)"]


def test_log_scrolls_back_to_the_start(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        before = game.text
        game.press(PAGE_UP, PAGE_UP)
        assert game.text != before
        game.press_repeatedly(PAGE_UP, 60)
        assert "Wongar" in game.text

    game.play(script)


@pytest.mark.parametrize("game_name", ["wongar/initiated", "tongiaki", "connect_four", "ubongo"])
@pytest.mark.parametrize("size", [(200, 50), (100, 40), (80, 24), (40, 24), (60, 12)])
def test_panes_fit_the_screen_and_show_the_question(
    keys: PipeInput, tmp_path: Path, game_name: str, size: tuple[int, int]
) -> None:
    seats = [ANNA, *[BOT] * (4 if "wongar" in game_name else 1)]
    game = Sitting(game_name, seats, keys, tmp_path, size=size, moves=[] if game_name == "ubongo" else [1] * 12)

    def script() -> None:
        game.wait_for_question()
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


def test_resizing_keeps_cursor_and_input(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        game.press(DOWN, DOWN, *"car")
        for columns, rows in ((60, 24), (200, 50), (100, 40)):
            game.output.columns, game.output.rows = columns, rows
            game.line_session.dialogue.app.app._on_resize()
            game.press(DOWN, UP)
            assert game.line_session.dialogue.app.ui.cursor == 3
            assert game.line_session.dialogue.app.input.text == "car"
            assert max(map(len, game.text.split("\n"))) <= columns

    game.play(script)


@pytest.mark.parametrize("language", ["de", "it", "nl", "en"])
def test_ascii_terminal_shows_no_replacement_characters(keys: PipeInput, tmp_path: Path, language: str) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, language=language, unicode=False)

    def script() -> None:
        game.wait_for_question()
        app = game.line_session.dialogue.app
        drawn = "\n".join("".join(piece[1] for piece in line) for line in app.draw(100, 39))
        assert drawn.isascii()
        assert "\\u" not in drawn
        assert drawn.count("?") == game.view.question.count("?")

    game.play(script)


def test_legend_opens_on_a_key_if_it_does_not_fit(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, size=(80, 24), moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        first = line_text(game.line_session.dialogue.app.frame.legend(78)[0]).rstrip()
        assert "F2: legend" in game.text.split("\n")[0]
        assert first not in game.text
        game.press(F2)
        assert "F2: legend" not in game.text
        assert game.text.split("\n")[0].startswith(first)
        game.press(F2)
        assert "F2: legend" in game.text.split("\n")[0]

    game.play(script)


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("size", [(80, 24), (64, 24), (40, 24), (100, 20), (60, 12)])
def test_scores_are_in_the_title_if_the_player_table_is_hidden(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int], seats: int
) -> None:
    game = Sitting("wongar", [ANNA, *[BOT] * (seats - 1)], keys, tmp_path, size=size, moves=[3, 1, 7, 2, 5] * 16)

    def script() -> None:
        game.wait_for_question()
        frame = game.line_session.dialogue.app.frame
        scores = game.session.match.state.scores
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
def test_narrow_standings_drop_pieces_then_names_but_no_scores(
    keys: PipeInput, tmp_path: Path, room: int, told: str
) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        assert game.view.scene is not None
        line = line_text(score_line(game.view.scene, room))
        assert line.lower().startswith(told.lower())
        assert bool(line) is bool(told)
        assert line.count("0") == (3 if told else 0)

    game.play(script)


def test_provisional_scores_are_shown_in_brackets(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        assert game.view.scene is not None
        line = line_text(score_line(game.view.scene, 60))
        assert line.startswith("▶Anna 0 (0) · ")
        assert line.count("(0)") == 3
        assert "(n) Running score" in game.text

    game.play(script)


@pytest.mark.parametrize(("name", "others"), [("wongar", 4), ("wongar/initiated", 2), ("kuhn_poker", 1)])
def test_own_hand_is_shown_in_the_players_pane(keys: PipeInput, tmp_path: Path, name: str, others: int) -> None:
    game = Sitting(name, [ANNA, *[BOT] * others], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.wait_for_question()
        hand = [line_text(line).strip() for line in hands(game.view.scene)]
        game.wait_until(lambda: game.press(TAB) or "▸Players" in game.text)
        assert hand
        for word in re.findall(r"[\w×]+", " ".join(hand)):
            assert word in game.text.partition("▸Players")[2]

    game.play(script)
