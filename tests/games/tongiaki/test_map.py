"""Map of Tongiaki: it grows with the cards, fits the terminal, and is readable without colour."""

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
from wongar_dsl.render.text import laid_cards
from wongar_dsl.render.text.laid_cards import NOWHERE, SIZES, CardSize
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.position import TextScene, board, picture, signs, ways
from wongar_dsl.session.menu import OptionNumbers, assign_numbers

GAME = load("tongiaki").game(3)
GRAPH = GAME.model.boards["sea"]
OCEAN = GAME.fields["ocean"]
CARDS = GAME.model.size(OCEAN.type, 0)
HERE = ("sea", NOWHERE)
WORDS = {language: Translator.load(language) for language in available()}
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
def laying_position() -> State:
    """Return a position in which a card is to be placed beside others, which no test changes."""
    state = random_position(5, 41).copy()
    while state.decision is not None and state.decision.name != "laying":
        state.apply(next((m for m in state.legal_moves() if state.write(m) == "resettle"), state.legal_moves()[0]))
    return state


@cache
def position_with_a_king() -> State:
    """Return the first position of a random game whose map shows a king, which no test changes."""
    return next(state for state in islice(random_positions(5), 30, 200) if "♔" in "".join(drawn(scene(state, 80, 14))))


@cache
def position_with_ships_at_tonga() -> State:
    """Return a position with ships at four beaches of the first island, which no test changes."""
    state, _ = GAME.start(1)
    for beach in (1, 2, 2, 1, 3, 4):
        state.apply(state.read(f"place(beach_{beach})"))
    return state


def scene(state: State, width: int, height: int, fancy: bool = True, language: str = "en", **more: object) -> TextScene:
    words = WORDS[language] if fancy else WORDS[language].written_in("ascii")
    mine = {} if state.over else assign_numbers(state, OptionNumbers())
    viewer = None if state.over else state.seat
    narrator = Narrator(GAME, words, ("Anna", "Bert", "Zoë"))
    return TextScene(state, narrator, "ABZ", viewer, width, fancy, height, offers=mine, **more)  # type: ignore[arg-type]


def drawn(shown: TextScene) -> list[str]:
    """Return the lines of the map; check that all of them fit."""
    lines = board(shown)
    assert all(line_width(line) < shown.width for line in lines)
    return [line_text(line).rstrip() for line in lines]


def test_map_fits_a_narrow_screen_at_every_time() -> None:
    """Wider screens: `tests/properties/test_pictures.py`."""
    for step, state in enumerate(islice(random_positions(40), 400)):
        if step % 40 == 0 or state.over:
            for language in WORDS:
                assert all(line_width(line) <= 40 for line in picture(scene(state, 40, 0, language=language)))
        if state.over:
            break


@pytest.mark.parametrize("language", available())
def test_narrow_screen_lists_all_berths_in_further_lines(language: str) -> None:
    lines = drawn(scene(position_with_ships_at_tonga(), 40, 0, language=language))
    tonga_line = next(n for n, line in enumerate(lines) if re.search(r" 1 A", line))
    words = " ".join(lines[tonga_line : tonga_line + 3]).split()
    assert words[1 + words.index("0") : 1 + words.index("0") + 12 : 2] == ["1", "2", "3", "4", "5", "6"]
    assert lines[tonga_line + 1].startswith("        ")


def test_map_shows_ships_berths_and_piers() -> None:
    text = "\n".join(drawn(scene(position_with_ships_at_tonga(), 80, 0, fancy=False)))
    assert "AA.|BZ.|B.." in text
    assert "5-  Tonga 0  -2" in text


def test_option_numbers_are_on_the_map_and_below_the_preview() -> None:
    state = laying_position()
    lines = drawn(scene(state, 100, 0))
    rule = next(number for number, line in enumerate(lines) if line.startswith("──"))
    numbers = set(range(1, len(state.legal_moves()) + 1))
    above = [int(number) for line in lines[:rule] for number in re.findall(r"\[(\d+)\]", line)]
    assert sorted(above) == sorted(numbers)
    in_places = [text for line in lines[rule:] for text in re.findall(r"\[([\d|]+)\]", line)]
    assert {int(number) for text in in_places for number in text.split("|")} == numbers
    # Cells between cards are free.
    assert not [line for line in lines if re.search(r"[-─][a-f\d]\d?[a-f\d]\d?[-─]", line.replace("[", " "))]


@pytest.mark.parametrize("language", available())
def test_legend_explains_every_sign_of_the_map(language: str) -> None:
    shown = signs(scene(laying_position(), 100, 0, language=language))
    assert {"trail", "danger", "beach", "berth", "worth", "[]"} <= shown.keys()
    assert shown["trail"].count(shown["danger"].split()[0]) == 2
    assert shown["[]"].startswith("[1]")
    fancy = language in ("de", "it")
    low = scene(position_with_a_king(), 80, 14, fancy, language, marked=frozenset({("sea", 0)}))
    legend = " ".join(signs(low).values())
    dash, king = ("─", "♔") if fancy else ("-", r"\^")
    for sign in (rf"\d{dash} \w", r"[a-f]\d [….]+ [a-f]\d \w", rf"{king}A \w", r"\* \w"):
        assert re.search(sign, legend), (sign, legend)
    assert len({sign.split()[0] for sign in signs(low).values()}) == len(signs(low))


def test_berths_are_explained_from_the_first_turn_on() -> None:
    shown = scene(random_position(1, 0), 80, 14)
    assert "1 ···  2 ···" in "\n".join(drawn(shown))
    assert "1 A·· Beach 1: Berths" in signs(shown).values()


def test_ways_begin_at_own_ships_and_list_crossed_trails() -> None:
    state = random_position(5, 70)
    lines = [line_text(line) for line in ways(scene(state, 100, 0))]
    assert lines[0] == "Where the ways lead (… no card lies there yet):"
    letter = "ABZ"[state.seat]
    assert len(lines) > 3
    assert all(letter in line.split()[2] or letter in line.split()[3] for line in lines[1:] if line[0] != " ")
    assert any("(2)" in line for line in lines)
    assert len(ways(scene(state, 100, 0), 2)) == 4


# ---- small maps ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("lit", "marked"), [(False, False), (False, True), (True, False), (True, True)])
def test_line_separates_each_card_from_its_side_signs(size: CardSize, lit: bool, marked: bool) -> None:
    """Checked for each card in each rotation."""
    marks = {"lit": frozenset({HERE} if lit else ()), "marked": frozenset({HERE} if marked else ())}
    fancy = lit == marked
    drawing = laid_cards._HexMap(scene(random_position(1, 0), 80, 0, fancy, **marks), OCEAN, "sea", GRAPH)
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


def test_royal_island_shows_its_king_on_maps_without_ships() -> None:
    fancy, plain = ("\n".join(drawn(scene(position_with_a_king(), 80, 14, fancy))) for fancy in (True, False))
    assert "♔" in fancy[: fancy.rindex("\\")], "above the list"
    assert "^" in plain


@pytest.mark.parametrize("language", available())
def test_narrow_screen_counts_hidden_places_in_words(language: str) -> None:
    lines = drawn(scene(random_position(7, 200), 40, 14, language=language))
    away = next(line for line in lines if line.startswith("… "))
    number = re.search(r"\d+", away)
    assert number is not None
    assert 0 < int(number[0]) < CARDS
    assert len(away.split()) > 3
