"""Faults of puzzle drawings, and the order of pieces."""

from __future__ import annotations

import re

import pytest

from wongar_dsl.engine import IllegalMove, State
from wongar_dsl.engine.library import load
from wongar_dsl.language.semantics.shapes import LETTERS
from wongar_dsl.session.puzzle import CoveringFault, Puzzle, PuzzleLayout


@pytest.fixture(scope="module")
def position() -> State:
    """Return a position with the area `..x xxx xxx xxxx` and the pieces A, F and K."""
    state, _ = load("ubongo").game(2).start(5)
    for _ in range(2):
        state.apply(state.read("place(field_1)"))
    return state


@pytest.mark.parametrize(
    ("drawing", "fault"),
    [
        ("..A/AAA/FFF/FK", CoveringFault("free", "", (3, 2))),
        ("..A/AAA/FFF/FKKKK", CoveringFault("outside", "K", (3, 4))),
        ("..A/AAA/FFF/FKKB", CoveringFault("strange", "B", (3, 3))),
        ("..F/FFF/FFF/FFFF", CoveringFault("missing", "A")),
        ("..A/AAA/FFF/FKKK", CoveringFault("shape", "A")),
    ],
)
def test_invalid_drawing_reports_its_first_fault(position: State, drawing: str, fault: CoveringFault) -> None:
    puzzle = Puzzle.of(position)
    assert puzzle is not None
    assert puzzle.solution(drawing) is None
    assert puzzle.fault(f"solve({drawing})") == fault


def test_solutions_have_no_fault_and_other_coverings_are_refused(position: State) -> None:
    puzzle = Puzzle.of(position)
    assert puzzle is not None
    assert [puzzle.fault(solution) for solution in puzzle.solutions] == [None] * len(puzzle.solutions)
    with pytest.raises(IllegalMove) as caught:
        position.require(puzzle.foreign_covering(position))
    assert caught.value.check is not None
    assert caught.value.check.member


def test_unplaced_pieces_are_held_in_order_in_both_directions(position: State) -> None:
    puzzle = Puzzle.of(position)
    assert puzzle is not None
    layout, held = PuzzleLayout(puzzle), []
    for step in (1, 1, 1, -1, -1):
        held.append(layout.held)
        layout.hold_next(step)
    first, second, third = puzzle.pieces
    assert held == [first, second, third, first, third]


def test_pieces_are_ordered_by_letter() -> None:
    different = 0
    for seed in range(12):
        state, _ = load("ubongo").game(2).start(seed)
        for _ in range(2):
            state.apply(state.read("place(field_1)"))
        puzzle = Puzzle.of(state)
        assert puzzle is not None
        assert list(puzzle.pieces) == sorted(puzzle.pieces)
        different += any(re.findall("[A-Z]", s)[0] != LETTERS[next(iter(puzzle.pieces))] for s in puzzle.solutions)
    assert different
