"""A process that measures the `python` backend of an older commit, whose package stands first in Python's path.

The loop is the one by which that commit measured itself.
"""

from __future__ import annotations

import json
import random
import sys
import time
from functools import cache
from typing import Any

from wongar_dsl import library


@cache
def _game(name: str, seats: int) -> Any:
    return library.load(name).game(seats)


def rate(name: str, seats: int, seconds: float) -> dict[str, float]:
    """Random games without events for some seconds of processor time."""
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


def main() -> None:
    """Answer until there are no more requests."""
    for line in sys.stdin:
        request = json.loads(line)
        if request.pop("task") == "games":
            names = [
                n for game, variants in library.shipped().items() for n in (game, *(f"{game}/{v}" for v in variants))
            ]
            print(json.dumps({"games": names}), flush=True)
        else:
            print(json.dumps(rate(**request)), flush=True)


if __name__ == "__main__":
    main()
