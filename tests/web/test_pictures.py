"""Boards as SVG: drawn pieces and labels for screen readers; the cache of translations and drawings is bounded."""

from __future__ import annotations

import gc
import re
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.small_games import write_rules
from tests.web.viewings import LANGUAGES, match, of_decision, rules, until, viewing, words
from tests.web.viewings import viewing as viewed
from wongar_dsl.base.markup import Tag, _cached_value, tag
from wongar_dsl.engine import library
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.render.position_svg import boards, laid_cards, svg_symbols, translation_cache
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.render.position_svg.translation_cache import ByteCache, CachedTranslator
from wongar_dsl.session.scene import Scene
from wongar_dsl.web import pages
from wongar_dsl.web.views import turn_view


def look(at: Match, viewer: int | None = 0, language: str = "en") -> RenderContext:
    names = [seat.name or f"{number}" for number, seat in enumerate(at.seats)]
    narrator = Narrator(at.game, words(language), names)
    return RenderContext(Scene(at.state, narrator, [name[0] for name in names], viewer))


def elements(picture: Tag, wanted: Callable[[Tag], bool]) -> list[Tag]:
    matches = [picture] if wanted(picture) else []
    for child in picture.children:
        if isinstance(child, Tag):
            matches += elements(child, wanted)
    return matches


def attribute(element: Tag, name: str) -> str:
    return dict(element.attributes).get(name, "")


def of_class(picture: Tag, name: str) -> list[Tag]:
    """Return the elements whose class is this and nothing else."""
    return elements(picture, lambda element: attribute(element, "class") == name)


def among_classes(picture: Tag, name: str) -> list[Tag]:
    return elements(picture, lambda element: name in attribute(element, "class").split())


def cells(picture: Tag) -> list[Tag]:
    return elements(picture, lambda element: attribute(element, "role") == "gridcell")


def labels(picture: Tag) -> dict[str, str]:
    return {attribute(cell, "data-place"): attribute(cell, "aria-label") for cell in cells(picture)}


def texts(picture: Tag) -> list[str]:
    return [word for child in picture.children for word in (texts(child) if isinstance(child, Tag) else [str(child)])]


def small_match(folder: Path, text: str, seats: int = 2) -> Match:
    rules = library.load(write_rules(folder, text))
    return Match.begin(rules.game(seats), [Seat("human", n) for n in ("Anna", "Ben")[:seats]], 1, rules.hash)


def board_picture(at: Match, viewer: int | None = 0, language: str = "en") -> Tag:
    """Return the viewer's picture of the first board, parsed from its SVG text."""
    return parsed(ElementTree.fromstring(str(next(boards.boards(look(at, viewer, language))).picture)))


def parsed(element: ElementTree.Element) -> Tag:
    children: list[Tag | str] = [element.text] if element.text else []
    for child in element:
        children += [parsed(child), *([child.tail] if child.tail else [])]
    return Tag(element.tag, tuple(element.items()), tuple(children))


@pytest.mark.parametrize(("name", "seats"), [("wongar", 5), ("tongiaki", 3), ("connect_four", 2), ("tictactoe", 2)])
def test_boards_are_labelled_grids_with_one_tab_stop(name: str, seats: int) -> None:
    for steps in (0, 20, 70):
        picture = board_picture(match(name, seats, steps))
        assert attribute(picture, "role") == "grid"
        assert attribute(picture, "aria-label")
        rows = elements(picture, lambda element: attribute(element, "role") == "row")
        grid_cells = cells(picture)
        assert sum(len(cells(row)) for row in rows) == len(grid_cells) > 0
        assert all(attribute(cell, "aria-label") for cell in grid_cells)
        assert sorted(attribute(cell, "tabindex") for cell in grid_cells)[-1] == "0"
        assert [attribute(cell, "tabindex") for cell in grid_cells].count("0") == 1
        assert not elements(picture, lambda element: bool(attribute(element, "style")))


