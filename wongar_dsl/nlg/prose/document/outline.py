"""Outline of a rulebook: assignment of declarations to sections.

A rule is placed below its dominator in the call graph, usually its only caller. A rule that several parts of the game
call has a section of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import TypeVar

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import always_ends_game, ends_game
from wongar_dsl.language.semantics import CardSort, Model, Type
from wongar_dsl.nlg.prose.content.ending import GameEndings
from wongar_dsl.nlg.prose.content.values import evaluate
from wongar_dsl.nlg.prose.document.declarations import DeclarationProse
from wongar_dsl.nlg.prose.document.document_model import (
    ENDING,
    NO_EFFECT,
    Block,
    BookTable,
    CountList,
    Prose,
    Rulebook,
    Section,
)
from wongar_dsl.nlg.prose.document.short_rules import DIFFERENT, SHORT, ShortRules, paragraph_line, place_of
from wongar_dsl.nlg.prose.game_facts import (
    GameFacts,
    calls,
    closure,
    dependencies,
    has_sentence,
    is_pure_assignment,
    resets_to_initial,
    rules_called,
)
from wongar_dsl.nlg.prose.micro.referring_expressions import ReferenceResolver
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Entity,
    Mention,
    Message,
    Plan,
    PlanGroup,
    PlanLine,
    VerbalisationLog,
)
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.words import Listing, NounPhrase, Sentence, Translator, Value

#: Maximum depth of sections; deeper rules are placed beside their callers.
MAX_SECTION_DEPTH = 3

#: Maximum number of cards to name in a heading.
MAX_NAMED_CARDS = 6

#: Statements that change nothing themselves.
_CALM = (s.Let, s.Call, s.CompoundStatement)

A = TypeVar("A", bound=s.Declaration)


def rulebook(model: Model, words: Translator, players: int | None = None) -> Rulebook:
    """Build the rulebook of a game, for all numbers of players or one; the structure is equal in every language."""
    words = words.without_outdated(model.scope, model.changes)
    low, high = model.players
    seats = tuple(range(low, high + 1)) if players is None else (players,)
    log = VerbalisationLog()
    facts = GameFacts.of(model)
    outline = _Outline(model, words, DeclarationProse(model, words, seats, log, facts), log, facts, players)
    books = {book.name: book.title for book in model.merged.head.books}
    head = model.merged.head
    log.mark_said(head, *head.books, *head.sources, *(node for fact in head.facts for node in (fact, *fact.sources)))
    sections = tuple(filter(_has_content, outline.sections()))
    short = Section(SHORT, Sentence("rulebook.short"), tuple(outline.short(sections)))
    return Rulebook(model, seats, (short, *sections) if short.blocks else sections, books, log)


def _has_content(section: Section) -> bool:
    return bool(section.blocks or section.sections)


def unreported(model: Model, book: Rulebook) -> Iterator[s.Node]:
    """Yield the nodes of the rules that the rulebook neither verbalises nor omits with a reason."""
    for article in (model.merged.head, *model.merged.articles):
        yield from book.log.unreported(article)


@dataclass(slots=True)
class _Outline:
    """Builder of the sections of one game."""

    model: Model
    words: Translator
    declared: DeclarationProse
    log: VerbalisationLog
    facts: GameFacts
    #: Number of players, None for a book for any number.
    seats: int | None
    #: The rules below each procedure; those below None have sections of their own.
    below: Mapping[s.Declaration | None, tuple[s.Rule, ...]] = field(default_factory=dict)
    #: The rules that only reset values, with the names of these values.
    resetting_rules: Mapping[s.Rule, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.below = _placed(self.model, self.words, self.model.scope, self.facts.dead)
        self._leave_dead()
        self.resetting_rules = dict(self._find_resetting_rules())
        for node, on in dependencies(self.facts.reset_index):
            self.log.depends_on(node, *on)
        for node, why in self.facts.redundant.items():
            if isinstance(node, s.Call) and isinstance(node.call, s.Called):
                self.log.omit(self.model.code.rules[node.call.name], "implied", why)

    def _leave_dead(self) -> None:
        """Mark unreachable declarations as omitted; reachability depends on all calls on the way."""
        callers: dict[str, list[tuple[s.Declaration, s.Called]]] = {}
        for caller in self.model.code.articles:
            for call in calls(caller):
                callers.setdefault(call.name, []).append((caller, call))
        for effect in (effect for effects in self.model.code.effects.values() for effect in effects):
            self.log.depends_on(effect, *self._of(s.Deck))
            if effect in self.facts.dead:
                self.log.omit(effect, "folded", "nobody comes there")
        for article in (*self.model.code.rules.values(), *self.model.code.defines.values()):
            names, call_nodes = [article.name.text], list[s.Node]()
            for name in names:
                call_nodes += (call for _, call in callers.get(name, ()))
                above = (parent for parent, _ in callers.get(name, ()) if isinstance(parent, s.Rule | s.Define))
                names += {parent.name.text for parent in above} - {*names}
            self.log.depends_on(article, *call_nodes)
            if article in self.facts.dead:
                self.log.omit(article, "folded", "nobody comes there")

    def sections(self) -> Iterator[Section]:
        """Yield all sections after the summary, in the order of printed rulebooks."""
        yield Section("contents", Sentence("rulebook.contents"), tuple(self._contents()))
        yield Section("board", Sentence("rulebook.board"), tuple(self._board()))
        places = tuple(self._places())
        heading: Value = Sentence("rulebook.places")
        match places:
            case (BookTable(key="remembered", title=Sentence() as heading) as table, *below):
                # Without zones, the table of stored values gives the section its heading.
                places = (replace(table, title=None), *below)
        yield Section("places", heading, places)
        setup = next((a for a in self.model.code.main_procedures if isinstance(a, s.Setup)), None)
        play = next((a for a in self.model.code.main_procedures if isinstance(a, s.Play)), None)
        ending = _ending(play) if play is not None else frozenset()
        if setup is not None:
            done = self._procedure(setup, 1, "setup", Sentence("rulebook.setup"))
            laid = self.declared.setup_boards(self._of(s.Board), self._of(s.Track))
            yield replace(done, blocks=(*laid, *self._begins(setup, play), *done.blocks))
        if play is not None:
            done = self._procedure(play, 1, "play", Sentence("rulebook.play"), ending)
            yield replace(done, blocks=(*self._begins(play, setup), *done.blocks))
        yield Section("cards", Sentence("rulebook.cards"), (), tuple(self._cards()))
        others = (self._rule(rule, 2) for rule in self._told(self.below.get(None, ())))
        yield Section("rules", Sentence("rulebook.rules"), (), tuple(filter(_has_content, others)))
        when = tuple(self._when(play)) if play is not None else ()
        yield Section("end", Sentence("rulebook.end"), (*when, *self._winner(play)), self._last(play, ending))
        yield Section("tables", Sentence("rulebook.tables"), tuple(self._tables()))
        yield Section("terms", Sentence("rulebook.terms"), tuple(self._terms()))
        options = self._of(s.Setting)
        yield Section("options", Sentence("rulebook.options"), (self.declared.options(options),) if options else ())
        yield Section("shapes", Sentence("rulebook.shapes"), tuple(self._shapes()))

    def _begins(self, course: s.Procedure, other: s.Procedure | None) -> Iterator[Prose]:
        """Yield who takes the first turn, if the first turns of the game are in this part, in the order of seats, and
        who has the number 1 if the rules name a seat by its number.

        The players choose that themselves, unless the game has words for it; those say nothing about numbers.
        """
        order = sorted(filter(None, (course, other)), key=lambda part: isinstance(part, s.Play))
        seats = [node for node in self.facts.nodes(s.Called) if node.name == "player"]
        begins = next((part for part in order if self._turns(part) is not None), order[0] if seats else None)
        if course is not begins:
            return
        turns = self._turns(course)
        own = f"begins.{course.keyword}"
        messages = ["rulebook.numbered" if turns is None else f"rulebook.begins{'.numbered' if seats else ''}"]
        if turns is not None and self.words.has_message(own, self.model.scope):
            messages = [own, *(["rulebook.numbered.first"] if seats else [])]
        about = (*filter(None, (turns,)), *seats)
        lines = (PlanLine(Sentence(message), course, plain=False, others=about) for message in messages)
        yield Prose(f"{course.keyword}.begins", tuple(lines), course)

    def _turns(self, course: s.Procedure) -> s.ForEach | None:
        """Return the first loop over all players in which they decide one after the other, with the rules it calls."""
        reset_index = self.facts.reset_index
        called = reset_index.reached_procedures(reset_index.calls(course))
        procedures = (procedure for procedure in self.model.code.procedures if procedure in called)
        for node in (part for procedure in (course, *procedures) for part in s.walk(procedure)):
            if not isinstance(node, s.ForEach) or not self._is_every_player(node):
                continue
            inner = reset_index.reached_procedures(reset_index.calls(node))
            if any(isinstance(part, s.Choose) for tree in (node, *inner) for part in s.walk(tree)):
                return node
        return None

    def _is_every_player(self, node: s.ForEach) -> bool:
        kind, domain = self.model.locals[node.variable].type.kind, node.domain
        # A condition may leave out players, but not be about who they are.
        named = any(isinstance(part, s.Compare) and isinstance(part.left, s.Name) for part in s.conjuncts(domain.where))
        return kind == "player" and domain.kind == "all" and not named and domain.extreme is None

    def _of(self, sort: type[A]) -> list[A]:
        return [article for article in self.model.merged.articles if isinstance(article, sort)]

    # ---- the summary ----

    def short(self, sections: Sequence[Section]) -> Iterator[Block]:
        """Yield the summary: the author's paragraphs, and below those that do not hold what these sections say."""
        head, lines, shown = self.model.merged.head, list[Plan](), set[str]()
        articles = self.model.merged.texts()
        for paragraph in ShortRules(self.model, self.words).paragraphs():
            if paragraph.holds != "outdated":
                lines.append(paragraph_line(paragraph, head))
            places = [at for key in paragraph.different if (at := place_of(sections, articles[key])) is not None]
            places = [(section, block) for section, block in places if block.key not in shown]
            shown.update(block.key for _, block in places)
            told = tuple(
                PlanGroup(Sentence("rulebook.short.part", {"what": section.heading}), block.plans, block.article)
                for section, block in places
                if isinstance(block, Prose)
            )
            if places:
                lines.append(PlanGroup(Sentence(DIFFERENT), told, head))
            for section, block in places:
                if isinstance(block, BookTable | CountList):
                    if lines:
                        yield Prose(f"{SHORT}.{block.key}.before", tuple(lines), head)
                        lines = []
                    yield replace(block, key=f"{SHORT}.{block.key}", title=block.title or section.heading, notes=())
        if lines:
            yield Prose(SHORT, tuple(lines), head)

    # ---- components and places ----

    def _contents(self) -> Iterator[Block]:
        items = self.declared.contents()
        if items.items:
            yield items
        for deck in self._of(s.Deck):
            if (cards := self.declared.deck(deck)).items:
                yield cards

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
        articles = [article for article in self._of(s.Remember) if article.name.text not in self.facts.unread]
        for article in self._of(s.Remember):
            if article.name.text in self.facts.unread:
                self.log.omit(article, "news", "only messages speak of it")
        if articles:
            setting = tuple(self._setting())
            for article in articles:
                # The reset column of the table depends on all assignments.
                self.log.depends_on(article, *setting)
            again = self._again()
            lasting = [article for article in articles if article.name.text not in again]
            passing = [article for article in articles if article.name.text in again]
            yield from (self.declared.remembered(part, again) for part in (lasting, passing) if part)
        scores = self._of(s.Score)
        if scores:
            yield self.declared.scores(scores)

    def _tables(self) -> Iterator[Block]:
        for article in self.model.merged.articles:
            if isinstance(article, s.Paths):
                yield self.declared.paths(article)
            elif isinstance(article, s.LookupTable) and not self._is_left_out(article):
                yield self.declared.table(article)

    def _shapes(self) -> Iterator[Block]:
        """Yield the drawings and the solutions of puzzles, which are long and come last."""
        for article in self.model.merged.articles:
            if isinstance(article, s.Coverings):
                yield self.declared.coverings(article)
            elif isinstance(article, s.Shapes):
                yield from self.declared.shapes(article)

    def _is_left_out(self, article: s.LookupTable) -> bool:
        """Return whether players need not know a table; if so, record why.

        A table may only tell the origin of points, or be looked up only in branches that the settings exclude.
        """
        nodes = [e for e, ref in self.model.refs.items() if (ref.kind, ref.name) == ("table", article.name.text)]
        if self._booking(nodes):
            self.log.omit(article, "news", "it only says under which heading points are listed")
            return True
        lookups, off = {*map(id, nodes)}, set[int]()
        for test, body in (pair for node in self.facts.nodes(s.If) for pair in node.branches):
            inner = lookups.intersection(id(node) for node in s.walk(body))
            self.log.depends_on(article, *([test] if inner else []))
            off |= inner if evaluate(self.model, test, self.seats, {}) == 0 else set()
        if not lookups or off != lookups:
            return False
        self.log.omit(article, "folded", "it is known before play")
        return True

    def _booking(self, asked: Collection[s.Node]) -> bool:
        """Return whether some expressions are used, and only for the origin of points."""
        booked = {id(node) for gain in self.facts.nodes(s.Gain) for node in s.walk(gain.origin)}
        return bool(asked) and booked.issuperset(map(id, asked))

    def _find_resetting_rules(self) -> Iterator[tuple[s.Rule, tuple[str, ...]]]:
        """Yield the rules with a sentence that only reset values, with the names of these values."""
        for rule in self.model.code.rules.values():
            if not self.words.has_message(f"rule.{rule.name.text}", self.model.scope) or not is_pure_assignment(
                rule.body
            ):
                continue
            refs = [self.model.ref(node.target) for node in s.walk(rule.body) if isinstance(node, s.Assign)]
            names = {ref.name for ref in refs}
            for article in self._of(s.Remember):
                if article.name.text in names:
                    # Either the rule is described or its values are said to be reset, so each depends on the other.
                    self.log.depends_on(rule, article, *rule.body)
                    self.log.depends_on(article, rule)
            if resets_to_initial(self.model, rule.body):
                yield rule, tuple(names)

    def _setting(self) -> Iterator[s.Node]:
        """Yield the start values of stored values, and the nodes of their assignments."""
        for article in self._of(s.Remember):
            yield from () if article.start is None else (article.start,)
        for node in self.facts.nodes(s.Assign):
            if self.model.ref(node.target).kind == "remember":
                yield from (node.target, node.value)

    def _again(self) -> Mapping[str, Value]:
        """Return the reset condition of stored values, where the rules do not describe it themselves."""
        clauses: dict[str, list[Value]] = {}
        reset_index = self.facts.reset_index
        somebody = Entity("player", Type("player"), NounPhrase(self.declared.term("player"), ("def",)), given=True)
        for article in self._of(s.Remember):
            name = article.name.text
            # Resets by other procedures are described there.
            owners = [o for o in reset_index.owners.get(name, ()) if has_sentence(self.words, self.model, o)]
            if owners:
                clauses.setdefault(name, []).extend(self._carried_out(owner, somebody) for owner in owners)
                self.log.depends_on(article, *(node for node, of in reset_index.redundant_resets if of == name))
        for rule, names in self.resetting_rules.items():
            for name in names:
                clauses.setdefault(name, []).append(self._called(rule))
        return {
            name: ReferenceResolver().clause(Sentence(Message.OR, {"all": Listing(tuple(every))}))
            for name, every in clauses.items()
        }

    def _carried_out(self, article: s.Procedure, somebody: Entity) -> Sentence:
        """Return the clause that a player executes a rule, with definite arguments."""
        values: dict[str, Value] = {}
        for local in self.model.parameters.get(article, ()):
            term_name, sort = f"{article.name.text}.{local.name}", local.type.name or local.type.kind
            head = term_name if self.words.has_term(term_name, self.model.scope) else sort
            values[local.name] = NounPhrase(self.declared.term(head), ("def",))
            if local.type.kind == "player":
                values[local.name] = values.setdefault("player", Mention.of(somebody))
        return Sentence(f"rule.{article.name.text}", values)

    # ---- procedures ----

    def _heading(self, article: s.Procedure) -> Value:
        """Return the heading of a procedure: its title, else its call sentence, else its name."""
        name, game = article.name.text, self.model.scope
        if self.words.has_message(f"title.{name}", game) or not self.words.has_message(f"rule.{name}", game):
            return self.declared.title(name)
        return Sentence("rulebook.heading.deed", {"deed": self._called(article)})

    def _called(self, article: s.Procedure) -> Sentence:
        """Return the sentence for the call of a rule."""
        values = {local.name: self.declared.term(local.name) for local in self.model.parameters.get(article, ())}
        return Sentence(f"rule.{article.name.text}", values)

    def _prose(self, article: s.Procedure | s.Define | s.Winner) -> Prose:
        plans, log = plan_of(self.model, article, self.words, self.seats)
        self.log.add(log)
        if not plans and isinstance(article, s.Procedure) and self._does_nothing(article):
            plans = (PlanLine(Sentence("prose.nothing_happens"), article, plain=False),)
        included = (article, *self._written_out_in(article))
        for part in included:
            self.log.mark_said(part)
            if not isinstance(part, s.Winner):
                self.log.mark_said(*(node for typed in part.parameters for node in s.walk(typed)))
            if isinstance(part, s.Procedure):
                self.log.mark_said(*s.walk(part.gives))
        return Prose(s.key_text(article), plans, article, self.declared.notes(*included))

    def _does_nothing(self, article: s.Procedure) -> bool:
        """Return whether a procedure changes nothing and tells nothing, also in the rules that it calls."""
        procedures = closure([article], lambda procedure: rules_called(self.model, procedure.body))
        nodes = (node for procedure in procedures for node in s.walk(procedure.body))
        acting = (n for n in nodes if isinstance(n, s.StatementNode) and not isinstance(n, _CALM))
        return all(isinstance(node, s.KeywordStatement) and node.word == "nothing" for node in acting)

    def _written_out_in(self, article: s.Declaration) -> Iterator[s.Rule | s.Define]:
        """Yield the rules and conditions without own text that are inlined in a declaration."""
        code, headed = self.model.code, {rule for rules in self.below.values() for rule in rules}

        def called(part: s.Declaration) -> Iterator[s.Declaration]:
            named = (code.rules.get(call.name) or code.defines.get(call.name) for call in calls(part))
            return (a for a in named if a is not None and a not in headed and not self._defined(a))

        parts = closure([article], called)
        return (part for part in parts if part is not article and isinstance(part, s.Rule | s.Define))

    def _defined(self, article: s.Declaration) -> bool:
        """Return whether a declaration is a definition with its own line: a number, or a condition with a sentence."""
        if not isinstance(article, s.Define):
            return False
        truth = self.model.types[article.value].kind == "truth"
        return not truth or self.words.has_message(f"define.{article.name.text}", self.model.scope)

    def _procedure(
        self, article: s.Procedure, level: int, key: str, heading: Value, but: frozenset[str] = frozenset()
    ) -> Section:
        """Build the section of a procedure, with the rules that it dominates below it."""
        rules = [rule for rule in self._told(self.below.get(article, ())) if rule.name.text not in but]
        prose, inner = self._prose(article), [self._rule(rule, level + 1) for rule in rules]
        return Section(key, heading, (prose,) if prose.plans else (), tuple(filter(_has_content, inner)))

    def _told(self, rules: Iterable[s.Rule]) -> Iterator[s.Rule]:
        """Yield the rules that players need to read, without mere bookkeeping and resets."""
        for rule in rules:
            if self._booking([node for node in self.facts.nodes(s.Called) if node.name == rule.name.text]):
                self.log.omit(rule, "news", "it only says under which heading points are listed")
            elif rule in self.resetting_rules:
                self.log.omit(rule, "implied", "it sets all back to what it is at the start")
            else:
                yield rule

    def _rule(self, rule: s.Rule, level: int) -> Section:
        return self._procedure(rule, level, s.key_text(rule), self._heading(rule))

    def _last(self, play: s.Play | None, ending: frozenset[str]) -> tuple[Section, ...]:
        """Return the sections of the rules that the game ends with."""
        rules = (self._rule(rule, 2) for rule in self.below.get(play, ()) if rule.name.text in ending)
        return tuple(filter(_has_content, rules))

    def _cards(self) -> Iterator[Section]:
        """Yield a section for each sort of cards, with the effect of each kind, also if a variant removed it."""
        texts = self.model.merged.texts()
        for cards in self._of(s.Cards):
            sort = self.model.cards[cards.name.text]
            self.log.mark_said(*s.walk(cards))
            effects = {effect.name.text: effect for effect in self.model.code.effects.get(sort.name, ())}
            inner = []
            for kind in sort.kinds:
                key, heading, faces = f"effect.{kind}", self._face(sort, kind), self.declared.faces(cards, kind)
                if kind in effects and effects[kind] not in self.facts.dead:
                    section = self._procedure(effects[kind], 3, key, heading)
                    inner.append(replace(section, blocks=(faces, *section.blocks)))
                elif kind not in effects and key in texts and faces.items:
                    none = PlanLine(Sentence(NO_EFFECT, {"what": self.declared.term(sort.name)}), cards)
                    inner.append(Section(key, heading, (faces, Prose(key, (none,), cards))))
            if inner:
                yield Section(f"cards.{sort.name}", self.declared.title(sort.name), (), tuple(inner))

    def _face(self, sort: CardSort, kind: str) -> Value:
        """Return the heading of a kind of card: its title, else the names of all cards with this effect."""
        in_game = self.facts.faces[sort.name]
        faces = [face.name for number, face in enumerate(sort.faces) if face.kind == kind and number in in_game]
        if self.words.has_message(f"title.{kind}", self.model.scope) or not 1 <= len(faces) <= MAX_NAMED_CARDS:
            return self.declared.title(kind)
        if len(faces) == 1:
            return self.declared.term(faces[0])
        return Sentence("rulebook.faces", {"what": Listing(tuple(map(self.declared.term, faces)))})

    # ---- game end and definitions ----

    def _when(self, play: s.Play) -> Iterator[Block]:
        """Yield the block about the end of the game, with references to further sections."""
        headed = {*self.model.code.procedures} - {*self.model.code.rules.values()}
        headed |= {rule for rules in self.below.values() for rule in rules}
        lines = GameEndings(self.model, self.words, self.seats, headed).lines()
        if lines:
            yield Prose(ENDING, lines, play)

    def _winner(self, play: s.Play | None) -> Iterator[Block]:
        winner, ends = self.model.code.winner, any(map(ends_game, self.facts.nodes(s.KeywordStatement)))
        if winner is None:
            return
        if ends or play is None or not always_ends_game(self.model, play.body):
            yield self._prose(winner)
        else:
            self.log.omit(winner, "folded", "it does not come to that")
            self.log.depends_on(winner, *self.model.code.procedures)

    def _terms(self) -> Iterator[Block]:
        kinds = list(self.declared.enumerations(self._of(s.Enumeration)))
        if kinds:
            first = kinds[0].origin
            assert isinstance(first, s.Declaration)
            yield Prose("kinds", tuple(kinds), first, self.declared.notes(*self._of(s.Enumeration)))
        for define in self._of(s.Define):
            if self._defined(define) and define not in self.facts.dead:
                yield self._prose(define)


