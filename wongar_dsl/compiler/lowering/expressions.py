"""Lowering of expressions: names, properties, built-in functions, operators, quantifiers, and procedures on first use.

Short definitions are inlined instead of called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import assert_never

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import CARDS, MAX_VALUE, is_within, join, plus, times
from wongar_dsl.compiler.ir.cfg import weight
from wongar_dsl.compiler.lowering import zones
from wongar_dsl.compiler.lowering.context import NODES, NONE, ONE, REFERENCES, ZERO, Lowering
from wongar_dsl.compiler.lowering.domains import best, each, each_counted
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import NUMBER, Ref

# ---- procedures ----------------------------------------------------------------------------------------------------


#: Maximum size of an inlined expression, in nodes.
MAX_INLINE_PARTS = 24
#: Result types that have a value other than none by default.
_TYPES_WITHOUT_NONE = frozenset({"number", "yes or no"})


def procedure_number(ctx: Lowering, article: s.Declaration) -> int:
    """Return the procedure number of a declaration without decisions."""
    if article not in ctx.procedures:
        reserved = ctx.procedures[article] = ctx.program.procedures.reserve()
        name = "winner" if isinstance(article, s.Winner) else article.name.text
        parameters = ctx.model.parameters.get(article, ())
        with ctx.new_procedure(name) as code, ctx.in_declaration(article):
            for parameter in parameters:
                code.names[parameter] = code.fresh()
            ctx.mark(article)
            NODES[type(article)](ctx, article)
        ctx.program.procedures.fill(reserved, ir.Procedure(name, len(parameters), tuple(code.out)))
    return ctx.procedures[article]


def inline_definition(ctx: Lowering, article: s.Declaration, values: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """Return the value of a short definition as an inline expression, or None.

    The expression must not need code before it.  Inlining allows constant folding and saves a call.
    """
    if not isinstance(article, s.Define) or article in ctx.never_inline:
        return None
    # While it is being lowered it is not inlined into itself.
    ctx.never_inline.add(article)
    outer, arguments = ctx.code, tuple(ctx.code.once(v) if not isinstance(v, ir.Load) else v for v in values)
    with ctx.new_procedure(outer.rule, outer) as code, ctx.in_declaration(article), ctx.as_query():
        code.variables, code.known = outer.variables, outer.known
        code.names.update(zip(ctx.model.parameters.get(article, ()), arguments, strict=True))
        value = ctx.bounded(article.value)
    if any(not isinstance(statement, ir.CoverageMark) for statement in code.out) or weight(value) > MAX_INLINE_PARTS:
        return None
    ctx.never_inline.discard(article)
    ctx.mark(article)
    ctx.code.add(*code.out)
    return value


@NODES(s.Define)
def define(ctx: Lowering, article: s.Define) -> None:
    """Lower a definition."""
    ctx.code.add(ir.Return(ctx.bounded(article.value)))


@NODES(s.Setup, s.Play, s.Rule, s.Effect)
def body(ctx: Lowering, article: s.Procedure) -> None:
    """Lower the body of a rule, effect, setup or play; the default result of a rule is none."""
    ctx.block(article.body)
    if _returns_none_by_default(article) and not isinstance(article.body[-1], s.Give):
        ctx.code.add(ir.Return(NONE))


def end_rule(ctx: Lowering) -> None:
    """Lower `end rule`; a rule with a result returns its default: none, 0 or no."""
    if _returns_none_by_default(ctx.article):
        ctx.code.add(ir.Return(NONE))
    else:
        ctx.flow.leave_rule()


def _returns_none_by_default(article: s.Declaration | None) -> bool:
    return isinstance(article, s.Rule) and article.gives is not None and article.gives.name not in _TYPES_WITHOUT_NONE


# ---- names ---------------------------------------------------------------------------------------------------------


Reference = s.Name | s.Of | s.Indexed | s.Called


@NODES(s.Name, s.Called, s.Indexed, s.Of)
def reference(ctx: Lowering, e: Reference) -> ir.Expr:
    """Lower a name by its reference kind."""
    ref = ctx.model.refs[e]
    value: ir.Expr = REFERENCES[ref.kind](ctx, e, ref)
    return value


def _read(ctx: Lowering, e: s.Expression, value: Callable[[list[ir.Expr]], ir.Expr]) -> ir.Expr:
    """Lower a property of indexed values; the property of none is none, 0 or no."""
    return zones.resolve_indices(ctx, e, value, NONE if ctx.type_of(e).can_be_none else ZERO)


# ---- names of values -----------------------------------------------------------------------------------------------


@REFERENCES("local")
def local(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower a parameter, bound name or `let` name."""
    assert ref.local is not None
    cell = ctx.code.names[ref.local]
    if ref.local in ctx.bounds:
        ctx.code.known[cell] = ctx.bounds[ref.local]
    return cell


