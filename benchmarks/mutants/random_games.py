"""Comparison of two sets of rules by random games, from the setup or from the positions of rule cases.

The games are played once with the original rules. With other rules they are repeated with the same choices, up to the
first difference in decisions, options, messages, cells, or what a seat sees of them; or, for `Noticed`, up to the first
difference that a reader of the rules could notice.
"""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from typing import Generic, TypeVar

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import Game, IllegalMove, State, notation
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.rule_cases.file import Case, CaseError
from wongar_dsl.engine.rule_cases.position_reader import PositionReader
from wongar_dsl.engine.rule_cases.runner import CaseRunner, run_to_play
from wongar_dsl.language.semantics import PLAYER
from wongar_dsl.nlg.prose.game_facts import unread_values

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


#: Number of games for each rule case, and the maximum number of decisions in each game.
ROUNDS, MAX_DECISIONS = 3, 60


@dataclass(slots=True)
class LaidOut(Printed):
    """Random game from the position of a case, as written or disturbed, with some of the case's moves first."""

    case: Case | None = None
    disturbed: bool = False
    script: tuple[str, ...] = ()


class Positions(Games):
    """Games that start at the positions of rule cases, in rounds.

    In the first round all moves are random; in the second some moves of the case come first; in further rounds the
    position is also disturbed.

    Games that fail under the original rules are left out.
    """

    longest = MAX_DECISIONS

    def __init__(self, rules: Rules, cases: Sequence[Case], rounds: int = ROUNDS) -> None:
        super().__init__(rules)
        self.cases = [case for case in cases if any(case.positions) and not case.setup]
        self.rounds = rounds

    def _play(self) -> Iterator[Printed]:
        runner = CaseRunner(self.rules.model, self.rules.game)
        generator = Generator(0)
        for turn, case in product(range(self.rounds), self.cases):
            moves = tuple(step.move for step in case.steps if step.move)
            script = moves[: generator.below(len(moves) + 1)] if turn else ()
            try:
                options = tuple((name, runner.setting(name, node)) for name, node in case.options.items())
                played = LaidOut(case.seats, case.seed + turn, [], options, [], case, turn > 1, script)
                with limited(MUTANT_TIMEOUT_S):
                    yield self._through(runner.game(case), played)
            except (RuleFault, Endless, CaseError):
                continue

    def _next(self, state: State, played: Printed, moves: Sequence[Move], generator: Generator) -> Taken:
        assert isinstance(played, LaidOut)
        assert played.case is not None
        number, decision = len(played.taken), state.decision
        if number < len(played.script) and decision is not None:
            text, time = notation.split_time(played.script[number])
            with suppress(IllegalMove):
                move = state.read(PositionReader(state.game, played.case.names).with_seat_numbers(text))
                return decision.options[move.option].name, move.arguments, time or 0
        return drawn(state, moves, generator)

    def _begin(self, game: Game, played: Printed) -> tuple[State, list[object]]:
        assert isinstance(played, LaidOut)
        case = played.case
        assert case is not None
        state = State(game, game.backend.start(played.seed))
        if not run_to_play(game, state, lambda: None):
            raise CaseError("cases.no_play", case.line)
        for position in case.positions:
            PositionReader(game, case.names).lay_out(state, position)
        if played.disturbed:
            disturb(state, Generator(played.seed))
        return state, go_on(state)

    def _seen_otherwise(self, game: Game) -> bool:
        return False


def disturb(state: State, generator: Generator) -> None:
    """Swap the contents of two random copies of a zone: of two players if each has a copy, else of any two."""
    cells = state.cells
    pairs: list[tuple[slice, slice]] = []
    for place in state.game.program.fields:
        if container(place) is None:
            continue
        alike: dict[tuple[int, ...], list[slice]] = {}
        for indices, address in copies(place):
            others = tuple(i for i, kind in zip(indices, place.indices, strict=True) if kind != PLAYER)
            key = others if PLAYER in place.indices else ()
            alike.setdefault(key, []).append(slice(address, address + place.width))
        for group in alike.values():
            pairs += (pair for pair in combinations(group, 2) if cells[pair[0]] != cells[pair[1]])
    if pairs:
        first, second = pairs[generator.below(len(pairs))]
        cells[first], cells[second] = cells[second], cells[first]


