"""Rulebook text about boards: directions of lines, and adjacency, only as far as the rules use them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.language.semantics import Model

from .books import LANGUAGES, rules_in, rules_of, text_of_book

GAME = """game reach
    players 2
    source house rule
board cell
    {board}
remember owner of each cell: player
play
    repeat
        for each p in player
            p chooses turn
                mark(here: cell where owner of here is nobody)
                    set owner of here to p
                    if {asked}
                        p wins
                otherwise
                    nobody wins
"""
LINE = "some l in lines of {n} {where} where (every c in l has owner of c is p)"
ROW = """row a b
    a touches b
    b touches a"""
#: Names of horizontal, vertical, diagonal and hexagonal lines.
WAYS = {
    "en": ("horizontally", "vertically", "diagonally", "of the 3 directions"),
    "de": ("waagerecht", "senkrecht", "schräg", "von 3 Richtungen"),
    "nl": ("horizontaal", "verticaal", "diagonaal", "van 3 richtingen"),
    "it": ("in orizzontale", "in verticale", "in diagonale", "delle 3 direzioni"),
}
TOUCHING = {"en": "touch", "de": "grenz", "nl": "gren", "it": "confina"}


def rules(place: Path, board: str, asked: str = "") -> Model:
    path = place / "reach.rules"
    path.write_text(GAME.format(board=board, asked=asked or "owner of here is p"))
    return rules_in(path)


@pytest.mark.parametrize(
    ("board", "length", "ways"),
    [
        ("grid 3 by 3", 3, (0, 1, 2)),
        ("grid 5 by 2", 2, (0, 1, 2)),
        ("grid 5 by 2", 4, (0,)),
        ("grid 2 by 6", 3, (1,)),
        ("grid 6 by 1", 2, (0,)),
        ("hexagons 4 by 4", 3, (3,)),
        ("hexagons radius 2", 3, (3,)),
    ],
)
@pytest.mark.parametrize("where", ["on cell", "through here"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_line_directions_are_those_that_fit_on_the_board(
    tmp_path: Path, board: str, length: int, ways: tuple[int, ...], where: str, language: str
) -> None:
    text = text_of_book(rules(tmp_path, board, LINE.format(n=length, where=where)), language)
    assert [phrase in text for phrase in WAYS[language]] == [number in ways for number in range(4)]


@pytest.mark.parametrize("board", ["grid 3 by 3", "grid 3 by 3\n    touching diagonally", ROW])
@pytest.mark.parametrize("language", LANGUAGES)
def test_adjacency_is_described_only_if_a_rule_uses_it(tmp_path: Path, board: str, language: str) -> None:
    assert TOUCHING[language] not in text_of_book(rules(tmp_path, board), language).lower()
    touching = rules(tmp_path, board, "some c in cell touching here where owner of c is p")
    assert TOUCHING[language] in text_of_book(touching, language, "board").lower()


LAID = """
board sea
    hexagons radius 2
cards tile
    reef
deck pack of tile total 6
    6 reef
pile stack holds tile
layout chart holds tile on sea, seen by all
score points
setup
    fill stack with pack
play
    for each p in player
        p chooses turn
            put(here: sea where chart[here] is nobody)
                lay top of stack on chart at here turned 0
                if chart[h3_3] is not nobody
                    p gains 2 points
            otherwise
                nothing
    nobody wins
"""
#: Words for an empty place of a layout, and for a place with a card.
LIES = {
    "en": ("no tile lies", "If tile lies"),
    "de": ("kein tile liegt", "tile liegt, erhält"),
    "nl": ("geen tile ligt", "tile ligt, krijgt"),
    "it": ("non si trova nessun tile|nessun tile", "si trova tile"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_lies_on_a_place_of_a_layout_or_none(language: str, tmp_path: Path) -> None:
    text = text_of_book(rules_in(write_rules(tmp_path, LAID)), language, "play")
    for wanted in LIES[language]:
        assert len(re.findall(wanted, text)) == 1, text


#: Distances of places near another one: the place itself is not among them.
FAR = {"en": "1 to 2 steps", "de": "1 bis 2 schritte", "nl": "1 tot 2 stappen", "it": "da 1 a 2 passi"}
NEAR = (
    "some c in cell within {n} of here where owner of c is p",
    "no c in cell within {n} of here where owner of c is p",
    "every c in cell within {n} of here has owner of c is p",
    "(number of c in cell within {n} of here where owner of c is p) > 3",
    "owner of (first c in cell within {n} of here) is p",
)


@pytest.mark.parametrize("asked", NEAR)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_place_is_not_among_the_places_near_it(tmp_path: Path, asked: str, language: str) -> None:
    near = text_of_book(rules(tmp_path, "grid 3 by 3", asked.format(n=2)), language).lower()
    assert FAR[language] in near
    adjacent = text_of_book(rules(tmp_path, "grid 3 by 3", asked.format(n=1)), language).lower()
    assert (
        adjacent
        == text_of_book(rules(tmp_path, "grid 3 by 3", asked.replace("within {n} of", "touching")), language).lower()
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_moves_near_another_one_also_from_there(language: str) -> None:
    """*Another* place near the other figure would seem to exclude the place of the figure that moves."""
    changed = rules_of(
        "near.rules",
        "variant near of wongar\nset there of walk in choice ancestor_walk to area within 2 of place of elder\n",
    )
    assert FAR[language] in text_of_book(changed, language).lower()
