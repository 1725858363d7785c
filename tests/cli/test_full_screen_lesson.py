"""A lesson on a full screen: explanations wait for one key, advice is shown with the question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from tests.cli.command import Command
from tests.cli.sitting import DOWN, ENTER, ESCAPE, PAGE_DOWN, TAB, Sitting
from tests.cli.test_full_screen_terminal import FULL, LEFT, pause
from tests.cli.test_learn import LESSON, small_game
from wongar_dsl.cli.play.tutorial.tutorial_view import TutorialObserver
from wongar_dsl.engine import library
from wongar_dsl.session.tutorial.lesson_file import find_lesson, read_lesson


def lesson_game(
    name: str | Path, keys: PipeInput, folder: Path, size: tuple[int, int] = (100, 40), places: tuple[str, ...] = ()
) -> Sitting:
    """Return the table of a lesson, with `places` as the places of its first topic."""
    location = find_lesson(library.load(name))
    assert location is not None
    lesson = read_lesson(*location)
    if places:
        lesson = replace(lesson, topics=(replace(lesson.topics[0], places=places), *lesson.topics[1:]))
    game = Sitting(name, lesson.seats, keys, folder, seed=lesson.seed, size=size)
    game.line_session.observer = TutorialObserver(lesson, game.session)
    return game


@pytest.mark.parametrize("key", [ENTER, ESCAPE])
@pytest.mark.parametrize("size", [(100, 40), (80, 24), (60, 12)])
def test_one_key_closes_an_explanation(keys: PipeInput, tmp_path: Path, size: tuple[int, int], key: str) -> None:
    game = lesson_game("wongar", keys, tmp_path, size)

    def script() -> None:
        game.wait_for_question("lesson")
        assert "Welcome to Wongar!" in game.text
        game.press(key)
        game.wait_for_question()
        assert "Welcome to Wongar!" not in game.text

    game.play(script)
    assert game.choices == []


@pytest.mark.parametrize("size", [(200, 50), (100, 40), (80, 24), (40, 24), (60, 12)])
def test_advice_is_shown_with_its_question_and_scrolls(keys: PipeInput, tmp_path: Path, size: tuple[int, int]) -> None:
    game = lesson_game("wongar", keys, tmp_path, size)

    def script() -> None:
        game.wait_for_question("lesson")
        game.press(ENTER)
        game.wait_for_question()
        assert "On your turn" in game.text
        assert "which card" in game.text
        lines = game.text.split("\n")
        assert len(lines) == size[1] - 1
        assert max(map(len, lines)) <= size[0]
        game.press(TAB)
        assert game.line_session.dialogue.app.ui.focus == "lesson"
        game.press_repeatedly(DOWN, 60)
        # Rules and sources come below the advice.
        assert "Goldsieber" in game.text

    game.play(script)


def test_log_returns_if_there_is_no_advice(keys: PipeInput, tmp_path: Path) -> None:
    lesson = LESSON.replace("  - {name: hello, when: start}\n", "")
    game = lesson_game(small_game(tmp_path, lesson), keys, tmp_path, (80, 24))

    def script() -> None:
        game.wait_for_question()
        assert "This is first." in game.text
        assert "lesson" in game.line_session.dialogue.app.frame.arrangement.boxes
        game.answer("1" + ENTER)
        game.wait_for_question()
        assert "lesson" not in game.line_session.dialogue.app.frame.arrangement.boxes

    game.play(script)


def test_suggestion_names_the_number_of_its_option(keys: PipeInput, tmp_path: Path) -> None:
    game = lesson_game(small_game(tmp_path), keys, tmp_path)

    def script() -> None:
        game.wait_for_question("lesson")
        game.press(ENTER)
        game.wait_for_question()
        assert "A good choice here: 2" in game.text
        game.answer("2" + ENTER)

    game.play(script)
    assert game.choices[0] == "take(2)"


def test_advice_returns_after_help_and_undo(keys: PipeInput, tmp_path: Path) -> None:
    game = lesson_game(small_game(tmp_path), keys, tmp_path)

    def script() -> None:
        game.wait_for_question("lesson")
        game.press(ENTER)
        game.answer("? 1" + ENTER)
        game.wait_for_question()
        assert "This is first." in game.text
        game.press(ESCAPE)
        game.answer(DOWN, ENTER)
        game.answer("undo" + ENTER)
        assert game.choices == []
        # An explanation that has been read is not repeated.
        game.wait_for_question()
        assert "This is first." in game.text
        game.answer("1" + ENTER)

    game.play(script)
    assert game.choices[0] == "take(1)"


def test_advice_follows_a_change_of_language(keys: PipeInput, tmp_path: Path) -> None:
    game = lesson_game("wongar", keys, tmp_path)

    def script() -> None:
        game.wait_for_question("lesson")
        game.press(ENTER)
        game.answer("lang de" + ENTER)
        game.wait_for_question()
        assert "In deinem Zug nimmst du" in game.text

    game.play(script)


def test_long_explanation_scrolls_over_the_panes(keys: PipeInput, tmp_path: Path) -> None:
    game = lesson_game("wongar", keys, tmp_path, (60, 12))

    def script() -> None:
        game.wait_for_question("lesson")
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
def test_learner_may_stop_at_the_end_of_the_lesson(
    keys: PipeInput, tmp_path: Path, answer: str, goes_on: bool
) -> None:  # fmt: skip
    lesson = LESSON.replace("{name: hello, when: start}", "{name: hello, when: start, pause: yes}")
    game = lesson_game(small_game(tmp_path, lesson), keys, tmp_path)
    questions: list[str] = []

    def script() -> None:
        game.wait_for_question()
        assert "This is hello." in game.text
        assert "Continue this game on your own?" in game.text
        game.press(*([DOWN, ENTER] if answer.startswith(DOWN) else answer))
        if goes_on:
            game.wait_for_change()
            game.wait_for_question()
            questions.append(game.view.question)

    assert game.play(script) == 0
    assert questions == (["It is Ada’s turn."] if goes_on else [])


def test_places_of_a_topic_are_highlighted_on_the_board(keys: PipeInput, tmp_path: Path) -> None:
    game = lesson_game("wongar", keys, tmp_path, (140, 60), places=("emu",))

    def script() -> None:
        game.wait_for_question("lesson")
        assert "[emu]" in game.text.lower()
        assert "[kangaroo]" not in game.text.lower()

    game.play(script)


def test_lesson_at_a_terminal_can_be_left_and_resumed(wongar: Command) -> None:
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


def test_end_of_a_lesson_is_explained_after_leaving_the_full_screen(wongar: Command, tmp_path: Path) -> None:
    lesson = LESSON.replace("  - {name: hello, when: start}\n", "")
    with wongar.terminal("learn", small_game(tmp_path, lesson), "--lang", "en") as terminal:
        terminal.wait_for("Lesson")
        for _ in range(3):
            pause()
            terminal.type("\r")
            pause()
            pause()
        rest = terminal.rest()
    assert "This is bye." in rest[rest.rindex(LEFT) :]
    assert "wongar play" in rest[rest.rindex(LEFT) :]
