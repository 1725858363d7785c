"""A game on a full screen: keys, mouse, shown and hidden information."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from tests.cli.sitting import (
    ANNA,
    BEN,
    BOT,
    CTRL_C,
    DOWN,
    ENTER,
    ESCAPE,
    PAGE_UP,
    UP,
    Sitting,
)
from tests.cli.test_forecast import COSTLY
from tests.small_games import write_rules
from wongar_dsl.nlg.words import Translator


def test_an_option_is_chosen_with_the_arrows(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.answer(DOWN, DOWN, UP, ENTER)
        game.answer(ENTER)
        game.wait_for_question()

    assert game.play(script) == 0
    assert game.choices == ["mark(b3)", "mark(a3)"]


def test_typed_commands_work_as_in_line_mode(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        for typed in ("5", "mark( a1 )", "square c3", "undo", "? 2", "lang de", "xyzzy"):
            game.answer(typed + ENTER)
        game.wait_for_question()
        assert "„xyzzy“ passt zu keiner Möglichkeit" in game.text
        assert "Ben" in game.view.question

    game.play(script)
    assert game.choices == ["mark(b2)"]


def test_a_typed_number_moves_the_cursor_to_its_option(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        game.press("7")
        assert game.line_session.dialogue.app.ui.cursor == 7
        assert game.line_session.dialogue.app.frame.touched == {("cell", 6)}

    game.play(script)
    assert game.choices == []


def test_places_touched_by_an_option_are_highlighted(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        assert "[kangaroo]" in game.text.lower()
        game.press(DOWN)
        assert "[kangaroo]" not in game.text.lower()
        assert "[emu]" in game.text.lower()

    game.play(script)


def test_highlighted_area_still_shows_its_change_marker(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        assert game.view.scene is not None
        (place,) = game.line_session.dialogue.app.frame.touched
        game.line_session.dialogue.show(
            replace(game.view, scene=replace(game.view.scene, marked=frozenset({place})), drawn={})
        )
        assert "[kangaroo*]" in game.text.lower()

    game.play(script)


def test_forecasts_appear_while_the_question_waits(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(200, 50))

    def script() -> None:
        game.wait_for_question()
        game.wait_until(lambda: any(entry.forecast_line for entry in game.view.menu.entries))
        cursor = next(entry for entry in game.view.menu.entries if entry.forecast_line)
        game.press(*str(cursor.number))
        game.wait_until(lambda: cursor.forecast_line[:20] in game.text)

    game.play(script)


def test_keys_pressed_too_early_answer_nothing(keys: PipeInput, tmp_path: Path) -> None:
    times = [0.0]
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path, now=lambda: times[0])

    def script() -> None:
        game.wait_for_question()
        game.press("5", ENTER)
        assert game.choices == []
        times[0] = 10
        game.press("5" + ENTER + "1" + ENTER + "2" + ENTER)
        game.wait_for_question()
        game.press("3", ENTER)
        assert game.choices == ["mark(b2)"]
        times[0] = 20
        game.answer("3", ENTER)

    game.play(script)
    assert game.choices == ["mark(b2)", "mark(c3)"]


def test_unavailable_option_numbers_take_no_line(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.answer("5" + ENTER)
        game.wait_for_question()
        rows = [line.strip().split("│")[0].strip() for line in game.text.split("\n")]
        assert not any(row.startswith("5") for row in rows)
        assert [row[0] for row in rows if row[:2] in ("4 ", "6 ")] == ["4", "6"]

    game.play(script)


def test_first_click_selects_and_second_click_chooses(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def click(text: str) -> None:
        row = next(n for n, line in enumerate(game.text.split("\n")) if text in line)
        column = game.text.split("\n")[row].index(text)
        game.press(f"\x1b[<0;{column + 1};{row + 1}M", f"\x1b[<0;{column + 1};{row + 1}m")

    def script() -> None:
        game.wait_for_question()
        click("6 c2")
        assert game.line_session.dialogue.app.ui.cursor == 6
        assert game.choices == []
        click("6 c2")
        game.wait_until(lambda: game.choices == ["mark(c2)"])

    game.play(script)


def test_a_click_on_an_area_shows_the_options_that_touch_it(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        row = next(n for n, line in enumerate(game.text.split("\n")) if "turtle" in line.lower())
        column = game.text.split("\n")[row].lower().index("turtle") + 2
        game.press(f"\x1b[<0;{column + 1};{row + 1}M", f"\x1b[<0;{column + 1};{row + 1}m")
        ui = game.line_session.dialogue.app.ui
        turtle = next(entry.number for entry in game.view.menu.entries if entry.notation == "take(turtle)")
        assert ui.shown_options is not None
        assert turtle in ui.shown_options
        assert len(ui.shown_options) < len(game.view.menu.entries)
        game.press(ESCAPE)
        assert ui.shown_options is None

    game.play(script)
    assert game.choices == []


def test_hand_and_hidden_play_are_not_shown_to_the_opponent(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("goofspiel", [ANNA, BEN], keys, tmp_path)
    seen: list[str] = []

    def script() -> None:
        game.wait_for_question("privacy")
        seen.append(game.text)
        game.press(ENTER)
        game.answer("3" + ENTER)
        game.wait_for_question("privacy")
        seen.append(game.text)
        game.press(ENTER)
        game.wait_for_question()
        seen.append(game.text)
        game.press(PAGE_UP)
        seen.append(game.text)

    game.play(script)
    assert game.choices == ["play(three)"]
    assert "Anna, it is your turn" in seen[0]
    assert "Ben, it is your turn" in seen[1]
    assert "three" not in seen[1].casefold()
    # A card played face down is not revealed to the opponent, even after scrolling back.
    assert "Hand:" not in seen[1]
    assert "plays the three" not in seen[2] + seen[3]


def test_new_cards_are_shown_before_the_curtain_falls(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BEN, BOT], keys, tmp_path, seed=36)
    pauses: list[str] = []
    # The foot's card: a token, then two draws.
    answers = iter(("take(foot)", "draw", "draw"))

    def script() -> None:
        while not pauses:
            game.wait_until(lambda: game.view.kind in ("choice", "privacy", "pause"))
            game.wait_for_question(game.view.kind)
            if game.view.kind == "pause":
                pauses.append(game.text)
            game.press(*([next(answers)] if game.view.kind == "choice" else []), ENTER)
            game.wait_for_change()

    game.play(script)
    assert "New, and for your eyes only" in pauses[0]


def test_costly_choice_needs_a_typed_confirmation(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting(write_rules(tmp_path, COSTLY), [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        game.press("1", ENTER)
        game.wait_for_question("confirm")
        game.press(ENTER)
        game.wait_for_question()
        assert game.choices == []
        game.press("1", ENTER)
        game.wait_for_question("confirm")
        game.press(*"yes", ENTER)
        game.wait_until(lambda: game.choices == ["pay"])

    game.play(script)


def test_leaving_gives_the_messages_and_codes_of_line_mode(
    keys: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def interrupt() -> None:
        game.answer("5" + ENTER)
        game.wait_for_question()
        game.press(CTRL_C)

    with pytest.raises(KeyboardInterrupt):
        game.play(interrupt)
    game.line_session.commands.leave()
    game.session.close()
    assert "The game has been saved" in capsys.readouterr().out
    (tmp_path / "again").mkdir()
    second = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path / "again")

    def leave() -> None:
        second.wait_for_question()
        second.press("quit", ENTER)

    assert second.play(leave) == 0
    out = capsys.readouterr().out
    assert "Continue with: wongar resume" in out
    assert "which square" not in out


def test_result_stays_on_the_terminal_after_the_end(
    keys: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)
    seen: list[str] = []

    def script() -> None:
        for square in ("1", "4", "2", "5", "3"):
            game.wait_for_question()
            game.press(square, ENTER)
            game.wait_until(lambda s=square: len(game.choices) == ("14253".index(s) + 1))
        game.wait_for_question("pause")
        seen.append(game.text)
        game.press(ENTER)

    assert game.play(script) == 0
    assert "Anna wins" in seen[0]
    out = capsys.readouterr().out
    assert "Anna wins" in out
    assert "The game has been saved" in out
    assert out.count("┌") == 0


def test_each_player_is_addressed_in_their_own_language(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)
    game.session.player_translators = {1: Translator.load("de")}

    def script() -> None:
        game.wait_for_question()
        assert "Anna, which square" in game.text
        game.answer("5" + ENTER)
        game.wait_for_question()
        assert "Ben, welches Feld" in game.text

    game.play(script)


def test_typed_words_filter_the_options(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar/initiated", [ANNA, *[BOT] * 4], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.wait_for_question()
        everything = len(game.view.menu.entries)
        game.press(*"cube tur")
        ui = game.line_session.dialogue.app.ui
        assert ui.shown_options is not None
        assert len(ui.shown_options) == 1 < everything
        assert ui.cursor in ui.shown_options
        game.answer(ENTER)

    game.play(script)
    assert game.choices[0] == "place(cube, turtle)"


def test_letter_of_a_column_begins_no_word_that_all_options_share(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("connect_four", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.answer("d" + ENTER)
        game.answer("drop d" + ENTER)
        game.wait_for_question()

    game.play(script)
    assert game.choices == ["drop(d1)", "drop(d1)"]


#: 64 options, more than a list shows well.
MANY_OPTIONS = """
enum letter = alpha, beta, gamma, delta, epsilon, zeta, eta, theta
remember last: letter = alpha
play
    repeat 4 times
        for each me in player
            me chooses t
                pick(one: letter, other: letter)
                    set last to other
    nobody wins
