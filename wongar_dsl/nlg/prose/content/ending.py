"""Game end in words: each statement that ends the game, with the conditions that lead to it.

If the rules only set a flag that ends the game later, the statements that set the flag are described.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import ends_block
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.content.conditions import conjunction
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext, mentions, owners_of
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.prose.micro.referring_expressions import resolve
from wongar_dsl.nlg.prose.micro.sentence_plan import Introduction, Mention, Plan, PlanLine
from wongar_dsl.nlg.prose.pipeline import VERBALISERS
from wongar_dsl.nlg.prose.verbalisation_log import VerbalisationLog
from wongar_dsl.nlg.words import NounPhrase, Relative, Sentence, Translator, Value

#: Maximum number of lines; a game that ends in more ways is described by its rules alone.
MAX_LINES = 8


@dataclass(frozen=True, slots=True)
class _Precondition:
    """A guard of a statement: a condition, or that a choice has no option.

    `times` is the number of iterations of a preceding loop.
    """

    condition: s.Expression | None = None
    holds: bool = True
    times: s.Expression | None = None


@dataclass(frozen=True, slots=True)
class _StatementSite:
    """A statement of a reachable procedure, with the names bound and the guards that hold before it."""

    article: s.Procedure
    node: s.Statement
    before: tuple[s.Node, ...]
    guards: tuple[_Precondition, ...]


@dataclass
class GameEndings:
    """Generator of the lines about the end of one game."""

    model: Model
    words: Translator
    overall: GameFacts
    seats: int | None = None
    #: The names that a statement or procedure changes itself.
    _changing: dict[s.Node, frozenset[str]] = field(default_factory=dict, init=False)

    def lines(self) -> tuple[Plan, ...]:
        """Return one line for each way in which the game ends, empty if they cannot be verbalised."""
        try:
            all_lines = list(self._lines())
        except NotVerbalisable:
            return ()
        distinct = [
            line
            for number, line in enumerate(all_lines)
            if not any(_alike(line, earlier) for earlier in all_lines[:number])
        ]
        return tuple(resolve((line,))[0] for line in distinct) if len(distinct) <= MAX_LINES else ()

    def _lines(self) -> Iterator[PlanLine]:
        for site in self._sites:
            if site.node.ends == "game" or _is_simple_end(site.node):
                yield from self._causes(site, frozenset())

    @cached_property
    def _sites(self) -> tuple[_StatementSite, ...]:
        return tuple(site for article in self._reached() for site in self._sites_in(article, article.body, (), ()))

    def _sites_in(
        self, article: s.Procedure, block: s.Block, before: tuple[s.Node, ...], guards: tuple[_Precondition, ...]
    ) -> Iterator[_StatementSite]:
        """Yield all statements of a block and its inner blocks, with their guards."""
        names_before, behind, still = before, tuple[_Precondition, ...](), guards
        for node in block:
            yield _StatementSite(article, node, names_before, (*still, *behind))
            for names, inner_guards, body in _under(node):
                yield from self._sites_in(article, body, (*names_before, *names), (*still, *inner_guards))
            if isinstance(node, s.Let):
                names_before = (*names_before, node.variable)
            if not guards and isinstance(article, s.Play):
                behind = (*behind, *_behind(node))
            if still:
                # A statement may invalidate the guards that precede it.
                changed = self._changed(node)
                still = tuple(guard for guard in still if changed.isdisjoint(self._asked(guard.condition)))
            if ends_block(node):
                return

    def _changed(self, node: s.Statement) -> frozenset[str]:
        """Return the names that a statement changes, including by calls."""
        called = self.overall.reset_index.reached_procedures(self.overall.reset_index.calls(node))
        for tree in (node, *called):
            if tree not in self._changing:
                nodes = (part for part in s.walk(tree) if isinstance(part, s.StatementNode))
                fields = (getattr(part, name) for part in nodes for name in part.changes)
                self._changing[tree] = frozenset(name for part in fields for name in _names(part))
        return frozenset().union(*(self._changing[tree] for tree in (node, *called)))

    def _asked(self, condition: s.Expression | None) -> frozenset[str]:
        """Return the names that a condition depends on, including by definitions."""
        dependencies, waiting = set[str](), [condition]
        while waiting:
            for name in _names(waiting.pop()):
                define = self.model.code.defines.get(name)
                if name not in dependencies and define is not None:
                    waiting.append(define.value)
                dependencies.add(name)
        return frozenset(dependencies)

    def _reached(self) -> Iterator[s.Procedure]:
        """Yield the procedures that can be executed."""
        keeping = self.overall.reset_index
        reached = keeping.reached_procedures(self.model.code.course)
        yield from (procedure for procedure in keeping.procedures if procedure in reached)

    def _causes(
        self,
        site: _StatementSite,
        seen: frozenset[s.Node],
        deed: s.Statement | None = None,
        calls: tuple[s.Called, ...] = (),
    ) -> Iterator[PlanLine]:
        """Yield the lines for a statement.

        `deed` is the described action, by default the statement itself; `calls` lead from it to the statement.
        """
        if site.node in seen:
            return
        seen, deed = seen | {site.node}, deed or site.node
        flags = [name for guard in site.guards if (name := self._flag(guard)) is not None]
        if flags and site.article in self.model.code.course:
            yield from (line for name in flags for line in self._set(name, seen))
            return
        if site.guards or site.article in self.model.code.course:
            yield self._line(site, deed, calls)
            return
        rule = site.article
        if not isinstance(rule, s.Rule) or (
            self.words.has_message(f"rule.{rule.name.text}", self.model.scope) and deed is site.node
        ):
            yield self._line(site, deed, calls)
            return
        for caller in self._callers(rule):
            assert isinstance(caller.node, s.Call)
            assert isinstance(caller.node.call, s.Called)
            yield from self._causes(caller, seen, deed, (caller.node.call, *calls))

    def _has_sentence(self, article: s.Procedure) -> bool:
        return isinstance(article, s.Rule) and self.words.has_message(f"rule.{article.name.text}", self.model.scope)

    def _said_rule(self, article: s.Procedure) -> s.Rule | None:
        """Return the closest rule with a sentence: the procedure itself, or the only one that leads to it."""
        seen = set[s.Procedure]()
        while isinstance(article, s.Rule) and article not in seen:
            if self._has_sentence(article):
                return article
            seen.add(article)
            callers = {site.article for site in self._callers(article)}
            if len(callers) != 1:
                return None
            [article] = callers
        return None

    def _flag(self, guard: _Precondition) -> str | None:
        """Return the stored truth value that a guard tests alone."""
        condition = guard.condition
        if condition is None or not guard.holds:
            return None
        ref = self.model.refs.get(condition)
        is_flag = ref is not None and ref.kind == "remember" and self.model.types[condition].kind == "truth"
        return ref.name if is_flag and ref is not None else None

    def _set(self, name: str, seen: frozenset[s.Node]) -> Iterator[PlanLine]:
        """Yield the lines for the statements that set a flag."""
        for site in self._sites:
            match site.node:
                case s.Assign(target=target, value=s.Truth(value=True)):
                    ref = self.model.refs.get(target)
                case _:
                    continue
            if ref is None or ref.name != name:
                continue
            # A guard that the flag is not yet set is irrelevant.
            guards = tuple(guard for guard in site.guards if not self._asks_for(guard, name))
            if isinstance(site.article, s.Rule) and self._has_sentence(site.article) and not guards:
                for caller in self._callers(site.article):
                    yield from self._causes(caller, seen)
            else:
                yield from self._causes(replace(site, guards=guards), seen)

    def _asks_for(self, guard: _Precondition, name: str) -> bool:
        refs = (self.model.refs.get(node) for node in s.walk(guard.condition))
        return any(ref is not None and ref.name == name for ref in refs)

    def _callers(self, rule: s.Rule) -> Iterator[_StatementSite]:
        for site in self._sites:
            match site.node:
                case s.Call(call=s.Called(name=name)) if name == rule.name.text:
                    yield site

    # ---- words ----

    def _line(self, site: _StatementSite, deed: s.Statement, calls: tuple[s.Called, ...]) -> PlanLine:
        context = self._context(site)
        conditions = [self._condition(context, guard) for guard in site.guards]
        named_rule = self._said_rule(site.article)
        if named_rule is not None:
            # The conditions apply only during this rule.
            self._introduce(context, named_rule, ())
            conditions.insert(0, self._called(context, named_rule))
        for local, entity in context.entities.items():
            if local.type.kind == "player" and entity not in mentions(tuple(conditions)):
                # No condition identifies this player.
                acting = Relative("prose.is_on_turn", "player", {})
                entity.thing = NounPhrase(context.term("player"), ("def",), (acting,))
        for call in calls:
            locals_ = self.model.parameters.get(self.model.code.rules[call.name], ())
            for local, argument in zip(locals_, call.arguments, strict=True):
                value = context.value(argument)
                if isinstance(value, Mention | Introduction) and value.entity is not None:
                    context.entities[local] = value.entity
                else:
                    context.bind_new(local, value)
        plans = context.body((deed,))
        if len(plans) != 1 or not isinstance(plans[0], PlanLine):
            raise NotVerbalisable(deed)
        then = plans[0].sentence
        others = (*(guard.condition for guard in site.guards if guard.condition is not None), deed, site.node)
        if not conditions:
            return PlanLine(then, site.article, others=others)
        condition = conditions[0] if len(conditions) == 1 else conjunction("and", conditions)
        return PlanLine(
            Sentence("prose.if", {"condition": condition, "then": then}), site.article, plain=False, others=others
        )

    def _condition(self, context: ProseContext, guard: _Precondition) -> Sentence:
        if guard.times is not None:
            return Sentence("prose.played_times", {"n": context.value(guard.times)})
        if guard.condition is None:
            return Sentence("prose.nothing_possible")
        return context.condition(guard.condition, not guard.holds)

    def _called(self, context: ProseContext, rule: s.Rule) -> Sentence:
        """Return the clause that a rule is executed, with its own sentence."""
        values: dict[str, Value] = {}
        for local in self.model.parameters.get(rule, ()):
            values[local.name] = context.mention(local)
            if local.type.kind == "player":
                values.setdefault("player", values[local.name])
        return context.game_sentence(f"rule.{rule.name.text}", values)

    def _context(self, site: _StatementSite) -> ProseContext:
        """Return a context for a statement in which names are indefinite."""
        article = site.article
        context = ProseContext(
            self.model, VerbalisationLog(), self.words, VERBALISERS, self.overall, self.seats, inside=(article,)
        )
        self._introduce(context, article, site.before)
        return context

    def _introduce(self, context: ProseContext, article: s.Procedure, before: tuple[s.Node, ...]) -> None:
        kinds = {local.type.name or local.type.kind for local in context.entities}
        bound = {name: self.model.locals[name] for name in before if name in self.model.locals}
        named = {node.variable: node for node in s.walk(article) if isinstance(node, s.Let)} if bound else {}
        for name, local in (*((None, p) for p in self.model.parameters.get(article, ())), *bound.items()):
            if local in context.entities:
                continue
            if name in named:
                # The lines of the rule say what a kept name means.
                context.body((named[name],))
                continue
            entity = context.given_parameter(owners_of(self.model, article), local)
            sort = local.type.name or local.type.kind
            if isinstance(entity.thing, NounPhrase) and entity.thing.words == ("def",) and sort not in kinds:
                entity.thing, entity.given = replace(entity.thing, words=("indef",)), False
            kinds.add(sort)


def _is_simple_end(node: s.Statement) -> bool:
    return isinstance(node, s.KeywordStatement) and node.word == "end game"


def _alike(one: PlanLine, other: PlanLine) -> bool:
    return one.origin is other.origin and repr(one.sentence) == repr(other.sentence)


def _names(tree: object) -> Iterator[str]:
    for node in s.walk(tree):
        match node:
            case s.Name(text=name) | s.Word(text=name) | s.Called(name=name) | s.Indexed(name=name) | s.Of(name=name):
                yield name


def _behind(node: s.Statement) -> tuple[_Precondition, ...]:
    """Return the guards that hold after a loop of the course of play."""
    match node:
        case s.Repeat(kind="until" | "while" as kind, subject=s.ExpressionNode() as asked):
            return (_Precondition(asked, kind == "until"),)
        case s.Repeat(kind="times", subject=s.ExpressionNode() as times):
            return (_Precondition(times=times),)
    return ()


def _under(node: s.Statement) -> Iterator[tuple[tuple[s.Node, ...], tuple[_Precondition, ...], s.Block]]:
    """Yield the inner blocks of a statement, each with its bound names and guards."""
    match node:
        case s.If(branches=branches, otherwise=otherwise):
            for number, (condition, body) in enumerate(branches):
                yield (
                    (),
                    (*(_Precondition(earlier, False) for earlier, _ in branches[:number]), _Precondition(condition)),
                    body,
                )
            yield (), tuple(_Precondition(earlier, False) for earlier, _ in branches), otherwise
        case s.Choose(choices=choices, otherwise=otherwise):
            for choice in choices:
                names = tuple(offered.name for offered in choice.parameters)
                yield names, () if choice.condition is None else (_Precondition(choice.condition),), choice.body
            yield (), (_Precondition(),), otherwise or ()
        case s.ChooseSimultaneously(variable=variable, choices=choices):
            for choice in choices:
                names = (variable, *(offered.name for offered in choice.parameters))
                yield names, () if choice.condition is None else (_Precondition(choice.condition),), choice.body
        case _:
            bound = getattr(node, s.BOUND, None)
            for body in s.blocks(node):
                yield (bound,) if isinstance(bound, s.Word) else (), (), body
