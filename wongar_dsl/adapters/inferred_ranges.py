"""Value ranges of numbers that no type bounds, inferred from the program.

Used for number arguments of actions (`actions`) and outcomes of chance nodes (`game_tree`, `openspiel`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import prod

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.ir.alias_analysis import ANY, fields_at, possible_addresses
from wongar_dsl.compiler.ir.cfg import statements
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.compiler.ir.ranges import TRUTH, Extent, join, operator_extent
from wongar_dsl.engine import Game, play_fault
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.language.semantics import Type

#: Number of outcomes of a throw whose range is unknown.
UNKNOWN_SIDES = 1 << 16
#: Upper limit of the number of parameters of a procedure, which are variables without an assignment.
_PARAMETERS = 100


@dataclass
class ExpressionBounds:
    """Interval analysis of the expressions in one procedure or block.

    Unlike `ir.ranges` it follows assignments and loops, and may use what holds only for the cards of this game.
    """

    game: Game
    body: ir.Body
    #: Number of cards or tokens of one type, assumed as the upper limit of counts.
    component_count: int
    _assignments: dict[int, list[tuple[ir.Stmt, tuple[ir.Stmt, ...]]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _evaluating: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._walk(self.body, ())

    def _walk(self, body: ir.Body, loops: tuple[ir.Stmt, ...]) -> None:
        """Record the assignments of each variable with their enclosing loops."""
        for statement in body:
            match statement:
                case ir.ForRange(number=number, body=inner) | ir.ForList(number=number, body=inner):
                    self._assignments[number].append((statement, loops))
                    self._walk(inner, (*loops, statement))
                case ir.Loop(body=inner):
                    self._walk(inner, (*loops, statement))
                case ir.If(then=then, otherwise=otherwise):
                    self._walk(then, loops)
                    self._walk(otherwise, loops)
                case ir.SetVar(number=number):
                    self._assignments[number].append((statement, loops))
                case ir.Chance(into=into) | ir.Call(into=int() as into) | ir.Pop(into=into):
                    self._assignments[into].append((statement, loops))
                case ir.HashState(into=into) | ir.DetectCycle(into=into):
                    self._assignments[into].append((statement, loops))

    def of(self, e: ir.Expr) -> Extent | None:
        """Return the interval of an expression, or None if it is unknown."""
        match e:
            case ir.Const(value=value):
                return value, value
            case ir.Var(number=number):
                return self._variable_extent(number)
            case ir.Not():
                return TRUTH
            case ir.Lookup(table=table):
                values = self.game.program.tables[table]
                return min(values), max(values)
            case ir.Load(address=address):
                return self._stored_extent(address)
            case ir.Bin(operator=sign, left=left, right=right):
                a, b = self.of(left), self.of(right)
                return self._operation_extent(sign, a, b)
        return None

    def _operation_extent(self, sign: ir.Operator, a: Extent | None, b: Extent | None) -> Extent | None:
        if sign in ("==", "!=", "<", "<=", ">", ">=", "and", "or"):
            return TRUTH
        if sign == "min" and (a is None) != (b is None):
            # Counts start at 0, so one known operand bounds the minimum from above.
            extent = a or b
            return (min(0, extent[0]), extent[1]) if extent is not None else None
        if a is None or b is None:
            return None
        match sign:
            case "+" | "-" | "*" | "min" | "max":
                return operator_extent(sign, a, b)
            case "//" if b[0] > 0:
                ends = [x // y for x in a for y in b]
                return min(ends), max(ends)
            case "%" if b[0] > 0:
                return operator_extent(sign, a, b)
        return None

    def _variable_extent(self, number: int) -> Extent | None:
        assignments = self._assignments.get(number)
        if not assignments or number in self._evaluating:
            return None
        self._evaluating.add(number)
        starts = [(s, loops) for s, loops in assignments if _increment(s, number) is None]
        extents = [self._assigned_extent(statement) for statement, _ in starts]
        for statement, loops in assignments:
            added = _increment(statement, number)
            if added is not None:
                # A counter grows with each iteration of the loops that do not reset it.
                depth = min((_shared_loops(loops, others) for _, others in starts), default=0)
                iterations = [self._max_iterations(loop) for loop in loops[depth:]]
                each = self.of(added)
                bounded = each is not None and each[0] >= 0 and None not in iterations
                extents.append(
                    (0, each[1] * prod(count or 0 for count in iterations)) if bounded and each is not None else None
                )
        self._evaluating.discard(number)
        first = _union(extents[: len(starts)])
        increments = [extent[1] for extent in extents[len(starts) :] if extent is not None]
        if first is None or len(starts) + len(increments) < len(extents):
            return None
        return first[0], first[1] + sum(increments)

    def _max_iterations(self, loop: ir.Stmt) -> int | None:
        """Return the maximum number of iterations of a loop, or None if it is unknown."""
        match loop:
            case ir.ForRange(count=count):
                extent = self.of(count)
                return None if extent is None else max(0, extent[1])
            case ir.ForList(lists=lists):
                return max((len(values) for values in self.game.program.lists[lists]), default=0)
        return None

    def _assigned_extent(self, statement: ir.Stmt) -> Extent | None:
        match statement:
            case ir.SetVar(value=value):
                return self.of(value)
            case ir.ForRange(count=count) | ir.Chance(count=count):
                extent = self.of(count)
                return None if extent is None else (0, max(0, extent[1] - 1))
            case ir.ForList(lists=lists):
                values = [value for items in self.game.program.lists[lists] for value in items] or [0]
                return min(values), max(values)
        return None

    def _stored_extent(self, address: ir.Expr) -> Extent | None:
        addresses = possible_addresses(address, dict.fromkeys((*self._assignments, *range(_PARAMETERS)), ANY))
        return _union(
            [
                self._field_extent(zone_field) if zone_field is not None else None
                for zone_field, _, _ in fields_at(self.game.program, addresses)
            ]
        )

    def _field_extent(self, field: ir.Field) -> Extent | None:
        """Return the interval of all cells of a field."""
        model, zone = self.game.model, container(field)
        if zone is not None:
            kinds = model.size(field.type, self.game.seats)
            if zone.spread:
                return None
            return (-1, kinds - 1) if zone.single else (0, max(self.component_count, field.capacity, kinds))
        if field.kind == "remember" and field.type.kind == "number":
            numbers = model.declared.remembered[field.name].numbers
            return (numbers[0], numbers[-1]) if numbers else None
        if field.kind in ("score", "track", "place"):
            return None
        return -1, model.size(field.type, self.game.seats) - 1


def _union(extents: Sequence[Extent | None]) -> Extent | None:
    """Return the smallest interval that contains all others; None if there are none or one is unknown."""
    intervals = [extent for extent in extents if extent is not None]
    return reduce(join, intervals) if len(intervals) == len(extents) > 0 else None


def _increment(statement: ir.Stmt, number: int) -> ir.Expr | None:
    """Return the increment that a statement adds to a variable; None for any other assignment."""
    match statement:
        case ir.SetVar(value=ir.Bin(operator="+", left=ir.Var(number=same), right=added)) if same == number:
            return added
    return None


def _shared_loops(loops: tuple[ir.Stmt, ...], others: tuple[ir.Stmt, ...]) -> int:
    """Return the number of loops that two positions share."""
    return sum(1 for first, second in zip(loops, others, strict=False) if first is second)


def max_component_count(game: Game) -> int:
    """Return the number of cards or tokens of the most frequent type after setup.

    If the setup has a decision, they are counted at the first one.  Raises `PlayFault` if the setup fails.
    """
    cells = game.backend.start(0)
    try:
        game.backend.run(cells)
    except RuleFault as fault:
        raise play_fault(fault) from None
    counts: dict[Type, int] = defaultdict(int)
    for zone_field in game.program.fields:
        zone = container(zone_field)
        if zone is not None:
            counts[zone_field.type] += sum(
                zone.size(cells, address, zone_field.width) for _, address in copies(zone_field)
            )
    return max(counts.values(), default=0)


def argument(game: Game, decision: int, option: int, number: int, component_count: int) -> Extent | None:
    """Return the interval of argument `number` of an option, or None if it is unknown."""
    body = game.program.procedures[game.program.decisions[decision].lister].body
    analysis = ExpressionBounds(game, body, component_count)
    yields = [s for s in statements(body) if isinstance(s, ir.Yield) and s.option == option]
    return _union([analysis.of(s.arguments[number]) for s in yields])


def max_chance_outcomes(game: Game, component_count: int) -> int:
    """Return the maximum number of outcomes of one throw or one step of a shuffle.

    A throw with an unknown range counts as `UNKNOWN_SIDES`.  For `component_count` see `ExpressionBounds`.
    """
    longest = max((zone_field.capacity for zone_field in game.program.fields), default=0)
    counts = [1]
    for body in _bodies(game.program):
        analysis = ExpressionBounds(game, body, component_count)
        for statement in statements(body):
            if isinstance(statement, ir.Chance):
                count = analysis.of(statement.count)
                counts.append(count[1] if count is not None else UNKNOWN_SIDES)
            elif isinstance(statement, ir.Shuffle):
                counts.append(longest)
    return max(counts)


def _bodies(program: ir.Program) -> Iterator[ir.Body]:
    yield from (block.body for block in program.blocks)
    yield from (procedure.body for procedure in program.procedures)
