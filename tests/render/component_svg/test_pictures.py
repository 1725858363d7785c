"""Pictures from rules: complete, legible, translated and deterministic."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.render.component_svg.drawn import (
    SVG,
    model_of,
    overflowing_lines,
    parse_svg,
    pictures,
    small_model,
    texts,
    words_of,
)
from wongar_dsl.engine import library
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.component_svg import PictureNames, board, card, covered_area, row_enumerations, shape, svg, track
from wongar_dsl.render.component_svg.card_data import EdgeThing, Trail, sides

LANGUAGES = ("de", "nl", "it", "en")
GAMES = [name for name in library.builtin_names() if "/" not in name]
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
def test_pictures_are_labelled_and_contain_their_text(game: str, language: str) -> None:
    names = PictureNames(model_of(game), words_of(language))
    for picture in pictures(names):
        root = parse_svg(picture)
        assert root.get("role") == "img"
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert picture.title
        assert picture.description
        assert "picture." not in picture.description
        assert overflowing_lines(picture) == [], picture.title
        assert not re.search(r"href|url\(|<script|<style", svg(picture))


def test_pictures_are_deterministic() -> None:
    for game in ("wongar", "ubongo"):
        every = [[svg(p) for p in pictures(PictureNames(model_of(game), words_of("de")))] for _ in range(2)]
        assert every[0] == every[1]


def test_board_shows_all_areas_and_adjacencies() -> None:
    model = model_of("wongar")
    picture = board(PictureNames(model, words_of("en")), "area")
    graph = model.boards["area"]
    root = parse_svg(picture)
    assert texts(root) == [area.capitalize() for area in graph.areas]
    assert len(root.findall(f"{SVG}path")) == sum(map(len, graph.touching)) // 2 == 19
    assert "Kangaroo touches Emu, Snake and Hands." in picture.description


def test_track_shows_its_spaces_by_phase() -> None:
    root = parse_svg(track(PictureNames(model_of("wongar"), words_of("it")), "scorpion"))
    assert texts(root) == ["Fase 1", *"1234", "Fase 2", *"5678", "Fase 3", *map(str, range(9, 14))]


def test_card_shows_icons_of_its_effects() -> None:
    model = model_of("wongar")
    sort = model.cards["area_card"]

    def icons(face: str) -> list[str]:
        number = sort.index(face)
        assert number is not None
        return texts(parse_svg(card(PictureNames(model, words_of("en")), "area_card", number)[0]))

    assert icons("token_card(cube)")[-2:] == ["Cube", "Area card"]
    assert icons("both_card")[-3:] == ["Ancestor", "Elder", "Area card"]
    # The effect comes from the rule that the card calls.
    assert icons("four_rituals")[-2:] == ["Ritual card", "Area card"]


def test_card_shows_its_text_and_cuts_the_overflow() -> None:
    names = PictureNames(model_of("wongar"), words_of("en"))
    text = "The player places a token in the area."
    (short,), (long,) = card(names, "area_card", 3, [text]), card(names, "area_card", 3, [text] * 200)
    assert text in " ".join(texts(parse_svg(short)))
    assert text in short.description
    assert texts(parse_svg(long))[-2].endswith("…")
    assert overflowing_lines(long) == []


def test_tile_shows_paths_and_things_of_its_sides() -> None:
    model = model_of("tongiaki")
    kind = Type("cards", "ocean_card")
    sort = model.cards["ocean_card"]
    water, land = sort.index("water_card(galu)"), sort.index("island_card(hiva)")
    assert water is not None
    assert land is not None
    edges = sides(model, kind, water, 6)
    # 0-3: 2, 1-2: 2, 4-5: 3
    assert [(s.other, s.number) for s in edges if isinstance(s, Trail)] == [
        (3, 2), (2, 2), (1, 2), (0, 2), (5, 3), (4, 3)
    ]  # fmt: skip
    things = [side.value if isinstance(side, EdgeThing) else None for side in sides(model, kind, land, 6)]
    assert things == [None, 0, 1, 2, None, None]
    (tile,) = card(PictureNames(model, words_of("en")), "ocean_card", water)
    assert [text for text in texts(parse_svg(tile)) if text.isdigit()] == list("222233")
    assert "A path joins the northeast and the southwest; its number is 2." in tile.description


def test_puzzle_card_has_a_side_per_area_with_its_pieces() -> None:
    model = model_of("ubongo")
    easy, hard = card(PictureNames(model, words_of("nl")), "tablet", 2)
    assert (easy.title, hard.title) == ("Nr. 3 · makkelijk", "Nr. 3 · moeilijk")
    # The area and six rows of three pieces, each with an outline and inner lines.
    assert len(parse_svg(easy).findall(f".//{SVG}path")) == 2 * (1 + 6 * 3)


def test_covered_area_labels_each_piece() -> None:
    model = model_of("ubongo")
    data = model.coverings["solution"]
    root = parse_svg(covered_area(PictureNames(model, words_of("de")), "solution", data.drawings[0]))
    assert sorted(texts(root)) == sorted({letter for letter in data.drawings[0] if letter.isalpha()})


def test_zones_of_each_value_are_drawn_in_rows() -> None:
    assert row_enumerations(model_of("ubongo")) == {"field": "line"}
    assert row_enumerations(model_of("wongar")) == {}


def test_names_are_escaped_in_pictures(tmp_path: Path) -> None:
    hostile = "</text><script>x</script> ]]> \"'&"
    model = small_model(tmp_path, LETTERS + PLAY)
    (tmp_path / "en").mkdir()
    lexicon = "games:\n  small:\n" + "".join(f"    {n}: {{sg: {hostile!r}, pl: x}}\n" for n in "ade")
    (tmp_path / "en" / "lexicon.yaml").write_text(lexicon.replace("\\'", "''"), encoding="utf-8")
    names = PictureNames(model, Translator.load("en", [tmp_path]))
    for picture in (*card(names, "letter", 0, [hostile]), board(names, "land")):
        root = parse_svg(picture)
        assert root.find(f".//{SVG}script") is None
        assert root.findtext(f"{SVG}title")
        assert "script" in "".join(root.itertext())
        assert overflowing_lines(picture) == []


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
def test_pictures_of_large_boards_are_limited_in_size(tmp_path: Path, article: str, draw: object) -> None:
    model = small_model(tmp_path, article + PLAY)
    assert callable(draw)
    picture = draw(PictureNames(model, words_of("en")), "x")
    assert len(svg(picture)) < 100_000
    assert picture.width <= 1750
    assert picture.height <= 1900
    assert overflowing_lines(picture) == []
