"""Type checking and name resolution of expressions and domains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wongar_dsl.base.diagnostics import Hint
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import (
    COUNTABLE,
    FOREIGN_FUNCTIONS,
    CheckContext,
    GlobalKind,
    GlobalSymbol,
    indices_of,
    kind_test,
    report_wrong_sort,
    shown_name,
    source_text,
    type_named,
    zone_of,
)
from wongar_dsl.language.checker.declarations import (
    CARDS,
    LAYOUTS,
    PILES,
    TOKENS,
    area_type,
    charge_distances,
    charge_rays,
    constant_face,
    coverings_type,
    laid_place,
    layout_of,
    line_type,
    on_lattice,
    reversed_range,
)
from wongar_dsl.language.semantics import FIGURE, NONE, NOTHING, NUMBER, PLAYER, TALLY, TRUTH, UNKNOWN, Local, Ref, Type
from wongar_dsl.language.semantics.builtins import FUNCTIONS, NUMBERS, PROPERTIES, Function, Property

#: Kinds of names that take an index.
_INDEXED: tuple[GlobalKind, ...] = ("zone", "remember", "score", "table")
#: Maximum depth of calls.
MAX_CALLS = 40
#: Maximum of a written count.
MAX_COUNT = 1_000_000_000
#: The word after `is` in a test of an empty zone.
EMPTY = "empty"


def check_value(context: CheckContext, e: s.Expression, expected: Type | None = None) -> Type:
    """Check an expression that must have a value, and return its type.

    A slot stands for the card in it.
    """
    kind = _name(context, e, expected) if isinstance(e, s.Name) else check_expression(context, e)
    if kind.kind == "zone":
        zone = zone_of(context, kind)
        if zone is not None and zone.traits.single:
            kind = context.zone_content(zone)
            context.model.types[e] = kind
            context.model.refs[e] = Ref("slot_card", zone.name.text)
        else:
            prefix = "size" if expected == NUMBER else "top" if zone is not None and zone.traits.ordered else ""
            suggestion = f"{prefix} of {source_text(e)}" if prefix else None
            context.report("R0203", e, suggestion=suggestion, name=kind.name, found="zone", expected=("value",))
            return context.record_type(e, UNKNOWN)
    elif kind.kind == "nothing":
        name = e.name if isinstance(e, s.Called) else str(kind)
        rule = context.model.article(s.Rule, name)
        context.report("R0306", e, declared=rule.name if rule is not None else None, name=name)
        return context.record_type(e, UNKNOWN)
    elif kind.kind == "track":
        report_wrong_sort(context, e, kind, ("value",))
        return context.record_type(e, UNKNOWN)
    if expected is not None:
        context.expect(e, expected, kind)
    return kind


def check_count(context: CheckContext, e: s.Expression, least: int = 1) -> None:
    """Check a count; a written one must not be less than `least`, which is 1 where nothing would happen with 0."""
    check_value(context, e, NUMBER)
    number = s.constant_number(e)
    if number is not None and not least <= number <= MAX_COUNT:
        hint = Hint("at_least_one" if least else "no_less") if number < least else None
        context.report("R0305", e, hint=hint, value=number, low=least, high=MAX_COUNT)
        context.record_type(e, UNKNOWN)


def check_range(context: CheckContext, low: s.Expression, high: s.Expression) -> None:
    """Check the ends of a range; written ones must be in order."""
    for end in (low, high):
        check_value(context, end, NUMBER)
    least, greatest = s.constant_number(low), s.constant_number(high)
    if least is not None and greatest is not None:
        reversed_range(context, low.span.to(high.span), least, greatest)


def check_zone(context: CheckContext, e: s.Expression, kinds: frozenset[str] | None = None) -> s.Zone | None:
    """Return the zone that an expression names, of one of `kinds`; None after reporting a mistake."""
    declared = context.names.get(e.text) if isinstance(e, s.Name) and context.look_up(e.text) is None else None
    if declared is not None and declared.kind != "zone":
        context.used.add(shown_name(e))
        expected = tuple(sorted(kinds)) if kinds else ("zone",)
        name, sort = shown_name(e), declared.kind
        context.report("R0203", e, declared=declared.node, name=name, found=sort, expected=expected)
        return None
    if isinstance(e, s.Name) and declared is None and context.look_up(e.text) is None and e.text not in NUMBERS:
        places = context.model.all_of(s.Zone)
        context.report_unknown(e, e.text, [z.name.text for z in places if kinds is None or z.kind in kinds])
        context.record_type(e, UNKNOWN)
        return None
    kind = check_expression(context, e)
    if kind == UNKNOWN:
        return None
    zone_article = zone_of(context, kind) if kind.kind == "zone" else None
    if zone_article is None or (kinds is not None and zone_article.kind not in kinds):
        allowed = tuple(sorted(kinds)) if kinds else ("zone",)
        if zone_article is None:
            report_wrong_sort(context, e, kind, allowed)
        else:
            context.report("R0203", e, name=str(kind), found=zone_article.kind, expected=allowed)
        return None
    return zone_article


def check_expression(context: CheckContext, e: s.Expression) -> Type:
    """Check any expression, including zones and tracks, and return its type."""
    kind = _UNIFORM.get(type(e))
    if kind is None:
        return _CHECKS[type(e)](context, e)
    for operand in s.operands(e):
        check_value(context, operand, kind)
    return context.record_type(e, kind)


def _conditional(context: CheckContext, e: s.Conditional) -> Type:
    check_value(context, e.condition, TRUTH)
    first, second = check_value(context, e.then), check_value(context, e.other)
    context.expect(e.other, first, second if first != NONE else first)
    return context.record_type(e, second if first == NONE else first)


def _empty(context: CheckContext, e: s.Empty) -> Type:
    check_zone(context, e.zone)
    return context.record_type(e, TRUTH)


def _count_of(context: CheckContext, e: s.CountOf) -> Type:
    zone = check_zone(context, e.zone, CARDS)
    kind = kind_test(context, e.card) or check_value(context, e.card)
    if zone is not None:
        context.expect(e.card, context.zone_content(zone), kind)
    return context.record_type(e, NUMBER)


def _name(context: CheckContext, e: s.Name, expected: Type | None = None) -> Type:
    local = context.look_up(e.text)
    if local is not None:
        return context.record_type(e, local.type, Ref("local", local=local))
    if e.text in NUMBERS:
        return context.record_type(e, NUMBER, Ref(NUMBERS[e.text]))
    declared = context.names.get(e.text)
    if declared is None:
        context.report_unknown(e, e.text, expected=expected)
        return context.record_type(e, UNKNOWN)
    context.used.add(e.text)
    match declared.kind:
        case "value":
            context.used.add(declared.type.name)
            return context.record_type(e, declared.type, Ref("value", e.text, declared.number))
        case "option":
            return context.record_type(e, context.model.settings[e.text].type, Ref("option", e.text))
        case "remember" | "zone" | "score":
            return _check_stored(context, e, e.text, declared, ())
        case "facekind":
            face = constant_face(context, e, declared.type)
            return context.record_type(e, *((face[0], Ref("value", e.text, face[1])) if face else (UNKNOWN, None)))
        case "track":
            return context.record_type(e, Type("track", e.text), Ref("track", e.text))
        case "define" | "rule":
            end = Span(e.span.source, e.span.end_line, e.span.end_column, e.span.end_line, e.span.end_column + 1)
            article = context.model.articles.get((declared.kind, e.text))
            bare = isinstance(article, s.Rule | s.Define) and not article.parameters
            hint = None if bare else Hint("form", {"form": f"{e.text}(…)"})
            place, suggestion = (e.span, f"{e.text}()") if bare else (end, None)
            context.report("R0107", place, (), suggestion, hint, declared.node, expected=("(",))
            return context.record_type(e, UNKNOWN)
    context.report("R0203", e, name=e.text, found=declared.kind, expected=("value",))
    return context.record_type(e, UNKNOWN)


def _whose(context: CheckContext, wanted: tuple[Type, ...]) -> str | None:
    """Return the only local name of the type that owns a thing; None if there is none, or several."""
    if len(wanted) != 1:
        return None
    names = {name for scope in context.scopes for name, local in scope.items() if local.type == wanted[0]}
    return names.pop() if len(names) == 1 else None


def _check_stored(
    context: CheckContext, e: s.Expression, name: str, declared: GlobalSymbol, indices: tuple[s.Expression, ...]
) -> Type:
    """Check a reference to a zone, remembered value or score, and its indices.

    A zone of tokens may have one more index, the kind of token, and a layout the area.
    """
    index_types = indices_of(context, name)
    article = context.model.articles[declared.kind, name]
    counted = isinstance(article, s.Zone) and article.kind in TOKENS | LAYOUTS and len(indices) == len(index_types) + 1
    for i, index in enumerate(indices):
        expected = index_types[i] if i < len(index_types) else None
        if counted and i == len(index_types):
            assert isinstance(article, s.Zone)
            expected = area_type(article) if article.board else context.zone_content(article)
        check_value(context, index, expected)
    if len(indices) != len(index_types) and not counted:
        whose = _whose(context, index_types) if not indices else None
        suggestion = f"{name} of {whose}" if whose is not None else None
        hint = Hint("whose", {"form": f"{name} of"}) if len(index_types) == 1 and not indices else None
        counts = {"found": len(indices), "expected": len(index_types)}
        context.report("R0302", e, (), suggestion, hint, declared.node, name=name, **counts)
        return context.record_type(e, UNKNOWN)
    if isinstance(article, s.Zone):
        if counted and article.board:
            return context.record_type(e, context.zone_content(article), Ref("laid", name))
        if counted:
            return context.record_type(e, NUMBER, Ref("token_count", name))
        return context.record_type(e, Type("zone", name), Ref("zone", name))
    if isinstance(article, s.Remember):
        return context.record_type(e, context.type_of(article.type), Ref("remember", name))
    return context.record_type(e, NUMBER, Ref("score", name))


def _of(context: CheckContext, e: s.Of) -> Type:
    name, owner = e.name, e.owner
    declared = context.names.get(name)
    if declared is not None and declared.kind in ("zone", "remember", "score"):
        context.used.add(name)
        return _check_stored(context, e, name, declared, (owner,))
    if declared is not None and declared.kind == "table":
        context.used.add(name)
        return _table(context, e, name, (owner,))
    if name in PROPERTIES:
        return _property(context, e, PROPERTIES[name], owner)
    kind = check_value(context, owner)
    if kind.kind == "cards":
        attribute = context.model.cards[kind.name].attributes.get(name)
        if attribute is not None:
            return context.record_type(e, attribute[0], Ref("attribute", name))
        context.report_unknown(e, name, list(context.model.cards[kind.name].attributes))
    elif kind != UNKNOWN:
        context.report_unknown(e, name, [*context.names_of(*_INDEXED), *PROPERTIES])
    return context.record_type(e, UNKNOWN)


def _property(context: CheckContext, e: s.Of, prop: Property, owner: s.Expression) -> Type:
    ref, gives = Ref(prop.name), prop.gives or UNKNOWN
    match prop.owner:
        case "player":
            check_value(context, owner, PLAYER)
        case "figure":
            check_value(context, owner, FIGURE)
        case "figure or card":
            if check_value(context, owner).kind == "cards":
                return laid_place(context, e, owner)
            context.expect(owner, FIGURE, context.model.types[owner])
            figure = context.model.article(s.Figure, owner.text) if isinstance(owner, s.Name) else None
            if figure is None or figure.board is None:
                hint = Hint("figure_by_name") if figure is None else None
                needed = ("figure on a board",)
                context.report("R0203", owner, hint=hint, name=shown_name(owner), found="figure", expected=needed)
                return context.record_type(e, UNKNOWN)
            gives = Type("board", figure.board.text)
        case "ordered zone":
            pile = check_zone(context, owner, PILES)
            gives = context.zone_content(pile) if pile is not None else UNKNOWN
        case "zone":
            check_zone(context, owner)
        case "one of many":
            kind = check_value(context, owner)
            if kind.kind not in (*COUNTABLE, "player", "unknown"):
                context.report("R0301", owner, found=str(kind), expected="enum")
        case "area":
            on_lattice(context, owner, check_value(context, owner))
        case "track":
            kind = check_expression(context, owner)
            if kind.kind != "track":
                if kind != UNKNOWN:
                    context.report("R0203", owner, name=shown_name(owner), found=kind.kind, expected=("track",))
                return context.record_type(e, UNKNOWN)
            if prop.gives is None:
                phases = context.model.tracks[kind.name]
                gives = context.names[phases[0][0]].type if phases else UNKNOWN
    return context.record_type(e, gives, ref)


def _table(context: CheckContext, e: s.Expression, name: str, indices: tuple[s.Expression, ...]) -> Type:
    table = context.model.tables.get(name)
    if table is None:
        for index in indices:
            check_value(context, index)
        return context.record_type(e, UNKNOWN)
    for i, index in enumerate(indices):
        check_value(context, index, table.keys[i] if i < len(table.keys) else None)
    context.check_number(e, name, len(indices), len(table.keys), context.names[name].node)
    return context.record_type(e, table.value, Ref("table", name))


def _indexed(context: CheckContext, e: s.Indexed) -> Type:
    name, indices = e.name, e.indices
    declared = context.names.get(name)
    if declared is None:
        context.report_unknown(e, name, context.names_of(*_INDEXED))
    elif declared.kind in ("zone", "remember", "score"):
        context.used.add(name)
        return _check_stored(context, e, name, declared, indices)
    elif declared.kind == "table":
        context.used.add(name)
        return _table(context, e, name, indices)
    else:
        context.report("R0203", e, name=name, found=declared.kind, expected=("table", "zone"))
    for index in indices:
        check_value(context, index)
    return context.record_type(e, UNKNOWN)


def _called(context: CheckContext, e: s.Called) -> Type:
    declared = context.names.get(e.name)
    if declared is None and e.name in FUNCTIONS:
        # A declaration with such a name has been reported, and calls refer to it.
        return _function(context, e, FUNCTIONS[e.name])
    if declared is None and len(e.arguments) == 1 and FOREIGN_FUNCTIONS.get(e.name, e.name) in PROPERTIES:
        # Properties are written with “of”.
        called = FOREIGN_FUNCTIONS.get(e.name, e.name)
        context.report("R0201", e, suggestion=f"{called} of {source_text(e.arguments[0])}", name=e.name)
        return context.record_type(e, UNKNOWN)
    if declared is None and e.name == EMPTY:
        context.report_unknown(e, e.name)
        return context.record_type(e, UNKNOWN)
    if declared is None:
        context.report_unknown(e, e.name, [*context.names_of("define", "rule", "facekind"), *FUNCTIONS])
    elif declared.kind == "facekind":
        return _face_with_arguments(context, e, declared)
    elif declared.kind in ("define", "rule"):
        return call(context, e, declared)
    else:
        suggestion = None
        if declared.kind in _INDEXED and e.arguments:
            arguments = [source_text(argument) for argument in e.arguments]
            suggestion = f"{e.name} of {arguments[0]}" if len(arguments) == 1 else f"{e.name}[{', '.join(arguments)}]"
            context.used.add(e.name)
        needed = ("define", "rule")
        context.report("R0203", e, suggestion=suggestion, name=e.name, found=declared.kind, expected=needed)
    for argument in e.arguments:
        check_value(context, argument)
    return context.record_type(e, UNKNOWN)


def _function(context: CheckContext, e: s.Called, called: Function) -> Type:
    """Check a call of a built-in function."""
    if not called.takes(len(e.arguments)):
        context.report("R0302", e, name=e.name, found=len(e.arguments), expected=called.fewest)
        return context.record_type(e, called.gives or UNKNOWN)
    ref, board = Ref(called.name), UNKNOWN
    for number, argument in enumerate(e.arguments):
        match called.arguments[min(number, len(called.arguments) - 1)]:
            case Type() as kind:
                check_value(context, argument, kind)
            case "card":
                layout = layout_of(context, argument, check_value(context, argument))
                ref = Ref(called.name, layout.name.text) if layout is not None else ref
            case wanted:
                kind = check_value(context, argument) if wanted == "area" else type_named(context, argument)
                board = kind if on_lattice(context, argument, kind) else UNKNOWN
    return context.record_type(e, called.gives or board, ref)


def _face_with_arguments(context: CheckContext, e: s.Called, declared: GlobalSymbol) -> Type:
    sort = context.model.cards[declared.type.name]
    context.used.add(sort.name)
    article = context.model.articles["cards", sort.name]
    assert isinstance(article, s.Cards)
    face = next(f for f in article.faces if f.name.text == e.name)
    context.check_number(e, e.name, len(e.arguments), len(face.parameters), face)
    for parameter, argument in zip(face.parameters, e.arguments, strict=False):
        check_value(context, argument, context.type_of(parameter.type))
    return context.record_type(e, declared.type, Ref("face", e.name))


def call(context: CheckContext, e: s.Called, declared: GlobalSymbol) -> Type:
    """Check a call of a definition or a rule; return its result type, `nothing` for a rule without a result."""
    context.used.add(e.name)
    article = context.model.articles[declared.kind, e.name]
    assert isinstance(article, s.Rule | s.Define)
    context.check_number(e, e.name, len(e.arguments), len(article.parameters), article.name)
    for i, argument in enumerate(e.arguments):
        expected = context.type_of(article.parameters[i].type) if i < len(article.parameters) else None
        check_value(context, argument, expected)
    if isinstance(article, s.Rule):
        kind = context.type_of(article.gives) if article.gives is not None else NOTHING
        return context.record_type(e, kind, Ref("rule", e.name))
    return context.record_type(e, define(context, article), Ref("define", e.name))


def define(context: CheckContext, article: s.Define) -> Type:
    """Return the type of a definition's value, checking it at the first call."""
    model = context.model
    if article.value in model.types:
        return model.types[article.value]
    if article in context.checking or len(context.checking) > MAX_CALLS:
        return UNKNOWN  # recursion, or a chain of calls that is too long: reported from the call graph
    outer, scopes = context.article, context.scopes
    context.article, context.scopes = article, [{}]
    context.checking.append(article)
    model.parameters[article] = tuple(context.bind(p.name, context.type_of(p.type)) for p in article.parameters)
    kind = check_value(context, article.value)
    context.checking.pop()
    context.article, context.scopes = outer, scopes
    return kind


