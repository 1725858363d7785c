"""Columns as editors count them, and lines that go elsewhere while somebody types."""

from __future__ import annotations

import pytest

from wongar_dsl.language_server.positions import Encoding, Shift, column_at, units


@pytest.mark.parametrize(("encoding", "count"), [("utf-8", 9), ("utf-16", 5), ("utf-32", 4)])
def test_a_column_counts_what_was_agreed_upon(encoding: Encoding, count: int) -> None:
    line = "a♞🙂bc"
    assert units(line, 5, encoding) == count
    assert column_at(line, count, encoding) == 5
    assert units(line, 99, encoding) == count + 1
    assert column_at(line, 99, encoding) == len(line) + 1


def test_a_place_inside_of_a_character_is_the_one_before_it() -> None:
    assert column_at("🙂x", 1, "utf-16") == 1


def test_half_a_character_does_no_harm() -> None:
    assert units("\ud83dx", 3, "utf-16") == 2
    assert column_at("\ud83dx", 1, "utf-8") == 2


def test_lines_below_what_was_typed_go_down_with_it() -> None:
    shift = Shift.between(["a", "b", "c", "d"], ["a", "new", "newer", "c", "d"])
    assert [shift.newer(n) for n in (1, 2, 3, 4)] == [1, 2, 4, 5]
    assert [shift.older(n) for n in (1, 4, 5)] == [1, 3, 4]


def test_no_line_lies_outside_of_the_text() -> None:
    shift = Shift.between(["a", "b", "c"], [""])
    assert {shift.newer(n) for n in (1, 2, 3)} == {1}
