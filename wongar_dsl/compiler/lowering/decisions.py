"""Lowering of decisions of one seat: options, listers and option checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from wongar_dsl.base.span import Span
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import plus, times
from wongar_dsl.compiler.lowering import effects
from wongar_dsl.compiler.lowering.context import NODES, NONE, ONE, ZERO, Lowering, OptionOrigin
from wongar_dsl.compiler.lowering.domains import each
from wongar_dsl.compiler.lowering.flow import Cell, Iteration
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Type

# ---- iteration numbers for prompts ---------------------------------------------------------------------------------


#: Reference kinds that are always public, and kinds that are public if declared so.
_ALWAYS_PUBLIC = frozenset({"value", "option", "players", "type", "table", "define"})
_DECLARED_PUBLIC = frozenset({"token_count", "zone", "slot_card"})


def counted_loop(step: Cell, count: ir.Expr) -> tuple[ir.LoopCounter, Local | None] | None:
    """Return a loop of `count` iterations.  Returns None if it contains no decision or has only one iteration."""
    address, times = _address(step), _address(count)
    if address is None:
        return None
    if isinstance(count, ir.Const):
        return (ir.LoopCounter(address, count.value), None) if count.value > 1 else None
    return (ir.LoopCounter(address, 0, times), None) if times is not None else None


def under_conditions(ctx: Lowering, tests: Iterable[s.Expression]) -> tuple[ir.LoopCounter, Local | None] | None:
    """Return the current counted loop for code that runs only under conditions, with the cells that these read.

    Returns None if a condition may depend on hidden values, because the iteration number would reveal its result.
    """
    if ctx.iteration is None:
        return None
    counter, player = ctx.iteration
    needs, parts = set(counter.needs), list(_parts(ctx, tests))
    # Names bound inside of a condition depend on its other parts.
    bound = {ctx.model.locals[node] for node in parts if node in ctx.model.locals}
    for node in parts:
        ref = ctx.model.refs.get(node)
        if ref is None or ref.kind in _ALWAYS_PUBLIC or ref.local in bound:
            continue
        if ref.kind in _DECLARED_PUBLIC and ctx.memory.field(ref.name).seen == "all":
            continue
        cell = ctx.code.names.get(ref.local) if ref.local is not None else None
        address = _address(cell) if cell is not None else None
        if address is None:
            return None
        needs.add(address)
    return replace(counter, needs=frozenset(needs)), player


def _parts(ctx: Lowering, tests: Iterable[s.Expression]) -> Iterator[s.Node]:
    """Yield all nodes of conditions, and of the definitions that they call."""
    waiting: list[s.Node] = list(tests)
    called: set[str] = set()
    while waiting:
        for node in s.walk(waiting.pop()):
            yield node
            ref = ctx.model.refs.get(node)
            if ref is not None and ref.kind == "define" and ref.name not in called:
                called.add(ref.name)
                waiting.append(ctx.model.code.defines[ref.name])


def per_player(ctx: Lowering, node: s.ForEach) -> tuple[ir.LoopCounter, Local | None] | None:
    """Return the current loop, extended by a loop over all players; None if that selects players."""
    local = ctx.model.locals[node.variable]
    if (
        ctx.iteration is None
        or ctx.iteration[1] is not None
        or local.type.kind != "player"
        or node.domain.where is not None
    ):
        return None
    return ctx.iteration[0], local


def per_seat(ctx: Lowering, chooser: s.Expression) -> ir.LoopCounter | None:
    """Return the loop that contains a decision exactly once per iteration."""
    if ctx.iteration is None:
        return None
    counter, player = ctx.iteration
    ref = ctx.model.refs.get(chooser)
    return counter if player is None or (ref is not None and ref.local is player) else None


def _address(cell: ir.Expr) -> int | None:
    match cell:
        case ir.Load(address=ir.Const(value=address)):
            return address
        case _:
            return None


# ---- cycle avoidance -----------------------------------------------------------------------------------------------


CAPACITY = 200
#: Layout of the memory: verdict, position hash, number of keys, keys.
VERDICT, POSITION, COUNT, KEYS = range(4)
SIZE = KEYS + 2 * CAPACITY
#: Value of `VERDICT`, beside those of `ir.CycleVerdict`, in the states of a search.
SEARCHING = 1
#: Stands for the option in the key of a position.
NO_OPTION = -1

#: Callback that writes code for an option, given its number and arguments.
Leaf = Callable[[int, list[ir.Expr]], None]


def _base(ctx: Lowering) -> int:
    return ctx.memory.reserve_range("choices", SIZE)


def _at(ctx: Lowering, number: int) -> ir.Load:
    return ir.Load(ir.Const(_base(ctx) + number))


def _is(value: ir.Expr, number: int) -> ir.Expr:
    return ir.Bin("==", value, ir.Const(number))


def _searching(ctx: Lowering) -> ir.Expr:
    return _is(_at(ctx, VERDICT), SEARCHING)


def _entry(ctx: Lowering, number: ir.Expr) -> ir.Expr:
    """Return the address of a key."""
    return plus(times(number, 2), ir.Const(_base(ctx) + KEYS))


def _key(ctx: Lowering, option: int, values: list[ir.Expr]) -> ir.Expr:
    """Return the key of an option in the current position."""
    key: ir.Expr = _at(ctx, POSITION)
    for value in (ir.Const(option), *values):
        key = ir.Bin("&", plus(times(key, ir.FACTOR), plus(value, ir.Const(2))), ir.Const(ir.MASK))
    return ctx.code.once(plus(key, ONE))


def _find(ctx: Lowering, key: ir.Expr) -> ir.Var:
    """Return the address of a key in the memory, -1 if absent."""
    match, step = ctx.code.fresh(), ctx.code.fresh()
    ctx.code.set(match, NONE)
    entry = _entry(ctx, step)
    hit = (ir.SetVar(match.number, entry), ir.Break())
    ctx.code.add(ir.ForRange(step.number, _at(ctx, COUNT), (ir.If(ir.Bin("==", ir.Load(entry), key), hit, ()),)))
    return match


def _add(ctx: Lowering, key: ir.Expr) -> ir.Stmt:
    """Return a statement that adds a key to the memory, if there is room."""
    size = _at(ctx, COUNT)
    entry = _entry(ctx, size)
    enter = (
        ir.Store(entry, key),
        ir.Store(plus(entry, ONE), ONE),
        ir.Store(size.address, ir.Bin("+", size, ONE)),
    )
    return ir.If(ir.Bin("<", size, ir.Const(CAPACITY)), enter, ())


def record_position(ctx: Lowering, decision: int, seat: ir.Expr, offer_again: bool) -> None:
    """Record the position before a decision.

    Unless all options are offered `offer_again` in a repeated position, search for a way out.
    """
    with ctx.immediate() as code:
        with code.inner() as record_code:
            hashed = code.fresh()
            code.add(ir.HashState(hashed.number, _base(ctx), _base(ctx) + SIZE))
            code.add(ir.Store(_at(ctx, POSITION).address, hashed))
            key = _key(ctx, NO_OPTION, [])
            match = _find(ctx, key)
            if not offer_again:
                _search(ctx, decision, seat, match)
            code.add(ir.If(ir.Bin("<", match, ZERO), (_add(ctx, key),), ()))
        code.add(ir.If(_searching(ctx), (), tuple(record_code)))


def _search(ctx: Lowering, decision: int, seat: ir.Expr, found: ir.Var) -> None:
    """Search for a way out if the position recurs or the memory is full; `found` is the address of its key, or -1."""
    code, verdict = ctx.code, _at(ctx, VERDICT)
    recurring, full = ir.Bin(">=", found, ZERO), ir.Bin(">=", _at(ctx, COUNT), ir.Const(CAPACITY))

    def set_verdict(result: ir.CycleVerdict) -> ir.Stmt:
        return ir.Store(verdict.address, ir.Const(result))

    with code.inner() as search_code:
        result = code.fresh()
        code.add(ir.DetectCycle(result.number, decision, seat, _base(ctx), _base(ctx) + SIZE))
        with code.inner() as unknown:
            code.add(set_verdict(ir.CycleVerdict.UNKNOWN))
            effects.emit(ctx, "rounds_unknown", [])
        # The event is emitted once, until choices are forgotten.
        not_reported = ir.Bin("==", verdict, ZERO)
        code.add(ir.If(ir.Bin("and", _is(result, ir.CycleVerdict.UNKNOWN), not_reported), tuple(unknown), ()))
        is_inescapable = ir.Bin(
            "or", _is(result, ir.CycleVerdict.RECURS), ir.Bin("and", full, _is(result, ir.CycleVerdict.NO_EXIT))
        )
        code.add(ir.If(is_inescapable, (set_verdict(ir.CycleVerdict.RECURS),), ()))
    code.add(ir.If(ir.Bin("or", recurring, full), tuple(search_code), ()))


def reset_after_no_option(ctx: Lowering) -> None:
    """Reset the verdict after a decision without options."""
    verdict = _at(ctx, VERDICT)
    ctx.code.add(ir.If(_is(verdict, ir.CycleVerdict.RECURS), (ir.Store(verdict.address, ZERO),), ()))


def count_choice(ctx: Lowering, option: int, values: list[ir.Expr]) -> None:
    """Write code that counts a choice in the current position."""
    code = ctx.code
    with code.inner() as counting:
        key = _key(ctx, option, values)
        match = _find(ctx, key)
        times_chosen = ir.Load(plus(match, ONE))
        increment = (ir.Store(times_chosen.address, ir.Bin("+", times_chosen, ONE)),)
        code.add(ir.If(ir.Bin(">=", match, ZERO), increment, (_add(ctx, key),)))
        code.add(ir.Store(_at(ctx, POSITION).address, ZERO))
    code.add(ir.If(_searching(ctx), (), tuple(counting)))


def list_least_chosen(ctx: Lowering, each_option: Callable[[Leaf], None]) -> None:
    """Write the lister: the options chosen least often in this position; none if no choice leads out of the cycle."""
    code = ctx.code
    least = code.variable(NONE)

    def times_chosen(option: int, values: list[ir.Expr]) -> ir.Var:
        match = _find(ctx, _key(ctx, option, values))
        number = code.variable(ZERO)
        code.add(ir.If(ir.Bin(">=", match, ZERO), (ir.SetVar(number.number, ir.Load(plus(match, ONE))),), ()))
        return number

    def compare(option: int, values: list[ir.Expr]) -> None:
        number = times_chosen(option, values)
        fewer = ir.Bin("or", ir.Bin("<", least, ZERO), ir.Bin("<", number, least))
        code.add(ir.If(fewer, (ir.SetVar(least.number, number),), ()))

    def list_least(option: int, values: list[ir.Expr]) -> None:
        number = times_chosen(option, values)
        code.add(ir.If(ir.Bin("==", number, least), (ir.Yield(option, tuple(values)),), ()))

    with code.inner() as comparing:
        each_option(compare)
    # A search has no memory of choices: all counts are equal.
    code.add(ir.If(_searching(ctx), (ir.SetVar(least.number, ZERO),), tuple(comparing)))
    with code.inner() as rest:
        each_option(list_least)
    code.add(ir.If(_is(_at(ctx, VERDICT), ir.CycleVerdict.RECURS), (), tuple(rest)))


def reset_cycles(ctx: Lowering) -> None:
    """Clear the memory, for `forget choices`."""
    step = ctx.code.fresh()
    entry = _entry(ctx, step)
    wipe = (ir.Store(entry, ZERO), ir.Store(plus(entry, ONE), ZERO))
    ctx.code.add(ir.ForRange(step.number, _at(ctx, COUNT), wipe))
    for number in range(KEYS):
        ctx.code.add(ir.Store(_at(ctx, number).address, ZERO))


# ---- decisions of one seat -----------------------------------------------------------------------------------------


#: Types of names that a prompt may mention.  Cards are excluded, because they may be hidden.
_PROMPT_TYPES = frozenset({"enum", "board", "player", "number"})


@NODES(s.Choose)
def choose(ctx: Lowering, node: s.Choose) -> None:
    """Lower `p chooses name ...`."""
    flow = ctx.coroutine
    number = ctx.program.decisions.reserve()
    seat = ctx.non_null(node.chooser)
    has_none = node.otherwise is not None or not is_always_offered(node.options)
    otherwise = flow.reserve() if has_none else -1
    if node.acyclic:
        record_position(ctx, number, seat, _has_no_alternative(node))
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
                count_choice(ctx, option, list(cells))
            if node.clock is not None and node.clock.start is not None:
                flow.code.add(ir.Store(ir.Const(ir.AT_TIME), shown_time(ctx, node.clock)))
            with ctx.in_counted_loop(None):
                ctx.block(choice.body)
        flow.jump(after)
    if has_none:
        flow.start(otherwise)
        if node.acyclic:
            reset_after_no_option(ctx)
        if node.otherwise is not None:
            with ctx.in_counted_loop(None):
                ctx.block(node.otherwise)
        else:
            flow.code.add(ir.Fault(ctx.fault("R0604", node)))
        flow.jump(after)
    name = ctx.model.decision_names[node]
    counter = per_seat(ctx, node.chooser)
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
    first = _add_query(ctx, lambda: ctx.value(clock.start) if clock.start is not None else ZERO)
    end = clock.end
    return first, _add_query(ctx, lambda: times(ctx.value(end), 1000)) if end is not None else -1


def shown_time(ctx: Lowering, clock: s.Clock | None) -> ir.Expr:
    """Return the time shown when a player answers; without a clock, the duration of the answer."""
    duration = ir.Load(ir.Const(ir.AT_TIME))
    return duration if clock is None or clock.start is None else plus(ctx.bounded(clock.start), duration)


# ---- options -------------------------------------------------------------------------------------------------------


def enter_option(ctx: Lowering, choice: s.Option, options: list[ir.OptionSpec]) -> list[ir.Load]:
    """Start the block of an option and return the cells of its arguments."""
    flow = ctx.coroutine
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
    procedure = _add_query(ctx, value, [ctx.model.locals[offered.name] for offered in choice.parameters])
    return ir.OptionCheck(procedure, span, parameter, member)


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

    return _add_procedure(ctx, lambda: _each_option(ctx, choices, offer))


def _acyclic_lister(ctx: Lowering, node: s.Choose) -> int:
    """Add the procedure that lists the options of a choice with cycle avoidance."""
    return _add_procedure(ctx, lambda: list_least_chosen(ctx, partial(_each_option, ctx, node.options)))


def _has_no_alternative(node: s.Choose) -> bool:
    """Return whether a choice is always offered in full, because the rules have no alternative to it."""
    only = node.otherwise[0] if node.otherwise and len(node.otherwise) == 1 else None
    return node.otherwise is None or (isinstance(only, s.KeywordStatement) and only.word == "impossible")


def _add_procedure(ctx: Lowering, write: Callable[[], None], parameters: Sequence[Local] = ()) -> int:
    """Add a procedure for a decision, which may read the names in scope."""
    number = ctx.program.procedures.reserve()
    with ctx.new_procedure(ctx.code.rule, ctx.code) as code:
        for local in parameters:
            code.names[local] = code.fresh()
        write()
    ctx.program.procedures.fill(number, ir.Procedure(f"options of {code.rule}", len(parameters), tuple(code.out)))
    return number


def _add_query(ctx: Lowering, value: Callable[[], ir.Expr], parameters: Sequence[Local] = ()) -> int:
    """Add a procedure for a decision that returns a value."""
    return _add_procedure(ctx, lambda: ctx.code.add(ir.Return(value())), parameters)


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


# ---- simultaneous decisions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _AnswerRows:
    """One row per seat: chosen option from 1, duration, arguments."""

    base: int
    width: int

    def of(self, player: ir.Expr) -> ir.Expr:
        """Return the address of a player's row."""
        return plus(ir.Const(self.base), ir.Bin("*", player, ir.Const(self.width)))


