"""Action space of a game: a number for every choice, the same in all positions.

Each option of each decision has its own range of numbers, one for every combination of argument values (the last
argument varies fastest), even if the rules never offer it.  An option with more than `WHOLE` combinations is chosen
argument by argument.  Each argument then has a range with one number per value, and the same seat acts until all
arguments are chosen.
The ranges of numbers that no type bounds are inferred from the program, also those of chance for a game tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import prod

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RuleFault
from wongar_dsl.compiler.ir.arithmetic import TRUTH, Extent, join, operator_extent
from wongar_dsl.compiler.ir.cfg import bodies, statements, target
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.compiler.ir.information_flow import ANY, fields_at, possible_addresses
from wongar_dsl.engine import Game, play_fault
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.notation import write_value
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
            number = target(statement)
            if number is not None:
                self._assignments[number].append((statement, loops))
            is_loop = isinstance(statement, ir.ForRange | ir.ForList | ir.Loop)
            for inner in bodies(statement):
                self._walk(inner, (*loops, statement) if is_loop else loops)

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
            if field.traits.spread:
                return None
            return (-1, kinds - 1) if field.traits.single else (0, max(self.component_count, field.capacity, kinds))
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


def argument_extent(game: Game, decision: int, option: int, number: int, component_count: int) -> Extent | None:
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


#: Maximum number of argument combinations of an option that is chosen by a single action.
WHOLE = 1000


@dataclass(frozen=True, slots=True)
class ArgumentRange:
    """Range of values of one argument: least value and number of values."""

    first: int
    size: int


@dataclass(frozen=True, slots=True)
class ActionRange:
    """Range of action numbers for an option, or for one argument of it.

    `first` is the least action number.  `argument` is the index of the argument, or None for a whole option.
    """

    decision: int
    option: int
    argument: int | None
    domains: tuple[ArgumentRange, ...]
    first: int

    @property
    def size(self) -> int:
        """Number of actions in this range."""
        return prod(domain.size for domain in self.domains)

    def number(self, values: Iterable[int]) -> int | None:
        """Return the action number for argument values; None if a value is out of range."""
        index = 0
        for domain, value in zip(self.domains, values, strict=True):
            if not 0 <= value - domain.first < domain.size:
                return None
            index = index * domain.size + value - domain.first
        return self.first + index

    def values(self, number: int) -> tuple[int, ...]:
        """Return the argument values of an action number."""
        index, arguments = number - self.first, []
        for domain in reversed(self.domains):
            arguments.append(domain.first + index % domain.size)
            index //= domain.size
        return tuple(reversed(arguments))


class Actions:
    """Action space of a game; `size` is the number of actions."""

    def __init__(self, game: Game, whole: int | None = WHOLE, numbers: int | None = None) -> None:
        """Number the actions of a game.

        `whole` is the maximum number of argument combinations of an option that is chosen by a single action (None: no
        limit).  `numbers` is the upper limit of number arguments that the rules do not bound; the default is the number
        of cards or tokens of the most frequent type.
        """
        self.game = game
        self._number_limit = numbers if numbers is not None else max(1, max_component_count(game))
        self.ranges: list[ActionRange] = []
        self._ranges_of_option: dict[tuple[int, int], tuple[ActionRange, ...]] = {}
        self.size = 0
        for d, decision in enumerate(game.program.decisions):
            for o, spec in enumerate(decision.options):
                domains = tuple(self._domain(d, o, a) for a in range(len(spec.parameters)))
                if whole is None or prod(domain.size for domain in domains) <= whole or len(domains) == 1:
                    parts = [self._add(d, o, None, domains)]
                else:
                    parts = [self._add(d, o, number, (domain,)) for number, domain in enumerate(domains)]
                self._ranges_of_option[d, o] = tuple(parts)
        self._range_of = [s for s in self.ranges for _ in range(s.size)]

    def _domain(self, decision: int, option: int, number: int) -> ArgumentRange:
        _, kind = self.game.program.decisions[decision].options[option].parameters[number]
        if kind.kind != "number":
            return ArgumentRange(0, self.game.model.size(kind, self.game.seats))
        extent = argument_extent(self.game, decision, option, number, self._number_limit)
        low, high = extent if extent is not None else (0, self._number_limit)
        return ArgumentRange(low, max(1, high - low + 1))

    def _add(self, decision: int, option: int, argument: int | None, domains: tuple[ArgumentRange, ...]) -> ActionRange:
        action_range = ActionRange(decision, option, argument, domains, self.size)
        self.ranges.append(action_range)
        self.size += action_range.size
        return action_range

    @property
    def multi_step_decisions(self) -> frozenset[int]:
        """Decisions with an option that is chosen argument by argument."""
        return frozenset(action_range.decision for action_range in self.ranges if action_range.argument is not None)

    def legal(self, decision: int, options: Iterable[Option], begun: Option = ()) -> list[int]:
        """Return the legal actions in ascending order.

        `options` are the options of the pending decision, `begun` the part of an option that is already chosen.
        """
        return sorted({self.number(decision, o, begun) for o in options if o[: len(begun)] == begun})

    def number(self, decision: int, option: Option, begun: Option = ()) -> int:
        """Return the action that chooses an option, or its next argument after `begun`.

        Raises ValueError for a number argument above the limit.
        """
        parts = self._ranges_of_option[decision, option[0]]
        if parts[0].argument is None:
            action = parts[0].number(option[1:])
        else:
            number = max(0, len(begun) - 1)
            action = parts[number].number(option[1 + number : 2 + number])
        if action is None:
            name = self.game.program.decisions[decision].options[option[0]].name
            raise ValueError(f"{name}{option[1:]} has a number above {self._number_limit}: ask for more with numbers=")
        return action

    def decode(self, action: int, begun: Option = ()) -> tuple[Option, bool]:
        """Return the option, or the part of it, that is chosen after an action, and whether it is complete."""
        action_range = self._range_of[action]
        if action_range.argument is None:
            return (action_range.option, *action_range.values(action)), True
        chosen = (*(begun or (action_range.option,)), *action_range.values(action))
        return chosen, action_range.argument + 1 == len(
            self._ranges_of_option[action_range.decision, action_range.option]
        )

    def decision(self, action: int) -> int:
        """Return the number of the decision that an action belongs to."""
        return self._range_of[action].decision

    def text(self, action: int) -> str:
        """Return an action as text, `take(queen)`, or `lay(…, queen, …)` for a single argument."""
        action_range = self._range_of[action]
        spec = self.game.program.decisions[action_range.decision].options[action_range.option]
        values, shown = iter(action_range.values(action)), []
        for number, (_, kind) in enumerate(spec.parameters):
            chosen = action_range.argument is None or number == action_range.argument
            shown.append(write_value(self.game.model, kind, next(values)) if chosen else "…")
        return f"{spec.name}({', '.join(shown)})" if shown else spec.name
