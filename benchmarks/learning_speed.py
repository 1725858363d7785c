"""Steps per second for reinforcement learning on Connect Four: `python -m benchmarks.learning_speed`.

A step is a random legal action, the mask of the next actions, and, unless stated otherwise, the next player's
observation. PettingZoo's own game and pgx, which steps batches on JAX, are measured alongside if installed
(`pip install pygame pgx`). All take turns; rates are per second of processor time, so that other load on the machine
matters little, and medians are reported.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
from pettingzoo import AECEnv

from wongar_dsl.adapters.batches import Batch, playouts
from wongar_dsl.adapters.pettingzoo import env
from wongar_dsl.engine import Game, library

#: Number of games in a batch.
ROWS = 4096
#: Runs some steps and returns their number.
Steps = Callable[[], int]


def one_by_one(played: AECEnv) -> Steps:
    generator = np.random.default_rng(1)

    def play() -> int:
        played.reset(seed=int(generator.integers(1 << 30)))
        for number, _ in enumerate(played.agent_iter()):
            seen, _, terminated, truncated, _ = played.last()
            if terminated or truncated:
                return number
            played.step(int(generator.choice(np.flatnonzero(seen["action_mask"]))))
        return 0

    return play


def side_by_side(game: Game, seen: bool) -> Steps:
    batch = Batch(game, ROWS)

    def play() -> int:
        for _ in range(10):
            batch.step(batch.sample())
            batch.restart()
            if seen:
                batch.observe()
        return 10 * ROWS

    return play


def whole_games(game: Game) -> Steps:
    seeds = iter(range(1 << 30))
    return lambda: int(playouts(game, ROWS, next(seeds)).length.sum())


def on_jax() -> Steps:
    import jax
    import pgx

    made = pgx.make("connect_four")
    keys = jax.random.split(jax.random.PRNGKey(1), ROWS)
    begin, go_on = jax.vmap(made.init), jax.vmap(made.step)

    @jax.jit
    def turn(state: object, key: object) -> object:
        logits = jax.numpy.log(state.legal_action_mask.astype("float32"))  # type: ignore[attr-defined]
        after = go_on(state, jax.random.categorical(key, logits))
        over = after.terminated

        def again(new: object, old: object) -> object:
            return jax.numpy.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)  # type: ignore[attr-defined]

        return jax.tree_util.tree_map(again, begin(keys), after)

    state, key = jax.jit(begin)(keys), jax.random.PRNGKey(2)

    def play() -> int:
        nonlocal state, key
        for _ in range(10):
            key, now = jax.random.split(key)
            state = turn(state, now)
        state.observation.block_until_ready()
        return 10 * ROWS

    return play


def contestants() -> Iterator[tuple[str, Steps]]:
    rules = library.load("connect_four")
    native, python = (rules.game(2, backend=backend) for backend in ("native", "python"))
    yield "PettingZoo environment", one_by_one(env(python))
    with suppress(ImportError):
        from pettingzoo.classic import connect_four_v3

        yield "PettingZoo's own connect_four_v3", one_by_one(connect_four_v3.env())
    yield f"batch of {ROWS}", side_by_side(native, True)
    yield f"batch of {ROWS}, without what players see", side_by_side(native, False)
    yield f"batch of {ROWS}, in Python", side_by_side(python, True)
    with suppress(ImportError):
        yield f"pgx, batch of {ROWS}", on_jax()
    yield "whole random games, nothing seen", whole_games(native)


def rate(steps: Steps, seconds: float) -> float:
    """Return the number of steps per second of processor time."""
    begin, number = time.process_time(), 0
    while time.process_time() - begin < seconds or not number:
        number += steps()
    return number / (time.process_time() - begin)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    contestants_by_name = dict(contestants())
    rates: dict[str, list[float]] = {name: [] for name in contestants_by_name}
    for steps in contestants_by_name.values():
        steps()  # Compile everything before the measurement.
    for _ in range(chosen.rounds):
        for name, steps in contestants_by_name.items():
            rates[name].append(rate(steps, chosen.seconds))
    for name, samples in rates.items():
        print(f"{name:45} {statistics.median(samples):14,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
