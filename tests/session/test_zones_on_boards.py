"""Zones at the areas of a board: owner, name and number of each are told apart, in words and in the legend."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from tests.small_games import write_rules
from tests.web.viewings import viewing
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.render.position_svg.contents import contents
from wongar_dsl.render.position_svg.position import boards
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.render.text.players import columns
from wongar_dsl.render.text.position import legend, picture
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.screen_reader import spoken_table
from wongar_dsl.session.board.scene import Scene
from wongar_dsl.web.rendering import pages

BOARDS = ("grid 2 by 1", "row a1 b1\n    a1 touches b1\n    b1 touches a1", "hexagons 2 by 1")
KINDS = tuple(product(("pile", "heap", "hand"), ("seen by all", "seen as a number", "seen by owner")))
GAME = """
board land
    {board}
cards tile
    sheep
    goat
deck box of tile
    9 sheep, 9 goat
pile stack holds tile
{kind} well of each land of each player holds tile, {seen}
{kind} fold of each land of each player holds tile, {seen}
pile barn of each land holds tile, seen as a number
setup
    fill stack with box
    for each x in land
        move top of stack to barn[x] quietly
        for each p in player
            move top of stack to well[x, p] quietly
            move top of stack to fold[x, p] quietly
play
    player(1) chooses turn
        stop
            nobody wins
"""
#: The beginning of an item: the name of a player, or of the zone without an owner, before its contents.
OWNED = re.compile(r"(Ann|Bob) \w+: ")


@pytest.mark.parametrize(("kind", "seen"), KINDS)
@pytest.mark.parametrize("board", BOARDS)
def test_each_zone_is_read_with_its_owner_and_listed_in_the_legend(
    board: str, kind: str, seen: str, tmp_path: Path
) -> None:
    state = load(write_rules(tmp_path, GAME.format(board=board, kind=kind, seen=seen))).game(2).start(1)[0]
    for language in available():
        narrator = Narrator(state.game, Translator.load(language), ("Ann", "Bob"))
        scene = TextScene(state, narrator, "AB", 0, 80, True)
        areas = [line.partition(": ")[2] for line in spoken_table(scene) if line[:2].casefold() in ("a1", "b1")]
        assert len(areas) == 2
        for area in areas:
            items = area.split("; ")
            assert len(items) == 5, area
            assert sum(OWNED.match(item) is not None for item in items) == 4, area
            assert all(item.count(":") == 1 for item in items), area
        shown = " ".join("".join(text for _, text in line) for line in legend(scene))
        assert {"Well", "Fold", "Barn"} <= set(re.findall(r"\w+", shown)), shown
        drawn = "".join(text for line in picture(scene) for _, text in line)
        assert drawn.count("B+1") + drawn.count("B▸") == 4
        texts = contents(RenderContext(Scene(state, narrator, ["A", "B"], 0)), "land", 0, "a1")
        described = texts.description(RenderContext(Scene(state, narrator, ["A", "B"], 0)))
        assert sum("Bob" in text for text in described) == 2, described


SLOTS = """
cards tile
    sheep
deck box of tile
    5 sheep
pile stack holds tile
slot held of each player holds tile, seen by owner
hand kept of each player holds tile, seen by owner
setup
    fill stack with box
    move top of stack to held of player(1) quietly
    move top of stack to held of player(2) quietly
    move top of stack to kept of player(2) quietly
play
    player(1) chooses turn
        stop
            nobody wins
"""


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_hidden_card_of_a_slot_is_not_counted(viewer: int | None, tmp_path: Path) -> None:
    state = load(write_rules(tmp_path, SLOTS, players="3")).game(3).start(1)[0]
    narrator = Narrator(state.game, Translator.load("en"), ("Ann", "Bob", "Cleo"))
    titles = dict(columns(TextScene(state, narrator, "ABC", viewer, 80, True)))
    shown = ["Sheep" if viewer == seat else "?" for seat in (0, 1)]
    assert [text.capitalize() for text in titles["Held"]] == [*shown, "–"]
    assert titles["Kept"] == ["0", "1", "0"]


MAP = """
enum piece = urn, coin
board land
    {board}
cards leaf
    oak
deck box of leaf
    3 oak
pile stack holds leaf
layout chart holds leaf on land
tokens nest of each land holds piece
figure gull on land
setup
    fill stack with box
    lay top of stack on chart at {laid} turned 0
    fill nest[{laid}] with 3 urn
    fill nest[{free}] with 2 coin
    move gull to {laid}
