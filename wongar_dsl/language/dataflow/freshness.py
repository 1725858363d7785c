"""Detection of uses of a name after the inputs of its value have changed.

`let before = gold of p` stores a number.  If `gold of p` changes before the name is used, the name and the expression
differ, and a text must not replace one by the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.call_graph import CallGraph
from wongar_dsl.language.dataflow.effects import Effects, NameSets, ends_block
from wongar_dsl.language.semantics import Local, Model

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
