"""Zones and values as all front ends show them: on boards, used up, and in lists."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES
from tests.session.test_forecast import match_after, narrator
from tests.small_games import write_rules
from tests.web.viewings import viewing
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.render.position_svg.boards import boards
from wongar_dsl.render.position_svg.render_context import RenderContext, contents
from wongar_dsl.render.text.position import legend, picture
from wongar_dsl.render.text.scene import TextScene, wrap_items
from wongar_dsl.render.text.screen_reader import spoken_table
from wongar_dsl.render.text.status import columns
from wongar_dsl.session.scene import FieldCopy, Scene
from wongar_dsl.web import pages
from wongar_dsl.web.views.zone_views import items

BOARDS = ("grid 2 by 1", "row a1 b1\n    a1 touches b1\n    b1 touches a1", "hexagons 2 by 1")
KINDS = tuple(product(("pile", "heap", "hand"), ("seen by all", "seen as a number", "seen by owner")))
#: The end of each game here.
PLAY = "play\n    player(1) chooses turn\n        stop\n            nobody wins\n"
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
"""
#: The beginning of an item: the name of a player, or of the zone without an owner, before its contents.
OWNED = re.compile(r"(Ann|Bob) \w+: ")


def shown(folder: Path, text: str, language: str = "en", width: int = 80, viewer: int | None = 0) -> TextScene:
    """Return the start of a small game as it is drawn and read out."""
    state = load(write_rules(folder, text.lstrip("\n") + PLAY)).game(2, backend="reference").start(1)[0]
    return scene_of(state, language, width, viewer)


def scene_of(state: State, language: str, width: int = 80, viewer: int | None = 0) -> TextScene:
    return TextScene(state, Narrator(state.game, Translator.load(language), ("Ann", "Bob")), "AB", viewer, width, True)


def drawn_text(scene: TextScene, between: str = "") -> str:
    return between.join("".join(text for _, text in line) for line in picture(scene))


def areas_read(scene: TextScene) -> list[str]:
    """Return what is read of the two areas."""
    areas = [line.partition(": ")[2] for line in spoken_table(scene) if line[:2].casefold() in ("a1", "b1")]
    assert len(areas) == 2
    return areas


def context_of(scene: TextScene) -> RenderContext:
    return RenderContext(Scene(scene.position, scene.narrator, ["A", "B"], 0))


@pytest.mark.parametrize(
    ("language", "kind", "seen"), [(language, *each) for language, each in zip(cycle(available()), KINDS, strict=False)]
)
@pytest.mark.parametrize("board", BOARDS)
def test_each_zone_is_read_with_its_owner_and_listed_in_the_legend(
    board: str, language: str, kind: str, seen: str, tmp_path: Path
) -> None:
    scene = shown(tmp_path, GAME.format(board=board, kind=kind, seen=seen), language)
    for area in areas_read(scene):
        items = area.split("; ")
        assert len(items) == 5, area
        assert sum(OWNED.match(item) is not None for item in items) == 4, area
        assert all(item.count(":") == 1 for item in items), area
    listed = " ".join("".join(text for _, text in line) for line in legend(scene))
    assert {"Well", "Fold", "Barn"} <= set(re.findall(r"\w+", listed)), listed
    for width in (80, 24):
        drawn = drawn_text(replace(scene, width=width))
        assert drawn.count("B+1") + drawn.count("B▸") == 4, width
    context = context_of(scene)
    described = contents(context, "land", 0, "a1").description(context)
    assert sum("Bob" in text for text in described) == 2, described


MAP = """
enum piece = urn, coin
board land
    hexagons radius 1
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
    lay top of stack on chart at h2_2 turned 0
    fill nest[h2_2] with 3 urn
    fill nest[h1_2] with 2 coin
    move gull to h2_2
"""


@pytest.mark.parametrize("language", ["de", "it"])
def test_things_on_a_map_are_read_beside_the_cards(language: str, tmp_path: Path) -> None:
    scene = shown(tmp_path, MAP, language)
    card, area = (line for line in spoken_table(scene) if re.search(r"\d urn|\d coin", line))
    assert [text for text in ("gull", "3 urn") if text not in card] == []
    assert "2 coin" in area
    drawn = drawn_text(scene)
    assert re.search("♟(gull)?", drawn)
    assert [text for text in ("3●", "2■") if text not in drawn] == []
    (board_picture,) = boards(context_of(scene))
    labels = re.findall('aria-label="([^"]+)"', str(board_picture.picture))
    assert any("Gull" in label and "3 urn" in label for label in labels), labels
    assert any("2 coin" in label for label in labels), labels


