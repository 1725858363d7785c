"""Check that texts are equal only for equal games: games, variants and mutants that read alike are played.

Two games that play differently must not read the same in any language. If there is a recorded reason why a difference
is omitted, it must be valid: no reader of the rules may notice the difference (`observable_difference`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from multiprocessing import get_context

from benchmarks.mutants.observable_difference import Noticed
from benchmarks.mutants.random_games import GAMES, Games
from benchmarks.mutants.rulebook_comparison import LANGUAGES, Read, Reader, reader, reason
from benchmarks.mutants.silent_rules import same_in_silence
from benchmarks.mutants.verdict import changed
from wongar_dsl.engine.library import Rules


@dataclass(frozen=True, slots=True)
class Text:
    """Rulebook of a game or of one of its mutants (`number`), as fingerprints.

    `why` is the recorded reason for which a mutant reads like its game.
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
        """Return the rules of the text."""
        return _rules(self.name, self.number)


@dataclass(frozen=True, slots=True)
class Alike:
    """Two texts that are equal in some languages, and the recorded reason, or ""."""

    one: Text
    other: Text
    languages: tuple[str, ...]
    why: str


def told_apart(pairs: Sequence[Alike], games: int = GAMES, jobs: int = 1) -> Iterator[Alike]:
    """Yield the pairs that read the same in a language but play differently."""
    # Mutants of a game are compared by its games, which are played once here.
    shipped = [pair for pair in pairs if pair.one.number is None]
    for text, noticed in dict.fromkeys((pair.one, bool(pair.why)) for pair in shipped):
        _of_game(text.name, games, noticed).played  # noqa: B018 - here, and not again in each process
    by_mutant: dict[tuple[Text, bool], list[Alike]] = {}
    for pair in pairs:
        if pair.one.number is not None:
            by_mutant.setdefault((pair.one, bool(pair.why)), []).append(pair)
    groups = [*by_mutant.values(), *([pair] for pair in shipped)]
    apart = partial(_apart, games=games)
    if jobs == 1:
        yield from (pair for group in groups for pair in apart(group))
        return
    # Forking shares the games already played with the workers; pairs that need new games come first.
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for batch in pool.map(apart, groups):
            yield from batch


def alike(reports: Sequence[Read]) -> list[Alike]:
    """Return the pairs that read the same in a language: the first text of each group with each of the others.

    All given games are compared with each other, with their combinations of variants, and with all mutants.
    """
    texts = [Text(name, None, reader(name).prints) for name in combined([report.name for report in reports])]
    for report in reports:
        texts += (Text(report.name, heard.number, heard.prints, heard.why) for heard in report.heard)
    pairs: dict[tuple[Text, Text], list[str]] = {}
    for index, language in enumerate(LANGUAGES):
        same: dict[str, Text] = {}
        for text in texts:
            first = same.setdefault(text.prints[index], text)
            if first is not text:
                pairs.setdefault((first, text), []).append(language)
    return [
        Alike(former, latter, tuple(languages), _why(former, latter)) for (former, latter), languages in pairs.items()
    ]


def combined(names: Sequence[str]) -> Iterator[str]:
    """Yield the games and variants, and all combinations of variants of a game."""
    yield from names
    for base in names:
        variants = [name.removeprefix(f"{base}/") for name in names if name.startswith(f"{base}/")]
        for count in range(2, len(variants) + 1):
            yield from (f"{base}/{'+'.join(several)}" for several in combinations(variants, count))


def _why(one: Text, other: Text) -> str:
    """Return the recorded reason for not describing the difference between two texts."""
    if other.number is None or one.name != other.name:
        return one.why or other.why
    if one.number is None:
        return other.why
    subject = reader(one.name)
    return _reason(subject, one.rules(), other.number) or _reason(subject, other.rules(), one.number)


def _reason(found: Reader, rules: Rules | None, number: int) -> str:
    """Return the recorded reason for not describing a mutant's change, in the original or in these rules."""
    mutant = found.mutants[number]
    why = reason(found.model, found.book.log, mutant)
    if why or rules is None:
        return why
    try:
        return reason(rules.model, found.pages.of(rules.model)[1].log, mutant)
    except (AttributeError, IndexError, StopIteration):
        return ""  # The changed part does not exist in these rules.


def _apart(group: Sequence[Alike], games: int) -> list[Alike]:
    """Return the pairs of a group that differ: in play, or, if there is a reason, for a reader of the rules."""
    base, noticed = group[0].one, bool(group[0].why)
    rules = base.rules()
    if rules is None:
        return []
    series = _of_game(base.name, games, noticed) if base.number is None else _series(rules, games, noticed, sound=False)
    distinct = []
    for pair in group:
        candidate = pair.other.rules()
        if candidate is None or (noticed and same_in_silence(rules.model, candidate.model)):
            continue
        if series.differs(candidate):
            distinct.append(pair)
    return distinct


@cache
def _of_game(name: str, games: int, noticed: bool) -> Games | Noticed:
    return _series(reader(name).rules, games, noticed, sound=True)


def _series(rules: Rules, games: int, noticed: bool, sound: bool) -> Games | Noticed:
    return (Noticed if noticed else Games)(rules, games, sound)


def _rules(name: str, number: int | None) -> Rules | None:
    subject = reader(name)
    return subject.rules if number is None else changed(subject.rules, subject.mutants[number])
