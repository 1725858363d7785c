"""Verdict on a mutant: noticed by a case, unnoticed although games differ, or without any difference.

Some of the games start with the setup, some at the positions of the rule cases.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from benchmarks.mutants.operators import Mutant, mutants, mutated
from benchmarks.mutants.random_games import GAMES, MUTANT_TIMEOUT_S, Games, Positions, limited
from wongar_dsl.base.diagnostics import RulesError, Severity
from wongar_dsl.engine import library
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.rule_cases.file import SUFFIX, Case, read
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.language.checker import check_game
from wongar_dsl.language.parser import reserved_words

T = TypeVar("T")

RULES = Path(__file__).resolve().parents[2] / "rules"
FLOOR = 95

#: Verdicts.
NO_GAME, KILLED, SURVIVED, SAME = "no game", "killed", "survived", "same"


class Subject(Games):
    """Built-in game with its cases, its mutants, and games played with the original rules."""

    def __init__(self, name: str, games: int = GAMES) -> None:
        super().__init__(_loaded(name), games)
        self.name = name
        self.mutants = list(mutants(self.rules.model, self.rules.sources[-1]))
        # Short cases first, as they are fast.
        self.cases = sorted(_cases(name), key=lambda case: len(case.steps))
        self.positions = Positions(self.rules, self.cases)

    def judge(self, mutant: Mutant) -> str:
        """Return the verdict on a mutant."""
        rules = changed(self.rules, mutant)
        if rules is None:
            return NO_GAME
        if not self._passes(rules):
            return KILLED
        return SURVIVED if self.differs(rules) or self.positions.differs(rules) else SAME

    def _passes(self, rules: Rules) -> bool:
        runner = CaseRunner(rules.model, rules.game)
        for number, case in enumerate(self.cases):
            try:
                with limited(MUTANT_TIMEOUT_S):
                    passed = runner.run(case).passed
            except Exception:
                passed = False
            if not passed:
                # A case that noticed one mutant often notices the next.
                self.cases.insert(0, self.cases.pop(number))
                return False
        return True


def changed(rules: Rules, mutant: Mutant) -> Rules | None:
    """Return the mutated rules, or None if they are invalid."""
    try:
        model, diagnostics = check_game(mutated(rules.model.merged, mutant), reserved_words())
        if any(d.severity is Severity.ERROR for d in diagnostics):
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
    """Yield the cases of a game from all case files about it."""
    for path in sorted(RULES.rglob(f"*{SUFFIX}")):
        file = read(path)
        if _loaded(file.game).name == name:
            yield from file.cases


# ---- many mutants ----


@dataclass(slots=True)
class Report:
    """Verdicts on the mutants of a game."""

    name: str
    count: int = 0
    killed: int = 0
    no_game: int = 0
    survivors: list[Mutant] = field(default_factory=list)

    @property
    def relevant(self) -> int:
        """Number of mutants known to change the game, including all that a case noticed."""
        return self.killed + len(self.survivors)

    @property
    def enough(self) -> bool:
        """True if the cases notice more than the floor."""
        return self.killed * 100 > FLOOR * self.relevant or not self.relevant

    def add(self, mutant: Mutant, fate: str) -> None:
        """Count a mutant."""
        self.count += 1
        self.killed += fate == KILLED
        self.no_game += fate == NO_GAME
        if fate == SURVIVED:
            self.survivors.append(mutant)


@cache
def _subject(name: str) -> Subject:
    return Subject(name)


def _fate(name: str, number: int) -> str:
    subject = _subject(name)
    return subject.judge(subject.mutants[number])


def sampled(
    function: Callable[[str, int], T], name: str, count: int, sample: int | None, seed: int, jobs: int,
    until: Callable[[], bool],
) -> Iterator[tuple[int, T]]:  # fmt: skip
    """Yield the numbers below `count`, or a random sample, in random order, each with its result for a game.

    One process stops when `until()` is true. Several are forked, which shares all that has been prepared.
    """
    numbers = list(range(count))
    random.Random(seed).shuffle(numbers)
    numbers = numbers[:sample]
    if jobs == 1:
        for number in numbers:
            if until():
                return
            yield number, function(name, number)
        return
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        yield from zip(numbers, pool.map(partial(function, name), numbers, chunksize=4), strict=True)


def shares(games: Sequence[str], seconds: float) -> Iterator[tuple[str, Callable[[], bool]]]:
    """Yield games, each with a function that tells when its share of the time is over."""
    end = time.monotonic() + seconds
    for number, name in enumerate(games):
        share = time.monotonic() + (end - time.monotonic()) / (len(games) - number)
        yield name, lambda share=share: time.monotonic() >= share  # type: ignore[misc]


def judged(
    name: str,
    sample: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    until: Callable[[], bool] = lambda: False,
    survived: Callable[[Mutant], None] = lambda mutant: None,
) -> Report:
    """Judge the mutants of a game, or a random sample, until `until()` is true.

    `survived` is called at once with each mutant that no case notices.
    """
    subject, report = _subject(name), Report(name)
    if jobs > 1 and subject.mutants:
        for series in (subject, subject.positions):
            series.played  # noqa: B018 - played once, here, and not again in each process
    for number, fate in sampled(_fate, name, len(subject.mutants), sample, seed, jobs, until):
        report.add(subject.mutants[number], fate)
        if fate == SURVIVED:
            survived(subject.mutants[number])
    return report


def names() -> list[str]:
    """Return the built-in games and variants."""
    return list(library.builtin_names())


def run(seconds: float, seed: int) -> tuple[int, int, int, list[str]]:
    """Judge mutants of all games in turn for this many seconds.

    Return how many were judged, killed and relevant, and those that no case noticed.
    """
    reports = [judged(name, None, seed, until=until) for name, until in shares(names(), seconds)]
    survivors = [str(m) for r in reports for m in r.survivors]
    return sum(r.count for r in reports), sum(r.killed for r in reports), sum(r.relevant for r in reports), survivors
