"""Calls and effects of statements and expressions: call graph, reads, writes, exits, contradictions, end scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Literal, NamedTuple, assert_never

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import FIGURE, CodeDeclarations, Local, Model, Ref
from wongar_dsl.language.semantics.builtins import REFERENCES

# ---- call graph ------------------------------------------------------------------------------------------------------


class CallGraph:
    """Call graph of a game, including the effects of cards."""

    def __init__(self, model: Model, code: CodeDeclarations) -> None:
        self._model, self._code = model, code
        #: Callees of each calling declaration, with the span of each call, in source order.
        self.calls: dict[s.Declaration, tuple[tuple[s.Declaration, Span], ...]] = {}
        for article in code.articles:
            if callees := tuple(self._calls_in(article)):
                self.calls[article] = callees

    def callees(self, node: s.Node) -> tuple[s.Declaration, ...]:
        """Return the callees of one node, without its descendants."""
        model = self._model
        if isinstance(node, s.Perform):
            kind = model.types.get(node.card)
            return self._code.effects.get(kind.name, ()) if kind is not None and kind.kind == "cards" else ()
        ref = model.refs.get(node) if isinstance(node, s.Called) else None
        if ref is None or REFERENCES[ref.kind].reads != "called":
            return ()
        return (self._code.called(ref.kind, ref.name),)

    def callees_of(self, article: s.Declaration) -> list[s.Declaration]:
        """Return the callees of a declaration in source order, with repetitions."""
        return [called for called, _ in self.calls.get(article, ())]

    def callees_first(self) -> Iterator[s.Declaration]:
        """Yield all declarations in the graph, callees before callers.  The graph must not have a cycle."""
        return iter(TopologicalSorter({article: self.callees_of(article) for article in self.calls}).static_order())

    def _calls_in(self, article: s.Declaration) -> Iterator[tuple[s.Declaration, Span]]:
        for node in s.walk(article):
            yield from ((called, node.span) for called in self.callees(node))

    def cycles(self) -> Iterator[tuple[tuple[s.Declaration, ...], Span]]:
        """Yield the cycles of the graph as paths, with the span of the call that closes each."""
        done: set[s.Declaration] = set()
        for start in self.calls:
            path: list[s.Declaration] = []
            stack: list[tuple[s.Declaration, int]] = [(start, 0)]
            while stack:
                article, depth = stack.pop()
                done.update(path[depth:])
                del path[depth:]
                if article in path:
                    ring = path[path.index(article) :]
                    span = next(span for called, span in self.calls[ring[-1]] if called is article)
                    yield (*ring, article), span
                elif article not in done:
                    path.append(article)
                    stack.extend((callee, depth + 1) for callee in dict.fromkeys(self.callees_of(article)))
            done.update(path)

    def reachable(self, article: s.Declaration) -> frozenset[s.Declaration]:
        """Return a declaration and its direct and indirect callees."""
        reachable = {article}
        pending = [article]
        while pending:
            new = set(self.callees_of(pending.pop())) - reachable
            reachable |= new
            pending.extend(new)
        return frozenset(reachable)

    @cached_property
    def suspending(self) -> frozenset[s.Declaration]:
        """Declarations that contain a decision, directly or through a callee."""
        callers: dict[s.Declaration, set[s.Declaration]] = {}
        for article, calls in self.calls.items():
            for called, _ in calls:
                callers.setdefault(called, set()).add(article)
        with_decision: set[s.Declaration] = {a for a in self._code.articles if any(map(is_decision, s.walk(a)))}
        pending = list(with_decision)
        while pending:
            new = callers.get(pending.pop(), set()) - with_decision
            with_decision |= new
            pending.extend(new)
        return frozenset(with_decision)

    def suspends(self, node: s.Node | s.Block) -> bool:
        """Return whether statements contain a decision, directly or through a callee."""
        return any(is_decision(n) or any(c in self.suspending for c in self.callees(n)) for n in s.walk(node))


def is_decision(node: s.Node) -> bool:
    """Return whether a node is itself a decision."""
    return isinstance(node, s.Decision)


def assigned_values(model: Model, code: CodeDeclarations, node: s.Node) -> Iterator[tuple[Local, s.Expression]]:
    """Yield the local names to which a node assigns a value, with that value: of a `let`, a `set`, or a call."""
    ref = model.refs.get(node.target if isinstance(node, s.Assign) else node)
    if isinstance(node, s.Let) and node.variable in model.locals:
        yield model.locals[node.variable], node.value
    elif isinstance(node, s.Assign) and ref is not None and ref.local is not None:
        yield ref.local, node.value
    elif isinstance(node, s.Called) and ref is not None and REFERENCES[ref.kind].reads == "called":
        yield from zip(model.parameters.get(code.called(ref.kind, ref.name), ()), node.arguments, strict=False)


# ---- effects ---------------------------------------------------------------------------------------------------------


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
    decides = isinstance(node, s.Decision)
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
        return self._with_reached(e, self._read_in, self._article_reads)

    def _with_reached(
        self,
        tree: s.Node | s.Block,
        names_in: Callable[[s.Node | s.Block, bool], NameSets],
        cache: dict[s.Declaration, NameSets],
    ) -> NameSets:
        """Return the names in a tree, and those of game state in its callees."""
        names = names_in(tree, True)
        for article in self._reached(tree):
            if article not in cache:
                cache[article] = names_in(article, False)
            names.add(cache[article])
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
        return self._with_reached(body, self._written_in, self._article_writes)

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


# ---- conditions ------------------------------------------------------------------------------------------------------


_MIRRORED: dict[s.Comparison, s.Comparison] = {">": "<", ">=": "<="}


def normal(e: s.Expression, negated: bool = False) -> s.Expression:
    """Return a condition, or its negation, without `not`, `>`, `>=`, or `<` beside a written number."""
    match e:
        case s.Negation(operand=operand):
            return normal(operand, not negated)
        case s.Truth(value=value):
            return replace(e, value=value != negated)
        case s.Logical(operator=operator, operands=operands):
            if negated:
                operator = "or" if operator == "and" else "and"
            return s.Logical(e.span, operator, tuple(normal(operand, negated) for operand in operands))
        case s.Empty(negated=filled):
            return replace(e, negated=filled != negated)
        case s.Quantified(kind="some" | "none" as kind, domain=domain):
            if domain.where is not None:
                domain = replace(domain, where=normal(domain.where))
            return replace(e, kind="some" if (kind == "some") != negated else "none", domain=domain)
        case s.Compare(operator=operator, left=left, right=right):
            operator = s.OPPOSITE[operator] if negated else operator
            if operator in _MIRRORED:
                operator, left, right = _MIRRORED[operator], right, left
            return _compared(s.Compare(e.span, operator, left, right))
    return s.Negation(e.span, e) if negated else e


def _compared(e: s.Compare) -> s.Expression:
    """Return a comparison with `<=` in place of `<` beside a number, and `is empty` in place of a size of 0."""
    left, right = s.constant_number(e.left), s.constant_number(e.right)
    if e.operator == "<" and right is not None:
        e, right = s.Compare(e.span, "<=", e.left, s.Number(e.span, right - 1)), right - 1
    elif e.operator == "<" and left is not None:
        e, left = s.Compare(e.span, "<=", s.Number(e.span, left + 1), e.right), left + 1
    match e:
        case s.Compare(operator="=" | "!=" | "<=" as operator, left=s.Of(name="size", owner=zone)) if right == 0:
            return s.Empty(e.span, zone, operator == "!=")
        case s.Compare(operator="<=", right=s.Of(name="size", owner=zone)) if left == 1:
            return s.Empty(e.span, zone, True)
    return e


def contradicts(condition: s.Expression, false: Iterable[s.Expression]) -> bool:
    """Return whether a normal condition cannot hold where none of the normal conditions `false` does."""
    excluded = [part for e in false for part in _parts(e, "or")]
    return any(_equal(part, other) for part in _parts(condition, "and") for other in excluded)


def _parts(e: s.Expression, operator: Literal["and", "or"]) -> tuple[s.Expression, ...]:
    """Return the conditions that an operator joins, and the whole condition."""
    return (e, *e.operands) if isinstance(e, s.Logical) and e.operator == operator else (e,)


def _equal(one: s.Expression, other: s.Expression) -> bool:
    """Return whether two normal conditions are equal up to the order of operands."""
    match one, other:
        case s.Compare(operator="=" | "!=" as sign, left=left, right=right), s.Compare() if sign == other.operator:
            return any(s.same((left, right), pair) for pair in ((other.left, other.right), (other.right, other.left)))
        case s.Logical(operator=operator, operands=operands), s.Logical() if operator == other.operator:
            pairs = ((operands, other.operands), (other.operands, operands))
            return all(any(_equal(a, b) for b in second) for first, second in pairs for a in first)
    return s.same(one, other)


# ---- end scoring -----------------------------------------------------------------------------------------------------


class EndScoring(NamedTuple):
    """The scoring statements, and the procedure that contains them."""

    article: s.Procedure
    body: s.Block


def end_scoring(model: Model, effects: Effects) -> EndScoring | None:
    """Return the scoring statements before the end of the game, or None.

    They have no other visible effect and do not depend on their position. Return None if there are none, or if they
    differ between the ends of the game.
    """
    scorings = [each for article in model.code.procedures for each in _before_the_end(article, effects)]
    if not scorings or not all(s.same(each.body, scorings[0].body) for each in scorings[1:]):
        return None
    return scorings[0]


def _before_the_end(article: s.Procedure, effects: Effects) -> Iterator[EndScoring]:
    for body in s.all_blocks(article.body):
        ended = isinstance(body[-1], s.KeywordStatement) and body[-1].word == "end game"
        whole = isinstance(article, s.Play) and body is article.body
        if not ended and not (whole and not ends_block(body[-1])):
            continue
        end = len(body) - ended
        first = end
        while first and effects.only_scores(body[first - 1]):
            first -= 1
        counted = body[first:end]
        if effects.gains(counted) and effects.is_self_contained(counted):
            yield EndScoring(article, counted)
