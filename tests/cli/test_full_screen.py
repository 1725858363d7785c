"""A game on a full screen: keys, mouse, shown and hidden information, and leaving it at a real terminal."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from tests.cli.command import Command, Terminal, choices_in
from tests.cli.sitting import ANNA, BEN, BOT, DOWN, ENTER, ESCAPE, PAGE_UP, UP, Sitting, at_table
from tests.cli.test_forecast import COSTLY


@at_table("tictactoe", ANNA, BEN)
def test_typed_commands_work_as_in_line_mode(game: Sitting) -> None:
    for typed in ("5", "mark( a1 )", "square c3", "undo", "? 2", "lang de", "xyzzy"):
        game.answer(typed + ENTER)
    game.wait_for_question()
    assert "„xyzzy“ passt zu keiner Möglichkeit" in game.text
    assert "Ben" in game.view.question
    assert game.choices == ["mark(b2)"]


@at_table("tictactoe", ANNA, BEN)
def test_cursor_follows_arrows_numbers_and_typed_words(game: Sitting) -> None:
    app = game.app
    game.press(DOWN, DOWN, UP)
    assert app.ui.cursor == 2
    for typed, cursor in (("7", 7), ("b2", 5), ("zz", 0)):
        game.press(*typed)
        assert app.ui.cursor == cursor
        assert app.frame.touched == ({("cell", cursor - 1)} if cursor else set())
        if typed != "b2":
            game.press(ESCAPE)
    # Typed words filter the options.
    game.press(*"b")
    assert app.ui.shown_options == {2, 5, 8}
    game.press(ESCAPE)
    game.answer("2", ENTER)
    game.answer(ENTER)
    game.wait_for_question()
    assert game.choices == ["mark(b3)", "mark(a3)"]


@at_table("wongar", ANNA, BOT, BOT, size=(200, 50))
def test_forecasts_appear_while_the_question_waits(game: Sitting) -> None:
    game.wait_until(lambda: any(entry.forecast_line for entry in game.view.menu.entries))
    cursor = next(entry for entry in game.view.menu.entries if entry.forecast_line)
    game.press(*str(cursor.number))
    game.wait_until(lambda: cursor.forecast_line[:20] in game.text)


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


@at_table("tictactoe", ANNA, BEN)
def test_first_click_selects_and_second_click_chooses(game: Sitting) -> None:
    def click(text: str) -> None:
        row = next(n for n, line in enumerate(game.text.split("\n")) if text in line)
        game.click(row, game.text.split("\n")[row].index(text))

    click("6 c2")
    assert game.app.ui.cursor == 6
    assert game.choices == []
    click("6 c2")
    game.wait_until(lambda: game.choices == ["mark(c2)"])


@at_table("goofspiel", ANNA, BEN, first="privacy")
def test_hand_and_hidden_play_are_not_shown_to_the_opponent(game: Sitting) -> None:
    seen = [game.text]
    game.press(ENTER)
    game.answer("3" + ENTER)
    game.wait_for_question("privacy")
    seen.append(game.text)
    game.press(ENTER)
    game.wait_for_question()
    seen.append(game.text)
    game.press(PAGE_UP)
    seen.append(game.text)
    assert game.choices == ["play(three)"]
    assert "Anna, it is your turn" in seen[0]
    assert "Ben, it is your turn" in seen[1]
    assert "three" not in seen[1].casefold()
    # A card played face down is not revealed to the opponent, even after scrolling back.
    assert "Hand:" not in seen[1]
    assert "plays the three" not in seen[2] + seen[3]


@at_table("wongar", ANNA, BEN, BOT, seed=36, first="privacy")
def test_new_cards_are_shown_before_the_curtain_falls(game: Sitting) -> None:
    pauses: list[str] = []
    # The foot's card: a token, then two draws.
    answers = iter(("take(foot)", "draw", "draw"))
    while not pauses:
        game.wait_until(lambda: game.view.kind in ("choice", "privacy", "pause"))
        game.wait_for_question(game.view.kind)
        if game.view.kind == "pause":
            pauses.append(game.text)
        game.press(*([next(answers)] if game.view.kind == "choice" else []), ENTER)
        game.wait_for_change()
    assert "New, and for your eyes only" in pauses[0]


@at_table(COSTLY, ANNA, BEN)
def test_costly_choice_needs_a_typed_confirmation(game: Sitting) -> None:
    game.press("1", ENTER)
    game.wait_for_question("confirm")
    game.press(ENTER)
    game.wait_for_question()
    assert game.choices == []
    game.press("1", ENTER)
    game.wait_for_question("confirm")
    game.press(*"yes", ENTER)
    game.wait_until(lambda: game.choices == ["pay"])


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


@at_table(MANY_OPTIONS, ANNA, BEN)
def test_long_option_lists_are_chosen_part_by_part(game: Sitting) -> None:
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
    assert game.choices == ["pick(delta, beta)", "pick(beta, alpha)"]


@at_table("wongar", ANNA, BOT, BOT)
def test_enter_after_a_typo_takes_the_corrected_option(game: Sitting) -> None:
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


TICTACTOE = ("play", "tictactoe", "--seats", "human:Anna,human:Ben", "--lang", "en")
FULL, LEFT = "\x1b[?1049h", "\x1b[?1049l"
#: Seconds in which keys count as pressed too early, in terminals forked from this process.
GRACE_S = 0.05
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def pause() -> None:
    time.sleep(3 * GRACE_S)


def shorten_key_grace(wongar: Command) -> None:
    wongar.patch.setattr("wongar_dsl.cli.fullscreen.app.KEY_GRACE_S", GRACE_S)


@pytest.fixture(autouse=True)
def _short_grace(wongar: Command) -> None:
    shorten_key_grace(wongar)


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0), ("quit\r", 0)])
def test_leaving_prints_the_save_below_the_full_screen(wongar: Command, key: str, code: int) -> None:
    save = wongar.home / "save.json"
    with wongar.terminal(*TICTACTOE, "--save", str(save)) as terminal:
        assert FULL in terminal.wait_for("which square")
        pause()
        terminal.type("5\r")
        terminal.wait_for("Anna marks b2")
        pause()
        terminal.type(key)
        rest = terminal.rest()
    assert terminal.process.returncode == code
    below = CODES.sub("", rest[rest.rindex(LEFT) :])
    assert "Continue with: wongar resume" in below
    assert "which square" not in below
    assert choices_in(save) == ["mark(b2)"]


@contextmanager
def thinking_bot(wongar: Command, simulations: int) -> Iterator[Terminal]:
    """Yield a game at the moment when a bot begins to think."""
    with wongar.terminal("play", "connect_four", "--seats", f"human,mcts:{simulations}", "--lang", "en") as terminal:
        terminal.wait_for("which column")
        pause()
        terminal.type("\r")
        terminal.wait_for("is thinking")
        yield terminal


def test_player_can_leave_while_a_bot_is_thinking(wongar: Command) -> None:
    with thinking_bot(wongar, 1_000_000) as terminal:
        pause()
        terminal.type("\x03")
        rest = terminal.rest(10)
        assert terminal.process.returncode == 130
    assert "The game has been saved" in rest


def test_text_typed_while_a_bot_thinks_waits_for_enter(wongar: Command) -> None:
    with thinking_bot(wongar, 3_000) as terminal:
        terminal.type("quit\r")
        terminal.wait_for("which column")
        pause()
        assert terminal.process.poll() is None
        terminal.type("\r")
        terminal.rest(10)
        assert terminal.process.returncode == 0
