"""The sentence at the end of a game tells the winner's points only where they decide the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES
from tests.small_games import write_rules
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.nlg.words import Translator

GAME = """
remember gold of each player: number 0 to 9 = 0
score points
play
    player(1) chooses turn
        go
            player(1) gains {first} points
            player(2) gains 5 points
            set gold of player(1) to 4
            set gold of player(2) to 2
    {end}
"""


def last_lines(folder: Path, text: str) -> list[str]:
    """Return the last line of the game in each language."""
    game = load(write_rules(folder, text)).game(2, backend="reference")
    state, _ = game.start(1)
    events = state.apply(state.read("go"))
    narrators = (Narrator(game, Translator.load(language), ("Ann", "Bob")) for language in LANGUAGES)
    return [[line.text for line in Story(None).unreported(narrator, events)][-1] for narrator in narrators]


@pytest.mark.parametrize(
    ("ranking", "first", "points"),
    [
        ("most points of p", 7, "7"),
        ("fewest points of p", 3, "3"),
        ("most points of p\n    then most gold of p", 5, "5"),
        ("most gold of p", 7, ""),
        ("most gold of p", 3, ""),
        ("most gold of p\n    then most points of p", 7, ""),
        ("most points of p + gold of p + gold of p", 3, ""),
        # Points of an immediate win are told if they are the most.
        ("", 7, "7"),
        ("", 3, ""),
    ],
)
def test_points_are_told_if_the_ranking_compares_them_first(
    tmp_path: Path, ranking: str, first: int, points: str
) -> None:
    end = "end game\nwinner p\n    " + ranking if ranking else "player(1) wins"
    for line in last_lines(tmp_path, GAME.format(first=first, end=end)):
        assert "Ann" in line
        assert "".join(letter for letter in line if letter.isdigit()) == points, line
