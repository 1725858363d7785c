"""`wongar learn`: a guided first game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command, choices_in
from tests.small_games import write_rules

#: Moves suggested by Wongar's lesson in the first round.
FIRST_ROUND = ("take(fish)", "place(snake)", "draw", "play(ritual(cylinder))", "fetch(foot)", "stop")
SMALL = """
remember rest: number 0 to 9 = 3
score points
play
    repeat while rest > 0
        for each me in player
            if rest > 0
                me chooses turn
                    take(n: 1 to 2)
                        set rest to rest - 1
                    wait
                        set rest to rest - 1
    end game

winner p
    most points of p
"""
LESSON = """
seed: 3
seats: [human, random]
hints:
  - {name: hello, when: start}
  - {name: first, when: {decision: turn}, try: take(2)}
  - {name: bye, when: end}
"""


def small_game(tmp_path: Path, lesson: str = LESSON) -> str:
    file = write_rules(tmp_path, SMALL)
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


def test_refusal_names_the_games_with_a_lesson(wongar: Command) -> None:
    result = wongar("learn", "nim")
    assert (result.code, result.out) == (2, "")
    assert "tongiaki or wongar" in result.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_round_of_wongar_is_explained(wongar: Command, language: str) -> None:
    result = wongar("learn", "wongar", "--lang", language, answers="\n".join(FIRST_ROUND))
    hints = [line for line in result.out.splitlines() if line.startswith("▌ ")]
    assert result.code == 0
    assert result.err == ""
    assert len(hints) > 40
    assert choices_in(wongar.saves()[0])[:3] == [*FIRST_ROUND[:3]]


def test_hint_with_rules_and_suggestion_precedes_its_question(wongar: Command) -> None:
    lines = wongar("learn", "wongar", "--lang", "en", answers="8\n").out.splitlines()
    index = lines.index("▌   Disc, cube and cylinder:")
    assert lines[index - 2].startswith("▌ One token already lies")
    assert "▌   Source: Wongar, Spielanleitung, Goldsieber 2000, “Symbol für eine Spielstein-Sorte”" in lines[index:]
    question = next(n for n, line in enumerate(lines) if line.startswith("Ada, another disc or a ritual card?"))
    assert lines[question - 2] == ("▌ A good choice here: 4 (Place another disc in the snake area).")


def test_other_choices_are_guided_too(wongar: Command) -> None:
    out = wongar("learn", "wongar", "--lang", "en", answers="take(kangaroo)\nwalk(kangaroo)\n").out
    assert "▌ The ancestor only walks to an adjacent area" in out
    assert "▌ A ceremony in the kangaroo area!" in out


def test_the_same_lesson_begins_the_same_game(wongar: Command) -> None:
    first, second = (wongar("learn", "tongiaki", "--lang", "en", answers="place(beach_1)\n").out for _ in range(2))
    assert first.splitlines()[:20] == second.splitlines()[:20]


def test_a_resumed_lesson_keeps_its_guide(wongar: Command) -> None:
    whole = wongar("learn", "wongar", "--lang", "en", answers="take(fish)\nplace(snake)\nundo\nundo\n")
    (save,) = wongar.saves()
    for _ in range(2):
        result = wongar("resume", str(save), "--lang", "en", answers="take(fish)\nplace(snake)\nundo\nundo\n")
        assert result.code == 0
        assert [line for line in result.out.splitlines() if line.startswith("▌")] == [
            line for line in whole.out.splitlines() if line.startswith("▌")
        ]


def test_a_copy_of_a_lesson_keeps_its_guide(wongar: Command, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    wongar("learn", "wongar", "--lang", "en", answers=f"save {copy}\ntake(fish)\n")
    assert "▌" in wongar("resume", str(copy), "--lang", "en", answers="take(fish)\n").out


def test_game_of_a_deleted_lesson_continues_without_hints(wongar: Command, tmp_path: Path) -> None:
    file = small_game(tmp_path)
    wongar("learn", file, "--lang", "en", answers="")
    (save,) = wongar.saves()
    for lesson in tmp_path.rglob("*.lesson.yaml"):
        lesson.unlink()
    result = wongar("resume", str(save), "--lang", "en", answers="take(2)\n")
    assert (result.code, result.err) == (0, "")
    assert choices_in(save)[0] == "take(2)"


def test_ordinary_game_has_no_hints(wongar: Command) -> None:
    wongar("play", "wongar", "--seats", "human,easy,easy", "--seed", "3", answers="1\n")
    assert "▌" not in wongar("resume", answers="1\n").out


def test_end_of_a_lesson_suggests_the_next_step(wongar: Command, tmp_path: Path) -> None:
    file = small_game(tmp_path)
    out = wongar("learn", file, "--lang", "en", answers="take(2)\nwait\nwait\n").out
    assert out.index("▌ This is hello.") < out.index("▌ This is first.") < out.index("▌ This is bye.")
    assert "wongar play" in out[out.index("▌ This is bye.") :]


def test_variant_uses_the_lesson_of_its_base(wongar: Command) -> None:
    result = wongar("learn", "wongar/initiated", "--lang", "en", answers="1\n")
    assert result.code == 0
    assert "▌ Welcome to Wongar!" in result.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_error_in_a_lesson_is_reported_with_its_line(wongar: Command, tmp_path: Path, language: str) -> None:
    file = small_game(tmp_path, LESSON.replace("decision: turn", "decision: trun"))
    for command in ("learn", "validate"):
        result = wongar(command, file, "--lang", language)
        assert result.code == 1
        assert "small.lesson.yaml:6" in result.out + result.err
        assert "trun" in result.out + result.err
        assert "`turn`" in result.out + result.err or "turn" in result.out + result.err
        assert "Traceback" not in result.err


def test_a_hint_without_words_is_a_warning(wongar: Command, tmp_path: Path) -> None:
    file = small_game(tmp_path, LESSON + "  - {name: wordless, when: start}\n")
    result = wongar("validate", file, "--lang", "en")
    assert result.code == 0
    assert "small.lesson.wordless" in result.out


def test_player_at_a_terminal_may_stop_at_the_end_of_the_lesson(wongar: Command, tmp_path: Path) -> None:
    file = small_game(tmp_path, LESSON.replace("{name: hello, when: start}", "{name: hello, when: start, pause: yes}"))
    with wongar.terminal("learn", file, "--lang", "en", "--drawn") as terminal:
        terminal.wait_for("Continue this game on your own?")
        terminal.type("no\r")
        assert "saved" in terminal.rest()


def test_explanation_precedes_the_table_at_a_terminal(wongar: Command, tmp_path: Path) -> None:
    with wongar.terminal("learn", small_game(tmp_path), "--lang", "en", "--drawn") as terminal:
        terminal.wait_for("Press Enter to continue.")
        terminal.type("\r")
        shown = terminal.wait_for("This is first.")
        assert "This is hello." not in shown


@pytest.mark.parametrize(("rows", "shown"), [(24, False), (50, True)])
def test_long_rules_do_not_push_a_hint_off_a_low_screen(wongar: Command, rows: int, shown: bool) -> None:
    with wongar.terminal("learn", "wongar", "--lang", "en", "--drawn", rows=rows) as terminal:
        terminal.wait_for("Press Enter to continue.")
        terminal.type("\r")
        text = terminal.wait_for("A good choice here: 8")
        assert ("They choose an area in which a face-up card lies." in text) is shown


def test_the_lessons_are_installed_with_the_rules(wongar: Command) -> None:
    from wongar_dsl.engine import library
    from wongar_dsl.session.tutorial.lesson_file import find_lesson

    for game in ("wongar", "tongiaki"):
        location = find_lesson(library.load(game))
        assert location is not None
        assert location[0].name == f"{game}.lesson.yaml"
