"""Pictures are drawn from the rules: whole, legible, in the language, and the same each time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pictures.drawn import SVG, beyond, model_of, pictures, read, texts, words_of, written
from wongar_dsl import library
from wongar_dsl.model import Type
from wongar_dsl.pictures import Names, board, card, covered, lined, shape, svg, track
from wongar_dsl.pictures.sides import Thing, Trail, sides
from wongar_dsl.words import Words

LANGUAGES = ("de", "nl", "it", "en")
GAMES = [name for name in library.shipped_names() if "/" not in name]
PLAY = """
play
    for each p in player
        p wins
"""
LETTERS = """
cards letter
    a
deck all of letter total 1
    1 a
pile box holds letter, seen by all
board land
    row d e
    d touches e
    e touches d
setup
    fill box with all
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_picture_says_what_it_is_and_keeps_its_letters_inside(game: str, language: str) -> None:
    names = Names(model_of(game), words_of(language))
    for picture in pictures(names):
        root = read(picture)
        assert root.get("role") == "img"
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert picture.title
        assert picture.description
        assert "picture." not in picture.description
        assert beyond(picture) == [], picture.title
        assert not re.search(r"href|url\(|<script|<style", svg(picture))


def test_the_same_rules_give_the_same_bytes() -> None:
    for game in ("wongar", "ubongo"):
        every = [[svg(p) for p in pictures(Names(model_of(game), words_of("de")))] for _ in range(2)]
        assert every[0] == every[1]


def test_a_board_shows_all_areas_and_a_line_for_each_two_that_touch() -> None:
    model = model_of("wongar")
    picture = board(Names(model, words_of("en")), "area")
    graph = model.boards["area"]
    root = read(picture)
    assert texts(root) == [area.capitalize() for area in graph.areas]
    assert len(root.findall(f"{SVG}path")) == sum(map(len, graph.touching)) // 2 == 19
    assert "Kangaroo touches Emu, Snake and Hands." in picture.description


def test_a_track_has_its_spaces_in_phases() -> None:
    root = read(track(Names(model_of("wongar"), words_of("it")), "scorpion"))
    assert texts(root) == ["Fase 1", *"1234", "Fase 2", *"5678", "Fase 3", *map(str, range(9, 14))]


def test_a_card_shows_what_it_brings() -> None:
    model = model_of("wongar")
    sort = model.cards["area_card"]

    def shown(face: str) -> list[str]:
        number = sort.index(face)
        assert number is not None
        return texts(read(card(Names(model, words_of("en")), "area_card", number)[0]))

    assert shown("token_card(cube)")[-2:] == ["Cube", "Area card"]
    assert shown("both_card")[-3:] == ["Ancestor", "Elder", "Area card"]
    # Its own lines bring nothing; the rule that they call does.
    assert shown("four_rituals")[-2:] == ["Ritual card", "Area card"]


def test_a_card_shows_its_text_and_cuts_what_there_is_no_room_for() -> None:
    names = Names(model_of("wongar"), words_of("en"))
    text = "The player places a token in the area."
    (short,), (long,) = card(names, "area_card", 3, [text]), card(names, "area_card", 3, [text] * 200)
    assert text in " ".join(texts(read(short)))
    assert text in short.description
    assert texts(read(long))[-2].endswith("…")
    assert beyond(long) == []


def test_a_tile_shows_the_paths_and_things_of_its_sides() -> None:
    model = model_of("tongiaki")
    kind = Type("cards", "ocean_card")
    sort = model.cards["ocean_card"]
    water, land = sort.index("water_card(galu)"), sort.index("island_card(hiva)")
    assert water is not None
    assert land is not None
    found = sides(model, kind, water, 6)
    # 0-3: 2, 1-2: 2, 4-5: 3
    assert [(s.other, s.number) for s in found if isinstance(s, Trail)] == [
        (3, 2), (2, 2), (1, 2), (0, 2), (5, 3), (4, 3)
    ]  # fmt: skip
    things = [side.value if isinstance(side, Thing) else None for side in sides(model, kind, land, 6)]
    assert things == [None, 0, 1, 2, None, None]
    (tile,) = card(Names(model, words_of("en")), "ocean_card", water)
    assert [text for text in texts(read(tile)) if text.isdigit()] == list("222233")
    assert "A path joins the northeast and the southwest; its number is 2." in tile.description


def test_a_card_with_areas_has_a_side_for_each_with_the_pieces_that_cover_it() -> None:
    model = model_of("ubongo")
    easy, hard = card(Names(model, words_of("nl")), "tablet", 2)
    assert (easy.title, hard.title) == ("Nr. 3 · makkelijk", "Nr. 3 · moeilijk")
    # The area, and six rows of three pieces: an outline each, and lines within.
    assert len(read(easy).findall(f".//{SVG}path")) == 2 * (1 + 6 * 3)


def test_a_covered_area_shows_each_piece_with_its_letter() -> None:
    model = model_of("ubongo")
    data = model.coverings["solution"]
    root = read(covered(Names(model, words_of("de")), "solution", data.drawings[0]))
    assert sorted(texts(root)) == sorted({letter for letter in data.drawings[0] if letter.isalpha()})


def test_rows_of_places_are_drawn_for_a_zone_of_each_value() -> None:
    assert lined(model_of("ubongo")) == {"field": "line"}
    assert lined(model_of("wongar")) == {}


def test_names_cannot_break_out_of_a_picture(tmp_path: Path) -> None:
    hostile = "</text><script>x</script> ]]> \"'&"
    model = written(tmp_path, LETTERS + PLAY)
    (tmp_path / "en").mkdir()
    lexicon = "games:\n  small:\n" + "".join(f"    {n}: {{sg: {hostile!r}, pl: x}}\n" for n in "ade")
    (tmp_path / "en" / "lexicon.yaml").write_text(lexicon.replace("\\'", "''"), encoding="utf-8")
    names = Names(model, Words.load("en", [tmp_path]))
    for picture in (*card(names, "letter", 0, [hostile]), board(names, "land")):
        root = read(picture)
        assert root.find(f".//{SVG}script") is None
        assert root.findtext(f"{SVG}title")
        assert "script" in "".join(root.itertext())
        assert beyond(picture) == []


@pytest.mark.parametrize(
    ("article", "draw"),
    [
        ("board x\n    hexagons radius 31\n", board),
        ("board x\n    hexagons 60 by 60\n", board),
        ("board x\n    grid 63 by 63\n", board),
        ("board x\n" + "    row " + " ".join(f"a{i}" for i in range(99)) + "\n    a0 touches a98\n    a98 touches a0\n"
         + "".join(f"    a{i} touches a{i + 1}\n    a{i + 1} touches a{i}\n" for i in range(98)), board),
        ("enum hour = a, b\ntrack x\n    a 3990 spaces\n    b 10 spaces\n", track),
        ("shapes x\n    a " + " ".join(["x" * 40] * 40) + "\n", lambda names, name: shape(names, name, 0)),
    ],
)  # fmt: skip
def test_what_is_large_stays_small_as_a_picture(tmp_path: Path, article: str, draw: object) -> None:
    model = written(tmp_path, article + PLAY)
    assert callable(draw)
    picture = draw(Names(model, words_of("en")), "x")
    assert len(svg(picture)) < 100_000
    assert picture.width <= 1750
    assert picture.height <= 1900
    assert beyond(picture) == []
