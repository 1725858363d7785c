"""Plays the games of a plan: any stretch of them, anywhere, with the same result.

Game number n of each arm is dealt with the seed number n of the plan's series, and every bot draws from the stream of
its seat, so that arms are compared under the same chance (common random numbers).  A game that takes many times as many
decisions as is usual in its arm is stopped, unfinished: it may go on for ever.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wongar_dsl.backends import RuleFault, load_backend
from wongar_dsl.backends.chance import derive
from wongar_dsl.backends.native import NativeBackend
from wongar_dsl.cache import Cache
from wongar_dsl.engine import Game, play_fault
from wongar_dsl.lab.columns import Columns, columns
from wongar_dsl.lab.counting import Counting
from wongar_dsl.lab.machine import Machine, tally
from wongar_dsl.lab.playing import Tick, moments
from wongar_dsl.lab.tally import Pairs, Row, Tally, in_common
from wongar_dsl.library import Rules

#: A stretch of so many games is worth making machine code for.
WORTHWHILE = 8


@dataclass(frozen=True, slots=True)
class Arm:
    """One set of rules, by name or path, with all its settings."""

    rules: str
    settings: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: everything that results depend on, except for how many games.

    `bots` are those on the seats; where they `rotate`, bot number b sits on seat b in the first game, and moves on by
    one seat with each game.  The arm number `usual` is the one that the others are compared with.
    """

    arms: tuple[Arm, ...]
    bots: tuple[str, ...]
    rotate: bool
    backend: str
    seed: int
    usual: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """The games from number `first` to before `last` of all arms; `limits` is for each arm the number of decisions at
    which a game is stopped."""

    first: int
    last: int
    limits: tuple[int, ...]


@dataclass(slots=True)
class Result:
    """The sums of some games: for each arm, and for each arm but the usual one the pairs with that one; `lengths` are
    those of the games by arm, in their order, -1 for unfinished ones."""

    tallies: list[Tally]
    pairs: list[Pairs]
    lengths: Sequence[Sequence[int]]

    def copy(self) -> Result:
        """The same sums, to be added to, without the lengths."""
        return Result([tally.copy() for tally in self.tallies], [pairs.copy() for pairs in self.pairs], [])

    def add(self, other: Result) -> None:
        """Add the sums of other games; the lengths are dropped."""
        for own, more in zip(self.tallies, other.tallies, strict=True):
            own.add(more)
        for mine, further in zip(self.pairs, other.pairs, strict=True):
            mine.add(further)
        self.lengths = []


@dataclass(frozen=True)
class Laboratory:
    """A plan and its rules, by arm: all that a process needs to play any of the games.  `cache` keeps what is costly
    to make."""

    plan: Plan
    rules: tuple[Rules, ...]
    cache: Cache | None = None

    def __getstate__(self) -> dict[str, object]:
        return {"plan": self.plan, "rules": self.rules, "cache": self.cache}

    @cached_property
    def columns(self) -> tuple[Columns, ...]:
        """What is counted, by arm."""
        return tuple(arm.columns for arm in self._arms)

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that the bots play, by arm."""
        return tuple(arm.game for arm in self._arms)

    @property
    def marked(self) -> tuple[Game, ...]:
        """The games that note what of the rules they come to, by arm."""
        return tuple(arm.marked for arm in self._arms)

    @cached_property
    def common(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The columns that each arm but the usual one has in common with that."""
        own = self.columns
        usual = own[self.plan.usual]
        return tuple(in_common(usual, other) for at, other in enumerate(own) if at != self.plan.usual)

    @property
    def nothing(self) -> Result:
        """The result of no games."""
        return Result([Tally.empty(c) for c in self.columns], [Pairs.empty(c) for c in self.common], [])

    @cached_property
    def _arms(self) -> tuple[_Ready, ...]:
        return tuple(self._made(arm, rules) for arm, rules in zip(self.plan.arms, self.rules, strict=True))

    def _made(self, arm: Arm, rules: Rules) -> _Ready:
        seats, settings = len(self.plan.bots), dict(arm.settings)
        game = rules.game(seats, settings, self.plan.backend, self.cache)
        # Play goes step by step, through the program with marks; what bots try out is not noted.
        marked = rules.marked(seats, settings, "reference" if self.plan.backend == "reference" else "python")
        return _Ready(game, marked, columns(rules.model, marked.program))

    def play(self, task: Task, tick: Tick = lambda: None) -> Result:
        """Play the games of a task; raises `PlayFault`.  `tick` is called every now and then."""
        machines = self._machines if task.last - task.first >= WORTHWHILE else ()
        if machines:
            return self._counted(machines, task)
        result, common = self.nothing, self.common
        result.lengths = every = [array("q") for _ in self.plan.arms]
        for number in range(task.first, task.last):
            rows = [
                _played(arm, self.plan, number, limit, tick) for arm, limit in zip(self._arms, task.limits, strict=True)
            ]
            for row, sums, lengths in zip(rows, result.tallies, every, strict=True):
                sums.count(row)
                lengths.append(row.length if row.finished else -1)
            others = (row for at, row in enumerate(rows) if at != self.plan.usual)
            for other, pairs, both in zip(others, result.pairs, common, strict=True):
                pairs.count(rows[self.plan.usual], other, both)
        return result

    @cached_property
    def _machines(self) -> tuple[Machine, ...]:
        """What plays and counts as machine code, by arm; nothing where that cannot be, or bots must think."""
        if self.plan.backend not in ("auto", "native") or set(self.plan.bots) != {"random"}:
            return ()
        made = []
        for arm in self._arms:
            backend = load_backend(arm.marked.program, "native", self.cache)
            if not isinstance(backend, NativeBackend):
                return ()
            made.append(Machine(backend, arm.columns))
        return tuple(made)

    def _counted(self, machines: Sequence[Machine], task: Task) -> Result:
        """What `play` gives, counted as machine code."""
        plan = self.plan
        rows = len(machines) > 1
        try:
            found = [
                machine.games(plan.seed, task.first, task.last, limit, plan.rotate, rows)
                for machine, limit in zip(machines, task.limits, strict=True)
            ]
        except RuleFault as fault:
            raise play_fault(fault) from None
        usual = found[plan.usual]
        others = (one for at, one in enumerate(found) if at != plan.usual)
        pairs = [machines[0].pairs(usual, other, both) for other, both in zip(others, self.common, strict=True)]
        return Result([tally(one) for one in found], pairs, [one.lengths for one in found])


@dataclass(frozen=True, slots=True)
class _Ready:
    """An arm made ready to play: for the bots, for play itself, and what is counted."""

    game: Game
    marked: Game
    columns: Columns


def _played(arm: _Ready, plan: Plan, number: int, limit: int, tick: Tick) -> Row:
    """Play one game, to the end or until so many decisions have been taken."""
    reached = arm.marked.backend.reached
    reached.clear()
    counting, numbers = Counting(arm.columns), _seated(plan, number)
    kinds = [plan.bots[n] for n in numbers]
    for cells, options, taken in moments(arm.game, kinds, derive(plan.seed, number), limit, tick, arm.marked):
        counting.moved(cells)
        if taken is not None:
            counting.decided(cells, options, taken)
    return counting.row(cells, numbers, tuple(reached))


def _seated(plan: Plan, number: int) -> Sequence[int]:
    """The numbers of the bots on the seats in a game."""
    seats = range(len(plan.bots))
    return [(seat - number) % len(seats) for seat in seats] if plan.rotate else seats
