"""Document plan of the teaching rulebook: the sections of the reference, in the order in which players need them.

Every sentence about a rule is planned as in the reference, so both books say the same; where one player carries out a
rule or a card, the sentences address the reader as that player. The teaching book begins with the aim, gives the set-up
as numbered steps and the game at a glance, and ends with a summary sheet and an index. It leaves out the tables of
zones and of stored values, and rules that only set a flag; `reference_only` lists these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.content.ending import ELSEWHERE
from wongar_dsl.nlg.prose.document.document_model import (
    ENDING,
    GLANCE,
    Block,
    BookTable,
    BookTableRow,
    Prose,
    Rulebook,
    Section,
)
from wongar_dsl.nlg.prose.document.glance import glance
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.questions import questions
from wongar_dsl.nlg.prose.document.short_rules import (
    SHORT,
    ShortRules,
    authored,
    names_used,
    only_sets_flags,
    paragraph_line,
    place_of,
)
from wongar_dsl.nlg.prose.micro.sentence_plan import Message, Plan, PlanGroup, PlanLine, frames, sentences
from wongar_dsl.nlg.prose.pipeline import instructions, plan_of
from wongar_dsl.nlg.words import Listing, Sentence, Term, Text, Translator, Value
from wongar_dsl.nlg.words.lexicon import scopes
from wongar_dsl.nlg.words.locale import INTRODUCTION, NOTE

#: Sections of the rules proper, in the order in which a player meets them.
RULES = ("play", "cards", "rules", "end", "terms", "tables", "options", "shapes")
#: Maximum number of sections that the index names for a term.
MAX_INDEXED_SECTIONS = 3


def teaching_rulebook(model: Model, words: Translator, players: int | None = None) -> Rulebook:
    """Build the teaching rulebook of a game, for all numbers of players or one."""
    reference, words = rulebook(model, words, players), words.without_outdated(model.scope, model.changes)
    sections = tuple(_TeachingPlan(reference, words, players).sections())
    ruled = [section for top in sections if top.key in (*RULES, "setup") for _, section in top.walk()]
    index = _Index(model, words, ruled)
    sections += tuple(_section("index", "rulebook.index", index.blocks()))
    return replace(reference, sections=sections, teaching=True)


def reference_only(teaching: Rulebook, reference: Rulebook) -> list[str]:
    """Return the keys of the blocks of the reference that the teaching book has no part of."""
    # The lines of the glance have the declarations as origins to which they only refer.
    taught = set(_origins(replace(teaching, sections=tuple(part for part in teaching.sections if part.key != GLANCE))))
    blocks = (block for _, section in reference.walk() for block in section.blocks)
    return list(dict.fromkeys(block.key for block in blocks if taught.isdisjoint(_block_origins(block))))


def _origins(book: Rulebook) -> Iterator[tuple[str, s.Node]]:
    return (origin for _, section in book.walk() for block in section.blocks for origin in _block_origins(block))


def _block_origins(block: Block) -> Iterator[tuple[str, s.Node]]:
    """Yield the kind of a block with each node that it describes."""
    nodes: Iterable[s.Node] = (block.article,) if isinstance(block, Prose) else (block.origin,)
    if isinstance(block, Prose) and block.plans:
        nodes = (p.parts[0].origin if isinstance(p, PlanGroup) and p.parts else p.origin for p in block.plans)
    return ((type(block).__name__, node) for node in nodes)


def _section(key: str, message: str, blocks: Iterable[Block]) -> Iterator[Section]:
    """Yield a section unless it would be empty."""
    if kept := tuple(blocks):
        yield Section(key, Sentence(message), kept)


@dataclass(frozen=True)
class _TeachingPlan:
    """Plan of the sections of one teaching book."""

    reference: Rulebook
    words: Translator
    players: int | None

    def sections(self) -> Iterator[Section]:
        """Yield the sections with content, in the order of a book that teaches."""
        rules = [taught for section in filter(None, map(self._find, RULES)) for taught in self._taught(section)]
        about, course, short = self._short(rules)
        glance = (course,) if course is not None else ()
        yield from _section("about", "rulebook.about", about)
        yield from _section("aim", "rulebook.aim", self._aim())
        material = (*self._blocks("contents"), *self._blocks("board"))
        yield from _section("contents", "rulebook.contents", material)
        yield from self._setup()
        yield from _section("secrets", "rulebook.secrets", self._secrets())
        yield from _section(GLANCE, "rulebook.glance", glance)
        yield from rules
        answers = questions(self.reference, self.words)
        if answers.sections:
            yield answers
        yield from self._summary(short, rules, course is not None)

    def _find(self, key: str) -> Section | None:
        return next((section for section in self.reference.sections if section.key == key), None)

    def _blocks(self, key: str) -> tuple[Block, ...]:
        section = self._find(key)
        return section.blocks if section is not None else ()

    # ---- before the rules ----

    def _short(self, rules: Sequence[Section]) -> tuple[tuple[Block, ...], Prose | None, tuple[Plan, ...]]:
        """Return what the game is about, the lines on its course, and both for the sheet with all rules in short.

        The first paragraph of these says what the game is about, and that of a variant how it differs.
        """
        model = self.reference.model
        short = ShortRules(model, self.words)
        paragraphs = list(short.paragraphs())
        by_variants = {f"rules.{name}" for name in model.merged.names[1:]}
        intro = tuple(self._introductions())
        # With an introduction, a first paragraph that does not say who wins is about the course of the game.
        first = [p for p in paragraphs[:1] if not intro or "winner" in short.articles(p.message)]
        about = [p for p in (*first, *(p for p in paragraphs if p.message in by_variants)) if p.holds != "outdated"]
        book = replace(self.reference, sections=tuple(rules))
        lines = tuple(paragraph_line(paragraph, model.merged.head) for paragraph in about)
        others = [paragraph for paragraph in paragraphs if paragraph not in about]
        course = glance(book, short, others)
        sheet = tuple(plan for block in self._blocks(SHORT) if isinstance(block, Prose) for plan in block.plans)
        if course is None:
            return (*intro, *self._blocks(SHORT)), None, sheet
        sheet += () if others else course.plans
        return (*intro, *self._with_differences(lines)), course, sheet

    def _with_differences(self, lines: Sequence[PlanLine]) -> Iterator[Block]:
        """Yield paragraphs about the game, each with what is different from it in a variant: sentences and tables."""
        short = [part for b in self._blocks(SHORT) for part in (b.plans if isinstance(b, Prose) else (b,))]
        for number, line in enumerate(lines):
            after = short[short.index(line) + 1 :] if line in short else []
            below = list(takewhile(lambda part: not isinstance(part, PlanLine), after))
            plans: tuple[Plan, ...] = (line, *(part for part in below if isinstance(part, PlanGroup)))
            yield Prose(f"about.{number}" if number else "about", plans, self.reference.model.merged.head)
            yield from (replace(t, key=f"about.{t.key}", notes=()) for t in below if isinstance(t, BookTable))

    def _introductions(self) -> Iterator[Prose]:
        """Yield the author's introductions to the game and its variants that hold."""
        model = self.reference.model
        for scope in reversed(scopes(model.scope)):
            message = f"{scope}.{INTRODUCTION}"
            if self.words.has_message(message):
                line = PlanLine(authored(message, model, self.words), model.merged.head, plain=False)
                yield Prose(f"intro.{scope}", (line,), model.merged.head)

    @cached_property
    def _notes(self) -> Mapping[str, Sequence[Prose]]:
        """The author's notes by the key of the block that they follow."""
        model, notes = self.reference.model, dict[str, list[Prose]]()
        sections = [section for section in self.reference.sections if section.key != SHORT]
        for key, article in model.merged.texts().items():
            place = place_of(sections, article) if self.words.has_message(f"{NOTE}{key}", model.scope) else None
            if place is not None:
                text = {"text": authored(f"{NOTE}{key}", model, self.words)}
                line = PlanLine(Sentence("rulebook.remark", text), article, plain=False)
                notes.setdefault(place[1].key, []).append(Prose(f"note.{key}", (line,), article))
        return notes

    def _noted(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield blocks, each with the notes that follow it."""
        for block in blocks:
            yield block
            yield from self._notes.get(block.key, ())

    @property
    def _ranking(self) -> tuple[Prose, ...]:
        """The ranking, or for a game without one the lines about its end, if they say completely who wins."""
        ends = [block for block in self._blocks("end") if isinstance(block, Prose)]
        ranking = [block for block in ends if isinstance(block.article, s.Winner)]
        endings = [block for block in ends if block.key == ENDING]
        complete = all(sentence.message not in ELSEWHERE for block in endings for sentence in sentences(block.plans))
        return tuple(ranking or (endings if complete else ()))

    def _aim(self) -> Iterator[Block]:
        """Yield who wins, and the parts of the rules in which players gain points."""
        for block in self._ranking:
            yield replace(block, key=f"aim.{block.key}", notes=())
        for part in self._blocks("places"):
            if isinstance(part, Prose):
                yield replace(part, plans=tuple(self._scores(part)))

    def _scores(self, scores: Prose) -> Iterator[PlanLine]:
        """Yield the start of each score, with the headings under which it changes."""
        for plan in scores.plans:
            if isinstance(plan, PlanLine) and isinstance(plan.origin, s.Score):
                yield plan
                where = tuple(
                    Sentence("engine.quoted", {"text": section.heading})
                    for section in self._gaining(plan.origin.name.text)
                )
                if where:
                    values: dict[str, Value] = {**plan.sentence.values, "where": Listing(where)}
                    yield PlanLine(Sentence("rulebook.aim.points", values), plan.origin)

    def _gaining(self, score: str) -> Iterator[Section]:
        """Yield the sections of the rules in which players gain or lose a score."""
        for _, section in self.reference.walk():
            is_ruled = any(isinstance(b, Prose) and isinstance(b.article, s.Procedure) for b in section.blocks)
            statements = (node for node in _told_in(section) if isinstance(node, s.StatementNode))
            nodes = (inner for node in statements for inner in s.walk(node))
            if is_ruled and any(isinstance(node, s.Gain) and node.score.text == score for node in nodes):
                yield section

    def _setup(self) -> Iterator[Section]:
        """Yield the set-up, with its sentences as one numbered list."""
        reference = self._find("setup")
        if reference is None and (given := tuple(self._given_at_start())):
            steps = Prose("setup", given, self.reference.model.merged.head, numbered=True)
            yield from _section("setup", "rulebook.setup", (steps,))
        for setup in self._taught(reference) if reference is not None else ():
            remarks = [note for block in setup.blocks for note in self._notes.get(block.key, ())]
            prose = [block for block in setup.blocks if isinstance(block, Prose) and block not in remarks]
            if not prose:
                yield setup
                continue
            plans = (*(plan for block in prose for plan in block.plans), *self._given_at_start())
            notes = tuple(dict.fromkeys(note for block in prose for note in block.notes))
            others = (block for block in setup.blocks if not isinstance(block, Prose))
            steps = replace(prose[-1], plans=plans, notes=notes, numbered=True)
            yield replace(setup, blocks=(*others, steps, *remarks))

    def _given_at_start(self) -> Iterator[PlanLine]:
        """Yield the stored values that start at more than 0 for every player."""
        for article in self.reference.model.merged.articles:
            if isinstance(article, s.Remember) and article.start is not None:
                number = s.written_number(article.start)
                if number is not None and number > 0 and "player" in {word.text for word in article.each}:
                    values: dict[str, Value] = {"score": Term(article.name.text), "n": number}
                    yield PlanLine(Sentence("rulebook.given", values), article, plain=False)

    def _secrets(self) -> Iterator[Block]:
        """Yield the zones whose content only their owner sees."""
        zones = [a for a in self.reference.model.merged.articles if isinstance(a, s.Zone) and a.seen == "owner"]
        if zones:
            what = Listing(tuple(Term(zone.name.text) for zone in zones))
            line = PlanLine(
                Sentence("rulebook.secret.owner", {"what": what}), zones[0], plain=False, others=tuple(zones[1:])
            )
            yield Prose("secrets", (line,), zones[0])

    # ---- the rules ----

    def _taught(self, section: Section) -> Iterator[Section]:
        """Yield a section without rules that only set a flag, unless it becomes empty."""
        if section.key == "end" and any(block.key == ENDING for block in self._ranking):
            return  # The aim has said it.
        inner = tuple(kept for below in section.sections for kept in self._taught(below))
        flags = [b for b in section.blocks if isinstance(b, Prose) and only_sets_flags(self.reference.model, b.article)]
        kept = (block for block in section.blocks if block not in flags)
        blocks = tuple(self._noted(map(self._addressed, kept)))
        if blocks or inner:
            yield replace(section, blocks=blocks, sections=inner)

    def _addressed(self, block: Block) -> Block:
        """Return the sentences about what players do in the words for the readers who do it."""
        model, words = self.reference.model, self.words
        if not isinstance(block, Prose) or not words.lexicon.addresses:
            return block
        if isinstance(block.article, s.Procedure) and block.key == s.key_text(block.article):
            plans, _ = plan_of(model, block.article, words, self.players, teaching=True)
            return replace(block, plans=plans or block.plans)
        plans = _by_ending(block.plans) if block.key == ENDING else block.plans
        return replace(block, plans=instructions(model, words).plans(plans))

    # ---- after the rules ----

    def _summary(self, plans: tuple[Plan, ...], rules: Sequence[Section], has_course: bool) -> Iterator[Section]:
        """Yield the sheet for the table: the rules in short, the effects of cards, and tables needed during play."""
        head, cards = self.reference.model.merged.head, next((part for part in rules if part.key == "cards"), None)
        sheets = tuple(sheet for sort in cards.sections for sheet in self._sheet(sort)) if cards is not None else ()
        if not has_course and not sheets:
            return
        used = {name for part in rules for _, section in part.walk() for name in _names_in(section)}
        tables = (block for block in self._blocks("tables") if isinstance(block, BookTable))
        kept = (table for table in tables if isinstance(table.origin, s.LookupTable) and table.origin.name.text in used)
        blocks: tuple[Block, ...] = (
            *([Prose("summary", plans, head)] if plans else []),
            *(replace(table, key=f"summary.{table.key}", notes=()) for table in kept),
        )
        yield Section("summary", Sentence("rulebook.summary"), blocks, sheets)

    def _sheet(self, sort: Section) -> Iterator[Section]:
        """Yield the effects of a sort of cards, with the headings of the cards as leads, if any are told."""
        effects = tuple(
            PlanGroup(Sentence("rulebook.short.part", {"what": section.heading}), block.plans, block.article)
            for section in sort.sections
            for block in section.blocks
            if isinstance(block, Prose)
        )
        if effects:
            key, head = f"summary.{sort.key}", self.reference.model.merged.head
            yield Section(key, sort.heading, (Prose(key, effects, head),))


def _by_ending(plans: Sequence[Plan]) -> tuple[Plan, ...]:
    """Return the ways in which the game ends, with those to the same end as a list below it."""
    by_end: dict[str, list[Plan]] = {}
    for plan in plans:
        then = plan.sentence.values.get("then") if isinstance(plan, PlanLine) else None
        by_end.setdefault(repr(then or plan), []).append(plan)
    return tuple(joined for ways in by_end.values() for joined in _with_one_end(ways))


def _with_one_end(ways: Sequence[Plan]) -> Iterator[Plan]:
    """Yield the ways to one end: several ones as cases below a lead."""
    cases = [replace(way, sentence=_case(way.sentence)) for way in ways if isinstance(way, PlanLine)]
    match ways:
        case (PlanLine(sentence=Sentence(values={"then": Sentence() as end}), others=(*_, origin)), _, *_):
            yield PlanGroup(Sentence("rulebook.ends_in_cases", {"deed": end}), tuple(cases), origin, options=True)
        case _:
            yield from ways


def _case(way: Sentence) -> Sentence:
    """Return the conditions of an ending as an item of a list."""
    values = {name: value for name, value in way.values.items() if name != "then"}
    match values:
        case {"condition": Sentence(Message.AND, {"all": Listing((Sentence() as deed, *rest))})} if (
            deed.message.startswith("rule.") and all(isinstance(v, Sentence) and _is_plain(v) for v in rest)
        ):
            # The condition is tested while the deed is done.
            after = rest[0] if len(rest) == 1 else Sentence(Message.AND, {"all": Listing(tuple(rest))})
            return Sentence("rulebook.case_then", {"deed": deed, "condition": after})
    return Sentence("rulebook.case_during" if "deed" in values else "rulebook.case", values)


def _is_plain(condition: Sentence) -> bool:
    """Return whether a condition does not consist of others."""
    return not any(isinstance(value, Sentence | Listing) for value in condition.values.values())


@dataclass(frozen=True)
class _Index:
    """Index of the components, zones, cards and rules of a game, with the sections about them.

    `words` name the entries: a rule by its heading without an article.
    """

    model: Model
    words: Translator
    sections: Sequence[Section]

    def blocks(self) -> Iterator[Block]:
        """Yield the table, unless it is empty; rules and things with one name share a row."""
        entries: dict[str, tuple[BookTableRow, dict[str, None]]] = {}
        for article, name, label, forms in (*self._things(), *self._rules()):
            row = BookTableRow(f"index.{name}", Text(label), (), article)
            _, places = entries.setdefault(label.casefold(), (row, {}))
            places.update(dict.fromkeys(self._places(article, name, forms)))
        rows = tuple(
            replace(row, cells=(Listing(tuple(map(Text, [*places][:MAX_INDEXED_SECTIONS]))),))
            for row, places in entries.values()
            if places
        )
        if rows:
            yield BookTable("index", None, None, (), rows, self.model.merged.head, alphabetical=True)

    def _things(self) -> Iterator[tuple[s.Declaration, str, str, Set[str]]]:
        """Yield the named things with their names in the rules and in words, and all forms of the latter."""
        scope = self.model.scope
        for article in self.model.merged.articles:
            if isinstance(article, s.Zone | s.Figure | s.Track | s.Cards):
                name, noun = article.name.text, self.words.lexicon.noun(article.name.text, scope)
                forms = (
                    frozenset(form.casefold() for _, form in noun.forms.entries) if noun is not None else frozenset()
                )
                yield article, name, self.words.capital(self.words.term(name, scope)), forms

    def _rules(self) -> Iterator[tuple[s.Declaration, str, str, Set[str]]]:
        """Yield the rules with sections, with their headings as words."""
        for section in self.sections:
            rule = self.model.code.rules.get(section.key.removeprefix("rule."))
            if rule is not None and section.key == s.key_text(rule):
                heading = self._without_article(self._heading(section))
                yield rule, rule.name.text, self.words.capital(heading), frozenset()

    def _places(self, article: s.Declaration, name: str, forms: Set[str]) -> Iterator[str]:
        """Yield the headings of the sections about a declaration, then of those that name it."""
        key = s.key_text(article)
        headed = [section for section in self.sections if section.key == key]
        headed += (section for section in self.sections if self._is_headed(section, forms))
        named = (section for section in self.sections if name in self._names[section.key])
        yield from (self.words.capital(self._heading(section)) for section in (*headed, *named))

    def _is_headed(self, section: Section, forms: Set[str]) -> bool:
        """Return whether the heading of a section has a word in one of its forms."""
        words = "".join(sign if sign.isalnum() else " " for sign in self._heading(section).casefold())
        return any(f" {form} " in f" {words} " for form in forms)

    def _heading(self, section: Section) -> str:
        return self.words.value(section.heading, self.model.scope)

    def _without_article(self, heading: str) -> str:
        """Return a heading without an article before it; an elided one (*l’*) has no space behind it."""
        articles = (self.words.lexicon.determiners.get(name) for name in ("def", "indef"))
        forms = {form.casefold() for article in articles if article is not None for _, form in article.forms.entries}
        first, mark, rest = heading.partition("’") if "’" in heading.split(" ")[0] else heading.partition(" ")
        return rest if rest and f"{first}{mark}".strip().casefold() in forms else heading

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        return {section.key: _names_in(section) for section in self.sections}


def _names_in(section: Section) -> set[str]:
    """Return the names that the sentences of a section use, without those below it."""
    return {name for node in _told_in(section) for name in names_used(node)}


def _told_in(section: Section) -> tuple[s.Node, ...]:
    """Return the declarations that a section describes, and the nodes of its sentences, with those of inlined rules."""
    prose = [block for block in section.blocks if isinstance(block, Prose)]
    told = (node for block in prose for frame in frames(block.plans) for node in frame.origins)
    return (*(block.article for block in prose), *told)
