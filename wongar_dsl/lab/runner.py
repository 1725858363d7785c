"""Run of a plan on an executor: scheduling of games, the stopping rule, and the checkpoint file.

The games of a run are numbered from 0, and the completed ones are always a prefix, so that a stopped run can be
resumed. The number of games in a task follows from their duration and changes no result: sums do not depend on it, and
the stopping rule is tested at fixed numbers of games only.

A checkpoint is a JSON file, written atomically, with everything that results depend on. Altered or corrupted sums look
like valid ones. So a file has a checksum, and a file with a wrong one is rejected.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median_low
from typing import Any, Literal, Protocol

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.base.storage.files import FileError, read_text, write_bytes
from wongar_dsl.compiler.backends import CHOICES
from wongar_dsl.engine import MAX_DECISIONS, library
from wongar_dsl.engine.bots import depends_on_time, is_bot
from wongar_dsl.engine.library import Rules
from wongar_dsl.lab import inference
from wongar_dsl.lab.metrics import PairSums, Tally
from wongar_dsl.lab.simulator import Arm, SimulationPlan, SimulationResult, SimulationTask, Simulator, Tick

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
        sums = deepcopy(self.pilots[numbers[0]])
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
            sums = deepcopy(self.totals.result)
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


#: Format version; increase it if the same games would be counted or written differently.
FORMAT = 2
_HEAD, _SEAL = "simulation", "seal"
#: Maximum size of a file in bytes.
MAX_FILE_BYTES = 256 * 1024 * 1024

Reason = Literal["unreadable", "broken", "version", "rules_gone", "rules_changed"]


class CheckpointError(Exception):
    """Checkpoint that cannot be resumed.

    It is unreadable, broken, or of another version, or its rules are missing or changed (`rules` names them).
    """

    def __init__(self, reason: Reason, rules: str = "") -> None:
        self.reason, self.rules = reason, rules
        super().__init__(f"{reason} {rules}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Checkpoint: a run, the swept setting (or empty), and for each arm a name by which its rules can be loaded."""

    run: SimulationRun
    sweep: str
    found_as: tuple[str, ...]


def write_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    """Write a run to a file; raise OSError on failure."""
    run, plan = checkpoint.run, checkpoint.run.simulator.plan
    arms = [
        {"rules": arm.rules, "settings": dict(arm.settings), "found_as": found_as, "hash": rules.hash}
        for arm, found_as, rules in zip(plan.arms, checkpoint.found_as, run.simulator.rules, strict=True)
    ]
    data = {
        _HEAD: FORMAT,
        "arms": arms,
        "bots": plan.bots,
        "rotate": plan.rotate,
        "backend": plan.backend,
        "seed": plan.seed,
        "usual": plan.baseline,
        "sweep": checkpoint.sweep,
        "asked": run.requested,
        "until": run.until,
        "games": run.totals.games,
        "limits": run.totals.limits,
        "result": _data(run.totals.result),
        "pilots": [[number, _data(result)] for number, result in sorted(run.totals.pilots.items())],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, _json({**data, _SEAL: checksum(data)}))


def read_checkpoint(path: Path, cache: Cache | None = None) -> Checkpoint:
    """Return the run in a file, with its rules loaded; raise `CheckpointError` on failure."""
    try:
        data = json.loads(read_text(path, MAX_FILE_BYTES))
    except FileError as error:
        raise CheckpointError("unreadable" if error.reason == "unreadable" else "broken") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError("broken") from error
    if not isinstance(data, dict) or type(data.get(_HEAD)) is not int:
        raise CheckpointError("broken")
    if data[_HEAD] != FORMAT:
        raise CheckpointError("version")
    if data.pop(_SEAL, None) != checksum(data):
        raise CheckpointError("broken")
    try:
        return _checkpoint(data, cache)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise CheckpointError("broken") from error


def checksum(data: Mapping[str, Any]) -> str:
    """Return the checksum over the data of a file."""
    return hashlib.sha256(_json(data)).hexdigest()


def _json(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def is_checkpoint(path: Path) -> bool:
    """Return whether a file is a checkpoint, of any version."""
    try:
        data = json.loads(read_text(path, MAX_FILE_BYTES))
    except (FileError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and _HEAD in data


def _checkpoint(data: dict[str, Any], cache: Cache | None) -> Checkpoint:
    arms = data["arms"]
    plan = SimulationPlan(
        tuple(
            Arm(_text(arm["rules"]), tuple((_text(k), _number(v)) for k, v in arm["settings"].items())) for arm in arms
        ),
        tuple(map(_bot, data["bots"])),
        _truth(data["rotate"]),
        CHOICES[CHOICES.index(data["backend"])],
        _number(data["seed"]),
        range(len(arms))[_number(data["usual"])],
    )
    simulator = Simulator(plan, tuple(_rules(arm, cache) for arm in arms), cache)
    requested, games, until = _number(data["asked"]), _number(data["games"]), data["until"]
    limits = tuple(map(_number, data["limits"]))
    started = len(limits) == len(arms) and games > 0
    if not 1 <= requested <= MAX_GAMES or games > requested or not (started or (not limits and not games)):
        raise ValueError(games)
    if until is not None and not (type(until) is float and 0 < until < 1):
        raise ValueError(until)
    pilots = {_number(number): _result(result, simulator) for number, result in data["pilots"]}
    totals = RunTotals(games, limits, _result(data["result"], simulator), pilots)
    if any(tally.games != games for tally in totals.result.tallies) or not set(pilots) <= set(range(PILOT)):
        raise ValueError(games)
    sweep = _text(data["sweep"])
    if sweep and any(sweep not in dict(arm.settings) for arm in plan.arms):
        raise ValueError(sweep)
    run = SimulationRun(simulator, requested, until, totals)
    return Checkpoint(run, sweep, tuple(_text(arm["found_as"]) for arm in arms))


def _rules(arm: Any, cache: Cache | None) -> Rules:
    name = _text(arm["rules"])
    try:
        rules = library.load(_text(arm["found_as"]), cache)
    except RulesError as error:
        raise CheckpointError("rules_gone", name) from error
    if rules.hash != arm["hash"]:
        raise CheckpointError("rules_changed", name)
    return rules


def _data(result: SimulationResult) -> dict[str, Any]:
    return {
        "tallies": [tally.data() for tally in result.tallies],
        "pairs": [pairs.data() for pairs in result.pairs],
        "lengths": [*map(list, result.lengths)],
    }


def _result(data: Any, simulator: Simulator) -> SimulationResult:
    tallies, pairs, lengths = data["tallies"], data["pairs"], data["lengths"]
    return SimulationResult(
        [Tally.read(item, columns) for item, columns in zip(tallies, simulator.columns, strict=True)],
        [PairSums.read(item, common) for item, common in zip(pairs, simulator.common, strict=True)],
        [array("q", map(_number, row)) for row in lengths],
    )


def _bot(value: Any) -> str:
    name = _text(value)
    if not is_bot(name) or depends_on_time(name):
        raise ValueError(name)
    return name


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(value)
    return value


def absolute_rules_name(files: Sequence[str], name: str) -> str:
    """Return a name by which rules can be loaded from any directory.

    `files` are the rule files, empty for a built-in game.
    """
    return library.relocated_name(tuple(files), {file: file for file in files}) if files else name
