"""Beginners' errors: each has one diagnostic at the right place, and following its suggestion corrects it.

`mistakes.txt` holds the rendered diagnostics; `pytest tests/language --rewrite-goldens` rewrites it. Slips in shipped
files are in `test_corrections.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.language.broken import GAME, corrected
from tests.small_games import checked
from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.engine.library import inspect
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.words import Translator

HERE = Path(__file__).parent
SMALL = (HERE / "small.rules").read_text(encoding="utf-8")

#: Text in `small.rules`, and its replacement by a beginner.
MISTAKES = {
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
    "two equals signs": ("until rounds = 6", "until rounds == 6"),
    "accent": ("    joker\n", "    jóker\n"),
    "colon after if": ("if some_left(who)", "if some_left(who):"),
    "otherwise too far in": ("    otherwise\n        who", "        otherwise\n        who"),
    "cell too many": ("    green  2\n", "    green  2 3\n"),
    "row missing": ("    green  2\n", ""),
    "quotation mark missing": ('"A small game"', '"A small game'),
    "bracket missing in the line": ("put(where_to: meadow)", "put(where_to: meadow"),
    "bracket missing at the end": ("turn(p)\n", "turn(p\n"),
    "name bound twice": (
        "        p gains bonus points",
        "        for each p in player\n            p gains bonus points",
    ),
    "card misspelt": ("2 plain(red), 2", "2 plian(red), 2"),
    "result of a rule without one": ("        who loses 1 points", "        give 1"),
    "no commas": ("red, green, blue", "red green blue"),
    "rule without brackets": ("rule scored(who: player)", "rule scored"),
    "call without brackets": ("            scored(me)", "            scored"),
    "comma before seen": ("cards_of of each player holds picture, seen", "cards_of of each player holds picture seen"),
    "empty misspelt": ("= size of supply of who > 0", "= not (supply of who is empyt)"),
    "otherwise misspelt among options": ("        pass\n", "        otherwize\n"),
    "false": ("= no\n", "= false\n"),
    "truth against number": ("if some_left(who)", "if some_left(who) = 3"),
    "text as a value": ("p gains bonus", 'p gains "five"'),
    "enormous number": ("players 2 to 3", "players 2 to 99999999999999999"),
    "value outside": ("option bonus = 5", "option bonus = 50"),
    "cards miscounted": ("total 7", "total 8"),
    "one-way border": ("    south touches middle\n", ""),
    "declared twice": ("enum season", "enum colour"),
    "play with a name": ("play\n", "play round\n"),
    "other words": ("shuffle stack", "draw 3 cards from stack"),
    "remembered value called for a player": ("if some_left(who)", "if passed(who)"),
    "cell of another type": ("    red    1\n", "    red    yes\n"),
    "card without its values": ("    2 plain(red), 2 plain(green)", "    2 plain, 2 plain(green)"),
    "figure that is not named": ("set place of walker to middle", "let it = walker\n    set place of it to middle"),
    "decimal comma": ("with 3 red", "with 3,5 red"),
}  # fmt: skip
#: The same in the game of `broken.py`.
MISTAKES_OF_HEAPS = {
    "else among options": ("        otherwise\n            end", "        else\n            end"),
    "sonst among options": ("        otherwise\n            end", "        sonst\n            end"),
    "option called then": ("stay if last", "then if last"),
    "else in a rule": ("            otherwise\n                set", "            else\n                set"),
    "body of an option not indented": ("            move n stone", "        move n stone"),
    "body of a loop not indented": (
        "        repeat 2 times\n            nobody wins",
        "        repeat 2 times\n        nobody wins",
    ),
    "brace": ("if is_late()", "if is_late() {"),
    "2x": ("repeat 2 times", "repeat 2x"),
    "negative filling": ("with first_matches[h] stone", "with -5 stone"),
    "negative filling that is calculated": ("with first_matches[h] stone", "with 2 - 7 stone"),
    "piece called as a place": ("[h] stone", "[h] spaces"),
    "place that is no word of the language": ("to box as", "to bottom_box as"),
    "player chooses": ("p chooses turn", "player chooses turn"),
    "player wins": ("                p wins", "                player wins"),
    "no name of the game": ("game heaps\n", ""),
    "then": ("if is_late()", "if is_late() then"),
    "semicolon": ("end game", "end game;"),
    "the": ("from matches of chosen", "from the matches of chosen"),
    "bracket left open": ("player(1)", "player(1"),
    "all from": ("if every h in stack has matches of h is empty", "if all from stack have matches of h is empty"),
    "line that ends with or": ("(last < 20 or not size of box = 0)", "last < 20 or\n    not size of box = 0"),
    "line that ends with and": ("last > 10 and (last", "last > 10 and\n    (last"),
    "double equals": ("box = 0", "box == 0"),
    "and as a sign": ("last > 10 and", "last > 10 &&"),
    "option the wrong way round": ("= 3 in 1 to 5", "= 3 in 5 to 1"),
    "grid without a space": ("grid 3 by 3", "grid 3x3"),
    "hyphen in a name": ("enum stack", "enum my-stack"),
    "no commas": ("stone, pebble", "stone pebble"),
    "article misspelt": ("enum piece", "enun piece"),
    "no game": ("game heaps\n    players 2 to 4\n", "players 2 to 4\n"),
    "no first line": ('game heaps\n    players 2 to 4\n    book club "Rules of the club"\n    source house rule\n', ""),
    "file of another kind": (GAME, "# Heaps\n\nTake **some** stones!\n\n- from one heap\n- as many as you like\n"),
    "typographic quotation marks": ('"Rules of the club"', "„Rules of the club“"),
    "guillemets": ('"Rules of the club"', "«Rules of the club»"),
    "umlaut in a name": (", pebble", ", pébble"),
}
CASES = {title: (SMALL, *change) for title, change in MISTAKES.items()}
CASES |= {f"heaps: {title}": (GAME, *change) for title, change in MISTAKES_OF_HEAPS.items()}
#: Suggestions that lead to another error.
FURTHER = {"heaps: hyphen in a name", "rule without brackets"}


@cache
def errors_of(text: str) -> list[Diagnostic]:
    """Return the errors of a file in the current folder."""
    Path("broken.rules").write_text(text, encoding="utf-8")
    return [d for d in checked("broken.rules") if d.severity is Severity.ERROR]


def test_good_files_have_no_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.rules").write_text(SMALL, encoding="utf-8")
    assert inspect("small.rules")[1] == ()
    assert errors_of(GAME) == []


def test_mistakes_equal_the_golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewrite_goldens: bool) -> None:
    monkeypatch.chdir(tmp_path)
    parts, several, uncorrected = [], [], set()
    for title, (text, good, bad) in CASES.items():
        assert good in text, title
        broken = text.replace(good, bad, 1)
        Path("broken.rules").write_text(broken, encoding="utf-8")
        _, diagnostics = inspect("broken.rules")
        if len(diagnostics) != 1:
            several.append(title)
        better = corrected(broken, diagnostics[0])
        if better is not None and errors_of(better):
            uncorrected.add(title)
        parts.append(f"==== {title}\n\n{render_text(diagnostics, Translator.load('en').say, width=100)}\n")
    assert not several, "one mistake is told once"
    assert uncorrected == FURTHER
    golden = HERE / "mistakes.txt"
    if rewrite_goldens:
        golden.write_text("\n".join(parts), encoding="utf-8")
    assert "\n".join(parts) == golden.read_text(encoding="utf-8")


def test_several_mistakes_are_reported_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = SMALL.replace("shuffle stack", "shufle stack").replace("worth[kind]", "wort[kind]")
    assert len(errors_of(text.replace("    joker\n", "    jóker\n    joker\n", 1))) == 3
    # A reserved word is only reported at its declaration.
    (reserved,) = errors_of(SMALL.replace("some_left", "side"))
    assert "for example “the_side”" in render_text([reserved], Translator.load("en").say)


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


def disordered(line: str) -> Iterator[str]:
    """Yield a statement with a word removed, two words exchanged, or an article of English inserted."""
    words = line.split(" ")
    for i, word in enumerate(words):
        yield " ".join(words[:i] + words[i + 1 :])
        yield " ".join([*words[:i], *words[i + 1 : i + 2], word, *words[i + 2 :]])
        yield " ".join([*words[:i], "the", *words[i:]])


@pytest.mark.parametrize(
    "line",
    ["move n stone from matches of chosen to box as taken(player: p, n, token, stack)",
     "fill matches of h with first_matches[h] stone", "set last to last + 1", "set starter to player(1)"],
)  # fmt: skip
def test_suggestions_for_disordered_statements_leave_no_error(line: str, tmp_path: Path) -> None:
    path = tmp_path / "heaps.rules"
    for bad in disordered(line):
        text = GAME.replace(line, bad, 1)
        path.write_text(text, encoding="utf-8")
        for diagnostic in [d for d in checked(path) if d.code in ("R0101", "R0107")][:1]:
            better = corrected(text, diagnostic)
            if better is not None and diagnostic.suggestion is not None:
                path.write_text(better, encoding="utf-8")
                assert [d for d in checked(path) if d.severity is Severity.ERROR] == [], (bad, diagnostic)
