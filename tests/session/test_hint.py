"""Move hints: the best options as seen from one seat, in words, without hidden state."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import HEAD
from wongar_dsl.engine import library
from wongar_dsl.engine.bots import SearchBudget
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration.probability_words import probability_text
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.forecast.hint import hint, hint_refusal

SMALL = SearchBudget(60)


def match(name: str | Path, seats: int = 2, seed: int = 1) -> Match:
    rules = library.load(name)
    return Match.begin(rules.game(seats), [Seat("human")] * seats, seed, rules.hash)


def match_after(name: str, *moves: str) -> Match:
    sample = match(name)
    for move in moves:
        sample.play(sample.state.read(move))
    return sample


def test_hint_finds_a_win_in_one_move() -> None:
    sample = match_after("tictactoe", "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    advice = hint(sample, SMALL)
    assert sample.state.write(advice.best[0].move) == "mark(a3)"
    assert advice.best[0].share == 1
    assert len(advice.best) <= 3


def test_hint_has_no_side_effects() -> None:
    sample = match_after("goofspiel")
    before, length = sample.state.cells.copy(), len(sample.history())
    assert hint(sample, SMALL) == hint(sample, SMALL)
    assert (sample.state.cells, len(sample.history()), len(sample.steps)) == (before, length, 0)


def test_hint_does_not_depend_on_hidden_cards() -> None:
    # Deals in which seat 0 holds the queen; seat 1 has the jack or the king.
    games = [match("kuhn_poker", seed=seed) for seed in range(40)]
    holding = games[0].game.fields["holding"]
    mine = games[0].game.model.cards["card"].index("face(queen)")
    alike = [sample for sample in games if sample.state.cells[holding.at(0)] == mine]
    assert len({sample.state.cells[holding.at(1)] for sample in alike}) == 2
    for sample in alike:
        sample.seed = 7
    assert len({hint(sample, SMALL) for sample in alike}) == 1


def test_equal_options_are_reported_as_even(tmp_path: Path) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(
        HEAD
        + "play\n    player(1) chooses t\n        left\n            player(2) wins\n"
        + "        right\n            player(2) wins\n"
    )
    advice = hint(match(rules), SMALL)
    assert advice.even
    assert len(advice.best) == 1


@pytest.mark.parametrize(("name", "why"), [("tictactoe", None), ("ubongo", "clock")])
def test_hint_is_refused_while_a_clock_runs(name: str, why: str | None) -> None:
    sample = match(name)
    while why is not None and sample.state.clock is None:
        sample.play(sample.state.legal_moves()[0])
    assert hint_refusal(sample) == why


def test_hint_is_refused_for_a_single_option(tmp_path: Path) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(HEAD + "play\n    player(1) chooses t\n        go\n            player(2) wins\n")
    assert hint_refusal(match(rules)) == "only"


@pytest.mark.parametrize(
    ("share", "certain", "said"),
    [
        (0.0, False, "hardly any"),
        (0.06, False, "about 1 in 10"),
        (0.449, False, "about 4 in 10"),
        (0.94, False, "about 9 in 10"),
        (0.97, False, "almost certain"),
        (1.0, True, "certain"),
        (0.5, True, "no more than a draw or a shared win"),
        (0.0, True, "none"),
    ],
)
def test_chances_are_worded_in_tenths(share: float, certain: bool, said: str) -> None:
    assert probability_text(Translator.load("en"), share, certain).text == said
