"""Saves: written after every decision whatever happens, read again with care."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, START, Command

TABLE = ("play", "wongar", "--seats", "human:Anna,random,random", "--seed", "7")


def test_resume_goes_on_where_the_game_was_left(wongar: Command) -> None:
    whole, parts = wongar.home / "whole.json", wongar.home / "parts.json"
    answers = [f"{n}\n" for n in range(1, 31)] * 3
    wongar(*TABLE, "--save", str(whole), answers="".join(answers))
    wongar(*TABLE, "--save", str(parts), answers="".join(answers[:40]))
    result = wongar("resume", str(parts), "--lang", "it", answers="".join(answers[40:]))
    assert result.code == 0
    assert "La partita riprende dopo" in result.out
    assert json.loads(whole.read_text()) | {"language": "it"} == json.loads(parts.read_text())


def test_resume_takes_the_newest(wongar: Command) -> None:
    wongar(*TABLE, answers="1\n")
    wongar("play", "tictactoe", "--seats", "human,human", answers="1\n")
    newest = max(wongar.saves(), key=lambda f: f.stat().st_mtime_ns)
    wongar("resume", answers="b2\n")
    assert json.loads(newest.read_text())["choices"] == ["mark(a3)", "mark(b2)"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_save_there_is_nothing_to_resume(wongar: Command, language: str) -> None:
    for command in ("resume", "log"):
        result = wongar(command, "--lang", language)
        assert result.code == 1
        assert len(result.err.splitlines()) == 1


def test_a_finished_game_shows_its_end_again(wongar: Command) -> None:
    wongar("play", "wongar", "--seats", "random,random,random", "--seed", "7")
    result = wongar("resume", "--lang", "de")
    assert result.code == 0
    assert "Kartenmehrheiten" in result.out


def test_kill_at_any_moment_leaves_a_save(wongar: Command) -> None:
    save = wongar.home / "killed.json"
    seats = "random,random,random,random,random"
    command = [*START, "play", "wongar", "--seats", seats, "--seed", "11", "--save", str(save)]
    whole = wongar.home / "whole.json"
    wongar("play", "wongar", "--seats", seats, "--seed", "11", "--save", str(whole))
    right = json.loads(whole.read_text())["choices"]
    for part in range(3):
        process = subprocess.Popen(command, env=wongar.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wanted = 2 + 60 * part
        assert process.stdout is not None
        told = 0
        while told < wanted and process.stdout.readline():
            told += 1
        time.sleep(0.01 * part)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        choices = json.loads(save.read_text())["choices"]
        assert choices == right[: len(choices)]
        assert wongar("resume", str(save)).code == 0
        assert json.loads(save.read_text())["choices"] == right
        save.unlink()


def test_kill_between_decisions_of_a_person(wongar: Command) -> None:
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
    assert json.loads(save.read_text())["choices"] == ["mark(b2)", "mark(a1)"]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data | {"version": 99},
        lambda data: data | {"format": "something else"},
        lambda data: data | {"choices": ["take(moon)"]},
        lambda data: data | {"choices": [[]]},
        lambda data: data | {"choices": [["take(kangaroo)", "soon"]]},
        lambda data: data | {"choices": {}},
        lambda data: data | {"seats": [{"kind": "human", "name": ""}]},
        lambda data: data | {"seats": [{"kind": "devil", "name": ""}] * 3},
        lambda data: data | {"seats": [{"kind": "human", "name": "\x1b[2J"}] * 3},
        lambda data: data | {"seats": [7, None, []]},
        lambda data: data | {"state": []},
        lambda data: data | {"seed": "7"},
        lambda data: data | {"seed": -(10**400)},
        lambda data: data | {"options": {"nonsense": 3}},
        lambda data: data | {"options": {"cards_bonus": "8"}},
        lambda data: data | {"game": "no such game"},
        lambda data: data | {"game": 7},
        lambda data: data | {"file": "/no/such/file.rules"},
        lambda data: data | {"rules": "0" * 64},
        lambda data: [],
        lambda data: None,
    ],
)
def test_a_broken_save_is_refused_with_one_sentence(wongar: Command, change: object) -> None:
    save = wongar.home / "save.json"
    wongar(*TABLE, "--save", str(save), answers="1\n")
    assert callable(change)
    save.write_text(json.dumps(change(json.loads(save.read_text()))))
    before = save.read_bytes()
    for command in ("resume", "log"):
        result = wongar(command, str(save), "--lang", "de")
        assert result.code == 1
        assert str(save) in result.err
        assert len(result.err.splitlines()) == 1
        assert "schiefgegangen" not in result.err
    assert save.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"7" * 5000, b"null"])
def test_a_file_that_is_no_save_is_refused(wongar: Command, content: bytes) -> None:
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
    assert json.loads(save.read_text())["file"] == str(rules)
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


def test_a_disk_that_takes_no_save_is_told_once(wongar: Command) -> None:
    (wongar.home / "file").write_text("")
    nowhere = wongar.home / "file" / "save.json"
    result = wongar(*TABLE, "--lang", "de", "--save", str(nowhere), answers="1\n1\nsave\n")
    assert result.code == 0
    assert result.out.count("lässt sich in") == 2  # once by itself, once for the command


def test_save_writes_a_copy(wongar: Command) -> None:
    copy = Path("copy.json")
    result = wongar(*TABLE, "--lang", "de", answers=f"1\nsave {wongar.home / copy}\n1\n")
    assert result.code == 0
    assert len(json.loads((wongar.home / copy).read_text())["choices"]) == 1
    assert len(json.loads(wongar.saves()[0].read_text())["choices"]) > 1


def test_log_tells_only_what_a_seat_may_see(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar("play", "wongar", "--seats", "random:Anna,random:Bert,random:Carl", "--seed", "7", "--save", str(save))
    everything = [json.loads(line) for line in wongar("log", str(save), "--format", "jsonl").out.splitlines()]
    dealt = [e["arguments"]["card"] for e in everything[1]["setup"] if e.get("message") == "ritual_dealt"]
    assert None not in dealt
    for seat in (1, 2, 3):
        lines = wongar("log", str(save), "--format", "jsonl", "--for", str(seat)).out.splitlines()
        seen = [json.loads(line) for line in lines]
        shown = [e["arguments"]["card"] for e in seen[1]["setup"] if e.get("message") == "ritual_dealt"]
        assert shown == [card if i // 2 == seat - 1 else None for i, card in enumerate(dealt)]
        assert seen[0]["seed"] is None
        told = wongar("log", str(save), "--lang", "de", "--for", str(seat)).out
        own = ("Anna", "Bert", "Carl")[seat - 1]
        for name in ("Anna", "Bert", "Carl"):
            drawn = [line for line in told.splitlines() if line.startswith(f"{name} zieht eine Ritualkarte")]
            assert drawn
            assert all(("„" in line) == (name == own) for line in drawn)
    assert wongar("log", str(save), "--for", "4").code == 2


def test_without_a_seat_the_log_tells_all_as_to_a_referee(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar("play", "wongar", "--seats", "random:Anna,random:Bert,random:Carl", "--seed", "7", "--save", str(save))
    told = wongar("log", str(save), "--lang", "de").out.splitlines()
    drawn = [line for line in told if " zieht eine Ritualkarte" in line]
    assert drawn
    assert all("„" in line for line in drawn)


def test_why_a_file_cannot_be_read_is_told_in_the_language_spoken(wongar: Command) -> None:
    missing = wongar("log", str(wongar.home / "nothing.json"), "--lang", "de")
    assert "lässt sich nicht lesen: diese Datei oder diesen Ordner gibt es nicht." in missing.out + missing.err
