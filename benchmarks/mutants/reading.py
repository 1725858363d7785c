"""Whether a changed game reads differently: the words of its rules in each language, against those of the game."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import cache, partial
from multiprocessing import get_context

from benchmarks.mutants.naming import Naming, Version, strays
from benchmarks.mutants.operators import Mutant, mutants, mutated
from benchmarks.mutants.ordering import orderings
from benchmarks.mutants.pages import Line, Pages
from benchmarks.mutants.resets import forgotten
from wongar_dsl import library
from wongar_dsl import syntax as s
from wongar_dsl.checker import check
from wongar_dsl.model import Model
from wongar_dsl.parser import reserved_words
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.book import Rulebook
from wongar_dsl.text.codes import Severity
from wongar_dsl.words import Words

LANGUAGES = ("de", "nl", "it", "en")
#: Why a change of order alone may read the same: play has to show that it makes no difference.
AS_BEFORE = "order: it makes no difference when or how often this is worked out"
#: In percent: so many of the mutants that are games must read differently in every language.
FLOOR = 98


@dataclass(frozen=True, slots=True)
class Heard:
    """How a mutant that is a game reads: a fingerprint a language, in which languages as the game does, and why.

    `strays` are the lines that it changes though they name nothing of what it changes, and the values that its rulebook
    no longer sets back; `wordless`: a line of it has no words, and stands there as it is in the rules.
    """

    number: int
    prints: tuple[str, ...]
    same: tuple[str, ...] = ()
    why: str = ""
    strays: tuple[str, ...] = ()
    wordless: bool = False


@dataclass
class Read:
    """What came of the mutants of a game."""

    name: str
    mutants: list[Mutant] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many are games."""
        return len(self.heard)

    @property
    def same(self) -> list[Heard]:
        """Those that read the same in a language without a reason."""
        return [one for one in self.heard if one.same and not one.why]

    @property
    def told(self) -> int:
        """How many read differently in every language, or the same for a reason of the account."""
        return self.games - len(self.same)

    @property
    def strays(self) -> int:
        """How many lines change that name nothing of what a mutant changes."""
        return sum(len(one.strays) for one in self.heard)

    @property
    def wordless(self) -> int:
        """How many mutants have a line without words."""
        return sum(one.wordless for one in self.heard)

    @property
    def honest(self) -> bool:
        """Whether enough are told, no line changes that does not name what was changed, and each has words."""
        return 100 * self.told >= FLOOR * self.games and not self.strays and not self.wordless


@cache
def _words(language: str) -> Words:
    return Words.load(language)


class Reader:
    """A shipped game with its mutants, and what its rulebook says."""

    def __init__(self, name: str) -> None:
        self.rules = library.load(name)
        self.model = self.rules.model
        changes = [mutant for source in self.rules.sources for mutant in mutants(self.model, source)]
        #: The mutants, from `ordered` on those that change an order alone.
        self.ordered = len(changes)
        self.mutants = [*changes, *(m for source in self.rules.sources for m in orderings(self.model, source))]
        self.pages = Pages(tuple(map(_words, LANGUAGES)))
        self.lines, self.book = self.pages.of(self.model)
        self.prints = _prints(self.lines)
        self.naming = Naming(self.model, self.book, _words(LANGUAGES[0]))

    def hear(self, number: int) -> Heard | None:
        """How a mutant reads, None where it is no game."""
        mutant = self.mutants[number]
        model, diagnostics = check(mutated(self.model.merged, mutant), frozenset(reserved_words()))
        if any(d.severity is Severity.ERROR for d in diagnostics):
            return None
        lines, book = self.pages.of(model)
        prints = _prints(lines)
        same = tuple(one for one, a, b in zip(LANGUAGES, prints, self.prints, strict=True) if a == b)
        why = reason(self.model, self.book.account, mutant) if same else ""
        if same and number >= self.ordered:
            why = why or AS_BEFORE
        wordless = any(line.unsaid for line in lines)
        return Heard(number, prints, same, why, self._strays(mutant, model, lines, book), wordless)

    def _strays(self, mutant: Mutant, model: Model, lines: tuple[Line, ...], book: Rulebook) -> tuple[str, ...]:
        old = changed_nodes(self.model, mutant, mutant.new)
        new = changed_nodes(model, mutant, part_of(self.model, mutant))
        naming = Naming(model, book, _words(LANGUAGES[0]))
        found = strays(Version(self.naming, self.lines, old), Version(naming, lines, new))
        return (*(f"{line.block}: {line.texts[-1].strip()}" for line in found), *forgotten(model, book))


