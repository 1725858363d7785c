"""Gained and lost points are told with the noun of the game's score, and negative numbers with a minus sign."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.ending.game_summary import Ending, ScoreRow, heading

GAME = """
score {score}
play
    player(1) chooses turn
        go
            player(1) gains 2 {score}
            player(2) loses 1 {score}
    nobody wins
"""
VARIANT = """variant raised of kuhn_poker
    source house rule
before play
    player(1) gains 2 chips
    player(2) loses 1 chips
"""
CHIPS = {
    "en": ["Ann gains 2 chips.", "Bob loses one chip."],
    "de": ["Ann erhält 2 Chips.", "Bob verliert einen Chip."],
    "nl": ["Ann krijgt 2 fiches.", "Bob verliest één fiche."],
    "it": ["Ann guadagna 2 fiche.", "Bob perde una fiche."],
}


def told(path: Path, *languages: str, move: str = "") -> dict[str, list[str]]:
    game = load(path).game(2, backend="reference")
    state, events = game.start(1)
    events = state.apply(state.read(move)) if move else events
    points = [event for event in events if event.spec.kind == "points"]
    narrators = {language: Narrator(game, Translator.load(language), ("Ann", "Bob")) for language in languages}
    return {at: [n.event(event, EVERYTHING) or "" for event in points] for at, n in narrators.items()}


def test_points_without_a_message_have_the_noun_of_the_score(tmp_path: Path) -> None:
    path = tmp_path / "raised.rules"
    path.write_text(VARIANT, encoding="utf-8")
    assert told(path, *CHIPS) == CHIPS


@pytest.mark.parametrize(
    ("score", "lines"),
    [
        ("points", ["Ann gains 2 points.", "Bob loses one point."]),
        ("coins", ["Ann gains 2 coins.", "Bob loses 1 coin."]),
    ],
)
def test_a_score_without_a_term_has_its_name_or_is_points(score: str, lines: list[str], tmp_path: Path) -> None:
    assert told(write_rules(tmp_path, GAME.format(score=score)), "en", move="go") == {"en": lines}


@pytest.mark.parametrize("language", CHIPS)
def test_negative_numbers_have_a_minus_sign(language: str) -> None:
    words = Translator.load(language)
    numbers = (words.number(-2), words.number(-2000), words.decimal(-0.5, 1))
    assert numbers == ("−2", f"−{words.number(2000)}", f"−{words.decimal(0.5, 1)}")


def test_heading_of_the_score_history_is_the_name_of_the_score() -> None:
    narrator = Narrator(load("kuhn_poker").game(2), Translator.load("de"), ("Ann", "Bob"))
    report = Ending((ScoreRow("Chips", (1, -1), total=True),), None, ())
    assert heading(report, narrator) == "Chips"
