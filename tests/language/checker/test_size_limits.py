"""Size limits: too much memory or too deep definitions are reported at their declaration."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import diagnostic_codes, diagnostics_of
from wongar_dsl.language.checker.game_checks import MAX_NESTED, MAX_STATE

LAYOUT = """
enum mark = {names}
board field
    grid 40 by 40
cards tile
    piece(of: mark, by: mark, to: mark)
deck box of tile
    1 piece(n1, n1, n1)
layout map of each player holds tile on field, seen by all
score points
setup
    player(1) gains 0 points
play
    end game
winner p
    most points of p
"""


def test_layout_size_includes_area_and_rotation_of_each_card(tmp_path: Path) -> None:
    many = next(n for n in range(10, 90) if 2 * (1 + n**3) < MAX_STATE < 2 * (1 + 2 * n**3))
    names = ", ".join(f"n{i}" for i in range(1, many + 1))
    assert diagnostic_codes(tmp_path, LAYOUT.format(names=names)).count("R0414") == 1


CHAIN = """
remember q: number = 1
{definitions}
play
    if f{last}(q) = 3
        nothing
    nobody wins
"""


@pytest.mark.parametrize("body", ["(q - (q - (q - {inner})))", "(sum of {inner} for k{i} in 1 to 3)", "{inner}"])
def test_definitions_nested_too_deep_are_reported_at_the_deepest(body: str, tmp_path: Path) -> None:
    inner = ["n", *(f"f{i}(n)" for i in range(60))]
    lines = [f"define f{i}(n: number) = {body.format(inner=inner[i], i=i)}" for i in range(60)]
    result = diagnostics_of(tmp_path, CHAIN.format(definitions="\n".join(lines), last=59))
    assert [(d.code, d.arguments) for d in result] == [("R0104", {"limit": MAX_NESTED})]
    span = result[0].span
    assert span is not None
    # Without this definition and two more, which the inlined rule uses up, the rules are valid.
    last = inner.index(f"{span.text}(n)") - 3
    assert last > 5
    assert diagnostic_codes(tmp_path, CHAIN.format(definitions="\n".join(lines[:last]), last=last - 1)) == []
