"""Points and ties in sentences: with the noun of the score, and at the end only where they decide the game."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from tests.session.test_forecast import match_after
from tests.session.test_forecast import narrator as narrated
from wongar_dsl.engine import Game
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration.illegal_move_reasons import tie_break_text
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


TITLES = {"tongiaki": 3, "ubongo": 2, "wongar": 3, "kuhn_poker": 2, "tictactoe": 2}
#: Random games with ties that are broken, with ties that are not, and without.
SEEDS = {"tongiaki": (0, 13, 14, 39), "ubongo": (0, 1, 6, 8)}


@cache
def finished_games(name: str) -> list[Match]:
    matches = []
    for seed in SEEDS.get(name, range(3)):
        sample, chance = match_after(name, TITLES[name], 0, seed), random.Random(seed)
        while not sample.state.over:
            sample.play(chance.choice(sample.state.legal_moves()))
        matches.append(sample)
    return matches


#: The explanations of the ties that were broken, by seed.
EXPLAINED = {
    ("tongiaki", 14): {
        "de": "Bei weiterem Gleichstand gewinnt der Spieler, der die meisten Schiffe im Vorrat hat: Anna 12, Cleo 11.",
        "nl": "Blijft de stand gelijk, dan wint de speler die de meeste schepen in de voorraad heeft: Anna 12, "
        "Cleo 11.",
        "it": "Se la parità persiste, vince il giocatore che ha il maggior numero di navi nella riserva: Anna 12, "
        "Cleo 11.",
        "en": "If the tie remains, the player who has the most ships in the supply wins: Anna 12, Cleo 11.",
    },
    ("tongiaki", 39): {
        "de": "Bei Gleichstand gewinnt der Spieler, der auf den meisten Inseln vertreten ist: Ben 4, Cleo 3.",
        "nl": "Bij gelijke stand wint de speler die op de meeste eilanden vertegenwoordigd is: Ben 4, Cleo 3.",
        "it": "In caso di parità vince il giocatore che è presente sul maggior numero di isole: Ben 4, Cleo 3.",
        "en": "In a tie, the player who is present on the most islands wins: Ben 4, Cleo 3.",
    },
    ("ubongo", 1): {
        "de": "Den Gleichstand entschied die Farbe auf dem 3. Rang: Anna 2, Ben 1.",
        "nl": "De gelijke stand werd beslist door de kleur op de 3e plaats: Anna 2, Ben 1.",
        "it": "Lo spareggio è stato deciso dal colore al 3º posto: Anna 2, Ben 1.",
        "en": "The tie was decided by the colour in 3rd place: Anna 2, Ben 1.",
    },
    ("ubongo", 8): {
        "de": "Den Gleichstand entschied die Farbe auf dem 4. Rang: Anna 0, Ben 2.",
        "nl": "De gelijke stand werd beslist door de kleur op de 4e plaats: Anna 0, Ben 2.",
        "it": "Lo spareggio è stato deciso dal colore al 4º posto: Anna 0, Ben 2.",
        "en": "The tie was decided by the colour in 4th place: Anna 0, Ben 2.",
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SEEDS)
def test_only_broken_ties_are_explained_with_the_values_of_the_tied_players(name: str, language: str) -> None:
    for seed, sample in zip(SEEDS[name], finished_games(name), strict=True):
        explained = EXPLAINED.get((name, seed), {}).get(language, "")
        assert tie_break_text(sample.state, narrated(sample, language)) == explained


@pytest.mark.parametrize("name", ["wongar", "kuhn_poker", "tictactoe"])
def test_games_without_tie_breaks_have_no_explanation(name: str) -> None:
    assert {tie_break_text(sample.state, narrated(sample)) for sample in finished_games(name)} == {""}
