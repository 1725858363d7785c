"""Lessons: `wongar learn` line by line and on a full screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput

from tests.cli.command import Command, choices_in
from tests.cli.sitting import DOWN, ENTER, ESCAPE, PAGE_DOWN, TAB, Sitting, at_table
from tests.cli.test_full_screen import FULL, LEFT, pause, shorten_key_grace
from tests.session.test_tutorial import SMALL
from tests.small_games import write_rules
from wongar_dsl.cli.play.tutorial import TutorialObserver
from wongar_dsl.engine import library
from wongar_dsl.session.tutorial import find_lesson, read_lesson

LESSON = """
seed: 3
seats: [human, random]
hints:
  - {name: hello, when: start}
  - {name: first, when: {decision: turn}, try: take(2)}
  - {name: bye, when: end}
"""


def small_game(tmp_path: Path, lesson: str = LESSON) -> str:
    file = write_rules(tmp_path, SMALL.replace("0 to 9 = 9", "0 to 9 = 3"))
    file.with_name("small.lesson.yaml").write_text(lesson, encoding="utf-8")
    folder = tmp_path / "locales" / "en"
    folder.mkdir(parents=True, exist_ok=True)
    entries = (
        f'msgctxt "small.lesson.{name}"\nmsgid "This is {name}."\nmsgstr ""\n' for name in ("hello", "first", "bye")
    )
    (folder / "messages.po").write_text("\n".join(entries), encoding="utf-8")
    return str(file)


def test_games_with_a_lesson_are_listed(wongar: Command) -> None:
    result = wongar("learn")
    assert result.code == 0
    assert [line.split()[0] for line in result.out.splitlines()] == ["tongiaki", "wongar"]
    refused = wongar("learn", "nim")
    assert (refused.code, refused.out) == (2, "")
    assert "tongiaki or wongar" in refused.err


def test_hint_with_rules_and_suggestion_precedes_its_question(wongar: Command) -> None:
    lines = wongar("learn", "wongar", "--lang", "en", answers="8\n").out.splitlines()
    index = lines.index("▌   Disc, cube or cylinder area card:")
    assert lines[index - 2].startswith("▌ One token already lies")
    assert "▌   Source: Wongar, Spielanleitung, Goldsieber 2000, “Symbol für eine Spielstein-Sorte”" in lines[index:]
    question = next(n for n, line in enumerate(lines) if line.startswith("Ada, another disc or a ritual card?"))
    assert lines[question - 2] == ("▌ A good choice here: 4 (Place another disc in the snake area).")


def test_hint_names_its_section_of_the_rulebook_which_can_be_read_with_its_example(wongar: Command) -> None:
    out = wongar("learn", "wongar", "--lang", "de", answers="regeln gebietskarte „linse\nregeln wurstsalat\n8\n").out
    assert "▌   Im Regelheft: „Spielziel“" in out
    told = out.partition("Gebietskarte „Linse“, „Würfel“ oder „Walze“\n")[2]
    assert "Wenn möglich, setzt du einen Spielstein" in told.partition("Beispiel: ")[0]
    assert "Anna nimmt die Gebietskarte „Würfel“ aus dem Schlangen-Gebiet" in told.partition("Beispiel: ")[2]
    assert "Das Regelheft hat keinen Abschnitt „wurstsalat“. Die Abschnitte sind „Worum es geht“" in shown(out)


def test_a_resumed_or_copied_lesson_keeps_its_guide(wongar: Command, tmp_path: Path) -> None:
    file, copy = small_game(tmp_path), tmp_path / "copy.json"
    whole = wongar("learn", file, "--lang", "en", answers=f"save {copy}\ntake(2)\nundo\n")
    hints = [line for line in whole.out.splitlines() if line.startswith("▌")]
    assert hints
    for save in (*wongar.saves(), *wongar.saves(), copy):
        result = wongar("resume", str(save), "--lang", "en", answers="take(2)\nundo\n")
        assert result.code == 0
        assert [line for line in result.out.splitlines() if line.startswith("▌")] == hints


def test_game_of_a_deleted_lesson_continues_without_hints(wongar: Command, tmp_path: Path) -> None:
    file = small_game(tmp_path)
    wongar("learn", file, "--lang", "en", answers="")
    (save,) = wongar.saves()
    for lesson in tmp_path.rglob("*.lesson.yaml"):
        lesson.unlink()
    result = wongar("resume", str(save), "--lang", "en", answers="take(2)\n")
    assert (result.code, result.err) == (0, "")
    assert choices_in(save)[0] == "take(2)"


def test_end_of_a_lesson_suggests_the_next_step(wongar: Command, tmp_path: Path) -> None:
    file = small_game(tmp_path)
    out = wongar("learn", file, "--lang", "en", answers="take(2)\nwait\nwait\n").out
    assert out.index("▌ This is hello.") < out.index("▌ This is first.") < out.index("▌ This is bye.")
    assert "wongar play" in out[out.index("▌ This is bye.") :]


def test_error_in_a_lesson_is_reported_with_its_line(wongar: Command, tmp_path: Path) -> None:
    file = small_game(tmp_path, LESSON.replace("decision: turn", "decision: trun"))
    for command in ("learn", "validate"):
        result = wongar(command, file, "--lang", "nl")
        assert result.code == 1
        assert "small.lesson.yaml:6" in result.out + result.err
        assert "trun" in result.out + result.err
        assert "turn" in result.out + result.err
        assert "Traceback" not in result.err


@pytest.mark.parametrize(("rows", "shown"), [(24, False), (50, True)])
def test_long_rules_do_not_push_a_hint_off_a_low_screen(wongar: Command, rows: int, shown: bool) -> None:
    with wongar.terminal("learn", "wongar", "--lang", "en", "--drawn", rows=rows) as terminal:
        terminal.wait_for("Press Enter to continue.")
        terminal.type("\r")
        text = terminal.wait_for("A good choice here: 8")
        assert ("You choose an area in which a face-up card lies." in text) is shown


def lesson_game(
    keys: PipeInput, folder: Path, size: tuple[int, int] = (100, 40), lesson: str = "", places: tuple[str, ...] = ()
) -> Sitting:
    """Return the table of a lesson of a small game or else of Wongar, with `places` as those of its first topic."""
    name = small_game(folder, lesson) if lesson else "wongar"
    location = find_lesson(library.load(name))
    assert location is not None
    read = read_lesson(*location)
    if places:
        read = replace(read, topics=(replace(read.topics[0], places=places), *read.topics[1:]))
    game = Sitting(name, read.seats, keys, folder, seed=read.seed, size=size)
    game.line_session.observer = TutorialObserver(read, game.session)
    return game


@pytest.mark.parametrize("key", [ENTER, ESCAPE])
@at_table(lesson_game, places=("emu",), size=(140, 60), first="lesson")
def test_one_key_closes_an_explanation(game: Sitting, key: str) -> None:
    assert "Welcome to Wongar!" in game.text
    # The places of its topic are highlighted.
    assert "[emu]" in game.text.lower()
    assert "[kangaroo]" not in game.text.lower()
    game.press(key)
    game.wait_for_question()
    assert "Welcome to Wongar!" not in game.text
    assert game.choices == []


@pytest.mark.parametrize("size", [(200, 50), (80, 24), (60, 12)])
@at_table(lesson_game, first="lesson")
def test_advice_is_shown_with_its_question_and_scrolls(game: Sitting, size: tuple[int, int]) -> None:
    game.press(ENTER)
    game.wait_for_question()
    assert "On your turn" in game.text
    assert "which card" in game.text
    lines = game.text.split("\n")
    assert len(lines) == size[1] - 1
    assert max(map(len, lines)) <= size[0]
    game.press(TAB)
    assert game.app.ui.focus == "lesson"
    game.press_repeatedly(DOWN, 60)
    # Rules and sources come below the advice.
    assert "Goldsieber" in game.text


@at_table(lesson_game, lesson=LESSON.replace("  - {name: hello, when: start}\n", ""), size=(80, 24))
def test_log_returns_if_there_is_no_advice(game: Sitting) -> None:
    assert "This is first." in game.text
    assert "lesson" in game.app.frame.arrangement.boxes
    game.answer("1" + ENTER)
    game.wait_for_question()
    assert "lesson" not in game.app.frame.arrangement.boxes


@at_table(lesson_game, size=(60, 12), first="lesson")
def test_long_explanation_scrolls_over_the_panes(game: Sitting) -> None:
    assert "Goldsieber" not in game.text
    game.press(PAGE_DOWN, PAGE_DOWN, PAGE_DOWN)
    assert "Goldsieber" in game.text
    assert game.view.kind == "lesson"


@pytest.mark.parametrize(
    ("answer", "goes_on"),
    [(ENTER, True), ("yes" + ENTER, True), (DOWN + ENTER, False), ("quit" + ENTER, False)],
)  # fmt: skip
@at_table(lesson_game, lesson=LESSON.replace("{name: hello, when: start}", "{name: hello, when: start, pause: yes}"))
def test_learner_may_stop_at_the_end_of_the_lesson(game: Sitting, answer: str, goes_on: bool) -> None:
    assert "This is hello." in game.text
    assert "Continue this game on your own?" in game.text
    game.press(*([DOWN, ENTER] if answer.startswith(DOWN) else answer))
    if goes_on:
        game.wait_for_change()
        game.wait_for_question()
        assert game.view.question == "It is Ada’s turn."


def test_end_of_a_lesson_is_explained_after_leaving_the_full_screen(wongar: Command, tmp_path: Path) -> None:
    shorten_key_grace(wongar)
    lesson = small_game(tmp_path, LESSON.replace("  - {name: hello, when: start}\n", ""))
    with wongar.terminal("learn", lesson, "--lang", "en") as terminal:
        assert FULL in terminal.wait_for("This is first.")
        for _ in range(3):
            pause()
            terminal.type("\r")
            pause()
        rest = terminal.rest()
    assert "This is bye." in rest[rest.rindex(LEFT) :]
    assert "wongar play" in rest[rest.rindex(LEFT) :]


def shown(text: str) -> str:
    return " ".join(text.split())
