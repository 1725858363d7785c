"""Saves: written after every decision, even if the program is killed, and validated when read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, START, Command, ForkedCommand, choices_in, write_finished_game
from wongar_dsl.cli.arguments.load_game import reopen
from wongar_dsl.engine.saves.saves import read_save
from wongar_dsl.nlg.words import Translator

TABLE = ("play", "wongar", "--seats", "human:Anna,random,random", "--seed", "36")


def test_resume_continues_the_game(wongar: Command) -> None:
    whole, parts = wongar.home / "whole.json", wongar.home / "parts.json"
    answers = [f"{n}\n" for n in range(1, 31)] * 3
    wongar(*TABLE, "--save", str(whole), answers="".join(answers))
    wongar(*TABLE, "--save", str(parts), answers="".join(answers[:40]))
    result = wongar("resume", str(parts), "--lang", "it", answers="".join(answers[40:]))
    assert result.code == 0
    assert "La partita riprende dopo" in result.out
    assert choices_in(whole) == choices_in(parts)


def test_resume_selects_the_newest_save(wongar: Command) -> None:
    wongar(*TABLE, answers="1\n")
    wongar("play", "tictactoe", "--seats", "human,human", answers="1\n")
    newest = max(wongar.saves(), key=lambda f: f.stat().st_mtime_ns)
    wongar("resume", answers="b2\n")
    assert choices_in(newest) == ["mark(a3)", "mark(b2)"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_resume_without_a_save_is_an_error(wongar: Command, language: str) -> None:
    for command in ("resume", "log"):
        result = wongar(command, "--lang", language)
        assert result.code == 1
        assert len(result.err.splitlines()) == 1


def test_resume_of_a_finished_game_shows_its_end(wongar: Command) -> None:
    save = wongar.home / "save.json"
    write_finished_game(save, "wongar", ("Anna", "Bert", "Carl"), 36)
    result = wongar("resume", str(save), "--lang", "de")
    assert result.code == 0
    assert "Kartenmehrheiten" in result.out


def test_kill_at_any_moment_leaves_a_save(wongar: Command) -> None:
    game = ("play", "wongar", "--seats", "random,random,random", "--seed", "11", "--save")
    save, whole = wongar.home / "killed.json", wongar.home / "whole.json"
    wongar(*game, str(whole))
    right = choices_in(whole)
    for part in range(1, 3):
        reading, writing = os.pipe()
        process = ForkedCommand((*game, str(save)), writing, wongar.environment(), wongar.home)
        os.close(writing)
        with open(reading, encoding="utf-8") as told:
            for _ in range(2 + 60 * part):
                assert told.readline()
            time.sleep(0.01 * part)
            process.kill()
            assert process.wait() == -signal.SIGKILL
        choices = choices_in(save)
        assert choices == right[: len(choices)]
        assert 0 < len(choices) < len(right)
        assert wongar("resume", str(save)).code == 0
        assert choices_in(save) == right
        save.unlink()


def test_kill_between_decisions_of_a_player(wongar: Command) -> None:
    save = wongar.home / "killed.json"
    process = subprocess.Popen(
        [*START, "play", "tictactoe", "--seats", "human,human", "--save", str(save)],
        env=wongar.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("b2\na1\n")
    process.stdin.flush()
    text = ""
    while text.count("\n> ") < 3:
        text += process.stdout.read(1)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    assert choices_in(save) == ["mark(b2)", "mark(a1)"]


#: Content of the save that `new_save` returns.
_saved: list[bytes] = []


def new_save(wongar: Command) -> Path:
    """Return a save of a game after one decision, which is made only once for all tests."""
    save = wongar.home / "save.json"
    if not _saved:
        wongar(*TABLE, "--save", str(save), answers="1\n")
        _saved.append(save.read_bytes())
    save.write_bytes(_saved[0])
    return save


def version_1_of(save: Path) -> dict[str, object]:
    """Return a save in the format of version 1: one object with all data."""
    saved = read_save(save)
    head = json.loads(save.read_text().splitlines()[0])
    old = {key: head[key] for key in ("format", "game", "file", "rules", "options", "seats", "seed")}
    choices = [[text, time] if time else text for text, time in saved.choices]
    return old | {"version": 1, "choices": choices, "state": [0, 0, 0, 0, 0, 0, 0]}


@pytest.mark.parametrize(
    "change",
    [
        {"version": 99},
        {"version": None},
        {"format": "something else"},
        {"seats": [{"kind": "human", "name": ""}]},
        {"seats": [{"kind": "devil", "name": ""}] * 3},
        {"seats": [{"kind": "human", "name": "\x1b[2J"}] * 3},
        {"seats": [7, None, []]},
        {"seats": {}},
        {"seed": "7"},
        {"seed": -1},
        {"seed": True},
        {"seed": 10**400},
        {"options": {"nonsense": 3}},
        {"options": {"cards_bonus": "8"}},
        {"options": {"cards_bonus": 10**300}},
        {"options": []},
        {"game": "no such game"},
        {"game": 7},
        {"file": "/no/such/file.rules"},
        {"file": 7},
        {"beside": []},
        {"language": {}},
        {"chance": 4},
        {"chance": 0},
        {"rules": "0" * 64},
    ],
)
@pytest.mark.parametrize("version", [1, 2])
def test_a_save_with_a_broken_head_is_refused_with_one_sentence(
    wongar: Command, change: dict[str, object], version: int
) -> None:
    save = new_save(wongar)
    if version == 1:
        if set(change) & {"beside", "language", "chance"}:
            change = {"choices": {}}
        save.write_text(json.dumps(version_1_of(save) | change))
    else:
        head, *rest = save.read_text().splitlines()
        save.write_text("\n".join([json.dumps(json.loads(head) | change), *rest, ""]))
    check_refused(wongar, save)


@pytest.mark.parametrize(
    "choices",
    [["take(moon)"], [[]], [["take(kangaroo)", "soon"]], [["take(kangaroo)", float("inf")]],
     [["take(kangaroo)", 1e308]], [["take(kangaroo)", 10**50]], [["take(kangaroo)", -1]], [7], [None]],
)  # fmt: skip
def test_a_save_of_version_1_with_broken_choices_is_refused(wongar: Command, choices: object) -> None:
    save = new_save(wongar)
    save.write_text(json.dumps(version_1_of(save) | {"choices": choices}))
    check_refused(wongar, save)


@pytest.mark.parametrize(
    "line",
    ['{"take": "take(moon)"}', '{"take": 7}', '{"take": "take(kangaroo)", "time": "soon"}', '{"undo": 99}',
     '{"take": "take(kangaroo)", "time": Infinity}', '{"take": "take(kangaroo)", "time": 1e999}', '{"undo": -1}',
     '{"undo": 1.5}', '{"over": false}', '{"thought": NaN}', "[]", "7", "null", "{}", "{", "[" * 5000, "9" * 5000],
)  # fmt: skip
def test_a_save_with_a_broken_line_is_refused(wongar: Command, line: str) -> None:
    save = new_save(wongar)
    head, *rest = save.read_text().splitlines()
    save.write_text("\n".join([head, line, *rest, ""]))
    check_refused(wongar, save)


def check_refused(wongar: Command, save: Path) -> None:
    """Check that `resume` and `log` refuse a save with one sentence and do not change it."""
    before = save.read_bytes()
    for command in ("resume", "log"):
        result = wongar(command, str(save), "--lang", "de")
        assert result.code == 1
        assert str(save) in result.err
        assert len(result.err.splitlines()) == 1
        assert "schiefgegangen" not in result.err
    assert save.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"7" * 5000, b"null"])
def test_file_without_a_save_is_refused(wongar: Command, content: bytes) -> None:
    save = wongar.home / "save.json"
    save.write_bytes(content)
    result = wongar("resume", str(save), "--lang", "nl")
    assert (result.code, len(result.err.splitlines())) == (1, 1)
    assert "bevat geen partij" in result.err


def test_a_save_of_changed_rules_is_refused_with_an_explanation(wongar: Command) -> None:
    rules = wongar.home / "mine.rules"
    rules.write_text("variant mine of wongar\n\nset cards_bonus to 10\n")
    save = wongar.home / "save.json"
    arguments = ("--seats", "human,random,random", "--save", str(save))
    assert wongar("play", str(rules), *arguments, answers="1\n").code == 0
    assert read_save(save).file == str(rules)
    assert wongar("resume", str(save), answers="1\n").code == 0
    rules.write_text("variant mine of wongar\n\nset cards_bonus to 11\n")
    result = wongar("resume", str(save), "--lang", "de")
    assert result.code == 1
    assert "nach anderen Regeln gespielt" in result.err


def test_broken_rules_are_shown_as_diagnostics(wongar: Command) -> None:
    rules = wongar.home / "mine.rules"
    rules.write_text("variant mine of wongar\n\nset cards_bonuss to 10\n")
    result = wongar("play", str(rules), "--seats", "random,random,random", "--lang", "it")
    assert result.code == 1
    assert "R0" in result.err
    assert "cards_bonus" in result.err


def test_unwritable_save_is_reported_once(wongar: Command) -> None:
    (wongar.home / "file").write_text("")
    nowhere = wongar.home / "file" / "save.json"
    result = wongar(*TABLE, "--lang", "de", "--save", str(nowhere), answers="1\n1\nsave\n")
    assert result.code == 1
    assert result.out.count("lässt sich in") == 2  # once on its own, once for the command


def test_save_writes_a_copy(wongar: Command) -> None:
    copy = Path("copy.json")
    result = wongar(*TABLE, "--lang", "de", answers=f"1\nsave {wongar.home / copy}\n1\n")
    assert result.code == 0
    first, whole = choices_in(wongar.home / copy), choices_in(wongar.saves()[0])
    assert whole[: len(first)] == first
    assert 0 < len(first) < len(whole)


def test_log_of_a_seat_hides_other_cards(wongar: Command) -> None:
    save = wongar.home / "save.json"
    write_finished_game(save, "wongar", ("Anna", "Bert", "Carl"), 36)
    everything = [json.loads(line) for line in wongar("log", str(save), "--format", "jsonl").out.splitlines()]
    dealt = [e["arguments"]["card"] for e in everything[1]["setup"] if e.get("message") == "ritual_dealt"]
    assert None not in dealt
    for seat in (1, 2, 3):
        lines = wongar("log", str(save), "--format", "jsonl", "--for", str(seat)).out.splitlines()
        seen = [json.loads(line) for line in lines]
        shown = [e["arguments"]["card"] for e in seen[1]["setup"] if e.get("message") == "ritual_dealt"]
        assert shown == [card if i // 2 == seat - 1 else None for i, card in enumerate(dealt)]
        assert seen[0]["seed"] == 36  # The game is over.
        log = wongar("log", str(save), "--lang", "de", "--for", str(seat), "--every-step").out
        viewer = ("Anna", "Bert", "Carl")[seat - 1]
        for name in ("Anna", "Bert", "Carl"):
            drawn = [line for line in log.splitlines() if line.startswith(f"{name} zieht eine Ritualkarte")]
            assert drawn
            assert all(("„" in line) == (name == viewer) for line in drawn)
    assert wongar("log", str(save), "--for", "4").code == 2
    # By default, the log of a finished game shows everything.
    lines = wongar("log", str(save), "--lang", "de").out.splitlines()
    drawn = [line for line in lines if " zieht eine Ritualkarte" in line]
    assert drawn
    assert all("„" in line for line in drawn)


def test_read_error_is_reported_in_the_chosen_language(wongar: Command) -> None:
    missing = wongar("log", str(wongar.home / "nothing.json"), "--lang", "de")
    assert "lässt sich nicht lesen: diese Datei oder diesen Ordner gibt es nicht." in missing.out + missing.err


def test_incomplete_last_line_is_dropped_with_a_notice(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar(*TABLE, "--save", str(save), answers="1\n1\n")
    whole, text = choices_in(save), save.read_bytes()
    save.write_bytes(text[:-4])
    assert choices_in(save) == whole[:-1]
    result = wongar("resume", str(save), "--lang", "en", answers="")
    assert result.code == 0
    assert "cut off" in result.out
    assert choices_in(save)[: len(whole) - 1] == whole[:-1]
    assert not read_save(save).torn


def test_save_is_appended_to(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar("play", "connect_four", "--seats", "human,human", "--save", str(save), answers="1\n")
    first = save.read_bytes()
    wongar("resume", str(save), answers="2\nundo\n3\n")
    assert save.read_bytes().startswith(first)
    added = [json.loads(line) for line in save.read_bytes()[len(first) :].splitlines()]
    assert added == [{"take": "drop(b1)"}, {"undo": 1}, {"take": "drop(c1)"}]
    assert choices_in(save) == ["drop(a1)", "drop(c1)"]


def test_save_of_version_1_is_resumed(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar("play", "connect_four", "--seats", "human,human", "--save", str(save), answers="1\n2\n")
    save.write_text(json.dumps(version_1_of(save)))
    assert wongar("resume", str(save), answers="3\n").code == 0
    saved = read_save(save)
    assert (saved.version, choices_in(save)) == (2, ["drop(a1)", "drop(b1)", "drop(c1)"])
    assert wongar("log", str(save)).code == 0


def test_save_is_locked_against_a_second_program(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar(*TABLE, "--save", str(save), answers="1\n")
    table = reopen(save, Translator.load("en"), writing=True)
    try:
        before = save.read_bytes()
        for command in (("resume", str(save)), (*TABLE, "--save", str(save))):
            result = wongar(*command, "--lang", "en", answers="1\n")
            assert "another window" in result.err + result.out
        assert save.read_bytes() == before
        assert wongar("log", str(save)).code == 0
    finally:
        table.close()
    assert wongar("resume", str(save), answers="1\n").code == 0


def test_save_can_be_moved_together_with_its_rules(wongar: Command) -> None:
    old_folder, new_folder = wongar.home / "here", wongar.home / "there"
    (old_folder / "rules").mkdir(parents=True)
    rules, save = old_folder / "rules" / "mine.rules", old_folder / "save.json"
    rules.write_text("variant mine of connect_four\n")
    wongar("play", str(rules), "--seats", "human,human", "--save", str(save), answers="1\n")
    old_folder.rename(new_folder)
    assert wongar("resume", str(new_folder / "save.json"), answers="2\n").code == 0
    assert choices_in(new_folder / "save.json") == ["drop(a1)", "drop(b1)"]
    (new_folder / "rules" / "mine.rules").rename(new_folder / "mine.rules")
    assert wongar("resume", str(new_folder / "save.json"), answers="3\n").code == 0


def test_leftover_of_a_killed_write_is_deleted(wongar: Command) -> None:
    save = wongar.home / "save.json"
    partial = wongar.home / f".{save.name}.abcd1234.part"
    partial.write_text("half a sa")
    wongar(*TABLE, "--save", str(save), answers="1\n")
    assert save.exists()
    assert not partial.exists()


def test_path_without_a_regular_file_is_refused(wongar: Command) -> None:
    fifo = wongar.home / "fifo"
    os.mkfifo(fifo)
    for path in ("/dev/zero", str(fifo), str(wongar.home)):
        for command in ("log", "resume"):
            result = wongar(command, path, "--lang", "en")
            assert (result.code, len(result.err.splitlines())) == (1, 1)
            assert path in result.err


def test_seed_of_a_game_with_secrets_is_shown_after_its_end(wongar: Command) -> None:
    save = wongar.home / "save.json"
    running = wongar(*TABLE[:-1], "987654321987", "--lang", "en", "--save", str(save), answers="1\n")
    assert "987654321987" not in running.out
    line = wongar("log", str(save), "--for", "1", "--format", "jsonl").out.splitlines()[0]
    assert json.loads(line)["seed"] is None
    over = wongar("play", "kuhn_poker", "--seats", "random,random", "--seed", "987654321987", "--lang", "en")
    assert "987654321987" in over.out
    open_game = wongar("play", "nim", "--seats", "human,random", "--seed", "987654321987", "--lang", "en")
    assert "987654321987" in open_game.out
