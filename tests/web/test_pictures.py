"""Boards as SVG: what lies there, for the eye and in words, and nothing that its viewer may not see."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.small_games import written
from tests.web.viewings import match, of_decision, until, viewing, words
from wongar_dsl import library
from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.narration import Narrator
from wongar_dsl.table.scene import Scene
from wongar_dsl.text.markup import Tag
from wongar_dsl.web import turn
from wongar_dsl.web.pictures import curve, laid_cards, position
from wongar_dsl.web.pictures.contents import contents
from wongar_dsl.web.pictures.look import Look


def look(at: Match, viewer: int | None = 0, language: str = "en") -> Look:
    names = [seat.name or f"{number}" for number, seat in enumerate(at.seats)]
    narrator = Narrator(at.game, words(language), names)
    return Look(Scene(at.state, narrator, [name[0] for name in names], viewer))


def elements(picture: Tag, wanted: Callable[[Tag], bool]) -> list[Tag]:
    found = [picture] if wanted(picture) else []
    for child in picture.children:
        if isinstance(child, Tag):
            found += elements(child, wanted)
    return found


def attribute(element: Tag, name: str) -> str:
    return dict(element.attributes).get(name, "")


def cells(picture: Tag) -> list[Tag]:
    return elements(picture, lambda one: attribute(one, "role") == "gridcell")


def labels(picture: Tag) -> dict[str, str]:
    return {attribute(cell, "data-place"): attribute(cell, "aria-label") for cell in cells(picture)}


def texts(picture: Tag) -> list[str]:
    return [word for child in picture.children for word in (texts(child) if isinstance(child, Tag) else [str(child)])]


def small(folder: Path, text: str, seats: int = 2) -> Match:
    rules = library.load(written(folder, text))
    return Match.begin(rules.game(seats), [Seat("human", n) for n in ("Anna", "Ben")[:seats]], 1, rules.hash)


def board(at: Match, viewer: int | None = 0, language: str = "en") -> Tag:
    """The board as somebody reads it who was sent it."""
    return parsed(ElementTree.fromstring(str(next(position.boards(look(at, viewer, language))).picture)))


def parsed(element: ElementTree.Element) -> Tag:
    children: list[Tag | str] = [element.text] if element.text else []
    for child in element:
        children += [parsed(child), *([child.tail] if child.tail else [])]
    return Tag(element.tag, tuple(element.items()), tuple(children))


@pytest.mark.parametrize(("name", "seats"), [("wongar", 5), ("tongiaki", 3), ("connect_four", 2), ("tictactoe", 2)])
def test_boards_are_grids_of_named_cells_of_which_the_keys_reach_one(name: str, seats: int) -> None:
    for steps in (0, 20, 70):
        picture = board(match(name, seats, steps))
        assert attribute(picture, "role") == "grid"
        assert attribute(picture, "aria-label")
        rows = elements(picture, lambda one: attribute(one, "role") == "row")
        found = cells(picture)
        assert sum(len(cells(row)) for row in rows) == len(found) > 0
        assert all(attribute(cell, "aria-label") for cell in found)
        assert sorted(attribute(cell, "tabindex") for cell in found)[-1] == "0"
        assert [attribute(cell, "tabindex") for cell in found].count("0") == 1
        assert not elements(picture, lambda one: bool(attribute(one, "style")))


def test_an_area_tells_its_cards_tokens_and_figures_in_words() -> None:
    at = match("wongar", 3, 0)
    told = labels(board(at, 0, "de"))
    place = at.game.fields["place"]
    hands = at.game.model.boards["area"].areas.index("hands")
    assert at.state.cells[place.at(at.game.model.figures.index("ancestor"))] == hands
    assert "Urahne" in told[f"area-{hands}"]
    assert re.search(r"Ben (ein|\d) ?(Linse|Linsen|Würfel|Walze|Walzen)|Ben eine", " ".join(told.values()))
    # The viewer is spoken to.
    assert "du " in " ".join(told.values())
    assert "Anna" not in " ".join(told.values())


def test_tokens_differ_by_shape_and_carry_their_number_and_owner() -> None:
    picture = board(match("wongar", 3, 30))
    assert elements(picture, lambda one: one.name == "circle" and "wash" in attribute(one, "class"))
    assert elements(picture, lambda one: one.name == "polygon" and "wash" in attribute(one, "class"))
    for seat in range(3):
        assert elements(picture, lambda one, seat=seat: attribute(one, "class") == f"seat seat-{seat}")


def test_of_what_lies_face_down_only_the_number_is_read() -> None:
    at = match("wongar", 3, 20)
    shown = look(at, None)
    state, area = at.state, 3
    pile = at.game.fields["area_pile"]
    found = contents(shown, "area", area, "x")
    assert (shown.scene.name(pile), state.cells[pile.at(area)]) in found.piles
    before = str(board(at, None))
    first = pile.at(area) + 1
    state.cells[first : first + 3] = state.cells[first : first + 3][::-1]
    assert str(board(at, None)) == before


HIDDEN = """
board field
    row north_end south_end
    rows offset by half
