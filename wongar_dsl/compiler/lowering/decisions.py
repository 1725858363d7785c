"""Lowering of decisions of one seat: options, listers and option checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from wongar_dsl.base.span import Span
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.constant_folding import plus, times
from wongar_dsl.compiler.lowering import cycle_avoidance
from wongar_dsl.compiler.lowering.builders import loop_counters
from wongar_dsl.compiler.lowering.builders.coroutine_builder import flow_of
from wongar_dsl.compiler.lowering.context import ONE, ZERO, Dispatch, Lowering, OptionOrigin
from wongar_dsl.compiler.lowering.cycle_avoidance import Leaf
from wongar_dsl.compiler.lowering.domains import each
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Type

#: Types of names that a prompt may mention.  Cards are excluded, because they may be hidden.
_PROMPT_TYPES = frozenset({"enum", "board", "player", "number"})


def choose(ctx: Lowering, node: s.Choose) -> None:
    """Lower `p chooses name ...`."""
    flow = flow_of(ctx)
    number = ctx.program.decisions.reserve()
    seat = ctx.non_null(node.chooser)
    has_none = node.otherwise is not None or not is_always_offered(node.options)
    otherwise = flow.reserve() if has_none else -1
    if node.acyclic:
        cycle_avoidance.record_position(ctx, number, seat, _has_no_alternative(node))
    flow.finish(ir.Decide(number, seat, otherwise))
    after = flow.reserve()
    options: list[ir.OptionSpec] = []
    scope = scope_of(ctx)
    lister = _acyclic_lister(ctx, node) if node.acyclic else lister_of(ctx, node.options)
    clock = clock_of(ctx, node.clock)
    for option, choice in enumerate(node.options):
        with flow.scope():
            cells = enter_option(ctx, choice, options)
            if node.acyclic:
                # The key uses the position before the arguments were stored.
                cycle_avoidance.count_choice(ctx, option, list(cells))
            if node.clock is not None and node.clock.start is not None:
                flow.code.add(ir.Store(ir.Const(ir.AT_TIME), shown_time(ctx, node.clock)))
            with ctx.in_counted_loop(None):
                ctx.block(choice.body)
        flow.jump(after)
    if has_none:
        flow.start(otherwise)
        if node.acyclic:
            cycle_avoidance.reset_after_no_option(ctx)
        if node.otherwise is not None:
            with ctx.in_counted_loop(None):
                ctx.block(node.otherwise)
        else:
            flow.code.add(ir.Fault(ctx.fault("R0604", node)))
        flow.jump(after)
    name = ctx.model.decision_names[node]
    counter = loop_counters.per_seat(ctx, node.chooser)
    spec = ir.DecisionSpec(name, tuple(options), lister, False, flow.code.rule, clock, scope, counter)
    ctx.program.decisions.fill(number, spec)
    flow.start(after)


def is_always_offered(choices: tuple[s.Option, ...]) -> bool:
    """Return whether one option is unconditional and without parameters, so that there is always an option."""
    return any(c.condition is None and not c.parameters for c in choices)


def scope_of(ctx: Lowering) -> tuple[tuple[str, Type, int], ...]:
    """Return the names in scope of a decision that a prompt may mention."""
    names: dict[str, tuple[str, Type, int]] = {}
    for local, cell in ctx.code.names.items():
        match cell:
            case ir.Load(address=ir.Const(value=address)) if local.type.kind in _PROMPT_TYPES:
                names[local.name] = (local.name, ctx.model.display_type(local), address)
    return tuple(names.values())


# ---- clocks --------------------------------------------------------------------------------------------------------


def clock_of(ctx: Lowering, clock: s.Clock | None) -> tuple[int, int] | None:
    """Return the procedures for the initial and final time of a clock; -1 for no end."""
    if clock is None:
        return None
    first = _add_time_procedure(ctx, lambda: ctx.value(clock.start) if clock.start is not None else ZERO)
    end = clock.end
    return first, _add_time_procedure(ctx, lambda: times(ctx.value(end), 1000)) if end is not None else -1


def _add_time_procedure(ctx: Lowering, value: Callable[[], ir.Expr]) -> int:
    """Add a procedure without parameters that returns a time; it may read the names in scope."""
    with ctx.new_procedure(ctx.code.rule, ctx.code) as code:
        code.add(ir.Return(value()))
    return ctx.program.procedures.add(ir.Procedure(f"options of {code.rule}", 0, tuple(code.out)))


def shown_time(ctx: Lowering, clock: s.Clock | None) -> ir.Expr:
    """Return the time shown when a player answers; without a clock, the duration of the answer."""
    duration = ir.Load(ir.Const(ir.AT_TIME))
    return duration if clock is None or clock.start is None else plus(ctx.bounded(clock.start), duration)


# ---- options -------------------------------------------------------------------------------------------------------


def enter_option(ctx: Lowering, choice: s.Option, options: list[ir.OptionSpec]) -> list[ir.Load]:
    """Start the block of an option and return the cells of its arguments."""
    flow = flow_of(ctx)
    cells = [flow.cell() for _ in choice.parameters]
    for offered, cell in zip(choice.parameters, cells, strict=True):
        flow.code.names[ctx.model.locals[offered.name]] = cell
    block = flow.reserve()
    options.append(_option(ctx, choice, cells, block))
    flow.start(block)
    ctx.mark(choice)
    return cells


def _option(ctx: Lowering, choice: s.Option, cells: list[ir.Load], block: int) -> ir.OptionSpec:
    ctx.option_origins[block] = OptionOrigin(choice, ctx.code.rule, dict(ctx.code.names))
    parameters = tuple((o.name.text, ctx.model.display_type(ctx.model.locals[o.name])) for o in choice.parameters)
    drawn_from = []
    for offered in choice.parameters:
        ref = ctx.model.refs.get(offered.domain.base)
        hidden = ref is not None and ref.kind == "zone" and ctx.memory.field(ref.name).seen != "all"
        drawn_from.append(ref.name if ref is not None and hidden else "")
    addresses = tuple(c.address.value for c in cells if isinstance(c.address, ir.Const))
    checks, is_pass = tuple(_checks(ctx, choice)), ctx.effects.is_pass(choice.body)
    return ir.OptionSpec(choice.name.text, parameters, addresses, tuple(drawn_from), checks, block, is_pass)


def _checks(ctx: Lowering, choice: s.Option) -> Iterator[ir.OptionCheck]:
    """Yield the conditions of an option as procedures that take its arguments."""
    for offered, condition in option_conditions(choice):
        if offered is not None and condition is None:
            yield _check(ctx, choice, offered.domain.span, offered.name.text, True, partial(_member, ctx, offered))
        elif condition is not None:
            parameter = offered.name.text if offered is not None else ""
            yield _check(ctx, choice, condition.span, parameter, False, partial(ctx.value, condition))


def option_conditions(choice: s.Option) -> Iterator[tuple[s.OptionParameter | None, s.Expression | None]]:
    """Yield the conditions of an option in the order of its checks; without a condition, membership in the domain.

    First come membership in the domain without conditions, the conditions, and membership among the extremes of each
    argument, then the conditions of the option.
    """
    for offered in choice.parameters:
        yield replace(offered, domain=replace(offered.domain, where=None, extreme=None, measure=None)), None
        yield from ((offered, condition) for condition in s.conjuncts(offered.domain.where))
        if offered.domain.extreme is not None:
            yield offered, None
    yield from ((None, condition) for condition in s.conjuncts(choice.condition))


def _check(
    ctx: Lowering, choice: s.Option, span: Span, parameter: str, member: bool, value: Callable[[], ir.Expr]
) -> ir.OptionCheck:
    with ctx.new_procedure(ctx.code.rule, ctx.code) as code:
        for offered in choice.parameters:
            code.names[ctx.model.locals[offered.name]] = code.fresh()
        code.add(ir.Return(value()))
    procedure = ir.Procedure(f"options of {code.rule}", len(choice.parameters), tuple(code.out))
    return ir.OptionCheck(ctx.program.procedures.add(procedure), span, parameter, member)


def _member(ctx: Lowering, offered: s.OptionParameter) -> ir.Expr:
    """Return whether the value of an argument is in a domain."""
    code, local = ctx.code, ctx.model.locals[offered.name]
    value = code.names[local]
    result = code.variable(ZERO)
    hit = (ir.SetVar(result.number, ONE), ir.Break())
    each(ctx, offered.name, offered.domain, lambda x: code.add(ir.If(ir.Bin("==", x, value), hit, ())))
    code.names[local] = value
    return result


# ---- listing -------------------------------------------------------------------------------------------------------


def lister_of(ctx: Lowering, choices: tuple[s.Option, ...]) -> int:
    """Add the procedure that lists the options of a choice, in source order."""

    def offer(option: int, values: list[ir.Expr]) -> None:
        ctx.code.add(ir.Yield(option, tuple(values)))

    return _lister(ctx, lambda: _each_option(ctx, choices, offer))


def _acyclic_lister(ctx: Lowering, node: s.Choose) -> int:
    """Add the procedure that lists the options of a choice with cycle avoidance."""
    return _lister(ctx, lambda: cycle_avoidance.list_least_chosen(ctx, partial(_each_option, ctx, node.options)))


def _has_no_alternative(node: s.Choose) -> bool:
    """Return whether a choice is always offered in full, because the rules have no alternative to it."""
    only = node.otherwise[0] if node.otherwise and len(node.otherwise) == 1 else None
    return node.otherwise is None or (isinstance(only, s.KeywordStatement) and only.word == "impossible")


def _lister(ctx: Lowering, body: Callable[[], None]) -> int:
    number = ctx.program.procedures.reserve()
    with ctx.new_procedure(ctx.code.rule, ctx.code) as code:
        body()
    ctx.program.procedures.fill(number, ir.Procedure(f"options of {code.rule}", 0, tuple(code.out)))
    return number


def _each_option(ctx: Lowering, choices: tuple[s.Option, ...], leaf: Leaf) -> None:
    """Write code for each available option, in source order."""
    for option, choice in enumerate(choices):
        _bind(ctx, choice, choice.parameters, [], partial(leaf, option))


def _bind(
    ctx: Lowering,
    choice: s.Option,
    remaining: tuple[s.OptionParameter, ...],
    values: list[ir.Expr],
    leaf: Callable[[list[ir.Expr]], None],
) -> None:
    """Write loops over the remaining arguments.

    The option's condition is tested as soon as the arguments that it reads are bound.
    """

    def rest() -> None:
        if not remaining:
            leaf(values)
            return
        first = remaining[0]
        each(ctx, first.name, first.domain, lambda x: _bind(ctx, choice, remaining[1:], [*values, x], leaf))

    if choice.condition is not None and len(values) == _depth(ctx, choice, choice.condition):
        ctx.flow.when(ctx.condition(choice.condition), rest)
    else:
        rest()


def _depth(ctx: Lowering, choice: s.Option, condition: s.Expression) -> int:
    """Return the number of arguments that must be bound to test a condition."""
    refs = [ctx.model.refs[n] for n in s.walk(condition) if n in ctx.model.refs]
    used = {ref.local for ref in refs if ref.local is not None}
    places = [i for i, o in enumerate(choice.parameters) if ctx.model.locals[o.name] in used]
    return max(places, default=-1) + 1


#: Lowering functions of this module.
LOWERED = Dispatch(
    statements={
        s.Choose: choose,
    },
)
