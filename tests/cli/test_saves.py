"""Saves: written after every decision, even if the program is killed, and validated when read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Command, choices_in
from wongar_dsl.cli.load_game import reopen
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


def test_resume_takes_the_newest_save_and_none_is_an_error(wongar: Command) -> None:
    for command, language in zip(("resume", "log"), ("nl", "de"), strict=True):
        result = wongar(command, "--lang", language)
        assert (result.code, len(result.err.splitlines())) == (1, 1)
    wongar(*TABLE, answers="1\n")
    wongar("play", "tictactoe", "--seats", "human,human", answers="1\n")
    newest = max(wongar.saves(), key=lambda f: f.stat().st_mtime_ns)
    wongar("resume", answers="b2\n")
    assert choices_in(newest) == ["mark(a3)", "mark(b2)"]


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
        {"version": 99}, {"version": None}, {"format": "something else"}, {"seats": [{"kind": "human", "name": ""}]},
        {"seats": [{"kind": "devil", "name": ""}] * 3}, {"seats": [{"kind": "human", "name": "\x1b[2J"}] * 3},
        {"seats": [7, None, []]}, {"seats": {}}, {"seed": "7"}, {"seed": -1}, {"seed": True}, {"seed": 10**400},
        {"options": {"nonsense": 3}}, {"options": {"cards_bonus": "8"}}, {"options": {"cards_bonus": 10**300}},
        {"options": []}, {"game": "no such game"}, {"game": 7}, {"file": "/no/such/file.rules"}, {"file": 7},
        {"beside": []}, {"language": {}}, {"chance": 4}, {"chance": 0}, {"rules": "0" * 64},
    ],
)  # fmt: skip
def test_a_save_with_a_broken_head_is_refused_with_one_sentence(wongar: Command, change: dict[str, object]) -> None:
    save = new_save(wongar)
    head, *rest = save.read_text().splitlines()
    save.write_text("\n".join([json.dumps(json.loads(head) | change), *rest, ""]))
    check_refused(wongar, save)


@pytest.mark.parametrize(
    "choices",
    [["take(moon)"], [[]], [["take(kangaroo)", "soon"]], [["take(kangaroo)", float("inf")]],
     [["take(kangaroo)", 10**50]], [["take(kangaroo)", -1]], [7], {}],
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
    save = wongar.play("connect_four", "1").save
    first = save.read_bytes()
    wongar("resume", str(save), answers="2\nundo\n3\n")
    assert save.read_bytes().startswith(first)
    added = [json.loads(line) for line in save.read_bytes()[len(first) :].splitlines()]
    assert added == [{"take": "drop(b1)"}, {"undo": 1}, {"take": "drop(c1)"}]
    assert choices_in(save) == ["drop(a1)", "drop(c1)"]


def test_save_of_version_1_is_resumed(wongar: Command) -> None:
    save = wongar.play("connect_four", "1", "2").save
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
    wongar.play(rules, "1", save=save)
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


def test_seed_of_a_game_with_secrets_is_shown_after_its_end(wongar: Command) -> None:
    save = wongar.home / "save.json"
    running = wongar(*TABLE[:-1], "987654321987", "--lang", "en", "--save", str(save), answers="1\n")
    assert "987654321987" not in running.out
    line = wongar("log", str(save), "--for", "1", "--format", "jsonl").out.splitlines()[0]
    assert json.loads(line)["seed"] is None
    for game, seats in (("kuhn_poker", "random,random"), ("nim", "human,random")):
        assert "987654321987" in wongar.play(game, seats=seats, seed=987654321987).out
