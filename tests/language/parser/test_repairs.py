"""Suggestions of the parser: inserted in the file, the line is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.broken import corrected
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source
from wongar_dsl.engine.library import inspect
from wongar_dsl.language.parser import parse

SMALL = (Path(__file__).parents[1] / "small.rules").read_text(encoding="utf-8")
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


def test_suggestion_stays_if_another_error_of_its_line_was_there_before(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(SMALL.replace("set rounds to rounds + 1", "set rouns to yess + nosuchthing", 1), encoding="utf-8")
    found = {d.arguments.get("name"): d.suggestion for d in inspect(path)[1]}
    assert found["rouns"] == "rounds"
    assert found["nosuchthing"] is None
