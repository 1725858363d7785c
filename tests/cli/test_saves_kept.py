"""Stored games: listed, resumed by number, pruned when finished, and replayed."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from pathlib import Path

import pytest

from tests.cli.command import Command
from wongar_dsl.engine.saves.saves import read_save

MOVES = "mark(a1)\nmark(b1)\nmark(a2)\nmark(b2)\nmark(a3)\n"


def saves_folder(wongar: Command) -> Path:
    return wongar.home / "data" / "wongar" / "saves"


def stored_game(wongar: Command, name: str, answers: str, *more: str, age: int) -> Path:
    """Play tic-tac-toe with a save in the default folder, set its age in seconds, and return the path."""
    path = saves_folder(wongar) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    seats = ("--seats", "human:Anna,human:Ben", "--seed", "1", *more)
    assert wongar("play", "tictactoe", *seats, "--save", str(path), answers=answers).code == 0
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def test_list_names_players_and_current_turn(wongar: Command) -> None:
    stored_game(wongar, "running", "mark(a1)\n", age=0)
    stored_game(wongar, "won", MOVES, age=60)
    out = wongar("saves", "--lang", "en").out
    assert [line.strip() for line in out.splitlines()][1::2][:2] == [
        "Anna and Ben; one decision; it is Ben’s turn",
        "Anna and Ben; 5 decisions; over: Anna won",
    ]
    out = wongar("saves", "--lang", "de").out
    assert "Ben ist am Zug" in out
    assert "zu Ende, gewonnen hat: Anna" in out


def test_json_list_holds_the_same_data(wongar: Command) -> None:
    stored_game(wongar, "running", "mark(a1)\n", age=0)
    won = stored_game(wongar, "won", MOVES, age=60)
    first, second = json.loads(wongar("saves", "--format", "json").out)
    assert (first["number"], first["decides"], first["over"], first["winners"]) == (1, 2, False, [])
    assert (second["file"], second["decides"], second["over"], second["winners"]) == (str(won), None, True, [1])
    assert second["players"] == ["Anna", "Ben"]


def test_a_broken_save_is_listed_as_such(wongar: Command) -> None:
    stored_game(wongar, "running", "mark(a1)\n", age=60)
    (saves_folder(wongar) / "broken.json").write_text("{")
    result = wongar("saves", "--lang", "en")
    assert result.code == 0
    assert "broken.json" in result.out
    assert json.loads(wongar("saves", "--format", "json").out)[0]["fault"] == "broken"


def test_empty_list_is_reported(wongar: Command) -> None:
    assert "There are no saved games" in wongar("saves", "--lang", "en").out
    assert json.loads(wongar("saves", "--format", "json").out) == []


def test_game_is_resumed_by_number_in_its_language(wongar: Command) -> None:
    stored_game(wongar, "newer", "mark(a1)\n", "--lang", "nl", age=0)
    older = stored_game(wongar, "older", "mark(c3)\n", "--lang", "it", age=60)
    result = wongar("resume", "2", answers="mark(b2)\n")
    assert result.code == 0
    assert [text for text, _ in read_save(older).choices] == ["mark(c3)", "mark(b2)"]
    assert "Ben, quale casella" in result.out or "Ben" in result.out
    assert read_save(older).language == "it"
    result = wongar("resume", "3", "--lang", "en")
    assert result.code == 1
    assert "no game with the number 3" in result.err


def test_prune_removes_finished_games_after_confirmation(wongar: Command) -> None:
    running, won = stored_game(wongar, "running", "mark(a1)\n", age=0), stored_game(wongar, "won", MOVES, age=60)
    refused = wongar("saves", "--prune", "--lang", "en")
    assert refused.code == 2
    assert won.exists()
    assert wongar("saves", "--prune", "--yes").code == 0
    assert (running.exists(), won.exists()) == (True, False)
    assert "None of the saved games" in wongar("saves", "--prune", "--lang", "en").out


def test_prune_keeps_a_game_open_elsewhere(wongar: Command) -> None:
    fcntl = pytest.importorskip("fcntl")
    won = stored_game(wongar, "won", MOVES, age=60)
    with won.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        result = wongar("saves", "--prune", "--yes", "--lang", "en")
    assert result.code == 1
    assert won.exists()


# ---- replay ----


def test_replay_moves_forwards_and_back(wongar: Command) -> None:
    stored_game(wongar, "won", MOVES, age=0)
    out = wongar("replay", "1", "--lang", "en", answers="n\nn\nb\n5\n<\n>\nnonsense\n77\nq\nn\n").out
    steps = [line for line in out.splitlines() if line.startswith(("Decision", "The start"))]
    numbers = [int(line.split()[1]) if line.startswith("Decision") else 0 for line in steps]
    assert numbers == [0, 1, 2, 1, 5, 0, 5]
    assert out.count("Type n (next)") == 2


def test_replay_without_input_shows_every_step(wongar: Command) -> None:
    path = stored_game(wongar, "won", MOVES, age=0)
    out = wongar("replay", str(path), "--lang", "de", answers="").out
    assert [f"Entscheidung {n} von 5" in out for n in range(1, 6)] == [True] * 5
    assert "Anna setzt auf a3." in out


def test_replay_hides_cards_from_seats_and_spectators(wongar: Command) -> None:
    path = wongar.home / "poker.json"
    seats = ("--seats", "human:Anna,human:Ben", "--seed", "4")
    wongar("play", "kuhn_poker", *seats, "--save", str(path), answers="pass\n")
    cards = {}
    for viewer in ("1", "2"):
        out = wongar("replay", str(path), "--lang", "en", "--for", viewer, answers="").out
        cards[viewer] = {card for card in ("jack", "queen", "king") if card in out}
    assert all(len(visible) == 1 for visible in cards.values())
    assert cards["1"] != cards["2"]
    watched = wongar("replay", str(path), "--lang", "en", answers="").out
    assert not any(card in watched for card in ("jack", "queen", "king"))
    refused = wongar("replay", str(path), "--lang", "en", "--for", "all", answers="")
    assert refused.code == 2
    assert "stays hidden" in refused.err


def test_replay_of_a_finished_game_shows_every_hand(wongar: Command) -> None:
    path = wongar.home / "poker.json"
    seats = ("--seats", "human:Anna,human:Ben", "--seed", "4")
    wongar("play", "kuhn_poker", *seats, "--save", str(path), answers="pass\npass\n")
    out = wongar("replay", str(path), "--lang", "en", answers="").out
    assert sum(card in out.partition("Decision 1")[0] for card in ("jack", "queen", "king")) == 2


def test_replay_names_choices_without_narration(wongar: Command) -> None:
    path = wongar.home / "save.json"
    seats = ("--seats", "human:Anna,human:Ben,human:Cleo", "--seed", "36")
    wongar("play", "wongar", *seats, "--save", str(path), answers="take(foot)\n")
    out = wongar("replay", str(path), "--lang", "en", "--for", "1", answers="n\n").out
    assert "Decision 1 of 1: Anna – Take the card from the foot area\n" in out


def test_play_from_accepts_the_number_of_a_game(wongar: Command) -> None:
    stored_game(wongar, "running", "mark(a1)\n", age=0)
    result = wongar("play", "tictactoe", "--from", "1", "--lang", "en", answers="mark(b2)\n")
    assert result.code == 0
    assert "The game continues from" in result.out


def test_listed_steps_explain_each_sign_once(wongar: Command) -> None:
    path = wongar.home / "wongar.json"
    seats = ("--seats", "human:Anna,human:Ben,human:Cleo", "--seed", "2")
    wongar("play", "wongar", *seats, "--save", str(path), answers="1\n1\n1\n")
    out = wongar("replay", str(path), "--lang", "en", "--for", "1", answers="").out
    assert out.count("Decision ") > 1
    assert out.count("■ Cube") == 1


# ---- games open elsewhere, running games ----


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "already open"), ("de", "anderen Fenster"), ("nl", "ander venster"), ("it", "altra finestra")],
)
def test_resume_reports_a_game_open_elsewhere(wongar: Command, language: str, told: str) -> None:
    fcntl = pytest.importorskip("fcntl")
    running = stored_game(wongar, "running", "mark(a1)\n", age=0)
    before = running.read_bytes()
    with running.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        result = wongar("resume", "1", "--lang", language, answers="mark(b2)\n")
    assert (result.code, running.read_bytes()) == (1, before)
    assert told in result.err


def test_list_marks_games_with_changed_rules(wongar: Command) -> None:
    running = stored_game(wongar, "running", "mark(a1)\n", age=0)
    rules = read_save(running).rules
    running.write_text(running.read_text().replace(rules, "0" * 64))
    assert "have changed since" in " ".join(wongar("saves", "--lang", "en").out.split())
    assert json.loads(wongar("saves", "--format", "json").out)[0]["fault"] == "other_rules"


@pytest.mark.parametrize("command", ["log", "replay"])
def test_log_and_replay_warn_about_hidden_information(wongar: Command, command: str) -> None:
    path = wongar.home / "poker.json"
    seats = ("--seats", "human:Anna,human:Ben", "--seed", "4")
    wongar("play", "kuhn_poker", *seats, "--save", str(path), answers="pass\n")
    result = wongar(command, str(path), "--lang", "en")
    assert "This game is not over" in result.err
    assert not any(card in result.out for card in ("jack", "queen", "king"))
    assert wongar(command, str(path), "--lang", "en", "--for", "1").err == ""
    open_game = stored_game(wongar, "running", "mark(a1)\n", age=0)
    assert wongar(command, str(open_game), "--lang", "en").err == ""


def test_json_log_has_no_warning(wongar: Command) -> None:
    path = wongar.home / "poker.json"
    seats = ("--seats", "human:Anna,human:Ben", "--seed", "4")
    wongar("play", "kuhn_poker", *seats, "--save", str(path), answers="pass\n")
    assert wongar("log", str(path), "--format", "jsonl").err == ""


def test_list_does_not_replay_intact_games(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    # A fresh seed, since earlier test runs may have cached the same game.
    seed = ("--seed", str(secrets.randbelow(2**60)))
    stored_game(wongar, "running", "mark(a1)\n", *seed, age=0)
    stored_game(wongar, "won", MOVES, *seed, age=60)

    def fail(*_: object) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr("wongar_dsl.session.saves.save_index.reopen_save", fail)
    out = wongar("saves", "--lang", "en").out
    assert "it is Ben’s turn" in out
    assert "Anna won" in out


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "Ben ist am Zug; in einem anderen Fenster geöffnet"),
        ("en", "it is Ben’s turn; open in another window"),
        ("it", "; aperta in un’altra finestra"),
        ("nl", "; in een ander venster geopend"),
    ],
)
def test_list_marks_games_open_elsewhere(wongar: Command, language: str, told: str) -> None:
    path = stored_game(wongar, "running", "mark(a1)\n", age=0)
    stored_game(wongar, "other", "mark(a1)\n", age=60)
    handle = path.open("rb")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert " ".join(wongar("saves", "--lang", language).out.split()).count(told) == 1
        assert [game["open"] for game in json.loads(wongar("saves", "--format", "json").out)] == [True, False]
    finally:
        handle.close()
    assert told not in " ".join(wongar("saves", "--lang", language).out.split())
