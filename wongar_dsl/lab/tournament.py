"""Bots against each other: every order of the seats from the same openings, and what comes of it.

An opening is a seed: with it all meetings are played in all their seatings, each bot with the luck of its seat.  Only
whole openings count, so that nobody has sat better than another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import median_low

from wongar_dsl import library
from wongar_dsl.backends import RuleFault
from wongar_dsl.backends.chance import Generator, derive
from wongar_dsl.cache import Cache
from wongar_dsl.engine import Game, State, play_fault
from wongar_dsl.lab.inference import wilson
from wongar_dsl.lab.playing import Tick, moments, shares
from wongar_dsl.lab.processes import Here, Processes
from wongar_dsl.lab.ratings import DEVIATIONS, Comparisons
from wongar_dsl.lab.running import MOST_PILOT, PILOT, unusual
from wongar_dsl.lab.seatings import Meeting, Seating, meetings, seatings


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament: rules by name or path, the bots by name, and so many openings of the series of a seed.

    `folder` is where made games are kept from one process to the next, empty for nowhere.
    """

    rules: str
    bots: tuple[str, ...]
    seats: int
    openings: int
    seed: int = 0
    settings: tuple[tuple[str, int], ...] = ()
    backend: str = "auto"
    folder: str = ""

    @property
    def table(self) -> tuple[tuple[Meeting, tuple[Seating, ...]], ...]:
        """Who meets whom, in which orders; raises ValueError where nobody can."""
        return tuple((meeting, seatings(meeting, self.seats)) for meeting in meetings(len(self.bots), self.seats))

    @property
    def games(self) -> int:
        """How many games these are."""
        return self.openings * sum(len(orders) for _, orders in self.table)

    def with_games(self, games: int) -> Plan:
        """The same with as many openings as it takes until each meeting has had so many games."""
        return replace(self, openings=-(-games // min(len(orders) for _, orders in self.table)))


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one game: which opening, which meeting, who sat where, and each seat's share of the win.

    Where nobody has won, and where a game was stopped because it was unusually long (then it is not `finished`), all
    have an equal share.
    """

    opening: int
    meeting: int
    seating: Seating
    shares: tuple[float, ...]
    decided: bool
    finished: bool
    decisions: int


# ---- playing -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Task:
    """One game."""

    opening: int
    meeting: int
    seating: Seating


@dataclass(frozen=True, slots=True)
class _Player:
    """Plays the games of a plan, in whatever process; at so many decisions one is unusually long."""

    plan: Plan
    limit: int

    def play(self, task: _Task, tick: Tick = lambda: None) -> Result:
        """One game from its deal to its end.  Raises `PlayFault`."""
        game = _game(self.plan)
        kinds = [self.plan.bots[number] for number in task.seating]
        course = moments(game, kinds, derive(self.plan.seed, task.opening), self.limit, tick)
        [(decisions, last)] = deque(enumerate(course), maxlen=1)
        end = State(game, last.cells)
        return Result(task.opening, task.meeting, task.seating, shares(end), bool(end.winners), end.over, decisions)


def play(plan: Plan, executor: Here | Processes, tick: Tick = lambda: None) -> Iterator[Result]:
    """The games of a tournament in their order, opening by opening; the same ones on any number of processors.

    `tick` is called every now and then, also while no game ends.  Raises `PlayFault`, `WorkersLost`, and ValueError for
    a plan in which nobody can meet.
    """
    table = plan.table
    tasks = (
        _Task(opening, number, order)
        for opening in range(plan.openings)
        for number, (_, orders) in enumerate(table)
        for order in orders
    )
    for _, result in executor.results(_Player(plan, usual_length(_game(plan))), tasks, tick):
        yield result


def usual_length(game: Game) -> int:
    """At how many decisions a game is unusually long, by some random ones; raises `PlayFault`."""
    lengths = []
    for number in range(PILOT):
        state = game.backend.start(number)
        try:
            lengths.append(game.backend.playout(state, Generator(number).cursor, MOST_PILOT)[0])
        except RuleFault as fault:
            raise play_fault(fault) from None
    return unusual(median_low(lengths))


@lru_cache(1)
def _game(plan: Plan) -> Game:
    cache = Cache(Path(plan.folder)) if plan.folder else None
    return library.load(plan.rules, cache).game(plan.seats, dict(plan.settings), plan.backend, cache)


# ---- counting ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """What a bot got of the wins of a meeting, with an interval of 95 %; `even` is what it has of the seats."""

    bot: int
    share: float
    low: float
    high: float
    even: float

    @property
    def verdict(self) -> int:
        """1 for significantly more than an even share, -1 for less, 0 where that cannot be told."""
        return (self.low > self.even) - (self.high < self.even)


@dataclass(frozen=True, slots=True)
class Met:
    """What came of one meeting: so many games, of which nobody won some, and each one's share of the wins.

    `won` is how many games each won, those shared with another bot by their part, without those that nobody won.
    """

    meeting: Meeting
    games: int
    drawn: int
    won: tuple[float, ...]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a tournament: of so many whole openings the meetings, and `comparisons` for the ratings.

    `left_out` games belong to an opening that was not played whole, `stopped` ones were unusually long.
    """

    openings: int
    games: int
    left_out: int
    stopped: int
    met: tuple[Met, ...]
    comparisons: tuple[Comparisons, ...]


def outcome(plan: Plan, results: Sequence[Result]) -> Outcome:
    """What came of games, given in their order: all of a plan, or so many of the first ones as were played."""
    size = sum(len(orders) for _, orders in plan.table)
    openings = len(results) // size
    whole = results[: openings * size]
    met = tuple(
        _met(meeting, len(orders), [r for r in whole if r.meeting == number])
        for number, (meeting, orders) in enumerate(plan.table)
    )
    comparisons = tuple(_compared(len(plan.bots), whole[at : at + size]) for at in range(0, len(whole), size))
    stopped = sum(not result.finished for result in whole)
    return Outcome(openings, len(whole), len(results) - len(whole), stopped, met, comparisons)


def _met(meeting: Meeting, orders: int, results: Sequence[Result]) -> Met:
    """What came of the games of a meeting, with so many in each opening."""
    seats = orders * len(results[0].seating) if results else 0
    shares, won = [], []
    for own in meeting:
        by_opening = [
            sum(_share(result, own) for result in results[at : at + orders]) / orders
            for at in range(0, len(results), orders)
        ]
        low, high = interval(by_opening, orders)
        even = sum(result.seating.count(own) for result in results[:orders]) / seats if seats else 0.0
        mean = sum(by_opening) / len(by_opening) if by_opening else 0.0
        shares.append(Share(own, mean, low, high, even))
        won.append(sum(_share(result, own) for result in results if result.decided))
    return Met(meeting, len(results), sum(not r.decided for r in results), tuple(won), tuple(shares))


def _share(result: Result, bot: int) -> float:
    return sum(share for own, share in zip(result.seating, result.shares, strict=True) if own == bot)


def interval(means: Sequence[float], size: int) -> tuple[float, float]:
    """The interval of 95 % of a share that has these means in groups of so many games.

    The games of a group are alike: so they count, in Wilson's interval, as so many independent ones as vary as much as
    the groups do; never fewer than there are groups, nor more than there are games.  Where that cannot
    be told, as where everything is won, the groups count.
    """
    groups = len(means)
    if not groups:
        return 0.0, 1.0
    share = round(sum(means) / groups, 12)
    varied = sum((mean - share) ** 2 for mean in means) / max(1, groups - 1) / groups
    if groups == 1 or share in (0.0, 1.0):
        n = float(groups)
    else:
        n = min(max(share * (1 - share) / varied, groups), groups * size) if varied else float(groups * size)
    found = wilson(share, n, DEVIATIONS)
    return found.low, found.high


def _compared(bots: int, results: Sequence[Result]) -> Comparisons:
    """How often, in games, a seat of each bot was better than one of each other; as good counts half.

    Who wins is better than who does not; of two who both lose, nobody knows.
    """
    counts = [[0.0] * bots for _ in range(bots)]
    for result in results:
        seats = list(zip(result.seating, result.shares, strict=True))
        for one, share in seats:
            for other, its in seats:
                if one != other and share and share >= its:
                    counts[one][other] += 1.0 if share > its else 0.5
    return tuple(map(tuple, counts))
