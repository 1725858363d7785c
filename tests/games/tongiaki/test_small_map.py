"""Map of Tongiaki on small screens: signs at the side of a card are never part of its name."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.render.text import hex_board
from wongar_dsl.render.text.hex_board import NOWHERE, SIZES, CardSize
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.position import board, picture, signs
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session.options.menu import assign_numbers
from wongar_dsl.session.options.option_numbers import OptionNumbers

GAME = load("tongiaki").game(3)
NAMES = ("Anna", "Bert", "Zoë")
GRAPH = GAME.model.boards["sea"]
OCEAN = GAME.fields["ocean"]
CARDS = GAME.model.size(OCEAN.type, 0)
HERE = ("sea", NOWHERE)
#: Signs at one side of a name: a pier or an end of a trail, and the line between it and the card.
WEST, EAST = r"(?:(?:\d+|[a-h]\d?)[-─]|[a-h]\d(?=\[))?", r"(?:[-─](?:\d+|[a-h]\d?)|(?<=\])[a-h]\d)?"


def random_positions(seed: int) -> Iterator[State]:
    """Yield the state of a random game after each number of steps; it is changed by the next step."""
    state, _ = GAME.start(seed)
    dice = random.Random(seed)
    while True:
        yield state
        if not state.over:
            moves = [m for m in state.legal_moves() if state.write(m) != "resettle"] or state.legal_moves()
            state.apply(dice.choice(moves))


@cache
def random_position(seed: int, steps: int) -> State:
    """Return a position of a random game, which no test changes."""
    return next(islice(random_positions(seed), steps, None))


@cache
def position_with_a_king() -> State:
    """Return the first position of a random game whose map shows a king, which no test changes."""
    return next(state for state in islice(random_positions(5), 30, 200) if "♔" in drawn_text(state))


def scene(state: State, width: int, height: int, fancy: bool = True, language: str = "en", **more: object) -> TextScene:
    words = Translator.load(language) if fancy else Translator.load(language).written_in("ascii")
    mine = {} if state.over else assign_numbers(state, OptionNumbers())
    viewer = None if state.over else state.seat
    narrator = Narrator(GAME, words, NAMES)
    return TextScene(state, narrator, "ABZ", viewer, width, fancy, height, offers=mine, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("fancy", [True, False])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("lit", "marked"), [(False, False), (False, True), (True, False), (True, True)])
def test_line_separates_each_card_from_its_side_signs(size: CardSize, lit: bool, marked: bool, fancy: bool) -> None:
    """Checked for each card in each rotation."""
    marks = {"lit": frozenset({HERE} if lit else ()), "marked": frozenset({HERE} if marked else ())}
    drawing = hex_board._HexMap(scene(random_position(1, 0), 80, 0, fancy, **marks), OCEAN, "sea", GRAPH)
    for face in range(CARDS):
        name = drawing.full_name(face).replace(" ", "")
        for turned in range(6):
            lines = [line_text(line) for line in drawing._card(PlacedCard(face, NOWHERE, turned), size)]
            assert {line_width([("", line)]) for line in lines[:2]} == {size.room}
            assert fancy or all(line.isascii() for line in lines)
            match = re.fullmatch(rf"\s*{WEST}(?P<name>.*?){EAST}\s*", lines[1])
            assert match is not None
            shown = match["name"].strip()
            if lit:
                assert shown[0] + shown[-1] == "[]"
            assert ("*" in shown) == marked
            letters, value = re.fullmatch(r"\[?([^\d\[\]*]*?) ?(\d?)\*?\]?", shown).groups()  # type: ignore[union-attr]
            assert letters
            assert name.startswith(letters.replace(" ", "").rstrip(".…")[:4])
            # A value is only shown where no sign is adjacent: with a space before the line to a pier.
            assert not value or size.large
            assert not re.search(r"\d\*?[-─]\d", match[0])


@pytest.mark.parametrize("fancy", [True, False])
@pytest.mark.parametrize(("width", "height"), [(40, 14), (60, 14), (80, 14), (100, 25), (80, 0)])
def test_digits_in_name_rows_have_their_line_on_any_screen(width: int, height: int, fancy: bool) -> None:
    for seed, steps in ((5, 60), (5, 90), (2, 140), (7, 200)):
        shown = scene(random_position(seed, steps), width, height, fancy)
        mapped = board(shown)
        drawing = hex_board._HexMap(shown, OCEAN, "sea", GRAPH)
        size = drawing.size()
        assert all(line_width(line) < width for line in mapped)
        if size is not None and size.large:
            continue
        titles = {shown.short(OCEAN.type, face) for face in range(CARDS)}
        rows = [text for line in mapped if (text := line_text(line)) and re.search(r"[-─]", text)]
        named = [row for row in rows if any(title[:3] in row for title in titles) and not row.startswith(("──", "--"))]
        assert len(named) > 2
        for row in named:
            remaining_text = re.sub(
                rf"(?<![^ ]){WEST}(?=[^\d])|(?<=[^\d ]){EAST}(?![^ ])|(?<= ){EAST}(?![^ ])", "", row
            )
            assert not re.search(r"\d", re.sub(r"\[[\d|.…]+\]", "", remaining_text)), row


def test_royal_island_shows_its_king_on_maps_without_ships() -> None:
    state = position_with_a_king()
    text = drawn_text(state)
    above_the_list = text[: text.rindex("\\")]
    assert "♔" in above_the_list
    assert "^" in drawn_text(state, fancy=False)


def drawn_text(state: State, fancy: bool = True) -> str:
    return "\n".join(line_text(line) for line in board(scene(state, 80, 14, fancy)))


@pytest.mark.parametrize("language", available())
def test_narrow_screen_counts_hidden_places_in_words(language: str) -> None:
    state = random_position(7, 200)
    lines = [line_text(line) for line in board(scene(state, 40, 14, language=language))]
    away = next(line for line in lines if line.startswith("… "))
    number = re.search(r"\d+", away)
    assert number is not None
    assert 0 < int(number[0]) < CARDS
    assert len(away.split()) > 3


def test_wide_ship_list_continues_on_the_next_line() -> None:
    state = random_position(5, 60)
    lines = [line_text(line).rstrip() for line in board(scene(state, 40, 14))]
    first = next(number for number, line in enumerate(lines) if line.startswith("Tonga 0"))
    berths = [int(n) for n in re.findall(r"(\d) [ABZ·]", f"{lines[first][8:]} {lines[first + 1]}")]
    assert berths == [1, 2, 3, 4, 5, 6]
    assert lines[first + 1].startswith("   ")


def test_berths_are_explained_from_the_first_turn_on() -> None:
    shown = scene(random_position(1, 0), 80, 14)
    assert re.search(r"1 ···  2 ···", "\n".join(line_text(line) for line in board(shown)))
    assert "1 A·· Beach 1: Berths" in signs(shown).values()


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("fancy", [True, False])
def test_legend_explains_every_sign_of_the_small_map(language: str, fancy: bool) -> None:
    state = position_with_a_king()
    shown = scene(state, 80, 14, fancy, language, marked=frozenset({("sea", 0)}))
    legend = " ".join(signs(shown).values())
    dash, king = ("─", "♔") if fancy else ("-", r"\^")
    for sign in (rf"\d{dash} \w", r"[a-f]\d [….]+ [a-f]\d \w", rf"{king}A \w", r"\* \w"):
        assert re.search(sign, legend), (sign, legend)
    assert len({sign.split()[0] for sign in signs(shown).values()}) == len(signs(shown))
    assert picture(shown)
