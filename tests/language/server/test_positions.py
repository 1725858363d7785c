"""Column units of editors, and line numbers that shift while the user types."""

from __future__ import annotations

import pytest

from wongar_dsl.language.server.symbols import Encoding, LineShift, column_at, units


@pytest.mark.parametrize(("encoding", "count"), [("utf-8", 9), ("utf-16", 5), ("utf-32", 4)])
def test_columns_are_counted_in_the_agreed_encoding(encoding: Encoding, count: int) -> None:
    line = "a♞🙂bc"
    assert units(line, 5, encoding) == count
    assert column_at(line, count, encoding) == 5
    assert units(line, 99, encoding) == count + 1
    assert column_at(line, 99, encoding) == len(line) + 1


def test_position_inside_of_a_character_is_rounded_down() -> None:
    assert column_at("🙂x", 1, "utf-16") == 1


def test_lone_surrogate_is_handled() -> None:
    assert units("\ud83dx", 3, "utf-16") == 2
    assert column_at("\ud83dx", 1, "utf-8") == 2


def test_lines_below_an_insertion_shift_down() -> None:
    shift = LineShift.between(["a", "b", "c", "d"], ["a", "new", "newer", "c", "d"])
    assert [shift.newer(n) for n in (1, 2, 3, 4)] == [1, 2, 4, 5]
    assert [shift.older(n) for n in (1, 4, 5)] == [1, 3, 4]


def test_shifted_lines_stay_within_the_text() -> None:
    shift = LineShift.between(["a", "b", "c"], [""])
    assert {shift.newer(n) for n in (1, 2, 3)} == {1}
