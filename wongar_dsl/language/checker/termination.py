"""Reachability analysis: reports games whose `play` can never end.

Conditions count as undecided, except those over remembered values whose possible values are known: the start value, and
what reachable statements assign. The sets grow until a fixed point is reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from wongar_dsl.base.diagnostic_codes import Severity
from wongar_dsl.base.diagnostics import Label
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.dataflow.effects import ends_block, ends_game

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
    if not isinstance(play, s.Play) or any(d.severity is Severity.ERROR for d in context.diagnostics):
        return
    flow = _FlowAnalysis(context)
    setup = context.model.article(s.Setup)
    while True:
        previous = dict(flow.assigned)
        flow.passes += 1
        flow.reached.clear()
        through = not isinstance(setup, s.Setup) or flow.block(setup.body).completes
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
        articles, all_return = self.context.model.articles, True
        for called in walk(parts):
            ref = self.context.model.refs.get(called)
            rule = articles.get(("rule", ref.name)) if ref is not None and ref.kind == "rule" else None
            if isinstance(rule, s.Rule):
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
        if assigned is None or not isinstance(article, s.Remember):
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
