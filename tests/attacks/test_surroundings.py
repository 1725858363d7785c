"""Every command in strange surroundings: streams, homes, locales, terminals, names and numbers that nobody expects."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

import pytest

from tests.attacks.measured import Measured, Measuring
from tests.attacks.table import steers
from wongar_dsl.cli.commands.options import files_below
from wongar_dsl.cli.commands.validate import games_in
from wongar_dsl.cli.errors import Refusal
from wongar_dsl.words import Words

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
    """A folder with a game, its cases, and a game that was begun."""
    (tmp_path / "g.rules").write_text(GAME)
    (tmp_path / "g.cases.yaml").write_text(CASES)
    begun = ["play", "g.rules", "--seats", "human,random", "--save", "begun.json"]
    assert measuring.run(begun, tmp_path, "quit\n").code == 0
    return tmp_path


def broken(done: Measured, what: object, codes: Container[int] = (0, 1, 2)) -> list[str]:
    """What came that must not: an exception, a signal, another code, or something that takes long."""
    shown = done.out + done.err
    bad = (
        steers(shown)
        or "Traceback" in shown
        or "Something went wrong" in shown
        or done.code not in codes
        or done.seconds > 10
    )
    return [f"{str(what)[:150]}: {done.code}, {done.seconds:.0f} s, {shown[-300:]}"] if bad else []


@pytest.mark.parametrize(
    ("streams", "codes"),
    [
        ({"out": "/dev/full"}, {1}),
        ({"out": ""}, {1}),
        ({"in": "", "err": ""}, {0}),
        ({"in": "", "out": "", "err": ""}, {1}),
    ],
    ids=["full", "output closed", "others closed", "all closed"],
)
def test_every_command_lives_with_its_streams(
    streams: dict[str, str], codes: set[int], home: Path, measuring: Measuring
) -> None:
    found: list[str] = []
    for name, arguments in COMMANDS.items():
        done = measuring.run([*arguments], home, streams=streams)
        found += broken(done, name, codes)
        if codes == {1} and "err" not in streams and len(done.err.splitlines()) != 1:
            found.append(f"{name}: {done.err}")
        (home / "game.json").unlink(missing_ok=True)
    assert not found


def test_commands_live_in_any_environment(home: Path, measuring: Measuring) -> None:
    found: list[str] = []
    for number, environment in enumerate(ENVIRONMENTS):
        name = ("play a person", "log", "games")[number % 3]
        found += broken(measuring.run([*COMMANDS[name]], home, "1\n", **environment), (environment, name))
    assert not found


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
NAMES = ("..", ".", "", "/dev", "x" * 5000, "\udcff", "%s", "~", "-", "de:", "a/b/c", "nul\u202e", "wongar/..", "*")
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
def test_what_nobody_means_is_refused(
    values: tuple[str, ...], commands: tuple[str, ...], home: Path, measuring: Measuring
) -> None:
    found: list[str] = []
    for number, value in enumerate(values):
        # Each value at some of the commands, each command with some of the values.
        for command in commands[number % 6 :: 6]:
            arguments = [part.format(value) for part in command.split()]
            found += broken(measuring.run(arguments, home), arguments)
    assert not found


def test_a_folder_whose_name_is_no_text_holds_games(home: Path, measuring: Measuring) -> None:
    strange = home / "sch\udcf6n"
    strange.mkdir()
    (strange / "g.rules").write_text(GAME)
    (strange / "g.cases.yaml").write_text(CASES)
    save = f"{strange}/s.json"
    found: list[str] = []
    for arguments in (
        ("play", f"{strange}/g.rules", "--seats", "random,random", "--save", save), ("log", save), ("resume", save),
        ("test", str(strange)), ("validate", str(strange), "--format", "json"),
    ):  # fmt: skip
        found += broken(measuring.run([*arguments], home), arguments, (0,))
    assert not found


def test_a_rule_file_that_became_a_pipe_is_not_waited_for(home: Path, measuring: Measuring) -> None:
    assert measuring.run(["play", "g.rules", "--seats", "random,random"], home).code == 0
    (home / "g.rules").unlink()
    os.mkfifo(home / "g.rules")
    found: list[str] = []
    for command in ("play", "test", "validate", "resume"):
        found += broken(measuring.run([*COMMANDS[command]], home), command, (1,))
    assert not found


def test_rings_of_links_end(home: Path, measuring: Measuring) -> None:
    (home / "a.rules").symlink_to("b.rules")
    (home / "b.rules").symlink_to("a.rules")
    (home / "ring").symlink_to(".")
    (home / "self.rules").write_text("variant self of self\n    source house rule\n")
    found: list[str] = []
    for arguments in (
        ("validate", "a.rules"), ("validate", "."), ("validate", "self.rules"), ("test", "."), ("log", "a.rules"),
        ("play", "ring/ring/ring/g.rules", "--seats", "random,random"), ("games", "--words", "ring"),
    ):  # fmt: skip
        found += broken(measuring.run([*arguments], home), arguments)
    assert not found


@pytest.mark.parametrize(("seconds", "games"), [(60.0, 3), (0.0, 0)])
def test_files_beside_one_are_read_as_long_as_there_is_time(
    seconds: float, games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wongar_dsl.cli.opening.NEIGHBOURS", seconds)
    for name in "abc":
        (tmp_path / f"{name}.rules").write_text(GAME)
    beside, complete = games_in(tmp_path)
    assert (len(beside), complete) == (games, games == 3)


def test_more_folders_than_one_would_name_are_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = Words.load("en")
    for name in "abcd":
        (tmp_path / name).mkdir()
        (tmp_path / name / "g.rules").write_text(GAME)
    assert len(files_below(tmp_path, ".rules", words)) == 4
    for limit in ("MOST_FILES", "MOST_FOLDERS"):
        with monkeypatch.context() as patch:
            patch.setattr(f"wongar_dsl.cli.commands.options.{limit}", 3)
            with pytest.raises(Refusal, match="too much"):
                files_below(tmp_path, ".rules", words)
