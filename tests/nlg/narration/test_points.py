"""Points in sentences: with the noun of the score, and at the end only where they decide the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.ending import Ending, ScoreRow, heading

from .told import LANGUAGES, change, game_of, narrator, shipped

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
    game = game_of(folder, text)
    state, _ = game.start(1)
    events = state.apply(state.read("go"))
    return [Story(None).unreported(narrator(game, language), events)[-1].text for language in LANGUAGES]


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
        assert "Anna" in line
        assert "".join(letter for letter in line if letter.isdigit()) == points, line


GAINS = """
score {score}
play
    player(1) chooses turn
        go
            player(1) gains 2 {score}
            player(2) loses 1 {score}
    nobody wins
"""
RAISED = "before play\n    player(1) gains 2 chips\n    player(2) loses 1 chips"
CHIPS = {
    "en": ["Anna gains 2 chips.", "Bert loses one chip."],
    "de": ["Anna erhält 2 Chips.", "Bert verliert einen Chip."],
    "nl": ["Anna krijgt 2 fiches.", "Bert verliest één fiche."],
    "it": ["Anna guadagna 2 fiche.", "Bert perde una fiche."],
}


def told(game: Game, move: str = "") -> dict[str, list[str]]:
    state, events = game.start(1)
    events = state.apply(state.read(move)) if move else events
    points = [event for event in events if event.spec.kind == "points"]
    narrators = {language: narrator(game, language) for language in CHIPS}
    return {at: [n.event(event, EVERYTHING) or "" for event in points] for at, n in narrators.items()}


def test_points_without_a_message_have_the_noun_of_the_score(tmp_path: Path) -> None:
    assert told(game_of(tmp_path, change("kuhn_poker", RAISED))) == CHIPS


@pytest.mark.parametrize(
    ("score", "lines"),
    [
        ("points", ["Anna gains 2 points.", "Bert loses one point."]),
        ("coins", ["Anna gains 2 coins.", "Bert loses 1 coin."]),
    ],
)
def test_a_score_without_a_term_has_its_name_or_is_points(score: str, lines: list[str], tmp_path: Path) -> None:
    assert told(game_of(tmp_path, GAINS.format(score=score)), "go")["en"] == lines


@pytest.mark.parametrize("language", CHIPS)
def test_negative_numbers_have_a_minus_sign(language: str) -> None:
    words = Translator.load(language)
    numbers = (words.number(-2), words.number(-2000), words.decimal(-0.5, 1))
    assert numbers == ("−2", f"−{words.number(2000)}", f"−{words.decimal(0.5, 1)}")


def test_heading_of_the_score_history_is_the_name_of_the_score() -> None:
    report = Ending((ScoreRow("Chips", (1, -1), total=True),), None, ())
    assert heading(report, narrator(shipped("kuhn_poker").game(2), "de")) == "Chips"