@NODES(s.ChooseSimultaneously)
def choose_simultaneously(ctx: Lowering, node: s.ChooseSimultaneously) -> None:
    """Lower `each p in player chooses name at once`."""
    flow = ctx.coroutine
    with flow.scope():
        number = ctx.program.decisions.reserve()
        width = 2 + max((len(c.parameters) for c in node.options), default=0)
        first, *_ = (flow.cell() for _ in range(ctx.seats * width))
        assert isinstance(first.address, ir.Const)
        rows = _AnswerRows(first.address.value, width)
        order = _order(ctx, node)
        each(ctx, node.variable, node.domain, lambda _: _ask(ctx, node, number, rows))
        _carry_out(ctx, node, rows, order)


def _order(ctx: Lowering, node: s.ChooseSimultaneously) -> Callable[[], Iteration]:
    """Return a function for the order of the players.

    The order is computed before the choices are carried out if these could change it.
    """
    domain = replace(node.domain, where=None, extreme=None, measure=None)

    def values() -> Iteration:
        return ctx.domain(domain, ctx.model.locals[node.variable])

    bodies = tuple(statement for choice in node.options for statement in choice.body)
    if not ctx.effects.reads(domain).intersects(ctx.effects.writes(bodies)):
        return values
    before = values()
    return lambda: before


