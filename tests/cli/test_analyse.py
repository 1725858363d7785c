"""`wongar analyse`: a game afterwards, in the language of who reads it and with no more than they may know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import LANGUAGES, Command

SEATS = ("--seats", "human:Ada,human:Ben", "--seed", "1")


def saved(wongar: Command, game: str, *moves: str) -> str:
    path = wongar.home / f"{game}.json"
    wongar("play", game, *SEATS, "--save", str(path), answers="".join(f"{move}\n" for move in moves))
    return str(path)


@pytest.fixture
def given_away(wongar: Command) -> str:
    return saved(wongar, "tictactoe", "mark(a1)", "mark(b3)", "mark(a2)", "mark(c1)", "mark(a3)")


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("de", ["Entscheidung 4: Ben setzt auf c1.\n", "Besser für Ben als „Auf c1 setzen“: „Auf a3 setzen“\n"]),
        ("nl", ["Keuze 4: Ben neemt c1.\n", "Beter voor Ben dan “Veld c1 nemen”: “Veld a3 nemen”\n"]),
        ("it", ["Decisione 4: Ben segna c1.\n", "Meglio per Ben di «Segnare c1»: «Segnare a3»\n"]),
        ("en", ["Decision 4: Ben marks c1.\n", "Better for Ben than “Mark c1”: “Mark a3”\n"]),
    ],
)
def test_what_was_given_away_is_told_as_the_log_tells_it(
    wongar: Command, given_away: str, language: str, parts: list[str]
) -> None:
    told = wongar("analyse", given_away, "--iterations", "200", "--lang", language)
    assert (told.code, told.err) == (0, "")
    assert all(part in told.out for part in parts), told.out


def test_data_has_every_decision_and_is_the_same_each_time(wongar: Command, given_away: str) -> None:
    arguments = ("analyse", given_away, "--iterations", "50", "--format", "json")
    data = json.loads(wongar(*arguments).out)
    assert [one["taken"] for one in data["decisions"]] == ["mark(a1)", "mark(b3)", "mark(a2)", "mark(c1)", "mark(a3)"]
    assert data["decisions"][3]["best"] == "mark(a3)"
    assert {turn["reason"] for turn in data["turns"]} == {"choice"}
    assert json.loads(wongar(*arguments).out) == data


def test_from_one_seat_only_its_own_decisions_are_judged(wongar: Command) -> None:
    save = saved(wongar, "kuhn_poker", "pass", "bet", "call")
    for seats, who in (([1, 2, 1], ()), ([2], ("--for", "2")), ([1, 2, 1], ("--for", "all"))):
        data = json.loads(wongar("analyse", save, "--iterations", "20", "--format", "json", *who).out)
        assert [one["seat"] for one in data["decisions"]] == seats


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_with_secrets_that_goes_on_is_not_told_to_a_watcher(wongar: Command, language: str) -> None:
    save = saved(wongar, "kuhn_poker", "pass")
    refused = wongar("analyse", save, "--lang", language)
    assert refused.code == 2
    assert "--for 1" in refused.err
    assert wongar("analyse", save, "--for", "1", "--iterations", "20", "--lang", language).code == 0


def test_where_nothing_turned_that_is_said(wongar: Command) -> None:
    told = wongar("analyse", saved(wongar, "tictactoe"), "--lang", "en")
    assert told.code == 0
    assert "No player’s chance of winning ever changed" in told.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("/no/such/file",), 1), (("SAVE", "--for", "7"), 2), (("SAVE", "--iterations", "0"), 2), ((), 1)],
)
def test_what_cannot_be_analysed_is_told_in_the_language(
    wongar: Command, tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    save = saved(wongar, "nim", "1") if "SAVE" in arguments else ""
    told = [wongar("analyse", *(save if a == "SAVE" else a for a in arguments), "--lang", lang) for lang in LANGUAGES]
    assert {one.code for one in told} == {code}
    assert len({one.err for one in told}) == len(LANGUAGES)
