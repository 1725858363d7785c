"""Checks of domains, and of the expressions that quantify over them."""

from __future__ import annotations

from typing import assert_never

from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.checker.coverings import coverings_type
from wongar_dsl.language.checker.expressions import (
    check_count,
    check_expression,
    check_range,
    check_value,
    check_zone,
)
from wongar_dsl.language.checker.lattices import charge_distances, charge_rays, line_type, on_lattice
from wongar_dsl.language.checker.references import (
    COUNTABLE,
    report_wrong_sort,
    shown_name,
    source_text,
    type_named,
    zone_of,
)
from wongar_dsl.language.semantics import NUMBER, PLAYER, TALLY, TRUTH, UNKNOWN, Local, Ref, Type


def check_domain(context: CheckContext, d: s.Domain) -> Type:
    """Return the type of a domain's values.

    The caller binds the name, and checks `where` and `with`.
    """
    if d.kind == "span":
        assert d.first is not None
        check_range(context, d.base, d.first)
        return NUMBER
    if d.kind == "through":
        return line_type(context, d, check_value(context, d.base))
    if d.kind == "kinds":
        return _kinds_in(context, d)
    kind = _values_of(context, d.base) if d.kind == "all" else type_named(context, d.base)
    if d.kind == "lines":
        return line_type(context, d, kind)
    if d.kind == "along":
        assert d.first is not None
        assert d.second is not None
        check_value(context, d.first, NUMBER)
        check_value(context, d.second, kind)
        if not on_lattice(context, d.base, kind):
            return UNKNOWN
        charge_rays(context, d, kind.name)
        return kind
    for operand in (d.first, d.second):
        if operand is None:
            continue
        counts = d.kind == "within" and operand is d.first
        check_value(context, operand, NUMBER if counts else kind)
        if counts and not isinstance(operand, s.Number):
            context.report("R0203", operand, name=shown_name(operand), found="expression", expected=("number",))
    if d.kind in ("touching", "within", "reached") and kind.kind not in ("board", "unknown"):
        context.report("R0301", d.base, found=str(kind), expected="board")
        return UNKNOWN
    if d.kind == "within" and kind.kind == "board" and isinstance(d.first, s.Number):
        charge_distances(context, d, kind.name, d.first.value)
    if d.kind in ("from", "after") and kind not in (PLAYER, UNKNOWN):
        context.report("R0301", d.base, found=str(kind), expected="player")
        return UNKNOWN
    return kind


def _values_of(context: CheckContext, e: s.Expression) -> Type:
    """Return the value type of a domain: the named type, or that of the contents of a zone."""
    if isinstance(e, s.Name):
        declared = context.names.get(e.text)
        kind = declared.kind if declared is not None else ""
        local = context.look_up(e.text) is not None
        if not local and (e.text == "player" or kind in COUNTABLE or not kind):
            return type_named(context, e)
    if isinstance(e, s.Of) and e.name == "direction":
        board = type_named(context, e.owner)
        on_lattice(context, e.owner, board)
        return context.record_type(e, NUMBER, Ref("direction", board.name))
    if isinstance(e, s.Indexed | s.Of) and e.name in context.model.coverings:
        return coverings_type(context, e, lambda index: check_value(context, index))
    kind_of_zone = check_expression(context, e)
    if kind_of_zone.kind in ("unknown", "line"):
        return UNKNOWN if kind_of_zone == UNKNOWN else Type("board", kind_of_zone.name)
    zone_article = zone_of(context, kind_of_zone) if kind_of_zone.kind == "zone" else None
    if zone_article is None:
        span = f"{source_text(e.left)} to {source_text(e.right)}" if isinstance(e, s.Binary) else None
        report_wrong_sort(context, e, kind_of_zone, ("enum", "board", "zone"), span)
        return UNKNOWN
    return context.zone_content(zone_article)


def _kinds_in(context: CheckContext, d: s.Domain) -> Type:
    """Check a domain of the kinds of cards or tokens in a zone."""
    assert d.first is not None
    named, zone_article = type_named(context, d.first), check_zone(context, d.base)
    if zone_article is None:
        return named
    held = context.zone_content(zone_article)
    context.expect(d.first, held, named)
    return held


def bind_domain(context: CheckContext, variable: s.Word, d: s.Domain) -> Local:
    """Check a domain and bind its name in the innermost scope."""
    kind = check_domain(context, d)
    local = context.bind(variable, kind)
    if d.through is not None:
        check_value(context, d.through, TRUTH)
    if d.where is not None:
        check_value(context, d.where, TRUTH)
    if d.measure is not None:
        check_value(context, d.measure, NUMBER)
    return local


def check_quantified(context: CheckContext, e: s.Quantified) -> Type:
    """Check an expression over a domain (`some`, `sum`, `first` ...) and return its type."""
    with context.scope():
        local = bind_domain(context, e.variable, e.domain)
        expected = TRUTH if e.kind == "every" else NUMBER
        if e.value is not None:
            if e.kind == "random":
                check_count(context, e.value)
            else:
                check_value(context, e.value, expected)
    match e.kind:
        case "some" | "none" | "every":
            return context.record_type(e, TRUTH)
        case "first" | "random":
            return context.record_type(e, local.type)
        case "tally":
            context.expect(e.domain.base, PLAYER, local.type)
            return context.record_type(e, TALLY)
        case "number" | "sum" | "highest" | "lowest":
            return context.record_type(e, NUMBER)
        case _:
            assert_never(e.kind)
