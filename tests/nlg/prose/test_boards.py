"""Boards in rulebooks: lines, adjacency, directions, rows and columns, only as far as the rules use them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .books import LANGUAGES, assert_told, small, text_of_book, translator, variant

REACH = """
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
ROW = "row a b\n    a touches b\n    b touches a"
#: Names of horizontal, vertical, diagonal and hexagonal lines.
WAYS = {
    "en": ("horizontally", "vertically", "diagonally", "of the 3 directions"),
    "de": ("waagerecht", "senkrecht", "schräg", "von 3 Richtungen"),
    "nl": ("horizontaal", "verticaal", "diagonaal", "van 3 richtingen"),
    "it": ("in orizzontale", "in verticale", "in diagonale", "delle 3 direzioni"),
}
TOUCHING = {"en": "touch", "de": "grenz", "nl": "gren", "it": "confina"}


def reach(board: str, language: str, asked: str = "owner of here is p", section: str | None = None) -> str:
    return text_of_book(small(REACH.format(board=board, asked=asked)), language, section).lower()


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
def test_line_directions_are_those_that_fit_on_the_board(
    board: str, length: int, ways: tuple[int, ...], where: str
) -> None:
    for language, phrases in WAYS.items():
        text = reach(board, language, LINE.format(n=length, where=where), "play")
        assert [phrase.lower() in text for phrase in phrases] == [number in ways for number in range(4)]


@pytest.mark.parametrize("board", ["grid 3 by 3", "grid 3 by 3\n    touching diagonally", ROW])
def test_adjacency_is_described_only_if_a_rule_uses_it(board: str) -> None:
    for language, touching in TOUCHING.items():
        assert touching not in reach(board, language)
        assert touching in reach(board, language, "some c in cell touching here where owner of c is p", "board")


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


def test_a_card_lies_on_a_place_of_a_layout_or_none() -> None:
    for language, phrases in LIES.items():
        text = text_of_book(small(LAID), language, "play")
        assert [len(re.findall(wanted, text)) for wanted in phrases] == [1, 1], text


#: Distances of places near another one: the place itself is not among them.
FAR = {"en": "1 to 2 steps", "de": "1 bis 2 schritte", "nl": "1 tot 2 stappen", "it": "da 1 a 2 passi"}


@pytest.mark.parametrize(
    "asked",
    [
        "some c in cell {} here where owner of c is p",
        "no c in cell {} here where owner of c is p",
        "every c in cell {} here has owner of c is p",
        "(number of c in cell {} here where owner of c is p) > 3",
        "owner of (first c in cell {} here) is p",
    ],
)
def test_a_place_is_not_among_the_places_near_it(asked: str) -> None:
    for language, far in FAR.items():
        near, adjacent, touching = (
            reach("grid 3 by 3", language, asked.format(where)) for where in ("within 2 of", "within 1 of", "touching")
        )
        assert far in near
        assert adjacent == touching


def test_a_figure_moves_near_another_one_also_from_there() -> None:
    """*Another* place near the other figure would seem to exclude the place of the figure that moves."""
    changed = variant("wongar", "set there of walk in choice ancestor_walk to area within 2 of place of elder")
    for language, far in FAR.items():
        assert far in text_of_book(changed, language).lower()


