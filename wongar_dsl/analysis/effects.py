"""What statements and expressions do: what they look at, what they change, and what they leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from wongar_dsl import syntax as s
from wongar_dsl.analysis.call_graph import CallGraph
from wongar_dsl.model import FIGURE, Local, Model, Ref
from wongar_dsl.model.builtins import REFERENCES

#: Stands for where all figures are, and who holds them.
FIGURES = "figures"
_ENDING = frozenset({"end game", "end rule", "impossible", "leave loop"})


def ends_block(node: s.Statement) -> bool:
    """Whether nothing that follows a statement in its block is ever done."""
    return node.ends is not None or (isinstance(node, s.Simple) and node.word in _ENDING)


def ends_game(node: s.Node) -> bool:
    """Whether a statement is itself the end of the game."""
    ends = isinstance(node, s.StatementNode) and node.ends == "game"
    return ends or (isinstance(node, s.Simple) and node.word == "end game")


def _is_deed(node: s.Node) -> bool:
    """Whether a statement is seen on the table, or asks somebody."""
    asks = isinstance(node, s.Choose | s.ChooseSimultaneously)
    return asks or (isinstance(node, s.StatementNode) and node.lasting and not isinstance(node, s.Tell))


def parts(node: s.Statement) -> tuple[tuple[s.Block, bool], ...]:
    """The blocks of a statement, each with whether it is the body of a loop."""
    return tuple((block, node.loops) for block in s.blocks(node))


def leaves_loop(node: s.Statement) -> bool:
    """Whether a `leave loop` in a statement means a loop around it."""
    if isinstance(node, s.Simple):
        return node.word == "leave loop"
    return any(leaves_loop(inner) for body, loop in parts(node) if not loop for inner in body)


@dataclass(frozen=True, slots=True)
class Names:
    """Things that can change: those that the game keeps, by name, and local names."""

    kept: set[str] = field(default_factory=set)
    local: set[Local] = field(default_factory=set)

    def add(self, other: Names) -> None:
        """Take in other names too."""
        self.kept.update(other.kept)
        self.local.update(other.local)

    def meets(self, other: Names) -> bool:
        """Whether something is in both."""
        return bool(self.kept & other.kept or self.local & other.local)


class Effects:
    """Follows what is looked at, changed and left, through what is called."""

    def __init__(self, model: Model, calls: CallGraph) -> None:
        self._model = model
        self._calls = calls
        self._at_once: dict[s.Statement, bool] = {}
        self._changing: dict[s.Article, bool] = {}

    @cached_property
    def assigned(self) -> frozenset[Local]:
        """The local names that `set` changes."""
        targets = (n.target for a in self._model.code.articles for n in s.walk(a) if isinstance(n, s.Assign))
        refs = (self._model.refs.get(target) for target in targets)
        return frozenset(ref.local for ref in refs if ref is not None and ref.local is not None)

    # ---- what a statement leaves ----

    def at_once(self, node: s.Statement) -> bool:
        """Whether a statement neither waits, nor leaves the rule or the loop around it, nor binds a name."""
        if node not in self._at_once:
            leaves = (isinstance(n, s.Give) or (isinstance(n, s.Simple) and n.word == "end rule") for n in s.walk(node))
            apart = isinstance(node, s.Let) or any(leaves) or leaves_loop(node) or self._calls.suspends(node)
            self._at_once[node] = not apart
        return self._at_once[node]

    def can_end_loop(self, body: Iterable[s.Statement], own: bool = True) -> bool:
        """Whether something in a loop's body can end the loop; `own` says that no other loop stands between."""
        for node in body:
            if ends_block(node):
                if own or not leaves_loop(node):
                    return True
            elif isinstance(node, s.Call):
                called = (rule for c in self._calls.callees(node.call) for rule in self._calls.reached(c))
                if any(ends_game(n) for rule in called for n in s.walk(rule)):
                    return True
            elif any(self.can_end_loop(inner, own and not loop) for inner, loop in parts(node)):
                return True
        return False

    # ---- what is looked at ----

    def reads(self, e: s.Node | s.Block) -> Names:
        """Everything changeable that an expression looks at, through what it calls."""
        names = Names()
        for node, own in self._with_callees(e):
            ref = self._model.refs.get(node)
            if ref is not None:
                names.add(_named(ref, own))
        return names

    def draws_chance(self, e: s.Node) -> bool:
        """Whether an expression draws lots itself."""
        return any(map(_is_lot, s.walk(e)))

    # ---- what is changed ----

    def writes(self, body: s.Node | s.Block) -> Names:
        """Everything that statements change, through the rules and effects that they call too."""
        names = Names()
        for node, own in self._with_callees(body):
            for target in _targets(node):
                if isinstance(target, s.Word):
                    # Figures are changed together: who has one, and where it stands.
                    names.kept.add(FIGURES if isinstance(node, s.Take) else target.text)
                    continue
                found = self.reads(target)
                # A local name changes where it is the target itself; names that index a target are only read.
                names.add(Names(found.kept, found.local if own and isinstance(target, s.Name) else set()))
                if self._model.types.get(target) == FIGURE:
                    names.kept.add(FIGURES)
        return names

    def idle(self, body: s.Block) -> bool:
        """Whether statements move, lay, draw, score, decide and end nothing: they tell and remember at most."""
        nodes = [node for node, _ in self._with_callees(body)]
        return not any(_is_deed(node) or ends_game(node) or _is_lot(node) for node in nodes)

    def counts(self, node: s.Statement) -> bool:
        """Whether a statement gives points, tells and remembers at most, without chance, and leaves nothing around."""
        if not self.at_once(node) or ends_block(node):
            return False
        nodes = [each for each, _ in self._with_callees(node)]
        deeds = any(_is_deed(each) and not isinstance(each, s.Gain) for each in nodes)
        return not deeds and not any(ends_game(each) or _is_lot(each) for each in nodes)

    def gains(self, body: s.Block) -> bool:
        """Whether somebody may get or lose points in statements, through what they call too."""
        return any(isinstance(node, s.Gain) for node, _ in self._with_callees(body))

    def stands_alone(self, body: s.Block) -> bool:
        """Whether statements know no names but those of the game and their own."""
        own = {self._model.locals[node] for node in s.walk(body) if node in self._model.locals}
        return self.reads(body).local <= own

    def asks_for_changes(self, e: s.Expression) -> bool:
        """Whether the value of a rule that changes what the game keeps is a part of an expression, or all of it."""
        called = (c for n in s.walk(e) if isinstance(n, s.Called) for c in self._calls.callees(n))
        return any(map(self._changes, called))

    def _changes(self, article: s.Article) -> bool:
        """Whether an article changes what the game keeps, through what it calls too."""
        if article not in self._changing:
            self._changing[article] = bool(self.writes(article).kept)
        return self._changing[article]

    def _with_callees(self, e: s.Node | s.Block) -> Iterator[tuple[s.Node, bool]]:
        """All nodes of a piece of text and of what it calls, each with whether it stands in the text itself."""
        called: dict[s.Article, None] = {}
        for node in s.walk(e):
            yield node, True
            for callee in self._calls.callees(node):
                called.update(dict.fromkeys(self._calls.reached(callee)))
        for article in called:
            yield from ((node, False) for node in s.walk(article))


def _is_lot(node: s.Node) -> bool:
    return isinstance(node, s.Quantified) and node.kind == "random"


def _named(ref: Ref, own: bool) -> Names:
    """What a reference looks at by itself; what it calls is followed elsewhere."""
    match REFERENCES[ref.kind].reads:
        case "local":
            return Names(local={ref.local} if own and ref.local is not None else set())
        case "named":
            return Names({ref.name})
        case "figures":
            return Names({FIGURES})
        case "nothing" | "called":
            return Names()
        case never:
            assert_never(never)


def _targets(node: s.Node) -> Iterator[s.Expression | s.Word]:
    """What names what a statement changes: expressions, and the words of scores, tracks and figures."""
    if isinstance(node, s.Statement):
        yield from (target for field in node.changes if (target := getattr(node, field)) is not None)
