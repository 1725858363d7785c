"""Shared state of lowering, and the registries of lowering functions.

The modules call each other through `Lowering` and the registries, so that none imports another for nested nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import CARDS, MAX_VALUE, STORED, Extent, extent, is_within, plus, product, times
from wongar_dsl.compiler.lowering.flow import (
    ActivationRecord,
    Builder,
    Cell,
    CodeBuffer,
    CoroutineBuilder,
    Iteration,
    StructuredBuilder,
)
from wongar_dsl.compiler.lowering.layout import Lists, ProgramBuilder, StateLayout
from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.dependence import Nullability
from wongar_dsl.language.dataflow.effects import CallGraph, Effects
from wongar_dsl.language.semantics import NUMBER, Local, Model, Type
from wongar_dsl.language.semantics.model import RefKind

ZERO, ONE, NONE = ir.Const(0), ir.Const(1), ir.Const(-1)
#: Interval of products that fit into 64 bits.
_INT64: Extent = (1 - (1 << 63), (1 << 63) - 1)
#: Expressions that the checker resolves to a reference.
_REFERENCE_NODES = (s.Name, s.Called, s.Indexed, s.Of)
#: Expressions with operands that are not evaluated, or evaluated repeatedly.
_LAZY = (s.Logical, s.Conditional, s.Quantified)


K = TypeVar("K")
F = TypeVar("F", bound=Callable[..., object])


class Registry(dict[K, Callable[..., Any]]):
    """Lowering functions by key."""

    def __call__(self, *keys: K) -> Callable[[F], F]:
        """Return a decorator that adds a function.  Raises `ValueError` for a duplicate key."""

        def add(function: F) -> F:
            if self.keys() & keys:
                raise ValueError(f"lowered twice: {self.keys() & keys}")
            self.update(dict.fromkeys(keys, function))
            return function

        return add


#: Lowering functions of expressions, statements and declarations by class, of names by reference kind, and of domains
#: by kind.
NODES: Registry[type[s.Node]] = Registry()
REFERENCES: Registry[RefKind] = Registry()
DOMAINS: Registry[s.DomainKind] = Registry()


@dataclass(frozen=True, slots=True)
class OptionOrigin:
    """Source of an option: its choice, its rule, and the locations of the names in scope."""

    choice: s.Option
    rule: str
    names: Mapping[Local, Cell | ir.Const]


@dataclass(slots=True)
class Lowering:
    """Lowering of one game for one number of seats."""

    model: Model
    seats: int
    settings: Mapping[str, int]
    memory: StateLayout
    program: ProgramBuilder
    nullable: Nullability
    calls: CallGraph
    effects: Effects
    flow: Builder = field(default_factory=lambda: StructuredBuilder(CodeBuffer("")))
    article: s.Declaration | None = None
    procedures: dict[s.Declaration, int] = field(default_factory=dict)
    #: True inside of an expression without side effects, which may be evaluated where it is used.
    query_mode: bool = False
    #: Definitions that are never inlined.
    never_inline: set[s.Declaration] = field(default_factory=set)
    activations: dict[s.Declaration, ActivationRecord] = field(default_factory=dict)
    #: Sources of the options, by their blocks.
    option_origins: dict[int, OptionOrigin] = field(default_factory=dict)
    #: Intervals of loop variables.
    bounds: dict[Local, Extent] = field(default_factory=dict)
    #: Counted loop whose body is being lowered, as long as each iteration reaches the current code exactly once.  The
    #: second item is the name of the player, if each player reaches it once per iteration.
    iteration: tuple[ir.LoopCounter, Local | None] | None = None
    #: Values computed so far of a statement whose operands call rules with side effects; otherwise None.
    evaluated: dict[s.Expression, ir.Expr] | None = None

    @property
    def code(self) -> CodeBuffer:
        """Code object that straight-line code is appended to."""
        return self.flow.code

    # ---- interface between the modules ----

    def value(self, e: s.Expression) -> ir.Expr:
        """Lower an expression; code that must run first is appended."""
        if self.evaluated is not None:
            if e in self.evaluated:
                return self.evaluated[e]
            if not isinstance(e, _LAZY):
                self._evaluate_in_order(e)
        outer, self.flow = self.flow, self.flow.immediate
        result: ir.Expr = NODES[type(e)](self, e)
        if isinstance(result, ir.Var | ir.Load) and self.model.types.get(e, NUMBER) != NUMBER:
            self.code.known[result] = CARDS
        self.flow = outer
        return result

    def condition(self, e: s.Expression) -> ir.Expr:
        """Lower an expression without side effects."""
        with self.as_query():
            return self.value(e)

    @contextmanager
    def in_counted_loop(self, iteration: tuple[ir.LoopCounter, Local | None] | None) -> Iterator[None]:
        """Lower the body of a counted loop, or with None code that is not run once per iteration."""
        outer, self.iteration = self.iteration, iteration
        yield
        self.iteration = outer

    @contextmanager
    def as_query(self) -> Iterator[None]:
        """Lower an expression without side effects."""
        outer, self.query_mode = self.query_mode, True
        yield
        self.query_mode = outer

    def once(self, e: s.Expression) -> ir.Expr:
        """Lower an expression and store its value in a variable, unless it is a constant or variable."""
        value = self.value(e)
        stored = self.code.once(value)
        self.code.known[stored] = self.extent(value)
        return stored

    def non_null(self, e: s.Expression) -> ir.Expr:
        """Lower a value that must not be none.  If it can be, code is added that stops the game with a fault."""
        value = self.value(e)
        if not self.nullable.may_be_none(e):
            return value
        value = self.code.once(value)
        self.stop_if(ir.Bin("<", value, ZERO), "R0610", e)
        return value

    def domain(self, d: s.Domain, local: Local) -> Iteration:
        """Return the iteration over a domain for the name that it binds, without its conditions."""
        values: Iteration = DOMAINS[d.kind](self, d, local)
        return values

    def statement(self, node: s.Statement) -> None:
        """Lower a statement; one without decisions becomes straight-line code."""
        outer = self.flow
        if self.effects.is_immediate(node):
            self.flow = outer.immediate
        self.mark(node)
        with self._ordered_effects(node):
            NODES[type(node)](self, node)
        self.flow = outer

    def block(self, body: s.Block) -> None:
        """Lower statements in order, in a scope of their own."""
        with self.flow.scope():
            for node in body:
                self.statement(node)

    # ---- order of evaluation ----

    @contextmanager
    def _ordered_effects(self, node: s.Statement) -> Iterator[None]:
        """Return a context in which the operands of a statement are evaluated once each, in source order.

        That is needed only if operands call rules with side effects, so that none is affected by a later one.
        """
        outer, self.evaluated = self.evaluated, None
        if not isinstance(node, s.CompoundStatement):
            effect = node.call if isinstance(node, s.Call) else node
            if any(map(self.effects.changes_in_expression, s.operands(effect))):
                self.evaluated = {}
                self._evaluate_in_order(effect)
        yield
        self.evaluated = outer

    def _evaluate_in_order(self, node: s.Statement | s.Expression) -> None:
        """Evaluate operands in source order, up to the last one with side effects."""
        assert self.evaluated is not None
        parts = [part for operand in s.operands(node) for part in self._evaluated_parts(operand)]
        with_effects = [number for number, part in enumerate(parts) if self.effects.changes_in_expression(part)]
        if with_effects and with_effects[-1]:
            for part in parts[: with_effects[-1] + 1]:
                self.evaluated[part] = self.once(part)

    def _evaluated_parts(self, e: s.Expression) -> Iterator[s.Expression]:
        """Yield an expression, unless it is a zone, which has no value, after the indices in it."""
        for index in s.index_nodes(e):
            yield from self._evaluated_parts(index)
        ref = self.model.refs.get(e)
        if (ref.kind in REFERENCES) if ref is not None else not isinstance(e, _REFERENCE_NODES):
            yield e

    # ---- target of the code ----

    @contextmanager
    def immediate(self) -> Iterator[CodeBuffer]:
        """Write straight-line code into the current code."""
        outer, self.flow = self.flow, self.flow.immediate
        yield self.code
        self.flow = outer

    @contextmanager
    def new_procedure(self, rule: str, names: CodeBuffer | None = None) -> Iterator[CodeBuffer]:
        """Write a separate procedure; with `names` it may use the names of other code."""
        outer, self.flow = (
            self.flow,
            StructuredBuilder(CodeBuffer(rule, names=dict(names.names) if names is not None else {})),
        )
        yield self.code
        self.flow = outer

    @contextmanager
    def in_declaration(self, article: s.Declaration) -> Iterator[None]:
        """Lower a declaration, to which faults inside of it are attributed."""
        outer, self.article = self.article, article
        yield
        self.article = outer

    # ---- helpers for all modules ----

    def type_of(self, e: s.Expression) -> Type:
        """Return the type that the checker assigned to an expression."""
        return self.model.types[e]

    def mark(self, node: s.Node) -> None:
        """Add a mark at a node, if the program is compiled with marks."""
        number = self.program.mark(node.span)
        if number is not None:
            self.code.add(ir.CoverageMark(number))

    def origin(self) -> ir.SourceOrigin | None:
        """Return the span of the statement being lowered, if the program is compiled with marks."""
        if not self.program.marks or self.article is None:
            return None
        return ir.SourceOrigin(self.article.name.text, self.program.marks[-1])

    def fault(self, code: str, node: s.Node, name: str = "") -> int:
        """Return the number of a new fault at a node."""
        rule = self.article.name.text if self.article is not None else ""
        return self.program.fault(ir.FaultSpec(code, rule, node.span, name))

    def stop_if(self, test: ir.Expr, code: str, node: s.Node, name: str = "") -> None:
        """Add code that stops the game with a fault if a test holds."""
        self.code.add(ir.If(test, (ir.Fault(self.fault(code, node, name)),), ()))

    # ---- range checks ----

    def extent(self, value: ir.Expr) -> Extent:
        """Return the interval of a value."""
        return extent(value, self.code.known, self.program.table_extent)

    def in_range(self, node: s.Node, value: ir.Expr, name: str) -> ir.Expr:
        """Return a stored or multiplied value, with a range check unless it is known to be in range."""
        low, high = self.extent(value)
        if is_within((low, high), STORED):
            return value
        checked = self.code.once(value)
        tests = [ir.Bin(">", checked, ir.Const(MAX_VALUE))] if high > MAX_VALUE else []
        tests += [ir.Bin("<", checked, ir.Const(-MAX_VALUE))] if low < -MAX_VALUE else []
        self.stop_if(tests[0] if len(tests) == 1 else ir.Bin("or", *tests), "R0603", node, name)
        if checked != value:
            self.code.known[checked] = max(low, -MAX_VALUE), min(high, MAX_VALUE)
        return checked

    def bounded(self, e: s.Expression) -> ir.Expr:
        """Lower a value that is passed on, with a range check for numbers."""
        return self.in_range(e, self.value(e), "+")

    def product(self, node: s.Node, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """Return a product with a range check.

        Its operands are checked first if the product could overflow 64 bits.
        """
        if not is_within(product(self.extent(left), self.extent(right)), _INT64):
            left, right = self.in_range(node, left, "*"), self.in_range(node, right, "*")
        return self.in_range(node, ir.Bin("*", left, right), "*")

    def lookup(self, key: object, cells: tuple[int, ...], index: ir.Expr) -> ir.Expr:
        """Return a cell of a constant table, which is identified by `key`."""
        return ir.Lookup(self.program.table(key, cells), index)

    def constant_list_loop(self, key: object, lists: Lists, at: ir.Expr) -> Iteration:
        """Return an iteration over one of several constant lists.

        The lists are made on first use of their `key`; `at` is the index of the list.
        """
        number = self.program.list_table(key, lists)
        flat, lengths, widest = self.program.flattened(key, number)
        return Iteration(
            ir.Lookup(lengths, at), lambda k: ir.Lookup(flat, plus(times(at, widest), k)), listed=(number, at)
        )

    # ---- rules with decisions ----

    @property
    def coroutine(self) -> CoroutineBuilder:
        """Current builder, which must be a suspending one."""
        assert isinstance(self.flow, CoroutineBuilder)
        return self.flow

    @contextmanager
    def suspending(self, activation: ActivationRecord) -> Iterator[CoroutineBuilder]:
        """Write the blocks of a rule with decisions, from its entry."""
        outer, immediate = self.flow, StructuredBuilder(CodeBuffer(activation.rule))
        self.flow = flow = CoroutineBuilder(immediate, self.memory, self.program, activation)
        flow.start(activation.entry)
        yield flow
        self.flow = outer

    def call_suspending(self, article: s.Procedure, values: tuple[ir.Expr, ...]) -> None:
        """Call a rule with decisions and continue after its return."""
        flow, callee = self.coroutine, self._activation(article)
        after = flow.reserve()
        for address, value in zip(callee.parameters, values, strict=True):
            flow.code.add(ir.Store(ir.Const(address), value))
        self.program.resumed.add(after)
        flow.code.add(ir.Store(ir.Const(callee.back), ir.Const(after)))
        flow.jump(callee.entry)
        flow.start(after)

    def _activation(self, article: s.Procedure) -> ActivationRecord:
        """Return the activation record of a rule, which is lowered at its first call; rules are not recursive."""
        if article in self.activations:
            return self.activations[article]
        locals_ = self.model.parameters[article]
        parameters = tuple(self.memory.cell() for _ in locals_)
        entry = self.program.blocks.reserve()
        back, exit_block = self.memory.cell(), self.program.blocks.reserve()
        record = self.activations[article] = ActivationRecord(article.name.text, entry, parameters, back, exit_block)
        with self.suspending(record) as flow, self.in_declaration(article), self.in_counted_loop(None):
            for local, address in zip(locals_, parameters, strict=True):
                flow.code.names[local] = ir.Load(ir.Const(address))
            self.block(article.body)
            flow.continue_in(record.exit)
            # Cells are cleared for every exit from the rule.
            flow.clear((*parameters, *record.cells))
            flow.finish(ir.Resume(record.back))
        return record
