"""The order of a rulebook: what stands under which heading.

A rule stands below the procedure that all ways to it go through: one that is called once below its caller, one that
several parts of the game come to in a section of its own, to which they point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from wongar_dsl import syntax as s
from wongar_dsl.model import CardSort, Model, Type
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.book import ENDING, Block, Prose, Rulebook, Section, Table, key_of
from wongar_dsl.prose.declared import Declared
from wongar_dsl.prose.ending import Endings
from wongar_dsl.prose.keeping import decisive, has_sentence, only_sets, set_back
from wongar_dsl.prose.overall import Overall, calls
from wongar_dsl.prose.phrases import plan_of
from wongar_dsl.prose.plan import Entity, Mention
from wongar_dsl.prose.refer import Referring
from wongar_dsl.prose.short import lines as lines_in_short
from wongar_dsl.words import Listing, Nominal, Said, Value, Words

#: How deep sections stand in each other; what is called deeper stands beside its caller.
DEEPEST = 3

#: How many cards are named in a heading.
MOST_NAMED = 6

A = TypeVar("A", bound=s.Article)
N = TypeVar("N", bound=s.Node)


def rulebook(model: Model, words: Words, players: int | None = None) -> Rulebook:
    """The rules of a game, for all numbers of players or for one of them; the same for the words of any language."""
    low, high = model.players
    seats = tuple(range(low, high + 1)) if players is None else (players,)
    account = Account()
    overall = Overall.of(model)
    outline = _Outline(model, words, Declared(model, words, seats, account, overall), account, overall, players)
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
    overall: Overall
    #: How many play, None where the book is for any number.
    seats: int | None
    #: The rules that stand below each procedure; those below none have sections of their own.
    below: Mapping[s.Article | None, tuple[s.Rule, ...]] = field(default_factory=dict)
    #: The rules that do nothing but to set all back that they set, and what that is.
    back: Mapping[s.Rule, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.below = _placed(self.model, self.words, self.declared.scope, self.overall.dead)
        self._leave_dead()
        self.back = dict(self._setting_back())
        for node, on in decisive(self.overall.keeping):
            self.account.hang(node, *on)
        for node, why in self.overall.needless.items():
            if isinstance(node, s.Call) and isinstance(node.call, s.Called):
                self.account.leave(self.model.code.rules[node.call.name], "implied", why)

    def _leave_dead(self) -> None:
        """Leave out what nothing comes to; whether something does hangs on the calls on all ways there."""
        callers: dict[str, list[tuple[s.Article, s.Called]]] = {}
        for caller in self.model.code.articles:
            for call in calls(caller):
                callers.setdefault(call.name, []).append((caller, call))
        for article in (*self.model.code.rules.values(), *self.model.code.defines.values()):
            names, ways = [article.name.text], list[s.Node]()
            for name in names:
                ways += (call for _, call in callers.get(name, ()))
                above = (one for one, _ in callers.get(name, ()) if isinstance(one, s.Rule | s.Define))
                names += {one.name.text for one in above} - {*names}
            self.account.hang(article, *ways)
            if article in self.overall.dead:
                self.account.leave(article, "folded", "nobody comes there")

    def sections(self) -> Iterator[Section]:
        """All sections, in the order of printed rulebooks."""
        in_short = lines_in_short(self.model, self.words)
        if in_short:
            yield Section("short", Said("rulebook.short"), (Prose("short", in_short, self.model.merged.head),))
        yield Section("contents", Said("rulebook.contents"), tuple(self._contents()))
        yield Section("board", Said("rulebook.board"), tuple(self._board()))
        places = tuple(self._places())
        match places:
            case (Table(key="remembered", title=Said() as remembered) as table, *below):
                # Nothing lies anywhere, so that its heading is that of the section.
                yield Section("places", remembered, (replace(table, title=None), *below))
            case _:
                yield Section("places", Said("rulebook.places"), places)
        setup = next((a for a in self.model.code.course if isinstance(a, s.Setup)), None)
        play = next((a for a in self.model.code.course if isinstance(a, s.Play)), None)
        ending = _ending(play) if play is not None else frozenset()
        if setup is not None:
            done = self._procedure(setup, 1, "setup", Said("rulebook.setup"))
            laid = self.declared.laid_out(self._of(s.Board), self._of(s.Track))
            yield replace(done, blocks=(*laid, *done.blocks))
        if play is not None:
            yield self._procedure(play, 1, "play", Said("rulebook.play"), ending)
        yield Section("cards", Said("rulebook.cards"), (), tuple(self._cards()))
        others = tuple(self._rule(rule, 2) for rule in self._told(self.below.get(None, ())))
        yield Section("rules", Said("rulebook.rules"), (), others)
        when = tuple(self._when(play)) if play is not None else ()
        yield Section("end", Said("rulebook.end"), (*when, *self._winner()), self._last(play, ending))
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
            setting = tuple(self._setting())
            for article in known:
                # Whether the table says when a value is set back hangs on all values.
                self.account.hang(article, *setting)
            yield self.declared.remembered(known, self._again())
        scores = self._of(s.Score)
        if scores:
            yield self.declared.scores(scores)

    def _only_told(self, article: s.Remember) -> bool:
        """Whether only messages speak of a remembered value, so that players need not keep it in mind."""
        told = article.name.text in self.overall.untold
        if told:
            self.account.leave(article, "news", "only messages speak of it")
        return told

    def _tables(self) -> Iterator[Block]:
        for article in self.model.merged.articles:
            match article:
                case s.Table() if self._only_booked(article):
                    self.account.leave(article, "news", "it only says under which heading points are listed")
                case s.Table():
                    yield self.declared.table(article)
                case s.Paths():
                    yield self.declared.paths(article)
                case s.Coverings():
                    yield self.declared.coverings(article)
                case s.Shapes():
                    yield from self.declared.shapes(article)

    def _only_booked(self, article: s.Table) -> bool:
        """Whether a table only tells apart where points come from."""
        asked = [e for e, ref in self.model.refs.items() if (ref.kind, ref.name) == ("table", article.name.text)]
        return self._booking(asked)

    def _booking(self, asked: Collection[s.Node]) -> bool:
        """Whether something is asked for, and only to say under which heading points are listed."""
        booked = {id(node) for gain in self.overall.nodes(s.Gain) for node in s.walk(gain.origin)}
        return bool(asked) and booked.issuperset(map(id, asked))

    def _setting_back(self) -> Iterator[tuple[s.Rule, tuple[str, ...]]]:
        """The rules with a sentence of their own that only set all back, and which remembered values these are."""
        for rule in self.model.code.rules.values():
            if not self.words.knows(f"rule.{rule.name.text}", self.declared.scope) or not only_sets(rule.body):
                continue
            refs = [self.model.refs.get(node.target) for node in s.walk(rule.body) if isinstance(node, s.Assign)]
            names = {ref.name for ref in refs if ref is not None}
            for article in self._of(s.Remember):
                if article.name.text in names:
                    # Whether the rule is said, or the value is said to be as at the start, each decides of the other.
                    self.account.hang(rule, article, *rule.body)
                    self.account.hang(article, rule)
            if set_back(self.model, rule.body):
                yield rule, tuple(names)

    def _setting(self) -> Iterator[s.Node]:
        """What remembered values are at the start, and what sets them."""
        for article in self._of(s.Remember):
            yield from () if article.start is None else (article.start,)
        for node in self.overall.nodes(s.Assign):
            ref = self.model.refs.get(node.target)
            if ref is not None and ref.kind == "remember":
                yield from (node.target, node.value)

    def _again(self) -> Mapping[str, Value]:
        """When a remembered value is again what it is at the start, where that is not said in the rules themselves."""
        found: dict[str, list[Value]] = {}
        keeping = self.overall.keeping
        somebody = Entity("player", Type("player"), Nominal(self.declared.term("player"), ("def",)), given=True)
        for article in self._of(s.Remember):
            name = article.name.text
            # What another one sets back is said where that does it.
            owners = [one for one in keeping.within.get(name, ()) if has_sentence(self.words, self.model, one)]
            if owners:
                found.setdefault(name, []).extend(self._carried_out(owner, somebody) for owner in owners)
                self.account.hang(article, *(node for node, kept in keeping.back if kept == name))
        for rule, names in self.back.items():
            for name in names:
                found.setdefault(name, []).append(self._called(rule))
        return {
            name: Referring().clause(Said("prose.or", {"all": Listing(tuple(every))})) for name, every in found.items()
        }

    def _carried_out(self, article: s.Procedure, somebody: Entity) -> Said:
        """That somebody carries out a rule, whoever and whatever it is about."""
        values: dict[str, Value] = {}
        for local in self.model.parameters.get(article, ()):
            own, sort = f"{article.name.text}.{local.name}", local.type.name or local.type.kind
            head = own if self.words.has_term(own, self.declared.scope) else sort
            values[local.name] = Nominal(self.declared.term(head), ("def",))
            if local.type.kind == "player":
                values[local.name] = values.setdefault("player", Mention.of(somebody))
        return Said(f"rule.{article.name.text}", values)

    # ---- what is done ----

    def _heading(self, article: s.Procedure) -> Value:
        """A title of its own, else what its call says, else its name."""
        name, game = article.name.text, self.declared.scope
        if self.words.knows(f"title.{name}", game) or not self.words.knows(f"rule.{name}", game):
            return self.declared.title(name)
        return Said("rulebook.heading.deed", {"deed": self._called(article)})

    def _called(self, article: s.Procedure) -> Said:
        """The sentence that says that a rule is carried out."""
        values = {local.name: self.declared.term(local.name) for local in self.model.parameters.get(article, ())}
        return Said(f"rule.{article.name.text}", values)

    def _prose(self, article: s.Procedure | s.Define | s.Winner) -> Prose:
        plans, account = plan_of(self.model, article, self.words, self.seats, overall=self.overall)
        self.account.add(account)
        said = (article, *self._written_out_in(article))
        for one in said:
            self.account.say(one)
            if not isinstance(one, s.Winner):
                self.account.say(*(node for typed in one.parameters for node in s.walk(typed)))
            if isinstance(one, s.Procedure):
                self.account.say(*s.walk(one.gives))
        return Prose(key_of(article), plans, article, self.declared.notes(*said))

    def _written_out_in(self, article: s.Article) -> Iterator[s.Rule | s.Define]:
        """The rules and conditions without words of their own whose content stands in what is said of an article."""
        code, headed = self.model.code, {rule for rules in self.below.values() for rule in rules}
        seen: set[s.Article] = {article}
        waiting = [article]
        while waiting:
            for name in (call.name for call in calls(waiting.pop())):
                called = code.rules.get(name) or code.defines.get(name)
                if called is None or called in seen or called in headed or self._defined(called):
                    continue
                seen.add(called)
                waiting.append(called)
                yield called

    def _defined(self, article: s.Article) -> bool:
        """Whether it is a definition with a line of its own: a number, or a condition that has words."""
        if not isinstance(article, s.Define):
            return False
        truth = self.model.types[article.value].kind == "truth"
        return not truth or self.words.knows(f"define.{article.name.text}", self.declared.scope)

    def _procedure(
        self, article: s.Procedure, level: int, key: str, heading: Value, but: frozenset[str] = frozenset()
    ) -> Section:
        """A procedure, with the rules that only it comes to below it."""
        inner = [rule for rule in self._told(self.below.get(article, ())) if rule.name.text not in but]
        return Section(key, heading, (self._prose(article),), tuple(self._rule(rule, level + 1) for rule in inner))

    def _told(self, rules: Iterable[s.Rule]) -> Iterator[s.Rule]:
        """The rules that players need to read: not what only says where points are listed, or sets all back."""
        for rule in rules:
            if self._booking([node for node in self.overall.nodes(s.Called) if node.name == rule.name.text]):
                self.account.leave(rule, "news", "it only says under which heading points are listed")
            elif rule in self.back:
                self.account.leave(rule, "implied", "it sets all back to what it is at the start")
            else:
                yield rule

    def _rule(self, rule: s.Rule, level: int) -> Section:
        return self._procedure(rule, level, key_of(rule), self._heading(rule))

    def _last(self, play: s.Play | None, ending: frozenset[str]) -> tuple[Section, ...]:
        """The rules that the game ends with."""
        return tuple(self._rule(rule, 2) for rule in self.below.get(play, ()) if rule.name.text in ending)

    def _cards(self) -> Iterator[Section]:
        """Each sort of cards, and in it what each kind of card does."""
        for cards in self._of(s.Cards):
            sort = self.model.cards[cards.name.text]
            self.declared.said(cards)
            effects = {effect.name.text: effect for effect in self.model.code.effects.get(sort.name, ())}
            inner = []
            for kind in sort.kinds:
                if kind in effects:
                    section = self._procedure(effects[kind], 3, f"effect.{kind}", self._face(sort, kind))
                    inner.append(replace(section, blocks=(self.declared.faces(cards, kind), *section.blocks)))
            if inner:
                yield Section(f"cards.{sort.name}", self.declared.title(sort.name), (), tuple(inner))

    def _face(self, sort: CardSort, kind: str) -> Value:
        """A title of its own, else the names of all cards that do the same."""
        faces = [face.name for face in sort.faces if face.kind == kind]
        if self.words.knows(f"title.{kind}", self.declared.scope) or not 1 <= len(faces) <= MOST_NAMED:
            return self.declared.title(kind)
        if len(faces) == 1:
            return self.declared.term(faces[0])
        return Said("rulebook.faces", {"what": Listing(tuple(map(self.declared.term, faces)))})

    # ---- the end, and what words mean ----

    def _when(self, play: s.Play) -> Iterator[Block]:
        """When the game ends, with the sections that say more of it."""
        lines = Endings(self.model, self.words, self.overall, self.seats).lines()
        if lines:
            yield Prose(ENDING, lines, play)

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
            if self._defined(define) and define not in self.overall.dead:
                yield self._prose(define)


def _placed(
    model: Model, words: Words, scope: str, dead: Collection[s.Article]
) -> dict[s.Article | None, tuple[s.Rule, ...]]:
    """For each procedure the rules that stand below it; those of None are come to from several."""
    every = {
        article: [
            model.code.rules[n] for n in dict.fromkeys(c.name for c in calls(article.body)) if n in model.code.rules
        ]
        for article in model.code.procedures
        if article not in dead
    }
    statements = {id(node.call) for article in every for node in s.walk(article.body) if isinstance(node, s.Call)}
    called_ = (call for article in model.code.articles if article not in dead for call in calls(article))
    asked = frozenset(call.name for call in called_ if id(call) not in statements)
    inlined = frozenset(
        rule
        for rule in model.code.rules.values()
        if rule not in dead
        and not words.knows(f"rule.{rule.name.text}", scope)
        and rule.name.text not in asked
        and _written_out(rule, every)
    )
    procedures = [article for article in every if article not in inlined]
    called = {article: list(_reached(article, every, inlined)) for article in procedures}
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
    for rule in dict.fromkeys((*order, *(one for one in every if isinstance(one, s.Rule) and one not in inlined))):
        found.setdefault(place(rule), []).append(rule)
    return {article: tuple(inner) for article, inner in found.items()}


def _written_out(rule: s.Rule, calls: Mapping[s.Procedure, Sequence[s.Rule]]) -> bool:
    """Whether a rule without a sentence that says that it is called can stand where it is."""
    if not any(rule in called for called in calls.values()):
        return False
    seen, waiting = set[s.Procedure](), list(calls[rule])
    while waiting:
        at = waiting.pop()
        if at is rule:
            return False  # It comes to itself, and can stand nowhere whole but by itself.
        if at not in seen:
            seen.add(at)
            waiting += calls[at]
    return True


def _reached(
    article: s.Procedure, calls: Mapping[s.Procedure, Sequence[s.Rule]], inlined: frozenset[s.Rule]
) -> Iterator[s.Rule]:
    """The rules that a procedure points to, those too that stand in rules that are written out in it."""
    found: dict[s.Rule, None] = {}
    seen, waiting = set[s.Procedure](), [article]
    while waiting:
        for rule in calls[waiting.pop()]:
            if rule not in inlined:
                found.setdefault(rule)
            elif rule not in seen:
                seen.add(rule)
                waiting.append(rule)
    return iter(found)


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
    blocks = (
        play.body,
        *(b for node in s.walk(play.body) if isinstance(node, s.StatementNode) for b in s.blocks(node)),
    )
    return frozenset(
        before.call.name
        for block in blocks
        for before, last in pairwise(block)
        if isinstance(last, s.Simple) and last.word == "end game"
        if isinstance(before, s.Call) and isinstance(before.call, s.Called)
    )
