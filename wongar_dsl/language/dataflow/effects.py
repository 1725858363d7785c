"""Effect analysis of statements and expressions: reads, writes, and exits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import assert_never

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.call_graph import CallGraph
from wongar_dsl.language.semantics import FIGURE, Local, Model, Ref
from wongar_dsl.language.semantics.builtins import REFERENCES

#: Stands for the locations and holders of all figures.
FIGURES = "figures"
_ENDING = frozenset({"end game", "end rule", "impossible", "leave loop"})


def ends_block(node: s.Statement) -> bool:
    """Return whether the statements after this one in its block are unreachable."""
    return node.ends is not None or (isinstance(node, s.KeywordStatement) and node.word in _ENDING)


def never_continues(block: s.Block) -> bool:
    """Return whether no path through a block reaches the statements after it."""
    return any(ends_block(n) or (isinstance(n, s.If) and all(map(never_continues, _arms(n)))) for n in block)


def ends_rule(node: s.Node) -> bool:
    """Return whether a statement is itself the end of its rule, but not of the game."""
    return isinstance(node, s.Give) or (isinstance(node, s.KeywordStatement) and node.word == "end rule")


def with_rest(statement: s.If, rest: s.Block) -> s.If | None:
    """Return the conditional with the statements after it moved into its only branch that continues, else None."""
    arms = [*_arms(statement)]
    open_arms = [index for index, block in enumerate(arms) if not never_continues(block)]
    if len(open_arms) != 1:
        return None
    arms[open_arms[0]] += rest
    branches = tuple((condition, arm) for (condition, _), arm in zip(statement.branches, arms, strict=False))
    return replace(statement, branches=branches, otherwise=arms[-1])


def _arms(statement: s.If) -> tuple[s.Block, ...]:
    return (*(body for _, body in statement.branches), statement.otherwise)


def ends_game(node: s.Node) -> bool:
    """Return whether a statement is itself the end of the game."""
    ends = isinstance(node, s.StatementNode) and node.ends == "game"
    return ends or (isinstance(node, s.KeywordStatement) and node.word == "end game")


def always_ends_game(model: Model, block: s.Block, calls: frozenset[str] = frozenset()) -> bool:
    """Return whether every path through a block ends the game; `calls` are the active calls."""
    for node in block:
        if ends_game(node):
            return True
        if ends_block(node):
            return False
        parts, inner = tuple[s.Block, ...](), calls
        if isinstance(node, s.If):
            parts = _arms(node)
        elif isinstance(node, s.Choose):
            parts = (*(choice.body for choice in node.options), *filter(None, (node.otherwise,)))
        elif isinstance(node, s.Call) and isinstance(node.call, s.Called) and node.call.name not in calls:
            rule = model.code.rules.get(node.call.name)
            parts, inner = (rule.body,) if rule is not None else (), calls | {node.call.name}
        if parts and all(always_ends_game(model, part, inner) for part in parts):
            return True
        if any(map(ends_rule, s.walk(node))):
            return False
        if isinstance(node, s.Repeat) and node.subject is None and not any(map(leaves_loop, node.body)):
            return True  # Nothing else ends the loop.
    return False


def is_followed(block: s.Block, node: s.Statement) -> bool | None:
    """Return whether further statements can come after one in a block, None if the block does not contain it."""
    for index, statement in enumerate(block):
        last = index == len(block) - 1
        if statement is node:
            return not last
        for inner in s.blocks(statement):
            followed = is_followed(inner, node)
            if followed is not None:
                return followed or statement.loops or not last
    return None


def _is_action(node: s.Node) -> bool:
    """Return whether a statement has a visible effect or is a decision."""
    decides = isinstance(node, s.Choose | s.ChooseSimultaneously)
    return decides or (isinstance(node, s.StatementNode) and node.lasting and not isinstance(node, s.Tell))


def leaves_loop(node: s.Statement) -> bool:
    """Return whether a statement contains a `leave loop` for an enclosing loop."""
    if isinstance(node, s.KeywordStatement):
        return node.word == "leave loop"
    return not node.loops and any(leaves_loop(inner) for body in s.blocks(node) for inner in body)


@dataclass(frozen=True, slots=True)
class NameSets:
    """Set of mutable names: names of game state, and local names."""

    state: set[str] = field(default_factory=set)
    local: set[Local] = field(default_factory=set)

    def add(self, other: NameSets) -> None:
        """Add other names to this set."""
        self.state.update(other.state)
        self.local.update(other.local)

    def intersects(self, other: NameSets) -> bool:
        """Return whether two sets have a common name."""
        return bool(self.state & other.state or self.local & other.local)


class Effects:
    """Interprocedural analysis of reads, writes and exits."""

    def __init__(self, model: Model, calls: CallGraph) -> None:
        self._model = model
        self._calls = calls
        self._immediate: dict[s.Statement, bool] = {}
        self._changing: dict[s.Declaration, bool] = {}
        # What each article reads and writes itself.
        self._article_reads: dict[s.Declaration, NameSets] = {}
        self._article_writes: dict[s.Declaration, NameSets] = {}

    @cached_property
    def assigned(self) -> frozenset[Local]:
        """Local names that are reassigned."""
        targets = (n.target for a in self._model.code.articles for n in s.walk(a) if isinstance(n, s.Assign))
        refs = (self._model.refs.get(target) for target in targets)
        return frozenset(ref.local for ref in refs if ref is not None and ref.local is not None)

    # ---- exits ----

    def is_immediate(self, node: s.Statement) -> bool:
        """Return whether a statement contains no decision, exits no enclosing rule or loop, and binds no name."""
        if node not in self._immediate:
            leaves = any(map(ends_rule, s.walk(node))) or leaves_loop(node)
            blocked = isinstance(node, s.Let) or leaves or self._calls.suspends(node)
            self._immediate[node] = not blocked
        return self._immediate[node]

    def can_end_loop(self, body: Iterable[s.Statement], own: bool = True) -> bool:
        """Return whether a loop body can end its loop.  `own` is False inside of a nested loop."""
        for node in body:
            if ends_block(node):
                if own or not leaves_loop(node):
                    return True
            elif isinstance(node, s.Call):
                called = (rule for c in self._calls.callees(node.call) for rule in self._calls.reachable(c))
                if any(ends_game(n) for rule in called for n in s.walk(rule)):
                    return True
            elif any(self.can_end_loop(inner, own and not node.loops) for inner in s.blocks(node)):
                return True
        return False

    # ---- reads ----

    def reads(self, e: s.Node | s.Block) -> NameSets:
        """Return all mutable names that an expression reads, including its callees."""
        names = self._read_in(e, own=True)
        for article in self._reached(e):
            if article not in self._article_reads:
                self._article_reads[article] = self._read_in(article, own=False)
            names.add(self._article_reads[article])
        return names

    def _read_in(self, tree: s.Node | s.Block, own: bool) -> NameSets:
        """Return the mutable names that a tree reads without its callees; its local names only if `own`."""
        names = NameSets()
        for node in s.walk(tree):
            ref = self._model.refs.get(node)
            if ref is not None:
                names.add(_names_read(ref, own))
        return names

    def draws_chance(self, e: s.Node) -> bool:
        """Return whether an expression draws chance itself."""
        return any(map(_is_random, s.walk(e)))

    # ---- writes ----

    def writes(self, body: s.Node | s.Block) -> NameSets:
        """Return all mutable names that statements write, including their callees."""
        names = self._written_in(body, own=True)
        for article in self._reached(body):
            if article not in self._article_writes:
                self._article_writes[article] = self._written_in(article, own=False)
            names.add(self._article_writes[article])
        return names

    def _written_in(self, tree: s.Node | s.Block, own: bool) -> NameSets:
        """Return the mutable names that a tree writes without its callees; its local names only if `own`."""
        names = NameSets()
        for node in s.walk(tree):
            for target in node.targets if isinstance(node, s.StatementNode) else ():
                if isinstance(target, s.Word):
                    # The holder and the location of a figure change together.
                    names.state.add(FIGURES if isinstance(node, s.Take) else target.text)
                    continue
                names_read = self.reads(target)
                # A local name changes only as the target itself; names in an index are only read.
                names.add(NameSets(names_read.state, names_read.local if own and isinstance(target, s.Name) else set()))
                if self._model.types.get(target) == FIGURE:
                    names.state.add(FIGURES)
        return names

    def is_computed_from(self, node: s.Node, earlier: s.Node) -> bool:
        """Return whether a statement has an operand that an earlier one changes, apart from what both change."""
        if not isinstance(node, s.StatementNode):
            return False
        operands = (getattr(node, name) for name in s.field_names(type(node)) if name not in node.changes)
        written = self.writes(earlier)
        return any(isinstance(e, s.Expression) and self.reads(e).intersects(written) for e in operands)

    def is_pass(self, body: s.Block) -> bool:
        """Return whether statements have no visible effect: they only emit messages and set variables."""
        nodes = list(self._with_callees(body))
        return not any(_is_action(node) or ends_game(node) or _is_random(node) for node in nodes)

    def only_scores(self, node: s.Statement) -> bool:
        """Return whether a statement only scores, emits messages and sets variables.

        It draws no chance and exits no enclosing block.
        """
        if not self.is_immediate(node) or ends_block(node):
            return False
        nodes = list(self._with_callees(node))
        actions = any(_is_action(each) and not isinstance(each, s.Gain) for each in nodes)
        return not actions and not any(ends_game(each) or _is_random(each) for each in nodes)

    def gains(self, body: s.Block) -> bool:
        """Return whether statements may change the score, including their callees."""
        return any(isinstance(node, s.Gain) for node in self._with_callees(body))

    def is_self_contained(self, body: s.Block) -> bool:
        """Return whether statements use only global names and local names that they bind."""
        bound = {self._model.locals[node] for node in s.walk(body) if node in self._model.locals}
        return self.reads(body).local <= bound

    def changes_in_expression(self, e: s.Expression) -> bool:
        """Return whether an expression calls a rule that changes the game state."""
        called = (c for n in s.walk(e) if isinstance(n, s.Called) for c in self._calls.callees(n))
        return any(map(self._changes, called))

    def _changes(self, article: s.Declaration) -> bool:
        """Return whether a declaration changes the game state, including its callees."""
        if article not in self._changing:
            self._changing[article] = bool(self.writes(article).state)
        return self._changing[article]

    def _with_callees(self, e: s.Node | s.Block) -> Iterator[s.Node]:
        """Yield all nodes of a tree, then those of its callees."""
        yield from s.walk(e)
        for article in self._reached(e):
            yield from s.walk(article)

    def _reached(self, e: s.Node | s.Block) -> dict[s.Declaration, None]:
        """Return the articles that a tree calls, directly or through others."""
        called: dict[s.Declaration, None] = {}
        for node in s.walk(e):
            for callee in self._calls.callees(node):
                called.update(dict.fromkeys(self._calls.reachable(callee)))
        return called


def _is_random(node: s.Node) -> bool:
    return isinstance(node, s.Quantified) and node.kind == "random"


def _names_read(ref: Ref, own: bool) -> NameSets:
    """Return the names that a reference reads directly, without its callees."""
    match REFERENCES[ref.kind].reads:
        case "local":
            return NameSets(local={ref.local} if own and ref.local is not None else set())
        case "named":
            return NameSets({ref.name})
        case "figures":
            return NameSets({FIGURES})
        case "nothing" | "called":
            return NameSets()
        case never:
            assert_never(never)
