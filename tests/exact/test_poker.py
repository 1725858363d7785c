"""Kuhn and Leduc poker: tree sizes, values, equilibria and the exploitability of random play match the literature."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.exact.poker import (
    Known,
    Place,
    Poker,
    best_response,
    equilibrium,
    exploitability,
    poker,
    sampled_strategy,
    uniform,
    value,
)

LEDUC = str(Path(__file__).parents[1] / "data" / "leduc_poker.rules")


def kuhn_strategy(of: Poker, alpha: Fraction) -> dict[Known, list[Fraction]]:
    """Return the equilibrium of Kuhn (1950) for alpha from 0 to 1/3, the probability of a first bet with the jack."""
    bets = {"opening": (alpha, Fraction(0), 3 * alpha), "reply": (Fraction(0), alpha + Fraction(1, 3), Fraction(1))}
    answers = {
        "opening": (Fraction(1, 3), Fraction(0), Fraction(1)),
        "reply": (Fraction(0), Fraction(1, 3), Fraction(1)),
    }
    holding, strategy = of.game.fields["holding"], dict[Known, list[Fraction]]()
    for information, place in of.places.items():
        seat, decision = place.state.seat, place.state.decision
        assert decision is not None
        rank = place.state.cells[holding.at(seat)]
        probability = (bets if seat == 0 else answers)[decision.name][rank]
        strategy[information] = [1 - probability, probability]
    return strategy


def test_game_trees_have_the_published_sizes() -> None:
    assert (len(poker("kuhn_poker").deals), len(poker("kuhn_poker").places)) == (6, 12)
    # Leduc has two cards of each rank.
    assert (len(poker(LEDUC).deals), len(poker(LEDUC).places)) == (24, 288)
    assert sum(probability for probability, _ in poker(LEDUC).deals) == 1


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_kuhn_equilibria_have_the_value_minus_one_eighteenth(alpha: Fraction) -> None:
    kuhn = poker("kuhn_poker")
    strategy = kuhn_strategy(kuhn, alpha)
    assert value(kuhn, strategy) == Fraction(-1, 18)
    assert [best_response(kuhn, strategy, seat) for seat in (0, 1)] == [Fraction(-1, 18), Fraction(1, 18)]
    assert exploitability(kuhn, strategy) == 0


def test_other_kuhn_strategies_are_exploitable() -> None:
    assert exploitability(poker("kuhn_poker"), kuhn_strategy(poker("kuhn_poker"), Fraction(1, 2))) > 0


def test_uniform_play_has_the_published_exploitability() -> None:
    # OpenSpiel's values, halved since they are sums over both seats: 0.916667 and 4.747222.
    assert exploitability(poker("kuhn_poker"), uniform(poker("kuhn_poker"))) == Fraction(11, 24)
    assert float(exploitability(poker(LEDUC), uniform(poker(LEDUC)))) == pytest.approx(4.747222 / 2, abs=1e-6)


@pytest.mark.parametrize(("rules", "worth"), [("kuhn_poker", -1 / 18), (LEDUC, -0.085606)])
def test_equilibria_have_the_published_values(rules: str, worth: float) -> None:
    game_value, strategy = equilibrium(poker(rules))
    assert game_value == pytest.approx(worth, abs=1e-6)
    assert float(value(poker(rules), strategy)) == pytest.approx(worth, abs=1e-6)
    assert abs(float(exploitability(poker(rules), strategy))) < 1e-6


def test_sampled_strategy_is_the_frequency_of_each_option() -> None:
    def choose(place: Place, number: int) -> int:
        return 0 if number % 4 else 1

    strategy = sampled_strategy(poker("kuhn_poker"), choose, 8)
    assert set(map(tuple, strategy.values())) == {(Fraction(3, 4), Fraction(1, 4))}
