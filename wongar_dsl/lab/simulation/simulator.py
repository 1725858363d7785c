"""Simulator for the games of a plan: any range of games, on any machine, with the same result.

Game number n of each arm uses seed number n of the plan's series, and every bot draws from the stream of its seat. So
arms are compared with common random numbers. A game with many times the usual number of decisions of its arm is stopped
as unfinished, since it may never end.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler.backends import RuleFault, load_backend
from wongar_dsl.compiler.backends.native import NativeBackend
from wongar_dsl.compiler.backends.rng import derive
from wongar_dsl.engine import Game, play_fault
from wongar_dsl.engine.library import Rules
from wongar_dsl.lab.simulation.bot_game import Tick, bot_moments
from wongar_dsl.lab.simulation.metric_collector import MetricCollector
from wongar_dsl.lab.simulation.native_runner import NativeRunner, tally
from wongar_dsl.lab.statistics.accumulators import GameRow, PairSums, Tally, common_columns
from wongar_dsl.lab.statistics.metrics import MetricColumns, columns

#: Minimum number of games of a task that is worth compiling machine code for.
MIN_NATIVE_GAMES = 8


@dataclass(frozen=True, slots=True)
class Arm:
    """Experiment arm: a set of rules, by name or path, with all its settings."""

    rules: str
    settings: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """Everything that results depend on, except the number of games.

    `bots` are those of the seats. If they `rotate`, bot number b takes seat b in the first game, and moves on by one
    seat with each game. `baseline` is the index of the baseline arm.
    """

    arms: tuple[Arm, ...]
    bots: tuple[str, ...]
    rotate: bool
    backend: str
    seed: int
    baseline: int = 0


@dataclass(frozen=True, slots=True)
class SimulationTask:
    """Games from number `first` to before `last` of all arms.

    `limits` is the length cut-off in decisions for each arm.
    """

    first: int
    last: int
    limits: tuple[int, ...]


@dataclass(slots=True)
class SimulationResult:
    """Sums of some games: a tally for each arm, and paired differences from the baseline for each other arm.

    `lengths` are those of the games by arm, in order, with -1 for unfinished ones.
    """

    tallies: list[Tally]
    pairs: list[PairSums]
    lengths: Sequence[Sequence[int]]

    def copy(self) -> SimulationResult:
        """Return an independent copy of the sums, without the lengths."""
        return SimulationResult([tally.copy() for tally in self.tallies], [pairs.copy() for pairs in self.pairs], [])

    def add(self, other: SimulationResult) -> None:
        """Add the sums of other games, and drop the lengths."""
        for total, more in zip(self.tallies, other.tallies, strict=True):
            total.add(more)
        for mine, further in zip(self.pairs, other.pairs, strict=True):
            mine.add(further)
        self.lengths = []


@dataclass(frozen=True)
class Simulator:
    """Plan with its rules by arm: everything that a process needs to play any of the games.

    `cache` stores compiled games.
    """

    plan: SimulationPlan
    rules: tuple[Rules, ...]
    cache: Cache | None = None

    def __getstate__(self) -> dict[str, object]:
        return {"plan": self.plan, "rules": self.rules, "cache": self.cache}

    @cached_property
    def columns(self) -> tuple[MetricColumns, ...]:
        """Columns of each arm."""
        return tuple(arm.columns for arm in self._arms)

    @property
    def games(self) -> tuple[Game, ...]:
        """Games that the bots search in, by arm."""
        return tuple(arm.game for arm in self._arms)

    @property
    def marked(self) -> tuple[Game, ...]:
        """Games that record the reached marks, by arm."""
        return tuple(arm.marked for arm in self._arms)

    @cached_property
    def common(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Columns that each arm shares with the baseline."""
        by_arm = self.columns
        baseline = by_arm[self.plan.baseline]
        return tuple(
            common_columns(baseline, arm_columns) for arm, arm_columns in enumerate(by_arm) if arm != self.plan.baseline
        )

    @property
    def nothing(self) -> SimulationResult:
        """Result of no games."""
        return SimulationResult([Tally.empty(c) for c in self.columns], [PairSums.empty(c) for c in self.common], [])

    @cached_property
    def _arms(self) -> tuple[_PreparedGame, ...]:
        return tuple(self._prepared(arm, rules) for arm, rules in zip(self.plan.arms, self.rules, strict=True))

    def _prepared(self, arm: Arm, rules: Rules) -> _PreparedGame:
        seats, settings = len(self.plan.bots), dict(arm.settings)
        game = rules.game(seats, settings, self.plan.backend, self.cache)
        # The game itself is stepped through the program with marks; the bots' search is not recorded.
        marked = rules.marked(seats, settings, "reference" if self.plan.backend == "reference" else "python")
        return _PreparedGame(game, marked, columns(rules.model, marked.program))

    def play(self, task: SimulationTask, tick: Tick = lambda: None) -> SimulationResult:
        """Play the games of a task; `tick` is called regularly. Raise `PlayFault` for a fault in the rules."""
        runners = self._native_runners if task.last - task.first >= MIN_NATIVE_GAMES else ()
        if runners:
            return self._play_natively(runners, task)
        result, common = self.nothing, self.common
        result.lengths = every = [array("q") for _ in self.plan.arms]
        for number in range(task.first, task.last):
            rows = [
                _play_game(arm, self.plan, number, limit, tick)
                for arm, limit in zip(self._arms, task.limits, strict=True)
            ]
            for row, sums, lengths in zip(rows, result.tallies, every, strict=True):
                sums.count(row)
                lengths.append(row.length if row.finished else -1)
            others = (row for arm_index, row in enumerate(rows) if arm_index != self.plan.baseline)
            for row_of_arm, pairs, shared in zip(others, result.pairs, common, strict=True):
                pairs.count(rows[self.plan.baseline], row_of_arm, shared)
        return result

    @cached_property
    def _native_runners(self) -> tuple[NativeRunner, ...]:
        """Machine-code runners by arm; empty if unavailable, or if the bots are not random."""
        if self.plan.backend not in ("auto", "native") or set(self.plan.bots) != {"random"}:
            return ()
        runners = []
        for arm in self._arms:
            backend = load_backend(arm.marked.program, "native", self.cache)
            if not isinstance(backend, NativeBackend):
                return ()
            runners.append(NativeRunner(backend, arm.columns))
        return tuple(runners)

    def _play_natively(self, runners: Sequence[NativeRunner], task: SimulationTask) -> SimulationResult:
        """Return the result of `play`, counted by machine code."""
        plan = self.plan
        rows = len(runners) > 1
        try:
            counted = [
                runner.games(plan.seed, task.first, task.last, limit, plan.rotate, rows)
                for runner, limit in zip(runners, task.limits, strict=True)
            ]
        except RuleFault as fault:
            raise play_fault(fault) from None
        baseline = counted[plan.baseline]
        others = (item for arm, item in enumerate(counted) if arm != plan.baseline)
        pairs = [
            runners[0].pairs(baseline, alternative, both) for alternative, both in zip(others, self.common, strict=True)
        ]
        return SimulationResult([tally(item) for item in counted], pairs, [item.lengths for item in counted])


@dataclass(frozen=True, slots=True)
class _PreparedGame:
    """Prepared arm: the game for bots, the game with marks, and the columns."""

    game: Game
    marked: Game
    columns: MetricColumns


def _play_game(arm: _PreparedGame, plan: SimulationPlan, number: int, limit: int, tick: Tick) -> GameRow:
    """Play one game to the end or up to `limit` decisions."""
    reached = arm.marked.backend.reached_marks
    reached.clear()
    collector, numbers = MetricCollector(arm.columns), _bots_by_seat(plan, number)
    kinds = [plan.bots[n] for n in numbers]
    for cells, options, taken in bot_moments(arm.game, kinds, derive(plan.seed, number), limit, tick, arm.marked):
        collector.record_state(cells)
        if taken is not None:
            collector.record_decision(cells, options, taken)
    return collector.row(cells, numbers, tuple(reached))


def _bots_by_seat(plan: SimulationPlan, number: int) -> Sequence[int]:
    """Return the indices of the bots on the seats in a game."""
    seats = range(len(plan.bots))
    return [(seat - number) % len(seats) for seat in seats] if plan.rotate else seats
