"""Analyses of values: which may be none, which names are used after their inputs changed, which loops have an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, NamedTuple, assert_never

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.dataflow.effects import (
    CallGraph,
    Effects,
    NameSets,
    assigned_values,
    ends_block,
    ends_game,
    ends_rule,
    leaves_loop,
)
from wongar_dsl.language.semantics import NONE, Local, Model
from wongar_dsl.language.semantics.builtins import REFERENCES
from wongar_dsl.language.semantics.model import FIGURE

# ---- nullability -----------------------------------------------------------------------------------------------------
#
# Lowering emits null checks only for these values.


class Nullability:
    """Nullability of values, propagated through local names."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._doubtful: set[Local] = set()
        assignments = [(local, e) for local, e in self._bindings() if local.type.can_be_none]
        while new := {local for local, e in assignments if local not in self._doubtful and self.may_be_none(e)}:
            self._doubtful |= new

    def may_be_none(self, e: s.Expression) -> bool:
        """Return whether a value may be none."""
        kind = self._model.types.get(e)
        if kind is None or not (kind.can_be_none or kind == NONE):
            return False
        match e:
            case s.Nobody():
                return True
            case s.Conditional(then=then, other=other):
                return self.may_be_none(then) or self.may_be_none(other)
            case s.Quantified(kind=quantifier):
                return quantifier == "first"
            case s.Name() | s.Of() | s.Indexed() | s.Called():
                return self._names_none(e)
            case _:
                return True  # A nullable type with an unknown value needs a check.

    def _names_none(self, e: s.Name | s.Of | s.Indexed | s.Called) -> bool:
        """Return whether a name or call may yield none."""
        ref = self._model.refs.get(e)
        if ref is None:
            return False
        absent = REFERENCES[ref.kind].absent
        match absent:
            case "never" | "always":
                return absent == "always"
            case "local":
                return ref.local in self._doubtful
            case "cells":
                return -1 in self._model.tables[ref.name].cells
            case "definition":
                return self.may_be_none(self._model.code.defines[ref.name].value)
            case "number":
                number = e.arguments[0] if isinstance(e, s.Called) else None
                return not (isinstance(number, s.Number) and 1 <= number.value <= self._model.players[0])
            case "owner":
                return isinstance(e, s.Of) and self.may_be_none(e.owner)
            case never:
                assert_never(never)

    def _bindings(self) -> Iterator[tuple[Local, s.Expression]]:
        """Yield every local name with an expression that it is bound to."""
        model = self._model
        for article in model.code.articles:
            for node in walk(article):
                yield from assigned_values(model, model.code, node)
                if isinstance(node, s.Perform):
                    place_arguments = [e for e in (node.player, node.place) if e is not None]
                    for effect in model.code.effects[model.types[node.card].name]:
                        bound = model.parameters[effect][len(effect.card_parameters) :]
                        yield from zip(bound, place_arguments, strict=False)


# ---- freshness -------------------------------------------------------------------------------------------------------
#
# `let before = gold of p` stores a number.  If `gold of p` changes before the name is used, the name and the
# expression differ, and a text must not replace one by the other.


#: Stands for the value of the clock, which changes with each decision.
CLOCK = "time"


class _FreshnessState(NamedTuple):
    """State at a program point.

    `changed`: the inputs may have changed.  `described`: a text can refer back to the value.
    """

    changed: bool = False
    described: bool = False


