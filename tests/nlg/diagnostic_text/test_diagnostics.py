"""Exact rendering of diagnostics as text, JSON and workflow commands; `tests/diagnostics` has an example of each."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wongar_dsl.base.diagnostics import Diagnostic, Label
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.terminal_text import width
from wongar_dsl.nlg.diagnostic_text import render_github, render_json, render_text
from wongar_dsl.nlg.words import Translator

SAY = Translator.load("en", strict=True).say


def span(text: str, line: int, column: int, end: int, end_line: int | None = None, name: str = "a.rules") -> Span:
    return Span(Source(name, text), line, column, end_line or line, end)


def rendered_lines(diagnostic: Diagnostic, width: int = 100) -> list[str]:
    """Return the rendered lines without the count at the end."""
    return render_text([diagnostic], SAY, width=width).split("\n")[:-2]


def test_output_ends_with_counts() -> None:
    where = span("enum a = b", 1, 6, 7)
    error, warning = Diagnostic("R0202", where, {"name": "a"}), Diagnostic("R0204", where, {"name": "a"})
    ends = [render_text(batch, SAY).split("\n")[-1] for batch in ([error], [warning] * 2, [error, error, warning])]
    assert ends == ["1 error", "2 warnings", "2 errors and 1 warning"]
    assert render_text([], SAY) == ""


def unknown(text: str, column: int, end: int, name: str = "x") -> Diagnostic:
    """Return the diagnostic of an unknown name in the only line of a file."""
    return Diagnostic("R0201", span(text, 1, column, end), {"name": name})


LABELLED = span("    3 a, 2 a", 1, 7, 8)
LONG = "x" * 5000 + "here" + "y" * 5000
#: Diagnostics with their excerpts, from the line of the source on.
EXCERPTS = (
    (
        Diagnostic("R0202", Span(LABELLED.source, 1, 12, 1, 13), {"name": "a"}, (Label(LABELLED, "first"),)),
        ["1 |     3 a, 2 a", "  |       - here for the first time", "  |            ^"],
    ),
    # Wide and combining characters are aligned.
    (unknown("日本語 x", 5, 6), ["1 | 日本語 x", "  |        ^"]),
    (unknown("x 日本語", 3, 6), ["1 | x 日本語", "  |   ^^^^^^"]),
    (unknown("a\u0308o\u0308 x", 6, 7), ["1 | a\u0308o\u0308 x", "  |    ^"]),
    (Diagnostic("R0103", span("xa\u0308", 1, 3, 4), {"character": "\u0308"}), ["1 | xa\u0308", "  |  ^"]),
    # Tabs become spaces, and line ends of Windows are handled.
    (Diagnostic("R0106", span("\tx\ty", 1, 1, 2)), ["1 |     x   y", "  | ^^^^"]),
    (unknown("\tx\ty", 4, 5), ["1 |     x   y", "  |         ^"]),
    (Diagnostic("R0107", span("game a\r\nenum b\r\n", 2, 7, 8), {"expected": ("=",)}), ["2 | enum b", "  |       ^"]),
    # Long lines are clipped around the span.
    (unknown(LONG, 5001, 5005, "here"), ["1 | …" + "x" * 18 + "here" + "y" * 32 + "…", "  | " + " " * 19 + "^^^^"]),
    (unknown(LONG, 1, 3, "xx"), ["1 | " + "x" * 55 + "…", "  | ^^"]),
    (
        Diagnostic("R0107", span(LONG, 1, 10005, 10006), {"expected": ("=",)}),
        ["1 | …" + "y" * 18, "  | " + " " * 19 + "^"],
    ),
)


@pytest.mark.parametrize(("diagnostic", "excerpt"), EXCERPTS)
def test_the_excerpt_shows_the_line_and_marks_the_span(diagnostic: Diagnostic, excerpt: list[str]) -> None:
    assert rendered_lines(diagnostic, width=60)[3 : 3 + len(excerpt)] == excerpt


def test_control_characters_are_escaped() -> None:
    line = "a\x1b[31m\u202eb\x00\rc\u2028"
    where = span(line, 1, len(line), len(line) + 1, name="a\x1b]0;b\x07.rules")
    lines = rendered_lines(Diagnostic("R0201", where, {"name": "\x1b[2J"}, suggestion="\u202ex"))
    assert lines[0] == "error R0201: unknown name “\\x1b[2J”"
    assert lines[1] == " --> a\\x1b]0;b\\x07.rules:1:12"
    assert lines[3] == "1 | a\\x1b[31m\\u202eb\\x00\\x0dc\\u2028"
    assert lines[4] == "  | " + " " * 25 + "^^^^^^"
    assert lines[6] == "  = did you mean “\\u202ex”?"


@given(
    line=st.text(st.characters(blacklist_characters="\n", blacklist_categories=("Cs",)), max_size=300),
    column=st.integers(1, 320),
    length=st.integers(0, 320),
    cells=st.integers(24, 120),
)
def test_excerpts_fit_and_are_underlined(line: str, column: int, length: int, cells: int) -> None:
    lines = rendered_lines(Diagnostic("R0407", span(line, 1, column, column + length)), width=cells)
    start = next(i for i, shown_line in enumerate(lines) if shown_line.startswith("1 |"))
    source, under = lines[start].removeprefix("1 |").removeprefix(" "), lines[start + 1]
    assert width(source) <= max(cells - 4, 20)
    assert re.fullmatch(r"  \|  *\^+", under)
    assert len(under) <= max(cells, 24) + 1
    assert source.isprintable()


def test_long_sentences_are_wrapped() -> None:
    expected = tuple(f"word{i}" for i in range(20))
    lines = rendered_lines(Diagnostic("R0101", span("x", 1, 1, 2), {"found": "x", "expected": expected}), width=50)
    assert lines[:3] == [
        "error R0101: unexpected “x”; expected: “word0”,",
        "  “word1”, “word2”, “word3”, “word4”, “word5”,",
        "  “word6”, “word7”, …",
    ]
    assert all(width(line) <= 50 for line in lines)


def test_expected_tokens_are_named_in_words() -> None:
    token = Diagnostic("R0101", span("x", 1, 1, 2), {"found": "number", "expected": ("name", "end of line", "place")})
    assert rendered_lines(token)[0] == (
        "error R0101: unexpected “number”; expected: a name, the end of the line or “place”"
    )
    sort = Diagnostic("R0203", span("x", 1, 1, 2), {"name": "x", "found": "table", "expected": ("enum", "board")})
    assert rendered_lines(sort)[0] == "error R0203: “x” is a table, but an enumeration or a board is needed here"


def test_colour_adds_only_escape_codes() -> None:
    first = span("enum a = b\n\n\nboard a\n", 1, 6, 7)
    diagnostics = [Diagnostic("R0202", Span(first.source, 4, 7, 4, 8), {"name": "a"}, (Label(first, "declared"),))]
    coloured = render_text(diagnostics, SAY, colour=True)
    assert "\x1b[1;31m^" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render_text(diagnostics, SAY)


def test_json_contains_all_fields() -> None:
    first = span("enum a = b\nboard a\n", 1, 6, 7)
    error = Diagnostic("R0202", Span(first.source, 2, 7, 2, 8), {"name": "a"}, (Label(first, "declared"),))
    warning = Diagnostic("R0204", None, {"name": "a"})
    parsed = json.loads(render_json([error, warning], SAY))
    assert (parsed["errors"], parsed["warnings"]) == (1, 1)
    assert parsed["diagnostics"][0] == {
        "code": "R0202",
        "severity": "error",
        "message": "“a” is declared twice",
        "advice": "hint: Give one of the two another name, or remove it.",
        "suggestion": None,
        "place": {"file": "a.rules", "line": 2, "column": 7, "end_line": 2, "end_column": 8},
        "labels": [
            {
                "name": "declared",
                "text": "declared here",
                "place": {"file": "a.rules", "line": 1, "column": 6, "end_line": 1, "end_column": 7},
            }
        ],
        "pastes": [],
        "arguments": {"name": "a"},
    }
    assert parsed["diagnostics"][1]["place"] is None


def test_workflow_commands_are_escaped() -> None:
    where = span("x", 1, 1, 2, name="a,b:100%.rules")
    diagnostic = Diagnostic("R0201", where, {"name": "50%\n::error::no"}, suggestion="y")
    assert render_github([diagnostic], SAY) == (
        "::error file=a%2Cb%3A100%25.rules,line=1,col=1,title=R0201"
        "::unknown name “50%25\\x0a::error::no”%0Adid you mean “y”?"
    )
    assert render_github([Diagnostic("R0204", None, {"name": "a"})], SAY).startswith("::warning title=R0204::“a” is")


@pytest.mark.parametrize("language", ["de", "nl", "it"])
def test_messages_are_translated(language: str) -> None:
    diagnostic = Diagnostic("R0201", span("x", 1, 1, 2), {"name": "x"}, suggestion="y")
    title = {"de": "Fehler R0201: unbekannter Name „x“", "nl": "Fout R0201: onbekende naam “x”"}
    lines = render_text([diagnostic], Translator.load(language, strict=True).say).split("\n")
    assert lines[0] == title.get(language, "errore R0201: nome sconosciuto «x»")
