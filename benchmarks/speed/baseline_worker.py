"""Tasks of the worker that measures the `python` backend of an older commit.

That commit's package comes first in Python's path; the loop is the one by which it was measured then.
"""

from __future__ import annotations

import random
import time
from functools import cache
from typing import Any

from wongar_dsl import library


@cache
def _game(name: str, seats: int) -> Any:
    return library.load(name).game(seats)


def rate(name: str, seats: int, seconds: float) -> dict[str, float]:
    """Play random games without events for some seconds of processor time."""
    runner = _game(name, seats).runner
    draw = random.Random(1).random
    decisions = games = 0
    begin = time.process_time()
    while not games or time.process_time() - begin < seconds:
        state = runner.start(games)
        options = runner.go(state)
        while options:
            runner.choose(state, options[int(draw() * len(options))])
            options = runner.go(state)
            decisions += 1
        games += 1
    return {"decisions": decisions, "games": games, "seconds": time.process_time() - begin}


def games() -> dict[str, object]:
    """Return the games of that commit."""
    shipped = library.shipped().items()
    return {"games": [name for game, variants in shipped for name in (game, *(f"{game}/{v}" for v in variants))]}


TASKS = {"rate": rate, "games": games}
