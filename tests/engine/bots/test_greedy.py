"""Greedy bot: tries each option by random playouts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import library
from wongar_dsl.engine.bots import SearchBudget, decision_rng
from wongar_dsl.engine.bots.greedy import GreedyBot
from wongar_dsl.engine.bots.mcts import evaluate_options


@pytest.mark.parametrize("name", ["kuhn_poker", "ubongo"])
def test_bot_moves_are_the_same_on_every_backend(name: str) -> None:
    rules, moves = library.load(name), dict[str, list[str]]()
    for backend in ("python", "native"):
        state, _ = rules.game(2, backend=backend).start(3)
        moves[backend] = []
        for number in range(3):
            if not state.over:
                move = GreedyBot(6).choose(state, decision_rng(3, state.seat, number))
                moves[backend].append(state.write(move))
                state.apply(move)
    assert moves["python"] == moves["native"]
    assert len(moves["python"]) > 1


def test_bot_takes_a_win() -> None:
    state, _ = library.load("tictactoe").game(2).start(1)
    for move in ("mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)"):
        state.apply(state.read(move))
    assert state.write(GreedyBot().choose(state, decision_rng(1, 0, 4))) == "mark(a3)"


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
