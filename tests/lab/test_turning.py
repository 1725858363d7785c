"""Where games turned: gifts and luck are found and told apart, the same way each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import HEAD
from wongar_dsl import library
from wongar_dsl.bots import ONE, Budget, luck, weigh
from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.lab.turning import Judged, Turn, judged, turns

#: A throw decides, or the second player gives the win away.
LUCK = """play
    player(1) chooses start
        throw
            let k = random n in 1 to 2
            tell threw(n: k)
            player(1) chooses then_what
                look
                    player(k) wins
        rest
            player(2) chooses answer
                keep
                    player(2) wins
                give
                    player(1) wins
"""


def match(name: str | Path, *moves: str, seed: int = 1) -> Match:
    rules = library.load(name)
    at = Match.begin(rules.game(2), [Seat("human")] * 2, seed, rules.hash)
    for move in moves:
        at.play(at.state.read(move))
    return at


@pytest.fixture
def throwing(tmp_path: Path) -> Path:
    rules = tmp_path / "luck.rules"
    rules.write_text(
        HEAD
        + LUCK.replace(
            "player(k) wins",
            "if k = 1\n                        player(1) wins\n"
            "                    otherwise\n                        player(2) wins",
        )
    )
    return rules


def found(at: Match, iterations: int = 100) -> tuple[list[Judged], tuple[Turn, ...]]:
    all_of_them = list(judged(at, (0, 1), iterations))
    return all_of_them, turns(at, all_of_them)


def test_a_win_that_is_given_away_is_a_turn_of_who_gave_it() -> None:
    at = match("tictactoe", "mark(a1)", "mark(b3)", "mark(a2)", "mark(c1)", "mark(a3)")
    judgements, turned = found(at, 300)
    assert [one.number for one in judgements] == [0, 1, 2, 3, 4]
    gift = next(turn for turn in turned if turn.number == 3)
    assert (gift.seat, gift.reason) == (1, "choice")
    assert gift.best is not None
    assert State(at.game, at.before(3)).write(gift.best) == "mark(a3)"
    assert gift.after < gift.before
    # What the other gave away is no luck of the first, and nothing is hidden or drawn here.
    assert {turn.reason for turn in turned} == {"choice"}


def test_a_throw_is_luck_of_who_gained_or_lost_by_it(throwing: Path) -> None:
    for seed in range(1, 20):
        at = match(throwing, "throw", "look", seed=seed)
        _, turned = found(at)
        chance = [turn for turn in turned if turn.reason == "chance"]
        assert [(turn.number, turn.seat) for turn in chance] == [(0, 0)]
        assert (chance[0].after > chance[0].before) == (at.state.winners == (0,))


def test_what_another_gives_away_is_no_luck(throwing: Path) -> None:
    _, turned = found(match(throwing, "rest", "give"))
    assert [(turn.number, turn.seat, turn.reason) for turn in turned if turn.seat == 1] == [(1, 1, "choice")]
    assert "chance" not in {turn.reason for turn in turned}


def test_what_was_hidden_and_came_to_light_is_told_as_such() -> None:
    games = (match("kuhn_poker", "pass", "pass", seed=seed) for seed in range(9))
    reasons = {turn.reason for at in games for turn in found(at)[1]}
    assert "looked" in reasons
    assert "chance" not in reasons


def test_an_analysis_is_the_same_each_time_and_leaves_the_match_alone() -> None:
    at = match("goofspiel", "play(one)", "play(three)", "play(two)", "play(two)", seed=4)
    before = at.state.cells.copy()
    assert found(at, 30) == found(at, 30)
    assert (at.state.cells, len(at.steps)) == (before, 4)


def test_a_search_is_not_its_own_judge() -> None:
    at = match("tictactoe", "mark(a1)", "mark(b3)")
    alike = weigh(State(at.game, at.before(0)), Budget(40), luck(at.seed, 0, 0), None)
    judgement = next(judged(at, (0,), 40))
    assert judgement.best_share != alike[0].value / ONE


def test_only_the_decisions_of_the_seats_asked_for_are_judged() -> None:
    at = match("kuhn_poker", "pass", "bet", "call")
    assert {one.seat for one in judged(at, (1,), 20)} == {1}


def test_what_may_be_noise_is_no_turn() -> None:
    at = match("tictactoe", "mark(a1)", "mark(b3)")

    def judgement(error: float) -> Judged:
        move = at.steps[0].move
        return Judged(0, 0, move, move, 0.3, 0.6, error, error)

    assert [turn.size for turn in turns(at, [judgement(0.1)])] == [pytest.approx(0.3)]
    assert turns(at, [judgement(0.11)]) == ()
