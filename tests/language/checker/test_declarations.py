"""Declarations, layouts, and the sides of paths on cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import diagnostic_codes, diagnostics_of
from wongar_dsl.language.semantics import MAX_CELLS, NUMBER, TableData, TooManyCells
from wongar_dsl.nlg.diagnostic_text import message
from wongar_dsl.nlg.words import Translator


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("remember kept of each number: player", "number"),
        ("pile kept of each number holds tile, seen by all", "number"),
        ("pile kept of each figure holds tile", "figure"),
    ],
)
def test_of_each_requires_a_countable_type(tmp_path: Path, declared: str, name: str) -> None:
    wrong = diagnostics_of(tmp_path, f"cards tile\n    plain\n{declared}\nplay\n    nobody wins\n")
    (error,) = [d for d in wrong if d.code == "R0203"]
    assert (error.arguments["name"], error.arguments["expected"]) == (name, ("player", "enum", "board", "cards"))


GAME = """game sides
    players 2
    source house rule
enum way = {ways}
enum shade = pale, dark
paths road of way with toll
{rows}
cards tile
    crossing(way: way)
cards slip
    plain(shade: shade)
deck tiles of tile total 1
    1 crossing(w0)
board first
    {first}
board second
    {second}
pile stack holds tile, seen by all
layout chart holds tile on first, seen by all
layout chart_of_slips holds slip on second, seen by all
play
    nobody wins
"""


def path_codes(
    folder: Path, rows: list[str], first: str = "hexagons radius 2", second: str = "grid 4 by 4"
) -> list[str]:
    way_names = ", ".join(f"w{i}" for i in range(len(rows)))
    text = GAME.format(
        ways=way_names, rows="\n".join(f"    w{i} {row}" for i, row in enumerate(rows)), first=first, second=second
    )
    return [code for code in diagnostic_codes(folder, text) if code in ("R0305", "R0428", "R0429", "R0414")]


@pytest.mark.parametrize("side", [6, 7, 8, 100_000, 1_000_000_000])
def test_cards_on_hexagons_have_six_sides(side: int, tmp_path: Path) -> None:
    assert path_codes(tmp_path, [f"0-1, {side}-3"]) == path_codes(tmp_path, [f"0-1, 3-{side}"]) == ["R0428"]
    assert path_codes(tmp_path, ["0-1, 5-3"]) == []


def test_cards_on_squares_have_eight_sides_beside_a_hexagon_layout(tmp_path: Path) -> None:
    assert path_codes(tmp_path, ["0-7"], "grid 4 by 4", "hexagons radius 2") == []
    assert path_codes(tmp_path, ["0-8"], "grid 4 by 4", "hexagons radius 2") == ["R0428"]
    assert path_codes(tmp_path, ["0-7"]) == ["R0428"]


def test_cards_without_a_layout_have_up_to_eight_sides(tmp_path: Path) -> None:
    text = "".join(line for line in GAME.splitlines(keepends=True) if not line.startswith("layout"))
    for side, refused in ((7, False), (8, True), (10**9, True)):
        game = text.format(ways="w0", rows=f"    w0 0-{side}", first="hexagons radius 2", second="grid 4 by 4")
        assert ("R0305" in diagnostic_codes(tmp_path, game)) == refused


def test_single_row_with_a_missing_side_is_reported(tmp_path: Path) -> None:
    full = "0-1, 2-3, 4-5"
    assert path_codes(tmp_path, [full, full, full, "0-1, 2-3"]) == ["R0429"]
    assert path_codes(tmp_path, [full, full, full, full]) == []
    assert path_codes(tmp_path, [full, full, "0-1, 2-3", "0-1, 2-3"]) == [], "where several lack it, it is meant"
    assert path_codes(tmp_path, [full, "0-1, 2-3"]) == [], "two rows say nothing"
    assert path_codes(tmp_path, [full, full, full, "0-1, 2-3, 4-6"]) == ["R0428"], "one mistake is told once"


@pytest.mark.parametrize(
    ("language", "sides", "twice"),
    [
        ("de", "von den Seiten 4 und 5", "„Seite 2“"),
        ("nl", "vanaf de kanten 4 en 5", "“kant 2”"),
        ("it", "dai lati 4 e 5", "«lato 2»"),
        ("en", "from the sides 4 and 5", "“side 2”"),
    ],
)
def test_sides_are_called_sides(language: str, sides: str, twice: str, tmp_path: Path) -> None:
    say, full = Translator.load(language).say, "0-1, 2-3, 4-5"
    for last, expected in (("0-1, 2-3", sides), ("0-1, 2-3, 2-4, 5-3", twice)):
        rows = "\n".join(f"    w{i} {row}" for i, row in enumerate((full, full, full, last)))
        text = GAME.format(ways="w0, w1, w2, w3", rows=rows, first="hexagons radius 2", second="grid 4 by 4")
        messages = [message(d, say) for d in diagnostics_of(tmp_path, text)]
        assert any(expected in told for told in messages), messages


def test_too_large_table_is_refused_before_it_is_built() -> None:
    with pytest.raises(TooManyCells):
        TableData.with_default(((NUMBER, 0, 10**9), (NUMBER, 0, 10**9)), NUMBER, {})
    assert len(TableData.with_default(((NUMBER, 5, MAX_CELLS),), NUMBER, {(6,): 7}, -1).cells) == MAX_CELLS
