"""The order of a rulebook: what stands under which heading.

A rule stands below the procedure that all ways to it go through: one that is called once below its caller, one that
several parts of the game come to in a section of its own, to which they point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TypeVar

from wongar_dsl import syntax as s
from wongar_dsl.model import Model
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.book import Block, Picture, Prose, Rulebook, Section, key_of
from wongar_dsl.prose.context import unread
from wongar_dsl.prose.declared import Declared
from wongar_dsl.prose.phrases import plan_of
from wongar_dsl.words import Said, Value, Words

#: How deep sections stand in each other; what is called deeper stands beside its caller.
DEEPEST = 3

A = TypeVar("A", bound=s.Article)


def rulebook(model: Model, words: Words, players: int | None = None) -> Rulebook:
    """The rules of a game, for all numbers of players or for one of them; the same for the words of any language."""
    low, high = model.players
    seats = tuple(range(low, high + 1)) if players is None else (players,)
    account = Account()
    outline = _Outline(model, words, Declared(model, words, seats, account), account, players)
    books = {book.name: book.title for book in model.merged.head.books}
    account.say(model.merged.head, *model.merged.head.books, *model.merged.head.sources)
    sections = tuple(section for section in outline.sections() if section.blocks or section.sections)
    return Rulebook(outline.declared.scope, seats, sections, books, account)


def left_over(model: Model, book: Rulebook) -> Iterator[s.Node]:
    """The nodes of the rules that nothing in a rulebook says, and that no reason stands for."""
    for article in (model.merged.head, *model.merged.articles):
        yield from book.account.left_over(article)


@dataclass(slots=True)
class _Outline:
    """The sections of one game."""

    model: Model
    words: Words
    declared: Declared
    account: Account
    #: How many play, None where the book is for any number.
    seats: int | None
    #: The rules that stand below each procedure; those below none have sections of their own.
    below: Mapping[s.Article | None, tuple[s.Rule, ...]] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.below = _placed(self.model)
        self.unread = unread(self.model)

    def sections(self) -> Iterator[Section]:
        """All sections, in the order of printed rulebooks."""
        yield Section("contents", Said("rulebook.contents"), tuple(self._contents()))
        yield Section("board", Said("rulebook.board"), tuple(self._board()))
        yield Section("places", Said("rulebook.places"), tuple(self._places()))
        setup = next((a for a in self.model.code.course if isinstance(a, s.Setup)), None)
        play = next((a for a in self.model.code.course if isinstance(a, s.Play)), None)
        ending = _ending(play) if play is not None else frozenset()
        if setup is not None:
            yield self._procedure(setup, 1, "setup", Said("rulebook.setup"))
        if play is not None:
            yield self._procedure(play, 1, "play", Said("rulebook.play"), ending)
        yield Section("cards", Said("rulebook.cards"), (), tuple(self._cards()))
        others = tuple(self._rule(rule, 2) for rule in self._headed(None))
        yield Section("rules", Said("rulebook.rules"), (), others)
        yield Section("end", Said("rulebook.end"), tuple(self._winner()), self._last(play, ending))
        yield Section("tables", Said("rulebook.tables"), tuple(self._tables()))
        yield Section("terms", Said("rulebook.terms"), tuple(self._terms()))
        options = self._of(s.Option)
        yield Section("options", Said("rulebook.options"), (self.declared.options(options),) if options else ())

    def _of(self, sort: type[A]) -> list[A]:
        return [article for article in self.model.merged.articles if isinstance(article, sort)]

    # ---- things ----

    def _contents(self) -> Iterator[Block]:
        items = self.declared.contents()
        if items.items:
            yield items
        for deck in self._of(s.Deck):
            yield self.declared.deck(deck)

    def _board(self) -> Iterator[Block]:
        for board in self._of(s.Board):
            yield from self.declared.board(board)
        for track in self._of(s.Track):
            yield from self.declared.track(track)
        figures = self._of(s.Figure)
        if figures:
            yield self.declared.figures(figures)

    def _places(self) -> Iterator[Block]:
        zones = self._of(s.Zone)
        if zones:
            yield self.declared.zones(zones)
        known = [article for article in self._of(s.Remember) if not self._only_told(article)]
        if known:
            yield self.declared.remembered(known)
        scores = self._of(s.Score)
        if scores:
            yield self.declared.scores(scores)

    def _only_told(self, article: s.Remember) -> bool:
        """Whether a remembered value decides nothing: only messages, and what sets it, speak of it."""
        name = article.name.text
        if name not in self.unread:
            return False
        self.account.leave(article, "news", "only messages speak of it")
        return True

    def _tables(self) -> Iterator[Block]:
        for article in self.model.merged.articles:
            match article:
                case s.Table():
                    yield self.declared.table(article)
                case s.Paths():
                    yield self.declared.paths(article)
                case s.Coverings():
                    yield self.declared.coverings(article)
                case s.Shapes():
                    yield from self.declared.shapes(article)

    # ---- what is done ----

    def _heading(self, article: s.Procedure) -> Value:
        """A title of its own, else what its call says, else its name."""
        name, game = article.name.text, self.declared.scope
        if self.words.knows(f"title.{name}", game) or not self.words.knows(f"rule.{name}", game):
            return self.declared.title(name)
        values = {local.name: self.declared.term(local.name) for local in self.model.parameters.get(article, ())}
        return Said("rulebook.heading.deed", {"deed": Said(f"rule.{name}", values)})

    def _prose(self, article: s.Procedure | s.Define | s.Winner) -> Prose:
        plans, account = plan_of(self.model, article, self.words, self.seats)
        self.account.fates.update(account.fates)
        if not isinstance(article, s.Winner):
            self.account.say(*(node for typed in article.parameters for node in s.walk(typed)))
        if isinstance(article, s.Procedure):
            self.account.say(*s.walk(article.gives))
        self.account.say(article)
        return Prose(key_of(article), plans, article, self.declared.notes(article))

    def _procedure(
        self, article: s.Procedure, level: int, key: str, heading: Value, but: frozenset[str] = frozenset()
    ) -> Section:
        """A procedure, with the rules that only it comes to below it."""
        inner = [rule for rule in self._headed(article) if rule.name.text not in but]
        return Section(key, heading, (self._prose(article),), tuple(self._rule(rule, level + 1) for rule in inner))

    def _headed(self, article: s.Article | None) -> Iterator[s.Rule]:
        """The rules that stand below a procedure; one without words of its own is written out where it is called."""
        for rule in self.below.get(article, ()):
            if self.words.knows(f"rule.{rule.name.text}", self.declared.scope):
                yield rule
            else:
                yield from self._headed(rule)

    def _rule(self, rule: s.Rule, level: int) -> Section:
        return self._procedure(rule, level, key_of(rule), self._heading(rule))

    def _last(self, play: s.Play | None, ending: frozenset[str]) -> tuple[Section, ...]:
        """The rules that the game ends with."""
        return tuple(self._rule(rule, 2) for rule in self._headed(play) if rule.name.text in ending)

    def _cards(self) -> Iterator[Section]:
        """Each sort of cards, and in it what each kind of card does."""
        for cards in self._of(s.Cards):
            sort = self.model.cards[cards.name.text]
            self.declared.said(cards)
            effects = {effect.name.text: effect for effect in self.model.code.effects.get(sort.name, ())}
            inner = []
            for kind in sort.kinds:
                pictures = tuple(
                    Picture(f"cards.{sort.name}.{face.name}", "card", face.name, cards, sort.name)
                    for face in sort.faces
                    if face.kind == kind
                )
                if kind in effects:
                    section = self._procedure(effects[kind], 2, f"effect.{kind}", self._face(kind))
                    inner.append(replace(section, blocks=(*pictures, *section.blocks)))
            if inner:
                yield Section(f"cards.{sort.name}", self.declared.title(sort.name), (), tuple(inner))

    def _face(self, kind: str) -> Value:
        return self.declared.title(kind)

    # ---- the end, and what words mean ----

    def _winner(self) -> Iterator[Block]:
        winner = self.model.code.winner
        if winner is not None:
            yield self._prose(winner)

    def _terms(self) -> Iterator[Block]:
        kinds = list(self.declared.enumerations(self._of(s.Enumeration)))
        if kinds:
            first = kinds[0].origin
            assert isinstance(first, s.Article)
            yield Prose("kinds", tuple(kinds), first, self.declared.notes(*self._of(s.Enumeration)))
        for define in self._of(s.Define):
            # A condition without words of its own is written out where it is asked.
            truth = self.model.types[define.value].kind == "truth"
            if not truth or self.words.knows(f"define.{define.name.text}", self.declared.scope):
                yield self._prose(define)


def _calls(tree: object) -> Iterator[str]:
    """The rules and definitions that are called there, in their order."""
    for node in s.walk(tree):
        if isinstance(node, s.Called):
            yield node.name


def _placed(model: Model) -> dict[s.Article | None, tuple[s.Rule, ...]]:
    """For each procedure the rules that stand below it; those of None are come to from several."""
    rules = model.code.rules
    procedures = [article for article in model.code.articles if isinstance(article, s.Procedure)]
    called = {article: [rules[n] for n in dict.fromkeys(_calls(article.body)) if n in rules] for article in procedures}
    callers: dict[s.Article, list[s.Article]] = {article: [] for article in procedures}
    for article, inner in called.items():
        for rule in inner:
            if rule is not article:
                callers[rule].append(article)
    above = _dominators(procedures, callers)
    found: dict[s.Article | None, list[s.Rule]] = {None: []}

    def place(rule: s.Rule) -> s.Article | None:
        """What a rule stands below: not deeper than headings go."""
        chain: list[s.Article] = []
        at: s.Article | None = above.get(rule)
        while at is not None and at not in chain:
            chain.append(at)
            at = above.get(at)
        return chain[-(DEEPEST - 1) :][0] if chain else None

    order = [rule for article in procedures for rule in called[article]]
    for rule in dict.fromkeys((*order, *rules.values())):
        found.setdefault(place(rule), []).append(rule)
    return {article: tuple(inner) for article, inner in found.items()}


def _dominators(
    procedures: Sequence[s.Article], callers: Mapping[s.Article, Sequence[s.Article]]
) -> dict[s.Article, s.Article | None]:
    """The innermost procedure that all ways to each one go through, None for those that several ways lead to."""
    everything = frozenset(procedures)
    through: dict[s.Article, frozenset[s.Article]] = {
        article: everything if callers[article] else frozenset({article}) for article in procedures
    }
    changed = True
    while changed:
        changed = False
        for article in procedures:
            if callers[article]:
                shared = frozenset.intersection(*(through[caller] for caller in callers[article]))
                now = shared | {article}
                changed, through[article] = changed or now != through[article], now
    # Rules that only call each other are reached by nobody, and stand below none.
    above: dict[s.Article, s.Article | None] = {}
    for article in procedures:
        outer = through[article] - {article} if through[article] != everything else frozenset()
        above[article] = max(outer, key=lambda one: len(through[one]), default=None)
    return above


def _ending(play: s.Play) -> frozenset[str]:
    """The rules that are called right before the game ends."""
    found: set[str] = set()
    for block in (play.body, *(part for node in s.walk(play.body) for part in _blocks(node))):
        if block and isinstance(block[-1], s.Simple) and block[-1].word == "end game":
            calls = [
                one.call.name if isinstance(one, s.Call) and isinstance(one.call, s.Called) else "" for one in block
            ]
            found.update(takewhile(bool, reversed(calls[:-1])))
    return frozenset(found)


def _blocks(node: s.Node) -> Iterable[s.Block]:
    match node:
        case s.If(branches=branches, otherwise=otherwise):
            return (*(body for _, body in branches), otherwise)
        case s.Repeat(body=body) | s.ForEach(body=body) | s.Choice(body=body):
            return (body,)
        case s.Choose(otherwise=otherwise) if otherwise is not None:
            return (otherwise,)
    return ()
