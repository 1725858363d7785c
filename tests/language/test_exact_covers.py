"""Shapes, exact coverings and clocks in rule files: semantics and errors."""

from __future__ import annotations

from math import factorial
from pathlib import Path

import pytest

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.engine import library
from wongar_dsl.engine.library import Rules
from wongar_dsl.language.semantics.shapes import (
    ExactCoverSolver,
    OverBudgetError,
    Shape,
    WorkBudget,
    exact_covers,
    mirror,
    orientations,
    parse_drawing,
    rotate,
    shape,
)

TEXT = """
game tiles
    players 1 to 3
    source house rule

enum tint = red, blue

shapes part
    bar   xx
    long  xxx
    hook  xx x.

shapes plot
    corner  xxx xx.
    block   xxx xxx

coverings way of plot by part for tint
    corner  bar long, bar hook
    block   long hook, bar long

remember here: plot = corner
remember seen of each player: number = 0

play
    each p in player chooses race at once by time from 1000 within 60 seconds
        solve(laid: way[here, blue])
            set seen of p to time
        wait
            nothing
    calm(first p in player)
    end game

rule calm(p: player)
    p chooses rest by time from seen of p
        go(n: 1 to 3)
            set seen of p to time + n

winner p
    most seen of p
"""


def load(tmp_path: Path, text: str = TEXT) -> Rules:
    file = tmp_path / "tiles.rules"
    file.write_text(text, encoding="utf-8")
    return library.load(file)


@pytest.mark.parametrize("backend", ["python", "reference"])
def test_coverings_are_options_and_answer_times_count(tmp_path: Path, backend: str) -> None:
    game = load(tmp_path).game(2, backend=backend)
    state, _ = game.start(1)
    assert [state.write(m) for m in state.legal_moves()] == ["solve(ACC/AC.)", "solve(CAA/CC.)", "wait"]
    assert state.clock == (1000, 60_000)
    first = state.legal_moves()[0]
    state.apply(first, time=3_000)
    state.apply(first, time=2_000)
    field = game.fields["seen"]
    assert state.cells[field.base : field.base + 2] == [4_000, 3_000]
    assert state.clock == (4_000, None)
    state.apply(state.read("go(2)"), time=50)
    assert state.cells[field.base] == 4_052
    assert state.winners == (0,)


def test_coverings_are_exact_and_in_a_fixed_order(tmp_path: Path) -> None:
    data = load(tmp_path).model.coverings["way"]
    drawings = [[data.drawings[c] for c in numbers] for numbers in data.lists]
    assert drawings == [["BBB/AA."], ["ACC/AC.", "CAA/CC."], [], []]


def test_coverings_without_a_key_have_one_set_per_area(tmp_path: Path) -> None:
    text = TEXT
    for old, new in (
        (" for tint", ""), ("bar long, bar hook", "bar long"), ("long hook, bar long", "long"),
        ("enum tint = red, blue\n", ""), ("way[here, blue]", "way of here"),
    ):  # fmt: skip
        text = text.replace(old, new)
    state, _ = load(tmp_path, text).game(1).start(1)
    assert [state.write(m) for m in state.legal_moves()] == ["solve(BBB/AA.)", "wait"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("bar long, bar hook", "bar lond, bar hook", ["R0201"]),
        ("bar long, bar hook", "bar bar, bar hook", ["R0202"]),
        ("bar long, bar hook", "bar long", ["R0402"]),
        ("    block   long hook, bar long\n", "", ["R0401"]),
        ("    block   long hook", "    corner  long hook", ["R0202", "R0401"]),
        ("    block   long hook", "    blok  long hook", ["R0201", "R0401"]),
        ("of plot by part for tint", "of plott by part for tint", ["R0201"]),
        ("of plot by part for tint", "of plot by parts for tint", ["R0201"]),
        ("of plot by part for tint", "of plot by part for tints", ["R0201"]),
        ("of plot by part for tint", "of tint by part for tint", ["R0201"]),
        ("way[here, blue]", "way[blue, here]", ["R0301", "R0301"]),
        ("way[here, blue]", "way of here", ["R0302"]),
        ("hook  xx x.", "hook  ...", ["R0305"]),
        ("hook  xx x.", "hook  xx y.", ["R0101"]),
        ("hook  xx x.", "long  xx x.", ["R0202"]),
        ("hook  xx x.", "hook  " + "x" * 41, ["R0414"]),
        ("by time from 1000 within", "by time from yes within", ["R0301"]),
        ("within 60 seconds", "within here seconds", ["R0301"]),
        ("within 60 seconds", "within 60", ["R0107"]),
    ],
)
def test_invalid_declarations_are_reported(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert old in TEXT
    with pytest.raises(RulesError) as caught:
        load(tmp_path, TEXT.replace(old, new))
    assert set(expected) <= {d.code for d in caught.value.diagnostics}


# ---- shapes --------------------------------------------------------------------------------------------------------


def drawing(*rows: str) -> Shape:
    piece = parse_drawing(rows)
    assert piece is not None
    return piece


@pytest.mark.parametrize(
    ("rows", "number"), [("xx", 2), ("xxx", 2), ("xx x.", 4), ("xx xx", 1), (".xx xx.", 4), ("xxxx x...", 8)]
)
def test_number_of_orientations(rows: str, number: int) -> None:
    piece = drawing(*rows.split())
    assert len(orientations(piece)) == number
    assert rotate(rotate(rotate(rotate(piece)))) == piece == mirror(mirror(piece))


def test_drawings_are_trimmed() -> None:
    assert drawing("...", ".x.", "...") == drawing("x")
    assert parse_drawing(["...", ""]) is None
    assert shape([(5, 5), (5, 6)]).rows == ("xx",)


def test_domino_coverings_are_fibonacci_numbers() -> None:
    """A 2 by n rectangle has Fibonacci many domino coverings, times n! since the pieces are distinguishable."""
    for n, fibonacci in enumerate((1, 2, 3, 5, 8), 1):
        solver = ExactCoverSolver(drawing("x" * n, "x" * n), [drawing("xx")] * n, WorkBudget(100_000))
        assert sum(1 for _ in solver.coverings(range(n))) == fibonacci * factorial(n)


def test_kept_coverings_are_charged_like_the_search() -> None:
    searching, reading = WorkBudget(100_000), WorkBudget(100_000)
    asked = drawing("xxxxx", "xxxxx"), (drawing("xx"),) * 5, (tuple(range(5)),)
    covers = exact_covers(*asked, searching)
    assert exact_covers(*asked, reading) is covers
    assert searching.left == reading.left < 100_000
    with pytest.raises(OverBudgetError):
        exact_covers(*asked, WorkBudget(10))
    with pytest.raises(OverBudgetError):
        list(ExactCoverSolver(drawing("xxxx", "xxxx"), [drawing("xx")] * 4, WorkBudget(10)).coverings(range(4)))