def _ask(ctx: Lowering, node: s.ChooseSimultaneously, number: int, rows: _AnswerRows) -> None:
    """Write the decision of one seat, which stores its choice in its row."""
    flow = ctx.coroutine
    player = flow.code.names[ctx.model.locals[node.variable]]
    assert isinstance(player, ir.Load)
    assert isinstance(player.address, ir.Const)
    ctx.program.simultaneous_cells.append((number, rows.base, rows.width, player.address.value))
    after = flow.reserve()
    flow.finish(ir.Decide(number, player, -1 if is_always_offered(node.options) else after))
    options: list[ir.OptionSpec] = []
    scope = scope_of(ctx)
    lister = lister_of(ctx, node.options)
    clock = clock_of(ctx, node.clock)
    row = rows.of(player)
    for i, choice in enumerate(node.options):
        with flow.scope():
            cells = enter_option(ctx, choice, options)
            flow.code.add(ir.Store(row, ir.Const(i + 1)))
            flow.code.add(ir.Store(plus(row, ONE), shown_time(ctx, node.clock)))
            for j, cell in enumerate(cells):
                flow.code.add(ir.Store(plus(row, ir.Const(j + 2)), cell))
        flow.code.add(ir.Store(ir.Const(ir.AT_TIME), ZERO))
        flow.jump(after)
    name = ctx.model.decision_names[node]
    spec = ir.DecisionSpec(name, tuple(options), lister, True, flow.code.rule, clock, scope)
    ctx.program.decisions.fill(number, spec)
    flow.start(after)


