"""Comparison of a mutant's rulebook with that of the original game, in each language."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import cache, partial
from multiprocessing import get_context

from benchmarks.mutants.evaluation_order import orderings
from benchmarks.mutants.operators import Mutant, mutants, mutated
from benchmarks.mutants.resets import forgotten
from benchmarks.mutants.rulebook_lines import Line, Pages
from benchmarks.mutants.sentence_origins import Naming, Version, strays
from wongar_dsl.base.diagnostics import Severity
from wongar_dsl.engine import library
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker import check_game
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Rulebook
from wongar_dsl.nlg.prose.verbalisation_log import VerbalisationLog
from wongar_dsl.nlg.words import Translator

LANGUAGES = ("de", "nl", "it", "en")
#: Reason why a change of order may read the same; play must show that it makes no difference.
AS_BEFORE = "order: it makes no difference when or how often this is worked out"
#: Minimum percentage of valid mutants that must read differently in every language.
FLOOR = 98


@dataclass(frozen=True, slots=True)
class Heard:
    """Reading of a valid mutant: a fingerprint per language, the languages in which it equals the game, and the reason.

    `strays` are changed lines that do not depend on the change, and values whose reset the rulebook no longer mentions.
    `wordless`: some line has no text and shows the rule itself.
    """

    number: int
    prints: tuple[str, ...]
    same: tuple[str, ...] = ()
    why: str = ""
    strays: tuple[str, ...] = ()
    wordless: bool = False


@dataclass
class Read:
    """Readings of the mutants of a game."""

    name: str
    mutants: list[Mutant] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Number of valid mutants."""
        return len(self.heard)

    @property
    def same(self) -> list[Heard]:
        """Mutants that read the same in some language without a reason."""
        return [item for item in self.heard if item.same and not item.why]

    @property
    def told(self) -> int:
        """Number of mutants that read differently in every language, or the same for a valid reason."""
        return self.games - len(self.same)

    @property
    def strays(self) -> int:
        """Number of changed lines that do not depend on the change."""
        return sum(len(item.strays) for item in self.heard)

    @property
    def wordless(self) -> int:
        """Number of mutants with a line without text."""
        return sum(item.wordless for item in self.heard)

    @property
    def honest(self) -> bool:
        """True if enough mutants read differently, without stray changes and missing texts."""
        return 100 * self.told >= FLOOR * self.games and not self.strays and not self.wordless


@cache
def _words(language: str) -> Translator:
    return Translator.load(language)


class Reader:
    """Built-in game with its mutants and its rulebook."""

    def __init__(self, name: str) -> None:
        self.rules = library.load(name)
        self.model = self.rules.model
        changes = [mutant for source in self.rules.sources for mutant in mutants(self.model, source)]
        #: All mutants; those from index `ordered` on change only an order.
        self.ordered = len(changes)
        self.mutants = [*changes, *(m for source in self.rules.sources for m in orderings(self.model, source))]
        self.pages = Pages(tuple(map(_words, LANGUAGES)))
        self.lines, self.book = self.pages.of(self.model)
        self.prints = _prints(self.lines)
        self.naming = Naming(self.model, self.book, _words(LANGUAGES[0]))

    def hear(self, number: int) -> Heard | None:
        """Return the reading of a mutant, or None if it is invalid."""
        mutant = self.mutants[number]
        model, diagnostics = check_game(mutated(self.model.merged, mutant), frozenset(reserved_words()))
        if any(d.severity is Severity.ERROR for d in diagnostics):
            return None
        lines, book = self.pages.of(model)
        prints = _prints(lines)
        same = tuple(language for language, a, b in zip(LANGUAGES, prints, self.prints, strict=True) if a == b)
        why = reason(self.model, self.book.log, mutant) if same else ""
        if same and number >= self.ordered:
            why = why or AS_BEFORE
        wordless = any(line.unsaid for line in lines)
        return Heard(number, prints, same, why, self._strays(mutant, model, lines, book), wordless)

    def _strays(self, mutant: Mutant, model: Model, lines: tuple[Line, ...], book: Rulebook) -> tuple[str, ...]:
        old = changed_nodes(self.model, mutant, mutant.new)
        new = changed_nodes(model, mutant, part_of(self.model, mutant))
        naming = Naming(model, book, _words(LANGUAGES[0]))
        stray_lines = strays(Version(self.naming, self.lines, old), Version(naming, lines, new))
        return (*(f"{line.block}: {line.texts[-1].strip()}" for line in stray_lines), *forgotten(model, book))


