"""Batched games equal single games, on machine code and in Python."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.adapters.lockstep import game
from wongar_dsl.adapters.actions import Actions
from wongar_dsl.adapters.batches import Batch, playouts
from wongar_dsl.adapters.episode import payoffs
from wongar_dsl.adapters.observations import Observations
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import derive
from wongar_dsl.engine import Game, Move, State, library

#: `make conformance` runs all games. These compile quickly and cover hidden hands, chance, numbers and simultaneous
#: choices.
QUICK = ["goofspiel", "nim"]


@cache
def fast(name: str) -> Game:
    rules = library.load(name)
    made = rules.game(rules.model.players[0], backend="native")
    assert made.backend.name == "native"
    return made


@pytest.mark.parametrize("name", QUICK)
def test_machine_code_and_python_batches_are_equal(name: str) -> None:
    native, python = Batch(fast(name), 7, seed=5), Batch(game(name), 7, seed=5)
    for number in range(12):
        for array in ("cells", "mask", "seat", "length", "over"):
            assert (getattr(native, array) == getattr(python, array)).all(), array
        for viewers in (None, 1, [0, 1, 0, 1, 0, 1, 0]):
            assert (native.observe(viewers) == python.observe(viewers)).all()
        actions = native.sample()
        assert (actions == python.sample()).all()
        assert (native.step(actions) == python.step(actions)).all()
        if number % 4 == 3:
            assert (native.restart() == python.restart()).all()


@pytest.mark.parametrize("made", [fast, game])
def test_each_row_is_the_game_of_its_seed(made: type[Game]) -> None:
    batch = Batch(made("goofspiel"), 4, seed=9)
    states = [game("goofspiel").start(derive(9, number))[0] for number in range(4)]
    actions, observations = Actions(game("goofspiel")), Observations(game("goofspiel"))
    rewards = np.zeros((4, 2))
    while not batch.over.all():
        chosen = batch.sample()
        for row, state in enumerate(states):
            assert (batch.observe(0)[row] == observations.observe(state.cells, 0)).all()
            assert batch.seat[row] == state.seat
            if not state.over:
                legal = actions.legal(state.cells[ir.AT_DECISION], state.options())
                assert np.flatnonzero(batch.mask[row]).tolist() == legal
                option, _ = actions.decode(int(chosen[row]))
                state.apply(Move(option[0], option[1:]))
        rewards += batch.step(chosen)
    assert rewards.tolist() == [list(payoffs(state)) for state in states]
    assert batch.length.tolist() == [6] * 4


def test_playouts_are_equal_on_machine_code_and_python() -> None:
    native, python = playouts(fast("goofspiel"), 30, seed=3), playouts(game("goofspiel"), 30, seed=3)
    for array in ("length", "won", "scores"):
        assert (getattr(native, array) == getattr(python, array)).all()
    assert (native.length == 6).all()
    assert native.scores.sum(axis=1).max() == 6
    best = native.scores == native.scores.max(axis=1)[:, None]
    assert not (native.won.any(axis=1) & (native.won != best).any(axis=1)).any()
    assert not playouts(game("nim"), 3).scores.any()


def test_threads_change_no_result() -> None:
    single, threaded = Batch(fast("goofspiel"), 9, seed=2), Batch(fast("goofspiel"), 9, seed=2, threads=3)
    for _ in range(3):
        actions = single.sample()
        assert (actions == threaded.sample()).all()
        assert (single.step(actions) == threaded.step(actions)).all()
        assert (single.cells == threaded.cells).all()
    assert (playouts(fast("nim"), 99, threads=2).length == playouts(fast("nim"), 99).length).all()


def test_negative_games_and_zero_threads_are_refused() -> None:
    for n, threads in ((-1, 1), (3, 0)):
        for made in (Batch, playouts):
            with pytest.raises(ValueError, match=f"there cannot be {n} games on {threads} threads"):
                made(game("nim"), n, threads=threads)
    assert Batch(game("nim"), 0, threads=2).over.shape == (0,)
    assert playouts(game("nim"), 1, threads=4).length.shape == (1,)


@pytest.mark.parametrize("made", [fast, game])
def test_illegal_action_changes_no_game(made: type[Game]) -> None:
    batch = Batch(made("nim"), 3)
    before = batch.cells.copy()
    for wrong in (1, -1, 10_000):
        with pytest.raises(ValueError, match=f"action {wrong} is not legal in game 1"):
            batch.step([0, wrong, 0])
    with pytest.raises(ValueError, match="one action for each of 3 games is needed"):
        batch.step([0, 0])
    with pytest.raises(ValueError, match="there are seats from 0 to 1"):
        batch.observe(2)
    assert (batch.cells == before).all()


@pytest.mark.parametrize("made", [fast, game])
def test_long_games_are_stopped_and_restarted(made: type[Game]) -> None:
    batch = Batch(made("nim"), 2, seed=4, longest=1)
    assert not batch.step(batch.sample()).any()
    assert batch.broken_off.all()
    assert batch.over.all()
    assert not batch.mask.any()
    assert batch.restart().tolist() == [0, 1]
    assert not batch.broken_off.any()
    assert batch.length.tolist() == [0, 0]
    following = State(game("nim"), Batch(made("nim"), 4, seed=4).cells[2].tolist())
    assert batch.cells[0].tolist() == following.cells


def test_scores_can_be_used_as_rewards() -> None:
    batch = Batch(fast("goofspiel"), 40, seed=1, utility="score")
    total = np.zeros((40, 2))
    while not batch.over.all():
        total += batch.step(batch.sample())
    assert set(total.sum(axis=1)) <= {0, 1, 2, 3, 4, 5, 6}
    assert total.max() > 3


def test_number_above_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.adapters.actions.max_component_count", lambda _: 2)
    for made in (fast, game):
        with pytest.raises(ValueError, match="game 0 offers a number that has no action"):
            Batch(made("nim"), 2)
