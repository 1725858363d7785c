"""Comparison of two sets of rules by random games.

The games are played once with the original rules. With other rules they are repeated with the same choices, up to the
first difference in decisions, options, messages, cells, or what a seat sees of them.
"""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import Generic, TypeVar

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import Rules

GAMES = 200
#: Processor time limit for one case or one game, in seconds.
MUTANT_TIMEOUT_S = 10
#: Diagnostic code of rules that use up their steps.
BUSY = "R0601"
#: With a clock, answer times are multiples of TICK milliseconds, so that some are equal.
TICK, MAX_ANSWER_TICKS = 5_000, 80_000


class Endless(Exception):
    """A mutant exceeded its time limit."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise `Endless` in the body after this many seconds of processor time, which does not depend on other load."""

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
    """Random game: seats, seed, and the move taken at each decision."""

    seats: int
    seed: int
    taken: list[Taken] = field(default_factory=list)
    options: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class Printed(Played):
    """Random game with a fingerprint of the whole state at each decision."""

    prints: list[int] = field(default_factory=list)


P = TypeVar("P", bound=Played)


class Series(ABC, Generic[P]):
    """Random games played once with some rules, and repeated with the same choices under other rules.

    If the rules may not be `sound`, as with a mutant, failing games are left out. The series stops after a game that
    does not end, since most others would not end either.
    """

    def __init__(self, rules: Rules, games: int = GAMES, sound: bool = True) -> None:
        self.rules, self.games, self.sound = rules, games, sound
        self._played: list[P] | None = None

    @property
    def played(self) -> list[P]:
        """The random games, played on first use."""
        if self._played is None:
            self._played = list(self._play())
        return self._played

    def _play(self) -> Iterator[P]:
        low, high = self.rules.model.players
        made = {seats: self.rules.game(seats) for seats in range(low, high + 1)}
        for seed in range(self.games):
            try:
                with limited(MUTANT_TIMEOUT_S):
                    record = self._random(made[low + seed % (high - low + 1)], seed)
            except (RuleFault, Endless) as fault:
                if self.sound:
                    raise
                if isinstance(fault, Endless) or fault.fault.code == BUSY:
                    return
            else:
                yield record

    def differs(self, rules: Rules) -> bool:
        """Return whether any of the games differs with these rules."""
        made: dict[object, Game] = {}
        for record in self.played:
            key = record.seats, record.options
            try:
                with limited(MUTANT_TIMEOUT_S):
                    if key not in made:
                        made[key] = rules.game(record.seats, dict(record.options))
                        if self._seen_otherwise(made[key]):
                            return True
                    if not self._same(made[key], record):
                        return True
            except Exception:
                return True
        return False

    @abstractmethod
    def _random(self, game: Game, seed: int) -> P:
        """Play a random game."""

    @abstractmethod
    def _same(self, game: Game, played: P) -> bool:
        """Return whether a game proceeds as before."""

    @abstractmethod
    def _seen_otherwise(self, game: Game) -> bool:
        """Return whether the visibility differs before play starts."""


class Games(Series[Printed]):
    """Games that detect any difference between rules."""

    #: Maximum number of decisions.
    longest: int | None = None

    def _random(self, game: Game, seed: int) -> Printed:
        return self._through(game, Printed(game.seats, seed))

    def _through(self, game: Game, played: Printed) -> Printed:
        generator = Generator(played.seed)
        state, events = self._begin(game, played)
        while True:
            number, moves = _print(state, events)
            played.prints.append(number)
            if not moves or len(played.taken) == self.longest:
                return played
            played.taken.append(self._next(state, played, moves, generator))
            events = take(state, played.taken[-1])

    def _next(self, state: State, played: Printed, moves: Sequence[Move], generator: Generator) -> Taken:
        return drawn(state, moves, generator)

    def _begin(self, game: Game, played: Printed) -> tuple[State, list[object]]:
        return begin(game, played.seed)

    def _same(self, game: Game, played: Printed) -> bool:
        state, events = self._begin(game, played)
        for expected, choice in zip(played.prints, [*played.taken, None], strict=True):
            if _print(state, events)[0] != expected:
                return False
            if choice is not None:
                events = take(state, choice)
        return True

    def _seen_otherwise(self, game: Game) -> bool:
        """Return whether a seat sees the initial position differently; visibility of zones is constant."""
        base = self.rules.game(game.seats)
        if [(p.name, p.seen) for p in base.program.fields] == [(p.name, p.seen) for p in game.program.fields]:
            return False
        (original, _), (altered, _) = base.start(0), game.start(0)
        return any(observe(original, viewer) != observe(altered, viewer) for viewer in (*range(game.seats), None))


def drawn(state: State, moves: Sequence[Move], generator: Generator) -> Taken:
    """Return a random move, and with a clock, a time for it."""
    name, arguments = moves[generator.below(len(moves))]
    ticking = state.decision is not None and state.decision.clock is not None
    return name, arguments, TICK * generator.below(MAX_ANSWER_TICKS // TICK) if ticking else 0


def begin(game: Game, seed: int) -> tuple[State, list[object]]:
    """Return a game at its first decision, and the messages so far."""
    state = State(game, game.backend.start(seed))
    return state, go_on(state)


def go_on(state: State) -> list[object]:
    """Advance to the next decision; return the messages with their visibility."""
    raw: list[tuple[int, tuple[int | tuple[int, ...], ...], int]] = []
    backend, specs = state.game.backend, state.game.program.events
    backend.run(state.cells, raw)
    while state.cells[ir.AT_DECISION] == ir.READY:
        backend.run(state.cells, raw)
    messages: list[object] = []
    for number, values, seen in raw:
        spec = specs[number]
        if spec.message and spec.kind != "filled":
            slots = slice(spec.own, spec.own + spec.slots)
            messages.append((spec.message, values[slots], seen if any(spec.secret[slots]) else -1))
    return messages


def take(state: State, taken: Taken) -> list[object]:
    """Take a move and advance to the next decision; return the messages."""
    name, arguments, spent = taken
    decision = state.decision
    assert decision is not None
    number = next(i for i, option in enumerate(decision.options) if option.name == name)
    state.game.backend.choose(state.cells, (number, *arguments), spent)
    return go_on(state)


def _print(state: State, told: list[object]) -> tuple[int, list[Move]]:
    """Return a fingerprint of the whole state, and the moves."""
    # The visibility of zones is constant, so equal cells look equal to each seat.
    decision, cells = state.decision, state.cells
    moves = []
    if decision is not None:
        moves = [(decision.options[o[0]].name, o[1:]) for o in state.game.backend.options(cells)]
    contents = tuple([tuple(cells[p.base : p.base + width(p)]) for p in state.game.program.fields])
    prompt = (decision.name, state.seat) if decision is not None else state.winners
    return hash((prompt, frozenset(moves), tuple(told), contents)), moves


def width(field: ir.Field) -> int:
    """Return the number of cells of a field."""
    return field.width * prod(field.sizes)