WINDS = """
board square
    grid 5 by 5
remember owner of each square: player
remember wind: number 0 to 7 = 0
remember best: number = 0
option gust = 2 in 0 to 7
define across(way: number) = (way + 4) mod 8
table weight
    0 4
    1 7
score points
play
    repeat 3 times
        for each p in player
            p chooses turn
                go(here: square where owner of here is nobody, way: direction of square)
                    {}
                otherwise
                    impossible
            if best > 3
                p gains weight[1] points
    nobody wins
"""
IN = "\n" + " " * 20
#: Statements that only use directions as directions, and statements that need the number of a direction.
NAMED = (
    "set owner of step(here, way) to p",
    "set owner of step(here, way, 2) to p",
    "set owner of step(here, north) to p",
    "set owner of step(here, 2) to p",
    "set owner of step(here, (way + 4) mod 8) to p",
    f"let back = (way + 4) mod 8{IN}set owner of step(here, back) to p",
    f"for each s in square along way from here{IN}    set owner of s to p",
    f"for each w in direction of square where w is not way{IN}    set owner of step(here, w) to p",
    f"if way = 2{IN}    set owner of here to p",
    f"let w = first v in direction of square where v is not north{IN}set owner of step(here, w) to p",
)
NUMBERED = (
    "set owner of step(here, wind) to p",
    "set owner of step(here, gust) to p",
    "set owner of step(here, across(way)) to p",
    "set owner of step(here, way + 1) to p",
    f"for each s in square along wind from here{IN}    set owner of s to p",
    f"if way < 4{IN}    set owner of here to p",
    "set best to way",
    "p gains way points",
    f"for each w in direction of square where w mod 2 = 0{IN}    set owner of step(here, w) to p",
)
#: The beginning of the line with the numbers of all directions.
NUMBERS = {
    "en": "directions are numbered clockwise: north (0), northeast (1),",
    "de": "Richtungen sind im Uhrzeigersinn nummeriert: Norden (0), Nordosten (1),",
    "nl": "richtingen zijn met de klok mee genummerd: noorden (0), noordoosten (1),",
    "it": "direzioni sono numerate in senso orario: nord (0), nord-est (1),",
}
#: A number called a direction's, the phrase for a direction by its number, and a direction taken for a number.
WORDS = {
    "en": ("the number of (?:this|the) direction", "in the direction whose number is", "this number|in direction wind"),
    "de": ("die Nummer der Richtung|Nummer dieser Richtung", "in der Richtung, deren Nummer", "diese[rn]? Zahl"),
    "nl": ("nummer van de(?:ze)? richting", "de richting waarvan het nummer", "dit getal"),
    "it": ("il numero (?:della|di questa) direzione", "nella direzione il cui numero è", "questo numero"),
}


@pytest.mark.parametrize("statement", [*NAMED, *NUMBERED])
def test_the_numbers_of_directions_are_listed_where_rules_use_them(statement: str) -> None:
    rules = small(WINDS.format(statement))
    for language, (of_way, by_number, as_number) in WORDS.items():
        text = text_of_book(rules, language)
        assert (NUMBERS[language] in text) == (statement in NUMBERED)
        wrong = as_number if statement in NUMBERED else "|".join((of_way, by_number, as_number))
        assert re.findall(wrong, text) == []


@pytest.mark.parametrize(("deed", "at"), [("best to way", 0), ("owner of step(here, wind) to p", 1)])
def test_a_number_is_called_that_of_a_direction(deed: str, at: int) -> None:
    for language, words in WORDS.items():
        assert len(re.findall(words[at], text_of_book(small(WINDS.format(f"set {deed}")), language))) == 1


CLOCKWISE = {"en": "starting with north)", "de": "mit Norden)", "nl": "met het noorden)", "it": "a partire da nord)"}


def test_directions_in_order_are_clockwise() -> None:
    loop = f"for each w in direction of square{IN}    set owner of step(here, w) to owner of here"
    rules = small(WINDS.format(f"{loop}{IN}set owner of here to left of p"))
    assert_told(rules, "play", {language: re.escape(words) for language, words in CLOCKWISE.items()})


@pytest.mark.parametrize(
    ("side", "nouns"),
    [
        ("row", {"en": "row", "de": "Reihe", "nl": "rij", "it": "riga"}),
        ("column", {"en": "column", "de": "Spalte", "nl": "kolom", "it": "colonna"}),
    ],
)
def test_only_a_written_number_follows_the_noun_of_a_row(side: str, nouns: dict[str, str]) -> None:
    named, written = (
        small(WINDS.format(f"if {side} of here = {number}{IN}    set owner of here to p")) for number in ("best", "3")
    )
    assert_told(written, "play", {language: f"{noun} 3" for language, noun in nouns.items()})
    assert_told(named, "play", {language: f"{noun} (?!best)" for language, noun in nouns.items()})
    assert_told(named, "play", {language: f"{noun} best" for language, noun in nouns.items()}, expected=False)


ADVERBS = {
    "de": ("Richtung", "oben"), "nl": ("richting", "boven"), "it": ("direzione", "su"), "en": ("direction", "up"),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_direction_whose_term_may_be_an_adverb_stands_behind_its_noun(language: str, tmp_path: Path) -> None:
    noun, adverb = ADVERBS[language]
    rules = small(WINDS.format(f"set owner of step(here, north) to p{IN}set owner of step(here, north, 2) to p"))
    text = text_of_book(rules, language, "play", translator(tmp_path, language, f"north: {adverb}"))
    places = re.findall(rf"\w+ .?{adverb}\b", text)
    assert len(places) == 2, text
    assert all(place.startswith(f"{noun} ") for place in places), places