# ---- state ---------------------------------------------------------------------------------------------------------


@REFERENCES("remember", "score", "slot_card")
def remembered(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower a remembered value, a score, or the card in a slot."""
    declared = ctx.model.declared.remembered.get(ref.name)

    def cell(indices: list[ir.Expr]) -> ir.Expr:
        loaded = ir.Load(zones.address_in(ctx.memory.field(ref.name), indices))
        if declared is not None and declared.numbers:
            ctx.code.known[loaded] = declared.numbers[0], declared.numbers[-1]
        return loaded

    return _read(ctx, e, cell)


@REFERENCES("token_count")
def tokens(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower the number of tokens of a kind in a zone."""
    field = ctx.memory.field(ref.name)

    def number(indices: list[ir.Expr]) -> ir.Expr:
        *copy, kind = indices
        return ir.Load(zones.count_address(field, zones.address_in(field, copy), kind))

    return _read(ctx, e, number)


# ---- constants -----------------------------------------------------------------------------------------------------


@REFERENCES("table")
def cell(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower a cell of a table."""
    return _read(ctx, e, lambda indices: _cell(ctx, e, ref.name, indices))


def _cell(ctx: Lowering, e: Reference, name: str, indices: list[ir.Expr]) -> ir.Expr:
    data = ctx.model.tables[name]
    for number, (kind, low, count) in enumerate(zip(data.keys, data.lows, data.sizes, strict=True)):
        key = indices[number]
        if kind == NUMBER and not (isinstance(key, ir.Const) and low <= key.value < low + count):
            key = indices[number] = ctx.code.once(key)
            out = ir.Bin("or", ir.Bin("<", key, ir.Const(low)), ir.Bin(">=", key, ir.Const(low + count)))
            ctx.stop_if(out, "R0603", e, name)
    index: ir.Expr = ZERO
    factor = 1
    for i, low, count in zip(reversed(indices), reversed(data.lows), reversed(data.sizes), strict=True):
        index = plus(index, times(plus(i, ir.Const(-low)), factor))
        factor *= count
    if isinstance(index, ir.Const) and 0 <= index.value < len(data.cells):
        return ir.Const(data.cells[index.value])
    return ctx.lookup(("table", name), data.cells, index)


@REFERENCES("face")
def face(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower a card with parameters."""
    sort = ctx.model.cards[ctx.type_of(e).name]
    faces = [(i, f) for i, f in enumerate(sort.faces) if f.kind == e.name]
    # A card has no face for a parameter that is none: its computed number would denote another card.
    arguments = [ctx.non_null(a) for a in e.arguments]
    # Faces of one kind are numbered consecutively; the last parameter varies fastest.
    index: ir.Expr = ir.Const(faces[0][0])
    factor = 1
    for position in reversed(range(len(arguments))):
        index = plus(index, times(arguments[position], factor))
        factor *= 1 + max(f.arguments[position] for _, f in faces)
    return index


def attribute_of(ctx: Lowering, cards: str, name: str, card: ir.Expr) -> ir.Expr:
    """Return a parameter of a card, given its card type."""
    values = ctx.model.cards[cards].attributes[name][1]
    return ctx.lookup(("attribute", cards, name), (-1, *values), plus(card, ONE))


def is_face_kind(ctx: Lowering, operator: ir.Operator, cards: str, card: ir.Expr, kind: str) -> ir.Expr:
    """Return a comparison of the kind of a card."""
    sort = ctx.model.cards[cards]
    number = ctx.lookup(("kinds", cards), (-1, *sort.kinds_of_faces), plus(card, ONE))
    return ir.Bin(operator, number, ir.Const(sort.kind_numbers[kind]))


# ---- players -------------------------------------------------------------------------------------------------------


@REFERENCES("player")
def player(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower the player of a number, from 1; none for another number."""
    number = ctx.value(e.arguments[0])
    if isinstance(number, ir.Const):
        return ir.Const(number.value - 1) if 1 <= number.value <= ctx.seats else NONE
    number = ctx.code.once(number)
    valid = ir.Bin("and", ir.Bin(">=", number, ONE), ir.Bin("<=", number, ir.Const(ctx.seats)))
    result = ctx.code.variable(NONE)
    ctx.code.add(ir.If(valid, (ir.SetVar(result.number, plus(number, NONE)),), ()))
    return result


# ---- tracks --------------------------------------------------------------------------------------------------------


def _of_figure(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the holder or location of a figure."""
    return ir.Load(plus(ir.Const(ctx.memory.field(ref.kind).base), ctx.value(e.owner)))


def _neighbour(ctx: Lowering, e: s.Of, distance: int) -> ir.Expr:
    """Lower the player at a distance to the left."""
    return _read(ctx, e, lambda at: ir.Bin("%", plus(at[0], ir.Const(distance)), ir.Const(ctx.seats)))


def _track_position(ctx: Lowering, e: s.Of) -> ir.Expr:
    return ir.Load(ir.Const(ctx.memory.field(ctx.type_of(e.owner).name).base))


@REFERENCES("phase")
def phase(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the phase of a track."""
    track, phases = ctx.type_of(e.owner).name, ctx.model.enums[ctx.type_of(e).name]
    cells = tuple(phases.index(name) for name, n in ctx.model.tracks[track] for _ in range(n))
    return ctx.lookup(("phases", track), cells, _track_position(ctx, e))


# ---- functions -----------------------------------------------------------------------------------------------------


@REFERENCES("define", "rule")
def called(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower the value of a definition, or of a rule without decisions."""
    values = tuple(ctx.bounded(a) for a in e.arguments)
    article = ctx.model.code.called(ref.kind, ref.name)
    value = inline_definition(ctx, article, values)
    if value is not None:
        # A rule called in the same expression may change the value, so the order of evaluation must be kept.
        return value if ctx.query_mode else ctx.code.once(value)
    into = ctx.code.fresh()
    ctx.code.add(ir.Call(procedure_number(ctx, article), values, into.number))
    return into


@REFERENCES("least", "greatest")
def extreme(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower `least(a, b)` and `greatest(a, b)`."""
    first, *rest = [ctx.value(a) for a in e.arguments]
    for value in rest:
        first = ir.Bin("min" if ref.kind == "least" else "max", first, value)
    return first


# ---- operators -----------------------------------------------------------------------------------------------------


_ARITHMETIC: Mapping[s.Arithmetic, ir.Operator] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


@NODES(s.Negation)
def negation(ctx: Lowering, e: s.Negation) -> ir.Expr:
    """Lower `not x`."""
    inner = ctx.value(e.operand)
    return ir.Const(int(not inner.value)) if isinstance(inner, ir.Const) else ir.Not(inner)


@NODES(s.Minus)
def minus(ctx: Lowering, e: s.Minus) -> ir.Expr:
    """Lower `-x`."""
    inner = ctx.value(e.operand)
    return ir.Const(-inner.value) if isinstance(inner, ir.Const) else ir.Bin("-", ZERO, inner)


@NODES(s.Binary)
def binary(ctx: Lowering, e: s.Binary) -> ir.Expr:
    """Lower `+ - * div mod`."""
    operator, a, b = _ARITHMETIC[e.operator], ctx.value(e.left), ctx.value(e.right)
    if operator in ("//", "%"):
        if not isinstance(b, ir.Const) or b.value == 0:
            b = ctx.code.once(b)
            ctx.stop_if(ir.Bin("==", b, ZERO), "R0608", e)
        return ir.Bin(operator, a, b)
    if isinstance(a, ir.Const) and isinstance(b, ir.Const):
        value = ir.Const(ir.OPERATORS[operator](a.value, b.value))
        return ctx.in_range(e, value, "*") if operator == "*" else value
    if operator == "*":
        return ctx.product(e, a, b)
    return plus(a, b) if operator == "+" else ir.Bin(operator, a, b)


@NODES(s.Logical)
def logical(ctx: Lowering, e: s.Logical) -> ir.Expr:
    """Lower conditions joined by `and` or `or`."""
    result = ctx.value(e.operands[0])
    for operand in e.operands[1:]:
        with ctx.code.inner() as before:
            right = ctx.value(operand)
        if not before:
            result = ir.Bin(e.operator, result, right)
            continue
        # Code that the right operand needs may run only if the left operand does not decide the result.
        result_variable = ctx.code.variable(result)
        body = (*before, ir.SetVar(result_variable.number, right))
        ctx.code.add(ir.If(result_variable, body, ()) if e.operator == "and" else ir.If(result_variable, (), body))
        result = result_variable
    return result


@NODES(s.Conditional)
def conditional(ctx: Lowering, e: s.Conditional) -> ir.Expr:
    """Lower `(a if c otherwise b)`."""
    test, result = ctx.condition(e.condition), ctx.code.fresh()
    with ctx.code.inner() as first:
        then_value = ctx.value(e.then)
        ctx.code.set(result, then_value)
    with ctx.code.inner() as second:
        otherwise_value = ctx.value(e.other)
        ctx.code.set(result, otherwise_value)
    ctx.code.known[result] = join(ctx.extent(then_value), ctx.extent(otherwise_value))
    ctx.code.add(ir.If(test, tuple(first), tuple(second)))
    return result


@NODES(s.Compare)
def compare(ctx: Lowering, e: s.Compare) -> ir.Expr:
    """Lower a comparison, including `card is kind`."""
    operator: ir.Operator = "==" if e.operator == "=" else e.operator
    left = ctx.value(e.left)
    ref = ctx.model.refs.get(e.right)
    if ref is not None and ref.kind == "facekind":
        return is_face_kind(ctx, operator, ctx.type_of(e.left).name, left, ref.name)
    right = ctx.value(e.right)
    if isinstance(left, ir.Const) and isinstance(right, ir.Const) and operator in ("==", "!="):
        return ir.Const(int((left.value == right.value) == (operator == "==")))
    return ir.Bin(operator, left, right)


# ---- quantifiers ---------------------------------------------------------------------------------------------------


#: Upper bound of a sum: no loop within the step budget reaches it.
MAX_SUM = 1 << 62
#: Non-zero initial values of the results.
_START = {"none": ONE, "every": ONE, "first": NONE}


@NODES(s.Quantified)
def quantified(ctx: Lowering, e: s.Quantified) -> ir.Expr:
    """Lower an expression that binds a name."""
    if e.kind == "random":
        return _random(ctx, e)
    code = ctx.code
    if e.kind in ("highest", "lowest"):
        d = replace(e.domain, extreme="most" if e.kind == "highest" else "fewest", measure=e.value)
        local = ctx.model.locals[e.variable]
        return ctx.in_range(e, best(ctx, d, replace(ctx.domain(d, local), copies=None), local), "+")
    result = code.variable(_START.get(e.kind, ZERO))
    added: ir.Expr = ONE

    def set_and_break(value: ir.Expr) -> tuple[ir.Stmt, ...]:
        return (ir.SetVar(result.number, value), ir.Break())

    def body(x: ir.Expr, copies: ir.Expr) -> None:
        nonlocal added
        match e.kind:
            case "some":
                code.add(*set_and_break(ONE))
            case "none":
                code.add(*set_and_break(ZERO))
            case "first":
                code.add(*set_and_break(x))
            case "number":
                added = copies
                code.set(result, ir.Bin("+", result, added))
            case "every":
                assert e.value is not None
                code.add(ir.If(ctx.value(e.value), (), set_and_break(ZERO)))
            case "sum":
                assert e.value is not None
                value = ctx.value(e.value)
                added = value if copies == ONE else ctx.product(e, value, copies)
                code.set(result, ir.Bin("+", result, added))
            case "highest" | "lowest" | "random" | "tally":
                raise AssertionError(e.kind)  # These have their own functions.
            case _:
                assert_never(e.kind)

    each_counted(ctx, e.variable, e.domain, body)
    return _total(ctx, e, result, added)


def _total(ctx: Lowering, e: s.Quantified, total: ir.Var, added: ir.Expr) -> ir.Expr:
    """Return a sum over all iterations, with a range check."""
    increment = ctx.extent(added)
    if e.kind == "sum" or not is_within(increment, CARDS):
        ctx.code.known[total] = -MAX_SUM if increment[0] < 0 else 0, MAX_SUM if increment[1] > 0 else 0
    return ctx.in_range(e, total, "+")


def _random(ctx: Lowering, e: s.Quantified) -> ir.Expr:
    """Draw a value at random by its weight; a card in a zone counts once per copy."""
    code = ctx.code
    total, remaining, result = code.fresh(), code.fresh(), code.fresh()

    def weight(copies: ir.Expr) -> ir.Expr:
        if e.value is None:
            return copies
        unit_weight = ctx.once(e.value)
        return unit_weight if copies == ONE else ctx.product(e, unit_weight, copies)

    code.set(total, ZERO)
    added: ir.Expr = ONE

    def add(x: ir.Expr, copies: ir.Expr) -> None:
        nonlocal added
        added = weight(copies)
        code.set(total, ir.Bin("+", total, added))

    each_counted(ctx, e.variable, e.domain, add)
    ctx.stop_if(ir.Bin("<=", total, ZERO), "R0609", e)
    _total(ctx, e, total, added)
    code.add(ir.Chance(remaining.number, total))
    code.set(result, NONE)

    def find(x: ir.Expr, copies: ir.Expr) -> None:
        w = code.once(weight(copies))
        hit = (ir.SetVar(result.number, x), ir.Break())
        code.add(ir.If(ir.Bin("<", remaining, w), hit, ()))
        code.set(remaining, ir.Bin("-", remaining, w))

    each_counted(ctx, e.variable, e.domain, find)
    return result


def tally(ctx: Lowering, e: s.Quantified) -> tuple[ir.Expr, ...]:
    """Lower a tally of players: for each seat whether it is included, and its number."""
    assert e.value is not None
    value, code = e.value, ctx.code
    inside = [code.fresh() for _ in range(ctx.seats)]
    numbers = [code.fresh() for _ in range(ctx.seats)]
    for variable in (*inside, *numbers):
        code.set(variable, ZERO)

    def body(x: ir.Expr) -> None:
        number = ctx.once(value)
        for seat in range(ctx.seats):
            take = (ir.SetVar(inside[seat].number, ONE), ir.SetVar(numbers[seat].number, number))
            code.add(ir.If(ir.Bin("==", x, ir.Const(seat)), take, ()))

    each(ctx, e.variable, e.domain, body)
    return tuple(cell for pair in zip(inside, numbers, strict=True) for cell in pair)


NODES.update(
    {
        s.Number: lambda ctx, e: ir.Const(e.value),
        s.Truth: lambda ctx, e: ir.Const(int(e.value)),
        s.Nobody: lambda ctx, e: NONE,
    }
)
#: Values that need one expression.  An enumeration value, area, figure or card is its number.
REFERENCES.update(
    {
        "value": lambda ctx, e, ref: ir.Const(ref.number),
        "players": lambda ctx, e, ref: ir.Const(ctx.seats),
        "option": lambda ctx, e, ref: ir.Const(ctx.settings[ref.name]),
        # The time of the answer is limited to the range of numbers.
        "time": lambda ctx, e, ref: ir.Bin("min", ir.Load(ir.Const(ir.AT_TIME)), ir.Const(MAX_VALUE)),
        "holder": _of_figure,
        "place": _of_figure,
        "top": lambda ctx, e, ref: zones.with_zone(ctx, e.owner, lambda field, address: ir.Top(address), NONE),
        "bottom": lambda ctx, e, ref: zones.with_zone(ctx, e.owner, lambda field, address: ir.Bottom(address), NONE),
        "size": lambda ctx, e, ref: zones.with_zone(ctx, e.owner, partial(zones.size_of, ctx)),
        "attribute": lambda ctx, e, ref: attribute_of(ctx, ctx.type_of(e.owner).name, ref.name, ctx.value(e.owner)),
        # Values of enumerations, and spaces of tracks, are counted from 1.
        "position": lambda ctx, e, ref: plus(ctx.value(e.owner), ONE),
        "space": lambda ctx, e, ref: plus(_track_position(ctx, e), ONE),
        "spaces": lambda ctx, e, ref: ir.Const(sum(n for _, n in ctx.model.tracks[ctx.type_of(e.owner).name])),
        "left": lambda ctx, e, ref: _neighbour(ctx, e, 1),
        "right": lambda ctx, e, ref: _neighbour(ctx, e, ctx.seats - 1),
    }
)
