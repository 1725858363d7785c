"""Pictures of components: markup, text metrics, layout of boards, and all kinds of pictures of the games."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.render.component_svg.drawn import (
    SVG,
    model_of,
    overflowing_lines,
    parse_svg,
    pictures,
    texts,
    words_of,
)
from tests.small_games import write_rules
from wongar_dsl.base.markup import tag
from wongar_dsl.engine import library
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.component_svg import PictureNames, board, card, covered_area, row_enumerations, shape, svg, track
from wongar_dsl.render.component_svg.boards import COLUMNS, BoxMeasures, graph_layout, links_of
from wongar_dsl.render.component_svg.card_data import EdgeThing, Trail, sides
from wongar_dsl.render.component_svg.svg import ELLIPSIS, fit_text, text_width, wrap_text

HOSTILE = "</p><script>alert('1')</script> ]]> \" & \x07 \u202e ü"


def test_escaped_text_and_attributes_are_parsed_unchanged() -> None:
    read = ElementTree.fromstring(str(tag("p", HOSTILE, tag("br"), class_="a", title=HOSTILE, lang=None)))
    shown = HOSTILE.replace("\x07", "\\x07").replace("\u202e", "\\u202e")
    assert (read.text, read.attrib) == (shown, {"class": "a", "title": shown})
    assert [child.tag for child in read] == ["br"]


def test_style_is_not_escaped_and_cannot_end_early() -> None:
    assert str(tag("style", 'a > b { c: "d" }')) == '<style>a > b { c: "d" }</style>'
    with pytest.raises(ValueError, match="markup"):
        str(tag("style", "</style>"))


#: Widths in DejaVu Sans Bold, a wide font, in hundredths of the font size.
BOLD = {"i": 34, "r": 50, "m": 105, "W": 111, "ä": 68, "Ö": 86, "8": 70, "„": 66, "–": 50, "&": 88}
LONG = "Der Spieler setzt einen Spielstein in ein Gebiet, in dem höchstens zwei andere Spielsteine liegen."


@pytest.mark.parametrize(("letter", "width"), BOLD.items())
def test_letter_widths_cover_a_wide_font(letter: str, width: int) -> None:
    assert text_width(letter * 10, 100, bold=True) >= 10 * width - 20


@pytest.mark.parametrize("room", [30, 60, 200, 900])
@pytest.mark.parametrize(
    "text", [LONG, "Donaudampfschifffahrtsgesellschaft", "一二三四五六七八", "", "a\nb", "h31_31" * 9]
)
def test_wrapped_lines_fit_and_keep_all_letters(text: str, room: int) -> None:
    lines = wrap_text(text, 20, room)
    assert all(text_width(line, 20) <= room or len(line) == 1 for line in lines)
    assert "".join(lines).replace("-", "").replace(" ", "") == "".join(text.split())


def test_text_uses_the_largest_fitting_size_and_is_cut_last() -> None:
    sizes = (40, 30, 20)
    assert fit_text("short", 400, 100, sizes).size == 40
    small = fit_text(LONG, 400, 120, sizes)
    assert small.size == 20 or small.height <= 120
    cut = fit_text(LONG * 5, 300, 120, sizes)
    assert cut.size == 20
    assert cut.height <= 120
    assert cut.lines[-1].endswith(ELLIPSIS)
    assert all(text_width(line, 20) <= 300 for line in cut.lines)
    # A word is not cut if a smaller size shows it completely.
    assert fit_text("Wasserkarte", text_width("Wasserkarte", 20), 200, sizes).lines == ("Wasserkarte",)


BOXES = BoxMeasures(200, 110, 60)


def graph(rows: list[list[str]], links: list[tuple[str, str]], offset: bool = False) -> Graph:
    areas = tuple(area for row in rows for area in row)
    touching: list[set[int]] = [set() for _ in areas]
    for a, b in links:
        touching[areas.index(a)].add(areas.index(b))
        touching[areas.index(b)].add(areas.index(a))
    return Graph(areas, tuple(map(tuple, rows)), offset, tuple(tuple(sorted(t)) for t in touching))


def crossings(board: Graph) -> int:
    """Return the number of line crossings and of lines through boxes.

    The lines are sampled at points, a finer method than that of the layout.
    """
    middles = [BOXES.middle(cell) for cell in graph_layout(board, BOXES)]
    links = list(links_of(board))
    count = 0
    for a, b in links:
        for area, (x, y) in enumerate(middles):
            if area not in (a, b):
                count += any(
                    abs(middles[a][0] + (middles[b][0] - middles[a][0]) * t // 40 - x) < BOXES.width // 2
                    and abs(middles[a][1] + (middles[b][1] - middles[a][1]) * t // 40 - y) < BOXES.height // 2
                    for t in range(41)
                )
    for (a, b), (c, d) in combinations(links, 2):
        if len({a, b, c, d}) == 4:
            count += _cross(middles[a], middles[b], middles[c], middles[d])
    return count


def _cross(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> bool:
    across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if across == 0:
        return False
    t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across
    u = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / across
    return 0 < t < 1 and 0 < u < 1


def test_rows_that_show_the_adjacency_are_kept() -> None:
    rows = [["a", "b", "c"], ["d", "e", "f", "g"]]
    links = [("a", "b"), ("b", "c"), ("a", "d"), ("a", "e"), ("c", "g"), ("f", "g")]
    board = graph(rows, links, offset=True)
    expected = [*((column, 0) for column in (1, 3, 5)), *((column, 1) for column in (0, 2, 4, 6))]
    assert [tuple(cell) for cell in graph_layout(board, BOXES)] == expected


def test_ring_in_one_row_becomes_a_ring() -> None:
    names = list("abcdefgh")
    board = graph([names], [*pairwise(names), ("h", "a")])
    assert crossings(board) == 0


def test_few_lines_cross_if_rows_hide_the_structure() -> None:
    # A cube, which the rows do not show.
    links = ["ab", "bc", "cd", "da", "ef", "fg", "gh", "he", "ae", "bf", "cg", "dh"]
    board = graph([list("agceh"), list("bdf")], [(link[0], link[1]) for link in links])
    assert crossings(board) <= 2


def test_boxes_do_not_overlap_and_layout_is_deterministic() -> None:
    names = [f"n{i}" for i in range(9)]
    links = [(names[i], names[(i * 5 + 3) % 9]) for i in range(9) if i != (i * 5 + 3) % 9]
    board = graph([names[:6], names[6:]], links)
    cells = graph_layout(board, BOXES)
    assert cells == graph_layout(board, BOXES)
    for first, second in combinations(cells, 2):
        assert first.row != second.row or abs(first.column - second.column) >= 2


def test_large_board_keeps_its_rows_and_wraps_long_ones() -> None:
    names = [f"n{i}" for i in range(2000)]
    board = graph([names], [(names[0], names[-1])])
    assert [cell.row for cell in graph_layout(board, BOXES)] == [i // COLUMNS for i in range(2000)]


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
    model = library.load(write_rules(tmp_path, LETTERS + PLAY)).model
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
    model = library.load(write_rules(tmp_path, article + PLAY)).model
    assert callable(draw)
    picture = draw(PictureNames(model, words_of("en")), "x")
    assert len(svg(picture)) < 100_000
    assert picture.width <= 1750
    assert picture.height <= 1900
    assert overflowing_lines(picture) == []
