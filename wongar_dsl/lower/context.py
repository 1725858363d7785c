"""What all parts of lowering share, and where they meet: a part never imports another for the nodes inside its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.analysis.call_graph import CallGraph
from wongar_dsl.analysis.effects import Effects
from wongar_dsl.analysis.nullability import Nullability
from wongar_dsl.ir.builder import Builder, Cell, Code, Iteration, Structured
from wongar_dsl.ir.extents import CARDS, KEPT, MAX_VALUE, Extent, extent, product, within
from wongar_dsl.lower.memory import Memory
from wongar_dsl.lower.pool import Pool
from wongar_dsl.model import NUMBER, Local, Model, Ref, Type
from wongar_dsl.model.types import RefKind

ZERO, ONE, NONE = ir.Const(0), ir.Const(1), ir.Const(-1)
#: Where products lie that machines can work out: in 64 bits.
_WORKED_OUT: Extent = (1 - (1 << 63), (1 << 63) - 1)
#: What has a value only by what the checker found that it means.
_NAMES = (s.Name, s.Called, s.Indexed, s.Of)
#: Of these not every part is worked out, or one of them again and again.
_IN_PARTS = (s.Logical, s.Either, s.Quantified)


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Which function lowers what: nodes by their class, domains by their kind, names by what they mean.

    Each module says so at its end, in `LOWERED`; `dispatch` joins them.
    """

    expressions: Mapping[type[s.Expression], Callable[[Lowering, Any], ir.Expr]] = field(default_factory=_nothing)
    references: Mapping[RefKind, Callable[[Lowering, Any, Ref], ir.Expr]] = field(default_factory=_nothing)
    domains: Mapping[s.DomainKind, Callable[[Lowering, s.Domain, Local], Iteration]] = field(default_factory=_nothing)
    statements: Mapping[type[s.Statement], Callable[[Lowering, Any], None]] = field(default_factory=_nothing)
    articles: Mapping[type[s.Article], Callable[[Lowering, Any], None]] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Activation:
    """A rule in which somebody decides: its blocks, and its cells in the state."""

    rule: str
    entry: int
    parameters: tuple[int, ...]
    back: int
    exit: int
    cells: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Offer:
    """What an option was made of, in which rule, and where the names around it are kept."""

    choice: s.Choice
    rule: str
    names: Mapping[Local, Cell | ir.Const]