play
    player(1) chooses turn
        stop
            nobody wins
"""
MAPS = (("grid 2 by 1", "a1", "b1"), ("hexagons radius 1", "h2_2", "h1_2"))


@pytest.mark.parametrize(("board", "laid", "free"), MAPS)
def test_things_on_a_map_are_read_beside_the_cards(board: str, laid: str, free: str, tmp_path: Path) -> None:
    rules = MAP.format(board=board, laid=laid, free=free)
    state = load(write_rules(tmp_path, rules)).game(2).start(1)[0]
    for language in available():
        narrator = Narrator(state.game, Translator.load(language), ("Ann", "Bob"))
        scene = TextScene(state, narrator, "AB", 0, 80, True)
        card, area = (line for line in spoken_table(scene) if re.search(r"\d urn|\d coin", line))
        assert "gull" in card
        assert "3 urn" in card
        assert "2 coin" in area
        drawn = "".join(text for line in picture(scene) for _, text in line)
        assert re.search("♟(gull)?", drawn)
        assert "3●" in drawn
        assert "2■" in drawn
        (board_picture,) = boards(RenderContext(Scene(state, narrator, ["A", "B"], 0)))
        labels = re.findall('aria-label="([^"]+)"', str(board_picture.picture))
        assert any("Gull" in label and "3 urn" in label for label in labels), labels
        assert any("2 coin" in label for label in labels), labels


ALIKE = """
enum chip = red, blue
enum season = spring, autumn
board land
    {board}
cards tile
    sheep
deck box of tile
    30 sheep
pile stack holds tile
tokens bin of each land holds chip
tokens sack of each land holds chip
tokens plot of each land of each season holds chip
tokens mine of each land of each player holds chip
tokens ours of each land of each player holds chip
tokens safe of each land holds chip, seen as a number
slot shown of each land holds tile, seen by all
slot spare of each land holds tile, seen by all
heap barn of each land holds tile, seen by all
heap shed of each land of each season holds tile, seen by all
remember lord of each land: player
remember lady of each land: player
remember squire of each land: player
remember height of each land: number = 3
remember depth of each land: number = 3
remember sort of each land: chip = red
remember tint of each land: chip = red
remember wet of each land: yes or no = yes
remember dry of each land: yes or no = yes
remember crop of each land of each season: number = 4
remember gift of each land of each player: number = 5
setup
    fill stack with box
    for each x in land
        set lady of x to player(1)
        set squire of x to player(1)
        fill bin[x] with 3 red
        fill sack[x] with 3 red
        fill safe[x] with 3 red
        move top of stack to shown[x] quietly
        move top of stack to spare[x] quietly
        move top of stack to barn[x] quietly
        for each s in season
            fill plot[x, s] with 3 red
            move top of stack to shed[x, s] quietly
        for each p in player
            fill mine[x, p] with 3 red
            fill ours[x, p] with 3 red
play
    player(1) chooses turn
        stop
            nobody wins
"""
TITLES = (
    *("Bin", "Sack", "Safe", "Plot, spring", "Plot, autumn", "Mine", "Ours", "Shown", "Spare", "Barn"),
    *("Shed, spring", "Shed, autumn", "Lady", "Squire", "Height", "Depth", "Sort", "Tint", "Wet", "Dry"),
    *("Crop, spring", "Crop, autumn", "Gift"),
)


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("board", BOARDS)
def test_zones_and_values_that_look_alike_are_named(board: str, language: str, tmp_path: Path) -> None:
    state = load(write_rules(tmp_path, ALIKE.format(board=board))).game(2).start(1)[0]
    scene = TextScene(state, Narrator(state.game, Translator.load(language), ("Ann", "Bob")), "AB", 0, 80, True)
    areas = [line.partition(": ")[2] for line in spoken_table(scene) if line[:2].casefold() in ("a1", "b1")]
    assert len(areas) == 2
    for area in areas:
        items = area.split("; ")
        assert len(set(items)) == len(items) == len(TITLES) + 3, area
        titles = {re.sub("^(Ann|Bob) ", "", item.partition(": ")[0]) for item in items}
        assert titles == set(TITLES)
    drawn = "".join(text for line in picture(scene) for _, text in line)
    named = [title for title in TITLES if title not in ("Wet", "Dry")]
    assert all(drawn.count(title) >= 2 for title in named), drawn
    narrow = "".join(text for line in picture(replace(scene, width=24)) for _, text in line)
    assert narrow.count("3●") == drawn.count("3●")
    assert narrow.count("▸sheep") == drawn.count("▸sheep")


PAIRS = """
enum piece = pebble
board land
    {board}
