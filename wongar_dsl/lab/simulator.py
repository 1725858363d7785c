"""Simulator for the games of a plan: any range of games, on any machine, with the same result.

Game number n of each arm uses seed number n of the plan's series, and every bot draws from the stream of its seat. So
arms are compared with common random numbers. A game with many times the usual number of decisions of its arm is stopped
as unfinished, since it may never end.

Metrics are collected in machine code if all bots are random, else step by step in Python, which is the reference.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RuleFault, load_backend
from wongar_dsl.compiler.backends.native import NativeBackend
from wongar_dsl.compiler.backends.native.backend import CountedGames, Counter, CounterSizes
from wongar_dsl.compiler.backends.rng import derive
from wongar_dsl.compiler.ir.containers import score_from
from wongar_dsl.engine import Game, State, play_fault
from wongar_dsl.engine.bots import bot, decision_rng, thinking_time, time_rng
from wongar_dsl.engine.bots.protocol import PACES, UNLIMITED_CLOCK_MS
from wongar_dsl.engine.history import ChoiceHistory
from wongar_dsl.engine.library import Rules
from wongar_dsl.lab.metrics import (
    BINS,
    EXACT,
    GROUP,
    OCTAVES,
    PARTS,
    SPREADS,
    GameRow,
    MetricColumns,
    PairSums,
    Tally,
    columns,
    common_columns,
)

Tick = Callable[[], None]


class BotMoment(NamedTuple):
    """State, its options, and the option taken; None at the end of a game or when it is stopped."""

    cells: list[int]
    options: list[Option]
    taken: Option | None


def bot_moments(
    game: Game, kinds: Sequence[str], seed: int, limit: int, tick: Tick, marked: Game | None = None
) -> Iterator[BotMoment]:
    """Yield every state of a game between bots of these kinds, by seat, up to `limit` decisions.

    The cells are one list that changes with the next item. With `marked`, that game is played, and records its marks,
    while the bots search in the other one. `tick` is called regularly. Raise `PlayFault` for a fault in the rules.
    """
    marked = marked or game
    backend, bots = marked.backend, [bot(kind) for kind in kinds]
    cells = backend.start(seed)
    past = ChoiceHistory(game, cells.copy())
    try:
        options = backend.advance(cells)
        for number in range(limit):
            if not options:
                break
            tick()
            state, seat = State(game, cells, options), cells[ir.AT_SEAT]
            time = thinking_time(State(marked, cells, options), kinds[seat], time_rng(seed, seat, number))
            move = bots[seat].choose(state, decision_rng(seed, seat, number), past)
            yield BotMoment(cells, options, move.raw)
            past.add(cells, move.raw, time)
            backend.choose(cells, move.raw, time)
            options = backend.advance(cells)
        yield BotMoment(cells, options, None)
    except RuleFault as fault:
        raise play_fault(fault) from None


def win_shares(state: State) -> tuple[float, ...]:
    """Return the win share of each seat; without a winner all shares are equal."""
    seats = range(state.game.seats)
    sharing = state.winners or seats
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in seats)


NOBODY = -1


class MetricCollector:
    """Metrics of one game.

    Call `record_decision` for each decision, `record_state` for the first state and after each decision, and `row` at
    the end.
    """

    def __init__(self, columns: MetricColumns) -> None:
        self._columns = columns
        width = len(columns.choices)
        self._offered, self._taken, self._forced = [0] * width, [0] * width, [0] * width
        self._had: list[set[int]] = [set() for _ in range(columns.seats)]
        self._took: list[set[int]] = [set() for _ in range(columns.seats)]
        self.length = 0
        self._starter = NOBODY
        # Sole leader and gap, at the start and after each decision; below, the last sole leader and the changes of
        # lead.
        self._leaders: list[int] = []
        self._gaps: list[int] = []
        self._last, self._changes = NOBODY, 0

    def record_decision(self, cells: Sequence[int], options: Iterable[Option], taken: Option) -> None:
        """Record a decision: one of the listed options is taken in a state."""
        decision, seat = cells[ir.AT_DECISION], cells[ir.AT_SEAT]
        if not self.length and not self._columns.at_once[decision]:
            self._starter = seat
        self.length += 1
        slots = self._columns.slots[decision]
        listed: set[int] = set()
        number = 0
        for option in options:
            number += 1
            choice, things = slots[option[0]]
            listed.add(choice)
            for position, first in things:
                if option[position] >= 0:
                    listed.add(first + option[position])
        for choice in listed:
            self._offered[choice] += 1
        choice, things = slots[taken[0]]
        chosen = {choice, *(first + taken[position] for position, first in things if taken[position] >= 0)}
        for choice in chosen:
            self._taken[choice] += 1
            self._forced[choice] += number == 1
        self._had[seat] |= listed
        self._took[seat] |= chosen

    def record_state(self, cells: Sequence[int]) -> None:
        """Record the first state, or the state after a decision."""
        columns = self._columns
        if not columns.has_lead:
            return
        points = [cells[address] for address in columns.scores]
        best, second = sorted(points, reverse=not columns.fewest)[:2]
        leader = points.index(best) if best != second else NOBODY
        self._leaders.append(leader)
        self._gaps.append(abs(best - second))
        if leader != NOBODY:
            self._changes += self._last not in (NOBODY, leader)
            self._last = leader

    def row(self, cells: Sequence[int], bots: Sequence[int], reached: Sequence[int]) -> GameRow:
        """Return the row of a game that ended, or was stopped, in a state.

        `bots` are the numbers of the seats' bots in the list of bots, `reached` the marks reached.
        """
        if cells[ir.AT_DECISION] != ir.OVER:
            return GameRow(self.length, (), {}, (), reached)
        columns, seats = self._columns, range(self._columns.seats)
        winners = [p for p in seats if cells[ir.AT_WINNERS] >> p & 1]
        won = [int(p in winners) for p in seats]
        shares = [columns.win_parts // len(winners) * is_winner for is_winner in won] if winners else won
        points = [cells[index] for index in columns.scores]
        origins = [[score_from(cells, index, o) for o in range(len(columns.origins))] for index in columns.scores]
        starter = self._starter
        row = [*shares, *won, *_by_bot(shares, bots), *(int(p == starter) for p in seats)]
        row += [*points, *_by_bot(points, bots)]
        row += [int(not winners), int(len(winners) > 1), self.length]
        row += (numbers[starter] if starter != NOBODY else 0 for numbers in (shares, won, points) if numbers)
        for of_seat in origins:
            row += of_seat
        row += origins[starter] if origins and starter != NOBODY else [0] * len(columns.origins)
        spreads: list[Sequence[int]] = [(self.length,), points, (), (), ()]
        if columns.has_lead:
            winner = winners[0] if len(winners) == 1 else NOBODY
            decided = self._decided_after(winner)
            row += [self._gaps[-1], self._changes, int(winner != NOBODY), decided]
            places = [self.length * part // PARTS for part in range(PARTS + 1)]
            row += (self._gaps[index] for index in places)
            row += (int(self._leaders[index] == winner != NOBODY) for index in places)
            spreads[2:] = [(self._gaps[-1],), (self._changes,), (decided,) if winner != NOBODY else ()]
        row += [*self._offered, *self._taken, *self._forced]
        return GameRow(self.length, row, self._groups(shares, points), spreads, reached)

    def _decided_after(self, winner: int) -> int:
        """Return after how many thousandths of the decisions the winner led alone for good."""
        if winner == NOBODY:
            return 1000
        last = next((index for index in range(self.length, -1, -1) if self._leaders[index] != winner), -1)
        return min(last + 1, self.length) * 1000 // max(1, self.length)

    def _groups(self, shares: Sequence[int], points: Sequence[int]) -> dict[int, list[int]]:
        groups: dict[int, list[int]] = {}
        for seat, (had, took) in enumerate(zip(self._had, self._took, strict=True)):
            share, score = shares[seat], points[seat] if points else 0
            for choice in had:
                # The group that took the choice precedes the group that declined it.
                place = 2 * GROUP * choice + (0 if choice in took else GROUP)
                group = groups.setdefault(place, [0] * GROUP)
                for further, number in enumerate((1, share, share * share, score, score * score)):
                    group[further] += number
        return groups


def _by_bot(numbers: Sequence[int], bots: Sequence[int]) -> list[int]:
    """Return numbers by seat as numbers by bot."""
    if not numbers:
        return []
    of_bots = [0] * len(numbers)
    for number_of_bot, number in zip(bots, numbers, strict=True):
        of_bots[number_of_bot] += number
    return of_bots


class NativeRunner:
    """Plays and counts the games of an arm with random bots."""

    def __init__(self, backend: NativeBackend, columns: MetricColumns) -> None:
        """Prepare for the program of a game with marks."""
        sizes = CounterSizes(
            len(columns.keys), 2 * GROUP * len(columns.choices), len(SPREADS), len(SPREADS) * BINS, columns.marks
        )
        self._counter = Counter(backend, _plan(columns), sizes)

    def games(self, seed: int, first: int, last: int, limit: int, rotate: bool, rows: bool) -> CountedGames:
        """Play the games from number `first` to before `last`; raise `RuleFault` for a fault in the rules."""
        return self._counter.games(seed, first, last, limit, rotate, rows)

    def pairs(self, one: CountedGames, other: CountedGames, common: Sequence[tuple[int, int]]) -> PairSums:
        """Return the differences between equally numbered games; both need their rows."""
        return PairSums(*self._counter.pairs(one, other, common))


def tally(counted: CountedGames) -> Tally:
    """Return the sums as a tally."""
    return Tally(counted.games, counted.ended, **counted.sums)


def _plan(columns: MetricColumns) -> list[int]:
    """Return the counting plan as one row of numbers for the machine code."""
    low, high = PACES[""]
    head = [
        len(columns.keys),
        len(columns.choices),
        len(columns.origins),
        columns.win_parts,
        PARTS,
        EXACT,
        OCTAVES,
        low,
        high,
        UNLIMITED_CLOCK_MS,
    ]
    slots = [slot for decision in columns.slots for slot in decision]
    rows = [[choice, *(n for thing in things for n in thing), 0] for choice, things in slots]
    place = len(head) + len(rows)
    places = []
    for row in rows:
        places.append(place)
        place += len(row)
    return [*head, *places, *(n for row in rows for n in row)]


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