def page_text(folder: Path) -> str:
    """Return the text of the page of the last small game."""
    rules = load(folder / "small.rules")
    sample = Match.begin(rules.game(2), [Seat("human", "Ann"), Seat("human", "Bob")], 1, rules.hash)
    page = pages.table_part(viewing(sample, "en", 0, loaded=rules))
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page))


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
slot held of each player holds permit, seen by owner
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
    for each p in player
        move top of stack to held of p quietly
    set price of silk to 5
    set worth of fancy to 6
    set taxed[silk, right_yard] to 7
    set sold[player(1), silk] to 8
    set owed[player(1), player(2)] to 9
    set closed of silk to yes
    set keeper of left_yard to player(2)
    set wish[player(2), left_yard] to silk
"""
#: What is read of the fields above: lines of the table, and parts of the lines of players.
READ = (
    "Heaped, silk, left yard: 4 salt", "Price, silk: 5", "Worth, fancy: 6", "Taxed, silk, right yard: 7",
    "Closed, silk", "Keeper, left yard: Bob", "Secret, salt: ",
)  # fmt: skip
READ_OF_PLAYERS = (
    "Bale, silk 3 salt", "Secret, salt 1", "Shown, right yard ", "Sold, silk 8", "Owed, Bob 9", "Wish, left yard silk"
)  # fmt: skip
DRAWN = (
    *("Heaped, left yard 4●", "Price 5", "Worth 6", "Taxed, right yard 7", "Closed ✓", "Keeper Bob", "Bale, silk"),
    *("Secret, salt", "Shown, right yard", "Sold, silk", "Owed, Bob", "Wish, left yard"),
)


def test_fields_of_enumerations_cards_and_players_are_all_listed(tmp_path: Path) -> None:
    """With every combination of indices, each copy is shown in words, drawn and in the browser."""
    scene = shown(tmp_path, LISTED, width=120)
    lines = spoken_table(scene)
    assert [text for text in READ if not any(line.startswith(text) for line in lines)] == []
    of_players = "; ".join(line for line in lines if line.startswith(("Ann", "Bob")))
    assert [text for text in READ_OF_PLAYERS if text not in of_players] == []
    drawn = drawn_text(scene, "\n")
    assert [text for text in DRAWN if text not in drawn] == []
    # The hidden card of a slot is not counted.
    held = {viewer: dict(columns(replace(scene, viewer=viewer)))["Held"] for viewer in (0, 1, None)}
    assert [[text == "?" for text in held[viewer]] for viewer in held] == [[False, True], [True, False], [True, True]]
    titles = [re.sub(r" \S+$", "", text) for text in DRAWN[:6]] + [*DRAWN[6:]]
    assert [title for title in titles if title not in page_text(tmp_path)] == []


def test_card_with_pieces_of_its_own_is_listed_with_those_of_its_parts() -> None:
    sample = match_after("tongiaki", 2, 80)
    drawn = drawn_text(TextScene(sample.state, narrator(sample), "AB", 0, 80, True), "\n")
    assert re.search(r"\w+ +♔[AB].* [AB]{2}", drawn), drawn


#: `sack` is empty after the setup and stays empty, `shelf` is empty and can be refilled, `crate` is never emptied.
USED_UP = """
cards tile
    sheep
deck box of tile
    9 sheep
pile stack holds tile, seen by all
{kind} sack{each} holds tile, {seen}
{kind} shelf{each} holds tile, {seen}
{kind} crate{each} holds tile, {seen}
setup
    fill stack with box
    for each p in player
        for each z in player
            move top of stack to sack{of} quietly
            move {all_of}sack{of} to stack quietly
        if (size of stack > 8)
            move top of stack to crate{of} quietly
play
    for each p in player
        p chooses turn
            refill
                refill(p)
            stop
                nobody wins

rule refill(p: player)
    move top of stack to shelf{of}
"""


@pytest.mark.parametrize("each", ["", " of each player"])
@pytest.mark.parametrize(
    ("kind", "seen", "knows"),
    [
        ("heap", "seen by all", True),
        ("heap", "seen as a number", True),
        ("heap", "seen by nobody", False),
        ("pile", "seen by all", True),
        ("slot", "seen by all", True),
    ],
)
def test_only_empty_zones_that_play_may_fill_are_shown(
    kind: str, seen: str, knows: bool, each: str, tmp_path: Path
) -> None:
    rules = write_rules(
        tmp_path,
        USED_UP.format(
            kind=kind, seen=seen, each=each, of=" of p" if each else "", all_of="" if kind == "slot" else "all of "
        ),
    )
    state = load(rules).game(2).start(1)[0]
    for language in available():
        scene = scene_of(state, language)
        assert {field.name for field in scene.fields} == {"stack", "shelf", "crate", *(() if knows else ("sack",))}
        assert "Sack" not in drawn_text(scene)


#: On the board: `well` and `fold` look alike, as do `trough` and `pit`, which hides its cards; `goats` has copies.
ALIKE = """
board land
    row north south
    north touches south
    south touches north
