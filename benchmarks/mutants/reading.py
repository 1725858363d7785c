"""Whether a changed game reads differently: the words of its rules in each language, against those of the game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache

from benchmarks.mutants.operators import Mutant, mutants, mutated
from wongar_dsl import library
from wongar_dsl import syntax as s
from wongar_dsl.checker import check
from wongar_dsl.model import Model
from wongar_dsl.parser import reserved_words
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.plain import plain
from wongar_dsl.prose.reading import Reading
from wongar_dsl.text.codes import Severity
from wongar_dsl.words import Words

LANGUAGES = ("de", "nl", "it", "en")
#: In percent: so many of the mutants that are games must read differently in every language.
FLOOR = 98


@dataclass
class Read:
    """What came of the mutants of a game: how many are games, which read the same in a language, and why."""

    name: str
    games: int = 0
    same: list[tuple[Mutant, str, str]] = field(default_factory=list)

    @property
    def told(self) -> int:
        """How many read differently in every language, or the same for a reason of the account."""
        return self.games - sum(not why for _, _, why in self.same)

    @property
    def enough(self) -> bool:
        """Whether enough of them do."""
        return 100 * self.told >= FLOOR * self.games


def lines(model: Model, words: Words) -> tuple[list[str], Account]:
    """Everything that the rulebook of a game says, and the account of it."""
    reading = Reading(rulebook(model, words), words, model.name)
    return [paragraph.text for paragraph in plain(reading)], reading.book.account


@cache
def _words(language: str) -> Words:
    return Words.load(language)


def read(
    name: str,
    sample: int | None = None,
    seed: int = 1,
    until: Callable[[], bool] = lambda: False,
    told: Callable[[Mutant, str, str], None] = lambda mutant, language, why: None,
) -> Read:
    """Read the mutants of a game, or `sample` of them at random, until `until` says that time is up.

    `told` is told at once of each that reads the same in a language without a reason.
    """
    rules = library.load(name)
    model = rules.model
    before = {language: lines(model, _words(language)) for language in LANGUAGES}
    found = [m for source in rules.sources for m in mutants(model, source)]
    random.Random(seed).shuffle(found)
    report = Read(name)
    for mutant in found[:sample]:
        if until():
            break
        changed, diagnostics = check(mutated(model.merged, mutant), frozenset(reserved_words()))
        if any(d.severity is Severity.ERROR for d in diagnostics):
            continue
        report.games += 1
        for language in LANGUAGES:
            text, account = before[language]
            if lines(changed, _words(language))[0] == text:
                why = reason(model, account, mutant)
                report.same.append((mutant, language, why))
                if not why:
                    told(mutant, language, why)
                break
    return report


def reason(model: Model, account: Account, mutant: Mutant) -> str:
    """Why the account says that what a mutant changes need not be said, nothing where it is said."""
    at: object = next(a for a in model.merged.articles if s.key_of(a) == mutant.key)
    way = list(_way(at, mutant.path))
    changed = [part for part in way if isinstance(part, s.Node)] + [*_changed(way[-1], mutant.new)]
    for node in changed:
        fate, why = account.fates.get(node, ("said", ""))
        if fate != "said":
            return f"{fate}: {why}"
    return ""


def _way(node: object, path: tuple[str | int, ...]) -> Iterator[object]:
    """What stands on the way to a part of a tree, and that part."""
    yield node
    for step in path:
        node = node[step] if isinstance(step, int) and isinstance(node, tuple) else getattr(node, str(step))
        yield node


def _changed(old: object, new: object) -> Iterator[s.Node]:
    """The nodes that another part has not, or has elsewhere."""
    if isinstance(old, tuple) and isinstance(new, tuple):
        kept = {id(part): number for number, part in enumerate(new)}
        yield from (
            part for number, part in enumerate(old) if kept.get(id(part)) != number and isinstance(part, s.Node)
        )
    elif isinstance(old, s.Logical) and any(new is operand for operand in old.operands):
        yield from (operand for operand in old.operands if operand is not new)
    elif type(old) is type(new) and isinstance(old, s.Node):
        for part in fields(old):
            one, other = getattr(old, part.name), getattr(new, part.name)
            if one is not other and part.name != "span":
                yield from _changed(one, other)
    elif isinstance(old, s.Node):
        yield old
