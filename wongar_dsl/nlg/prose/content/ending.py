"""Game end in words: each statement that ends the game, with all conditions that lead to it.

If the rules only set a flag that ends the game later, the statements that set the flag are described. A line is only
written if its conditions are complete and can be tested at one moment; otherwise the section refers to the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, takewhile, zip_longest
from typing import NamedTuple

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import NameSets, ends_block, ends_game, ends_rule, leaves_loop
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.content.comparisons import conjunction
from wongar_dsl.nlg.prose.content.conditions import restate
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext, known_entity, mentions, owners_of
from wongar_dsl.nlg.prose.game_facts import GameFacts, has_sentence, is_false_at_first
from wongar_dsl.nlg.prose.micro.referring_expressions import resolve
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Message, Plan, PlanLine
from wongar_dsl.nlg.prose.pipeline import VERBALISERS
from wongar_dsl.nlg.words import NounPhrase, Relative, Sentence, Translator, Value

#: Messages that refer to the rule of an end: of the first one that is told, and of a further one.
ELSEWHERE = ("prose.ends_elsewhere", "prose.also_ends_elsewhere")
#: Maximum number of lines; a game that ends in more ways is described by its rules alone.
MAX_LINES = 8
#: Maximum number of ways to one statement that are examined.
MAX_WAYS = 32


class _TooComplex(Exception):
    """Raised for a way whose conditions cannot be stated completely in one sentence."""


@dataclass(frozen=True, slots=True)
class _Precondition:
    """A guard of a statement: a condition, or that a choice has no option.

    `times` is the number of iterations of a preceding loop.
    """

    condition: s.Expression | None = None
    holds: bool = True
    times: s.Expression | None = None


NOTHING_POSSIBLE = _Precondition()


class _Inner(NamedTuple):
    """An inner block of a statement, with its guards and the names that it binds."""

    body: s.Block
    guards: tuple[_Precondition, ...] = ()
    names: tuple[s.Word, ...] = ()


@dataclass(frozen=True, slots=True)
class _Level:
    """A statement on a way, in its block; `inner` is the block that the way enters, None at its end."""

    block: s.Block
    index: int
    inner: _Inner | None = None

    @property
    def node(self) -> s.Statement:
        return self.block[self.index]


@dataclass(frozen=True, slots=True)
class _StatementSite:
    """A statement of a reachable procedure, with the blocks that contain it."""

    article: s.Procedure
    node: s.Statement
    levels: tuple[_Level, ...]


#: The calls that lead to a statement, and the statement; the outermost is first.
_Way = tuple[_StatementSite, ...]


class _Ending(NamedTuple):
    """A way to the end of the game, or to setting a `flag` that ends it; a guard on this flag is irrelevant."""

    way: _Way
    flag: str = ""

    @property
    def statement(self) -> s.Statement:
        """The statement at the end of the way."""
        return self.way[-1].node


class _Conditions(NamedTuple):
    """The guards of a way, and the selections that identify its options: one of each group must be mentioned."""

    guards: tuple[_Precondition, ...]
    selections: tuple[frozenset[Local], ...]


@dataclass(slots=True)
class _GuardInForce:
    """A guard and what it reads; the statements executed since it was tested, and what they change.

    Without a guard it is an option, which a mention of one of its selections `names` identifies.
    """

    guard: _Precondition | None
    reads: NameSets = field(default_factory=NameSets)
    names: frozenset[Local] = frozenset()
    is_outdated: bool = False
    changed: NameSets = field(default_factory=NameSets)
    passed: list[s.Statement] = field(default_factory=list)


@dataclass
class GameEndings:
    """Generator of the lines about the end of one game; `headed` are the rules with sections of their own."""

    model: Model
    words: Translator
    seats: int | None = None
    headed: Collection[s.Declaration] = ()

    def __post_init__(self) -> None:
        self.facts = GameFacts.of(self.model)

    def lines(self) -> tuple[Plan, ...]:
        """Return one line for each way in which the game ends, and one for each rule that tells of further ways."""
        told, elsewhere = list[PlanLine](), dict[s.Procedure, None]()
        for ending in self._endings():
            try:
                line = self._line(ending)
            except (_TooComplex, NotVerbalisable):
                elsewhere[self._place(ending.way)] = None
                continue
            if not any(repr(line.sentence) == repr(earlier.sentence) for earlier in told):
                told.append(line)
        if len(told) > MAX_LINES:
            elsewhere = dict.fromkeys(self._place(ending.way) for ending in self._endings())
            told = []
        references = (PlanLine(Sentence(ELSEWHERE[bool(told)]), place) for place in elsewhere)
        return tuple(resolve((line,))[0] for line in (*told, *references))

    # ---- ways to the end ----

    @cached_property
    def _sites(self) -> tuple[_StatementSite, ...]:
        reset_index = self.facts.reset_index
        reached = reset_index.reached_procedures(self.model.code.main_procedures)
        articles = (procedure for procedure in reset_index.procedures if procedure in reached)
        return tuple(site for article in articles for site in _sites_in(article, article.body, ()))

    def _endings(self) -> Iterator[_Ending]:
        for site in self._sites:
            if ends_game(site.node):
                for way in self._ways(site):
                    yield from self._causes(way)

    def _causes(self, way: _Way) -> Iterator[_Ending]:
        """Yield a way; instead of one that only waits for a flag, yield the ways to setting it."""
        flags: list[str | None] = []
        with suppress(_TooComplex):
            flags = [self._flag(guard) for guard in self._conditions(_Ending(way)).guards]
        flag = flags[0] if len(flags) == 1 else None
        values = [value for _, value in self._assignments(flag)] if flag is not None else []
        if flag is not None and values and all(isinstance(value, s.Truth) and value.value for value in values):
            yield from self._setting(flag)
        else:
            yield _Ending(way)

    def _ways(self, site: _StatementSite) -> Sequence[_Way]:
        """Return the ways to a statement from the course of the game or a rule with a sentence; one if too many."""
        ways = tuple(islice(self._all_ways(site, frozenset()), MAX_WAYS + 1))
        return ways if len(ways) <= MAX_WAYS else ((site,),)

    def _all_ways(self, site: _StatementSite, inside: frozenset[s.Procedure]) -> Iterator[_Way]:
        article = site.article
        callers = () if self._is_start(article) or article in inside else self._callers.get(article.name.text, ())
        if not callers:
            yield (site,)
        for caller in callers:
            for way in self._all_ways(caller, inside | {article}):
                yield (*way, site)

    def _is_start(self, article: s.Procedure) -> bool:
        return article in self.model.code.main_procedures or self._has_sentence(article)

    def _has_sentence(self, article: s.Procedure) -> bool:
        return has_sentence(self.words, self.model, article)

    @cached_property
    def _callers(self) -> dict[str, list[_StatementSite]]:
        """The calls of each rule."""
        callers: dict[str, list[_StatementSite]] = {}
        for site in self._sites:
            if isinstance(site.node, s.Call) and isinstance(site.node.call, s.Called):
                callers.setdefault(site.node.call.name, []).append(site)
        return callers

    def _place(self, way: _Way) -> s.Procedure:
        """Return the procedure under whose heading a way is told."""
        articles = [site.article for site in reversed(way)]
        return next((article for article in articles if article in self.headed), articles[-1])

    # ---- flags ----

    def _flag(self, guard: _Precondition) -> str | None:
        """Return the stored truth value that a guard tests alone."""
        condition = guard.condition
        if condition is None or not guard.holds:
            return None
        ref = self.model.ref(condition)
        is_flag = ref.kind == "remember" and self.model.types[condition].kind == "truth"
        return ref.name if is_flag else None

    def _assignments(self, flag: str) -> Iterator[tuple[_StatementSite, s.Expression]]:
        for site in self._sites:
            if isinstance(site.node, s.Assign):
                ref = self.model.ref(site.node.target)
                if ref.kind == "remember" and ref.name == flag:
                    yield site, site.node.value

    def _setting(self, flag: str) -> Iterator[_Ending]:
        """Yield the ways to the statements that set a flag; a rule with a sentence stands for its statement."""
        for site, _ in self._assignments(flag):
            own = (guard for level in site.levels if level.inner for guard in level.inner.guards)
            if self._has_sentence(site.article) and all(_asks_for(self.model, guard, flag) for guard in own):
                for caller in self._callers.get(site.article.name.text, ()):
                    yield from (_Ending(way, flag) for way in self._ways(caller))
            else:
                yield from (_Ending(way, flag) for way in self._ways(site))

    # ---- conditions ----

    def _conditions(self, ending: _Ending) -> _Conditions:
        """Return the conditions of a way, which hold together when the last one is tested.

        Raises `_TooComplex` if there are others.
        """
        first = ending.way[0].article
        if not self._is_start(first) or isinstance(first, s.Setup):
            raise _TooComplex  # In the set-up the conditions are only tested once.
        walk = _GuardWalk(self.model, ending, self._writers)
        for site in ending.way:
            for number, level in enumerate(site.levels):
                walk.enter(site, site.levels[: number + 1], level)
        return walk.finish()

    @cached_property
    def _writers(self) -> dict[str, set[s.Statement]]:
        """The statements of the play that change each name."""
        writers: dict[str, set[s.Statement]] = {}
        course = [article for article in self.model.code.main_procedures if not isinstance(article, s.Setup)]
        played = self.facts.reset_index.reached_procedures(course)
        for site in self._sites:
            composite = isinstance(site.node, s.Call | s.Perform) or any(s.blocks(site.node))
            if site.article in played and not composite:
                for name in self.facts.freshness.writes(site.node).state:
                    writers.setdefault(name, set()).add(site.node)
        return writers

    # ---- words ----

    def _line(self, ending: _Ending) -> PlanLine:
        way, deed, first = ending.way, ending.statement, ending.way[0].article
        guards, selections = self._conditions(ending)
        context = ProseContext(self.model, self.words, VERBALISERS, self.seats, inside=(first,))
        questions = tuple(guard.condition for guard in guards if guard.condition is not None)
        binder = _Binder(self.model, context, way)
        for local in self.model.parameters.get(first, ()):
            binder.bind_name(local)
        binder.bind((questions, deed))
        if any(selection.isdisjoint(binder.used) for selection in selections):
            raise _TooComplex
        # The conditions apply only during this rule.
        called = (self._called(context, first),) if self._has_sentence(first) else ()
        conditions = [*called, *(self._condition(context, guard) for guard in guards)]
        if not conditions:
            raise _TooComplex
        mentioned = mentions(tuple(conditions))
        binder.check_mentioned(mentioned, questions)
        if not called:
            binder.name_chooser(mentioned)
        plans = context.body((deed,))
        if len(plans) != 1 or not isinstance(plans[0], PlanLine):
            raise _TooComplex
        message, during = Message.IF, dict[str, Value]()
        if called and len(conditions) > 1 and self._is_of_each_player(way[0]):
            [during["deed"], *conditions] = conditions
            message = "prose.if_during"
        condition = conditions[0] if len(conditions) == 1 else conjunction("and", conditions)
        sentence = Sentence(message, {"condition": restate(condition), **during, "then": plans[0].sentence})
        named = first if self._has_sentence(first) else way[-1].article
        origin = deed if named in self.model.code.main_procedures else named
        times = (guard.times for guard in guards if guard.times is not None)
        return PlanLine(sentence, origin, plain=False, others=(*questions, *times, deed))

    def _is_of_each_player(self, site: _StatementSite) -> bool:
        """Return whether a statement is carried out for one player after the other."""
        loops = (level.inner for level in site.levels if level.node.loops and level.inner is not None)
        bound = (self.model.locals[name] for inner in loops for name in inner.names)
        return any(local.type.kind == "player" for local in bound)

    def _condition(self, context: ProseContext, guard: _Precondition) -> Sentence:
        if guard.times is not None:
            return Sentence("prose.played_times", {"n": context.value(guard.times)})
        if guard.condition is None:
            return Sentence("prose.nothing_possible")
        return context.condition(guard.condition, not guard.holds)

    def _called(self, context: ProseContext, rule: s.Procedure) -> Sentence:
        """Return the clause that a rule is executed, with its own sentence."""
        values: dict[str, Value] = {}
        for local in self.model.parameters.get(rule, ()):
            values[local.name] = context.mention(local)
            if local.type.kind == "player":
                values.setdefault("player", values[local.name])
        return context.game_sentence(f"rule.{rule.name.text}", values)


class _GuardWalk:
    """Collection of the guards along a way."""

    def __init__(self, model: Model, ending: _Ending, writers: Mapping[str, Collection[s.Statement]]) -> None:
        facts = GameFacts.of(model)
        self._model, self._fresh = model, facts.freshness
        self._ending, self._writers = ending, writers
        first, course = ending.way[0].article, model.code.main_procedures
        self._reached = facts.reset_index.reached_procedures(course if first in course else (first,))
        self._in_force: list[_GuardInForce] = []
        #: True if players decide between the last guard and the end.
        self._decided = False

    def enter(self, site: _StatementSite, levels: tuple[_Level, ...], level: _Level) -> None:
        """Follow the way through the statements before one, and into it."""
        course = site.article in self._model.code.main_procedures
        for before in level.block[: level.index]:
            self._pass(before, course and len(levels) == 1 and isinstance(site.article, s.Play), level.block)
        if level.inner is None:
            return
        node, behind = level.node, self._fresh.suspends(level.block[level.index + 1 :])
        if course and behind and not any(isinstance(outer.node, s.Repeat) for outer in levels):
            raise _TooComplex  # A later part of the game has other conditions.
        if isinstance(node, s.ForEach) and (node.domain.kind not in ("all", "from", "span") or node.domain.where):
            raise _TooComplex
        if isinstance(node, s.Choose | s.ChooseSimultaneously):
            self._choose(node, level.inner)
        if node.loops:
            self._change(node)
        # Behind the last loop of the course nothing is decided, so that its condition needs no mention.
        is_last = course and len(levels) == 1 and isinstance(node, s.Repeat) and not behind
        self._test(() if is_last else level.inner.guards)

    def finish(self) -> _Conditions:
        """Return the conditions at the end of the way."""
        changed = self._in_force[-1].changed if self._in_force else NameSets()
        late = not self._ending.flag and changed.intersects(self._fresh.effects.reads(self._ending.statement))
        if self._decided or late:
            raise _TooComplex
        guards, selections = list[_Precondition](), list[frozenset[Local]]()
        for number, each in enumerate(self._in_force, 1):
            later = [other for other in self._in_force[number:] if other.guard is not None]
            if (each.guard is None or each.is_outdated) and self._implies(later, each):
                continue
            if each.is_outdated:
                raise _TooComplex
            if each.guard is None:
                selections.append(each.names)
            else:
                guards.append(each.guard)
        return _Conditions(tuple(guards), tuple(selections))

    def _pass(self, node: s.Statement, is_course: bool, block: s.Block) -> None:
        """Follow the way past a statement."""
        if any(map(ends_rule, s.walk(node))) or leaves_loop(node):
            raise _TooComplex
        if is_course and isinstance(node, s.Repeat):
            self._leave(node, block)
            return
        # The game continues after a condition that ends it only if that condition does not hold.
        failed, rest = _failed_before(node)
        self._test(failed)
        end = self._ending.statement
        simple = self._ending.flag or (isinstance(end, s.KeywordStatement) and end.word == "end game")
        if not simple and any(map(self._may_end, rest)):
            raise _TooComplex
        if self._in_force:
            self._decided = self._decided or self._fresh.suspends(node)
            self._change(node)

    def _may_end(self, node: s.Statement) -> bool:
        """Return whether a statement can end the game otherwise than by an option that does nothing else."""
        if isinstance(node, s.Choose):
            bodies = (*(choice.body for choice in node.options), node.otherwise or ())
            return any(map(self._may_end, (inner for body in bodies if not self._only_ends(body) for inner in body)))
        return ends_game(node) or self._fresh.effects.can_end_loop((node,))

    def _only_ends(self, body: s.Block) -> bool:
        return ends_game(body[-1]) and not self._fresh.effects.writes(body).state if body else False

    def _leave(self, loop: s.Repeat, block: s.Block) -> None:
        """Follow the way past a loop of the course: its end condition holds."""
        if any(map(leaves_loop, loop.body)) or self._in_force:
            raise _TooComplex
        if loop.kind == "times" and any(self._fresh.suspends(other) for other in block if other is not loop):
            raise _TooComplex  # The loop is not the whole course of the game.
        if loop.subject is not None:
            is_counted = loop.kind == "times"
            condition, times = (None, loop.subject) if is_counted else (loop.subject, None)
            self._test((_Precondition(condition, loop.kind != "while", times),))

    def _choose(self, node: s.Choose | s.ChooseSimultaneously, inner: _Inner) -> None:
        """Check that the option needs no mention: it is the only one, or a selection that it alone has identifies it.

        That nothing is possible can only mean the only decision.
        """
        if NOTHING_POSSIBLE in inner.guards:
            nodes = (inner for article in self._reached for inner in s.walk(article.body))
            if [inner for inner in nodes if isinstance(inner, s.Choose | s.ChooseSimultaneously)] != [node]:
                raise _TooComplex
        elif len(node.options) > 1:
            others = {
                self._model.locals[o.name].type for c in node.options if c.body is not inner.body for o in c.parameters
            }
            selected = (self._model.locals[name] for name in inner.names)
            names = frozenset(local for local in selected if local.type not in others)
            self._in_force.append(_GuardInForce(None, names=names))

    def _test(self, guards: tuple[_Precondition, ...]) -> None:
        """Add guards that are tested now; earlier ones may not hold any more."""
        # A guard that the flag is not yet set is irrelevant.
        flag = self._ending.flag
        relevant = [guard for guard in guards if not flag or not _asks_for(self._model, guard, flag)]
        if not relevant:
            return
        inputs = self._fresh.inputs
        added = [_GuardInForce(g, NameSets() if g.condition is None else inputs(g.condition)) for g in relevant]
        for each in self._in_force:
            each.is_outdated = each.is_outdated or each.changed.intersects(each.reads)
        self._in_force += added
        self._decided = False

    def _implies(self, later: Sequence[_GuardInForce], earlier: _GuardInForce) -> bool:
        """Return whether later guards can only hold after an earlier one has held, or an option was chosen.

        That is so for the moment of a choice, and for what is false at first and changes only in between.
        """
        if any(each.guard == NOTHING_POSSIBLE for each in later):
            return True
        passed = {node for statement in earlier.passed for node in s.walk(statement)}
        names = {name for each in later for name in each.reads.state}
        return (
            all(each.reads.local <= self._bound_in(each.guard) for each in later)
            and all(passed.issuperset(self._writers.get(name, ())) for name in names)
            and any(
                g.holds and is_false_at_first(self._model, self._fresh, g.condition)
                for g in (each.guard for each in later)
                if g
            )
        )

    def _bound_in(self, guard: _Precondition | None) -> set[Local]:
        nodes = s.walk(guard.condition if guard is not None else None)
        return {self._model.locals[node] for node in nodes if node in self._model.locals}

    def _change(self, node: s.Statement) -> None:
        if self._in_force:
            changed = self._fresh.writes(node)
            for each in self._in_force:
                each.changed.add(changed)
                each.passed.append(node)


class _Origin(NamedTuple):
    """The binding of a name: by a `let`, to an argument, or by a selection of a `chooser`; else it is indefinite."""

    article: s.Procedure
    value: s.Expression | None = None
    let: s.Let | None = None
    chooser: s.Expression | Local | None = None


class _Binder:
    """Binding of the names on a way in a context in which they are indefinite."""

    def __init__(self, model: Model, context: ProseContext, way: _Way) -> None:
        self._model, self._context = model, context
        self._origins = dict(self._origins_on(way))
        self._kinds: set[str] = set()
        self._is_selection_used = False
        self.used: set[Local] = set()

    def _origins_on(self, way: _Way) -> Iterator[tuple[Local, _Origin]]:
        arguments: tuple[s.Expression, ...] = ()
        for site in way:
            for local, value in zip_longest(self._model.parameters.get(site.article, ()), arguments):
                yield local, _Origin(site.article, value)
            for level in site.levels:
                for let in level.block[: level.index]:
                    if isinstance(let, s.Let):
                        yield self._model.locals[let.variable], _Origin(site.article, let.value, let)
                names = [self._model.locals[name] for name in level.inner.names] if level.inner is not None else []
                chooser: s.Expression | Local | None = getattr(level.node, "chooser", None)
                if isinstance(level.node, s.ChooseSimultaneously) and names:
                    yield names[0], _Origin(site.article)
                    chooser = names.pop(0)
                yield from ((local, _Origin(site.article, chooser=chooser)) for local in names)
            if isinstance(site.node, s.Call) and isinstance(site.node.call, s.Called):
                arguments = site.node.call.arguments

    def bind(self, tree: object) -> None:
        """Bind the names in a tree, and those that their values depend on."""
        for ref in (self._model.ref(node) for node in s.walk(tree)):
            if ref.local in self._origins:
                self.bind_name(ref.local)

    def bind_name(self, local: Local) -> None:
        """Bind a name once."""
        if local in self.used:
            return
        self.used.add(local)
        origin = self._origins[local]
        self.bind((origin.value, origin.chooser if isinstance(origin.chooser, s.Node) else None))
        self._context.inside = (origin.article,)
        if origin.let is not None:
            self._name(origin.let)
        elif origin.value is not None:
            value = self._context.value(origin.value)
            if (entity := known_entity(value)) is not None:
                self._context.entities[local] = entity
            else:
                self._context.bind_new(local, value)
        else:
            self._introduce(local, origin)

    def _name(self, let: s.Let) -> None:
        """Bind a name to its value, or to the term that the rules give it."""
        match self._context.body((let,)):
            case ():
                return
            case (PlanLine(sentence=Sentence(message=Message.AMOUNTS_TO)),):
                if self._context.has_term(self._context.local_term_key(let.variable.text)):
                    return
        raise _TooComplex

    def _introduce(self, local: Local, origin: _Origin) -> None:
        """Bind a name to an indefinite phrase, or to *the square that a player chooses*; two alike are confusing."""
        entity = self._context.given_parameter(owners_of(self._model, origin.article), local)
        sort = local.type.name or local.type.kind
        if isinstance(entity.thing, NounPhrase) and entity.thing.words == ("def",):
            if sort in self._kinds:
                raise _TooComplex
            entity.thing, entity.given = replace(entity.thing, words=("indef",)), False
        self._kinds.add(sort)
        if origin.chooser is not None:
            self._is_selection_used = True
            if isinstance(origin.chooser, Local):
                self.bind_name(origin.chooser)
                chooser = self._context.mention(origin.chooser)
            else:
                chooser = self._context.value(origin.chooser)
            if not isinstance(entity.thing, NounPhrase):
                raise _TooComplex
            chosen = Relative("prose.chooses", "what", {"player": chooser})
            entity.thing = replace(entity.thing, words=("def",), modifiers=(*entity.thing.modifiers, chosen))

    def name_chooser(self, mentioned: frozenset[Entity]) -> None:
        """Name the player who decides *the player who has the turn*, if no selection of this player is mentioned."""
        # Among the players of a condition, *a player* would be any of them.
        own = {entity for local, entity in self._context.entities.items() if local in self._origins}
        others = any(entity.type.kind == "player" for entity in mentioned - own)
        nodes = (node for article in self._model.code.procedures for node in s.walk(article.body))
        deciding = (self._model.ref(node.chooser) for node in nodes if isinstance(node, s.Choose))
        choosers = {ref.local for ref in deciding}
        for local, entity in self._context.entities.items():
            if local in choosers and local.type.kind == "player" and (others or not self._is_selection_used):
                acting = Relative("prose.is_on_turn", "player", {})
                entity.thing = NounPhrase(self._context.term("player"), ("def",), (acting,))

    def check_mentioned(self, said: frozenset[Entity], conditions: Sequence[s.Expression]) -> None:
        """Check that the conditions mention the players that they ask about: *another player* than who?"""
        named = {self._model.ref(node).local for node in s.walk(conditions)}
        for local, entity in self._context.entities.items():
            if local.type.kind == "player" and local in named and entity not in said:
                raise _TooComplex


def _sites_in(article: s.Procedure, block: s.Block, outer: tuple[_Level, ...]) -> Iterator[_StatementSite]:
    """Yield the statements of a block and its inner blocks, up to the one that ends each."""
    for index, node in enumerate(block):
        level = _Level(block, index)
        yield _StatementSite(article, node, (*outer, level))
        for inner in _inner_blocks(node):
            yield from _sites_in(article, inner.body, (*outer, replace(level, inner=inner)))
        if ends_block(node):
            return


def _asks_for(model: Model, guard: _Precondition, name: str) -> bool:
    return any(ref.name == name for ref in (model.ref(node) for node in s.walk(guard.condition)))


def _failed_before(node: s.Statement) -> tuple[tuple[_Precondition, ...], s.Block]:
    """Return the guards that a way past a conditional implies, and the statements of its other branches."""
    if not isinstance(node, s.If):
        return (), (node,)
    left = tuple(takewhile(lambda branch: any(map(ends_game, branch[1])), node.branches))
    others = (*(body for _, body in node.branches[len(left) :]), node.otherwise)
    return tuple(_Precondition(condition, False) for condition, _ in left), tuple(chain.from_iterable(others))


def _inner_blocks(node: s.Statement) -> Iterator[_Inner]:
    if isinstance(node, s.If):
        before = list[_Precondition]()
        for condition, body in node.branches:
            yield _Inner(body, (*before, _Precondition(condition)))
            before.append(_Precondition(condition, False))
        yield _Inner(node.otherwise, tuple(before))
        return
    bound = getattr(node, s.BOUND, None)
    names = (bound,) if isinstance(bound, s.Word) else ()
    if isinstance(node, s.Choose | s.ChooseSimultaneously):
        for inner in map(_option, node.options):
            yield inner._replace(names=(*names, *inner.names))
        if isinstance(node, s.Choose):
            yield _Inner(node.otherwise or (), (NOTHING_POSSIBLE,))
        return
    tested = isinstance(node, s.Repeat) and node.kind in ("while", "until") and node.subject
    guards = (_Precondition(tested, node.kind == "while"),) if tested and isinstance(node, s.Repeat) else ()
    yield from (_Inner(body, guards, names) for body in s.blocks(node))


def _option(choice: s.Option) -> _Inner:
    guards = () if choice.condition is None else (_Precondition(choice.condition),)
    return _Inner(choice.body, guards, tuple(offered.name for offered in choice.parameters))
