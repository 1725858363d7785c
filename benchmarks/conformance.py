"""Conformance of every built-in game to the toolkits' own tests: `make conformance`.

Every game runs PettingZoo's `api_test` and `seed_test` (also the parallel ones, if simultaneous) and OpenSpiel's
`random_sim_test`. Batches of states must be equal in machine code and Python. All run with the minimum and the maximum
number of seats. An equilibrium of Kuhn poker, computed by OpenSpiel's counterfactual regret minimisation, is compared
with the known value.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from wongar_dsl.adapters.batches import Batch
from wongar_dsl.adapters.openspiel import PREFIX
from wongar_dsl.adapters.pettingzoo import env, parallel_env
from wongar_dsl.engine import library

#: PettingZoo exempts its own environments with dictionary observations by name, and warns about any other.
EXPECTED = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
CYCLES = 150
#: Number of games in a batch, and number of steps.
ROWS, STEPS = 16, 60


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Redirect file descriptor 1 to the null device: OpenSpiel prints from C++, past Python."""
    sys.stdout.flush()
    before, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(before, 1)
        os.close(before)
        os.close(nowhere)


def tables() -> Iterator[tuple[str, int]]:
    """Yield every game with its minimum and maximum number of seats."""
    for name in library.builtin_names():
        for seats in sorted(set(library.load(name).model.players)):
            yield name, seats


def pettingzoo(name: str, seats: int) -> None:
    api_test(env(name, seats=seats), num_cycles=CYCLES)
    seed_test(lambda: env(name, seats=seats), num_cycles=CYCLES)


def pettingzoo_parallel(name: str, seats: int) -> None:
    try:
        parallel_env(name, seats=seats)
    except ValueError:
        return
    parallel_api_test(parallel_env(name, seats=seats), num_cycles=CYCLES)
    parallel_seed_test(lambda: parallel_env(name, seats=seats), num_cycles=CYCLES)


def openspiel(name: str, seats: int) -> None:
    game, _, variant = name.partition("/")
    loaded = pyspiel.load_game(f"{PREFIX}{game}(players={seats}{f',variant={variant}' if variant else ''})")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


def batches(name: str, seats: int) -> None:
    """Check that machine code and Python step the same batch identically, array by array."""
    rules = library.load(name)
    native, python = (Batch(rules.game(seats, backend=backend), ROWS, seed=seats) for backend in ("native", "python"))
    for number in range(STEPS):
        for array in ("cells", "mask", "seat", "length"):
            if not (getattr(native, array) == getattr(python, array)).all():
                raise AssertionError(f"{array} differs after {number} steps")
        for viewers in (None, number % seats):
            if not (native.observe(viewers) == python.observe(viewers)).all():
                raise AssertionError(f"what seats see differs after {number} steps")
        actions = native.sample()
        if not ((actions == python.sample()).all() and (native.step(actions) == python.step(actions)).all()):
            raise AssertionError(f"actions differ after {number} steps")
        if number % 10 == 9:
            native.restart(), python.restart()


CHECKS: tuple[Callable[[str, int], None], ...] = (pettingzoo, pettingzoo_parallel, openspiel, batches)
#: Known value of Kuhn poker for the first player, tolerance for the policy, and number of iterations.
VALUE, REGRET, ITERATIONS = -1 / 18, 0.05, 60


def equilibrium() -> tuple[float, float]:
    """Return the value of Kuhn poker for the first player, and the exploitability of the policy found."""
    game = pyspiel.load_game(f"{PREFIX}kuhn_poker(utility=score)")
    solver = cfr.CFRSolver(game)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy] * game.num_players())[0]
    return float(value), float(exploitability.nash_conv(game, policy))


def main() -> int:
    warnings.simplefilter("error")
    for message in EXPECTED:
        warnings.filterwarnings("ignore", message)
    for name, seats in tables():
        for check in CHECKS:
            begin = time.perf_counter()
            with contextlib.redirect_stdout(io.StringIO()), unheard():
                check(name, seats)
            print(f"{name:20} {seats} {check.__name__:20} {time.perf_counter() - begin:6.2f} s")
    value, regret = equilibrium()
    print(f"Kuhn poker: value {value:.4f} (known: {VALUE:.4f}), what could be won against it {regret:.4f}")
    return int(abs(value - VALUE) > REGRET / 2 or regret > REGRET)


if __name__ == "__main__":
    sys.exit(main())
