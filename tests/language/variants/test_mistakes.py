"""Errors of variant authors: each is reported once, in the variant and not in its base, with a hint.

`mistakes.txt` holds the rendered diagnostics; `pytest tests/language/variants --rewrite-goldens` rewrites it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.broken import corrected, remaining_errors
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.engine.library import Rules, inspect
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.words import Translator

HERE = Path(__file__).parent
SMALL = (HERE.parent / "small.rules").read_text(encoding="utf-8")
MORE = """
option harsh = no

cards extra
    storm

deck extras of extra
    2 storm

heap extras_out holds extra, seen by all
"""
MORE += """
table wide     early  late
    red          1      2
    green        3      4
    blue         5      6

rule asked(who: player)
    who chooses reply
        take if rounds > 2
            who gains wide[red, late] points
        otherwise
            nothing
    each p in player chooses bid at once
        high
            p gains 1 points
        low
            p gains 2 points
"""
CHANGED = {
    "pile stack holds picture": "pile stack holds at most 7 picture",
    "    if some_left(who)\n": "    let tried = 3\n    asked(who)\n    if some_left(who) and rounds < tried\n",
    "        who loses 1 points": "        let taken = 1\n        if not harsh\n            who loses taken points",
    "    shuffle stack\n": "    shuffle stack\n    fill extras_out with extras\n",
}
BASE = SMALL + MORE
for good, instead in CHANGED.items():
    assert good in BASE
    BASE = BASE.replace(good, instead)

#: Lines below `variant changed of small`.
MISTAKES = {
    "option of another type": "set harsh to 3",
    "option set to yes where a number is wanted": "set bonus to yes",
    "option replaced by one of another type": "replace option harsh = 3",
    "number in quotation marks": 'set bonus to "10"',
    "number in typographic quotation marks": "set bonus to “10”",
    "card without its deck": "set joker to 3",
    "table without its row": "set worth to 3",
    "row without its table": "set red to 3",
    "rule set like an option": "set scored to 3",
    "remembered value set like an option": "set rounds to 3",
    "sort of article mistaken": "replace rule some_left(who: player)\n    nothing",
    "card in the wrong deck": "set storm in pictures to 5",
    "row that is not there": "set worth[gren] to 4",
    "set twice": "set bonus to 3\nset bonus to 4",
    "row set after its cell": "set worth[red] to 3\nset row red of worth to 4",
    "removed twice": "replace rule turn(me: player)\n    nothing\nremove rule scored\nremove rule scored",
    "removed value but needed": "replace enum season = early, last",
    "other parameters than the base gives": "replace rule scored()\n    nothing",
    "name that the base uses inside": "rule taken()\n    nothing\nreplace play\n    taken()",
    "too many cards for a pile": "set joker in pictures to 31",
    "no longer needed": "replace rule scored(who: player)\n    who gains 1 points",
    "cards moved like tokens": "replace rule scored(who: player)\n    move 1 picture from stack to cards_of of who",
    "card moved like tokens": "replace rule scored(who: player)\n    move 1 joker from stack to cards_of of who",
    "count for size": "replace rule scored(who: player)\n    who gains count of cards_of of who points",
    "sentence told": 'replace rule scored(who: player)\n    tell "The game is over"',
    "statement not indented": "replace rule scored(who: player)\nturn(who)",
    "value whose name is taken": "add to enum season\n    north",
    "value called as a place for tokens": "add to enum season\n    supply",
    "value added twice": "add to enum season\n    last, last",
    "list that is not there": "add to enum seasons\n    last",
    "place that is not there": "add to enum season before lat\n    last",
    "value without a row": "add to enum colour\n    white",
    "row of nothing": "add to table worth\n    white 7",
    "column without a row": "add to table wide  last\n    red 4\n    green 5",
    "column with too many cells": "add to table wide  last\n    red 4 5\n    green 5\n    blue 6",
    "column with a row of its own": "add to table wide  last\n    red 4\n    green 5\n    blue 6\n    whit 7",
    "column that is there": "add to table wide  late\n    red 4\n    green 5\n    blue 6",
    "column for a table without columns": "add to table worth  last\n    red 4\n    green 5\n    blue 6",
    "kind of card that is there": "add to cards picture\n    joker",
    "card whose name is taken": "add to cards picture\n    north",
    "unknown card added": "add to deck extras\n    2 strom",
    "choice that is not there": "add to choice turns\n    wait",
    "unknown name in an option": "add to choice turn\n    wait\n        set passed of mee to yes",
    "otherwise that is there": "add to choice reply\n    otherwise\n        nothing",
    "otherwise for all at once": "add to choice bid\n    otherwise\n        nothing",
    "part that is not there": "remove jokr from deck pictures",
    "value removed but needed": "remove late from enum season",
    "last part removed": "remove take from choice reply",
    "option that is not there": "remove pas from choice turn",
    "condition for an option removed": "remove pass from choice turn\nallow pass in choice turn only if rounds > 2",
    "removal that leaves something unused": "remove drop from choice turn",
    "condition of another type": "allow drop in choice turn only if rounds",
    "condition for the only sure option": "remove walk from choice turn\nallow pass in choice turn only if rounds > 2",
    "offer that is not there": "set ther of walk in choice turn to meadow",
    "offer without its option": "set walk in choice turn to meadow",
    "offer of another sort": "set there of walk in choice turn to colour",
    "step that is not there": "after put_ in rule turn\n    nothing",
    "step that needs a name unknown there": "after rule turn\n    perform card for me",
    "step removed but needed": "remove tried from rule scored",
    "step removed twice": "remove put from rule turn\nremove put from rule turn",
    "step that has no value": "set put in rule turn to 3",
    "name of a step inside brackets": "set tried(3) in rule scored to 3",
    "statement that is not indented": "after put in rule turn\nnothing",
    "addition without to": "add deck pictures\n    2 joker",
    "rule that is never begun": "before rule turn\n    end rule",
    "players the wrong way round": "set players to 3 to 2",
    "part of a board": "add to board meadow\n    row north far",
    "area of a board removed": "remove north from board meadow",
    "step added to a rule as to a list": "add to rule turn\n    nothing",
    "stretch of a track set": "set early in clock to 0",
    "stretch of a track that is not there": "set erly in clock to 4",
    "stretch set in a track whose name is misspelt": "set early in clok to 4",
    "track without its stretch": "set clock to 4",
    "stretch without its track": "set early to 4",
    "deck without its card": "set pictures to 4",
    "option set like a row": "set row red of bonus to 4",
    "cell set to what is calculated": "set worth[red] to worth[red] - 1",
    "card of a player moved without of": "replace rule scored(who: player)\n    move cards_of who to stack",
    "cards of a player moved without of": "replace rule scored(who: player)\n    move all of cards_of who to stack",
    "assignment to an option": "harsh = yes",
    "option declared again": "option bonus = 8 in 0 to 9",
    "column before row": "set wide[late, red] to 9",
    "column that is none": "set wide[red, lat] to 9",
    "calculated number": "set bonus to bonus + 4",
    "option in another choice": "remove take from choice turn",
    "option allowed in another choice": "allow walk in choice reply only if rounds > 2",
    "players with a hyphen": "set players to 2-3",
    "else as an option": "add to choice turn\n    else",
    "no-break space": "set\u00a0bonus to 10",
}
#: Errors with several diagnostics, all justified.
SEVERAL = {"no longer needed": 3, "value without a row": 2}
HEAD = "variant changed of small\n    source house rule\n"
HEADS = {
    "name of two words": "variant my variant of small",
    "base that is not there, with its game": "variant changed of small/nothing",
}


@pytest.fixture(autouse=True)
def _base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.rules").write_text(BASE, encoding="utf-8")


def inspect_variant(text: str, name: str = "changed") -> tuple[Rules | None, tuple[Diagnostic, ...]]:
    Path(f"{name}.rules").write_text(text, encoding="utf-8")
    return inspect(f"{name}.rules")


def valid_variant(text: str) -> Rules:
    rules, diagnostics = inspect_variant(text)
    assert not diagnostics
    assert rules is not None
    return rules


def merged_declaration(rules: Rules, sort: str, name: str) -> s.Declaration:
    """Return a declaration of the merged rules."""
    return next(a for a in rules.model.merged.articles if s.key_of(a) == (sort, name))


def test_mistakes_equal_the_golden(rewrite_goldens: bool) -> None:
    valid_variant(HEAD)
    texts = {title: f"{HEAD}{body}\n" for title, body in MISTAKES.items()}
    texts |= {title: f"{head}\n    source house rule\n" for title, head in HEADS.items()}
    parts, counts = [], {}
    for title, text in texts.items():
        _, diagnostics = inspect_variant(text)
        counts[title] = len(diagnostics)
        assert {d.span.source.name for d in diagnostics if d.span is not None} == {"changed.rules"}, title
        better = corrected(text, diagnostics[0])
        if better is not None and diagnostics[0].suggestion is not None:
            assert remaining_errors(diagnostics[0], list(inspect_variant(better)[1])) == [], title
        parts.append(f"==== {title}\n\n{render_text(diagnostics, Translator.load('en').say, width=100)}\n")
    golden = HERE / "mistakes.txt"
    if rewrite_goldens:
        golden.write_text("\n".join(parts), encoding="utf-8")
    assert "\n".join(parts) == golden.read_text(encoding="utf-8")
    assert {title: n for title, n in counts.items() if n != SEVERAL.get(title, 1)} == {}, "one mistake is told once"


def test_base_of_a_variant_may_be_a_path_of_variants() -> None:
    Path("quick.rules").write_text("variant quick of small\n    source house rule\n", encoding="utf-8")
    assert valid_variant("variant changed of small/quick\n    source house rule\n").name == "small/quick/changed"


def test_book_may_be_named_house() -> None:
    text = 'variant changed of small\n    book house "Our rules"\nset bonus to 3\n    source house "Page 1"\n'
    bonus = merged_declaration(valid_variant(text), "option", "bonus")
    assert [source.book for source in bonus.sources] == ["house"]


def test_card_missing_in_the_base_deck_can_be_set() -> None:
    base = BASE.replace("2 plain(red), ", "").replace("total 7", "total 5").replace("at most 7", "at most 9")
    Path("small.rules").write_text(base, encoding="utf-8")
    deck = merged_declaration(valid_variant(f"{HEAD}set plain(red) in pictures to 4\n"), "deck", "pictures")
    assert isinstance(deck, s.Deck)
    assert deck.part_names[-1] == "plain(red)"
    assert deck.total == 9


def test_error_of_an_intermediate_variant_is_reported_there() -> None:
    inspect_variant("variant middle of small\n    source house rule\nremove table worth\n", "middle")
    _, diagnostics = inspect_variant("variant changed of middle\n    source house rule\nset bonus to 3\n")
    assert [(d.code, Path(d.span.source.name).name) for d in diagnostics if d.span] == [("R0211", "middle.rules")]


def test_removing_what_alone_uses_a_definition_is_a_warning_and_no_error() -> None:
    rules, diagnostics = inspect_variant("variant changed of wongar\nremove effect double_ritual\n")
    assert rules is not None
    assert [(d.code, d.span and d.span.line, d.arguments, d.hint and d.hint.arguments) for d in diagnostics] == [
        ("R0204", 2, {"name": "others_here"}, {"article": "remove define others_here"})
    ]
