"""Tie-breaks at the end: the deciding value of each tied player, and no text without a tie."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.cli.command import LANGUAGES
from tests.session.test_forecast import match_after, narrator
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration.illegal_move_reasons import tie_break_text

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
        assert tie_break_text(sample.state, narrator(sample, language)) == explained


@pytest.mark.parametrize("name", ["wongar", "kuhn_poker", "tictactoe"])
def test_games_without_tie_breaks_have_no_explanation(name: str) -> None:
    assert {tie_break_text(sample.state, narrator(sample)) for sample in finished_games(name)} == {""}