@dataclass(slots=True)
class Lowering:
    """One game for one number of seats, on its way to a program."""

    model: Model
    seats: int
    settings: Mapping[str, int]
    memory: Memory
    pool: Pool
    nullable: Nullability
    calls: CallGraph
    effects: Effects
    dispatch: Dispatch
    flow: Builder = field(default_factory=lambda: Structured(Code("")))
    article: s.Article | None = None
    procedures: dict[s.Article, int] = field(default_factory=dict)
    #: Whether what is lowered is only asked: then it changes nothing, and may be worked out where it is used.
    asking: bool = False
    #: Definitions that are procedures wherever they are used.
    apart_only: set[s.Article] = field(default_factory=set)
    activations: dict[s.Article, Activation] = field(default_factory=dict)
    #: What the options were made of, by their blocks.
    offers: dict[int, Offer] = field(default_factory=dict)
    #: Where the numbers lie that names are given in loops.
    bounds: dict[Local, Extent] = field(default_factory=dict)
    #: The counted loop whose body is being lowered, while every turn comes there once, and the name of the player who
    #: does if each of them does.
    turn: tuple[ir.Turn, Local | None] | None = None
    #: Where a statement calls rules that change something: what of it is worked out already.  None where it does not.
    worked_out: dict[s.Expression, ir.Expr] | None = None

    @property
    def code(self) -> Code:
        """Where straight code goes now."""
        return self.flow.code

    # ---- what the parts need of each other ----

    def value(self, e: s.Expression) -> ir.Expr:
        """Lower an expression; what must be done first is added to the code."""
        if self.worked_out is not None:
            if e in self.worked_out:
                return self.worked_out[e]
            if not isinstance(e, _IN_PARTS):
                self._in_order(e)
        around, self.flow = self.flow, self.flow.straight
        result = self.dispatch.expressions[type(e)](self, e)
        if isinstance(result, ir.Var | ir.Load) and self.model.types.get(e, NUMBER) != NUMBER:
            self.code.known[result] = CARDS
        self.flow = around
        return result

    def condition(self, e: s.Expression) -> ir.Expr:
        """Lower what is only asked."""
        with self.asked():
            return self.value(e)

    @contextmanager
    def in_turn(self, turn: tuple[ir.Turn, Local | None] | None) -> Iterator[None]:
        """Lower the body of a counted loop, or with None what is no more done once in each of its turns."""
        around, self.turn = self.turn, turn
        yield
        self.turn = around

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Lower something that changes nothing."""
        around, self.asking = self.asking, True
        yield
        self.asking = around

    def once(self, e: s.Expression) -> ir.Expr:
        """Lower an expression and keep its value in a variable, unless it is a constant or one already."""
        value = self.value(e)
        kept = self.code.once(value)
        if kept != value:
            self.code.known[kept] = self.extent(value)
        return kept

    def non_null(self, e: s.Expression) -> ir.Expr:
        """Lower a value that must not be nobody: where it could be, the rules are stopped if it is."""
        value = self.value(e)
        if not self.nullable.may_be_none(e):
            return value
        value = self.code.once(value)
        self.stop_if(ir.Bin("<", value, ZERO), "R0610", e)
        return value

    def domain(self, d: s.Domain, local: Local) -> Iteration:
        """What a domain runs over, for the name that it binds, without its conditions."""
        return self.dispatch.domains[d.kind](self, d, local)

    def statement(self, node: s.Statement) -> None:
        """Lower one statement; what is done at once is written straight."""
        around = self.flow
        if around.straight is not around and self.effects.at_once(node):
            self.flow = around.straight
        self.mark(node)
        with self._changing(node):
            self.dispatch.statements[type(node)](self, node)
        self.flow = around

    def block(self, body: s.Block) -> None:
        """Lower statements in their order; what they bind lasts until their end."""
        with self.flow.scope():
            for node in body:
                self.statement(node)

    # ---- what changes while it is worked out ----

    @contextmanager
    def _changing(self, node: s.Statement) -> Iterator[None]:
        """Lower a statement: where it asks rules that change something, its parts are worked out as they are written,
        each once, so that none of them sees what only those behind it change."""
        around, self.worked_out = self.worked_out, None
        if not isinstance(node, s.Compound):
            asking = node.call if isinstance(node, s.Call) else node
            if any(map(self.effects.asks_for_changes, s.operands(asking))):
                self.worked_out = {}
                self._in_order(asking)
        yield
        self.worked_out = around

    def _in_order(self, node: s.Statement | s.Expression) -> None:
        """Work out the parts of a statement, an operator or a call in their order, up to the last that changes
        something."""
        assert self.worked_out is not None
        parts = [part for operand in s.operands(node) for part in self._valued(operand)]
        changing = [number for number, part in enumerate(parts) if self.effects.asks_for_changes(part)]
        if changing and changing[-1]:
            for part in parts[: changing[-1] + 1]:
                self.worked_out[part] = self.once(part)

    def _valued(self, e: s.Expression) -> Iterator[s.Expression]:
        """An expression, where it has a value (a zone has none), after what tells which of several it means."""
        for index in s.index_nodes(e):
            yield from self._valued(index)
        ref = self.model.refs.get(e)
        if (ref.kind in self.dispatch.references) if ref is not None else not isinstance(e, _NAMES):
            yield e

    # ---- where code goes ----

    @contextmanager
    def straight(self) -> Iterator[Code]:
        """Write straight code into what is around."""
        around, self.flow = self.flow, self.flow.straight
        yield self.code
        self.flow = around

    @contextmanager
    def apart(self, rule: str, names: Code | None = None) -> Iterator[Code]:
        """Write code of its own, which may know the names of another."""
        around, self.flow = self.flow, Structured(Code(rule, names=dict(names.names) if names is not None else {}))
        yield self.code
        self.flow = around

    @contextmanager
    def about(self, article: s.Article) -> Iterator[None]:
        """Lower an article: faults inside are its own."""
        around, self.article = self.article, article
        yield
        self.article = around

    # ---- small things that all parts write ----

    def type_of(self, e: s.Expression) -> Type:
        """The type that the checker found."""
        return self.model.types[e]

    def mark(self, node: s.Node) -> None:
        """Note where a run comes to a node, if that is asked for."""
        number = self.pool.mark(node.span)
        if number is not None:
            self.code.add(ir.Mark(number))

    def origin(self) -> ir.Origin | None:
        """Where the statement stands that is being lowered, if marks are asked for."""
        if not self.pool.marks or self.article is None:
            return None
        return ir.Origin(self.article.name.text, self.pool.marks[-1])

    def fault(self, code: str, node: s.Node, name: str = "") -> int:
        """The number of a fault at a place in the rules."""
        rule = self.article.name.text if self.article is not None else ""
        return self.pool.fault(ir.FaultSpec(code, rule, node.span, name))

    def stop_if(self, test: ir.Expr, code: str, node: s.Node, name: str = "") -> None:
        """Stop the game with a fault where a test holds."""
        self.code.add(ir.If(test, (ir.Fault(self.fault(code, node, name)),), ()))

    # ---- numbers that stay in their range ----

    def extent(self, value: ir.Expr) -> Extent:
        """Between which numbers a value lies, as far as that is known here."""
        return extent(value, self.code.known, self.pool.table_extent)

    def in_range(self, node: s.Node, value: ir.Expr, name: str) -> ir.Expr:
        """A value that is kept or multiplied, and a fault where it is too large for that; none where it cannot be."""
        low, high = self.extent(value)
        if within((low, high), KEPT):
            return value
        kept = self.code.once(value)
        tests = [ir.Bin(">", kept, ir.Const(MAX_VALUE))] if high > MAX_VALUE else []
        tests += [ir.Bin("<", kept, ir.Const(-MAX_VALUE))] if low < -MAX_VALUE else []
        self.stop_if(tests[0] if len(tests) == 1 else ir.Bin("or", *tests), "R0603", node, name)
        if kept != value:
            self.code.known[kept] = max(low, -MAX_VALUE), min(high, MAX_VALUE)
        return kept

    def bounded(self, e: s.Expression) -> ir.Expr:
        """Lower a value that is handed on: a number stays in its range, or is a fault."""
        return self.in_range(e, self.value(e), "+")

    def product(self, node: s.Node, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """A product that stays in the range of numbers, or is a fault; so is what is multiplied, where it is so large
        that the product could be beyond what machines work out."""
        if not within(product(self.extent(left), self.extent(right)), _WORKED_OUT):
            left, right = self.in_range(node, left, "*"), self.in_range(node, right, "*")
        return self.in_range(node, ir.Bin("*", left, right), "*")

    def lookup(self, key: object, cells: tuple[int, ...], index: ir.Expr) -> ir.Expr:
        """A cell of a constant table; `key` tells the table apart."""
        return ir.Lookup(self.pool.table(key, cells), index)