def _nearly_empty(context: CheckContext, name: str) -> bool:
    """Return whether an unknown name is a misspelt `empty`."""
    declared = name in context.names or any(name in scope for scope in context.scopes)
    return not declared and did_you_mean(name, (EMPTY,), 0.75) is not None


def _compare(context: CheckContext, e: s.Compare) -> Type:
    if isinstance(e.right, s.Name) and _nearly_empty(context, e.right.text):
        # Report the misspelling alone: an operand of `is empty` need not be a value.
        context.report_unknown(e.right, e.right.text, (EMPTY,))
        check_expression(context, e.left)
        return context.record_type(e, TRUTH)
    sides = (e.left, e.right)
    compared = {declared.kind for side in sides if (declared := context.names.get(shown_name(side))) is not None}
    number = NUMBER if "zone" in compared and any(isinstance(side, s.Number) for side in sides) else None
    left = check_value(context, e.left, number)
    tested = kind_test(context, e.right) if e.operator in ("=", "!=") else None
    right = tested or check_value(context, e.right, number)
    if e.operator in ("=", "!="):
        if number is None and not (context.is_assignable(left, right) or context.is_assignable(right, left)):
            context.report("R0304", e, left=str(left), right=str(right))
    elif left.kind != "enum" or left != right:
        context.expect(e.left, NUMBER, left)
        context.expect(e.right, NUMBER, right)
    return context.record_type(e, TRUTH)


