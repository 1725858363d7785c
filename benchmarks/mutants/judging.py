"""What becomes of a mutant: a case notices it, or games show a difference that no case noticed, or neither.

The games are played once with the rules as they are; with a mutant they are played again with the same choices, up to
the first difference in what is asked, offered, told, or lies on the table, or in what a seat sees of that.
"""

from __future__ import annotations

import random
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from math import prod
from multiprocessing import get_context
from pathlib import Path
from typing import Generic, TypeVar

from benchmarks.mutants.operators import Mutant, mutants, mutated
from wongar_dsl import ir, library
from wongar_dsl.backends.chance import Generator
from wongar_dsl.backends.protocol import RuleFault
from wongar_dsl.cases.file import SUFFIX, Case, read
from wongar_dsl.cases.runner import CaseRunner
from wongar_dsl.checker import check
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.observation import observe
from wongar_dsl.library import Rules
from wongar_dsl.parser import reserved_words
from wongar_dsl.text.diagnostics import RulesError, Severity

RULES = Path(__file__).resolve().parents[2] / "rules"
GAMES = 200
FLOOR = 95
#: So long may a mutant keep the processor busy with one case or one game, in seconds.
PATIENCE = 10
#: What rules break off with that use up their steps.
BUSY = "R0601"
#: Where a clock runs, answers come at multiples of so many milliseconds, so that some come at the same time.
TICK, LATEST = 5_000, 80_000

#: What becomes of a mutant.
NO_GAME, KILLED, SURVIVED, SAME = "no game", "killed", "survived", "same"


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
        made: dict[int, Game] = {}
        for one in self.played:
            try:
                with limited(PATIENCE):
                    if one.seats not in made:
                        made[one.seats] = rules.game(one.seats)
                        if self._seen_otherwise(made[one.seats]):
                            return True
                    if not self._same(made[one.seats], one):
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

    def _random(self, game: Game, seed: int) -> Printed:
        played, generator = Printed(game.seats, seed), Generator(seed)
        state, told = begin(game, seed)
        while True:
            number, moves = _print(state, told)
            played.prints.append(number)
            if not moves:
                return played
            played.taken.append(drawn(state, moves, generator))
            told = take(state, played.taken[-1])

    def _same(self, game: Game, played: Printed) -> bool:
        state, told = begin(game, played.seed)
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


class Subject(Games):
    """A shipped game with its cases, its mutants, and games played with the rules as they are."""

    def __init__(self, name: str, games: int = GAMES) -> None:
        super().__init__(_loaded(name), games)
        self.name = name
        self.mutants = list(mutants(self.rules.model, self.rules.sources[-1]))
        # The short ones first.
        self.cases = sorted(_cases(name), key=lambda case: len(case.steps))

    def judge(self, mutant: Mutant) -> str:
        """What becomes of a mutant."""
        rules = changed(self.rules, mutant)
        if rules is None:
            return NO_GAME
        if not self._passes(rules):
            return KILLED
        return SURVIVED if self.differs(rules) else SAME

    def _passes(self, rules: Rules) -> bool:
        runner = CaseRunner(rules.model, rules.game)
        for number, case in enumerate(self.cases):
            try:
                with limited(PATIENCE):
                    passed = runner.run(case).passed
            except Exception:
                passed = False
            if not passed:
                # What noticed one mutant often notices the next.
                self.cases.insert(0, self.cases.pop(number))
                return False
        return True


def changed(rules: Rules, mutant: Mutant) -> Rules | None:
    """The rules with one change, None if they are no game then."""
    try:
        model, found = check(mutated(rules.model.merged, mutant), reserved_words())
        if any(d.severity is Severity.ERROR for d in found):
            return None
        others = Rules(model, rules.sources)
        others.program(model.players[0], {})
    except RulesError:
        return None
    return others


@cache
def _loaded(name: str) -> Rules:
    return library.load(name)


def _cases(name: str) -> Iterator[Case]:
    """The cases of a game: those of all files beside it that are about it."""
    for path in sorted(RULES.rglob(f"*{SUFFIX}")):
        file = read(path)
        if _loaded(file.game).name == name:
            yield from file.cases


def drawn(state: State, moves: Sequence[Move], generator: Generator) -> Taken:
    """One of the moves at random, and where a clock runs, a time for it."""
    name, arguments = moves[generator.below(len(moves))]
    ticking = state.decision is not None and state.decision.clock is not None
    return name, arguments, TICK * generator.below(LATEST // TICK) if ticking else 0


def begin(game: Game, seed: int) -> tuple[State, list[object]]:
    """A game at its first decision, and what was told until then."""
    state = State(game, game.backend.start(seed))
    return state, _run(state)


def _run(state: State) -> list[object]:
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
    return _run(state)


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


# ---- many mutants ----


@dataclass(slots=True)
class Report:
    """What became of the mutants of a game."""

    name: str
    count: int = 0
    killed: int = 0
    no_game: int = 0
    survivors: list[Mutant] = field(default_factory=list)

    @property
    def relevant(self) -> int:
        """How many change a game, as far as is known: what a case notices does."""
        return self.killed + len(self.survivors)

    @property
    def enough(self) -> bool:
        """Whether the cases notice more than the floor."""
        return self.killed * 100 > FLOOR * self.relevant or not self.relevant

    def add(self, mutant: Mutant, fate: str) -> None:
        """Count a mutant."""
        self.count += 1
        self.killed += fate == KILLED
        self.no_game += fate == NO_GAME
        if fate == SURVIVED:
            self.survivors.append(mutant)


_SUBJECTS: dict[str, Subject] = {}


def _fate(name: str, number: int) -> str:
    subject = _SUBJECTS[name]
    return subject.judge(subject.mutants[number])


def judged(
    name: str,
    sample: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    until: Callable[[], bool] = lambda: False,
    survived: Callable[[Mutant], None] = lambda mutant: None,
) -> Report:
    """Judge the mutants of a game, or `sample` of them at random, until `until` says that time is up.

    `survived` is told at once of each that no case notices.
    """
    if name not in _SUBJECTS:
        _SUBJECTS[name] = Subject(name)
    subject = _SUBJECTS[name]
    numbers = list(range(len(subject.mutants)))
    random.Random(seed).shuffle(numbers)
    numbers = numbers[:sample]
    report = Report(name)

    def note(number: int, fate: str) -> None:
        report.add(subject.mutants[number], fate)
        if fate == SURVIVED:
            survived(subject.mutants[number])

    if jobs == 1:
        for number in numbers:
            if until():
                break
            note(number, _fate(name, number))
        return report
    if subject.mutants:
        subject.played  # noqa: B018 - played once, here, and not again in each process
    # Forked, so that the games that were played need not be sent.
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for number, fate in zip(numbers, pool.map(partial(_fate, name), numbers, chunksize=4), strict=True):
            note(number, fate)
    return report


def names() -> list[str]:
    """The shipped games and variants."""
    return list(library.shipped_names())


def run(seconds: float, seed: int) -> tuple[int, int, int, list[str]]:
    """Judge mutants of all games in turn for so many seconds: how many, how many killed, how many change a game, and
    those that no case noticed."""
    end = time.monotonic() + seconds
    every = names()
    reports = []
    for number, name in enumerate(every):
        share = time.monotonic() + (end - time.monotonic()) / (len(every) - number)
        reports.append(judged(name, None, seed, until=lambda share=share: time.monotonic() >= share))
    survivors = [str(m) for r in reports for m in r.survivors]
    return sum(r.count for r in reports), sum(r.killed for r in reports), sum(r.relevant for r in reports), survivors
