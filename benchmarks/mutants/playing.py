"""Random games with the rules as they are, and again with others: are there differences?

The games are played once with the rules as they are; with others they are played again with the same choices, up to
the first difference in what is asked, offered, told, or lies on the table, or in what a seat sees of that.
"""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import Generic, TypeVar

from wongar_dsl import ir
from wongar_dsl.backends.chance import Generator
from wongar_dsl.backends.protocol import RuleFault
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.observation import observe
from wongar_dsl.library import Rules

GAMES = 200
#: So long may a mutant keep the processor busy with one case or one game, in seconds.
PATIENCE = 10
#: What rules break off with that use up their steps.
BUSY = "R0601"
#: Where a clock runs, answers come at multiples of so many milliseconds, so that some come at the same time.
TICK, LATEST = 5_000, 80_000


class Endless(Exception):
    """A mutant that keeps the machine busy."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise `Endless` in the body when it has used so many seconds of the processor: others may be busy, too."""

    def stop(*_: object) -> None:
        raise Endless

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


Move = tuple[str, tuple[int, ...]]
Taken = tuple[str, tuple[int, ...], int]


@dataclass(slots=True)
class Played:
    """A random game: seats, seed, and what was taken at each decision."""

    seats: int
    seed: int
    taken: list[Taken] = field(default_factory=list)
    options: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class Printed(Played):
    """A random game with a fingerprint of all that there is at each decision."""

    prints: list[int] = field(default_factory=list)


P = TypeVar("P", bound=Played)


class Series(ABC, Generic[P]):
    """Random games played once with some rules, and again with the same choices with others.

    Where the rules may not be `sound`, such as a mutant's, games that fail are left out, and after one that does not
    end there are no others: most would not end either.
    """

    def __init__(self, rules: Rules, games: int = GAMES, sound: bool = True) -> None:
        self.rules, self.games, self.sound = rules, games, sound
        self._played: list[P] | None = None

    @property
    def played(self) -> list[P]:
        """The random games, played when they are first asked for."""
        if self._played is None:
            self._played = list(self._play())
        return self._played

    def _play(self) -> Iterator[P]:
        low, high = self.rules.model.players
        made = {seats: self.rules.game(seats) for seats in range(low, high + 1)}
        for seed in range(self.games):
            try:
                with limited(PATIENCE):
                    one = self._random(made[low + seed % (high - low + 1)], seed)
            except (RuleFault, Endless) as fault:
                if self.sound:
                    raise
                if isinstance(fault, Endless) or fault.fault.code == BUSY:
                    return
            else:
                yield one

    def differs(self, rules: Rules) -> bool:
        """Whether any of the games is otherwise with these rules."""
        made: dict[object, Game] = {}
        for one in self.played:
            key = one.seats, one.options
            try:
                with limited(PATIENCE):
                    if key not in made:
                        made[key] = rules.game(one.seats, dict(one.options))
                        if self._seen_otherwise(made[key]):
                            return True
                    if not self._same(made[key], one):
                        return True
            except Exception:
                return True
        return False

    @abstractmethod
    def _random(self, game: Game, seed: int) -> P:
        """A random game."""

    @abstractmethod
    def _same(self, game: Game, played: P) -> bool:
        """Whether a game goes as it did."""

    @abstractmethod
    def _seen_otherwise(self, game: Game) -> bool:
        """Whether before play anything is seen otherwise."""


class Games(Series[Printed]):
    """Games played with some rules, which tell whether others are different rules."""

    #: Maximum number of decisions.
    longest: int | None = None

    def _random(self, game: Game, seed: int) -> Printed:
        return self._through(game, Printed(game.seats, seed))

    def _through(self, game: Game, played: Printed) -> Printed:
        generator = Generator(played.seed)
        state, told = self._begin(game, played)
        while True:
            number, moves = _print(state, told)
            played.prints.append(number)
            if not moves or len(played.taken) == self.longest:
                return played
            played.taken.append(self._next(state, played, moves, generator))
            told = take(state, played.taken[-1])

    def _next(self, state: State, played: Printed, moves: Sequence[Move], generator: Generator) -> Taken:
        return drawn(state, moves, generator)

    def _begin(self, game: Game, played: Printed) -> tuple[State, list[object]]:
        return begin(game, played.seed)

    def _same(self, game: Game, played: Printed) -> bool:
        state, told = self._begin(game, played)
        for wanted, taken in zip(played.prints, [*played.taken, None], strict=True):
            if _print(state, told)[0] != wanted:
                return False
            if taken is not None:
                told = take(state, taken)
        return True

    def _seen_otherwise(self, game: Game) -> bool:
        """Whether a seat sees anything else of the first position; play does not change who sees a zone."""
        base = self.rules.game(game.seats)
        if [(p.name, p.seen) for p in base.program.fields] == [(p.name, p.seen) for p in game.program.fields]:
            return False
        (one, _), (other, _) = base.start(0), game.start(0)
        return any(observe(one, viewer) != observe(other, viewer) for viewer in (*range(game.seats), None))


def drawn(state: State, moves: Sequence[Move], generator: Generator) -> Taken:
    """One of the moves at random, and where a clock runs, a time for it."""
    name, arguments = moves[generator.below(len(moves))]
    ticking = state.decision is not None and state.decision.clock is not None
    return name, arguments, TICK * generator.below(LATEST // TICK) if ticking else 0


def begin(game: Game, seed: int) -> tuple[State, list[object]]:
    """A game at its first decision, and what was told until then."""
    state = State(game, game.backend.start(seed))
    return state, go_on(state)


def go_on(state: State) -> list[object]:
    """Go on to the next decision; gives what is told on the way, with what is left out for whom."""
    raw: list[tuple[int, tuple[int | tuple[int, ...], ...], int]] = []
    backend, specs = state.game.backend, state.game.program.events
    backend.run(state.cells, raw)
    while state.cells[ir.AT_DECISION] == ir.READY:
        backend.run(state.cells, raw)
    told: list[object] = []
    for number, values, seen in raw:
        spec = specs[number]
        if spec.message and spec.kind != "filled":
            slots = slice(spec.own, spec.own + spec.slots)
            told.append((spec.message, values[slots], seen if any(spec.secret[slots]) else -1))
    return told


def take(state: State, taken: Taken) -> list[object]:
    """Take a move and go on to the next decision; gives what is told on the way."""
    name, arguments, spent = taken
    decision = state.decision
    assert decision is not None
    number = next(i for i, option in enumerate(decision.options) if option.name == name)
    state.game.backend.choose(state.cells, (number, *arguments), spent)
    return go_on(state)


def _print(state: State, told: list[object]) -> tuple[int, list[Move]]:
    """A fingerprint of all that there is, and the options."""
    # Who sees which zone does not change in play: what a seat sees differs only where these do.
    decision, cells = state.decision, state.cells
    moves = []
    if decision is not None:
        moves = [(decision.options[o[0]].name, o[1:]) for o in state.game.backend.options(cells)]
    there = tuple([tuple(cells[p.base : p.base + width(p)]) for p in state.game.program.fields])
    asked = (decision.name, state.seat) if decision is not None else state.winners
    return hash((asked, frozenset(moves), tuple(told), there)), moves


def width(place: ir.Field) -> int:
    """How many cells a field has."""
    return place.width * prod(place.sizes)
