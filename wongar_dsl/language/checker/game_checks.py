"""Checks of the game as a whole: directions, termination, purity, size, recursion, dead code, unused declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod

from wongar_dsl.base.diagnostics import Label, Severity
from wongar_dsl.compiler.ir.containers import zone_container
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import field_names, walk
from wongar_dsl.language.ast.nodes import Node
from wongar_dsl.language.checker.context import CheckContext, each_type
from wongar_dsl.language.checker.expressions import MAX_CALLS
from wongar_dsl.language.dataflow.effects import (
    CallGraph,
    Effects,
    assigned_values,
    contradicts,
    ends_block,
    ends_game,
    normal,
)
from wongar_dsl.language.semantics import NUMBER, UNKNOWN, Local, Ref, Type

# ---- directions ------------------------------------------------------------------------------------------------------
#
# Directions are numbers in the rules but words to players. A name bound by `direction of` is a direction. A parameter
# is one if every call passes one, a `let` name if it is never set to anything else, a definition or rule if it always
# gives one.


#: The board of a direction: its name, `ANY` while nothing is known about a value, `NO` for an ordinary number.
ANY, NO = None, ""
Lattice = str | None
#: A local name, or the result of a definition or rule, to which values are assigned.
Target = Local | s.Declaration


def find_directions(context: CheckContext) -> None:
    """Infer the lattice of every local name and result that is a direction, and enter it in the model.

    Iterates to a fixed point over all assignments.
    """
    sources = list(_sources(context))
    lattices: dict[Target, Lattice] = dict.fromkeys((target for target, _ in sources), ANY)
    changed = True
    while changed:
        changed = False
        for target, e in sources:
            lattice = _join(context, lattices[target], _lattice(context, e, lattices))
            changed = changed or lattice != lattices[target]
            lattices[target] = lattice
        sources.reverse()  # alternate the order, since values flow both down and up the file
    context.model.lattices.update({target: lattice for target, lattice in lattices.items() if lattice})


def lattice_of(context: CheckContext, e: s.Expression) -> str:
    """Return the lattice of a direction, or "" for another value; call it after `find_directions`."""
    return _lattice(context, e, context.model.lattices) or NO


def _sources(context: CheckContext) -> Iterator[tuple[Target, s.Expression]]:
    """Yield each number variable or result with every expression assigned to it, or the domain that it runs over."""
    model = context.model
    for article in model.articles.values():
        if isinstance(article, s.Define):
            yield article, article.value
        for node in walk(article):
            yield from assigned_values(model, context.code, node)
            if isinstance(node, s.Quantified | s.ForEach | s.OptionParameter):
                local = model.locals.get(node.name if isinstance(node, s.OptionParameter) else node.variable)
                if local is not None and local.type == NUMBER:
                    yield local, node.domain.base
            elif isinstance(node, s.Give) and isinstance(article, s.Rule):
                yield article, node.value


def _called_article(context: CheckContext, ref: Ref | None) -> s.Define | s.Rule | None:
    return context.code.called(ref.kind, ref.name) if ref is not None and ref.kind in ("define", "rule") else None


def _lattice(
    context: CheckContext, e: s.Expression, lattices: Mapping[Target, Lattice] | Mapping[Target, str]
) -> Lattice:
    match e:
        case s.Conditional(then=then, other=other):
            return _join(context, _lattice(context, then, lattices), _lattice(context, other, lattices))
        case s.Quantified(kind="first" | "random", domain=domain):
            return _lattice(context, domain.base, lattices)
    ref = context.model.refs.get(e)
    if ref is None:
        return NO
    if ref.local is not None:
        return lattices.get(ref.local, NO)
    if ref.kind == "direction":
        return ref.name
    if ref.kind == "value" and context.model.types.get(e) == NUMBER and isinstance(e, s.Name):
        board = context.names[e.text].node
        return board.text if isinstance(board, s.Word) else NO
    called = _called_article(context, ref)
    return lattices.get(called, NO) if called is not None else NO


def _join(context: CheckContext, one: Lattice, other: Lattice) -> Lattice:
    """Merge the boards found for two sources of a value; boards with equal directions count as one."""
    if one is ANY or other is ANY:
        return other if one is ANY else one
    boards = context.model.boards
    same = one in boards and other in boards and boards[one].directions == boards[other].directions
    return one if one == other or same else NO


# ---- termination -----------------------------------------------------------------------------------------------------
#
# Conditions count as undecided, except those over remembered values whose possible values are known: the start value,
# and what reachable statements assign. The sets grow until a fixed point is reached.


#: Maximum number of unreachable endings that the diagnostic shows, and depth of calls that are followed.
MAX_ENDINGS = 3
_MAX_CALLS = 60
#: Integer that encodes `nobody`; players, areas and cards are encoded as 0, 1, 2, ...
NOBODY = -1
#: Limits of the value sets: a variable with more values, or one that still grows after this number of passes, counts as
#: unknown.
_MAX_VALUES, _MAX_ROUNDS = 8, 12

#: Set of possible values; None if unknown.
_Values = frozenset[int] | None


def check_endings(context: CheckContext) -> None:
    """Report a game whose `play` neither terminates nor reaches an `end game` or `wins`."""
    play = context.model.article(s.Play)
    if play is None or any(d.severity is Severity.ERROR for d in context.diagnostics):
        return
    flow = _FlowAnalysis(context)
    setup = context.model.article(s.Setup)
    while True:
        previous = dict(flow.assigned)
        flow.passes += 1
        flow.reached.clear()
        through = setup is None or flow.block(setup.body).completes
        flow_result = flow.block(play.body) if through else _Reachability(True)
        if flow_result.completes or flow_result.returns or flow.ends:
            return
        if flow.assigned == previous:
            break
    endings = [node for article in context.model.articles.values() for node in walk(article) if ends_game(node)]
    labels = tuple(Label(node.span, "never") for node in endings[:MAX_ENDINGS])
    loop = next((node for node in play.body if isinstance(node, s.Repeat)), play)
    context.report("R0422", loop, labels)


@dataclass(frozen=True, slots=True)
class _Reachability:
    """Exits of a block: past its end, out of the enclosing loop, out of its rule."""

    completes: bool
    leaves: bool = False
    returns: bool = False


@dataclass(slots=True)
class _FlowAnalysis:
    """Abstract interpretation of the rules over sets of possible values."""

    context: CheckContext
    #: Possible values assigned to remembered values so far, by name.
    assigned: dict[str, _Values] = field(default_factory=dict)
    passes: int = 0
    #: The rules and effects called in this pass, and whether each can return.
    reached: dict[s.Declaration, bool] = field(default_factory=dict)
    #: True if the end of the game is reachable.
    ends: bool = False
    #: Number of calls being followed.
    depth: int = 0

    def block(self, statements: s.Block) -> _Reachability:
        """Follow statements up to one after which the next is unreachable."""
        leaves = returns = False
        for statement in statements:
            flow_result = self._statement(statement)
            leaves, returns = leaves or flow_result.leaves, returns or flow_result.returns
            if not flow_result.completes:
                return _Reachability(False, leaves, returns)
        return _Reachability(True, leaves, returns)

    def _any(self, exits: list[_Reachability]) -> _Reachability:
        return _Reachability(
            any(e.completes for e in exits), any(e.leaves for e in exits), any(e.returns for e in exits)
        )

    def _statement(self, node: s.Statement) -> _Reachability:
        if not self._calls_return(node):
            return _Reachability(False)
        match node:
            case s.If(branches=branches, otherwise=otherwise):
                return self._branches(branches, otherwise)
            case s.Repeat():
                return self._repeat(node)
            case s.Choose(options=choices, otherwise=otherwise_block):
                blocks = [c.body for c in choices if c.condition is None or self._value(c.condition) != 0]
                return self._any([self.block(b) for b in (*blocks, *([otherwise_block] if otherwise_block else []))])
            case s.ChooseSimultaneously(options=choices):
                return self._any([self.block(c.body) for c in choices])
            case s.KeywordStatement(word=word):
                self.ends |= ends_game(node)
                return _Reachability(not ends_block(node), leaves=word == "leave loop", returns=word == "end rule")
            case _:
                return self._default(node)

    def _default(self, node: s.Statement) -> _Reachability:
        """Follow a statement whose effects are applied and whose blocks may or may not run."""
        for target in (getattr(node, name) for name in node.changes):
            ref = self.context.model.refs.get(target)
            if ref is not None:
                self._assign(ref.name, self._values(node.value) if isinstance(node, s.Assign) else None)
        if isinstance(node, s.Perform):
            kind = self.context.model.types.get(node.card)
            for effect in self.context.code.effects.get(kind.name, ()) if kind is not None else ():
                self._enter(effect)
        self.ends |= ends_game(node)
        inner = [self.block(block) for block in s.blocks(node)]
        returns = node.ends == "rule" or any(flow_result.returns for flow_result in inner)
        leaves = not node.loops and any(flow_result.leaves for flow_result in inner)
        return _Reachability(not ends_block(node), leaves, returns)

    def _branches(self, branches: tuple[tuple[s.Expression, s.Block], ...], otherwise: s.Block) -> _Reachability:
        exits = []
        for condition, body in branches:
            value = self._value(condition)
            if value != 0:
                exits.append(self.block(body))
            if value == 1:
                return self._any(exits)
        return self._any([*exits, self.block(otherwise)])

    def _repeat(self, node: s.Repeat) -> _Reachability:
        value = self._value(node.subject) if node.subject is not None and node.kind != "times" else None
        if node.kind == "while" and value == 0:
            return _Reachability(True)
        inner = self.block(node.body)
        completes = {"times": True, "forever": False, "while": value != 1, "until": value != 0}[node.kind]
        return _Reachability(completes or inner.leaves, returns=inner.returns)

    def _calls_return(self, node: s.Statement) -> bool:
        """Follow the rules called in a statement outside its blocks; return False if one never returns."""
        if isinstance(node, s.If | s.ChooseSimultaneously):
            return True  # only conditions and domains, which change nothing
        parts = (node.chooser,) if isinstance(node, s.Choose) else tuple(s.outside_blocks(node))
        all_return = True
        for called in walk(parts):
            rule = _called_rule(self.context, called)
            if rule is not None:
                all_return &= self._enter(rule)
        return all_return

    def _enter(self, article: s.Procedure) -> bool:
        """Follow a rule or an effect once; return whether it can return."""
        if article not in self.reached and self.depth < _MAX_CALLS:
            self.reached[article] = True
            self.depth += 1
            flow_result = self.block(article.body)
            self.depth -= 1
            self.reached[article] = flow_result.completes or flow_result.returns
        return self.reached.get(article, True)

    def _assign(self, name: str, values: _Values) -> None:
        previous = self.assigned.get(name, frozenset())
        union = None if previous is None or values is None else previous | values
        unstable = union != previous and self.passes > _MAX_ROUNDS
        self.assigned[name] = None if unstable or union is None or len(union) > _MAX_VALUES else union

    def _value(self, e: s.Expression) -> int | None:
        """Return the only value that an expression can have, None if several are possible."""
        values = self._values(e)
        return next(iter(values)) if values is not None and len(values) == 1 else None

    def _values(self, e: s.Expression) -> _Values:
        """Return all values that an expression can have."""
        match e:
            case s.Number(value=number):
                return frozenset({number})
            case s.Truth(value=yes):
                return frozenset({int(yes)})
            case s.Nobody():
                return frozenset({NOBODY})
            case s.Name() | s.Of() | s.Indexed():
                return self._remembered(e)
            case s.Negation(operand=operand):
                value = self._value(operand)
                return None if value is None else frozenset({1 - value})
            case s.Logical(operator=operator, operands=operands):
                values = [self._value(operand) for operand in operands]
                decisive = 0 if operator == "and" else 1
                if decisive in values:
                    return frozenset({decisive})
                return None if None in values else frozenset({1 - decisive})
            case s.Compare(operator=operator, left=left, right=right):
                left_values, right_values = self._values(left), self._values(right)
                if left_values is None or right_values is None:
                    return None
                results = {
                    _compare(operator, left_value, right_value)
                    for left_value in left_values
                    for right_value in right_values
                }
                return None if None in results else frozenset(value for value in results if value is not None)
        return None

    def _remembered(self, e: s.Expression) -> _Values:
        """Return the possible values of an enumeration value or a remembered value, None if unknown."""
        ref = self.context.model.refs.get(e)
        if ref is not None and ref.kind == "value":
            return frozenset({ref.number})
        assigned = self.assigned.get(ref.name, frozenset()) if ref is not None and ref.kind == "remember" else None
        article = self.context.model.article(s.Remember, ref.name) if ref is not None and assigned is not None else None
        if assigned is None or article is None:
            return None
        # An element of an indexed value without an owner has the default; so has a value without a start, or a number
        # in its range.
        nothing = NOBODY if self.context.type_of(article.type).can_be_none else 0
        if article.start is None:
            return assigned | {nothing} if article.type.low is None else None
        start = self._values(article.start)
        return None if start is None else assigned | start | ({nothing} if article.each else set())


def _compare(operator: str, left: int, right: int) -> int | None:
    """Evaluate `left operator right`; return None if `nobody` is one side of `<`, `<=`, `>` or `>=`."""
    if NOBODY in (left, right) and operator not in ("=", "!="):
        return None
    holds = {
        "=": left == right, "!=": left != right, "<": left < right, ">": left > right, "<=": left <= right,
        ">=": left >= right,
    }  # fmt: skip
    return int(holds[operator])


# ---- purity ----------------------------------------------------------------------------------------------------------
#
# They are evaluated repeatedly: for every menu, for bots, and to explain illegal moves. They must not change the
# game, draw random numbers, emit messages or end the game, directly or through rules that they call.


#: Keyword statements with an effect that outlasts their rule.
_LASTING: frozenset[s.KeywordPhrase] = frozenset({"end game", "forget choices"})


def check_purity(context: CheckContext) -> None:
    """Report the first side effect of each query, once, with the first place that evaluates it."""
    changes: dict[s.Rule, s.Node | None] = {}
    reported: set[s.Node] = set()
    for article in context.model.articles.values():
        for query in _queries(article):
            for node in walk(query):
                change = _change_of(context, node, changes)
                if change is not None and change not in reported:
                    reported.add(change)
                    labels = () if change is node else (Label(node.span, "asked"),)
                    context.report("R0420", change, labels)


def _queries(article: s.Declaration) -> Iterator[object]:
    """Yield all parts of an article that must be pure."""
    for node in walk(article):
        match node:
            case s.If(branches=branches):
                yield from (test for test, _ in branches)
            case s.Repeat(subject=s.ExpressionNode() as query):
                yield query
            case s.Domain() | s.Define() | s.Winner() | s.Clock() | s.MessageRef():
                yield node
            case s.Option(condition=s.ExpressionNode() as query) | s.Conditional(condition=query):
                yield query
            case s.Quantified(value=s.ExpressionNode() as query):
                yield query


def _change_of(context: CheckContext, node: s.Node, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """Return the first side effect of evaluating a node: a random draw, or one in a rule that it calls."""
    if isinstance(node, s.Quantified) and node.kind == "random":
        return node
    rule = _called_rule(context, node)
    # Using a rule without a result as a value is reported elsewhere.
    return _change_in(context, rule, known) if rule is not None and rule.gives is not None else None


def _change_in(context: CheckContext, rule: s.Rule, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """Return the first side effect of a rule, its own or one of the rules that it calls."""
    if rule not in known:
        known[rule] = None  # recursion is reported elsewhere
        known[rule] = next((change for node in walk(rule.body) if (change := _side_effect(context, node, known))), None)
    return known[rule]


def _side_effect(context: CheckContext, node: s.Node, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """Return the side effect of a node in the body of a rule."""
    lasting = isinstance(node, s.Statement) and (
        node.lasting or (isinstance(node, s.KeywordStatement) and node.word in _LASTING)
    )
    if lasting or (isinstance(node, s.Assign) and _outside(context, node)):
        return node
    rule = _called_rule(context, node)
    return _change_in(context, rule, known) if rule is not None else _change_of(context, node, known)


def _called_rule(context: CheckContext, node: s.Node) -> s.Rule | None:
    ref = context.model.refs.get(node)
    return context.model.article(s.Rule, ref.name) if ref is not None and ref.kind == "rule" else None


def _outside(context: CheckContext, node: s.Assign) -> bool:
    """Return whether an assignment changes something that outlives its rule."""
    ref = context.model.refs.get(node.target)
    return ref is not None and ref.kind != "local"


# ---- size ------------------------------------------------------------------------------------------------------------


#: Maximum size of a game state, in numbers.
MAX_STATE = 100_000
#: Maximum nesting depth of expressions and statements, with definitions expanded.
MAX_NESTED = 100
#: Maximum number of nodes in a rule, with definitions expanded.
MAX_WRITTEN_OUT = 20_000


def check_sizes(context: CheckContext, calls: CallGraph) -> None:
    """Report rules that exceed a size limit.

    Checks that depend on an acyclic call graph are skipped after an error in it.
    """
    _state(context)
    if not any(d.code == "R0408" for d in context.diagnostics):
        _nested(context, calls)
        if not any(d.code == "R0104" for d in context.diagnostics):
            _call_depths(context, calls)
        _expanded_sizes(context, calls)


def _state(context: CheckContext) -> None:
    total = 0
    places: list[s.Zone | s.Remember] = [*context.model.all_of(s.Zone), *context.model.all_of(s.Remember)]
    for article in places:
        cells = _cells(context, article)
        total += cells
        if total > MAX_STATE:
            context.report("R0414", article.name, what=article.name.text, found=max(cells, total), limit=MAX_STATE)
            return


def _cells(context: CheckContext, article: s.Zone | s.Remember) -> int:
    """Return the number of numbers that a zone or a remembered value takes in a game state."""
    copies = prod(_size(context, each_type(context, word)) for word in article.each)
    if isinstance(article, s.Remember):
        return copies
    held = context.zone_content(article)
    capacity = article.capacity
    if capacity is None:
        decks = [d for d in context.model.all_of(s.Deck) if d.cards.text == held.name]
        capacity = sum(c.count for d in decks for c in d.copies) * copies
    return copies * zone_container(article.kind).width(_size(context, held), capacity)


def _size(context: CheckContext, value_type: Type) -> int:
    """Return the maximum number of values of a type; 1 for a wrong one."""
    if value_type in (UNKNOWN, NUMBER) or (value_type.kind == "cards" and value_type.name not in context.model.cards):
        return 1
    return context.model.size(value_type, context.model.players[1])


# ---- call graph, if it is acyclic ------------------------------------------------------------------------------------


def _call_depths(context: CheckContext, calls: CallGraph) -> None:
    depths: dict[s.Declaration, int] = {}
    for article in calls.callees_first():
        depths[article] = 1 + max((depths[called] for called in calls.callees_of(article)), default=0)
        if depths[article] == MAX_CALLS + 1:
            context.report("R0104", article.name, limit=MAX_CALLS)


def _nested(context: CheckContext, calls: CallGraph) -> None:
    """Report the first articles nested too deeply; the parser limits the depth of a single line."""
    depths: dict[s.Declaration, int] = {}
    for article in calls.callees_first():
        inside = max(
            (depths[called] for called in calls.callees_of(article) if isinstance(called, s.Define)), default=0
        )
        depths[article] = _depth(article) + inside if inside or isinstance(article, s.Define) else 0
        if inside and depths[article] > MAX_NESTED >= inside:
            context.report("R0104", article.name, limit=MAX_NESTED)


def _depth(part: object) -> int:
    if isinstance(part, tuple):
        return max(map(_depth, part), default=0)
    if not isinstance(part, Node):
        return 0
    return 1 + max((_depth(getattr(part, name)) for name in field_names(type(part))), default=0)


def _expanded_sizes(context: CheckContext, calls: CallGraph) -> None:
    weights: dict[s.Declaration, int] = {}
    for article in calls.callees_first():
        inside = [called for called in calls.callees_of(article) if isinstance(called, s.Define)]
        weights[article] = min(
            sum(1 for _ in walk(article)) + sum(weights.get(called, 0) for called in inside), MAX_WRITTEN_OUT * 1000
        )
        if weights[article] > MAX_WRITTEN_OUT >= max((weights.get(called, 0) for called in inside), default=0):
            context.report("R0414", article.name, what=article.name.text, found=weights[article], limit=MAX_WRITTEN_OUT)


# ---- the rules as a whole --------------------------------------------------------------------------------------------


def check_whole_game(context: CheckContext, calls: CallGraph) -> None:
    """Report recursion, endless loops, choices without options, and missing or unused articles."""
    effects = Effects(context.model, calls)
    _recursion(context, calls)
    _misplaced_decisions(context, calls)
    for article in context.model.articles.values():
        for node in walk(article):
            if isinstance(node, s.Repeat):
                _endless_loop(context, effects, node)
            elif isinstance(node, s.Choose) and node.otherwise is None:
                _empty_choice(context, node.name or node, context.model.decision_names.get(node, ""), node.options)
        if isinstance(article, s.Procedure):
            _dead_code(context, effects, article)
    _missing_articles(context)
    _silent_game(context)
    _citations(context)
    _unused(context)


# ---- calls ---------------------------------------------------------------------------------------------------------


def _recursion(context: CheckContext, calls: CallGraph) -> None:
    """Report recursive rules: their activation records would have no fixed address."""
    for cycle, span in calls.cycles():
        context.report("R0408", span, names=tuple(a.name.text for a in cycle))


def _misplaced_decisions(context: CheckContext, calls: CallGraph) -> None:
    """Report decisions where play cannot pause: in rules with a result, and in loops over `reached`."""
    for article in calls.suspending:
        if isinstance(article, s.Define) or (isinstance(article, s.Rule) and article.gives is not None):
            context.report("R0413", article.name, name=article.name.text)
    for loop in context.uninterruptible_loops:
        if calls.suspends(loop.body):
            context.report("R0413", loop.variable, name=loop.variable.text)


# ---- branches that can never run ------------------------------------------------------------------------------------


def _dead_code(context: CheckContext, effects: Effects, article: s.Procedure) -> None:
    """Report branches that can never run, because an earlier branch or exit from the rule excludes them."""
    for block in s.all_blocks(article.body):
        for number, statement in enumerate(block):
            match statement:
                case s.If(branches=((condition, body),), otherwise=()) if body and ends_block(body[-1]):
                    if _is_stable(context, effects, condition):
                        _repeated_condition(context, effects, condition, block[number + 1 :])
                case s.If(branches=(_, _, *_)):
                    _report_dead_branch(context, effects, statement)


def _is_stable(context: CheckContext, effects: Effects, condition: s.Expression) -> bool:
    """Return whether a condition has the same value as long as nothing changes what it reads."""
    refs = (context.model.refs.get(node) for node in walk(condition))
    return not effects.draws_chance(condition) and all(ref is None or ref.kind != "time" for ref in refs)


def _report_dead_branch(context: CheckContext, effects: Effects, statement: s.If, *false: s.Expression) -> bool:
    """Report the first branch that does something but cannot run, given that the conditions `false` do not hold."""
    excluded = list(false)
    always = False
    for test, body in (*statement.branches, (s.Truth(statement.span, True), statement.otherwise)):
        dead = always or contradicts(normal(test), excluded)
        if dead and any(not isinstance(done, s.KeywordStatement) or done.word != "nothing" for done in body):
            context.report("R0410", body[0])
            return True
        always = always or contradicts(normal(test, negated=True), excluded)
        if _is_stable(context, effects, test):
            excluded.append(normal(test))
    return False


def _repeated_condition(context: CheckContext, effects: Effects, condition: s.Expression, block: s.Block) -> None:
    """Report the first branch in a block that a false condition excludes; stop where what it reads may change."""
    for statement in block:
        if isinstance(statement, s.If) and _report_dead_branch(context, effects, statement, normal(condition)):
            return
        if effects.writes(statement).intersects(effects.reads(condition)):
            return


# ---- loops ---------------------------------------------------------------------------------------------------------


def _endless_loop(context: CheckContext, effects: Effects, loop: s.Repeat) -> None:
    """Report a loop that nothing can end."""
    if loop.kind == "times" or effects.can_end_loop(loop.body):
        return
    if loop.subject is not None and (
        effects.reads(loop.subject).intersects(effects.writes(loop.body)) or effects.draws_chance(loop.subject)
    ):
        return
    context.report("R0407", loop)


# ---- choices -------------------------------------------------------------------------------------------------------


def _empty_choice(context: CheckContext, place: s.Node, name: str, choices: tuple[s.Option, ...]) -> None:
    """Report a choice that may have no option."""
    for choice in choices:
        if choice.condition is None and all(_never_empty(context, o.domain) for o in choice.parameters):
            return
    context.report("R0406", place, choice=name)


def _never_empty(context: CheckContext, d: s.Domain) -> bool:
    if d.where is not None:
        return False
    kind = context.model.types.get(d.base)
    if d.kind == "span":
        return isinstance(d.base, s.Number) and isinstance(d.first, s.Number) and d.base.value <= d.first.value
    if d.kind in ("touching", "within"):
        graph = context.model.boards.get(kind.name) if kind is not None else None
        return graph is None or all(graph.touching)
    if d.kind in ("along", "reached", "lines", "through"):
        return False
    ref = context.model.refs.get(d.base)
    return ref is None or ref.kind in ("type", "direction")


# ---- articles ------------------------------------------------------------------------------------------------------


def _missing_articles(context: CheckContext) -> None:
    articles = context.model.articles
    if ("play", "") not in articles:
        context.report("R0412", context.model.merged.head, article="play")
        return
    # The game also ends when `play` returns.
    if ("winner", "") not in articles and not any(isinstance(n, s.Wins) for a in articles.values() for n in walk(a)):
        context.report("R0415", context.model.merged.head)


def _silent_game(context: CheckContext) -> None:
    """Report a game with decisions but without any visible event."""
    nodes = [node for article in context.model.articles.values() for node in walk(article)]
    deciding = next((n for n in nodes if isinstance(n, s.Decision)), None)
    if deciding is not None and not any(map(_shows_event, nodes)):
        context.report("R0427", deciding.name or deciding)


def _shows_event(node: s.Node) -> bool:
    if not isinstance(node, s.EventStatement):
        return isinstance(node, s.Tell)
    # Without a message, only shuffling is not shown.
    return node.message.name is not None if node.message is not None else not isinstance(node, s.Shuffle)


def _citations(context: CheckContext) -> None:
    head = context.model.merged.head
    books = {b.name for b in head.books}
    in_facts = (citation for fact in head.facts for citation in fact.sources)
    in_articles = (citation for article in (head, *context.model.articles.values()) for citation in article.sources)
    for citation in (*in_facts, *in_articles):
        if citation.book is not None and citation.book not in books:
            context.report("R0210", citation, name=citation.book)
    for article in context.model.articles.values():
        if article.sourced and not article.sources and not head.sources:
            context.report("R0411", article.name, article=article.name.text)


def _unused(context: CheckContext) -> None:
    for article in context.model.articles.values():
        if article.used and article.name.text not in context.used:
            context.report("R0204", article.name, name=article.name.text)
    for local in context.lets:
        if local not in context.used_locals:
            context.report("R0204", local.span_node, name=local.name)
