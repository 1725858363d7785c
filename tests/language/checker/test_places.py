"""The mark of a diagnostic: it stands at what its message names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import diagnostics_of

GAME = """
enum colour = red, blue
board field
    grid 3 by 3
cards wish_card
    plain(shade: colour)
deck pack of wish_card
    1 plain(red), 1 plain(blue)
pile stack holds wish_card, seen by all
tokens box holds colour, seen by all
track clock
    red 2 spaces
    blue 2 spaces
setup
    fill stack with pack
play
    let wished = top of stack
    {statement}
    nobody wins
"""


@pytest.mark.parametrize(
    "statement",
    ["shuffle wished", "shuffle red", "let n = size of wished", "if top of stack is empty\n        nothing",
     "let n = column of wished", "let n = spot(colour, 1, 1)", "let n = clock",
     "fill wished with pack", "move all of box to wished", "let n = box", "shuffle box",
     "if some c in wished where yes\n        nothing", "move wished from clock to stack"],
)  # fmt: skip
def test_a_wrong_sort_is_named_as_it_is_marked(tmp_path: Path, statement: str) -> None:
    wrong = [d for d in diagnostics_of(tmp_path, GAME.format(statement=statement)) if d.code == "R0203"]
    for diagnostic in wrong:
        span = diagnostic.span
        assert span is not None
        marked = span.source.line(span.line)[span.column - 1 : span.end_column - 1]
        assert marked.startswith(str(diagnostic.arguments["name"]))
        assert diagnostic.arguments["found"] != "cards"
    assert wrong


@pytest.mark.parametrize(
    ("statement", "proposed"),
    [
        ("move 1 plain from stack to box", False),
        ("move 1 plain from box to stack", False),
        ("move 1 plain from stack to stack", True),
    ],
)
def test_a_move_of_cards_is_proposed_between_places_for_cards_only(
    tmp_path: Path, statement: str, proposed: bool
) -> None:
    (error,) = (d for d in diagnostics_of(tmp_path, GAME.format(statement=statement)) if d.code == "R0203")
    assert (error.hint is not None and error.hint.name == "move_card") == proposed
    assert bool(error.labels) != proposed, "the place for tokens is shown"


@pytest.mark.parametrize("condition", ["box = 0", "0 = box", "box > 2", "stack != 1"])
def test_zone_compared_with_a_number_suggests_its_size(tmp_path: Path, condition: str) -> None:
    statement = f"if {condition}\n        nothing"
    wrong = [d for d in diagnostics_of(tmp_path, GAME.format(statement=statement)) if d.code == "R0203"]
    assert [diagnostic.suggestion for diagnostic in wrong] == [f"size of {'stack' if 'stack' in condition else 'box'}"]