def _placed(
    model: Model, words: Translator, scope: str, dead: Collection[s.Declaration]
) -> dict[s.Declaration | None, tuple[s.Rule, ...]]:
    """Return the rules below each procedure; those of None have several callers."""
    procedures = [article for article in model.code.procedures if article not in dead]
    every = {article: [*dict.fromkeys(rules_called(model, article.body))] for article in procedures}
    statements = {id(node.call) for article in every for node in s.walk(article.body) if isinstance(node, s.Call)}
    called_ = (call for article in model.code.articles if article not in dead for call in calls(article))
    queried = frozenset(call.name for call in called_ if id(call) not in statements)
    inlined = frozenset(
        rule
        for rule in model.code.rules.values()
        if rule not in dead
        and not words.has_message(f"rule.{rule.name.text}", scope)
        and rule.name.text not in queried
        and rule in chain.from_iterable(every.values())
        # A recursive rule cannot be written out.
        and rule not in closure(every[rule], every.__getitem__)
    )
    procedures = [article for article in every if article not in inlined]
    called = {article: list(_reached(article, every, inlined)) for article in procedures}
    callers: dict[s.Declaration, list[s.Declaration]] = {article: [] for article in procedures}
    for article, inner in called.items():
        for rule in inner:
            if rule is not article:
                callers[rule].append(article)
    above = _dominators(procedures, callers)
    result: dict[s.Declaration | None, list[s.Rule]] = {None: []}

    def place(rule: s.Rule) -> s.Declaration | None:
        """Return the procedure that a rule is placed below, limited by the depth of headings."""
        above_it: list[s.Declaration] = []
        calling: s.Declaration | None = above.get(rule)
        while calling is not None and calling not in above_it:
            above_it.append(calling)
            calling = above.get(calling)
        return above_it[-(MAX_SECTION_DEPTH - 1) :][0] if above_it else None

    order = [rule for article in procedures for rule in called[article]]
    for rule in dict.fromkeys(
        (*order, *(procedure for procedure in every if isinstance(procedure, s.Rule) and procedure not in inlined))
    ):
        result.setdefault(place(rule), []).append(rule)
    return {article: tuple(inner) for article, inner in result.items()}


