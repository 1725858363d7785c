"""Map of Tongiaki: it grows with the cards, fits the terminal, and is readable without colour."""

from __future__ import annotations

import random
import re

import pytest

from tests.web import viewings
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import available
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.position import TextScene, board, picture, signs, ways

GAME = load("tongiaki").game(3)
NAMES = ("Anna", "Bert", "Zoë")


NARRATORS = {language: Narrator(GAME, viewings.words(language), NAMES) for language in available()}


def drawn_lines(state: State, language: str, width: int, fancy: bool = True) -> list[str]:
    narrator = NARRATORS[language]
    lines = picture(TextScene(state, narrator, "ABZ", state.seat if not state.over else None, width, fancy))
    assert all(line_width(line) <= width for line in lines)
    return [line_text(line) for line in lines]


def draw_in_all_languages(state: State, width: int) -> None:
    for language in NARRATORS:
        drawn_lines(state, language, width)


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_map_fits_at_every_time(width: int) -> None:
    """One game is drawn in all languages, since playing takes longer than drawing."""
    state, _ = GAME.start(width)
    dice = random.Random(width)
    step = 0
    while not state.over:
        if step % 12 == 0:
            draw_in_all_languages(state, width)
        # Resettlement ends games soon, and without it some games never end.
        moves = [m for m in state.legal_moves() if step > 400 or state.write(m) != "resettle"] or state.legal_moves()
        state.apply(dice.choice(moves))
        step += 1
    draw_in_all_languages(state, width)


@pytest.mark.parametrize("language", available())
def test_narrow_screen_lists_all_berths_in_further_lines(language: str) -> None:
    state, _ = GAME.start(1)
    for beach in (1, 2, 2, 1, 3, 4):
        state.apply(state.read(f"place(beach_{beach})"))
    lines = [line.rstrip() for line in drawn_lines(state, language, 40)]
    tonga_line = next(n for n, line in enumerate(lines) if re.search(r" 1 A", line))
    words = " ".join(lines[tonga_line : tonga_line + 3]).split()
    assert words[1 + words.index("0") : 1 + words.index("0") + 12 : 2] == ["1", "2", "3", "4", "5", "6"]
    assert lines[tonga_line + 1].startswith("        ")


def test_map_shows_ships_berths_piers_and_trails() -> None:
    state, _ = GAME.start(1)
    for beach in (1, 2, 2, 1, 3, 4):
        state.apply(state.read(f"place(beach_{beach})"))
    text = "\n".join(drawn_lines(state, "en", 80, fancy=False))
    assert "AA.|BZ.|B.." in text
    assert "5-  Tonga 0  -2" in text
    assert all(ord(letter) < 128 for letter in text.replace("ë", "").replace("…", ""))
    state.apply(state.read("resettle"))
    while state.decision is not None and state.decision.name == "laying":
        state.apply(state.legal_moves()[0])
    text = "\n".join(drawn_lines(state, "en", 80))
    assert "Tonga 0" in text


def laying_state(seed: int) -> State:
    """Return a state in which a card is to be placed beside others."""
    state, _ = GAME.start(seed)
    dice = random.Random(seed)
    for step in range(200):
        if state.decision is not None and state.decision.name == "laying":
            return state
        moves = [m for m in state.legal_moves() if (state.write(m) == "resettle") == (step > 40)]
        state.apply(dice.choice(moves or state.legal_moves()))
    raise AssertionError("no card is laid")


def scene(state: State, language: str = "en", height: int = 0) -> TextScene:
    mine = {move: number for number, move in enumerate(state.legal_moves(), 1)}
    return TextScene(state, NARRATORS[language], "ABZ", state.seat, 100, True, height, offers=mine)


def test_option_numbers_are_on_the_map_and_below_the_preview() -> None:
    state = laying_state(5)
    lines = [line_text(line) for line in board(scene(state))]
    rule = next(number for number, line in enumerate(lines) if line.startswith("──"))
    numbers = set(range(1, len(state.legal_moves()) + 1))
    above = [int(number) for line in lines[:rule] for number in re.findall(r"\[(\d+)\]", line)]
    assert sorted(above) == sorted(numbers)
    in_places = [text for line in lines[rule:] for text in re.findall(r"\[([\d|]+)\]", line)]
    assert {int(number) for text in in_places for number in text.split("|")} == numbers


def test_cells_between_cards_are_free() -> None:
    for seed in range(4):
        state = laying_state(seed)
        for line in board(scene(state)):
            assert not re.search(r"[-─][a-f\d]\d?[a-f\d]\d?[-─]", line_text(line).replace("[", " "))


@pytest.mark.parametrize("language", sorted(NARRATORS))
def test_legend_explains_every_sign_of_the_map(language: str) -> None:
    state = laying_state(5)
    shown = signs(scene(state, language))
    assert {"trail", "danger", "beach", "berth", "worth", "[]"} <= shown.keys()
    assert shown["trail"].count(shown["danger"].split()[0]) == 2
    assert shown["[]"].startswith("[1]")


def test_ways_begin_at_own_ships_and_list_crossed_trails() -> None:
    state, _ = GAME.start(5)
    dice = random.Random(5)
    for _ in range(70):
        state.apply(dice.choice([m for m in state.legal_moves() if state.write(m) != "resettle"]))
    lines = [line_text(line) for line in ways(scene(state))]
    assert lines[0] == "Where the ways lead (… no card lies there yet):"
    letter = "ABZ"[state.seat]
    assert len(lines) > 3
    assert all(letter in line.split()[2] or letter in line.split()[3] for line in lines[1:] if line[0] != " ")
    assert any("(2)" in line for line in lines)
    assert len(ways(scene(state), 2)) == 4
