"""`wongar analyse`: review of a saved game, in the reader's language and without information hidden from the reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import LANGUAGES, Command

SEATS = ("--seats", "human:Ada,human:Ben", "--seed", "1")


def save_of_game(wongar: Command, game: str, *moves: str) -> str:
    path = wongar.home / f"{game}.json"
    wongar("play", game, *SEATS, "--save", str(path), answers="".join(f"{move}\n" for move in moves))
    return str(path)


@pytest.fixture
def save_with_a_mistake(wongar: Command) -> str:
    return save_of_game(wongar, "tictactoe", "mark(a1)", "mark(b3)", "mark(a2)", "mark(c1)", "mark(a3)")


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("de", ["Entscheidung 4: Ben setzt auf c1.\n", "Besser für Ben als „Auf c1 setzen“: „Auf a3 setzen“\n"]),
        ("nl", ["Keuze 4: Ben neemt c1.\n", "Beter voor Ben dan “Veld c1 nemen”: “Veld a3 nemen”\n"]),
        ("it", ["Decisione 4: Ben segna c1.\n", "Meglio per Ben di «Segnare c1»: «Segnare a3»\n"]),
        ("en", ["Decision 4: Ben marks c1.\n", "Better for Ben than “Mark c1”: “Mark a3”\n"]),
    ],
)
def test_mistake_is_reported_in_the_words_of_the_log(
    wongar: Command, save_with_a_mistake: str, language: str, parts: list[str]
) -> None:
    result = wongar("analyse", save_with_a_mistake, "--iterations", "200", "--lang", language)
    assert (result.code, result.err) == (0, "")
    assert all(part in result.out for part in parts), result.out


def test_json_holds_every_decision_and_is_reproducible(wongar: Command, save_with_a_mistake: str) -> None:
    arguments = ("analyse", save_with_a_mistake, "--iterations", "50", "--format", "json")
    data = json.loads(wongar(*arguments).out)
    assert [decision["taken"] for decision in data["decisions"]] == [
        "mark(a1)",
        "mark(b3)",
        "mark(a2)",
        "mark(c1)",
        "mark(a3)",
    ]
    assert data["decisions"][3]["best"] == "mark(a3)"
    assert {turn["reason"] for turn in data["turns"]} == {"choice"}
    assert json.loads(wongar(*arguments).out) == data


def test_only_decisions_of_the_given_seat_are_judged(wongar: Command) -> None:
    save = save_of_game(wongar, "kuhn_poker", "pass", "bet", "call")
    for seats, viewer in (([1, 2, 1], ()), ([2], ("--for", "2")), ([1, 2, 1], ("--for", "all"))):
        data = json.loads(wongar("analyse", save, "--iterations", "20", "--format", "json", *viewer).out)
        assert [decision["seat"] for decision in data["decisions"]] == seats


@pytest.mark.parametrize("language", LANGUAGES)
def test_spectator_gets_no_analysis_of_a_running_game_with_secrets(wongar: Command, language: str) -> None:
    save = save_of_game(wongar, "kuhn_poker", "pass")
    refused = wongar("analyse", save, "--lang", language)
    assert refused.code == 2
    assert "--for 1" in refused.err
    assert wongar("analyse", save, "--for", "1", "--iterations", "20", "--lang", language).code == 0


def test_game_without_turning_points_is_reported_as_such(wongar: Command) -> None:
    result = wongar("analyse", save_of_game(wongar, "tictactoe"), "--lang", "en")
    assert result.code == 0
    assert "No player’s chance of winning ever changed" in result.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("/no/such/file",), 1), (("SAVE", "--for", "7"), 2), (("SAVE", "--iterations", "0"), 2), ((), 1)],
)
def test_errors_are_reported_in_the_chosen_language(
    wongar: Command, tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    save = save_of_game(wongar, "nim", "1") if "SAVE" in arguments else ""
    results = [
        wongar("analyse", *(save if a == "SAVE" else a for a in arguments), "--lang", lang) for lang in LANGUAGES
    ]
    assert {result.code for result in results} == {code}
    assert len({result.err for result in results}) == len(LANGUAGES)