cards card
    face(n: kind)
enum kind = low, high
deck pack of card total 2
    1 face(low), 1 face(high)
heap nobodys of each field holds card, {seen}
setup
    fill nobodys of north_end with pack
play
    player(1) chooses turn
        go(goal: field)
            player(1) wins
"""


def test_how_much_is_in_what_nobody_sees_is_told_only_where_it_is_counted(tmp_path: Path) -> None:
    told = labels(board(small(tmp_path, HIDDEN.format(seen="seen by nobody"))))
    assert "2" not in told["field-0"]
    told = labels(board(small(tmp_path, HIDDEN.format(seen="seen as a number"))))
    assert "2" in told["field-0"]
    told = labels(board(small(tmp_path, HIDDEN.format(seen="seen by all"))))
    assert "low" in told["field-0"].casefold()


# ---- squares -------------------------------------------------------------------------------------------------------


def test_discs_lie_in_columns_and_how_high_they_are_is_not_written_on_them() -> None:
    at = match("connect_four", 2, 12)
    picture = board(at)
    discs = elements(picture, lambda one: attribute(one, "class") == "ring")
    assert len(discs) == 12
    assert not elements(picture, lambda one: attribute(one, "class") == "note")
    assert all(re.fullmatch(r"[a-g][1-6]: (empty|you|Ben)", told) for told in labels(picture).values())


def test_a_number_that_is_not_seen_otherwise_is_written_on_its_square(tmp_path: Path) -> None:
    text = """
board cell
    grid 7 by 7
remember owner of each cell: player
remember armies of each cell: number 0 to 9
setup
    set owner of a1 to player(1)
    set armies of a1 to 5
play
    player(1) chooses turn
        go(goal: cell)
            player(1) wins
