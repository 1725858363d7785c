"""A lesson on a full screen: what is explained before a question waits for one key, advice stands with the question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput
from wongar_dsl.cli.play.tutor import Tutor

from tests.cli.command import Command
from tests.cli.sitting import DOWN, ENTER, ESCAPE, PAGE_DOWN, TAB, Sitting
from tests.cli.test_full_screen_terminal import FULL, LEFT, pause
from tests.cli.test_learn import LESSON, small
from wongar_dsl import library
from wongar_dsl.table.lesson_file import place_of_lesson, read_lesson


def taught(
    name: str | Path, keys: PipeInput, folder: Path, size: tuple[int, int] = (100, 40), places: tuple[str, ...] = ()
) -> Sitting:
    """The table of a lesson, of which the first topic is about some places."""
    found = place_of_lesson(library.load(name))
    assert found is not None
    lesson = read_lesson(*found)
    if places:
        lesson = replace(lesson, course=(replace(lesson.course[0], places=places), *lesson.course[1:]))
    game = Sitting(name, lesson.seats, keys, folder, seed=lesson.seed, size=size)
    game.session.onlooker = Tutor(lesson, game.table)
    return game


@pytest.mark.parametrize("key", [ENTER, ESCAPE])
@pytest.mark.parametrize("size", [(100, 40), (80, 24), (60, 12)])
def test_what_was_explained_before_a_question_is_put_away_with_one_key(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int], key: str
) -> None:
    game = taught("wongar", keys, tmp_path, size)

    def script() -> None:
        game.asked("lesson")
        assert "Welcome to Wongar!" in game.text
        game.press(key)
        game.asked()
        assert "Welcome to Wongar!" not in game.text

    game.play(script)
    assert game.took == []


@pytest.mark.parametrize("size", [(200, 50), (100, 40), (80, 24), (40, 24), (60, 12)])
def test_advice_is_seen_together_with_its_question_and_can_be_scrolled(
    keys: PipeInput, tmp_path: Path, size: tuple[int, int]
) -> None:
    game = taught("wongar", keys, tmp_path, size)

    def script() -> None:
        game.asked("lesson")
        game.press(ENTER)
        game.asked()
        assert "On your turn" in game.text
        assert "which card" in game.text
        lines = game.text.split("\n")
        assert len(lines) == size[1] - 1
        assert max(map(len, lines)) <= size[0]
        game.press(TAB)
        assert game.session.stage.app.desk.focus == "lesson"
        for _ in range(60):
            game.press(DOWN)
        # The rules and where they stand come below what has to be read.
        assert "Goldsieber" in game.text

    game.play(script)


def test_advice_makes_room_for_the_log_where_there_is_none(keys: PipeInput, tmp_path: Path) -> None:
    lesson = LESSON.replace("  - {name: hello, when: start}\n", "")
    game = taught(small(tmp_path, lesson), keys, tmp_path, (80, 24))

    def script() -> None:
        game.asked()
        assert "This is first." in game.text
        assert "lesson" in game.session.stage.app.frame.arrangement.boxes
        game.answer("1" + ENTER)
        game.asked()
        assert "lesson" not in game.session.stage.app.frame.arrangement.boxes

    game.play(script)


def test_the_suggestion_has_the_number_that_is_typed_for_it(keys: PipeInput, tmp_path: Path) -> None:
    game = taught(small(tmp_path), keys, tmp_path)

    def script() -> None:
        game.asked("lesson")
        game.press(ENTER)
        game.asked()
        assert "A good choice here: 2" in game.text
        game.answer("2" + ENTER)

    game.play(script)
    assert game.took[0] == "take(2)"


def test_help_and_taking_back_work_as_in_any_game_and_the_advice_comes_back(keys: PipeInput, tmp_path: Path) -> None:
    game = taught(small(tmp_path), keys, tmp_path)

    def script() -> None:
        game.asked("lesson")
        game.press(ENTER)
        game.answer("? 1" + ENTER)
        game.asked()
        assert "This is first." in game.text
        game.press(ESCAPE)
        game.answer(DOWN, ENTER)
        game.answer("undo" + ENTER)
        assert game.took == []
        # What was read is not put before the question once more.
        game.asked()
        assert "This is first." in game.text
        game.answer("1" + ENTER)

    game.play(script)
    assert game.took[0] == "take(1)"


def test_advice_is_given_in_the_language_that_was_changed_to(keys: PipeInput, tmp_path: Path) -> None:
    game = taught("wongar", keys, tmp_path)

    def script() -> None:
        game.asked("lesson")
        game.press(ENTER)
        game.answer("lang de" + ENTER)
        game.asked()
        assert "In deinem Zug nimmst du" in game.text

    game.play(script)


def test_what_is_long_is_read_over_the_panes_and_scrolled_before_it_is_put_away(
    keys: PipeInput, tmp_path: Path
) -> None:
    game = taught("wongar", keys, tmp_path, (60, 12))

    def script() -> None:
        game.asked("lesson")
        assert "Goldsieber" not in game.text
        game.press(PAGE_DOWN, PAGE_DOWN, PAGE_DOWN)
        assert "Goldsieber" in game.text
        assert game.view.kind == "lesson"

    game.play(script)


@pytest.mark.parametrize(
    ("answer", "goes_on"),
    [(ENTER, True), ("1" + ENTER, True), ("yes" + ENTER, True), (DOWN + ENTER, False), ("no" + ENTER, False),
     ("quit" + ENTER, False)],
)  # fmt: skip
def test_where_the_course_ends_the_learner_may_stop(
    keys: PipeInput, tmp_path: Path, answer: str, goes_on: bool
) -> None:  # fmt: skip
    lesson = LESSON.replace("{name: hello, when: start}", "{name: hello, when: start, pause: yes}")
    game = taught(small(tmp_path, lesson), keys, tmp_path)
    asked: list[str] = []

    def script() -> None:
        game.asked()
        assert "This is hello." in game.text
        assert "Continue this game on your own?" in game.text
        game.press(*([DOWN, ENTER] if answer.startswith(DOWN) else [answer]))
        if goes_on:
            game.changed()
            game.asked()
            asked.append(game.view.question)

    assert game.play(script) == 0
    assert asked == (["It is Ada’s turn."] if goes_on else [])


def test_the_places_worth_a_look_light_up_on_the_board(keys: PipeInput, tmp_path: Path) -> None:
    game = taught("wongar", keys, tmp_path, (140, 60), places=("emu",))

    def script() -> None:
        game.asked("lesson")
        assert "[emu]" in game.text.lower()
        assert "[kangaroo]" not in game.text.lower()

    game.play(script)


def test_at_a_terminal_a_lesson_has_the_full_screen_and_can_be_left_and_resumed(wongar: Command) -> None:
    save = wongar.home / "save.json"
    with wongar.terminal("learn", "wongar", "--lang", "en", "--save", str(save), rows=40, columns=100) as terminal:
        assert FULL in terminal.wait_for("Welcome to Wongar!")
        pause()
        terminal.type("\r")
        terminal.wait_for("A good choice here")
        pause()
        terminal.type("\x03")
        rest = terminal.rest()
        assert terminal.process.returncode == 130
    assert "Continue with: wongar resume" in rest[rest.rindex(LEFT) :]
    with wongar.terminal("resume", str(save), "--lang", "en") as terminal:
        terminal.wait_for("Welcome to Wongar!")
        pause()
        terminal.type("\r")
        terminal.wait_for("which card")


def test_the_end_is_explained_on_the_terminal_below(wongar: Command, tmp_path: Path) -> None:
    lesson = LESSON.replace("  - {name: hello, when: start}\n", "")
    with wongar.terminal("learn", small(tmp_path, lesson), "--lang", "en") as terminal:
        terminal.wait_for("Lesson")
        for _ in range(3):
            pause()
            terminal.type("\r")
            pause()
            pause()
        rest = terminal.rest()
    assert "This is bye." in rest[rest.rindex(LEFT) :]
    assert "wongar play" in rest[rest.rindex(LEFT) :]