"""


def test_long_option_lists_are_chosen_part_by_part(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting(write_rules(tmp_path, MANY_OPTIONS), [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        assert "Choose one part at a time" in game.text
        game.answer("3" + ENTER)
        game.wait_for_question()
        game.press(ESCAPE)
        game.wait_for_change()
        game.answer("4" + ENTER)
        game.answer("2" + ENTER)
        # A whole option can be typed instead of its parts.
        game.answer("pick(beta, alpha)" + ENTER)
        game.wait_for_question()

    game.play(script)
    assert game.choices == ["pick(delta, beta)", "pick(beta, alpha)"]


def test_too_many_answers_at_once_are_rejected_with_the_number_needed(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, moves=[0] * 40)

    def script() -> None:
        game.answer("1, 1, 2, 3" + ENTER)
        game.wait_for_question()
        text = " ".join(game.text.split())
        assert "You are asked this only twice, but you answered four times." in text
        before = len(game.choices)
        game.answer("1, 4" + ENTER)
        game.wait_for_question()
        assert len(game.choices) == before + 2

    game.play(script)


def test_enter_after_a_typo_takes_the_corrected_option(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        target = next(entry for entry in game.view.menu.entries if "emu" in entry.text.casefold())
        first = game.view.menu.entries[0].number
        assert target.number != first
        game.answer("xyzzy" + ENTER)
        game.wait_for_question()
        game.press(ENTER)
        assert game.choices == []
        game.answer(target.text.casefold().replace("emu", "emmu") + ENTER)
        game.wait_for_question()
        game.answer(ENTER)
        assert game.choices[0] == target.notation

    game.play(script)


def test_typed_text_highlights_the_option_that_enter_takes(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.wait_for_question()
        game.press(*"b2")
        assert game.line_session.dialogue.app.ui.cursor == 5
        game.press(*"zz")
        assert game.line_session.dialogue.app.ui.cursor == 0

    game.play(script)
