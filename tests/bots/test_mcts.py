"""The bot that searches: it sees what is in front of it, hangs on no machine, and knows no more than its seat may."""

from __future__ import annotations

import os
import time
from functools import cache

import pytest

from wongar_dsl import library
from wongar_dsl.bots import bot, is_bot, luck, mcts, weigh
from wongar_dsl.bots.mcts import Budget, read_budget
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.determinization import determinize


@cache
def game(name: str, backend: str = "native") -> Game:
    rules = library.load(name)
    return rules.game(rules.model.players[0], backend=backend)


def after(name: str, *moves: str, backend: str = "native") -> State:
    """A position after moves from the beginning."""
    state, _ = game(name, backend).start(1)
    for move in moves:
        state.apply(state.read(move))
    return state


@pytest.mark.parametrize(
    ("moves", "best", "certain"),
    [
        (("mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)"), "mark(a3)", True),
        (("mark(a1)", "mark(b2)", "mark(a2)"), "mark(a3)", True),
    ],
)
def test_a_win_is_taken_and_a_loss_warded_off(moves: tuple[str, ...], best: str, certain: bool) -> None:
    state = after("tictactoe", *moves)
    weighed = weigh(state, Budget(400), luck(1, state.seat, 0))
    assert state.write(weighed[0].move) == best
    assert weighed[0].certain == certain
    assert {w.move for w in weighed} == set(state.legal_moves())


def test_where_everything_loses_that_is_certain() -> None:
    state = after("tictactoe", "mark(a1)", "mark(b1)", "mark(c3)", "mark(c1)", "mark(a3)")
    weighed = weigh(state, Budget(3000), luck(1, state.seat, 0))
    assert [(w.value, w.certain) for w in weighed] == [(0, True)] * 4


def test_the_choice_hangs_on_nothing_that_its_seat_does_not_know() -> None:
    for name in ("wongar", "kuhn_poker", "goofspiel"):
        state, _ = game(name).start(4)
        state.apply(state.legal_moves()[0])
        other = determinize(state, state.seat, luck(8, 0, 0))
        found = [weigh(s, Budget(40), luck(3, s.seat, 1)) for s in (state, other)]
        assert found[0] == found[1]


def test_the_choice_hangs_on_no_number_of_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "WHOLE", 50)
    state, found = after("connect_four"), []
    for processors in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda n=processors: n)
        found.append(weigh(state, Budget(200), luck(1, 0, 0)))
    assert found[0] == found[1]
    assert sum(w.visits for w in found[0]) == 200


def test_a_budget_in_seconds_ends_in_time() -> None:
    state = after("connect_four")
    bot("mcts:0.01s").choose(state, luck(1, 0, 0))
    began = time.monotonic()
    assert bot("mcts:0.05s").choose(state, luck(1, 0, 0)) in state.legal_moves()
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    ("text", "budget"), [("1", Budget(1)), ("2000", Budget(2000)), ("1s", Budget(0, 1.0)), ("0.25s", Budget(0, 0.25))]
)
def test_a_budget_is_iterations_or_seconds(text: str, budget: Budget) -> None:
    assert read_budget(text) == budget
    assert is_bot(f"mcts:{text}")


@pytest.mark.parametrize("text", ["", "0", "0s", "-1", "1.5", "99999999", "1h", "9999s", "1e3", "٣", "s", "1s ", ".5s"])
def test_what_is_no_budget_names_no_bot(text: str) -> None:
    assert not is_bot(f"mcts:{text}")
    with pytest.raises(KeyError):
        bot(f"mcts:{text}")
