"""Beginners' errors: each has one diagnostic at the right place.

`mistakes.txt` holds the rendered diagnostics; `pytest tests/language --rewrite-goldens` rewrites it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import inspect
from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text
from wongar_dsl.nlg.words import Translator

HERE = Path(__file__).parent
SMALL = (HERE / "small.rules").read_text(encoding="utf-8")

#: Text in the good file, and its replacement by a beginner.
MISTAKES = {
    "article misspelt": ("enum colour", "enumm colour"),
    "statement misspelt": ("shuffle stack", "shufle stack"),
    "no colon": ("put(where_to: meadow)", "put(where_to meadow)"),
    "a word of the language as a message's argument": ("as put(player: me,", "as put(first: me,"),
    "too little indentation": (
        "        move top of stack to cards_of of p",
        "      move top of stack to cards_of of p",
    ),
    "too much indentation": ("    shuffle stack", "      shuffle stack"),
    "block not indented": (
        "        for each p in player\n            turn(p)",
        "        for each p in player\n        turn(p)",
    ),
    "not indented at all": ("    shuffle stack", "shuffle stack"),
    "tab": ("    shuffle stack", "\tshuffle stack"),
    "move without to": ("move walker to there", "move walker there"),
    "set without to": ("set rounds to rounds", "set rounds rounds"),
    "set with an equals sign": ("set rounds to rounds", "set rounds = rounds"),
    "assignment": ("set rounds to rounds + 1", "rounds = rounds + 1"),
    "plus equals": ("set rounds to rounds + 1", "rounds += 1"),
    "two equals signs": ("until rounds = 6", "until rounds == 6"),
    "other sign for unequal": ("until rounds = 6", "until rounds <> 6"),
    "capital statement": ("shuffle stack", "Shuffle stack"),
    "capital article": ("enum colour", "Enum colour"),
    "umlaut": ("enum colour = red", "enum colour = grün, red"),
    "accent": ("    joker\n", "    jóker\n"),
    "colon after otherwise": ("    otherwise\n        who", "    otherwise:\n        who"),
    "colon after if": ("if some_left(who)", "if some_left(who):"),
    "else": ("    otherwise\n        who", "    else\n        who"),
    "then": ("if some_left(who)", "if some_left(who) then"),
    "otherwise without if": ("    otherwise\n        who", "    otherwise some_left(who)\n        who"),
    "otherwise too far in": ("    otherwise\n        who", "        otherwise\n        who"),
    "while": ("    repeat until rounds = 6", "    while rounds < 6"),
    "until": ("    repeat until rounds = 6", "    until rounds = 6"),
    "for without each": (
        "        for each p in player\n            turn",
        "        for p in player\n            turn",
    ),
    "cell missing": ("    green  2\n", "    green\n"),
    "cell too many": ("    green  2\n", "    green  2 3\n"),
    "row missing": ("    green  2\n", ""),
    "typographic quotation marks": ('"A small game"', "“A small game”"),
    "quotation mark missing": ('"A small game"', '"A small game'),
    "bracket missing in the line": ("put(where_to: meadow)", "put(where_to: meadow"),
    "bracket missing at the end": ("turn(p)\n", "turn(p\n"),
    "bracket too many": ("turn(p)\n", "turn(p))\n"),
    "no commas": ("red, green, blue", "red green blue"),
    "hyphen in a name": ("tokens ground", "tokens ground-tokens"),
    "space in a name": ("rule scored(", "rule has scored("),
    "rule without brackets": ("rule scored(who: player)", "rule scored"),
    "call without brackets": ("            scored(me)", "            scored"),
    "nothing gained": ("I gain worth[red] points", "I gain worth[red]"),
    "comma before seen": ("cards_of of each player holds picture, seen", "cards_of of each player holds picture seen"),
    "name misspelt": ("shuffle stack", "shuffle stak"),
    "type misspelt": ("who: player)\n    if", "who: playr)\n    if"),
    "zone misspelt where its message names what it knows": (
        "move 1 red from supply of me to ground[where_to, me] as put(player: me, meadow: where_to)",
        "move 1 red from suply of me to ground[where_to, me] as put(player: me, meadow, token)",
    ),
    "empty misspelt": ("= size of supply of who > 0", "= not (supply of who is empyt)"),
    "otherwise misspelt among options": ("        pass\n", "        otherwize\n"),
    "false": ("= no\n", "= false\n"),
    "truth against number": ("if some_left(who)", "if some_left(who) = 3"),
    "text as a value": ("p gains bonus", 'p gains "five"'),
    "no name": ("enum season = early", "enum = early"),
    "range with a hyphen": ("2 to 3", "2-3"),
    "range the wrong way round": ("players 2 to 3", "players 3 to 2"),
    "enormous number": ("players 2 to 3", "players 2 to 99999999999999999"),
    "value outside": ("option bonus = 5", "option bonus = 50"),
    "cards miscounted": ("total 7", "total 8"),
    "one-way border": ("    south touches middle\n", ""),
    "declared twice": ("enum season", "enum colour"),
    "semicolon": ("shuffle stack", "shuffle stack;"),
    "other comment": ("shuffle stack", "shuffle stack // mix"),
    "play with a name": ("play\n", "play round\n"),
    "empty block": ("    advance clock by 1", "    repeat 3 times"),
    "gets": ("p gains bonus points", "p gets bonus points"),
    "other words": ("shuffle stack", "draw 3 cards from stack"),
    "no winner's name": ("winner p\n", "winner\n"),
    "remembered value called for a player": ("if some_left(who)", "if passed(who)"),
    "cell of another type": ("    red    1\n", "    red    yes\n"),
    "card without its values": ("    2 plain(red), 2 plain(green)", "    2 plain, 2 plain(green)"),
    "figure that is not named": ("set place of walker to middle", "let it = walker\n    set place of it to middle"),
    "decimal comma": ("with 3 red", "with 3,5 red"),
}  # fmt: skip


def rendered_diagnostics(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Return the number of diagnostics of a text, and their rendering."""
    monkeypatch.chdir(folder)
    Path("small.rules").write_text(text, encoding="utf-8")
    _, diagnostics = inspect("small.rules")
    return len(diagnostics), render_text(diagnostics, Translator.load("en").say, width=100)


