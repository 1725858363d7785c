"""Commands in unusual environments: streams, home folders, locales, terminals, names and numbers."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

import pytest

from tests.attacks.measured import Measured, Measuring
from tests.attacks.table import has_control_characters
from wongar_dsl.cli.declarations import files_below
from wongar_dsl.cli.errors import UserError
from wongar_dsl.cli.load_game import games_in
from wongar_dsl.nlg.words import Translator

GAME = """game g
    players 1 to 2
    source house rule
play
    player(1) chooses turn
        go(k: 1 to 3)
            nothing
    nobody wins
"""
CASES = "game: g.rules\nplayers: 2\ncases:\n  - name: x\n    moves: [go(1)]\n"
COMMANDS = {
    "play": ("play", "g.rules", "--seats", "random,random", "--save", "game.json"),
    "play a person": ("play", "g.rules", "--seats", "human,random"),
    "resume": ("resume", "begun.json"),
    "log": ("log", "begun.json"),
    "games": ("games",),
    "validate": ("validate", "g.rules"),
    "fmt": ("fmt", "g.rules"),
    "show": ("show", "g.rules"),
    "show plain": ("show", "--plain", "g.rules"),
    "rulebook": ("rulebook", "g.rules"),
    "rulebook md": ("rulebook", "--format", "md", "g.rules"),
    "words": ("words", "de", "--game", "nim"),
    "explain": ("explain", "R0101"),
    "test": ("test", "g.cases.yaml"),
    "perft": ("perft", "g.rules", "--depth", "1"),
    "simulate": ("simulate", "g.rules", "--games", "2"),
    "help": ("play", "--help"),
    "version": ("--version",),
}


@pytest.fixture
def home(tmp_path: Path, measuring: Measuring) -> Path:
    """Return a folder with a game, its cases, and a save."""
    (tmp_path / "g.rules").write_text(GAME)
    (tmp_path / "g.cases.yaml").write_text(CASES)
    begun = ["play", "g.rules", "--seats", "human,random", "--save", "begun.json"]
    assert measuring.run(begun, tmp_path, "quit\n").code == 0
    return tmp_path


def failures_of(done: Measured, what: object, codes: Container[int] = (0, 1, 2)) -> list[str]:
    """Return a list with a message if the command raised, was killed, was slow or had an unexpected code."""
    shown = done.out + done.err
    bad = (
        has_control_characters(shown)
        or "Traceback" in shown
        or "Internal error" in shown
        or done.code not in codes
        or done.seconds > 10
    )
    return [f"{str(what)[:150]}: {done.code}, {done.seconds:.0f} s, {shown[-300:]}"] if bad else []


#: Streams that are closed or full, and the expected exit code.
STREAMS: tuple[tuple[dict[str, str], int], ...] = (
    ({"out": "/dev/full"}, 1),
    ({"out": ""}, 1),
    ({"in": "", "err": ""}, 0),
    ({"in": "", "out": "", "err": ""}, 1),
)


def test_commands_handle_closed_and_full_streams(home: Path, measuring: Measuring) -> None:
    failures: list[str] = []
    for number, (name, arguments) in enumerate(COMMANDS.items()):
        streams, code = STREAMS[number % len(STREAMS)]
        done = measuring.run([*arguments], home, streams=streams)
        failures += failures_of(done, name, {code})
        if code == 1 and "err" not in streams and len(done.err.splitlines()) != 1:
            failures.append(f"{name}: {done.err}")
        (home / "game.json").unlink(missing_ok=True)
    assert not failures


def test_commands_run_in_any_environment(home: Path, measuring: Measuring) -> None:
    failures: list[str] = []
    for number, environment in enumerate(ENVIRONMENTS):
        name = ("play a person", "log", "games")[number % 3]
        done = measuring.run([*COMMANDS[name]], home, "1\n", **{"XDG_CACHE_HOME": None} | environment)
        failures += failures_of(done, (environment, name))
    assert not failures


ENVIRONMENTS: list[dict[str, str | None]] = [
    {"HOME": None},
    {"HOME": "/nonexistent"},
    {"HOME": "/dev/null"},
    {"HOME": "", "XDG_DATA_HOME": "relative", "XDG_CACHE_HOME": "\n", "XDG_CONFIG_HOME": "/dev/zero"},
    {"LANG": "xx_YY.nonsense", "LC_ALL": "\x1b[2J", "LANGUAGE": ":::../..:de"},
    {"LANG": "C", "PYTHONIOENCODING": "ascii"},
    {"WONGAR_LANG": "../../etc", "COLUMNS": "20", "TERM": "dumb"},
    {"COLUMNS": "-1", "LINES": "x"},
    {"COLUMNS": "9" * 30},
    {"COLUMNS": "1"},
]
NAMES = (
    "..",
    ".",
    "",
    "/dev",
    "x" * 5000,
    "\udcff",
    "%s",
    "~",
    "-",
    "de:",
    "a/b/c",
    "nul\u202e",
    "wongar/..",
    "*",
    "\x1b]0;pwn\x07\x9b2J\u202e\u2066x",
)
NAMED = (
    "play {} --seats random,random", "games --lang {}", "validate {}", "resume {}", "log {}", "explain {}", "words {}",
    "perft {}", "play g.rules --seats {}", "play g.rules --seats human:{},random", "play g.rules --set {}=1",
    "games --words {}", "log begun.json --for {}", "play g.rules --seats random,random --save {}/x",
    "simulate g.rules --games 1 --vs {}", "test {}", "words de --game {}", "fmt {}", "show {}",
)  # fmt: skip
NUMBERS = ("-1", "0", "1" + "0" * 30, "9" * 5000, "1e9", "\u0663", "", "1_0", "0x10", "nan", "1000000000")
NUMBERED = (
    "play g.rules --seats random,random --seed {}", "simulate g.rules --games 1 --seed {}", "log begun.json --for {}",
    "perft g.rules --depth 1 --seats {}", "perft g.rules --depth 1 --seed {}",
    "simulate g.rules --games 1 --seats random,random --jobs -5 --seed {}", "play g.rules --set x={}",
)  # fmt: skip


@pytest.mark.parametrize(("values", "commands"), [(NAMES, NAMED), (NUMBERS, NUMBERED)], ids=["names", "numbers"])
def test_invalid_names_and_numbers_are_refused(
    values: tuple[str, ...], commands: tuple[str, ...], home: Path, measuring: Measuring
) -> None:
    failures: list[str] = []
    for number, value in enumerate(values):
        # Each value is tried with some of the commands.
        for command in commands[number % 8 :: 8]:
            arguments = [part.format(value) for part in command.split()]
            failures += failures_of(measuring.run(arguments, home), arguments)
    assert not failures


def test_folder_with_undecodable_name_works(home: Path, measuring: Measuring) -> None:
    strange = home / "sch\udcf6n"
    strange.mkdir()
    (strange / "g.rules").write_text(GAME)
    (strange / "g.cases.yaml").write_text(CASES)
    save = f"{strange}/s.json"
    failures: list[str] = []
    for arguments in (
        ("play", f"{strange}/g.rules", "--seats", "random,random", "--save", save), ("log", save), ("resume", save),
        ("test", str(strange)), ("validate", str(strange), "--format", "json"),
    ):  # fmt: skip
        failures += failures_of(measuring.run([*arguments], home), arguments, (0,))
    assert not failures


def test_pipe_as_rule_file_does_not_block(home: Path, measuring: Measuring) -> None:
    assert measuring.run(["play", "g.rules", "--seats", "random,random"], home).code == 0
    (home / "g.rules").unlink()
    os.mkfifo(home / "g.rules")
    failures: list[str] = []
    for command in ("play", "test", "validate", "resume"):
        failures += failures_of(measuring.run([*COMMANDS[command]], home), command, (1,))
    assert not failures


def test_cyclic_links_and_bases_terminate(home: Path, measuring: Measuring) -> None:
    (home / "a.rules").symlink_to("b.rules")
    (home / "b.rules").symlink_to("a.rules")
    (home / "ring").symlink_to(".")
    (home / "self.rules").write_text("variant self of self\n    source house rule\n")
    failures: list[str] = []
    for arguments in (
        ("validate", "a.rules"), ("validate", "."), ("validate", "self.rules"), ("test", "."), ("log", "a.rules"),
        ("play", "ring/ring/ring/g.rules", "--seats", "random,random"), ("games", "--words", "ring"),
    ):  # fmt: skip
        failures += failures_of(measuring.run([*arguments], home), arguments)
    assert not failures


@pytest.mark.parametrize(("seconds", "games"), [(60.0, 3), (0.0, 0)])
def test_search_for_neighbouring_files_has_a_time_limit(
    seconds: float, games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wongar_dsl.cli.load_game.MAX_NEIGHBOUR_CPU_S", seconds)
    for name in "abc":
        (tmp_path / f"{name}.rules").write_text(GAME)
    beside, complete = games_in(tmp_path)
    assert (len(beside), complete) == (games, games == 3)


def test_search_for_files_has_a_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = Translator.load("en")
    for name in "abcd":
        (tmp_path / name).mkdir()
        (tmp_path / name / "g.rules").write_text(GAME)
    assert len(files_below(tmp_path, ".rules", words)) == 4
    for limit in ("MAX_FILES", "MAX_FOLDERS"):
        with monkeypatch.context() as patch:
            patch.setattr(f"wongar_dsl.cli.declarations.{limit}", 3)
            with pytest.raises(UserError, match="too much"):
                files_below(tmp_path, ".rules", words)