remember road of each land of each land: number 0 to 9 = 0
remember ruler of each land of each land: player
remember twin of each land of each land: land
remember linked of each land of each land: yes or no = no
tokens bridge of each land of each land holds piece, seen by all
setup
    set road[a1, b1] to 7
    set ruler[a1, b1] to player(2)
    set twin[b1, a1] to b1
    set linked[b1, a1] to yes
    fill bridge[b1, a1] with 2 pebble
play
    player(1) chooses turn
        stop
            nobody wins
"""
#: What is shown in each of the two areas, with the name of the other one.
OF_PAIRS = {0: ("Road, b1: 7", "Ruler, b1: "), 1: ("Twin, a1: b1", "Linked, a1", "Bridge, a1: 2")}


@pytest.mark.parametrize("board", BOARDS[:2])
def test_what_belongs_to_two_areas_is_shown_in_the_first_with_the_name_of_the_second(
    board: str, tmp_path: Path
) -> None:
    state = load(write_rules(tmp_path, PAIRS.format(board=board))).game(2).start(1)[0]
    narrator = Narrator(state.game, Translator.load("en"), ("Ann", "Bob"))
    context = RenderContext(Scene(state, narrator, ["A", "B"], 0))
    spoken = [
        line
        for line in spoken_table(TextScene(state, narrator, "AB", 0, 80, True))
        if line[:2].casefold() in ("a1", "b1")
    ]
    for area, expected in OF_PAIRS.items():
        described = "; ".join(contents(context, "land", area, "x").description(context)).casefold()
        for text in expected:
            assert text.casefold() in described, described
            assert text.casefold() in spoken[area].casefold(), spoken


ROWS = """
enum room = attic, cellar
enum ware = rope, lamp
cards tile
    sheep
deck box of tile
    9 sheep
pile stack holds tile
tokens store of each room holds ware
tokens loft of each room holds ware
slot shown of each room holds tile, seen by all
pile queue of each room holds tile, seen by all
heap gone of each room holds tile, seen as a number
heap lost of each room holds tile, seen by nobody
setup
    fill stack with box
    for each r in room
        fill store of r with 2 rope
        fill loft of r with 2 rope
        move top of stack to shown of r quietly
        move top of stack to queue of r quietly
        move top of stack to gone of r quietly
play
    player(1) chooses turn
        stop
            nobody wins
"""


@pytest.mark.parametrize("language", available())
def test_several_zones_of_an_enumeration_are_named(language: str, tmp_path: Path) -> None:
    path = write_rules(tmp_path, ROWS)
    state = load(path).game(2).start(1)[0]
    narrator = Narrator(state.game, Translator.load(language), ("Ann", "Bob"))
    scene = TextScene(state, narrator, "AB", 0, 120, True)
    titles = ["Store", "Loft", "Shown", "Queue", "Gone", "Lost"]
    spoken = [line.partition(": ")[0] for line in spoken_table(scene)]
    for room in ("attic", "cellar"):
        assert [title for title in spoken if room in title] == [f"{title}, {room}" for title in titles]
        (drawn,) = ("".join(text for _, text in line) for line in picture(scene) if line[0][1].startswith(room.title()))
        assert [word for word in re.findall(r"\w+", drawn) if word in titles] == titles
    sample = Match.begin(state.game, [Seat("human", "Ann"), Seat("human", "Bob")], 1, load(path).hash)
    page = pages.table_part(viewing(sample, language, 0, str(path)))
    shown = re.sub("<[^>]*>", " ", page[page.index('class="lines"') :])
    assert [word for word in re.findall(r"\w+", shown) if word in titles][: 2 * len(titles)] == titles * 2


LISTED = """
enum ware = salt, silk
enum yard = left_yard, right_yard
cards permit
    plain
    fancy
deck box of permit
    9 plain, 9 fancy