def test_area_label_names_cards_tokens_and_figures() -> None:
    sample = match("wongar", 3, 0)
    area_labels = labels(board_picture(sample, 0, "de"))
    place = sample.game.fields["place"]
    hands = sample.game.model.boards["area"].areas.index("hands")
    assert sample.state.cells[place.at(sample.game.model.figures.index("ancestor"))] == hands
    assert "Urahne" in area_labels[f"area-{hands}"]
    assert re.search(r"Ben (ein|\d) ?(Linse|Linsen|Würfel|Walze|Walzen)|Ben eine", " ".join(area_labels.values()))
    # The viewer is addressed in the second person.
    assert "du " in " ".join(area_labels.values())
    assert "Anna" not in " ".join(area_labels.values())


def test_tokens_have_different_shapes_and_seat_marks() -> None:
    picture = board_picture(match("wongar", 3, 30))
    assert elements(picture, lambda element: element.name == "circle" and "wash" in attribute(element, "class"))
    assert elements(picture, lambda element: element.name == "polygon" and "wash" in attribute(element, "class"))
    for seat in range(3):
        assert of_class(picture, f"seat seat-{seat}")


# ---- squares -------------------------------------------------------------------------------------------------------


def test_stacked_discs_carry_no_number() -> None:
    sample = match("connect_four", 2, 12)
    picture = board_picture(sample)
    discs = of_class(picture, "ring")
    assert len(discs) == 12
    assert not of_class(picture, "note")
    assert all(re.fullmatch(r"[a-g][1-6]: (empty|you|Ben)", label) for label in labels(picture).values())


def test_number_of_a_square_is_written_on_it(tmp_path: Path) -> None:
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
    picture = board_picture(small_match(tmp_path, text))
    assert of_class(picture, "note")
    assert "5" in labels(picture)["cell-42"]


def test_small_boards_use_one_sign_per_player() -> None:
    picture = board_picture(match("tictactoe", 2, 4))
    signs = elements(picture, lambda element: attribute(element, "class").startswith("sign"))
    assert len(signs) == 4
    assert len({sign.children[0].name for sign in signs if isinstance(sign.children[0], Tag)}) == 2


# ---- maps ----------------------------------------------------------------------------------------------------------


def test_map_shows_every_card_with_trails_and_ships() -> None:
    sample = match("tongiaki", 3, 90)
    shown = look(sample)
    field = sample.game.fields["ocean"]
    laid = shown.scene.placed_cards(field)
    picture = board_picture(sample)
    assert len(cells(picture)) == len(laid)
    waters = [element for element in laid if sample.game.model.value_name(field.type, element.face).startswith("water")]
    assert len(among_classes(picture, "trail")) == 3 * len(waters)
    for element in waters:
        assert labels(picture)[f"sea-{element.area}"].count("trail") == 3
    # Every ship on the map is drawn.
    ships = sum(sample.state.cells[sample.game.fields["berth"].base : sample.game.fields["throne"].base])
    drawn = elements(picture, lambda element: attribute(element, "class").startswith("holding"))
    assert (
        sum(len(elements(element, lambda part: attribute(part, "class").startswith("seat"))) for element in drawn)
        == ships
    )


def ocean_cards() -> laid_cards.CardMap:
    """Return the map of cards at the start of Tongiaki."""
    sample = match("tongiaki", 3, 0)
    return laid_cards.CardMap(look(sample), sample.game.fields["ocean"], "sea", sample.game.model.boards["sea"])


def test_card_shows_its_full_name_if_it_fits_and_its_value_and_owner() -> None:
    cards, names = ocean_cards(), {}
    for face in range(32):
        [name] = of_class(Tag("g", (), tuple(cards.card(face, 0, (500, 500)))), "name")
        names[cards.context.scene.position.game.model.value_name(cards.field.type, face)] = "".join(texts(name))
    assert names["island_card(rapanui)"] == "Rapa Nui"
    assert names["island_card(tonga)"] == "Tonga"
    crowned = cards.card(14, 0, (500, 500), laid_cards.CardPieces((), (1,)))
    assert {"5", cards.context.scene.letters[1]} <= set(texts(Tag("g", (), tuple(crowned))))


