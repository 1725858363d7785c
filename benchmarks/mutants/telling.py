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

from benchmarks.mutants.judging import changed
from benchmarks.mutants.noticed import Noticed
from benchmarks.mutants.playing import GAMES, Games
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


def told_apart(pairs: Sequence[Alike], games: int = GAMES, jobs: int = 1) -> Iterator[Alike]:
    """What reads the same in a language though it is told apart in play."""
    # What is told apart from a game is played with the games of that, each of them played once.
    shipped = [pair for pair in pairs if pair.one.number is None]
    for one, noticed in dict.fromkeys((pair.one, bool(pair.why)) for pair in shipped):
        _of_game(one.name, games, noticed).played  # noqa: B018 - here, and not again in each process
    by_mutant: dict[tuple[Text, bool], list[Alike]] = {}
    for pair in pairs:
        if pair.one.number is not None:
            by_mutant.setdefault((pair.one, bool(pair.why)), []).append(pair)
    groups = [*by_mutant.values(), *([pair] for pair in shipped)]
    apart = partial(_apart, games=games)
    if jobs == 1:
        yield from (pair for group in groups for pair in apart(group))
        return
    # Forked, so that the games that were played need not be sent; those that have to be played come first.
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for found in pool.map(apart, groups):
            yield from found


def alike(reports: Sequence[Read]) -> list[Alike]:
    """What reads the same in a language: the first of those that do so, with each of the others.

    All games that were read are compared with each other, with their combinations, and with all mutants.
    """
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
    return [Alike(one, other, tuple(languages), _why(one, other)) for (one, other), languages in found.items()]


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


def _apart(group: Sequence[Alike], games: int) -> list[Alike]:
    """Which of several that read like the same one are told apart from it: in play, or where there is a reason, by
    somebody who has read the rules."""
    one, noticed = group[0].one, bool(group[0].why)
    rules = one.rules()
    if rules is None:
        return []
    series = _of_game(one.name, games, noticed) if one.number is None else _series(rules, games, noticed, sound=False)
    found = []
    for pair in group:
        other = pair.other.rules()
        if other is None or (noticed and same_in_silence(rules.model, other.model)):
            continue
        if series.differs(other):
            found.append(pair)
    return found


@cache
def _of_game(name: str, games: int, noticed: bool) -> Games | Noticed:
    return _series(reader(name).rules, games, noticed, sound=True)


def _series(rules: Rules, games: int, noticed: bool, sound: bool) -> Games | Noticed:
    return (Noticed if noticed else Games)(rules, games, sound)


def _rules(name: str, number: int | None) -> Rules | None:
    found = reader(name)
    return found.rules if number is None else changed(found.rules, found.mutants[number])
