"""Hints: what looks best from one seat, in words, and nothing that this seat may not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import HEAD
from wongar_dsl import library
from wongar_dsl.bots import Budget
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.narration.chances import chance
from wongar_dsl.table.hint import hint, refusal
from wongar_dsl.words import Words

SMALL = Budget(60)


def match(name: str | Path, seats: int = 2, seed: int = 1) -> Match:
    rules = library.load(name)
    return Match.begin(rules.game(seats), [Seat("human")] * seats, seed, rules.hash)


def played(name: str, *moves: str) -> Match:
    at = match(name)
    for move in moves:
        at.play(at.state.read(move))
    return at


def test_a_win_in_one_move_is_the_best() -> None:
    at = played("tictactoe", "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    found = hint(at, SMALL)
    assert at.state.write(found.best[0].move) == "mark(a3)"
    assert found.best[0].share == 1
    assert len(found.best) <= 3


def test_a_hint_changes_nothing() -> None:
    at = played("goofspiel")
    before, length = at.state.cells.copy(), len(at.history())
    assert hint(at, SMALL) == hint(at, SMALL)
    assert (at.state.cells, len(at.history()), len(at.steps)) == (before, length, 0)


def test_a_hint_knows_nothing_of_what_its_seat_does_not_see() -> None:
    # Three deals in which the first holds the queen; the other one has the jack or the king.
    games = [match("kuhn_poker", seed=seed) for seed in range(40)]
    holding = games[0].game.fields["holding"]
    mine = games[0].game.model.cards["card"].index("face(queen)")
    alike = [at for at in games if at.state.cells[holding.at(0)] == mine]
    assert len({at.state.cells[holding.at(1)] for at in alike}) == 2
    for at in alike:
        at.seed = 7
    assert len({hint(at, SMALL) for at in alike}) == 1


def test_where_nothing_matters_that_is_said(tmp_path: Path) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(
        HEAD
        + "play\n    player(1) chooses t\n        left\n            player(2) wins\n"
        + "        right\n            player(2) wins\n"
    )
    found = hint(match(rules), SMALL)
    assert found.even
    assert len(found.best) == 1


@pytest.mark.parametrize(("name", "why"), [("tictactoe", None), ("ubongo", "clock")])
def test_no_hint_is_given_while_a_clock_runs(name: str, why: str | None) -> None:
    at = match(name)
    while why is not None and at.state.clock is None:
        at.play(at.state.legal_moves()[0])
    assert refusal(at) == why


def test_no_hint_is_needed_where_there_is_one_option(tmp_path: Path) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(HEAD + "play\n    player(1) chooses t\n        go\n            player(2) wins\n")
    assert refusal(match(rules)) == "only"


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
def test_chances_are_told_in_tenths_and_at_the_ends_in_words(share: float, certain: bool, said: str) -> None:
    assert chance(Words.load("en"), share, certain).text == said
