"""The map grows with the cards, fits the terminal, and says what lies where without a colour."""

from __future__ import annotations

import random

import pytest
from wongar_dsl.cli.pictures.position import Scene, picture
from wongar_dsl.cli.terminal.screen import measure, plain

from wongar_dsl.engine import State
from wongar_dsl.library import load
from wongar_dsl.narration import Narrator
from wongar_dsl.words import Words, available

GAME = load("tongiaki").game(3)
NAMES = ("Anna", "Bert", "Zoë")


NARRATORS = {language: Narrator(GAME, Words.load(language), NAMES) for language in available()}


def drawn(state: State, language: str, width: int, fancy: bool = True) -> list[str]:
    narrator = NARRATORS[language]
    lines = picture(Scene(state, narrator, "ABZ", state.seat if not state.over else None, width, fancy))
    assert all(measure(line) <= width for line in lines)
    return [plain(line) for line in lines]


def draw_all(state: State, width: int) -> None:
    for language in NARRATORS:
        drawn(state, language, width)


@pytest.mark.parametrize("width", [60, 80, 140])
def test_the_map_fits_at_every_time(width: int) -> None:
    """In each language, of one game: playing it takes longer than drawing it."""
    state, _ = GAME.start(width)
    dice = random.Random(width)
    step = 0
    while not state.over:
        if step % 12 == 0:
            draw_all(state, width)
        # Resettlement ends games soon, and without it some never end.
        moves = [m for m in state.legal_moves() if step > 400 or state.write(m) != "resettle"] or state.legal_moves()
        state.apply(dice.choice(moves))
        step += 1
    draw_all(state, width)


def test_the_map_shows_ships_berths_piers_and_trails() -> None:
    state, _ = GAME.start(1)
    for beach in (1, 2, 2, 1, 3, 4):
        state.apply(state.read(f"place(beach_{beach})"))
    text = "\n".join(drawn(state, "en", 80, fancy=False))
    assert "AA.|BZ.|B.." in text
    assert "5-  Tonga 0  -2" in text
    assert all(ord(letter) < 128 for letter in text.replace("ë", "").replace("…", ""))
    state.apply(state.read("resettle"))
    while state.decision is not None and state.decision.name == "laying":
        state.apply(state.legal_moves()[0])
    text = "\n".join(drawn(state, "en", 80))
    assert "Tonga 0" in text
