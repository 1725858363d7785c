"""Ubongo boards: the rule file equals the generated text, and every board can be solved."""

from __future__ import annotations

from importlib import resources
from itertools import islice

import pytest

from tools import make_boards as maker
from wongar_dsl.engine import library
from wongar_dsl.language.semantics.shapes import Shape, orientations, parse_covering, shape

MODEL = library.load("ubongo").model
DATA = MODEL.coverings["solution"]
AREAS = dict(zip(MODEL.enums["ground"], MODEL.shapes["ground"], strict=True))
PIECES = dict(zip(MODEL.enums["piece"], MODEL.shapes["piece"], strict=True))
TEXT = resources.files("wongar_dsl.rules").joinpath("ubongo", "ubongo.rules").read_text(encoding="utf-8")


def is_connected(one: Shape) -> bool:
    """Return whether the squares are connected by their edges."""
    unvisited = set(one.spots)
    edge = [unvisited.pop()]
    while edge:
        r, c = edge.pop()
        for spot in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if spot in unvisited:
                unvisited.remove(spot)
                edge.append(spot)
    return not unvisited


def test_rule_file_equals_the_generated_boards() -> None:
    first, last = maker.section(TEXT)
    lines = [line for line in TEXT.split("\n")[first + 1 : last] if line]
    assert lines == [line for line in maker.articles(maker.make()) if line]


def test_there_are_36_boards_with_two_sides() -> None:
    assert sorted(AREAS) == sorted(f"{side}_{n}" for side in ("easy", "hard") for n in range(1, 37))
    assert len(MODEL.cards["tablet"].faces) == 36


def test_pieces_are_the_twelve_known_shapes() -> None:
    assert len(PIECES) == 12
    assert sum(len(piece.spots) for piece in PIECES.values()) == 48
    assert len({min(orientations(piece), key=lambda w: w.spots) for piece in PIECES.values()}) == 12
    assert all(int(name[-1]) == len(piece.spots) for name, piece in PIECES.items())


def covering_sets(area: str) -> list[tuple[int, ...]]:
    keys = len(MODEL.enums["symbol"])
    index = MODEL.enums["ground"].index(area) * keys
    return list(DATA.lists[index : index + keys])


@pytest.mark.parametrize("side", ["easy", "hard"])
def test_each_of_the_six_sets_covers_the_area(side: str) -> None:
    shapes = list(PIECES.values())
    for name in (name for name in AREAS if name.startswith(side)):
        used = []
        for coverings in covering_sets(name):
            laid = [parse_covering(DATA.drawings[c]) for c in coverings]
            (pieces,) = {tuple(covering) for covering in laid}
            used.append(pieces)
            for covering in laid:
                spots = sorted(spot for spots in covering.values() for spot in spots)
                assert spots == sorted(AREAS[name].spots), name
                assert all(shape(spots) in orientations(shapes[number]) for number, spots in covering.items()), name
        assert len(set(used)) == 6
        assert {len(chosen) for chosen in used} == {3 if side == "easy" else 4}
        assert not set.intersection(*(set(chosen) for chosen in used))


def test_areas_look_like_puzzles_and_are_all_different() -> None:
    for name, area in AREAS.items():
        assert is_connected(area), name
        assert not maker.has_hole(area), name
        assert len(area.spots) < area.width * area.height, name
    assert len({maker.same(area) for area in AREAS.values()}) == 72


def test_coverings_are_complete() -> None:
    """Compared with an independent search that places the pieces in the order of the set."""
    for area in islice(AREAS, 0, None, 18):
        for coverings in covering_sets(area):
            pieces = [list(PIECES.values())[n] for n in parse_covering(DATA.drawings[coverings[0]])]
            assert len(coverings) == count_coverings(set(AREAS[area].spots), pieces)


def count_coverings(left: set[tuple[int, int]], pieces: list[Shape]) -> int:
    if not pieces:
        return int(not left)
    count = 0
    for rotated_piece in orientations(pieces[0]):
        for r, c in sorted(left):
            dr, dc = r - rotated_piece.spots[0][0], c - rotated_piece.spots[0][1]
            spots = {(y + dr, x + dc) for y, x in rotated_piece.spots}
            if spots <= left:
                count += count_coverings(left - spots, pieces[1:])
    return count
