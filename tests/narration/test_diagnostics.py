"""How diagnostics look: exactly, for the cases in which something could go wrong."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wongar_dsl.narration.diagnostics import render_github, render_json, render_text
from wongar_dsl.text.diagnostics import Diagnostic, Label
from wongar_dsl.text.span import Source, Span
from wongar_dsl.text.width import width
from wongar_dsl.words import Words

SAY = Words.load("en", strict=True).say


def place(text: str, line: int, column: int, end: int, end_line: int | None = None, name: str = "a.rules") -> Span:
    return Span(Source(name, text), line, column, end_line or line, end)


def shown(diagnostic: Diagnostic, width: int = 100) -> list[str]:
    """The rendering, without the count at the end."""
    return render_text([diagnostic], SAY, width=width).split("\n")[:-2]


def test_a_name_that_was_misspelt() -> None:
    where = place("game a\n    kangaro takes it\n", 2, 5, 12)
    found = Diagnostic("R0201", where, {"name": "kangaro"}, suggestion="kangaroo")
    assert render_text([found], SAY).split("\n") == [
        "error R0201: unknown name “kangaro”",
        " --> a.rules:2:5",
        "  |",
        "2 |     kangaro takes it",
        "  |     ^^^^^^^",
        "  |",
        "  = did you mean “kangaroo”?",
        "",
        "1 error",
    ]


def test_counts_at_the_end() -> None:
    where = place("enum a = b", 1, 6, 7)
    error, warning = Diagnostic("R0202", where, {"name": "a"}), Diagnostic("R0204", where, {"name": "a"})
    ends = [render_text(found, SAY).split("\n")[-1] for found in ([error], [warning] * 2, [error, error, warning])]
    assert ends == ["1 error", "2 warnings", "2 errors and 1 warning"]
    assert render_text([], SAY) == ""


def test_second_place_in_the_same_file() -> None:
    first = place("enum a = b\n\n\nboard a\n", 1, 6, 7)
    again = Span(first.source, 4, 7, 4, 8)
    assert shown(Diagnostic("R0202", again, {"name": "a"}, (Label(first, "declared"),)))[1:8] == [
        " --> a.rules:4:7",
        "  |",
        "1 | enum a = b",
        "  |      - declared here",
        "...",
        "4 | board a",
        "  |       ^",
    ]


def test_second_place_in_the_same_line() -> None:
    first = place("    3 a, 2 a", 1, 7, 8)
    again = Span(first.source, 1, 12, 1, 13)
    assert shown(Diagnostic("R0202", again, {"name": "a"}, (Label(first, "first"),)))[3:6] == [
        "1 |     3 a, 2 a",
        "  |       - here for the first time",
        "  |            ^",
    ]


def test_second_place_in_another_file() -> None:
    first = place("enum a = b\n", 1, 6, 7, name="base.rules")
    again = place("\n" * 9 + "enum a = b\n", 10, 6, 7)
    assert shown(Diagnostic("R0207", again, {"name": "a"}, (Label(first, "base"),)))[1:9] == [
        "  --> a.rules:10:6",
        "   |",
        "10 | enum a = b",
        "   |      ^",
        "  ::: base.rules:1:6",
        "   |",
        " 1 | enum a = b",
        "   |      - the base has this",
    ]


def test_wide_and_joining_characters() -> None:
    wide = shown(Diagnostic("R0201", place("日本語 x", 1, 5, 6), {"name": "x"}))
    assert wide[3:5] == ["1 | 日本語 x", "  |        ^"]
    wide = shown(Diagnostic("R0201", place("x 日本語", 1, 3, 6), {"name": "日本語"}))
    assert wide[3:5] == ["1 | x 日本語", "  |   ^^^^^^"]
    joined = shown(Diagnostic("R0201", place("a\u0308o\u0308 x", 1, 6, 7), {"name": "x"}))
    assert joined[3:5] == ["1 | a\u0308o\u0308 x", "  |    ^"]
    accent = shown(Diagnostic("R0103", place("xa\u0308", 1, 3, 4), {"character": "\u0308"}))
    assert accent[4] == "  |  ^"


def test_tabs_become_spaces() -> None:
    assert shown(Diagnostic("R0106", place("\tx\ty", 1, 1, 2)))[3:5] == ["1 |     x   y", "  | ^^^^"]
    assert shown(Diagnostic("R0201", place("\tx\ty", 1, 4, 5), {"name": "y"}))[4] == "  |         ^"


def test_a_span_of_several_lines_shows_both_ends() -> None:
    where = place("repeat\n    a()\n    b()\n    c()\n\n\nplay\n", 1, 1, 1, end_line=7)
    assert shown(Diagnostic("R0407", where))[3:8] == [
        "1 | repeat",
        "  | ^^^^^^",
        "...",
        "4 |     c()",
        "  |     ^^^",
    ]


def test_line_ends_of_other_systems() -> None:
    where = place("game a\r\nenum b\r\n", 2, 7, 8)
    assert shown(Diagnostic("R0107", where, {"expected": ("=",)}))[3:5] == ["2 | enum b", "  |       ^"]


def test_nothing_of_a_file_reaches_the_terminal_unseen() -> None:
    line = "a\x1b[31m\u202eb\x00\rc\u2028"
    where = place(line, 1, len(line), len(line) + 1, name="a\x1b]0;b\x07.rules")
    lines = shown(Diagnostic("R0201", where, {"name": "\x1b[2J"}, suggestion="\u202ex"))
    assert lines[0] == "error R0201: unknown name “\\x1b[2J”"
    assert lines[1] == " --> a\\x1b]0;b\\x07.rules:1:12"
    assert lines[3] == "1 | a\\x1b[31m\\u202eb\\x00\\x0dc\\u2028"
    assert lines[4] == "  | " + " " * 25 + "^^^^^^"
    assert lines[6] == "  = did you mean “\\u202ex”?"


def test_long_lines_are_clipped_around_the_place() -> None:
    line = "x" * 5000 + "here" + "y" * 5000
    lines = shown(Diagnostic("R0201", place(line, 1, 5001, 5005), {"name": "here"}), width=60)
    assert lines[3] == "1 | …" + "x" * 18 + "here" + "y" * 32 + "…"
    assert lines[4] == "  | " + " " * 19 + "^^^^"
    lines = shown(Diagnostic("R0201", place(line, 1, 1, 3), {"name": "xx"}), width=60)
    assert lines[3:5] == ["1 | " + "x" * 55 + "…", "  | ^^"]
    lines = shown(Diagnostic("R0107", place(line, 1, 10005, 10006), {"expected": ("=",)}), width=60)
    assert lines[3:5] == ["1 | …" + "y" * 18, "  | " + " " * 19 + "^"]


@given(
    line=st.text(st.characters(blacklist_characters="\n", blacklist_categories=("Cs",)), max_size=300),
    column=st.integers(1, 320),
    length=st.integers(0, 320),
    cells=st.integers(24, 120),
)
def test_excerpts_fit_and_are_underlined(line: str, column: int, length: int, cells: int) -> None:
    lines = shown(Diagnostic("R0407", place(line, 1, column, column + length)), width=cells)
    start = next(i for i, shown_line in enumerate(lines) if shown_line.startswith("1 |"))
    source, under = lines[start].removeprefix("1 |").removeprefix(" "), lines[start + 1]
    assert width(source) <= max(cells - 4, 20)
    assert re.fullmatch(r"  \|  *\^+", under)
    assert len(under) <= max(cells, 24) + 1
    assert source.isprintable()


def test_long_sentences_are_wrapped() -> None:
    expected = tuple(f"word{i}" for i in range(20))
    lines = shown(Diagnostic("R0101", place("x", 1, 1, 2), {"found": "x", "expected": expected}), width=50)
    assert lines[:3] == [
        "error R0101: unexpected “x”; expected: “word0”,",
        "  “word1”, “word2”, “word3”, “word4”, “word5”,",
        "  “word6”, “word7”, …",
    ]
    assert all(width(line) <= 50 for line in lines)


def test_what_the_parser_wants_is_said_in_words() -> None:
    found = Diagnostic("R0101", place("x", 1, 1, 2), {"found": "number", "expected": ("name", "end of line", "place")})
    assert shown(found)[0] == ("error R0101: unexpected “number”; expected: a name, the end of the line or “place”")
    sort = Diagnostic("R0203", place("x", 1, 1, 2), {"name": "x", "found": "table", "expected": ("enum", "board")})
    assert shown(sort)[0] == "error R0203: “x” is a table, but an enumeration or a board is needed here"


def test_a_ring_is_shown_as_one() -> None:
    found = Diagnostic("R0408", place("x", 1, 1, 2), {"names": ("a", "b", "a")})
    assert shown(found)[0] == "error R0408: these rules call each other in a circle: a → b → a"


def test_without_a_place() -> None:
    assert shown(Diagnostic("R0004", None, {"name": "chess"})) == [
        "error R0004: there is no game and no file called “chess”",
        " = hint: See the list of games, or give the path of a rule file.",
    ]


def test_colour_changes_nothing_but_colour() -> None:
    first = place("enum a = b\n\n\nboard a\n", 1, 6, 7)
    found = [Diagnostic("R0202", Span(first.source, 4, 7, 4, 8), {"name": "a"}, (Label(first, "declared"),))]
    coloured = render_text(found, SAY, colour=True)
    assert "\x1b[1;31m^" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render_text(found, SAY)


def test_json_holds_everything() -> None:
    first = place("enum a = b\nboard a\n", 1, 6, 7)
    again = Diagnostic("R0202", Span(first.source, 2, 7, 2, 8), {"name": "a"}, (Label(first, "declared"),))
    warning = Diagnostic("R0204", None, {"name": "a"})
    told = json.loads(render_json([again, warning], SAY))
    assert (told["errors"], told["warnings"]) == (1, 1)
    assert told["diagnostics"][0] == {
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
    assert told["diagnostics"][1]["place"] is None


def test_workflow_commands_are_escaped() -> None:
    where = place("x", 1, 1, 2, name="a,b:100%.rules")
    found = Diagnostic("R0201", where, {"name": "50%\n::error::no"}, suggestion="y")
    assert render_github([found], SAY) == (
        "::error file=a%2Cb%3A100%25.rules,line=1,col=1,title=R0201"
        "::unknown name “50%25\\x0a::error::no”%0Adid you mean “y”?"
    )
    assert render_github([Diagnostic("R0204", None, {"name": "a"})], SAY).startswith("::warning title=R0204::“a” is")


@pytest.mark.parametrize("language", ["de", "nl", "it"])
def test_other_languages(language: str) -> None:
    found = Diagnostic("R0201", place("x", 1, 1, 2), {"name": "x"}, suggestion="y")
    title = {"de": "Fehler R0201: unbekannter Name „x“", "nl": "Fout R0201: onbekende naam “x”"}
    said = render_text([found], Words.load(language, strict=True).say).split("\n")
    assert said[0] == title.get(language, "errore R0201: nome sconosciuto «x»")
