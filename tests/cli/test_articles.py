"""`wongar log --articles`: which article of the rules each event came from; and the steps of a log."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.command import Command

RULES = (Path(__file__).parents[2] / "rules" / "classics" / "kuhn_poker.rules").read_text(encoding="utf-8").splitlines()


def saved(wongar: Command) -> str:
    save = str(wongar.home / "save.json")
    assert wongar("play", "kuhn_poker", "--seats", "random:Anna,random:Bert", "--seed", "3", "--save", save).code == 0
    return save


def test_each_sentence_has_the_article_and_the_line_of_what_it_tells(wongar: Command) -> None:
    told = wongar("log", saved(wongar), "--lang", "en", "--articles").out.splitlines()
    at = next(number for number, line in enumerate(told) if " is dealt " in line)
    found = re.fullmatch(r"\s*– .+ \((\w+), kuhn_poker\.rules:(\d+)\)(: .+)?", told[at + 1])
    assert found is not None
    assert "dealt" in RULES[int(found[2]) - 1]
    assert any(line.split() and line.split()[-1] == found[1] for line in RULES[: int(found[2])]) or found[1] == "setup"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Jeder Spieler bekommt eine zufällige Karte vom Stapel als seine Handkarte."),
        ("it", "Ogni giocatore riceve una carta a caso dal tallone, che diventa la sua carta in mano."),
    ],
)
def test_each_article_is_quoted_as_the_rulebook_has_it(wongar: Command, language: str, sentence: str) -> None:
    told = wongar("log", saved(wongar), "--lang", language, "--articles").out
    dealt = 1 + next(at for at, line in enumerate(RULES) if "as dealt" in line)
    assert f"(setup, kuhn_poker.rules:{dealt}): {sentence}\n" in told
    quoted = re.findall(r"\(\w+, kuhn_poker\.rules:\d+\): (.+?)[.:]$", told, re.MULTILINE)
    book = " ".join(wongar("rulebook", "kuhn_poker", "--players", "2", "--lang", language).out.split()).casefold()
    assert [text for text in quoted if text.casefold() not in book] == []


def test_a_record_has_the_article_of_each_event_and_nothing_else_is_changed(wongar: Command) -> None:
    save = saved(wongar)
    plain = wongar("log", save, "--format", "jsonl").out
    records = [json.loads(line) for line in wongar("log", save, "--format", "jsonl", "--articles").out.splitlines()]
    for record in records:
        for event in (*record.get("setup", ()), *record.get("events", ())):
            place = event.pop("article")
            assert place["file"] == "kuhn_poker.rules"
            assert place.get("sentence", "A.")[0].isupper()
            assert not event.get("message") or event["message"] in RULES[place["line"] - 1]
    assert [json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in records] == plain.splitlines()


def test_articles_are_not_told_to_whom_they_could_give_away_what_is_hidden(wongar: Command) -> None:
    save = saved(wongar)
    for form in ("text", "jsonl"):
        refused = wongar("log", save, "--lang", "de", "--articles", "--for", "1", "--format", form)
        assert refused.code == 2
        assert refused.out == ""
        assert "--for all" in refused.err


def test_every_step_is_told_by_itself_where_that_is_asked_for(wongar: Command) -> None:
    save = saved(wongar)
    assert "Anna is dealt a queen and Bert a king." in wongar("log", save, "--lang", "en").out
    steps = wongar("log", save, "--lang", "en", "--every-step").out.splitlines()
    assert [line for line in steps if " is dealt " in line] == ["Anna is dealt a queen.", "Bert is dealt a king."]


def test_what_stands_behind_an_indented_line_is_not_quoted_by_that_line(wongar: Command) -> None:
    save = str(wongar.home / "save.json")
    wongar("play", "wongar", "--seats", "random,random,random", "--seed", "3", "--save", save)
    told = wongar("log", save, "--lang", "de", "--articles").out
    assert "(wongar.rules:177): Der Spieler nimmt die oberste Karte auf die Hand.\n" in told