board sky
    grid 2 by 1
enum colour = red, green
cards tile
    sheep
heap well of each land holds tile, seen by all
heap fold of each land holds tile, seen by all
pile trough of each land holds tile, seen by all
heap pit of each land holds tile, seen as a number
remember goats of each land of each colour: number = 1
remember fenced of each land: yes or no = no
slot roof of each land of each player holds tile, seen by all
layout cloud holds tile on sky, seen by all
"""


def test_zones_of_an_area_have_a_title_if_another_one_looks_alike(tmp_path: Path) -> None:
    scene = shown(tmp_path, ALIKE)
    fields = scene.state.game.fields
    titles = {name: scene.title(FieldCopy(fields[name], (0, 0)[: len(fields[name].indices)])) for name in fields}
    assert {name for name, title in titles.items() if title} == {"well", "fold", "trough", "pit", "goats"}
    # Things on a board are not listed with their owner, and a board for laid cards alone has no areas to show.
    assert [name for name in fields if scene.copies_by_seat(fields[name])] == []
    assert [len(scene.areas_in_use(board)) for board in ("land", "sky")] == [2, 0]


@pytest.mark.parametrize(("text", "cuts"), [("b12", ["", "b", "b", "b12"]), ("hut", ["", "h", "hu", "hut"])])
def test_name_is_never_cut_within_a_number(text: str, cuts: list[str], tmp_path: Path) -> None:
    scene = shown(tmp_path, ALIKE)
    assert [scene.cut(text, room) for room in range(4)] == cuts


@pytest.mark.parametrize("excess", [0, 1])
def test_items_share_a_line_as_long_as_they_fit(excess: int, tmp_path: Path) -> None:
    scene, texts = shown(tmp_path, ALIKE, width=40), ["a" * 10, "b" * (27 + excess)]
    lines = wrap_items(scene, [[("", text)] for text in texts], ", ")
    assert ["".join(text for _, text in line) for line in lines] == (texts if excess else [", ".join(texts)])


def test_zone_is_shown_while_the_setup_uses_it() -> None:
    game = load("wongar/initiated").game(3)
    state, names = game.start(1)[0], ("Ann", "Bob", "Cleo")
    shown = []
    while len(shown) < 40 and (not shown or shown[-1]):
        scene = TextScene(state, Narrator(game, Translator.load("en"), names), "ABC", 0, 80, True)
        shown.append(any(field.name == "bag" for field in scene.fields))
        state.apply(state.legal_moves()[0])
    assert shown == [True] * 36 + [False]


CARD_LISTS = """
board land
    grid 2 by 1
cards tile
    pair
    owl
deck box of tile
    1 pair, 1 owl
heap taken of each player holds tile, seen by all
heap pool of each land holds tile, seen by all
setup
    fill taken of player(1) with box
    fill pool of a1 with box
"""
#: The name that reads like a count, without a quotation mark before it.
BARE = re.compile(r"(?<![“„«\w])2 frogs")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_like_a_count_is_quoted_in_lists(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Narrator.short

    def named(narrator: Narrator, kind: Type, value: int) -> str:
        return "2 frogs" if (kind.name, value) == ("tile", 0) else short(narrator, kind, value)

    monkeypatch.setattr(Narrator, "short", named)
    scene = shown(tmp_path, CARD_LISTS, language)
    taken = scene.position.game.fields["taken"]
    listed = [item.text for item in items(context_of(scene), FieldCopy(taken, (0,)))]
    for text in (drawn_text(scene, " "), " ".join(spoken_table(scene)), " ".join(listed)):
        assert "2 frogs" in text
        assert BARE.findall(text) == []


def test_only_names_that_begin_with_a_number_of_things_are_quoted() -> None:
    game = load("wongar").game(3)
    narrator = Narrator(game, Translator.load("en"), ("Ann", "Bob", "Cleo"))
    sort = game.model.cards["area_card"]
    short = {face.name: narrator.short(Type("cards", "area_card"), n) for n, face in enumerate(sort.faces)}
    listed = {name: narrator.listed(told) for name, told in short.items()}
    assert (listed["three_tokens"], listed["elder_card"]) == ("“3 tokens”", "elder")
