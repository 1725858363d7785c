"""Whether what reads the same is the same: games, their variants and their mutants that read alike are played.

Two that games tell apart must not read the same in any language.  Where the account has a reason why what differs need
not be said, that reason must be true: nobody who has read the rules notices anything (`noticed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from multiprocessing import get_context

from benchmarks.mutants.judging import GAMES, Games, changed
from benchmarks.mutants.noticed import Noticed
from benchmarks.mutants.reading import LANGUAGES, Read, Reader, reader, reason
from benchmarks.mutants.silence import same_in_silence
from wongar_dsl.library import Rules


@dataclass(frozen=True, slots=True)
class Text:
    """What the rulebook of a game says, or of one of its mutants (`number`), as fingerprints.

    `why` is the reason of the account for which a mutant reads like its game.
    """

    name: str
    number: int | None
    prints: tuple[str, ...]
    why: str = ""

    def __str__(self) -> str:
        if self.number is None:
            return self.name
        return f"{self.name} with {reader(self.name).mutants[self.number]}"

    def rules(self) -> Rules | None:
        """The rules that it is the text of."""
        return _rules(self.name, self.number)


@dataclass(frozen=True, slots=True)
class Alike:
    """Two that read the same in some languages, and the reason of the account, nothing if it has none."""

    one: Text
    other: Text
    languages: tuple[str, ...]
    why: str


def told_apart(reports: Sequence[Read], games: int = GAMES, jobs: int = 1) -> Iterator[Alike]:
    """What reads the same in a language though it is told apart in play.

    All games that were read are compared with each other, with their combinations, and with all mutants.
    """
    pairs = list(alike(reports))
    if jobs == 1:
        differ: Iterator[bool] = map(partial(_differ, games=games), pairs)
        yield from (pair for pair, differs in zip(pairs, differ, strict=True) if differs)
        return
    for one in dict.fromkeys((pair.one.name, bool(pair.why)) for pair in pairs if pair.one.number is None):
        _played(one[0], None, games, one[1]).played  # noqa: B018 - played once, here, and not again in each process
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for pair, differs in zip(pairs, pool.map(partial(_differ, games=games), pairs, chunksize=2), strict=True):
            if differs:
                yield pair


def alike(reports: Sequence[Read]) -> Iterator[Alike]:
    """What reads the same in a language: the first of those that do so, with each of the others."""
    texts = [Text(name, None, reader(name).prints) for name in combined([report.name for report in reports])]
    for report in reports:
        texts += (Text(report.name, heard.number, heard.prints, heard.why) for heard in report.heard)
    found: dict[tuple[Text, Text], list[str]] = {}
    for at, language in enumerate(LANGUAGES):
        same: dict[str, Text] = {}
        for text in texts:
            first = same.setdefault(text.prints[at], text)
            if first is not text:
                found.setdefault((first, text), []).append(language)
    for (one, other), languages in found.items():
        yield Alike(one, other, tuple(languages), _why(one, other))


def combined(names: Sequence[str]) -> Iterator[str]:
    """Games and variants, and all variants of a game together."""
    yield from names
    for base in names:
        variants = [name.removeprefix(f"{base}/") for name in names if name.startswith(f"{base}/")]
        for count in range(2, len(variants) + 1):
            yield from (f"{base}/{'+'.join(several)}" for several in combinations(variants, count))


def _why(one: Text, other: Text) -> str:
    """The reason of the account for not saying in what two differ."""
    if other.number is None or one.name != other.name:
        return one.why or other.why
    if one.number is None:
        return other.why
    found = reader(one.name)
    return _reason(found, one.rules(), other.number) or _reason(found, other.rules(), one.number)


def _reason(found: Reader, rules: Rules | None, number: int) -> str:
    """Why the account of some rules need not say what a mutant changes, or what it would change in these."""
    mutant = found.mutants[number]
    why = reason(found.model, found.book.account, mutant)
    if why or rules is None:
        return why
    try:
        return reason(rules.model, found.pages.of(rules.model)[1].account, mutant)
    except (AttributeError, IndexError, StopIteration):
        return ""  # What it changes is not there.


def _differ(pair: Alike, games: int) -> bool:
    """Whether two are told apart: in play, or where there is a reason, by somebody who has read the rules."""
    one, other = pair.one.rules(), pair.other.rules()
    if one is None or other is None:
        return False
    if pair.why and same_in_silence(one.model, other.model):
        return False
    return _played(pair.one.name, pair.one.number, games, bool(pair.why)).differs(other)


@cache
def _played(name: str, number: int | None, games: int, with_reason: bool) -> Games | Noticed:
    rules = _rules(name, number)
    assert rules is not None
    return (Noticed if with_reason else Games)(rules, games, number is None)


@cache
def _rules(name: str, number: int | None) -> Rules | None:
    found = reader(name)
    return found.rules if number is None else changed(found.rules, found.mutants[number])
