"""Suggestions of the parser: inserted in the file, the line is right, or it fails only further on."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.language.broken import corrected
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source
from wongar_dsl.engine.library import inspect
from wongar_dsl.language.parser import parse

SMALL = (Path(__file__).parents[1] / "small.rules").read_text(encoding="utf-8")
LINES = SMALL.split("\n")
#: A good line, its replacement, and the suggestion.
SLIPS = (
    ("move top of stack to cards_of of p", "move top of stack card to cards_of of p", None),
    ("move top of stack to cards_of of p", "move top of 7 stack to cards_of of p", None),
    ("    I gain worth[red] points", "    I gain worth[red points", None),
    ("score points", "score points = n =", None),
    ("enum colour = red, green, blue", "enum colour = red_hue green blue", "red_hue, green, blue"),
    ("enum colour = red, green, blue", "enum colour = slot_red slot_green blue", "slot_red, slot_green, blue"),
    ("cards picture", "card cards picture", "cards"),
    ("cards picture", "card picture", "cards"),
    ("repeat until rounds = 6", "until rounds = 6", "repeat until"),
)


def faults(text: str) -> list[Diagnostic]:
    return list(parse(Source("small.rules", text))[1])


def test_unexpected_name_is_quoted_whole() -> None:
    """A name may begin with a keyword, such as `slot`."""
    (diagnostic,) = faults(SMALL.replace("enum colour = red, green, blue", "enum colour = red slot_green blue", 1))
    assert diagnostic.arguments["found"] == "slot_green"


@pytest.mark.parametrize(("good", "bad", "suggestion"), SLIPS, ids=[bad.strip() for _, bad, _ in SLIPS])
def test_suggestion_of_the_parser_repairs_the_line(good: str, bad: str, suggestion: str | None) -> None:
    text = SMALL.replace(good, bad, 1)
    assert text != SMALL
    (diagnostic,) = faults(text)
    assert diagnostic.suggestion == suggestion
    if suggestion is not None:
        better = corrected(text, diagnostic)
        assert better is not None
        assert faults(better) == []


def mutated_line(rng: random.Random, line: str, words: list[str]) -> str:
    """Return a line with a word inserted, removed, replaced or exchanged."""
    parts = re.findall(r"\s+|\w+|[^\w\s]", line)
    places = [n for n, part in enumerate(parts) if part.strip()]
    first, second = rng.choice(places), rng.choice(places)
    match rng.randrange(4):
        case 0:
            parts.insert(first, f"{rng.choice(words)} ")
        case 1:
            del parts[first]
        case 2:
            parts[first] = rng.choice(words)
        case _:
            parts[first], parts[second] = parts[second], parts[first]
    return "".join(parts)


@pytest.mark.parametrize("seed", range(2))
def test_suggestion_of_the_parser_reads_further_than_before(seed: int) -> None:
    rng, words, tried = random.Random(seed), sorted(set(re.findall(r"\w+", SMALL))), 0
    for _ in range(150):
        number = rng.choice([n for n, line in enumerate(LINES) if line.strip() and not line.startswith("#")])
        new = mutated_line(rng, LINES[number], words)
        text = "\n".join([*LINES[:number], new, *LINES[number + 1 :]])
        for diagnostic in faults(text)[:1]:
            span, better = diagnostic.span, None
            if diagnostic.suggestion is not None and span is not None and span.line == number + 1:
                better = corrected(text, diagnostic)
            if better is None or span is None:
                continue
            tried += 1
            end = span.column + len(diagnostic.suggestion or "")
            left = [d for d in faults(better) if d.span is not None and d.span.line == number + 1]
            corrected_line = better.split("\n")[number]
            behind = re.search(r"\w+|[^\w\s]", corrected_line[end - 1 :])
            assert all(d.span is not None and behind is not None and d.span.end_column > end for d in left), new
            assert all(d.code != "R0107" or d.suggestion is None for d in left), new
    assert tried > 5


def test_suggestion_stays_if_another_error_of_its_line_was_there_before(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(SMALL.replace("set rounds to rounds + 1", "set rouns to yess + nosuchthing", 1), encoding="utf-8")
    found = {d.arguments.get("name"): d.suggestion for d in inspect(path)[1]}
    assert found["rouns"] == "rounds"
    assert found["nosuchthing"] is None