"""
    picture = board(small(tmp_path, text))
    assert elements(picture, lambda one: attribute(one, "class") == "note")
    assert "5" in labels(picture)["cell-42"]


def test_on_small_boards_players_have_signs_of_their_own() -> None:
    picture = board(match("tictactoe", 2, 4))
    signs = elements(picture, lambda one: attribute(one, "class").startswith("sign"))
    assert len(signs) == 4
    assert len({sign.children[0].name for sign in signs if isinstance(sign.children[0], Tag)}) == 2


# ---- maps ----------------------------------------------------------------------------------------------------------


def test_a_map_has_every_card_with_its_trails_and_berths() -> None:
    at = match("tongiaki", 3, 90)
    shown = look(at)
    field = at.game.fields["ocean"]
    laid = laid_cards.laid_on(shown, field)
    picture = board(at)
    assert len(cells(picture)) == len(laid)
    waters = [one for one in laid if at.game.model.value_name(field.type, one.face).startswith("water")]
    assert len(elements(picture, lambda one: "trail" in attribute(one, "class").split())) == 3 * len(waters)
    for one in waters:
        assert labels(picture)[f"sea-{one.area}"].count("trail") == 3
    # Every ship on the map is drawn and told.
    ships = sum(at.state.cells[at.game.fields["berth"].base : at.game.fields["throne"].base])
    drawn = elements(picture, lambda one: attribute(one, "class").startswith("holding"))
    assert sum(len(elements(one, lambda part: attribute(part, "class").startswith("seat"))) for one in drawn) == ships


def test_a_card_has_its_whole_name_where_there_is_room_for_it() -> None:
    at = match("tongiaki", 3, 0)
    cards = laid_cards.Map(look(at), at.game.fields["ocean"], "sea", at.game.model.boards["sea"])
    names: dict[str, str] = {}
    for face in range(32):
        drawn = Tag("g", (), tuple(cards.card(face, 0, (500, 500))))
        [name] = elements(drawn, lambda one: attribute(one, "class") == "name")
        names[at.game.model.value_name(cards.place.type, face)] = "".join(texts(name))
    assert cards.look.short(cards.place.type, 14) == "RapaN."
    assert names["island_card(rapanui)"] == "Rapa Nui"
    assert names["island_card(tonga)"] == "Tonga"


def test_an_island_that_is_somebodys_still_tells_what_it_is_worth() -> None:
    at = match("tongiaki", 3, 0)
    cards = laid_cards.Map(look(at), at.game.fields["ocean"], "sea", at.game.model.boards["sea"])
    crowned = cards.card(14, 0, (500, 500), laid_cards.OnCard((), (1,)))
    written_there = texts(Tag("g", (), tuple(crowned)))
    assert "5" in written_there
    assert cards.look.scene.letters[1] in written_there


def test_the_parts_of_a_card_are_named_as_the_options_that_lead_there() -> None:
    at = match("tongiaki", 3, 0)
    picture = board(at)
    parts = elements(picture, lambda one: bool(attribute(one, "data-part")))
    rows = {attribute(one, "data-part") for one in parts if attribute(one, "class") == "holding"}
    badges = {attribute(one, "data-part") for one in parts if attribute(one, "class") == "thing-mark"}
    values = turn.turn(viewing(at, "en", rules_name="tongiaki"))
    named = {place for group in values["groups"] for choice in group.choices for place in choice.places}
    assert named
    assert named == rows == badges


def test_places_for_pieces_and_what_stands_at_the_sides_do_not_overlap() -> None:
    at = match("tongiaki", 3, 150)
    for cell in cells(board(at)):
        badges = [
            (int(attribute(one, "x")), int(attribute(one, "y")), int(attribute(one, "width")))
            for one in elements(cell, lambda one: attribute(one, "class") == "thing")
        ]
        for spot in elements(cell, lambda one: attribute(one, "class") == "spot"):
            x, y, r = (int(attribute(spot, name)) for name in ("cx", "cy", "r"))
            for left, top, side in badges:
                beside = max(left - x, x - left - side), max(top - y, y - top - side)
                assert max(beside) >= r, (attribute(cell, "aria-label"), (x, y), (left, top))


def test_a_turned_card_has_its_sides_turned() -> None:
    at = match("tongiaki", 3, 0)
    shown = look(at)
    board_of = at.game.model.boards["sea"]
    cards = laid_cards.Map(shown, at.game.fields["ocean"], "sea", board_of)
    straight = cards.sides(5, 0)
    for turned in range(6):
        assert cards.sides(5, turned) == [straight[(way - turned) % 6] for way in range(6)]


def test_empty_places_have_the_numbers_of_the_options_that_lay_a_card_there() -> None:
    at = of_decision("tongiaki", 3, "laying")
    v = viewing(at, "en", rules_name="tongiaki")
    assert v.menu is not None
    values = turn.turn(v)
    picture = values["boards"][0].picture
    sites = elements(picture, lambda one: "site" in attribute(one, "class").split())
    numbers = [int(n) for site in sites for n in re.findall(r"\d+", attribute(site, "aria-label"))]
    assert sorted(numbers) == [entry.number for entry in v.menu.entries]
    choices = [choice for group in values["groups"] for choice in group.choices]
    assert all(choice.picture is not None for choice in choices)
    assert values["uncovered"]
    # Where they are not foreseen yet, the places are found beside the cards that options name.
    early = turn.turn(replace(v, forecasts=None))
    again = elements(early["boards"][0].picture, lambda one: "site" in attribute(one, "class").split())
    assert [attribute(site, "aria-label") for site in again] == [attribute(site, "aria-label") for site in sites]


def test_an_option_lights_the_places_that_it_names() -> None:
    at = until("wongar", 3, lambda m: m.state.decision is not None and m.state.decision.name == "turn")
    values = turn.turn(viewing(at, "en"))
    for group in values["groups"]:
        for choice in group.choices:
            name = re.findall(r"\((\w+)\)", choice.value)[0]
            assert f"area-{at.game.model.boards['area'].areas.index(name)}" in choice.places
    marked = elements(values["boards"][0].picture, lambda one: "open" in attribute(one, "class").split())
    assert len(marked) == sum(len(group.choices) for group in values["groups"])


def test_changed_places_are_marked_for_the_eye_and_in_words() -> None:
    at = match("connect_four", 2, 5)
    picture = turn.turn(viewing(at, "en", since=4))["boards"][0].picture
    changed = elements(picture, lambda one: "changed" in attribute(one, "class").split())
    assert changed
    assert all("changed" in attribute(one, "aria-label") for one in changed)
    assert len(elements(picture, lambda one: attribute(one, "class") == "dot")) == len(changed)


def test_what_the_mark_of_a_change_means_stands_beside_a_board_that_has_one() -> None:
    at = match("connect_four", 2, 5)
    assert turn.turn(viewing(at, "en", since=4))["boards"][0].changed is not None
    assert turn.turn(viewing(at, "en", since=len(at.steps)))["boards"][0].changed is None


def test_where_ones_own_voyage_laid_a_card_that_is_news_as_well() -> None:
    def sailed(m: Match) -> bool:
        own = len(m.steps) - 1
        kinds = [event.spec.kind for event in m.history()[m.happened(own) : m.happened(own + 1)]] if own >= 0 else []
        return "card_laid" in kinds[1:]

    at = until("tongiaki", 2, sailed)
    seat = at.steps[-1].seat
    for viewer, told in ((seat, True), (1 - seat, False)):
        # To who did not decide that it is news only as far as they are told since when.
        values = turn.turn(viewing(at, "en", viewer=viewer, since=len(at.steps), rules_name="tongiaki"))
        assert (values["news"] is not None) == told
        changed = elements(values["boards"][0].picture, lambda one: "changed" in attribute(one, "class").split())
        assert bool(changed) == told


# ---- curves --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [[[0, 0], [3, 1], [5, 9]], [[0, 0], [-7, 2], [-9, 120]], [[1, 1], [1, 1], [1, 1]]])
def test_curves_stay_inside_of_their_picture(points: list[list[int]]) -> None:
    picture = curve.draw(look(match("nim", 2, 0)), points, "told")
    lines = elements(picture, lambda one: one.name == "path")
    assert len(lines) == 2
    for line in lines:
        for x, y in re.findall(r"(-?\d+) (-?\d+)", attribute(line, "d")):
            assert 0 <= int(x) <= curve.WIDTH
            assert 0 <= int(y) <= curve.HEIGHT


def test_a_state_is_only_looked_at() -> None:
    at = match("wongar", 3, 40)
    before = list(at.state.cells)
    assert isinstance(at.state, State)
    board(at, None)
    turn.turn(viewing(at, "en"))
    assert at.state.cells == before