class Freshness:
    """Freshness analysis of the names in a game."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._calls = CallGraph(model, model.code)
        self.effects = Effects(model, self._calls)

    def inputs(self, value: s.Expression) -> NameSets:
        """Return all mutable things that the value of an expression depends on."""
        names = self.effects.reads(value)
        if any((ref := self.model.refs.get(node)) is not None and ref.kind == "time" for node in s.walk(value)):
            names.state.add(CLOCK)
        return names

    def changes_before_use(
        self, local: Local, inputs: NameSets, block: s.Block, *, described: bool
    ) -> tuple[s.Statement, ...]:
        """Return the statements that may change the inputs of a name that is used later.

        `block` follows the definition.  With `described` a text describes the value at its first use and can refer back
        to it.  For a card the reference stays valid.  For other values it is valid in the next statement, if the
        described player makes the change.
        """
        if not (inputs.state or inputs.local):
            return ()
        walk = _FreshnessWalk(self, local, inputs, described)
        walk.block(block, _FreshnessState())
        return tuple(walk.changes) if walk.late else ()

    def writes(self, statement: s.Statement) -> NameSets:
        """Return all mutable things that a statement may change."""
        names = self.effects.writes(statement)
        if self.suspends(statement):
            names.state.add(CLOCK)
        return names

    def suspends(self, tree: s.Node | s.Block) -> bool:
        """Return whether players decide during some statements."""
        return self._calls.suspends(tree)


@dataclass(slots=True)
class _FreshnessWalk:
    """Traversal of the statements after one definition."""

    fresh: Freshness
    local: Local
    inputs: NameSets
    described: bool
    #: True if the name is used after its inputs have changed.
    late: bool = False
    changes: list[s.Statement] = field(default_factory=list)

    def block(self, block: s.Block, state: _FreshnessState | None) -> _FreshnessState | None:
        """Return the state after a block; None if the end is unreachable."""
        for statement in block:
            if state is None:
                break
            state = self._statement(statement, state)
        return state

    def _statement(self, statement: s.Statement, state: _FreshnessState) -> _FreshnessState | None:
        parts = _parts(statement)
        if not parts:
            described = self._use(statement, state)
            if ends_block(statement):
                return None
            changes = self._change(statement)
            if changes and not (self._lasts or self._does(statement)):
                described = False
            return _FreshnessState(state.changed or changes, described)
        loops = statement.loops or isinstance(statement, s.ChooseSimultaneously)
        start = state._replace(changed=state.changed or (loops and self._change(statement)))
        start = start._replace(described=self._use(statement, start, frozenset(s.walk(parts))))
        ends = [self.block(body, start._replace(described=self._use(head, start))) for head, body in parts]
        if not (isinstance(statement, s.If) and statement.otherwise):
            ends.append(start)
        reached = [end for end in ends if end is not None]
        # A text does not refer back to a description inside of a sub-item.
        described = state.described and self._lasts
        return _FreshnessState(any(end.changed for end in reached), described) if reached else None

    @property
    def _lasts(self) -> bool:
        """True if a reference to the value never expires: a card is the same in every zone."""
        return self.local.type.kind == "cards"

    def _use(self, tree: object, state: _FreshnessState, without: frozenset[s.Node] = frozenset()) -> bool:
        """Return whether the value is described after this use; record a use after a change."""
        nodes = (node for node in s.walk(tree) if node not in without)
        used = any(map(self._is_local, nodes))
        if used and state.changed and not state.described:
            self.late = True
        passes = self._lasts or isinstance(tree, s.Tell)
        return (used and self.described) or (passes and state.described)

    def _does(self, statement: s.Statement) -> bool:
        """Return whether the player of this name carries out the statement."""
        return any(self._is_local(getattr(statement, doer, None)) for doer in ("player", "taker"))

    def _is_local(self, node: object) -> bool:
        ref = self.fresh.model.refs.get(node) if isinstance(node, s.Node) else None
        return ref is not None and ref.local is self.local

    def _change(self, statement: s.Statement) -> bool:
        if not self.fresh.writes(statement).intersects(self.inputs):
            return False
        self.changes.append(statement)
        return True


def _parts(statement: s.Statement) -> list[tuple[object, s.Block]]:
    """Return the nested blocks of a statement, each with the expressions evaluated only for it."""
    if isinstance(statement, s.If):
        return [*statement.branches, *([((), statement.otherwise)] if statement.otherwise else [])]
    inner = s.blocks_and_options(statement)
    return [((p.parameters, p.condition), p.body) if isinstance(p, s.Option) else ((), p) for p in inner]


# ---- order of loops --------------------------------------------------------------------------------------------------
#
# *Every player gains what the left-hand neighbour has* is another rule than the loop that does it for one after the
# other.  A loop carries a dependence if one iteration changes what another one reads, or overwrites what it has set.


@dataclass(frozen=True, slots=True)
class _Access:
    """Use of a stored value, a score, a zone or a figure.

    Kinds of use: `read`; `own`, read to compute its own new value; `named`, only named by a statement; `changed`, grows
    or shrinks; `set`, is overwritten.
    """

    use: Literal["read", "own", "named", "changed", "set"]
    name: str
    indices: tuple[s.Expression, ...]
    #: The statement that sets it.
    statement: s.Node | None = None


class _IterationNames:
    """The names that differ between the iterations of a loop: its variable, and all that depend on it.

    `lets` has the values of those that have one value in an iteration.
    """

    def __init__(self, loop_variable: Local) -> None:
        self.loop_variable = loop_variable
        self.names = {loop_variable}
        self.lets: dict[Local, s.Expression] = {}


class LoopOrder:
    """Analysis of the loops of a game."""

    def __init__(self, model: Model, calls: CallGraph) -> None:
        self._model, self._calls = model, calls
        self._bodies: dict[s.ForEach, tuple[_IterationNames, list[_Access]]] = {}

    def changed_conditions(self, loop: s.ForEach) -> tuple[s.Expression, ...]:
        """Return the parts of a loop's `where` that an earlier iteration may change."""
        parts = s.conjuncts(loop.domain.where)
        if not parts or loop.domain.extreme is not None:
            return ()  # The extreme is determined at the start.
        return tuple(part for part in parts if self.changes(loop, part))

    def changes(self, loop: s.ForEach, condition: s.Expression) -> bool:
        """Return whether an earlier iteration of a loop may change a condition."""
        varying, accesses = self._body(loop)
        return self._conflict([*self._uses(condition, {}, frozenset())], accesses, varying)

    def is_ordered(self, loop: s.ForEach) -> bool:
        """Return whether the iterations of a loop depend on each other, apart from its `where`."""
        if self._calls.suspends(loop.body):
            return False  # Decisions are made in turn.
        if any(map(leaves_loop, loop.body)) or any(map(ends_rule, s.walk(loop.body))):
            return True
        varying, uses = self._body(loop)
        ends = [node for node in self._statements(loop.body, frozenset()) if ends_game(node)]
        changes = any(use.use in ("changed", "set") for use in uses)
        if any(changes or self._varies(node, varying) for node in ends):
            return True  # The first one wins, or is the last one that something is done for.
        overwritten = (use for use in uses if use.use == "set" and not self._varies(use.indices, varying))
        return self._conflict(uses, uses, varying) or any(self._varies(use.statement, varying) for use in overwritten)

    def _body(self, loop: s.ForEach) -> tuple[_IterationNames, list[_Access]]:
        """Return the names that vary with the iteration, and what the body uses."""
        if loop not in self._bodies:
            varying = _IterationNames(self._model.locals[loop.variable])
            self._add_varying(loop.body, varying, frozenset())
            self._bodies[loop] = varying, [*self._uses(loop.body, {}, frozenset())]
        return self._bodies[loop]

    def _add_varying(self, tree: object, varying: _IterationNames, callers: frozenset[str]) -> None:
        """Add the names in a tree, and in the rules that it calls, whose values depend on `varying` names."""
        for node in s.walk(tree):
            match node:
                case s.Let(variable=name, value=bound) if self._varies(bound, varying):
                    varying.lets[self._model.locals[name]] = bound
                    varying.names.add(self._model.locals[name])
                case s.ForEach(variable=name, domain=bound) | s.OptionParameter(name=name, domain=bound):
                    if self._varies(bound, varying):
                        varying.names.add(self._model.locals[name])
                case s.Called(name=called, arguments=arguments) if called not in callers:
                    for article in self._calls.callees(node):
                        bindings = zip(self._model.parameters.get(article, ()), arguments, strict=False)
                        varying.names |= {local for local, argument in bindings if self._varies(argument, varying)}
                        self._add_varying(article, varying, callers | {called})

    def _is_own(self, index: s.Expression, varying: _IterationNames) -> bool:
        """Return whether an index differs in each iteration: it is the loop variable, or next to it."""
        match index:
            case s.Of(name="left" | "right", owner=inner) | s.Called(name="step", arguments=(inner, *_)):
                return self._is_own(inner, varying)
        ref = self._model.refs.get(index)
        bound = varying.lets.get(ref.local) if ref is not None and ref.local is not None else None
        return (
            (ref is not None and ref.local is varying.loop_variable) if bound is None else self._is_own(bound, varying)
        )

    def _statements(self, tree: object, callers: frozenset[str]) -> Iterator[s.StatementNode]:
        """Yield the statements in a tree, and in the rules that it calls."""
        for node in s.walk(tree):
            if isinstance(node, s.StatementNode):
                yield node
            if isinstance(node, s.Called) and node.name not in callers:
                for article in self._calls.callees(node):
                    yield from self._statements(article, callers | {node.name})

    def _varies(self, tree: object, varying: _IterationNames) -> bool:
        refs = (self._model.refs.get(node) for node in s.walk(tree))
        return any(ref is not None and ref.local in varying.names for ref in refs)

    def _conflict(self, uses: list[_Access], accesses: list[_Access], varying: _IterationNames) -> bool:
        """Return whether one iteration uses what another one has changed."""
        changes = [use for use in accesses if use.use in ("changed", "set")]
        return any(self._depends(use, change, varying) for use in uses for change in changes if use is not change)

    def _depends(self, use: _Access, change: _Access, varying: _IterationNames) -> bool:
        if use.name != change.name:
            return False
        varies = self._varies((use.indices, change.indices), varying)
        # A zone stands for all kinds in it.
        if all(map(s.same, use.indices, change.indices)):
            # Each iteration reads its own, or all of them the same: two squares can have one owner.
            return use.use == "read" and not any(self._is_own(index, varying) for index in use.indices)
        return varies

    def _uses(self, tree: object, bindings: Mapping[str, s.Expression], callers: frozenset[str]) -> Iterator[_Access]:
        """Yield what a tree and its callees use; `bindings` are the arguments of a call by parameter."""
        named: dict[s.Node, Literal["named", "own"]] = {}
        for node in s.walk(tree):
            if isinstance(node, s.StatementNode):
                for access, changed in self._changes(node, bindings):
                    named[changed] = "named"
                    yield access
                if isinstance(node, s.Assign):
                    inner = (part for part in s.walk(node.value) if s.same(part, node.target))
                    named |= dict.fromkeys(inner, "own")
            if isinstance(node, s.Quantified) and node.kind == "random":
                # Draws from the same place are equally likely in any order.
                named |= dict.fromkeys(s.walk((node.domain.base, node.value)), "named")
            if (place := self._place(node, bindings)) is not None:
                yield _Access(named.get(node, "read"), *place)
            match node:
                case s.Called(name=name, arguments=arguments) if name not in callers:
                    for article in self._calls.callees(node):
                        names = (local.name for local in self._model.parameters.get(article, ()))
                        inner_given = dict(zip(names, _with_arguments(arguments, bindings), strict=False))
                        yield from self._uses(article, inner_given, callers | {name})

    def _changes(
        self, statement: s.StatementNode, bindings: Mapping[str, s.Expression]
    ) -> Iterator[tuple[_Access, s.Node]]:
        """Yield what a statement itself changes, and the node that names it."""
        for target in statement.targets:
            match statement, target:
                case s.Gain(player=player), s.Word(text=name):
                    yield _Access("changed", name, _with_arguments((player,), bindings)), target
                case _, s.Word(text=name):
                    yield _Access("set" if isinstance(statement, s.Take) else "changed", name, (), statement), target
                case _:
                    # The first place is the changed one; others only stand in its index.
                    places = ((node, place) for node in s.walk(target) if (place := self._place(node, bindings)))
                    for node, place in islice(places, 1):
                        overwritten = isinstance(statement, s.Assign) or self._model.types.get(node) == FIGURE
                        yield _Access("set" if overwritten else "changed", *place, statement), node

    def _place(self, node: s.Node, bindings: Mapping[str, s.Expression]) -> tuple[str, tuple[s.Expression, ...]] | None:
        """Return the name and the indices of a stored value, a score, a zone or a figure; None for another node."""
        ref = self._model.refs.get(node)
        if self._model.types.get(node) == FIGURE and isinstance(node, s.Name):
            return node.text, ()
        if ref is None or REFERENCES[ref.kind].reads != "named" or not isinstance(node, s.Name | s.Of | s.Indexed):
            return None
        return ref.name, _with_arguments(s.index_nodes(node), bindings)


def _with_arguments(
    indices: tuple[s.Expression, ...], bindings: Mapping[str, s.Expression]
) -> tuple[s.Expression, ...]:
    return tuple(bindings.get(index.text, index) if isinstance(index, s.Name) else index for index in indices)