pile stack holds permit
tokens bale of each player of each ware holds ware
tokens heaped of each ware of each yard holds ware
hand secret of each ware of each player holds permit, seen by owner
slot shown of each player of each yard holds permit
remember price of each ware: number 0 to 9 = 0
remember worth of each permit: number 0 to 9 = 0
remember taxed of each ware of each yard: number 0 to 9 = 0
remember sold of each player of each ware: number 0 to 9 = 0
remember owed of each player of each player: number 0 to 9 = 0
remember closed of each ware: yes or no = no
remember keeper of each yard: player
remember wish of each player of each yard: ware
setup
    fill stack with box
    fill bale[player(2), silk] with 3 salt
    fill heaped[silk, left_yard] with 4 salt
    move top of stack to secret[salt, player(1)] quietly
    move top of stack to shown[player(2), right_yard] quietly
    set price of silk to 5
    set worth of fancy to 6
    set taxed[silk, right_yard] to 7
    set sold[player(1), silk] to 8
    set owed[player(1), player(2)] to 9
    set closed of silk to yes
    set keeper of left_yard to player(2)
    set wish[player(2), left_yard] to silk
play
    player(1) chooses turn
        stop
            nobody wins
"""
#: What is read of the fields above: lines of the table, and parts of the lines of players.
READ = (
    *(
        "Heaped, silk, left yard: 4 salt",
        "Price, silk: 5",
        "Worth, fancy: 6",
        "Taxed, silk, right yard: 7",
        "Closed, silk",
    ),
    *("Keeper, left yard: Bob", "Secret, salt: "),
)
READ_OF_PLAYERS = (
    *(
        "Bale, silk 3 salt",
        "Secret, salt 1",
        "Shown, right yard ",
        "Sold, silk 8",
        "Owed, Bob 9",
        "Wish, left yard silk",
    ),
)
DRAWN = (
    *("Heaped, left yard 4●", "Price 5", "Worth 6", "Taxed, right yard 7", "Closed ✓", "Keeper Bob", "Bale, silk"),
    *("Secret, salt", "Shown, right yard", "Sold, silk", "Owed, Bob", "Wish, left yard"),
)


def test_fields_of_enumerations_cards_and_players_are_all_listed(tmp_path: Path) -> None:
    """With every combination of indices, each copy is shown in words, drawn and in the browser."""
    path = write_rules(tmp_path, LISTED)
    state = load(path).game(2).start(1)[0]
    narrator = Narrator(state.game, Translator.load("en"), ("Ann", "Bob"))
    scene = TextScene(state, narrator, "AB", 0, 120, True)
    lines = spoken_table(scene)
    assert [text for text in READ if not any(line.startswith(text) for line in lines)] == []
    of_players = "; ".join(line for line in lines if line.startswith(("Ann", "Bob")))
    assert [text for text in READ_OF_PLAYERS if text not in of_players] == []
    drawn = "\n".join("".join(text for _, text in line) for line in picture(scene))
    assert [text for text in DRAWN if text not in drawn] == []
    sample = Match.begin(state.game, [Seat("human", "Ann"), Seat("human", "Bob")], 1, load(path).hash)
    page = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", pages.table_part(viewing(sample, "en", 0, str(path)))))
    titles = [re.sub(r" \S+$", "", text) for text in DRAWN[:6]] + [*DRAWN[6:]]
    assert [title for title in titles if title not in page] == []


BOTH = """
enum site = crypt, tower
enum strand = left_strand, right_strand
enum ship_kind = ship
board land
    hexagons radius 2
cards tile
    place_card(of: site)
deck tiles of tile
    1 place_card(crypt), 1 place_card(tower)
pile bag holds tile, seen by nobody
layout field holds tile on land
tokens throne of each site of each player holds ship_kind
tokens berth of each site of each strand of each player holds ship_kind
setup
    fill bag with tiles
    lay top of bag on field at h3_3 turned 0 quietly
    lay top of bag on field at h3_2 turned 0 quietly
    fill throne[crypt, player(1)] with 1 ship
    fill berth[crypt, right_strand, player(2)] with 2 ship
    fill berth[tower, left_strand, player(2)] with 2 ship
play
    player(1) chooses turn
        stop
            nobody wins
"""


def test_card_with_pieces_of_its_own_is_listed_with_those_of_its_parts(tmp_path: Path) -> None:
    state = load(write_rules(tmp_path, BOTH)).game(2).start(1)[0]
    scene = TextScene(state, Narrator(state.game, Translator.load("en"), ("Ann", "Bob")), "AB", 0, 80, True)
    drawn = "\n".join("".join(text for _, text in line) for line in picture(scene))
    assert re.search(r"crypt +♔A +2 BB", drawn), drawn
