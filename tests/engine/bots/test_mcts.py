"""Bots that think: they choose well, look at nothing hidden, and depend on nothing but their seeds."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.bots import CancelToken, SearchBudget, bot, decision_rng, is_bot, read_budget, search
from wongar_dsl.engine.bots.search import GreedyBot, evaluate_options
from wongar_dsl.engine.hidden_information.determinization import determinize


@cache
def game(name: str, backend: str = "native") -> Game:
    rules = library.load(name)
    return rules.game(rules.model.players[0], backend=backend)


def position_after(name: str, *moves: str, backend: str = "native") -> State:
    """Return the position after moves from the start."""
    state, _ = game(name, backend).start(1)
    for move in moves:
        state.apply(state.read(move))
    return state


@pytest.mark.parametrize(
    "moves", [("mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)"), ("mark(a1)", "mark(b2)", "mark(a2)")]
)
def test_bot_takes_wins_and_prevents_losses(moves: tuple[str, ...]) -> None:
    state = position_after("tictactoe", *moves)
    weighed = evaluate_options(state, SearchBudget(400), decision_rng(1, state.seat, 0))
    assert state.write(weighed[0].move) == "mark(a3)"
    assert weighed[0].certain
    assert {w.move for w in weighed} == set(state.legal_moves())


def test_greedy_bot_takes_a_win() -> None:
    state = position_after("tictactoe", "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    assert state.write(GreedyBot().choose(state, decision_rng(1, 0, 4))) == "mark(a3)"


def test_lost_position_is_certain() -> None:
    state = position_after("tictactoe", "mark(a1)", "mark(b1)", "mark(c3)", "mark(c1)", "mark(a3)")
    weighed = evaluate_options(state, SearchBudget(3000), decision_rng(1, state.seat, 0))
    assert [(w.value, w.certain) for w in weighed] == [(0, True)] * 4


def test_choice_depends_only_on_the_information_of_its_seat() -> None:
    for name in ("wongar", "kuhn_poker", "goofspiel"):
        state, _ = game(name).start(4)
        state.apply(state.legal_moves()[0])
        determinized = determinize(state, state.seat, decision_rng(8, 0, 0))
        weighed = [evaluate_options(s, SearchBudget(40), decision_rng(3, s.seat, 1)) for s in (state, determinized)]
        assert weighed[0] == weighed[1]


def test_cancelled_search_ends_at_once() -> None:
    cancel, state = CancelToken(), position_after("wongar", backend="reference")
    cancel.cancel()
    started = time.process_time()
    for name in ("hard", "mcts:4000"):
        bot(name, cancel).choose(state, decision_rng(1, state.seat, 0))
    assert time.process_time() - started < 5


def test_choice_is_independent_of_the_processor_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MIN_ITERATIONS_PER_TREE", 50)
    state, weighed = position_after("connect_four"), []
    for processors in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda n=processors: n)
        weighed.append(evaluate_options(state, SearchBudget(200), decision_rng(1, 0, 0)))
    assert weighed[0] == weighed[1]
    assert sum(w.visits for w in weighed[0]) == 200


def test_time_budget_is_respected() -> None:
    state = position_after("connect_four")
    bot("mcts:0.01s").choose(state, decision_rng(1, 0, 0))
    began = time.monotonic()
    assert bot("mcts:0.05s").choose(state, decision_rng(1, 0, 0)) in state.legal_moves()
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    ("text", "budget"), [("1", SearchBudget(1)), ("2000", SearchBudget(2000)), ("0.25s", SearchBudget(0, 0.25))]
)
def test_budget_is_iterations_or_seconds(text: str, budget: SearchBudget) -> None:
    assert read_budget(text) == budget
    assert is_bot(f"mcts:{text}")


@pytest.mark.parametrize("text", ["", "0", "0s", "-1", "1.5", "99999999", "1h", "9999s", "1e3", "٣", "s", "1s ", ".5s"])
def test_invalid_budget_is_refused(text: str) -> None:
    assert not is_bot(f"mcts:{text}")
    with pytest.raises(KeyError):
        bot(f"mcts:{text}")


#: Seat 2 loses with any choice.
LOST = """
score points
play
    player(1) gains {points} points
    player(2) chooses turn
        pick(n: 3 to 5)
            player(2) gains n points
    end game
winner p
    {extreme} points of p
"""


@pytest.mark.parametrize("backend", ["python", "native"])
@pytest.mark.parametrize(("extreme", "points", "best"), [("most", 9, [5, 4, 3]), ("fewest", 2, [3, 4, 5])])
def test_losing_bot_minimizes_its_distance_to_the_winner(
    tmp_path: Path, backend: str, extreme: str, points: int, best: list[int]
) -> None:
    rules = library.load(write_rules(tmp_path, LOST.format(extreme=extreme, points=points)))
    state, _ = rules.game(2, backend=backend).start(1)
    assert state.write(GreedyBot().choose(state, decision_rng(1, 1, 0))) == f"pick({best[0]})"
    weighed = evaluate_options(state, SearchBudget(60), decision_rng(1, 1, 0))
    assert [state.write(value.move) for value in weighed] == [f"pick({n})" for n in best]