@dataclass(slots=True)
class Seen(Played):
    """Random game with a fingerprint of the noticeable state and the moves at each decision."""

    seen: list[int] = field(default_factory=list)
    moves: list[frozenset[Move]] = field(default_factory=list)


class Noticed(Series[Seen]):
    """Games played under some rules, compared by what players notice."""

    def __init__(self, rules: Rules, games: int = GAMES, sound: bool = True) -> None:
        super().__init__(rules, games, sound)
        #: Fields that only messages use.
        self._unread = unread_values(rules.model)

    def _random(self, game: Game, seed: int) -> Seen:
        played, generator = Seen(game.seats, seed), Generator(seed)
        state, _ = begin(game, seed)
        while True:
            moves = list(_moves(state))
            played.seen.append(self._there(state))
            played.moves.append(frozenset(moves))
            if not moves:
                return played
            played.taken.append(drawn(state, moves, generator))
            take(state, played.taken[-1])

    def _same(self, game: Game, played: Seen) -> bool:
        """Return whether a game proceeds as before, as far as players notice."""
        state, _ = begin(game, played.seed)
        before = _Again(self.rules, played)
        number = 0
        while True:
            offered, moves = frozenset(_moves(state)), played.moves[number]
            if self._there(state) == played.seen[number]:
                if _goes_on(state, offered - moves):
                    return False
                if moves - offered and _goes_on(before.at(number), moves - offered):
                    return False
                if number == len(played.taken):
                    return True
                take(state, played.taken[number])
                number += 1
            # A decision without a choice is not noticed.
            elif len(moves) == 1:
                number += 1
            elif len(playable := _goes_on(state, offered)) == 1:
                take(state, (*playable[0], 0))
            else:
                return False

    def _seen_otherwise(self, game: Game) -> bool:
        """Return whether the zones or their visibility differ."""
        return self._kept(game) != self._kept(self.rules.game(game.seats))

    def _kept(self, game: Game) -> list[tuple[str, object]]:
        return [(place.name, place.seen) for place in game.program.fields if place.name not in self._unread]

    def _there(self, state: State) -> int:
        """Return a fingerprint of the noticeable state, without the moves."""
        decision = state.decision
        prompt = (decision.name, state.seat) if decision is not None else state.winners
        fields = (place for place in state.game.program.fields if place.name not in self._unread)
        return hash((prompt, tuple([_cells(state, place) for place in fields])))


class _Again:
    """Replay of a game, advanced only as far as requested."""

    def __init__(self, rules: Rules, played: Seen) -> None:
        self._rules, self._played = rules, played
        self._state: State | None = None
        self._number = 0

    def at(self, number: int) -> State:
        """Return the game at one of its decisions; the numbers must not decrease."""
        if self._state is None:
            self._state, _ = begin(self._rules.game(self._played.seats), self._played.seed)
        for move in self._played.taken[self._number : number]:
            take(self._state, move)
        self._number = number
        return self._state


def _cells(state: State, field: ir.Field) -> tuple[int, ...]:
    cells = state.cells[field.base : field.base + width(field)]
    if field.kind != "score":
        return tuple(cells)
    # Total points of a seat, over all origins.
    each = len(cells) // field.sizes[0]
    return tuple(sum(cells[start : start + each]) for start in range(0, len(cells), each))


def _moves(state: State) -> Iterator[Move]:
    decision = state.decision
    if decision is not None:
        for option in state.game.backend.options(state.cells):
            yield decision.options[option[0]].name, tuple(option[1:])


def _goes_on(state: State, moves: Iterable[Move]) -> list[Move]:
    """Return the moves at which the rules do not fail, as they do if a move needs something that is missing."""
    playable = []
    for move in moves:
        try:
            take(state.copy(), (*move, 0))
        except RuleFault as fault:
            if fault.fault.code == "R0602":
                continue
        playable.append(move)
    return playable
