"""The map of a small screen: what stands at the side of a card is never taken for something of its name."""

from __future__ import annotations

import random
import re

import pytest

from wongar_dsl.cli.pictures import hex_board
from wongar_dsl.cli.pictures.hex_board import NOWHERE, SIZES, Size
from wongar_dsl.cli.pictures.position import board, picture, signs
from wongar_dsl.cli.pictures.scene import Scene
from wongar_dsl.cli.terminal.screen import measure, plain
from wongar_dsl.engine import State
from wongar_dsl.ir.containers import Laid
from wongar_dsl.library import load
from wongar_dsl.narration import Narrator
from wongar_dsl.table.menu import offers
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.words import Words, available

GAME = load("tongiaki").game(3)
NAMES = ("Anna", "Bert", "Zoë")
GRAPH = GAME.model.boards["sea"]
OCEAN = GAME.fields["ocean"]
CARDS = GAME.model.size(OCEAN.type, 0)
HERE = ("sea", NOWHERE)
#: What stands at one side of a name: a pier or an end of a trail, and the line between it and the card.
WEST, EAST = r"(?:(?:\d+|[a-h]\d?)[-─]|[a-h]\d(?=\[))?", r"(?:[-─](?:\d+|[a-h]\d?)|(?<=\])[a-h]\d)?"


def at(seed: int, steps: int) -> State:
    state, _ = GAME.start(seed)
    dice = random.Random(seed)
    for _ in range(steps):
        moves = [m for m in state.legal_moves() if state.write(m) != "resettle"] or state.legal_moves()
        state.apply(dice.choice(moves))
        if state.over:
            break
    return state


def scene(state: State, width: int, height: int, fancy: bool = True, language: str = "en", **more: object) -> Scene:
    words = Words.load(language) if fancy else Words.load(language).written_in("ascii")
    mine = {} if state.over else offers(state, Numbering())
    viewer = None if state.over else state.seat
    narrator = Narrator(GAME, words, NAMES)
    return Scene(state, narrator, "ABZ", viewer, width, fancy, height, offers=mine, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("fancy", [True, False])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("lit", "marked"), [(False, False), (False, True), (True, False), (True, True)])
def test_a_line_parts_each_card_from_what_stands_at_its_sides(size: Size, lit: bool, marked: bool, fancy: bool) -> None:
    """For each card, however it lies."""
    marks = {"lit": frozenset({HERE} if lit else ()), "marked": frozenset({HERE} if marked else ())}
    drawing = hex_board._Map(scene(at(1, 0), 80, 0, fancy, **marks), OCEAN, "sea", GRAPH)
    for face in range(CARDS):
        name = drawing.full_name(face).replace(" ", "")
        for turned in range(6):
            lines = [plain(line) for line in drawing._card(Laid(face, NOWHERE, turned), size)]
            assert {measure([("", line)]) for line in lines[:2]} == {size.room}
            assert fancy or all(line.isascii() for line in lines)
            found = re.fullmatch(rf"\s*{WEST}(?P<name>.*?){EAST}\s*", lines[1])
            assert found is not None
            shown = found["name"].strip()
            if lit:
                assert shown[0] + shown[-1] == "[]"
            assert ("*" in shown) == marked
            letters, value = re.fullmatch(r"\[?([^\d\[\]*]*?) ?(\d?)\*?\]?", shown).groups()  # type: ignore[union-attr]
            assert letters
            assert name.startswith(letters.replace(" ", "").rstrip(".…")[:4])
            # A value is only told where nothing could be taken for it: with a blank before the line to a pier.
            assert not value or size.large
            assert not re.search(r"\d\*?[-─]\d", found[0])


@pytest.mark.parametrize("fancy", [True, False])
@pytest.mark.parametrize(("width", "height"), [(40, 14), (60, 14), (80, 14), (100, 25), (80, 0)])
def test_on_the_map_of_any_screen_every_figure_in_a_row_of_names_has_its_line(
    width: int, height: int, fancy: bool
) -> None:
    for seed, steps in ((5, 60), (5, 90), (2, 140), (7, 200)):
        shown = scene(at(seed, steps), width, height, fancy)
        mapped = board(shown)
        drawing = hex_board._Map(shown, OCEAN, "sea", GRAPH)
        size = drawing.size()
        assert all(measure(line) < width for line in mapped)
        if size is not None and size.large:
            continue
        titles = {shown.short(OCEAN.type, face) for face in range(CARDS)}
        rows = [text for line in mapped if (text := plain(line)) and re.search(r"[-─]", text)]
        named = [row for row in rows if any(title[:3] in row for title in titles) and not row.startswith(("──", "--"))]
        assert len(named) > 2
        for row in named:
            left = re.sub(rf"(?<![^ ]){WEST}(?=[^\d])|(?<=[^\d ]){EAST}(?![^ ])|(?<= ){EAST}(?![^ ])", "", row)
            assert not re.search(r"\d", re.sub(r"\[[\d|.…]+\]", "", left)), row


def test_a_royal_island_has_its_king_on_a_map_without_ships_too() -> None:
    state = next(state for steps in range(30, 200) if "♔" in drawn(state := at(5, steps)))
    text = drawn(state)
    above_the_list = text[: text.rindex("\\")]
    assert "♔" in above_the_list
    assert "^" in drawn(state, fancy=False)


def drawn(state: State, fancy: bool = True) -> str:
    return "\n".join(plain(line) for line in board(scene(state, 80, 14, fancy)))


@pytest.mark.parametrize("language", available())
def test_the_places_that_a_narrow_screen_does_not_show_are_counted_in_words(language: str) -> None:
    state = at(7, 200)
    lines = [plain(line) for line in board(scene(state, 40, 14, language=language))]
    away = next(line for line in lines if line.startswith("… "))
    number = re.search(r"\d+", away)
    assert number is not None
    assert 0 < int(number[0]) < CARDS
    assert len(away.split()) > 3


def test_a_list_of_ships_that_is_too_wide_goes_on_below() -> None:
    state = at(5, 60)
    lines = [plain(line).rstrip() for line in board(scene(state, 40, 14))]
    first = next(number for number, line in enumerate(lines) if line.startswith("Tonga 0"))
    berths = [int(n) for n in re.findall(r"(\d) [ABZ·]", f"{lines[first][8:]} {lines[first + 1]}")]
    assert berths == [1, 2, 3, 4, 5, 6]
    assert lines[first + 1].startswith("   ")


def test_berths_are_explained_from_the_first_turn_on() -> None:
    shown = scene(at(1, 0), 80, 14)
    assert re.search(r"1 ···  2 ···", "\n".join(plain(line) for line in board(shown)))
    assert "1 A·· Beach 1: Berths" in signs(shown).values()


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("fancy", [True, False])
def test_the_legend_explains_every_kind_of_sign_of_the_small_map(language: str, fancy: bool) -> None:
    state = next(state for steps in range(30, 200) if "♔" in drawn(state := at(5, steps)))
    shown = scene(state, 80, 14, fancy, language, marked=frozenset({("sea", 0)}))
    told = " ".join(signs(shown).values())
    dash, king = ("─", "♔") if fancy else ("-", r"\^")
    for sign in (rf"\d{dash} \w", r"[a-f]\d [….]+ [a-f]\d \w", rf"{king}A \w", r"\* \w"):
        assert re.search(sign, told), (sign, told)
    assert len({sign.split()[0] for sign in signs(shown).values()}) == len(signs(shown))
    assert picture(shown)
