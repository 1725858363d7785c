"""Tie-breaks at the end: the deciding value of each tied player, and no text without a tie."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

import pytest

from tests.cli.command import LANGUAGES
from tests.session.test_forecast import match_after, narrator
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine.hidden_information.information import copies
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_broken_ties_on_points_are_explained(language: str) -> None:
    broken, teller = 0, narrator(finished_games("tongiaki")[0], language)
    for sample in finished_games("tongiaki"):
        scores = sample.state.scores
        tied = [seat for seat, score in enumerate(scores) if score == max(scores)]
        reason = tie_break_text(sample.state, teller)
        assert bool(reason) == (len(tied) > len(sample.state.winners))
        if reason:
            broken += 1
            counts = {name: int(n) for name, n in re.findall(r"(\w+) (\d+)", reason.rpartition(": ")[2])}
            assert (
                {teller.names[seat] for seat in sample.state.winners} <= set(counts) <= {teller.names[s] for s in tied}
            )
            winner = teller.names[sample.state.winners[0]]
            assert [name for name, n in counts.items() if n == max(counts.values())] == [winner]
    assert broken == 2


def colour_counts(at: Match, seat: int) -> list[int]:
    """Return the number of gems of each colour of a seat, in descending order."""
    place = at.game.fields["collection"]
    faces = at.game.model.size(place.type, at.game.seats)
    zone = container(place)
    assert zone is not None
    (address,) = (where for indices, where in copies(place) if indices == (seat,))
    counts = Counter(dict(enumerate(zone.counts(at.state.cells, address, place.width, faces))))
    return sorted(counts.values(), reverse=True)


ORDINALS = {"de": "{}. Rang", "nl": "{}e plaats", "it": "{}º posto", "en": "{}"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_tie_on_gems_names_the_deciding_rank(language: str) -> None:
    broken, teller = 0, narrator(finished_games("ubongo")[0], language)
    for sample in finished_games("ubongo"):
        first, second = (colour_counts(sample, seat) for seat in range(2))
        rank = next((n for n, pair in enumerate(zip(first, second, strict=True)) if len(set(pair)) > 1), None)
        reason = tie_break_text(sample.state, teller)
        assert bool(reason) == bool(rank)
        if rank:
            broken += 1
            assert ORDINALS[language].format(rank + 1) in reason
            assert f"{teller.names[0]} {first[rank]}, {teller.names[1]} {second[rank]}" in reason
    assert broken == 2


@pytest.mark.parametrize("name", ["wongar", "kuhn_poker", "tictactoe"])
def test_games_without_tie_breaks_have_no_explanation(name: str) -> None:
    assert {tie_break_text(sample.state, narrator(sample)) for sample in finished_games(name)} == {""}