def test_good_file_has_no_diagnostics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rendered_diagnostics(SMALL, tmp_path, monkeypatch) == (0, "")


def test_mistakes_equal_the_golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewrite_goldens: bool) -> None:
    parts = []
    several = []
    for title, (good, bad) in MISTAKES.items():
        assert good in SMALL, title
        count, text = rendered_diagnostics(SMALL.replace(good, bad, 1), tmp_path, monkeypatch)
        if count != 1:
            several.append(title)
        parts.append(f"==== {title}\n\n{text}\n")
    assert not several, "one mistake is told once"
    golden = HERE / "mistakes.txt"
    if rewrite_goldens:
        golden.write_text("\n".join(parts), encoding="utf-8")
    assert "\n".join(parts) == golden.read_text(encoding="utf-8")


def test_reserved_word_is_reported_only_at_its_declaration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count, report = rendered_diagnostics(SMALL.replace("some_left", "side"), tmp_path, monkeypatch)
    assert count == 1, report
    assert "for example “the_side”" in report


def test_several_mistakes_are_reported_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SMALL.replace("shuffle stack", "shufle stack").replace("worth[kind]", "wort[kind]")
    count, report = rendered_diagnostics(
        text.replace("    joker\n", "    jóker\n    joker\n", 1), tmp_path, monkeypatch
    )
    assert count == 3, report


def test_line_endings_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crlf.rules").write_bytes(SMALL.replace("\n", "\r\n").encode("utf-8-sig"))
    rules, diagnostics = inspect(str(tmp_path / "crlf.rules"))
    assert rules is not None
    assert not diagnostics
    (tmp_path / "lf.rules").write_text(SMALL)
    lf_rules, _ = inspect(str(tmp_path / "lf.rules"))
    assert lf_rules is not None
    assert rules.hash == lf_rules.hash


def test_misspelt_declaration_is_one_error_with_its_uses(tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    text = (Path(__file__).resolve().parents[2] / "rules" / "classics" / "nim.rules").read_text(encoding="utf-8")
    path.write_text(text.replace("enum stack", "enum stakc"), encoding="utf-8")
    (diagnostic,) = inspect(str(path))[1]
    assert (diagnostic.code, diagnostic.arguments, diagnostic.suggestion) == ("R0201", {"name": "stack"}, "stakc")
    assert diagnostic.span is not None
    assert [diagnostic.span.line, *(label.span.line for label in diagnostic.labels)] == [11, 20, 27, 29]