def test_parts_of_a_card_match_the_places_of_options() -> None:
    sample = match("tongiaki", 3, 0)
    picture = board_picture(sample)
    parts = elements(picture, lambda element: bool(attribute(element, "data-part")))
    rows = {attribute(element, "data-part") for element in parts if attribute(element, "class") == "holding"}
    badges = {attribute(element, "data-part") for element in parts if attribute(element, "class") == "thing-mark"}
    values = turn_view.turn(viewing(sample, "en", rules_name="tongiaki"))
    named = {place for group in values["groups"] for choice in group.choices for place in choice.places}
    assert named
    assert named == rows == badges


def test_piece_spots_and_edge_badges_do_not_overlap() -> None:
    sample = match("tongiaki", 3, 150)
    for cell in cells(board_picture(sample)):
        badges = [
            (int(attribute(element, "x")), int(attribute(element, "y")), int(attribute(element, "width")))
            for element in of_class(cell, "thing")
        ]
        for spot in of_class(cell, "spot"):
            x, y, r = (int(attribute(spot, name)) for name in ("cx", "cy", "r"))
            for start, top, side in badges:
                beside = max(start - x, x - start - side), max(top - y, y - top - side)
                assert max(beside) >= r, (attribute(cell, "aria-label"), (x, y), (start, top))


def test_rotated_card_has_rotated_sides() -> None:
    cards = ocean_cards()
    straight = cards.sides(5, 0)
    for turned in range(6):
        assert cards.sides(5, turned) == [straight[(side - turned) % 6] for side in range(6)]


def test_empty_places_show_the_numbers_of_their_options() -> None:
    sample = of_decision("tongiaki", 3, "laying")
    v = viewing(sample, "en", rules_name="tongiaki")
    assert v.menu is not None
    values = turn_view.turn(v)
    picture = values["boards"][0].picture
    sites = among_classes(picture, "site")
    numbers = [int(n) for site in sites for n in re.findall(r"\d+", attribute(site, "aria-label"))]
    assert sorted(numbers) == [entry.number for entry in v.menu.entries]
    choices = [choice for group in values["groups"] for choice in group.choices]
    assert all(choice.picture is not None for choice in choices)
    assert values["uncovered"]
    # Without forecasts the places are derived from the cards that the options name.
    early = turn_view.turn(replace(v, forecasts=None))
    early_sites = among_classes(early["boards"][0].picture, "site")
    assert [attribute(site, "aria-label") for site in early_sites] == [attribute(site, "aria-label") for site in sites]


def test_options_highlight_the_places_they_name() -> None:
    sample = until("wongar", 3, lambda m: m.state.decision is not None and m.state.decision.name == "turn")
    values = turn_view.turn(viewing(sample, "en"))
    for group in values["groups"]:
        for choice in group.choices:
            name = re.findall(r"\((\w+)\)", choice.value)[0]
            assert f"area-{sample.game.model.boards['area'].areas.index(name)}" in choice.places
    marked = among_classes(values["boards"][0].picture, "open")
    assert len(marked) == sum(len(group.choices) for group in values["groups"])


def test_changed_places_are_marked_and_labelled_with_a_legend() -> None:
    sample = match("connect_four", 2, 5)
    board, unchanged = (turn_view.turn(viewing(sample, "en", since=since))["boards"][0] for since in (4, 5))
    changed = among_classes(board.picture, "changed")
    assert changed
    assert all("changed" in attribute(element, "aria-label") for element in changed)
    assert len(of_class(board.picture, "dot")) == len(changed)
    assert board.changed is not None
    assert unchanged.changed is None


