"""The end says what broke a tie, with what each of those who were equal had; of no tie it says nothing."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

import pytest

from tests.cli.command import LANGUAGES
from tests.table.test_digest import played
from tests.table.test_forecast import narrator
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.engine.match import Match
from wongar_dsl.ir.containers import container
from wongar_dsl.narration.ties import tie_broken

TITLES = {"tongiaki": 3, "ubongo": 2, "wongar": 3, "kuhn_poker": 2, "tictactoe": 2}


@cache
def games(name: str) -> list[Match]:
    """Random games to their end."""
    found = []
    for seed in range(60 if name == "tongiaki" else 12):
        at, chance = played(name, TITLES[name], 0, seed), random.Random(seed)
        while not at.state.over:
            at.play(chance.choice(at.state.legal_moves()))
        found.append(at)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tie_on_points_is_told_where_it_was_broken_and_only_there(language: str) -> None:
    broken = 0
    for at in games("tongiaki"):
        scores, teller = at.state.scores, narrator(at, language)
        tied = [seat for seat, score in enumerate(scores) if score == max(scores)]
        told = tie_broken(at.state, teller)
        assert bool(told) == (len(tied) > len(at.state.winners))
        if told:
            broken += 1
            counts = {name: int(n) for name, n in re.findall(r"(\w+) (\d+)", told.rpartition(": ")[2])}
            assert {teller.names[seat] for seat in at.state.winners} <= set(counts) <= {teller.names[s] for s in tied}
            winner = teller.names[at.state.winners[0]]
            assert [name for name, n in counts.items() if n == max(counts.values())] == [winner]
    assert broken


def colours(at: Match, seat: int) -> list[int]:
    """How many gems of each colour a seat has, the most first."""
    place = at.game.fields["collection"]
    faces = at.game.model.size(place.type, at.game.seats)
    zone = container(place)
    assert zone is not None
    (address,) = (where for indices, where in copies(place) if indices == (seat,))
    counts = Counter(dict(enumerate(zone.counts(at.state.cells, address, place.width, faces))))
    return sorted(counts.values(), reverse=True)


ORDINALS = {"de": "{}. Rang", "nl": "{}e plaats", "it": "{}º posto", "en": "{}"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tie_on_gems_names_the_rank_that_decided(language: str) -> None:
    broken = 0
    for at in games("ubongo"):
        one, other = (colours(at, seat) for seat in range(2))
        rank = next((n for n, pair in enumerate(zip(one, other, strict=True)) if len(set(pair)) > 1), None)
        told, teller = tie_broken(at.state, narrator(at, language)), narrator(at, language)
        assert bool(told) == bool(rank)
        if rank:
            broken += 1
            assert ORDINALS[language].format(rank + 1) in told
            assert f"{teller.names[0]} {one[rank]}, {teller.names[1]} {other[rank]}" in told
    assert broken


@pytest.mark.parametrize("name", ["wongar", "kuhn_poker", "tictactoe"])
def test_where_nothing_breaks_ties_nothing_is_told(name: str) -> None:
    assert {tie_broken(at.state, narrator(at)) for at in games(name)[:3]} == {""}