# ---- domains ---------------------------------------------------------------------------------------------------------


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


def _quantified(context: CheckContext, e: s.Quantified) -> Type:
    """Check an expression over a domain (`some`, `sum`, `first` ...) and return its type."""
    with context.scope():
        local = bind_domain(context, e.variable, e.domain)
        expected = TRUTH if e.kind == "every" else NUMBER
        if e.value is not None:
            if e.kind == "random":
                check_count(context, e.value)
            else:
                check_value(context, e.value, expected)
    if e.kind == "tally":
        context.expect(e.domain.base, PLAYER, local.type)
    return context.record_type(e, _QUANTIFIED[e.kind] or local.type)


#: Type of a quantified expression; None for that of its values.
_QUANTIFIED: Mapping[s.QuantifiedKind, Type | None] = {
    **dict.fromkeys(("some", "none", "every"), TRUTH), **dict.fromkeys(("number", "sum", "highest", "lowest"), NUMBER),
    "first": None, "random": None, "tally": TALLY,
}  # fmt: skip
#: Type of an expression, which is also that of its operands.
_UNIFORM: Mapping[type[s.Expression], Type] = {
    s.Number: NUMBER, s.Truth: TRUTH, s.Nobody: NONE, s.Negation: TRUTH, s.Logical: TRUTH, s.Minus: NUMBER,
    s.Binary: NUMBER,
}  # fmt: skip
#: Checks of all other expressions.
_CHECKS: Mapping[type[s.Expression], Callable[[CheckContext, Any], Type]] = {
    s.Name: _name, s.Of: _of, s.Indexed: _indexed, s.Called: _called, s.Compare: _compare, s.Conditional: _conditional,
    s.Empty: _empty, s.CountOf: _count_of, s.Quantified: _quantified,
}  # fmt: skip
