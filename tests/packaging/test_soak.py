"""The soak takes the time that a slow machine needs for the minimum number of tries, and no more than its limit."""

from __future__ import annotations

from benchmarks.soak import LONGEST, Kind, Outcome, reached


class _Slow:
    """Kind of test with three tries per run; the try with the seed `failing` fails."""

    def __init__(self, failing: int | None = None) -> None:
        self.seeds: list[int] = []
        self.kind = Kind("slow", 1, 1, self.run)
        self.failing = failing

    def run(self, _seconds: float, seed: int) -> Outcome:
        tried = range(seed, seed + 3)
        self.seeds += tried
        return Outcome(3, 1, [f"seed {seed}" for seed in tried if seed == self.failing])


def test_a_kind_runs_until_its_minimum_is_reached_with_new_seeds() -> None:
    slow = _Slow()
    assert reached(7, slow.kind, 1, 10) == Outcome(9, 3)
    assert slow.seeds == list(range(10, 19))


def test_a_kind_that_reaches_its_minimum_at_once_runs_once() -> None:
    assert reached(3, _Slow().kind, 1, 10) == Outcome(3, 1)


def test_a_failure_ends_the_runs_and_is_kept() -> None:
    assert reached(100, _Slow(failing=14).kind, 1, 10) == Outcome(6, 2, ["seed 14"])


def test_a_kind_far_below_its_minimum_ends_after_the_longest_time() -> None:
    assert reached(1000, _Slow().kind, 1, 10).count == 3 * LONGEST
