"""Tournaments: balanced seatings, results independent of the order of games, and intervals."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from time import monotonic

import pytest

from wongar_dsl.lab.inference import RatingsLibraryMissing, ratings
from wongar_dsl.lab.processes import ProcessExecutor
from wongar_dsl.lab.tournament import (
    MAX_SEATINGS,
    GameResult,
    TournamentPlan,
    interval,
    meetings,
    outcome,
    play,
    seatings,
)

NIM = TournamentPlan("nim", ("greedy", "random"), 2, 3, seed=5, backend="python")


def test_meetings_are_all_pairs_and_larger_groups() -> None:
    assert meetings(3, 2) == ((0, 1), (0, 2), (1, 2))
    assert meetings(3, 4) == ((0, 1), (0, 2), (1, 2), (0, 1, 2))
    assert [m for m in meetings(4, 3) if len(m) == 3] == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    for wrong in ((1, 2), (2, 1)):
        with pytest.raises(ValueError, match="bots"):
            meetings(*wrong)


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (2, 7), (3, 4), (4, 4), (5, 7), (6, 7)])
def test_every_bot_sits_on_every_seat_equally_often(bots: int, seats: int) -> None:
    orders = seatings(tuple(range(bots)), seats)
    assert len(set(orders)) == len(orders) <= max(MAX_SEATINGS, 2 * bots * seats)
    for seat in range(seats):
        sat = Counter(order[seat] for order in orders)
        assert sat == dict.fromkeys(range(bots), len(orders) // bots)


def test_two_bots_on_four_seats_have_six_seatings() -> None:
    assert sorted(seatings((3, 7), 4)) == [
        (3, 3, 7, 7), (3, 7, 3, 7), (3, 7, 7, 3), (7, 3, 3, 7), (7, 3, 7, 3), (7, 7, 3, 3)
    ]  # fmt: skip


def test_meeting_has_at_least_the_requested_games() -> None:
    plan = TournamentPlan("wongar", ("greedy", "random", "quick"), 3, 0).with_games(7)
    assert (plan.openings, plan.games) == (2, 2 * 4 * 6)


def test_tournament_is_independent_of_the_number_of_processes() -> None:
    alone = list(play(NIM, ProcessExecutor(1, lambda: 0.0)))
    assert [(r.opening, r.seating) for r in alone] == [(o, s) for o in range(3) for s in ((0, 1), (1, 0))]
    with ProcessExecutor(2, monotonic, alone=0) as processes:
        assert list(play(NIM, processes)) == alone


def test_all_seatings_of_an_opening_have_the_same_deal() -> None:
    plan = TournamentPlan("kuhn_poker", ("random", "quick"), 2, 12, backend="python")
    shares = [r.shares for r in play(replace(plan, bots=("random", "quick")), ProcessExecutor(1, lambda: 0.0))]
    reversed_shares = [r.shares for r in play(replace(plan, bots=("quick", "random")), ProcessExecutor(1, lambda: 0.0))]
    # With the names in reverse order, the same games are played in reverse order.
    assert shares == [reversed_shares[index + 1 - 2 * (index % 2)] for index in range(len(reversed_shares))]


def result(opening: int, seating: tuple[int, ...], winners: tuple[int, ...], meeting: int = 0) -> GameResult:
    sharing = winners or tuple(range(len(seating)))
    shares = tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(len(seating)))
    return GameResult(opening, meeting, seating, shares, bool(winners), True, 9)


def test_only_complete_openings_count() -> None:
    played = [result(0, (0, 1), (0,)), result(0, (1, 0), ()), result(1, (0, 1), (1,))]
    tournament_outcome = outcome(NIM, played)
    assert (tournament_outcome.openings, tournament_outcome.games, tournament_outcome.left_out) == (1, 2, 1)
    met = tournament_outcome.results[0]
    assert (met.games, met.drawn, met.won) == (2, 1, (1.0, 0.0))
    assert [share.share for share in met.shares] == [0.75, 0.25]
    assert tournament_outcome.comparisons == (((0.0, 1.5), (0.5, 0.0)),)


def test_tournament_without_games_has_an_outcome() -> None:
    empty = outcome(NIM, [])
    assert (empty.openings, empty.results[0].shares[0].low, empty.results[0].shares[0].high) == (0, 0.0, 1.0)


def test_two_losers_are_not_compared() -> None:
    four = TournamentPlan("wongar", ("greedy", "random"), 4, 1)
    played = [result(0, order, (0,)) for order in seatings((0, 1), 4)]
    counts = outcome(four, played).comparisons[0]
    # Three wins for each bot; each win counts against the two seats of the other bot only.
    assert counts == ((0.0, 6.0), (6.0, 0.0))


def test_correlated_games_widen_the_interval() -> None:
    independent = interval([0.5, 1.0] * 50, 2)
    correlated = interval([1.0, 1.0, 1.0, 0.0] * 25, 2)
    assert independent[0] > correlated[0]
    assert independent[1] < correlated[1]
    assert independent[0] == pytest.approx(0.686, abs=0.002)
    assert correlated[0] == pytest.approx(0.657, abs=0.002)


def test_interval_of_a_constant_win_has_a_width() -> None:
    low, high = interval([1.0] * 20, 2)
    assert (low, high) == pytest.approx((0.839, 1.0), abs=0.001)
    assert interval([0.5], 2)[0] < 0.1


def test_ratings_follow_the_odds_and_not_the_order() -> None:
    # Odds of ten to one are 400 points.
    openings = [((0.0, 10.0), (1.0, 0.0))] * 100
    first, second = ratings(openings, 1)
    assert first.rating - second.rating == pytest.approx(400, abs=1)
    assert first.rating == pytest.approx(-second.rating)
    mixed = [((0.0, 1.0), (0.0, 0.0)), ((0.0, 0.0), (1.0, 0.0)), ((0.0, 1.0), (0.0, 0.0))] * 10
    forward, backward = ratings(mixed, 1), ratings(mixed[::-1], 1)
    assert [r.rating for r in forward] == pytest.approx([r.rating for r in backward])
    assert forward[0].low < forward[0].rating < forward[0].high


def test_constant_winner_has_a_finite_rating_with_an_interval() -> None:
    best, _ = ratings([((0.0, 2.0), (0.0, 0.0))] * 50, 1)
    assert 350 < best.rating < 500
    assert best.low < best.rating - 100


def test_ratings_need_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(RatingsLibraryMissing):
        ratings([((0.0, 1.0), (0.0, 0.0))], 1)
