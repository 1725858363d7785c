"""Run of a plan on an executor: scheduling of games, and the stopping rule.

The games of a run are numbered from 0, and the completed ones are always a prefix, so that a stopped run can be
resumed. The number of games in a task follows from their duration and changes no result: sums do not depend on it, and
the stopping rule is tested at fixed numbers of games only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import median_low
from typing import Protocol

from wongar_dsl.engine import MAX_DECISIONS
from wongar_dsl.lab.simulation.bot_game import Tick
from wongar_dsl.lab.simulation.simulator import SimulationResult, SimulationTask, Simulator
from wongar_dsl.lab.statistics import inference

#: Number of pilot games of each arm, used to find the typical length.
PILOT = 20
#: Length cut-off as a multiple of the median length, and its minimum in decisions.
CUTOFF_FACTOR, MIN_CUTOFF = 10, 1_000
#: Median length in decisions beyond which no exact median is determined.
MAX_PILOT_DECISIONS = 16_000
#: First number of games at which the stopping rule is tested, and number of tests before the step doubles.
FIRST_CHECK, CHECKS_PER_DOUBLING = 64, 16
#: Target duration of a task in seconds, and minimum number of tasks per worker.
TASK_DURATION_S, MIN_TASKS_PER_WORKER = 1.0, 4

MAX_GAMES = 100_000_000


class Executor(Protocol):
    """Executor of tasks."""

    @property
    def workers(self) -> int:
        """Number of tasks played at once."""

    def results(
        self, simulator: Simulator, tasks: Iterator[SimulationTask], tick: Tick
    ) -> Iterator[tuple[SimulationTask, SimulationResult]]:
        """Yield tasks with their results in order, taking each task as late as possible; raise `PlayFault`."""


@dataclass(frozen=True, slots=True)
class RunTotals:
    """Progress of a run: the number of completed games, with their sums.

    `limits` is empty until the length cut-off is known. Until then, `pilots` has the results of the first games by
    number, as far as all arms finished them within `MIN_CUTOFF` decisions.
    """

    games: int
    limits: tuple[int, ...]
    result: SimulationResult
    pilots: dict[int, SimulationResult] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        """Number of games covered by the figures."""
        return self.games or len(self.pilots)

    @property
    def whole(self) -> SimulationResult:
        """Sums of all games, including pilot games."""
        if self.games or not self.pilots:
            return self.result
        numbers = sorted(self.pilots)
        sums = self.pilots[numbers[0]].copy()
        for number in numbers[1:]:
            sums.add(self.pilots[number])
        return sums


@dataclass(slots=True)
class SimulationRun:
    """Plan with its number of games.

    The run has `requested` games. With `until`, it ends earlier if half the interval of each win share is that small.
    """

    simulator: Simulator
    requested: int
    until: float | None
    totals: RunTotals

    @classmethod
    def new(cls, simulator: Simulator, games: int, until: float | None = None) -> SimulationRun:
        """Return a run without any game played."""
        return cls(simulator, games, until, RunTotals(0, (), simulator.nothing))

    def with_games(self, games: int) -> SimulationRun:
        """Return the run with another number of games; restart it if either number is below the pilot size."""
        restart = min(self.requested, games) < PILOT
        return SimulationRun.new(self.simulator, games, self.until) if restart else replace(self, requested=games)

    def is_complete(self) -> bool:
        """Return whether the run is complete."""
        if self.totals.games >= self.requested:
            return True
        return self.until is not None and _is_check_due(self.totals.games) and self.widest_interval <= self.until

    @property
    def widest_interval(self) -> float:
        """Half the widest interval of a win share."""
        largest = 0.0
        for columns, tally in zip(self.simulator.columns, self.totals.whole.tallies, strict=True):
            start = columns.sections["wins"]
            for wins in tally.sums[start : start + columns.seats]:
                largest = max(largest, inference.share(wins, columns.win_parts, tally.ended).half)
        return largest

    @property
    def expected(self) -> int:
        """Expected number of games."""
        if self.until is None or not self.totals.counted:
            return self.requested
        # The width decreases with the square root of the number of games.
        return min(
            self.requested,
            max(self.totals.counted, round(self.totals.counted * (self.widest_interval / self.until) ** 2)),
        )

    def resume(self, executor: Executor, tick: Tick, clock: Callable[[], float]) -> Iterator[int]:
        """Play until the run is complete; yield the number of games after each increase.

        The iteration can be abandoned at any time, and resumed later. Raise `PlayFault` for a fault in the rules.
        """
        pace = _PaceMeter(clock)
        if not self.totals.limits:
            yield from self._pilot(executor, tick, pace)
        if self.is_complete():
            return
        for task, result in executor.results(self.simulator, self._tasks(executor, pace), tick):
            # An interruption leaves the sums either without the task or with all of it.
            sums = self.totals.result.copy()
            sums.add(result)
            self.totals = replace(self.totals, games=task.last, result=sums)
            pace.played(task.last - task.first, executor.workers)
            yield self.totals.games
            if self.is_complete():
                return

    def _tasks(self, executor: Executor, pace: _PaceMeter) -> Iterator[SimulationTask]:
        first = self.totals.games
        while first < self.requested:
            share = -(-(self.requested - first) // (executor.workers * MIN_TASKS_PER_WORKER))
            last = min(first + max(1, min(share, pace.games)), self.requested)
            if self.until is not None:
                last = min(last, _next_check(first))
            yield SimulationTask(first, last, self.totals.limits)
            first = last

    # ---- length cut-off ----

    def _pilot(self, executor: Executor, tick: Tick, pace: _PaceMeter) -> Iterator[int]:
        """Play the first games, and derive the length cut-off of each arm."""
        arms, numbers = range(len(self.simulator.plan.arms)), range(min(PILOT, self.requested))
        pilots = self.totals.pilots
        results: dict[int, SimulationResult] = dict(pilots)
        probe = MIN_CUTOFF
        while True:
            unfinished = [n for n in numbers if n not in results or not _finished(results[n])]
            tasks = (SimulationTask(n, n + 1, (probe,) * len(arms)) for n in unfinished)
            for task, result in executor.results(self.simulator, tasks, tick):
                results[task.first] = result
                pace.played(1, executor.workers)
                if probe == MIN_CUTOFF and _finished(result):
                    pilots[task.first] = result
                    yield len(pilots)
            # Unfinished games count as longer than all finished ones.
            medians = [median_low([_length(results[n], arm) for n in numbers]) for arm in arms]
            if max(medians) < MAX_PILOT_DECISIONS or probe >= MAX_PILOT_DECISIONS:
                break
            probe *= 2
        limits = tuple(map(length_cutoff, medians))
        rest = [n for n in numbers if n not in pilots]
        replays = (SimulationTask(n, n + 1, limits) for n in rest)
        for task, result in executor.results(self.simulator, replays, tick):
            results[task.first] = result
            pace.played(1, executor.workers)
        sums = self.simulator.nothing
        for number in numbers:
            sums.add(results[number])
        self.totals = RunTotals(len(numbers), limits, sums)
        yield self.totals.games


def length_cutoff(median: int) -> int:
    """Return the length cut-off derived from the median length of a pilot run.

    A median of `MAX_PILOT_DECISIONS` or more stands for one that was not determined.
    """
    if median >= MAX_PILOT_DECISIONS:
        return MAX_PILOT_DECISIONS
    return max(MIN_CUTOFF, min(CUTOFF_FACTOR * median, MAX_DECISIONS))


def _finished(result: SimulationResult) -> bool:
    return all(length >= 0 for lengths in result.lengths for length in lengths)


def _length(result: SimulationResult, arm: int) -> int:
    [length] = result.lengths[arm]
    return length if length >= 0 else MAX_PILOT_DECISIONS


def _is_check_due(games: int) -> bool:
    return games >= FIRST_CHECK and games % _step(games) == 0


def _next_check(games: int) -> int:
    step = _step(games)
    return games - games % step + step


def _step(games: int) -> int:
    """Return the distance between the numbers of games at which the stopping rule is tested."""
    step = FIRST_CHECK
    while games >= 2 * CHECKS_PER_DOUBLING * step:
        step *= 2
    return step


class _PaceMeter:
    """Estimate of the duration of games, from the time between results."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = clock()
        self._each = 0.0

    def played(self, games: int, workers: int) -> None:
        """Record that a number of games was completed."""
        now = self._clock()
        each = (now - self._last) * workers / games
        self._last = now
        # Buffered results arrive in bursts, so a single interval says little.
        self._each = each if not self._each else 0.7 * self._each + 0.3 * each

    @property
    def games(self) -> int:
        """Number of games for the next task."""
        return max(1, int(TASK_DURATION_S / self._each)) if self._each else 1
