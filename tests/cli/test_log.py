"""Logs and reviews of saved games: `wongar log --articles` and `--every-step`, and `wongar analyse`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.command import Command

RULES = (Path(__file__).parents[2] / "rules" / "classics" / "kuhn_poker.rules").read_text(encoding="utf-8").splitlines()


def save_of_bot_game(wongar: Command) -> str:
    played = wongar.play("kuhn_poker", seats="random:Anna,random:Bert", seed=3)
    assert played.code == 0
    return str(played.save)


def test_each_sentence_names_its_declaration_and_line(wongar: Command) -> None:
    lines = wongar("log", save_of_bot_game(wongar), "--lang", "en", "--articles").out.splitlines()
    dealt = next(number for number, line in enumerate(lines) if " is dealt " in line)
    match = re.fullmatch(r"\s*– .+ \((\w+), kuhn_poker\.rules:(\d+)\)(: .+)?", lines[dealt + 1])
    assert match is not None
    assert "dealt" in RULES[int(match[2]) - 1]
    assert any(line.split() and line.split()[-1] == match[1] for line in RULES[: int(match[2])]) or match[1] == "setup"


def test_quoted_declarations_match_the_rulebook(wongar: Command) -> None:
    language = "it"
    sentence = "Ogni giocatore riceve una carta a caso dal tallone, che diventa la sua carta in mano."
    log = wongar("log", save_of_bot_game(wongar), "--lang", language, "--articles").out
    dealt = 1 + next(index for index, line in enumerate(RULES) if "as dealt" in line)
    assert f"(setup, kuhn_poker.rules:{dealt}): {sentence}\n" in log
    quoted = re.findall(r"\(\w+, kuhn_poker\.rules:\d+\): (.+?)[.:]$", log, re.MULTILINE)
    book = " ".join(
        wongar("rulebook", "kuhn_poker", "--style", "reference", "--players", "2", "--lang", language).out.split()
    ).casefold()
    assert [text for text in quoted if text.casefold() not in book] == []


def test_records_differ_only_in_the_added_declarations(wongar: Command) -> None:
    save = save_of_bot_game(wongar)
    plain = wongar("log", save, "--format", "jsonl").out
    records = [json.loads(line) for line in wongar("log", save, "--format", "jsonl", "--articles").out.splitlines()]
    for record in records:
        for event in (*record.get("setup", ()), *record.get("events", ())):
            place = event.pop("article")
            assert place["file"] == "kuhn_poker.rules"
            assert place.get("sentence", "A.")[0].isupper()
            assert not event.get("message") or event["message"] in RULES[place["line"] - 1]
    assert [json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in records] == plain.splitlines()


def test_declarations_are_refused_to_a_single_seat(wongar: Command) -> None:
    save = save_of_bot_game(wongar)
    for form in ("text", "jsonl"):
        refused = wongar("log", save, "--lang", "de", "--articles", "--for", "1", "--format", form)
        assert refused.code == 2
        assert refused.out == ""
        assert "--for all" in refused.err


def test_every_step_option_narrates_steps_separately(wongar: Command) -> None:
    save = save_of_bot_game(wongar)
    assert "Anna is dealt a queen and Bert a king." in wongar("log", save, "--lang", "en").out
    steps = wongar("log", save, "--lang", "en", "--every-step").out.splitlines()
    assert [line for line in steps if " is dealt " in line] == ["Anna is dealt a queen.", "Bert is dealt a king."]


def test_quote_of_an_indented_line_excludes_what_follows(wongar: Command) -> None:
    # Three players of Wongar; the first may draw a ritual card at once.
    played = wongar.play("wongar", "take(foot)", "draw", seats="human,random,random", seed=36)
    log = wongar("log", str(played.save), "--lang", "de", "--articles", "--for", "all").out
    assert "(wongar.rules:179): Der Spieler nimmt die oberste Karte des Ritualkartenstapels auf die Hand.\n" in log


def save_of_game(wongar: Command, game: str, *moves: str) -> str:
    return str(wongar.play(game, *moves).save)


@pytest.fixture
def save_with_a_mistake(wongar: Command) -> str:
    return save_of_game(wongar, "tictactoe", "mark(a1)", "mark(b3)", "mark(a2)", "mark(c1)", "mark(a3)")


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("de", ["Entscheidung 4: Ben setzt auf c1.\n", "Besser für Ben als „Auf c1 setzen“: „Auf a3 setzen“\n"]),
        ("it", ["Decisione 4: Ben segna c1.\n", "Meglio per Ben di «Segnare c1»: «Segnare a3»\n"]),
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
    assert [decision["taken"][5:7] for decision in data["decisions"]] == ["a1", "b3", "a2", "c1", "a3"]
    assert data["decisions"][3]["best"] == "mark(a3)"
    assert {turn["reason"] for turn in data["turns"]} == {"choice"}
    assert json.loads(wongar(*arguments).out) == data


def test_only_decisions_of_the_given_seat_are_judged(wongar: Command) -> None:
    save = save_of_game(wongar, "kuhn_poker", "pass", "bet", "call")
    for seats, viewer in (([1, 2, 1], ()), ([2], ("--for", "2")), ([1, 2, 1], ("--for", "all"))):
        data = json.loads(wongar("analyse", save, "--iterations", "20", "--format", "json", *viewer).out)
        assert [decision["seat"] for decision in data["decisions"]] == seats


def test_spectator_gets_no_analysis_of_a_running_game_with_secrets(wongar: Command) -> None:
    save = save_of_game(wongar, "kuhn_poker", "pass")
    refused = wongar("analyse", save, "--lang", "nl")
    assert refused.code == 2
    assert "--for 1" in refused.err
    assert wongar("analyse", save, "--for", "1", "--iterations", "20").code == 0


def test_game_without_turning_points_is_reported_as_such(wongar: Command) -> None:
    result = wongar("analyse", save_of_game(wongar, "tictactoe"), "--lang", "en")
    assert result.code == 0
    assert "No player’s chance of winning ever changed" in result.out
