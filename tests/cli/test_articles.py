"""`wongar log --articles`: the source declaration of each event. Also `--every-step`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.command import Command

RULES = (Path(__file__).parents[2] / "rules" / "classics" / "kuhn_poker.rules").read_text(encoding="utf-8").splitlines()


def save_of_bot_game(wongar: Command) -> str:
    save = str(wongar.home / "save.json")
    assert wongar("play", "kuhn_poker", "--seats", "random:Anna,random:Bert", "--seed", "3", "--save", save).code == 0
    return save


def test_each_sentence_names_its_declaration_and_line(wongar: Command) -> None:
    lines = wongar("log", save_of_bot_game(wongar), "--lang", "en", "--articles").out.splitlines()
    dealt = next(number for number, line in enumerate(lines) if " is dealt " in line)
    match = re.fullmatch(r"\s*– .+ \((\w+), kuhn_poker\.rules:(\d+)\)(: .+)?", lines[dealt + 1])
    assert match is not None
    assert "dealt" in RULES[int(match[2]) - 1]
    assert any(line.split() and line.split()[-1] == match[1] for line in RULES[: int(match[2])]) or match[1] == "setup"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Jeder Spieler bekommt eine zufällige Karte vom Stapel als seine Handkarte."),
        ("it", "Ogni giocatore riceve una carta a caso dal tallone, che diventa la sua carta in mano."),
    ],
)
def test_quoted_declarations_match_the_rulebook(wongar: Command, language: str, sentence: str) -> None:
    log = wongar("log", save_of_bot_game(wongar), "--lang", language, "--articles").out
    dealt = 1 + next(index for index, line in enumerate(RULES) if "as dealt" in line)
    assert f"(setup, kuhn_poker.rules:{dealt}): {sentence}\n" in log
    quoted = re.findall(r"\(\w+, kuhn_poker\.rules:\d+\): (.+?)[.:]$", log, re.MULTILINE)
    book = " ".join(wongar("rulebook", "kuhn_poker", "--players", "2", "--lang", language).out.split()).casefold()
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
    save = str(wongar.home / "save.json")
    wongar("play", "wongar", "--seats", "random,random,random", "--seed", "3", "--save", save)
    log = wongar("log", save, "--lang", "de", "--articles").out
    assert "(wongar.rules:177): Der Spieler nimmt die oberste Karte des Ritualkartenstapels auf die Hand.\n" in log
