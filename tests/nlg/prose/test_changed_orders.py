"""Rulebooks distinguish changed evaluation order, extra calls and changed nesting of quantifiers.

The mutation test detects a rulebook that does not.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from benchmarks.mutants import rulebook_comparison
from benchmarks.mutants.equal_rulebooks import alike, told_apart
from benchmarks.mutants.evaluation_order import orderings
from benchmarks.mutants.resets import forgotten
from benchmarks.mutants.rulebook_comparison import AS_BEFORE, LANGUAGES, Heard, Reader, reader
from benchmarks.mutants.verdict import changed
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.prose.content import statements
from wongar_dsl.nlg.prose.context import ProseContext
from wongar_dsl.nlg.prose.document.outline import rulebook

from .books import model, rules_in, rules_of, text_of_book, words

GAME = """game orders
    players 2

board square
    grid 4 by 4
remember stone of each square: player
remember gold of each player: number 0 to 20
remember ready: yes or no
score points

play
    repeat 6 times
        for each p in player
            p chooses turn
                dig(here: square where stone of here is nobody)
                    dug(p, here)
                rest
                    pause()
            if gold of p > 2
                end game

rule dug(p: player, here: square)
    set stone of here to p
    set gold of p to gold of p + 1
    if gold of p > 3
        p gains 2 points
    let before = gold of p
    set gold of p to gold of p + 2
    if before > 4
        p gains 1 points
    pause()

rule pause()
    set ready to no

define enough(p: player, k: number, j: number) =
    {condition}

winner p
    most points of p
"""
#: Conditions with nested quantifiers over squares, players and numbers.
NESTED = (
    "some a in square where (every b in square has (stone of a is p or row of b > k))",
    "every a in square has (some b in square where (row of b = row of a and stone of b is p))",
    "no q in player where (every b in square has stone of b is q)",
    "some i in 0 to 3 where (no l in 0 to 3 where not (gold of p + i - l) mod 4 + 1 > k)",
    "some i in 0 to 3 where (every l in 1 to 2 has i * l + j > k)",
    "every i in 0 to 3 has (some a in square where row of a - i > column of a + k)",
    "every a in square has (some b in square where b is not a and row of b = row of a + k)",
    "some q in player where (no o in player where o is not q and gold of o = gold of q + k)",
)


def game(place: Path, condition: str = "gold of p > k + j") -> Path:
    path = place / "orders.rules"
    text = GAME.format(condition=condition).replace("gold of p > 2", "enough(p, 1, 2)")
    path.write_text(text, encoding="utf-8")
    return path


def heard_mutants(found: Reader, what: str = "") -> list[Heard]:
    """Return the readings of the valid mutants that change an order, if their description ends in `what`."""
    numbers = (n for n in range(found.ordered, len(found.mutants)) if found.mutants[n].what.endswith(what))
    return [result for number in numbers if (result := found.hear(number)) is not None]


@pytest.mark.parametrize("condition", NESTED)
def test_swapped_quantifiers_change_the_text(tmp_path: Path, condition: str) -> None:
    mutant_reader = Reader(str(game(tmp_path, condition)))
    swapped = heard_mutants(mutant_reader, "swapped")
    assert swapped
    assert [
        mutant_reader.mutants[result.number] for result in swapped if result.same or result.strays or result.wordless
    ] == []


@pytest.mark.parametrize(("operators", "language"), list(product(("+-", "*+", "-mod", "+div"), LANGUAGES)))
def test_grouping_of_operators_changes_the_text(tmp_path: Path, operators: str, language: str) -> None:
    first, second = operators[0], operators[1:]
    texts = [
        text_of_book(rules_in(game(tmp_path, f"some i in 1 to 3 where {shape} > 2")), language)
        for shape in (
            f"(gold of p {first} i) {second} k", f"gold of p {first} (i {second} k)",
            f"(gold of p {first} i) {second} (k + j)", f"((gold of p {first} i) {second} k) + j",
        )
    ]  # fmt: skip
    assert len(set(texts)) == len(texts)


def test_all_changes_of_order_are_generated(tmp_path: Path) -> None:
    rules = load(game(tmp_path, NESTED[0]))
    counts = Counter(mutant.what for mutant in orderings(rules.model, rules.sources[-1]))
    assert counts["worked out a statement earlier"] >= 2
    assert counts["worked out where it is used"] == 1
    assert counts["called once more"] == 3
    assert counts["pause called in play"] == 0
    assert counts["pause called in setup"] == 0
    assert counts["some ... every swapped"] == 1


def undetected_changes(place: Path) -> list[str]:
    """Return the changed orders of the game that play can distinguish but the text cannot."""
    path = str(game(place))
    rulebook_comparison._READERS.pop(path, None)
    mutant_reader = reader(path)
    report = rulebook_comparison.Read(path, mutant_reader.mutants, heard_mutants(mutant_reader))
    assert not any(result.strays or result.wordless for result in report.heard)
    assert AS_BEFORE in {result.why for result in report.heard if result.same}
    return [str(pair.other) for pair in told_apart(alike([report]), games=20)]


def test_changed_evaluation_time_changes_the_text_if_play_differs(tmp_path: Path) -> None:
    assert undetected_changes(tmp_path) == []


def test_text_that_repeats_outdated_values_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProseContext, "late_changes", lambda *_: ())
    assert any("worked out" in change for change in undetected_changes(tmp_path))


VARIANT = """variant more of tongiaki
    source house rule

before rule take_turn
    if me is player(1)
        grow(me)

rule grow(me: player)
    for each s in beach where not served of s
        set served of s to yes
    nobody_served()
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_resets_of_variables_are_never_omitted_wrongly(language: str) -> None:
    games = map(model, ("tongiaki", "wongar", "wongar/initiated", "ubongo"))
    for rules in (*games, rules_of("more.rules", VARIANT)):
        assert list(forgotten(rules, rulebook(rules, words(language)))) == [], rules.scope


def test_extra_call_of_a_rule_without_a_sentence_keeps_its_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant_reader = reader("tongiaki")
    [number] = [n for n, result in enumerate(mutant_reader.mutants) if result.what == "nobody_served called in setup"]
    result = mutant_reader.hear(number)
    assert result is not None
    assert (result.same, result.strays) == ((), ())
    assert changed(mutant_reader.rules, mutant_reader.mutants[number]) is not None
    monkeypatch.setattr(statements, "has_sentence", lambda *_: True)
    result = mutant_reader.hear(number)
    assert result is not None
    assert "served: set back in further_step" in result.strays
