"""Move hints: the best options as seen from one seat, in words, without hidden state."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.test_forecast import match
from tests.small_games import write_rules
from wongar_dsl.engine.bots import SearchBudget
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration.probability_words import probability_text
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.forecast import hint, hint_refusal

SMALL = SearchBudget(60)


def small_match(folder: Path, options: str) -> Match:
    """Return a game of one decision, with options that all lose."""
    lose = "\n            player(2) wins\n"
    text = "".join(f"        {name}{lose}" for name in options.split())
    return match(write_rules(folder, f"play\n    player(1) chooses t\n{text}"))


def test_hint_finds_a_win_in_one_move() -> None:
    sample = match("tictactoe", 2, 1, "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    advice = hint(sample, SMALL)
    assert (sample.state.write(advice.best[0].move), advice.best[0].share) == ("mark(a3)", 1)
    assert len(advice.best) <= 3


def test_hint_has_no_side_effects() -> None:
    sample = match("goofspiel")
    before, length = sample.state.cells.copy(), len(sample.history())
    assert hint(sample, SMALL) == hint(sample, SMALL)
    assert (sample.state.cells, len(sample.history()), len(sample.steps)) == (before, length, 0)


def test_hint_does_not_depend_on_hidden_cards() -> None:
    # Deals in which seat 0 holds the queen; seat 1 has the jack or the king.
    games = [match("kuhn_poker", 2, seed) for seed in range(40)]
    holding = games[0].game.fields["holding"]
    mine = games[0].game.model.cards["card"].index("face(queen)")
    alike = [sample for sample in games if sample.state.cells[holding.at(0)] == mine]
    assert len({sample.state.cells[holding.at(1)] for sample in alike}) == 2
    for sample in alike:
        sample.seed = 7
    assert len({hint(sample, SMALL) for sample in alike}) == 1


def test_equal_options_are_reported_as_even(tmp_path: Path) -> None:
    advice = hint(small_match(tmp_path, "left right"), SMALL)
    assert (advice.even, len(advice.best)) == (True, 1)


def test_hint_is_refused_while_a_clock_runs_and_for_a_single_option(tmp_path: Path) -> None:
    timed = match("ubongo")
    while timed.state.clock is None:
        timed.play(timed.state.legal_moves()[0])
    refusals = [hint_refusal(sample) for sample in (match("tictactoe"), timed, small_match(tmp_path, "go"))]
    assert refusals == [None, "clock", "only"]


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
