"""A rulebook tells apart games in which something is worked out at another time, called once more, or asked in another
order; and the proof by mutants notices a rulebook that does not."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from benchmarks.mutants import reading
from benchmarks.mutants.judging import changed
from benchmarks.mutants.ordering import orderings
from benchmarks.mutants.reading import AS_BEFORE, LANGUAGES, Heard, Reader, reader
from benchmarks.mutants.resets import forgotten
from benchmarks.mutants.telling import alike, told_apart
from wongar_dsl.library import load
from wongar_dsl.prose import statements
from wongar_dsl.prose.context import Context
from wongar_dsl.prose.outline import rulebook

from .books import text_of_book, words

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
#: Conditions in which one quantifier stands in another, about squares, players and numbers.
NESTED = (
    "some a in square where (every b in square has (stone of a is p or row of b > k))",
    "every a in square has (some b in square where (row of b = row of a and stone of b is p))",
    "no q in player where (every b in square has stone of b is q)",
    "some i in 0 to 3 where (no l in 0 to 3 where not (gold of p + i - l) mod 4 + 1 > k)",
    "some i in 0 to 3 where (every l in 1 to 2 has i * l + j > k)",
    "every i in 0 to 3 has (some a in square where row of a - i > column of a + k)",
)


def game(place: Path, condition: str = "gold of p > k + j") -> str:
    path = place / "orders.rules"
    text = GAME.format(condition=condition).replace("gold of p > 2", "enough(p, 1, 2)")
    path.write_text(text, encoding="utf-8")
    return str(path)


def heard(found: Reader) -> list[Heard]:
    numbers = range(found.ordered, len(found.mutants))
    return [one for number in numbers if (one := found.hear(number)) is not None]


@pytest.mark.parametrize("condition", NESTED)
def test_quantifiers_in_another_order_read_otherwise(tmp_path: Path, condition: str) -> None:
    found = Reader(game(tmp_path, condition))
    swapped = [one for one in heard(found) if found.mutants[one.number].what.endswith("swapped")]
    assert swapped
    assert [found.mutants[one.number] for one in swapped if one.same or one.strays or one.wordless] == []


@pytest.mark.parametrize(("operators", "language"), list(product(("+-", "*+", "-mod", "+div"), LANGUAGES)))
def test_what_is_computed_reads_otherwise_where_it_is_grouped_otherwise(
    tmp_path: Path, operators: str, language: str
) -> None:
    one, other = operators[0], operators[1:]
    texts = [
        text_of_book(load(game(tmp_path, f"some i in 1 to 3 where {shape} > 2")).model, language)
        for shape in (
            f"(gold of p {one} i) {other} k", f"gold of p {one} (i {other} k)",
            f"(gold of p {one} i) {other} (k + j)", f"((gold of p {one} i) {other} k) + j",
        )
    ]  # fmt: skip
    assert len(set(texts)) == len(texts)


def test_each_change_of_order_is_tried(tmp_path: Path) -> None:
    rules = load(game(tmp_path, NESTED[0]))
    found = Counter(mutant.what for mutant in orderings(rules.model, rules.sources[-1]))
    assert found["worked out a statement earlier"] >= 2
    assert found["worked out where it is used"] == 1
    assert found["called once more"] == 3
    assert found["pause called in play"] == 0
    assert found["pause called in setup"] == 0
    assert found["some ... every swapped"] == 1


def told_apart_in(place: Path) -> list[str]:
    """What the proof finds of the changed orders of the game."""
    path = game(place)
    reading._READERS.pop(path, None)
    found = reader(path)
    report = reading.Read(path, found.mutants, heard(found))
    assert not any(one.strays or one.wordless for one in report.heard)
    assert AS_BEFORE in {one.why for one in report.heard if one.same}
    return [str(pair.other) for pair in told_apart(alike([report]), games=20)]


def test_what_is_worked_out_at_another_time_reads_otherwise_where_play_shows_it(tmp_path: Path) -> None:
    assert told_apart_in(tmp_path) == []


def test_a_book_that_writes_out_what_has_changed_since_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Context, "late", lambda *_: ())
    assert any("worked out" in one for one in told_apart_in(tmp_path))


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
def test_every_value_that_is_set_has_its_resets_told(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "more.rules").write_text(VARIANT, encoding="utf-8")
    for name in ("tongiaki", "wongar", "wongar/initiated", "ubongo", str(tmp_path / "more.rules")):
        model = load(name).model
        assert list(forgotten(model, rulebook(model, words(language)))) == []
    # Left out although the table cannot speak of a rule without words.
    monkeypatch.setattr(statements, "has_sentence", lambda *_: True)
    assert list(forgotten(model, rulebook(model, words(language)))) == ["served: set back in grow"]


def test_one_more_call_of_a_rule_without_words_loses_no_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    found = reader("tongiaki")
    [number] = [n for n, one in enumerate(found.mutants) if one.what == "nobody_served called in setup"]
    one = found.hear(number)
    assert one is not None
    assert (one.same, one.strays) == ((), ())
    assert changed(found.rules, found.mutants[number]) is not None
    monkeypatch.setattr(statements, "has_sentence", lambda *_: True)
    one = found.hear(number)
    assert one is not None
    assert "served: set back in further_step" in one.strays
