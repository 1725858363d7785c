"""A game on a full screen: what the keys and the mouse do, what is seen and what is not."""

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
from tests.cli.test_outlook import COSTLY
from tests.small_games import written
from wongar_dsl.words import Words


def test_an_option_is_chosen_with_the_arrows(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.answer(DOWN, DOWN, UP, ENTER)
        game.answer(ENTER)
        game.asked()

    assert game.play(script) == 0
    assert game.took == ["mark(b3)", "mark(a3)"]


def test_what_is_typed_line_by_line_is_answered_here_too(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        for typed in ("5", "mark( a1 )", "square c3", "undo", "? 2", "lang de", "xyzzy"):
            game.answer(typed + ENTER)
        game.asked()
        assert "„xyzzy“ passt zu keiner Möglichkeit" in game.text
        assert "Ben" in game.view.question

    game.play(script)
    assert game.took == ["mark(b2)"]


def test_a_typed_number_moves_the_cursor_to_its_option(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.asked()
        game.press("7")
        assert game.session.stage.app.desk.cursor == 7
        assert game.session.stage.app.frame.touched == {("cell", 6)}

    game.play(script)
    assert game.took == []


def test_what_an_option_touches_lights_up(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.asked()
        assert "[kangaroo]" in game.text.lower()
        game.press(DOWN)
        assert "[kangaroo]" not in game.text.lower()
        assert "[emu]" in game.text.lower()

    game.play(script)


def test_the_cursor_on_an_option_does_not_hide_that_its_area_has_changed(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.asked()
        assert game.view.scene is not None
        (place,) = game.session.stage.app.frame.touched
        game.session.stage.show(replace(game.view, scene=replace(game.view.scene, marked=frozenset({place})), drawn={}))
        assert "[kangaroo*]" in game.text.lower()

    game.play(script)


def test_what_an_option_would_bring_is_filled_in_while_the_question_waits(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=(200, 50))

    def script() -> None:
        game.asked()
        game.until(lambda: any(entry.outlook for entry in game.view.menu.entries))
        cursor = next(entry for entry in game.view.menu.entries if entry.outlook)
        game.press(*str(cursor.number))
        game.until(lambda: cursor.outlook[:20] in game.text)

    game.play(script)


def test_what_is_typed_before_the_question_could_be_read_answers_nothing(keys: PipeInput, tmp_path: Path) -> None:
    times = [0.0]
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path, now=lambda: times[0])

    def script() -> None:
        game.asked()
        game.press("5", ENTER)
        assert game.took == []
        times[0] = 10
        game.press("5" + ENTER + "1" + ENTER + "2" + ENTER)
        game.asked()
        game.press("3", ENTER)
        assert game.took == ["mark(b2)"]
        times[0] = 20
        game.answer("3", ENTER)

    game.play(script)
    assert game.took == ["mark(b2)", "mark(c3)"]


def test_numbers_that_cannot_be_chosen_take_no_line(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.answer("5" + ENTER)
        game.asked()
        rows = [line.strip().split("│")[0].strip() for line in game.text.split("\n")]
        assert not any(row.startswith("5") for row in rows)
        assert [row[0] for row in rows if row[:2] in ("4 ", "6 ")] == ["4", "6"]

    game.play(script)


def test_a_click_looks_at_an_option_and_another_one_chooses_it(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def click(text: str) -> None:
        row = next(n for n, line in enumerate(game.text.split("\n")) if text in line)
        column = game.text.split("\n")[row].index(text)
        game.press(f"\x1b[<0;{column + 1};{row + 1}M", f"\x1b[<0;{column + 1};{row + 1}m")

    def script() -> None:
        game.asked()
        click("6 c2")
        assert game.session.stage.app.desk.cursor == 6
        assert game.took == []
        click("6 c2")
        game.until(lambda: game.took == ["mark(c2)"])

    game.play(script)


def test_a_click_on_an_area_shows_the_options_that_touch_it(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.asked()
        row = next(n for n, line in enumerate(game.text.split("\n")) if "turtle" in line.lower())
        column = game.text.split("\n")[row].lower().index("turtle") + 2
        game.press(f"\x1b[<0;{column + 1};{row + 1}M", f"\x1b[<0;{column + 1};{row + 1}m")
        desk = game.session.stage.app.desk
        turtle = next(entry.number for entry in game.view.menu.entries if entry.notation == "take(turtle)")
        assert desk.only is not None
        assert turtle in desk.only
        assert len(desk.only) < len(game.view.menu.entries)
        game.press(ESCAPE)
        assert desk.only is None

    game.play(script)
    assert game.took == []


def test_nobody_sees_the_hand_of_another_one(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("goofspiel", [ANNA, BEN], keys, tmp_path)
    seen: list[str] = []

    def script() -> None:
        game.asked("curtain")
        seen.append(game.text)
        game.press(ENTER)
        game.answer("3" + ENTER)
        game.asked("curtain")
        seen.append(game.text)
        game.press(ENTER)
        game.asked()
        seen.append(game.text)
        game.press(PAGE_UP)
        seen.append(game.text)

    game.play(script)
    assert game.took == ["play(three)"]
    assert "Anna, it is your turn" in seen[0]
    assert "Ben, it is your turn" in seen[1]
    assert "three" not in seen[1].casefold()
    # What was played face down is not told to the other one, however far they scroll back.
    assert "Hand:" not in seen[1]
    assert "plays the three" not in seen[2] + seen[3]


def test_new_cards_are_shown_before_the_curtain_falls(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BEN, BOT], keys, tmp_path)
    told: list[str] = []

    def script() -> None:
        while not told:
            game.until(lambda: game.view.kind in ("choice", "curtain", "pause"))
            game.asked(game.view.kind)
            if game.view.kind == "pause":
                told.append(game.text)
            game.press(ENTER)
            game.changed()

    game.play(script)
    assert "New, and for your eyes only" in told[0]


def test_a_costly_choice_asks_once_more_and_enter_alone_does_not_agree(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting(written(tmp_path, COSTLY), [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.asked()
        game.press("1", ENTER)
        game.asked("agree")
        game.press(ENTER)
        game.asked()
        assert game.took == []
        game.press("1", ENTER)
        game.asked("agree")
        game.press(*"yes", ENTER)
        game.until(lambda: game.took == ["pay"])

    game.play(script)


def test_leaving_gives_the_same_messages_and_codes(
    keys: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def interrupt() -> None:
        game.answer("5" + ENTER)
        game.asked()
        game.press(CTRL_C)

    with pytest.raises(KeyboardInterrupt):
        game.play(interrupt)
    game.session.commands.leave()
    game.table.close()
    assert "The game has been saved" in capsys.readouterr().out
    (tmp_path / "again").mkdir()
    again = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path / "again")

    def leave() -> None:
        again.asked()
        again.press("quit", ENTER)

    assert again.play(leave) == 0
    out = capsys.readouterr().out
    assert "Continue with: wongar resume" in out
    assert "which square" not in out


def test_at_the_end_the_result_stays_on_the_terminal(
    keys: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)
    seen: list[str] = []

    def script() -> None:
        for square in ("1", "4", "2", "5", "3"):
            game.asked()
            game.press(square, ENTER)
            game.until(lambda s=square: len(game.took) == ("14253".index(s) + 1))
        game.asked("pause")
        seen.append(game.text)
        game.press(ENTER)

    assert game.play(script) == 0
    assert "Anna wins" in seen[0]
    out = capsys.readouterr().out
    assert "Anna wins" in out
    assert "The game has been saved" in out
    assert out.count("┌") == 0


def test_each_person_is_spoken_to_in_their_own_language(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)
    game.table.own = {1: Words.load("de")}

    def script() -> None:
        game.asked()
        assert "Anna, which square" in game.text
        game.answer("5" + ENTER)
        game.asked()
        assert "Ben, welches Feld" in game.text

    game.play(script)


def test_while_words_are_typed_the_options_that_they_can_mean_are_shown(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar/initiated", [ANNA, *[BOT] * 4], keys, tmp_path, size=(80, 24))

    def script() -> None:
        game.asked()
        everything = len(game.view.menu.entries)
        game.press(*"cube tur")
        desk = game.session.stage.app.desk
        assert desk.only is not None
        assert len(desk.only) == 1 < everything
        assert desk.cursor in desk.only
        game.answer(ENTER)

    game.play(script)
    assert game.took[0] == "place(cube, turtle)"


#: 64 options, more than a list shows well.
MANY = """
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


def test_very_many_options_are_chosen_part_by_part_and_esc_goes_back(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting(written(tmp_path, MANY), [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.asked()
        assert "Choose one part at a time" in game.text
        game.answer("3" + ENTER)
        game.asked()
        game.press(ESCAPE)
        game.changed()
        game.answer("4" + ENTER)
        game.answer("2" + ENTER)
        # Whoever knows what they want need not go through the parts.
        game.answer("pick(beta, alpha)" + ENTER)
        game.asked()

    game.play(script)
    assert game.took == ["pick(delta, beta)", "pick(beta, alpha)"]


def test_of_too_many_answers_at_once_it_is_said_how_many_are_wanted(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BEN], keys, tmp_path, moves=[0] * 40)

    def script() -> None:
        game.answer("1, 1, 2, 3" + ENTER)
        game.asked()
        text = " ".join(game.text.split())
        assert "You are asked this only twice, but you answered four times." in text
        before = len(game.took)
        game.answer("1, 4" + ENTER)
        game.asked()
        assert len(game.took) == before + 2

    game.play(script)


def test_after_a_slip_enter_takes_what_was_meant_and_nothing_else(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path)

    def script() -> None:
        game.asked()
        wanted = next(entry for entry in game.view.menu.entries if "emu" in entry.text.casefold())
        first = game.view.menu.entries[0].number
        assert wanted.number != first
        game.answer("xyzzy" + ENTER)
        game.asked()
        game.press(ENTER)
        assert game.took == []
        game.answer(wanted.text.casefold().replace("emu", "emmu") + ENTER)
        game.asked()
        game.answer(ENTER)
        assert game.took[0] == wanted.notation

    game.play(script)


def test_what_lights_up_while_one_types_is_what_enter_would_take(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tictactoe", [ANNA, BEN], keys, tmp_path)

    def script() -> None:
        game.asked()
        game.press(*"b2")
        assert game.session.stage.app.desk.cursor == 5
        game.press(*"zz")
        assert game.session.stage.app.desk.cursor == 0

    game.play(script)
