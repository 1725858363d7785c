"""PettingZoo environments: PettingZoo's conformance tests, and comparison with the engine step by step."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from tests.adapters.lockstep import GAMES, Beside, action_steps
from tests.small_games import write_rules
from wongar_dsl.adapters.episode import payoffs
from wongar_dsl.adapters.pettingzoo import RawEnv, SimultaneousEnv, env, parallel_env
from wongar_dsl.compiler import ir

#: `make conformance` runs all games; these are quick.
QUICK = ["goofspiel", "kuhn_poker", "nim", "tictactoe"]


@pytest.fixture(autouse=True)
def ignored_dictionary_warnings() -> None:
    """Ignore PettingZoo's warnings about dictionary observations, which it accepts only from its own environments."""
    warnings.filterwarnings("ignore", "Observation is not a NumPy array")
    warnings.filterwarnings("ignore", "Observation space for each agent probably should be")


@pytest.mark.parametrize("name", QUICK)
def test_game_conforms(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(name), num_cycles=30)
    seed_test(lambda: env(name), num_cycles=30)
    assert "Passed API test" in capsys.readouterr().out


def test_simultaneous_game_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(parallel_env("goofspiel", seats=3), num_cycles=30)
    parallel_seed_test(lambda: parallel_env("goofspiel"), num_cycles=30)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_environment_follows_the_engine_step_by_step(name: str, seats: int) -> None:
    played = RawEnv(name, seats)
    played.reset(seed=8)
    beside = Beside(played.game, 8, 9)
    for _ in range(25):
        state = beside.state
        if state.over:
            break
        move = beside.any_move()
        for action, begun in action_steps(played.play.actions, state, move):
            seen, reward, terminated, truncated, info = played.last()
            assert played.agent_selection == f"player_{state.seat + 1}"
            assert (reward, terminated, truncated) == (0, False, False)
            legal = {number for m in state.legal_moves() for number, args in action_steps(played.play.actions, state, m)
                     if args == begun and m.raw[: len(begun)] == begun}  # fmt: skip
            assert set(np.flatnonzero(seen["action_mask"])) == legal
            assert (seen["action_mask"] == info["action_mask"]).all()
            played.step(action)
        beside.make(move)
        assert played.play.state.cells == beside.state.cells
        for seat, agent in enumerate(played.possible_agents):
            assert played.observe(agent)["observation"].tolist()[:2] == [seat, beside.state.seat + 1]
    assert beside.decided >= 2


def test_rewards_come_at_the_end_and_each_agent_leaves() -> None:
    played = RawEnv("tictactoe")
    played.reset(seed=1)
    for area in ("a1", "a2", "b1", "b2", "c1"):
        state = played.play.state
        played.step(played.play.actions.number(state.cells[ir.AT_DECISION], state.read(f"mark({area})").raw))
    assert played.rewards == {"player_1": 1.0, "player_2": -1.0}
    assert played.terminations == {"player_1": True, "player_2": True}
    for _ in range(2):
        assert not played.observe(played.agent_selection)["action_mask"].any()
        played.step(None)
    assert played.agents == []


def test_shared_wins_are_zero_sum() -> None:
    state = RawEnv("goofspiel", seats=3).game.start(1)[0]
    assert payoffs(state) == (0, 0, 0)
    state.cells[ir.AT_DECISION], state.cells[ir.AT_WINNERS] = ir.OVER, 0b011
    assert payoffs(state) == pytest.approx((0.25, 0.25, -0.5))
    assert payoffs(state, "score") == (0, 0, 0)


def first_legal(played: RawEnv) -> int:
    return int(np.flatnonzero(played.last()[0]["action_mask"])[0])


def test_games_of_a_series_differ_and_a_seed_restarts_it() -> None:
    played = RawEnv("kuhn_poker")
    series = []
    for seed in (4, None, None, None, None):
        played.reset(seed=seed)
        series.append(played.play.state.cells.copy())
    assert len({tuple(cells) for cells in series}) == 5
    played.reset(seed=4)
    assert played.play.state.cells == series[0]