def _carry_out(ctx: Lowering, node: s.ChooseSimultaneously, rows: _AnswerRows, order: Callable[[], Iteration]) -> None:
    """Write the loop that carries out the choices in order, or the quickest first."""
    flow = ctx.coroutine
    with flow.scope():
        player = flow.cell()
        head, body, after = flow.reserve(), flow.reserve(), flow.reserve()
        flow.continue_in(head)
        flow.code.add(ir.Store(player.address, _next(ctx, node, rows, order)))
        flow.finish(ir.Branch(ir.Bin(">=", player, ZERO), body, after))
        flow.start(body)
        flow.code.names[ctx.model.locals[node.variable]] = player
        row = rows.of(player)
        flow.code.add(ir.Store(ir.Const(ir.AT_TIME), ir.Load(plus(row, ONE))))
        for i, choice in enumerate(node.options):
            then, next_test = flow.reserve(), flow.reserve()
            flow.finish(ir.Branch(ir.Bin("==", ir.Load(row), ir.Const(i + 1)), then, next_test))
            flow.start(then)
            with flow.scope():
                for j, offered in enumerate(choice.parameters):
                    cell = flow.local(ir.Load(plus(row, ir.Const(j + 2))))
                    flow.code.names[ctx.model.locals[offered.name]] = cell
                flow.code.add(*(ir.Store(plus(row, ir.Const(j)), ZERO) for j in range(rows.width)))
                with ctx.in_counted_loop(None):
                    ctx.block(choice.body)
            flow.jump(head)
            flow.start(next_test)
        flow.jump(head)
        flow.start(after)


def _next(ctx: Lowering, node: s.ChooseSimultaneously, rows: _AnswerRows, order: Callable[[], Iteration]) -> ir.Var:
    """Return the player whose choice is carried out next, -1 if none remains."""
    with ctx.immediate() as code:
        pick, best = code.variable(NONE), code.variable(ZERO)

        def compare(x: ir.Expr) -> None:
            row = rows.of(x)
            time = ir.Load(plus(row, ONE))
            better: ir.Expr = ir.Bin("<", pick, ZERO)
            if node.clock is not None:
                better = ir.Bin("or", better, ir.Bin("<", time, best))
            take = (ir.SetVar(pick.number, x), ir.SetVar(best.number, time))
            code.add(ir.If(ir.Bin("and", ir.Bin(">", ir.Load(row), ZERO), better), take, ()))

        ctx.flow.for_each(order(), ctx.model.locals[node.variable], compare)
    return pick
