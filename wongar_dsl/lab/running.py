"""A run of a plan: which games are played when, on whatever plays them, and when there are enough.

The games of a run are 0, 1, ... and so on; what was done is always a stretch from the first, so that a run that was
stopped goes on where it was.  How many games a task has follows from how long games take, and changes nothing: sums
do not depend on it, and whether there are enough is asked at fixed numbers of games only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import median_low
from typing import Protocol

from wongar_dsl.engine import MAX_DECISIONS
from wongar_dsl.lab import inference
from wongar_dsl.lab.playing import Tick
from wongar_dsl.lab.simulation import Laboratory, Result, Task

#: What is usual is found out from so many games of an arm.
PILOT = 20
#: A game is unusually long at so many times the median, but not before so many decisions.
UNUSUAL, AT_LEAST = 10, 1_000
#: Where most games take longer than that, no median is waited for.
MOST_PILOT = 16_000
#: Whether there are enough is asked at so many games, and twice as seldom each time that they have doubled 16 times
#: that.
FIRST_ASKED, OFTEN = 64, 16
#: So long, in seconds, a task shall take, and so many pieces at least there are for each that works.
PIECE, PIECES = 1.0, 4

MOST_GAMES = 100_000_000


class Executor(Protocol):
    """What plays tasks."""

    @property
    def workers(self) -> int:
        """How many tasks are played at once."""

    def results(self, laboratory: Laboratory, tasks: Iterator[Task], tick: Tick) -> Iterator[tuple[Task, Result]]:
        """The results, in the order of the tasks, which are taken as late as may be.  Raises `PlayFault`."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done of a run: so many games, from the first, with their sums.

    While it is not yet known how long is unusual there are no `limits`, and `pilots` has the results of the first games
    by number, as far as all arms finished them within `AT_LEAST` decisions.
    """

    games: int
    limits: tuple[int, ...]
    result: Result
    pilots: dict[int, Result] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        """How many games the figures are of."""
        return self.games or len(self.pilots)

    @property
    def whole(self) -> Result:
        """The sums of all games, those of the pilot too."""
        if self.games or not self.pilots:
            return self.result
        numbers = sorted(self.pilots)
        sums = self.pilots[numbers[0]].copy()
        for number in numbers[1:]:
            sums.add(self.pilots[number])
        return sums


@dataclass(slots=True)
class Run:
    """A plan with how many games it shall be: `asked`, or, with `until`, as many as it takes until half the interval
    of each share of wins is that small, but no more than `asked`."""

    laboratory: Laboratory
    asked: int
    until: float | None
    done: Done

    @classmethod
    def new(cls, laboratory: Laboratory, asked: int, until: float | None = None) -> Run:
        """Of which nothing was done yet."""
        return cls(laboratory, asked, until, Done(0, (), laboratory.nothing))

    def with_games(self, asked: int) -> Run:
        """The run with another number of games; from its beginning where too few were wanted to know what is usual."""
        again = min(self.asked, asked) < PILOT
        return Run.new(self.laboratory, asked, self.until) if again else replace(self, asked=asked)

    def enough(self) -> bool:
        """Whether it is over."""
        if self.done.games >= self.asked:
            return True
        return self.until is not None and _is_asked(self.done.games) and self.widest <= self.until

    @property
    def widest(self) -> float:
        """Half of the widest interval of a share of wins."""
        found = 0.0
        for columns, tally in zip(self.laboratory.columns, self.done.whole.tallies, strict=True):
            at = columns.sections["wins"]
            for wins in tally.sums[at : at + columns.seats]:
                found = max(found, inference.share(wins, columns.whole, tally.ended).half)
        return found

    @property
    def expected(self) -> int:
        """How many games it will probably be."""
        if self.until is None or not self.done.counted:
            return self.asked
        # The width goes down with the root of the games.
        return min(self.asked, max(self.done.counted, round(self.done.counted * (self.widest / self.until) ** 2)))

    def go_on(self, executor: Executor, tick: Tick, clock: Callable[[], float]) -> Iterator[int]:
        """Play on until there are enough; gives how many games there are whenever there are more.

        It may be left at any time, and be gone on with later.  Raises `PlayFault`.
        """
        pace = _Pace(clock)
        if not self.done.limits:
            yield from self._pilot(executor, tick, pace)
        if self.enough():
            return
        for task, result in executor.results(self.laboratory, self._tasks(executor, pace), tick):
            # Whoever interrupts this finds the sums as they were before, or with all of the task.
            sums = self.done.result.copy()
            sums.add(result)
            self.done = replace(self.done, games=task.last, result=sums)
            pace.played(task.last - task.first, executor.workers)
            yield self.done.games
            if self.enough():
                return

    def _tasks(self, executor: Executor, pace: _Pace) -> Iterator[Task]:
        first = self.done.games
        while first < self.asked:
            left = -(-(self.asked - first) // (executor.workers * PIECES))
            last = min(first + max(1, min(left, pace.games)), self.asked)
            if self.until is not None:
                last = min(last, _next_asked(first))
            yield Task(first, last, self.done.limits)
            first = last

    # ---- how long is unusual ----

    def _pilot(self, executor: Executor, tick: Tick, pace: _Pace) -> Iterator[int]:
        """Play the first games, and find out at how many decisions a game is unusually long."""
        arms, numbers = range(len(self.laboratory.plan.arms)), range(min(PILOT, self.asked))
        pilots = self.done.pilots
        found: dict[int, Result] = dict(pilots)
        probe = AT_LEAST
        while True:
            wanted = [n for n in numbers if n not in found or not _finished(found[n])]
            tasks = (Task(n, n + 1, (probe,) * len(arms)) for n in wanted)
            for task, result in executor.results(self.laboratory, tasks, tick):
                found[task.first] = result
                pace.played(1, executor.workers)
                if probe == AT_LEAST and _finished(result):
                    pilots[task.first] = result
                    yield len(pilots)
            # Games that go on count as longer than all that have ended.
            usual = [median_low([_length(found[n], arm) for n in numbers]) for arm in arms]
            if max(usual) < MOST_PILOT or probe >= MOST_PILOT:
                break
            probe *= 2
        limits = tuple(map(unusual, usual))
        rest = [n for n in numbers if n not in pilots]
        again = (Task(n, n + 1, limits) for n in rest)
        for task, result in executor.results(self.laboratory, again, tick):
            found[task.first] = result
            pace.played(1, executor.workers)
        sums = self.laboratory.nothing
        for number in numbers:
            sums.add(found[number])
        self.done = Done(len(numbers), limits, sums)
        yield self.done.games


def unusual(usual: int) -> int:
    """At how many decisions a game is unusually long where so many are the median of some, `MOST_PILOT` or more where
    that was not waited for."""
    return max(AT_LEAST, min(UNUSUAL * usual, MAX_DECISIONS)) if usual < MOST_PILOT else MOST_PILOT


def _finished(result: Result) -> bool:
    return all(length >= 0 for lengths in result.lengths for length in lengths)


def _length(result: Result, arm: int) -> int:
    [length] = result.lengths[arm]
    return length if length >= 0 else MOST_PILOT


def _is_asked(games: int) -> bool:
    return games >= FIRST_ASKED and games % _step(games) == 0


def _next_asked(games: int) -> int:
    step = _step(games)
    return games - games % step + step


def _step(games: int) -> int:
    """How far the numbers are from each other at which it is asked whether there are enough."""
    step = FIRST_ASKED
    while games >= 2 * OFTEN * step:
        step *= 2
    return step


class _Pace:
    """How long games take, measured from result to result."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = clock()
        self._each = 0.0

    def played(self, games: int, workers: int) -> None:
        """So many games have come."""
        now = self._clock()
        each = (now - self._last) * workers / games
        self._last = now
        # Results that were kept back come in a row, so that one alone tells little.
        self._each = each if not self._each else 0.7 * self._each + 0.3 * each

    @property
    def games(self) -> int:
        """How many games a task shall have."""
        return max(1, int(PIECE / self._each)) if self._each else 1
