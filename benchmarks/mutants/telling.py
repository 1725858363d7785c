"""Whether what reads the same is the same: mutants of a game that read like it, or like each other, are played.

Two that games tell apart must not read the same in any language, unless the account has a reason for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.mutants.judging import GAMES, Games, changed
from benchmarks.mutants.reading import LANGUAGES, Read, Reader, reader, reason
from wongar_dsl.library import Rules


@dataclass(frozen=True, slots=True)
class Alike:
    """Two that read the same in a language though games tell them apart: mutants, or the game itself, and the reason
    of the account, nothing if it has none."""

    one: str
    other: str
    language: str
    why: str


def told_apart(report: Read, games: int = GAMES) -> Iterator[Alike]:
    """What reads the same as the game, or as another mutant of it, in a language, and is told apart in play."""
    found = reader(report.name)
    base = Games(found.rules, games)
    for heard in report.heard:
        if heard.same and (other := _rules(found, heard.number)) is not None and base.differs(other):
            yield Alike(report.name, str(found.mutants[heard.number]), heard.same[0], heard.why)
    seen: set[frozenset[int]] = set()
    for at, language in enumerate(LANGUAGES):
        alike: dict[str, list[int]] = {}
        for heard in report.heard:
            if language not in heard.same:
                alike.setdefault(heard.prints[at], []).append(heard.number)
        for numbers in alike.values():
            if len(numbers) > 1 and frozenset(numbers) not in seen:
                seen.add(frozenset(numbers))
                yield from _among(found, numbers, language, games)


def _among(found: Reader, numbers: list[int], language: str, games: int) -> Iterator[Alike]:
    """Those of some mutants that read the same and are told apart from the first one."""
    rules = [(number, one) for number in numbers if (one := _rules(found, number)) is not None]
    if len(rules) < 2:
        return
    (first, known), *others = rules
    played = Games(known, games, sound=False)
    for number, one in others:
        if played.differs(one):
            why = _reason(found, known, number) or _reason(found, one, first)
            yield Alike(str(found.mutants[first]), str(found.mutants[number]), language, why)


def _reason(found: Reader, rules: Rules, number: int) -> str:
    """Why the account of some rules need not say what a mutant changes, or what it would change in these."""
    mutant = found.mutants[number]
    why = reason(found.model, found.book.account, mutant)
    try:
        return why or reason(rules.model, found.pages.of(rules.model)[1].account, mutant)
    except (AttributeError, IndexError, StopIteration):
        return ""  # What it changes is not there.


def _rules(found: Reader, number: int) -> Rules | None:
    return changed(found.rules, found.mutants[number])
