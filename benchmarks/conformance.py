"""Whether every game that comes with the program conforms to the toolkits' own tests: `make conformance`.

PettingZoo's `api_test` and `seed_test` (for games in which all choose at once, the parallel ones too), OpenSpiel's
`random_sim_test`, and batches of states, which have to be the same on machine code and in Python: for the fewest and
the most seats.  And an equilibrium of Kuhn poker, found by OpenSpiel's own counterfactual regret minimisation, whose
value is known.
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

from wongar_dsl import library
from wongar_dsl.adapters.batches import Batch
from wongar_dsl.adapters.openspiel import PREFIX
from wongar_dsl.adapters.pettingzoo import env, parallel_env

#: PettingZoo knows by name which of its own environments observe a dictionary, and warns of any other.
EXPECTED = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
CYCLES = 150
#: So many games side by side, and so many steps of them.
ROWS, STEPS = 16, 60


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """OpenSpiel tells all that it does, past Python."""
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
    """Every game with the fewest and the most seats."""
    for name in library.shipped_names():
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
    """Machine code and Python step the same games side by side, array for array."""
    rules = library.load(name)
    one, other = (Batch(rules.game(seats, backend=backend), ROWS, seed=seats) for backend in ("native", "python"))
    for number in range(STEPS):
        for array in ("cells", "mask", "seat", "length"):
            if not (getattr(one, array) == getattr(other, array)).all():
                raise AssertionError(f"{array} differs after {number} steps")
        for viewers in (None, number % seats):
            if not (one.observe(viewers) == other.observe(viewers)).all():
                raise AssertionError(f"what seats see differs after {number} steps")
        actions = one.sample()
        if not ((actions == other.sample()).all() and (one.step(actions) == other.step(actions)).all()):
            raise AssertionError(f"actions differ after {number} steps")
        if number % 10 == 9:
            one.restart(), other.restart()


CHECKS: tuple[Callable[[str, int], None], ...] = (pettingzoo, pettingzoo_parallel, openspiel, batches)
#: What the first player of Kuhn poker can expect, and how far from an equilibrium the policy may be.
VALUE, REGRET, ITERATIONS = -1 / 18, 0.05, 60


def equilibrium() -> tuple[float, float]:
    """The value of Kuhn poker to the first player, and how much could be won against the policy that was found."""
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
