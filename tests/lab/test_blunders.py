"""Turning points of games: blunders and luck are detected, distinguished and reproducible."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends.ismcts import ONE
from wongar_dsl.engine import State, library
from wongar_dsl.engine.bots import SearchBudget, decision_rng
from wongar_dsl.engine.bots.search import evaluate_options
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.lab.blunders import JudgedMove, TurningPoint, find_turning_points, judge_moves

#: A random number decides, or the second player gives the win away.
LUCK = """
play
    player(1) chooses start
        throw
            let k = random n in 1 to 2
            tell threw(n: k)
            player(1) chooses then_what
                look
                    if k = 1
                        player(1) wins
                    otherwise
                        player(2) wins
        rest
            player(2) chooses answer
                keep
                    player(2) wins
                give
                    player(1) wins
"""


def match_after(name: str | Path, *moves: str, seed: int = 1) -> Match:
    rules = library.load(name)
    played = Match.begin(rules.game(2), [Seat("human")] * 2, seed, rules.hash)
    for move in moves:
        played.play(played.state.read(move))
    return played


@pytest.fixture
def luck_rules(tmp_path: Path) -> Path:
    return write_rules(tmp_path, LUCK)


def judgements_and_turns(at: Match, iterations: int = 100) -> tuple[list[JudgedMove], tuple[TurningPoint, ...]]:
    judgements = list(judge_moves(at, (0, 1), iterations))
    return judgements, find_turning_points(at, judgements)


def test_blunder_is_a_turn_of_its_player() -> None:
    played = match_after("tictactoe", "mark(a1)", "mark(b3)", "mark(a2)", "mark(c1)", "mark(a3)")
    judgements, turned = judgements_and_turns(played, 300)
    assert [judged_decision.number for judged_decision in judgements] == [0, 1, 2, 3, 4]
    gift = next(turn for turn in turned if turn.number == 3)
    assert (gift.seat, gift.reason) == (1, "choice")
    assert gift.best is not None
    assert State(played.game, played.state_before(3)).write(gift.best) == "mark(a3)"
    assert gift.after < gift.before
    # A blunder of one player is not luck of the other, and no hidden or random information exists here.
    assert {turn.reason for turn in turned} == {"choice"}


def test_throw_is_luck_of_the_affected_player(luck_rules: Path) -> None:
    for seed in range(1, 20):
        played = match_after(luck_rules, "throw", "look", seed=seed)
        _, turned = judgements_and_turns(played)
        chance = [turn for turn in turned if turn.reason == "chance"]
        assert [(turn.number, turn.seat) for turn in chance] == [(0, 0)]
        assert (chance[0].after > chance[0].before) == (played.state.winners == (0,))


def test_blunder_of_the_opponent_is_not_luck(luck_rules: Path) -> None:
    _, turned = judgements_and_turns(match_after(luck_rules, "rest", "give"))
    assert [(turn.number, turn.seat, turn.reason) for turn in turned if turn.seat == 1] == [(1, 1, "choice")]
    assert "chance" not in {turn.reason for turn in turned}


def test_revealed_information_is_a_separate_reason() -> None:
    games = (match_after("kuhn_poker", "pass", "pass", seed=seed) for seed in range(9))
    reasons = {turn.reason for played in games for turn in judgements_and_turns(played)[1]}
    assert "looked" in reasons
    assert "chance" not in reasons


def test_analysis_is_reproducible_and_leaves_the_match_unchanged() -> None:
    played = match_after("goofspiel", "play(one)", "play(three)", "play(two)", "play(two)", seed=4)
    before = played.state.cells.copy()
    assert judgements_and_turns(played, 30) == judgements_and_turns(played, 30)
    assert (played.state.cells, len(played.steps)) == (before, 4)


def test_judging_search_uses_its_own_random_stream() -> None:
    played = match_after("tictactoe", "mark(a1)", "mark(b3)")
    same_search = evaluate_options(
        State(played.game, played.state_before(0)), SearchBudget(40), decision_rng(played.seed, 0, 0), None
    )
    judgement = next(judge_moves(played, (0,), 40))
    assert judgement.best_share != same_search[0].value / ONE


def test_only_decisions_of_requested_seats_are_judged() -> None:
    played = match_after("kuhn_poker", "pass", "bet", "call")
    assert {judgement.seat for judgement in judge_moves(played, (1,), 20)} == {1}


def test_difference_within_noise_is_no_turn() -> None:
    played = match_after("tictactoe", "mark(a1)", "mark(b3)")
    move = played.steps[0].move
    certain, noisy = (JudgedMove(0, 0, move, move, 0.3, 0.6, error, error) for error in (0.1, 0.11))
    assert [turn.size for turn in find_turning_points(played, [certain])] == [pytest.approx(0.3)]
    assert find_turning_points(played, [noisy]) == ()
