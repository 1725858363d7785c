"""Comparison of the rulebooks of mutants, games and variants, in each language.

Two games that play differently must not read the same in any language. If there is a recorded reason why a difference
is omitted, it must be valid: no reader of the rules may notice the difference (`random_games.Noticed`). Rules are also
reduced to what players need, without messages, values that only messages use, and point origins; if two games have
equal reduced rules, no player can notice a difference, and they need not be played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from itertools import combinations
from multiprocessing import get_context

from benchmarks.mutants.operators import Mutant, mutants, mutated, orderings
from benchmarks.mutants.random_games import GAMES, Games, Noticed
from benchmarks.mutants.sentence_origins import Line, Naming, Pages, Version, forgotten, strays
from benchmarks.mutants.verdict import changed, sampled
from wongar_dsl.base.diagnostics import Severity
from wongar_dsl.engine import library
from wongar_dsl.engine.library import Rules
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker import check_game
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Rulebook
from wongar_dsl.nlg.prose.game_facts import unread_values
from wongar_dsl.nlg.prose.micro.sentence_plan import VerbalisationLog
from wongar_dsl.nlg.words import Translator


def same_in_silence(one: Model, other: Model) -> bool:
    """Return whether two games differ only in parts that players need not know."""
    mine, theirs = _silent(one), _silent(other)
    return mine.keys() == theirs.keys() and all(s.same(article, theirs[key]) for key, article in mine.items())


def _silent(model: Model) -> dict[tuple[str, str], s.Declaration]:
    """Return the declarations that affect anything except messages."""
    unread = unread_values(model)
    articles: dict[tuple[str, str], s.Declaration] = {}
    for article in model.merged.articles:
        if not (isinstance(article, s.Remember) and article.name.text in unread):
            silent = _without_news(model, unread, article)
            assert isinstance(silent, s.Declaration)
            articles[s.key_of(article)] = silent
    while True:
        references = {key: set(_names(article)) for key, article in articles.items()}
        idle = [
            key
            for key, article in articles.items()
            if isinstance(article, s.Rule | s.Define | s.LookupTable)
            and not any(key[1] in names for referrer, names in references.items() if referrer != key)
        ]
        if not idle:
            return articles
        for key in idle:
            del articles[key]


def _names(tree: object) -> Iterator[str]:
    for node in s.walk(tree):
        match node:
            case s.Name(text=name) | s.Called(name=name) | s.Indexed(name=name) | s.Of(name=name):
                yield name


def _without_news(model: Model, unread: frozenset[str], tree: object) -> object:
    """Return the tree without messages, and without statements that are empty then."""
    if isinstance(tree, tuple):
        inner = (_without_news(model, unread, part) for part in tree if not _is_news(model, unread, part))
        return tuple(part for part in inner if not _does_nothing(part))
    if not isinstance(tree, s.Node):
        return tree
    changed: dict[str, object] = {"message": None} if hasattr(tree, "message") else {}
    if isinstance(tree, s.Gain):
        changed["origin"] = None
    for name in s.field_names(type(tree)):
        if name not in changed:
            old = getattr(tree, name)
            new = _without_news(model, unread, old)
            if new is not old and new != old:
                changed[name] = new
    return replace(tree, **changed) if changed else tree  # type: ignore[type-var]


def _is_news(model: Model, unread: frozenset[str], part: object) -> bool:
    """Return whether a statement only emits a message, or sets a value that only messages use."""
    match part:
        case s.Tell():
            return True
        case s.Assign(target=target):
            ref = model.refs.get(target)
            return ref is not None and ref.kind == "remember" and ref.name in unread
    return False


def _does_nothing(part: object) -> bool:
    match part:
        case s.If(branches=branches, otherwise=()):
            return not any(body for _, body in branches)
        case s.ForEach(body=()):
            return True
    return False


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
    subject, report = reader(name), Read(name, reader(name).mutants)
    for _, heard in sampled(_hear, name, len(subject.mutants), sample, seed, jobs, until):
        if heard is not None:
            report.heard.append(heard)
            if (heard.same and not heard.why) or heard.strays or heard.wordless:
                told(subject.mutants[heard.number], heard)
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