def test_long_game_is_truncated() -> None:
    played = RawEnv("connect_four", longest=3)
    played.reset(seed=1)
    for _ in range(3):
        assert not any(played.truncations.values())
        played.step(first_legal(played))
    assert played.truncations == {"player_1": True, "player_2": True}
    assert not any(played.terminations.values())
    assert set(played.rewards.values()) == {0.0}


def test_illegal_action_changes_nothing_and_loses_in_the_wrappers() -> None:
    played = RawEnv("nim")
    played.reset(seed=1)
    before = played.play.state.cells.copy()
    with pytest.raises(ValueError, match=r"action 3 \(take\(heap_a, 4\)\) is not legal"):
        played.step(3)
    assert played.play.state.cells == before
    wrapped = env("nim")
    wrapped.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped.step(3)
    assert wrapped.rewards["player_1"] == -1


def test_timed_answers_take_the_time_of_bots() -> None:
    times = []
    for _ in range(2):
        played = RawEnv("ubongo")
        played.reset(seed=2)
        while played.play.state.clock is None:
            played.step(first_legal(played))
        state = played.play.state
        [(base, width)] = [(base, width) for d, base, width, _ in played.game.program.simultaneous_cells
                           if d == state.cells[ir.AT_DECISION]]  # fmt: skip
        seat = state.seat
        played.step(first_legal(played))
        times.append(played.play.state.cells[base + seat * width + 1])
    assert times[0] == times[1] > 0


def test_simultaneous_and_sequential_environments_agree() -> None:
    together, alone = SimultaneousEnv("goofspiel", seats=3), RawEnv("goofspiel", 3)
    seen, _ = together.reset(seed=6)
    alone.reset(seed=6)
    rewards = dict.fromkeys(together.possible_agents, 0.0)
    while together.agents:
        actions = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[-1]) for agent in together.agents}
        for agent in together.agents:
            assert (alone.last()[0]["action_mask"] == seen[agent]["action_mask"]).all()
            alone.step(actions[agent])
        seen, rewards, over, broken_off, _ = together.step(actions)
        assert together.play.state.cells == alone.play.state.cells
        assert set(over.values()) == {together.play.over}
        assert not any(broken_off.values())
    assert rewards == alone.rewards
    with pytest.raises(ValueError, match="in wongar not all choose at once: use env"):
        SimultaneousEnv("wongar")


@pytest.mark.parametrize("action", [1, -1, 3, None])
def test_illegal_action_of_one_agent_changes_no_state(action: int | None) -> None:
    together = SimultaneousEnv("goofspiel")
    together.reset(seed=6)
    together.step({"player_1": 0, "player_2": 1})
    before = together.play.state.cells.copy()
    with pytest.raises(ValueError, match=f"action {action} of player_2 is not legal"):
        together.step({"player_1": 2} | ({"player_2": action} if action is not None else {}))
    assert together.play.state.cells == before


def test_game_without_decisions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nobody decides anything in small"):
        RawEnv(write_rules(tmp_path, "play\n    player(1) wins\n"))


@pytest.mark.parametrize(
    ("made", "shown"),
    [(lambda: RawEnv("nim", render_mode="ansi"), "matches: "),
     (lambda: SimultaneousEnv("goofspiel", 3, render_mode="ansi"), "prizes: ")],
)  # fmt: skip
def test_environment_can_be_copied_pickled_and_rendered(
    made: Callable[[], RawEnv | SimultaneousEnv], shown: str
) -> None:
    played = made()
    played.reset(seed=1)
    assert shown in (played.render() or "")
    for twin in (copy.deepcopy(played), pickle.loads(pickle.dumps(played))):
        twin.reset(seed=1)
        assert twin.play.state.cells == played.play.state.cells
