"""Tournament between bots: every seat order is played from the same openings.

An opening is a seed. With it, all meetings are played in all their seatings, balanced so that no seat favours a bot;
each bot has the random stream of its seat. Only complete openings count, so that no bot has better seats than another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from statistics import median_low

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.backends.rng import Generator, derive
from wongar_dsl.engine import Game, State, library, play_fault
from wongar_dsl.lab.inference import Z_95, Comparisons, wilson_interval
from wongar_dsl.lab.processes import ProcessExecutor
from wongar_dsl.lab.runner import MAX_PILOT_DECISIONS, PILOT, length_cutoff
from wongar_dsl.lab.simulator import Tick, bot_moments, win_shares

#: Maximum number of seatings for which all are played; otherwise a balanced subset is.
MAX_SEATINGS = 36

#: Numbers of the bots that play against each other.
Meeting = tuple[int, ...]
#: Number of the bot in each seat.
Seating = tuple[int, ...]


def meetings(bots: int, seats: int) -> tuple[Meeting, ...]:
    """Return all pairs of bots and, if there are more seats, all combinations of as many bots as fit.

    Raise ValueError for fewer than two bots or seats.
    """
    if bots < 2 or seats < 2:
        raise ValueError(f"{bots} bots, {seats} seats")
    pairs = tuple(combinations(range(bots), 2))
    together = min(bots, seats)
    return pairs if together == 2 else (*pairs, *combinations(range(bots), together))


def seatings(meeting: Meeting, seats: int) -> tuple[Seating, ...]:
    """Return the seat orders of a meeting, each once; every bot takes every seat equally often.

    Bots have equally many seats, or differ by one. Up to `MAX_SEATINGS` orders are returned completely; otherwise the
    rotations of one order over seats and bots, and the same in reverse.
    """
    everything = tuple(_every_seating(meeting, seats))
    return everything if len(everything) <= MAX_SEATINGS else _rotations(meeting, seats)


def _every_seating(meeting: Meeting, seats: int) -> Iterator[Seating]:
    """Yield every order, up to one more than `MAX_SEATINGS`."""
    low, remainder = divmod(seats, len(meeting))
    count = 0
    for extra in combinations(meeting, remainder):
        seats_by_bot = {bot: low + (bot in extra) for bot in meeting}
        for order in _orders(seats_by_bot, seats):
            yield order
            count += 1
            if count > MAX_SEATINGS:
                return


def _orders(left: dict[int, int], seats: int) -> Iterator[Seating]:
    """Yield every order in which each bot has its number of seats."""
    if not seats:
        yield ()
        return
    for bot, number in left.items():
        if number:
            for rest in _orders(left | {bot: number - 1}, seats - 1):
                yield (bot, *rest)


def _rotations(meeting: Meeting, seats: int) -> tuple[Seating, ...]:
    bots, orders = len(meeting), dict[Seating, None]()
    for other_way in (False, True):
        for named in range(bots):
            order = [meeting[(seat + named) % bots] for seat in range(seats)]
            order = order[::-1] if other_way else order
            for begin in range(seats):
                orders[(*order[begin:], *order[:begin])] = None
    return tuple(orders)


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """Tournament plan: rules by name or path, bots by name, and the number of openings from a seed's series.

    `folder` is the cache for compiled games shared by the processes, or empty.
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
    def schedule(self) -> tuple[tuple[Meeting, tuple[Seating, ...]], ...]:
        """Meetings with their seat orders; raise ValueError if no meeting is possible."""
        return tuple((meeting, seatings(meeting, self.seats)) for meeting in meetings(len(self.bots), self.seats))

    @property
    def games(self) -> int:
        """Number of games."""
        return self.openings * sum(len(orders) for _, orders in self.schedule)

    def with_games(self, games: int) -> TournamentPlan:
        """Return the plan with enough openings for `games` games of each meeting."""
        return replace(self, openings=-(-games // min(len(orders) for _, orders in self.schedule)))


@dataclass(frozen=True, slots=True)
class GameResult:
    """Result of one game: its opening, meeting, seating, and each seat's share of the win.

    Without a winner, or if the game was stopped as unusually long (not `finished`), all shares are equal.
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
class _TournamentTask:
    """One game to play."""

    opening: int
    meeting: int
    seating: Seating


@dataclass(frozen=True, slots=True)
class _TournamentPlayer:
    """Plays the games of a plan; picklable. `limit` is the length cut-off in decisions."""

    plan: TournamentPlan
    limit: int

    def play(self, task: _TournamentTask, tick: Tick = lambda: None) -> GameResult:
        """Play one game from the deal to the end; raise `PlayFault` for a fault in the rules."""
        game = _game(self.plan)
        kinds = [self.plan.bots[number] for number in task.seating]
        moments = bot_moments(game, kinds, derive(self.plan.seed, task.opening), self.limit, tick)
        [(decisions, last)] = deque(enumerate(moments), maxlen=1)
        end = State(game, last.cells)
        return GameResult(
            task.opening, task.meeting, task.seating, win_shares(end), bool(end.winners), end.over, decisions
        )


def play(plan: TournamentPlan, executor: ProcessExecutor, tick: Tick = lambda: None) -> Iterator[GameResult]:
    """Yield the results of a tournament in order, opening by opening; they do not depend on the number of processes.

    `tick` is called regularly, also while no game ends. Raise `PlayFault`, `WorkersLost`, and ValueError for a plan
    without possible meetings.
    """
    schedule = plan.schedule
    tasks = (
        _TournamentTask(opening, number, order)
        for opening in range(plan.openings)
        for number, (_, orders) in enumerate(schedule)
        for order in orders
    )
    for _, result in executor.results(_TournamentPlayer(plan, game_length_limit(_game(plan))), tasks, tick):
        yield result


def game_length_limit(game: Game) -> int:
    """Return the length cut-off in decisions, from some random games; raise `PlayFault`."""
    lengths = []
    for number in range(PILOT):
        state = game.backend.start(number)
        try:
            lengths.append(game.backend.playout(state, Generator(number).cursor, MAX_PILOT_DECISIONS)[0])
        except RuleFault as fault:
            raise play_fault(fault) from None
    return length_cutoff(median_low(lengths))


@lru_cache(1)
def _game(plan: TournamentPlan) -> Game:
    cache = Cache(Path(plan.folder)) if plan.folder else None
    return library.load(plan.rules, cache).game(plan.seats, dict(plan.settings), plan.backend, cache)


# ---- counting ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """Win share of a bot in a meeting, with its 95 % interval; `even` is its share of the seats."""

    bot: int
    share: float
    low: float
    high: float
    even: float

    @property
    def verdict(self) -> int:
        """1 for significantly more than an even share, -1 for less, 0 if neither is significant."""
        return (self.low > self.even) - (self.high < self.even)


@dataclass(frozen=True, slots=True)
class MeetingResult:
    """Result of one meeting: number of games, games without a winner, and the win shares.

    `won` is the number of games won by each bot; a win shared with another bot counts in part.
    """

    meeting: Meeting
    games: int
    drawn: int
    won: tuple[float, ...]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """Result of a tournament over its complete openings; `comparisons` are the input for the ratings.

    `left_out` games belong to an incomplete opening; `stopped` ones were unusually long.
    """

    openings: int
    games: int
    left_out: int
    stopped: int
    results: tuple[MeetingResult, ...]
    comparisons: tuple[Comparisons, ...]


def outcome(plan: TournamentPlan, results: Sequence[GameResult]) -> TournamentResult:
    """Return the outcome of results in order: all of a plan, or the first ones that were played."""
    size = sum(len(orders) for _, orders in plan.schedule)
    openings = len(results) // size
    whole = results[: openings * size]
    meeting_results = tuple(
        _meeting_result(meeting, len(orders), [r for r in whole if r.meeting == number])
        for number, (meeting, orders) in enumerate(plan.schedule)
    )
    comparisons = tuple(
        _pairwise_wins(len(plan.bots), whole[start : start + size]) for start in range(0, len(whole), size)
    )
    stopped = sum(not result.finished for result in whole)
    return TournamentResult(openings, len(whole), len(results) - len(whole), stopped, meeting_results, comparisons)


def _meeting_result(meeting: Meeting, orders: int, results: Sequence[GameResult]) -> MeetingResult:
    """Return the result of a meeting with `orders` games in each opening."""
    seats = orders * len(results[0].seating) if results else 0
    shares, won = [], []
    for bot in meeting:
        by_opening = [
            sum(_share(result, bot) for result in results[start : start + orders]) / orders
            for start in range(0, len(results), orders)
        ]
        low, high = interval(by_opening, orders)
        even = sum(result.seating.count(bot) for result in results[:orders]) / seats if seats else 0.0
        mean = sum(by_opening) / len(by_opening) if by_opening else 0.0
        shares.append(Share(bot, mean, low, high, even))
        won.append(sum(_share(result, bot) for result in results if result.decided))
    return MeetingResult(meeting, len(results), sum(not r.decided for r in results), tuple(won), tuple(shares))


def _share(result: GameResult, bot: int) -> float:
    return sum(share for seat_bot, share in zip(result.seating, result.shares, strict=True) if seat_bot == bot)


def interval(means: Sequence[float], size: int) -> tuple[float, float]:
    """Return the 95 % interval of a share that has these means in groups of `size` games.

    Games of a group are correlated. So Wilson's interval uses an effective sample size that matches the variance
    between groups. It is at least the number of groups and at most the number of games. If the variance is not
    informative, as when every game is won, the number of groups is used.
    """
    groups = len(means)
    if not groups:
        return 0.0, 1.0
    share = round(sum(means) / groups, 12)
    variance = sum((mean - share) ** 2 for mean in means) / max(1, groups - 1) / groups
    if groups == 1 or share in (0.0, 1.0):
        n = float(groups)
    else:
        n = min(max(share * (1 - share) / variance, groups), groups * size) if variance else float(groups * size)
    estimate = wilson_interval(share, n, Z_95)
    return estimate.low, estimate.high


def _pairwise_wins(bots: int, results: Sequence[GameResult]) -> Comparisons:
    """Return how often, over all games, a seat of each bot finished ahead of a seat of each other; ties count half.

    A winner is ahead of a loser; two losers are not compared.
    """
    counts = [[0.0] * bots for _ in range(bots)]
    for result in results:
        seats = list(zip(result.seating, result.shares, strict=True))
        for bot, share in seats:
            for rival, its in seats:
                if bot != rival and share and share >= its:
                    counts[bot][rival] += 1.0 if share > its else 0.5
    return tuple(map(tuple, counts))
