"""Worker process for measurements: one JSON request per input line, one JSON response per output line."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping


def serve(tasks: Mapping[str, Callable[..., object]]) -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(tasks[request.pop("task")](**request)), flush=True)


class Series:
    """Random games played in chunks that grow until one takes a fair part of a measurement."""

    def __init__(self, play: Callable[[int, int], float], chunk: int = 1) -> None:
        """`play` plays the games from one number to before another, and returns the decisions."""
        self.play, self.chunk, self.next = play, chunk, 0

    def rate(self, seconds: float) -> float:
        """Return the decisions per second, after some seconds of processor time."""
        decisions = spent = 0.0
        while spent < seconds:
            begin = time.process_time()
            decisions += self.play(self.next, self.next + self.chunk)
            took = time.process_time() - begin
            spent += took
            self.next += self.chunk
            if took < seconds / 8:
                self.chunk *= 2
        return decisions / spent