def _prints(lines: tuple[Line, ...]) -> tuple[str, ...]:
    """A fingerprint of the rulebook in each language."""
    return tuple(
        hashlib.sha256("\n".join(line.texts[at] for line in lines).encode()).hexdigest() for at in range(len(LANGUAGES))
    )


_READERS: dict[str, Reader] = {}


def reader(name: str) -> Reader:
    """The reader of a shipped game, made once."""
    if name not in _READERS:
        _READERS[name] = Reader(name)
    return _READERS[name]


def _hear(name: str, number: int) -> Heard | None:
    return reader(name).hear(number)


def read(
    name: str,
    sample: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    until: Callable[[], bool] = lambda: False,
    told: Callable[[Mutant, Heard], None] = lambda mutant, heard: None,
) -> Read:
    """Read the mutants of a game, or `sample` of them at random, until `until` says that time is up.

    `told` is told at once of each that reads the same without a reason, that changes lines which do not name it, or for
    which there are no words.
    """
    found = reader(name)
    numbers = list(range(len(found.mutants)))
    random.Random(seed).shuffle(numbers)
    report = Read(name, found.mutants)

    def note(heard: Heard | None) -> None:
        if heard is not None:
            report.heard.append(heard)
            if (heard.same and not heard.why) or heard.strays or heard.wordless:
                told(found.mutants[heard.number], heard)

    if jobs == 1:
        for number in numbers[:sample]:
            if until():
                break
            note(found.hear(number))
        return report
    # Forked, so that the rulebook of the game need not be sent.
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for heard in pool.map(partial(_hear, name), numbers[:sample], chunksize=4):
            note(heard)
    return report


# ---- what a mutant changes -----------------------------------------------------------------------------------------


def reason(model: Model, account: Account, mutant: Mutant) -> str:
    """Why the account says that what a mutant changes need not be said, nothing where it is said."""
    way = list(_way(_article(model, mutant), mutant.path))
    changed = [part for part in way if isinstance(part, s.Node)] + [*_changed(way[-1], mutant.new)]
    for node in changed:
        fate, why = account.fates.get(node, ("said", ""))
        if fate != "said":
            return f"{fate}: {why}"
    if isinstance(mutant.new, s.Name) and any(mutant.new.text in account.also.get(node, ()) for node in changed):
        return "implied: another name for the same"
    return ""


def changed_nodes(model: Model, mutant: Mutant, other: object) -> frozenset[s.Node]:
    """The nodes that stand where a mutant changes something and not in what stands there in the `other` rules; if there
    are none, the node that they would stand in."""
    way = list(_way(_article(model, mutant), mutant.path))
    found = frozenset(_differing(way[-1], other))
    return found or frozenset([next(part for part in reversed(way) if isinstance(part, s.Node))])


def part_of(model: Model, mutant: Mutant) -> object:
    """What stands in some rules where a mutant changes something."""
    return list(_way(_article(model, mutant), mutant.path))[-1]


def _article(model: Model, mutant: Mutant) -> s.Article:
    return next(a for a in model.merged.articles if s.key_of(a) == mutant.key)


def _way(node: object, path: tuple[str | int, ...]) -> Iterator[object]:
    """What stands on the way to a part of a tree, and that part."""
    yield node
    for step in path:
        node = node[step] if isinstance(step, int) and isinstance(node, tuple) else getattr(node, str(step))
        yield node


def _differing(here: object, other: object) -> Iterator[s.Node]:
    """The nodes that stand here and not, or not here, in the other one."""
    if here is other:
        return
    if isinstance(here, tuple) and isinstance(other, tuple):
        for number, part in enumerate(here):
            if number >= len(other) or other[number] is not part:
                yield from s.walk(part)
    elif isinstance(here, s.Node) and type(here) is type(other):
        for part in fields(here):
            one, two = getattr(here, part.name), getattr(other, part.name)
            if part.name != "span" and one is not two:
                inner = list(_differing(one, two))
                yield from inner or [here]
    else:
        yield from s.walk(here)


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