def _reached(
    article: s.Procedure, calls: Mapping[s.Procedure, Sequence[s.Rule]], inlined: frozenset[s.Rule]
) -> Iterator[s.Rule]:
    """Yield the rules that a procedure refers to, including by inlined rules."""
    reached = closure(calls[article], lambda rule: calls[rule] if rule in inlined else ())
    return (rule for rule in reached if rule not in inlined)


def _dominators(
    procedures: Sequence[s.Declaration], callers: Mapping[s.Declaration, Sequence[s.Declaration]]
) -> dict[s.Declaration, s.Declaration | None]:
    """Return the immediate dominator of each procedure in the call graph, None for roots."""
    everything = frozenset(procedures)
    through: dict[s.Declaration, frozenset[s.Declaration]] = {
        article: everything if callers[article] else frozenset({article}) for article in procedures
    }
    changed = True
    while changed:
        changed = False
        for article in procedures:
            if callers[article]:
                now = frozenset.intersection(*(through[caller] for caller in callers[article])) | {article}
                changed, through[article] = changed or now != through[article], now
    # Rules that only call each other are unreachable and have no dominator.
    above: dict[s.Declaration, s.Declaration | None] = {}
    for article in procedures:
        outer = through[article] - {article} if through[article] != everything else frozenset()
        above[article] = max(outer, key=lambda candidate: len(through[candidate]), default=None)
    return above


def _ending(play: s.Play) -> frozenset[str]:
    """Return the rules that are called right before the game ends."""
    return frozenset(
        before.call.name
        for block in s.all_blocks(play.body)
        for before, last in pairwise(block)
        if isinstance(last, s.KeywordStatement) and last.word == "end game"
        if isinstance(before, s.Call) and isinstance(before.call, s.Called)
    )
