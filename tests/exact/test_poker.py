"""What is known of Kuhn and Leduc poker comes out of their rules: sizes, values, equilibria, what random play loses."""

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
    played_by,
    poker,
    uniform,
    value,
)

LEDUC = str(Path(__file__).parents[1] / "data" / "leduc_poker.rules")


def kuhn_strategy(of: Poker, alpha: Fraction) -> dict[Known, list[Fraction]]:
    """The equilibria of Kuhn (1950): one for each alpha up to 1/3, with which the first player bets the jack."""
    bets = {"opening": (alpha, Fraction(0), 3 * alpha), "reply": (Fraction(0), alpha + Fraction(1, 3), Fraction(1))}
    answers = {
        "opening": (Fraction(1, 3), Fraction(0), Fraction(1)),
        "reply": (Fraction(0), Fraction(1, 3), Fraction(1)),
    }
    holding, found = of.game.fields["holding"], dict[Known, list[Fraction]]()
    for known, place in of.places.items():
        seat, decision = place.state.seat, place.state.decision
        assert decision is not None
        rank = place.state.cells[holding.at(seat)]
        likely = (bets if seat == 0 else answers)[decision.name][rank]
        found[known] = [1 - likely, likely]
    return found


def test_the_trees_have_the_sizes_that_they_are_known_for() -> None:
    assert (len(poker("kuhn_poker").deals), len(poker("kuhn_poker").places)) == (6, 12)
    # With cards of a rank alike.
    assert (len(poker(LEDUC).deals), len(poker(LEDUC).places)) == (24, 288)
    assert sum(likely for likely, _ in poker(LEDUC).deals) == 1


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_the_equilibria_of_kuhn_poker_lose_an_eighteenth_and_no_more(alpha: Fraction) -> None:
    of = poker("kuhn_poker")
    known = kuhn_strategy(of, alpha)
    assert value(of, known) == Fraction(-1, 18)
    assert [best_response(of, known, seat) for seat in (0, 1)] == [Fraction(-1, 18), Fraction(1, 18)]
    assert exploitability(of, known) == 0


def test_other_ways_to_play_kuhn_poker_can_be_exploited() -> None:
    assert exploitability(poker("kuhn_poker"), kuhn_strategy(poker("kuhn_poker"), Fraction(1, 2))) > 0


def test_random_play_loses_what_is_known() -> None:
    # OpenSpiel's figures, halved since they are for both seats: 0.916667 and 4.747222.
    assert exploitability(poker("kuhn_poker"), uniform(poker("kuhn_poker"))) == Fraction(11, 24)
    assert float(exploitability(poker(LEDUC), uniform(poker(LEDUC)))) == pytest.approx(4.747222 / 2, abs=1e-6)


@pytest.mark.parametrize(("rules", "worth"), [("kuhn_poker", -1 / 18), (LEDUC, -0.085606)])
def test_the_equilibria_are_found(rules: str, worth: float) -> None:
    found, strategy = equilibrium(poker(rules))
    assert found == pytest.approx(worth, abs=1e-6)
    assert float(value(poker(rules), strategy)) == pytest.approx(worth, abs=1e-6)
    assert abs(float(exploitability(poker(rules), strategy))) < 1e-6


def test_a_way_of_playing_is_how_often_each_option_is_taken() -> None:
    def choose(place: Place, number: int) -> int:
        return 0 if number % 4 else 1

    found = played_by(poker("kuhn_poker"), choose, 8)
    assert set(map(tuple, found.values())) == {(Fraction(3, 4), Fraction(1, 4))}