def test_card_laid_by_the_viewers_own_voyage_is_news() -> None:
    def laid_a_card(m: Match) -> bool:
        last = len(m.steps) - 1
        events = m.history()[m.event_count_before(last) : m.event_count_before(last + 1)] if last >= 0 else ()
        return "card_laid" in [event.spec.kind for event in events][1:]

    sample = until("tongiaki", 2, laid_a_card)
    seat = sample.steps[-1].seat
    for viewer, is_news in ((seat, True), (1 - seat, False)):
        # For the other seat it is news only since its own last decision.
        values = turn_view.turn(viewing(sample, "en", viewer=viewer, since=len(sample.steps), rules_name="tongiaki"))
        assert (values["news"] is not None) == is_news
        assert bool(among_classes(values["boards"][0].picture, "changed")) == is_news


# ---- curves --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [[[0, 0], [3, 1], [5, 9]], [[0, 0], [-7, 2], [-9, 120]], [[1, 1], [1, 1], [1, 1]]])
def test_curves_stay_inside_the_picture(points: list[list[int]]) -> None:
    picture = svg_symbols.score_curve(look(match("nim", 2, 0)), points, "told")
    lines = elements(picture, lambda element: element.name == "path")
    assert len(lines) == 2
    for line in lines:
        for x, y in re.findall(r"(-?\d+) (-?\d+)", attribute(line, "d")):
            assert 0 <= int(x) <= svg_symbols.WIDTH
            assert 0 <= int(y) <= svg_symbols.HEIGHT


GAMES = (("wongar", 3), ("tongiaki", 4), ("connect_four", 2))


def test_least_recently_used_entries_are_evicted_first() -> None:
    cache = ByteCache(3 * (translation_cache.SLOT + 2 * sys.getsizeof("a")))
    for letter in "abc":
        cache.get(letter, str.upper.__get__(letter))
    assert cache.get("a", lambda: "other") == "A"
    cache.get("d", lambda: "D")
    assert cache.get("b", lambda: "dropped") == "dropped"
    assert cache.get("d", lambda: "other") == "D"


def test_entries_larger_than_the_bound_are_not_cached() -> None:
    cache = ByteCache(1_000)
    for n in range(5):
        assert cache.get(n, lambda: "x" * 5_000) == "x" * 5_000
        assert cache.bytes <= cache.most


@pytest.fixture
def collect_only_new_objects() -> None:
    """Exempt the objects of other tests from garbage collection; late in a run there are millions."""
    gc.freeze()


@pytest.mark.usefixtures("collect_only_new_objects")
def test_many_pages_in_all_languages_stay_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 400_000
    cache = ByteCache(most)
    monkeypatch.setattr(translation_cache, "CACHE", cache)
    matches = [match(game, seats, steps, seed=steps + 1) for game, seats in GAMES for steps in (0, 8)]
    views = [viewed(sample, language, foretell=False) for language in LANGUAGES for sample in matches]
    for v in views:
        v.narrator.words = CachedTranslator.load(v.words.language)
    greatest = 0
    # Tracing makes everything several times slower, so that only the pages are traced.
    tracemalloc.start()
    for v in views:
        page = pages.table_page(v)
        assert page.startswith("<!doctype html>")
        greatest = max(greatest, cache.bytes)
        assert cache.bytes <= most
    assert greatest > 0.9 * most, "not enough pages to reach the bound"
    # The count roughly matches the memory freed by clearing the cache.
    gc.collect()
    full = tracemalloc.get_traced_memory()[0]
    counted = cache.bytes
    cache.clear()
    gc.collect()
    freed = full - tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 0.3 * counted < freed < 1.3 * counted


@pytest.mark.usefixtures("collect_only_new_objects")
def test_cached_drawings_do_not_keep_a_game_alive() -> None:
    import weakref

    sample = rules("nim").game(2)
    number = translation_cache.number_of(sample)
    assert translation_cache.number_of(sample) == number
    reference = weakref.ref(sample)
    del sample
    gc.collect()
    assert reference() is None


def test_long_attribute_values_are_not_cached() -> None:
    before = _cached_value.cache_info().currsize
    str(tag("path", d="M1 2" * 400))
    assert _cached_value.cache_info().currsize == before