def _prints(lines: tuple[Line, ...]) -> tuple[str, ...]:
    """Return a fingerprint of the rulebook in each language."""
    return tuple(
        hashlib.sha256("\n".join(line.texts[index] for line in lines).encode()).hexdigest()
        for index in range(len(LANGUAGES))
    )


_READERS: dict[str, Reader] = {}


def reader(name: str) -> Reader:
    """Return the reader of a built-in game; cached."""
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
    """Read the mutants of a game, or a random sample, until `until()` is true.

    `told` is called at once with each mutant that reads the same without a reason, changes unrelated lines, or lacks a
    text.
    """
    subject = reader(name)
    numbers = list(range(len(subject.mutants)))
    random.Random(seed).shuffle(numbers)
    report = Read(name, subject.mutants)

    def note(heard: Heard | None) -> None:
        if heard is not None:
            report.heard.append(heard)
            if (heard.same and not heard.why) or heard.strays or heard.wordless:
                told(subject.mutants[heard.number], heard)

    if jobs == 1:
        for number in numbers[:sample]:
            if until():
                break
            note(subject.hear(number))
        return report
    # Forking shares the rulebook of the game with the workers.
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for heard in pool.map(partial(_hear, name), numbers[:sample], chunksize=4):
            note(heard)
    return report


# ---- changed nodes ------------------------------------------------------------------------------------------


def reason(model: Model, log: VerbalisationLog, mutant: Mutant) -> str:
    """Return the reason for which the log of verbalised nodes omits a mutant's change, or "" if it is described."""
    ancestors = list(_way(_article(model, mutant), mutant.path))
    changed = [part for part in ancestors if isinstance(part, s.Node)] + [*_changed(ancestors[-1], mutant.new)]
    for node in changed:
        fate, why = log.fates.get(node, ("said", ""))
        if fate != "said":
            return f"{fate}: {why}"
    if isinstance(mutant.new, s.Name) and any(mutant.new.text in log.aliases.get(node, ()) for node in changed):
        return "implied: another name for the same"
    return ""


def changed_nodes(model: Model, mutant: Mutant, other: object) -> frozenset[s.Node]:
    """Return the nodes at a mutant's location that the `other` rules do not have there.

    If there are none, return the node that contains the location.
    """
    ancestors = list(_way(_article(model, mutant), mutant.path))
    nodes = frozenset(_differing(ancestors[-1], other))
    return nodes or frozenset([next(part for part in reversed(ancestors) if isinstance(part, s.Node))])


def part_of(model: Model, mutant: Mutant) -> object:
    """Return the part of some rules at a mutant's location."""
    return list(_way(_article(model, mutant), mutant.path))[-1]


def _article(model: Model, mutant: Mutant) -> s.Declaration:
    return next(a for a in model.merged.articles if s.key_of(a) == mutant.key)


def _way(node: object, path: tuple[str | int, ...]) -> Iterator[object]:
    """Yield the nodes on the path to a part of a tree, and that part."""
    yield node
    for step in path:
        node = node[step] if isinstance(step, int) and isinstance(node, tuple) else getattr(node, str(step))
        yield node


def _differing(here: object, other: object) -> Iterator[s.Node]:
    """Yield the nodes of a tree that differ from another tree."""
    if here is other:
        return
    if isinstance(here, tuple) and isinstance(other, tuple):
        for number, part in enumerate(here):
            if number >= len(other) or other[number] is not part:
                yield from s.walk(part)
    elif isinstance(here, s.Node) and type(here) is type(other):
        for part in fields(here):
            old_part, new_part = getattr(here, part.name), getattr(other, part.name)
            if part.name != "span" and old_part is not new_part:
                inner = list(_differing(old_part, new_part))
                yield from inner or [here]
    else:
        yield from s.walk(here)


def _changed(old: object, new: object) -> Iterator[s.Node]:
    """Yield the nodes that another part does not have, or has elsewhere."""
    if isinstance(old, tuple) and isinstance(new, tuple):
        positions = {id(part): number for number, part in enumerate(new)}
        yield from (
            part for number, part in enumerate(old) if positions.get(id(part)) != number and isinstance(part, s.Node)
        )
    elif isinstance(old, s.Logical) and any(new is operand for operand in old.operands):
        yield from (operand for operand in old.operands if operand is not new)
    elif type(old) is type(new) and isinstance(old, s.Node):
        for part in fields(old):
            old_part, new_part = getattr(old, part.name), getattr(new, part.name)
            if old_part is not new_part and part.name != "span":
                yield from _changed(old_part, new_part)
    elif isinstance(old, s.Node):
        yield old
