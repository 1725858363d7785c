"""Many games by bots.  A task travels to another process, and its result does not depend on which one.

A game that takes ten times as many decisions as is usual in its run is stopped, unfinished: it may go on for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import TimeoutError as NotYet
from multiprocessing import get_context
from statistics import median_low

from wongar_dsl import library
from wongar_dsl.backends.chance import derive
from wongar_dsl.bots import bot, luck, thinking_time, time_luck
from wongar_dsl.engine import MAX_DECISIONS, Game, State
from wongar_dsl.engine.past import Past
from wongar_dsl.lab.statistics import Played

#: What is usual is found out from so many games.
PILOT = 20
#: A game is unusually long at so many times the median, but not before so many decisions.
UNUSUAL, AT_LEAST = 10, 1_000
#: Where most games take longer than that, no median is waited for.
MOST_PILOT = 16_000
#: How often, in seconds, somebody who waits is told that nothing has come yet.
PATIENCE = 0.2

Tick = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Task:
    """Some of the games of a simulation: `rules` by name or path, the kinds of the bots, and which games of the row.

    `limit` is the number of decisions at which a game is stopped.
    """

    rules: str
    kinds: tuple[str, ...]
    settings: tuple[tuple[str, int], ...]
    backend: str
    seed: int
    first: int
    last: int
    limit: int = 0


def simulate(whole: Task, jobs: int = 1, tick: Tick = lambda: None) -> Iterator[Played]:
    """Play the games of a task in their order, on several processors if wanted.

    `tick` is called every now and then, also while no game ends.
    """
    last = min(whole.first + PILOT, whole.last)
    played, limit = _pilot(replace(whole, last=last), tick)
    yield from played
    rest = replace(whole, first=last, limit=limit)
    if rest.first >= rest.last:
        return
    if jobs == 1:
        yield from work(rest, tick)
        return
    with get_context("spawn").Pool(jobs) as pool:
        found = pool.imap(_worked, _parts(rest, jobs))
        while True:
            try:
                yield from found.next(PATIENCE)
            except NotYet:
                tick()
            except StopIteration:
                return


def _parts(whole: Task, jobs: int) -> Sequence[Task]:
    """A task cut for so many processors: into more pieces than these are, since games are not equally long."""
    size = -(-(whole.last - whole.first) // (jobs * 4))
    return [
        replace(whole, first=first, last=min(first + size, whole.last))
        for first in range(whole.first, whole.last, size)
    ]


def _worked(task: Task) -> list[Played]:
    return list(work(task, lambda: None))


def work(task: Task, tick: Tick) -> Iterator[Played]:
    """Play the games of a task."""
    for game in _games(task):
        game.go_on(task.limit, tick)
        yield game.played()


def _pilot(task: Task, tick: Tick) -> tuple[list[Played], int]:
    """Play the first games of a run, and find out at how many decisions a game of it is unusually long."""
    games = list(_games(task))
    limit = AT_LEAST
    while True:
        for game in games:
            game.go_on(limit, tick)
        # Games that go on count as longer than all that have ended.
        usual = median_low([game.length if game.state.over else MOST_PILOT for game in games])
        if usual < MOST_PILOT or limit >= MOST_PILOT:
            break
        limit *= 2
    limit = max(AT_LEAST, min(UNUSUAL * usual, MAX_DECISIONS)) if usual < MOST_PILOT else MOST_PILOT
    for game in games:
        game.go_on(limit, tick)
    return [game.played() for game in games], limit


def _games(task: Task) -> Iterator[_Running]:
    rules = library.load(task.rules).game(len(task.kinds), dict(task.settings), task.backend)
    for number in range(task.first, task.last):
        yield _Running(rules, task.kinds, derive(task.seed, number))


class _Running:
    """A game as it is played by bots."""

    def __init__(self, game: Game, kinds: Sequence[str], seed: int) -> None:
        self.state, self.length = State(game, game.backend.start(seed)), 0
        self._past = Past(game, self.state.cells.copy())
        self.state.proceed()
        self._kinds, self._seed = kinds, seed
        self._bots = [bot(kind) for kind in kinds]

    def go_on(self, limit: int, tick: Tick) -> None:
        """Play to the end, or until so many decisions have been taken."""
        state = self.state
        while not state.over and self.length < limit:
            tick()
            seat = state.seat
            time = thinking_time(state, self._kinds[seat], time_luck(self._seed, seat, self.length))
            move = self._bots[seat].choose(state, luck(self._seed, seat, self.length), self._past)
            self._past.add(state.cells, move.raw, time)
            state.apply(move, time=time)
            self.length += 1

    def played(self) -> Played:
        """What came of it."""
        state = self.state
        share = 1 / len(state.winners) if state.winners else 0.0
        shares = tuple(share if p in state.winners else 0.0 for p in range(state.game.seats))
        return Played(shares, state.scores, self.length, state.over)
