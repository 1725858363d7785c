"""Types of expressions and domains, and what each name in them means."""

from __future__ import annotations

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import SAID_OTHERWISE, Global, Work
from wongar_dsl.checker.coverings import coverings_type
from wongar_dsl.checker.declarations import constant_face
from wongar_dsl.checker.lattices import line_board, line_type, on_lattice
from wongar_dsl.checker.layouts import area_type, laid_place, laid_sides
from wongar_dsl.checker.references import indices_of, kind_test, shown, type_named, zone_of
from wongar_dsl.model import FIGURE, NONE, NOTHING, NUMBER, PLAYER, TALLY, TRUTH, UNKNOWN, Local, Ref, Type
from wongar_dsl.text.diagnostics import Label
from wongar_dsl.text.span import Span
from wongar_dsl.text.suggest import did_you_mean

_PROPERTIES = frozenset(
    [
        *("left", "right", "holder", "place", "top", "bottom", "size", "space", "spaces", "phase", "row", "column"),
        "position",
    ]
)
_CARD_ZONES = frozenset({"pile", "hand", "heap", "layout"})
MAX_CALLS = 40


def value(work: Work, e: s.Expression, expected: Type | None = None) -> Type:
    """The type of an expression that must have a value; a slot stands for the card in it."""
    kind = expression(work, e)
    if kind.kind == "zone":
        zone = zone_of(work, kind)
        if zone is not None and zone.kind == "slot":
            kind = work.held(zone)
            work.model.types[e] = kind
            work.model.refs[e] = Ref("slot", zone.name.text)
        else:
            work.report("R0203", e, name=kind.name, found="zone", expected=("value",))
            return work.note(e, UNKNOWN)
    elif kind.kind == "nothing":
        name = e.name if isinstance(e, s.Called) else str(kind)
        rule = work.model.articles.get(("rule", name))
        labels = (Label(rule.name.span, "declared"),) if rule is not None else ()
        work.report("R0306", e, labels, name=name)
        return work.note(e, UNKNOWN)
    elif kind.kind == "track":
        work.report("R0203", e, name=str(kind), found=kind.kind, expected=("value",))
        return work.note(e, UNKNOWN)
    if expected is not None:
        work.need(e, expected, kind)
    return kind


def zone(work: Work, e: s.Expression, kinds: frozenset[str] | None = None) -> s.Zone | None:
    """The zone that an expression names, of one of `kinds`; None after reporting."""
    declared = work.names.get(e.text) if isinstance(e, s.Name) and work.look_up(e.text) is None else None
    if declared is not None and declared.kind != "zone":
        work.used.add(shown(e))
        expected = tuple(sorted(kinds)) if kinds else ("zone",)
        work.report(
            "R0203", e, (Label(declared.node.span, "declared"),), name=shown(e), found=declared.kind, expected=expected
        )
        return None
    kind = expression(work, e)
    if kind == UNKNOWN:
        return None
    found = zone_of(work, kind) if kind.kind == "zone" else None
    if found is None or (kinds is not None and found.kind not in kinds):
        wanted = tuple(sorted(kinds)) if kinds else ("zone",)
        work.report("R0203", e, name=str(kind), found=found.kind if found else kind.kind, expected=wanted)
        return None
    return found


def expression(work: Work, e: s.Expression) -> Type:
    """The type of any expression, zones and tracks among them."""
    match e:
        case s.Number():
            return work.note(e, NUMBER)
        case s.Truth():
            return work.note(e, TRUTH)
        case s.Nobody():
            return work.note(e, NONE)
        case s.Name():
            return _name(work, e)
        case s.Of(name=name, owner=owner):
            return _of(work, e, name, owner)
        case s.Indexed(name=name, indices=indices):
            return _indexed(work, e, name, indices)
        case s.Called():
            return _called(work, e)
        case s.Negation(operand=operand):
            value(work, operand, TRUTH)
            return work.note(e, TRUTH)
        case s.Minus(operand=operand):
            value(work, operand, NUMBER)
            return work.note(e, NUMBER)
        case s.Binary(left=left, right=right):
            value(work, left, NUMBER)
            value(work, right, NUMBER)
            return work.note(e, NUMBER)
        case s.Logical(operands=operands):
            for operand in operands:
                value(work, operand, TRUTH)
            return work.note(e, TRUTH)
        case s.Compare():
            return _compare(work, e)
        case s.Either(condition=condition, then=then, other=other):
            value(work, condition, TRUTH)
            first, second = value(work, then), value(work, other)
            work.need(other, first, second if first != NONE else first)
            return work.note(e, second if first == NONE else first)
        case s.Empty(zone=z):
            zone(work, z)
            return work.note(e, TRUTH)
        case s.CountOf(card=card, zone=z):
            found = zone(work, z, _CARD_ZONES | {"slot"})
            kind = kind_test(work, card)
            if kind is None:
                kind = value(work, card)
            if found is not None:
                work.need(card, work.held(found), kind)
            return work.note(e, NUMBER)
        case s.Quantified():
            return _quantified(work, e)
    raise AssertionError(e)


def _name(work: Work, e: s.Name) -> Type:
    local = work.look_up(e.text)
    if local is not None:
        return work.note(e, local.type, Ref("local", local=local))
    if e.text in ("players", "time"):
        return work.note(e, NUMBER, Ref(e.text))
    declared = work.names.get(e.text)
    if declared is None:
        work.unknown(e, e.text)
        return work.note(e, UNKNOWN)
    work.used.add(e.text)
    match declared.kind:
        case "value":
            work.used.add(declared.type.name)
            return work.note(e, declared.type, Ref("value", e.text, declared.number))
        case "option":
            return work.note(e, work.model.options[e.text][0], Ref("option", e.text))
        case "remember" | "zone" | "score":
            return _belonging(work, e, e.text, declared, ())
        case "facekind":
            got = constant_face(work, e, declared.type)
            return work.note(e, *((got[0], Ref("value", e.text, got[1])) if got else (UNKNOWN, None)))
        case "track":
            return work.note(e, Type("track", e.text), Ref("track", e.text))
        case "define" | "rule":
            label = Label(declared.node.span, "declared")
            end = Span(e.span.source, e.span.end_line, e.span.end_column, e.span.end_line, e.span.end_column + 1)
            work.report("R0107", end, (label,), expected=("(",))
            return work.note(e, UNKNOWN)
    work.report("R0203", e, name=e.text, found=declared.kind, expected=("value",))
    return work.note(e, UNKNOWN)


def _belonging(work: Work, e: s.Expression, name: str, declared: Global, indices: tuple[s.Expression, ...]) -> Type:
    """A zone, remembered value or score, with its indices; tokens may have one more, their kind, a layout the area."""
    wanted = indices_of(work, name)
    article = work.model.articles[declared.kind, name]
    counted = isinstance(article, s.Zone) and article.kind in ("tokens", "layout") and len(indices) == len(wanted) + 1
    for i, index in enumerate(indices):
        expected = wanted[i] if i < len(wanted) else None
        if counted and i == len(wanted):
            assert isinstance(article, s.Zone)
            expected = area_type(article) if article.board else work.held(article)
        value(work, index, expected)
    if len(indices) != len(wanted) and not counted:
        label = Label(declared.node.span, "declared")
        work.report("R0302", e, (label,), name=name, found=len(indices), expected=len(wanted))
        return work.note(e, UNKNOWN)
    if isinstance(article, s.Zone):
        if counted and article.board:
            return work.note(e, work.held(article), Ref("laid", name))
        if counted:
            return work.note(e, NUMBER, Ref("tokens", name))
        return work.note(e, Type("zone", name), Ref("zone", name))
    if isinstance(article, s.Remember):
        return work.note(e, work.type_of(article.type), Ref("remember", name))
    return work.note(e, NUMBER, Ref("score", name))


def _of(work: Work, e: s.Of, name: str, owner: s.Expression) -> Type:
    declared = work.names.get(name)
    if declared is not None and declared.kind in ("zone", "remember", "score"):
        work.used.add(name)
        return _belonging(work, e, name, declared, (owner,))
    if declared is not None and declared.kind == "table":
        work.used.add(name)
        return _table(work, e, name, (owner,))
    if name in _PROPERTIES:
        return _property(work, e, name, owner)
    kind = value(work, owner)
    if kind.kind == "cards":
        attribute = work.model.cards[kind.name].attributes.get(name)
        if attribute is not None:
            return work.note(e, attribute[0], Ref("attribute", name))
        work.unknown(e, name, list(work.model.cards[kind.name].attributes))
    elif kind != UNKNOWN:
        work.unknown(e, name)
    return work.note(e, UNKNOWN)


def _property(work: Work, e: s.Of, name: str, owner: s.Expression) -> Type:
    ref = Ref(name)
    match name:
        case "left" | "right":
            value(work, owner, PLAYER)
            return work.note(e, PLAYER, ref)
        case "holder":
            value(work, owner, FIGURE)
            return work.note(e, PLAYER, ref)
        case "place":
            if value(work, owner).kind == "cards":
                return laid_place(work, e, owner)
            work.need(owner, FIGURE, work.model.types[owner])
            figure = work.model.articles.get(("figure", owner.text)) if isinstance(owner, s.Name) else None
            if isinstance(figure, s.Figure) and figure.board is not None:
                return work.note(e, Type("board", figure.board.text), ref)
            work.report("R0203", owner, name=shown(owner), found="figure", expected=("figure on a board",))
            return work.note(e, UNKNOWN)
        case "top" | "bottom":
            found = zone(work, owner, frozenset({"pile"}))
            return work.note(e, work.held(found) if found else UNKNOWN, ref)
        case "size":
            zone(work, owner)
            return work.note(e, NUMBER, ref)
        case "position":
            kind = value(work, owner)
            if kind.kind not in ("enum", "board", "cards", "player", "unknown"):
                work.report("R0301", owner, found=str(kind), expected="enum")
            return work.note(e, NUMBER, ref)
        case "row" | "column":
            on_lattice(work, owner, value(work, owner))
            return work.note(e, NUMBER, ref)
    kind = expression(work, owner)
    if kind.kind != "track":
        if kind != UNKNOWN:
            work.report("R0203", owner, name=shown(owner), found=str(kind), expected=("track",))
        return work.note(e, UNKNOWN)
    if name == "phase":
        stretches = work.model.tracks[kind.name]
        enum = work.names[stretches[0][0]].type if stretches else UNKNOWN
        return work.note(e, enum, ref)
    return work.note(e, NUMBER, ref)


def _table(work: Work, e: s.Expression, name: str, indices: tuple[s.Expression, ...]) -> Type:
    table = work.model.tables.get(name)
    if table is None:
        for index in indices:
            value(work, index)
        return work.note(e, UNKNOWN)
    for i, index in enumerate(indices):
        value(work, index, table.keys[i] if i < len(table.keys) else None)
    if len(indices) != len(table.keys):
        label = Label(work.names[name].node.span, "declared")
        work.report("R0302", e, (label,), name=name, found=len(indices), expected=len(table.keys))
    return work.note(e, table.value, Ref("table", name))


def _indexed(work: Work, e: s.Indexed, name: str, indices: tuple[s.Expression, ...]) -> Type:
    declared = work.names.get(name)
    if declared is None:
        known = [n for n, g in work.names.items() if g.kind in ("zone", "remember", "score", "table")]
        work.report("R0201", e, suggestion=did_you_mean(name, known), name=name)
    elif declared.kind in ("zone", "remember", "score"):
        work.used.add(name)
        return _belonging(work, e, name, declared, indices)
    elif declared.kind == "table":
        work.used.add(name)
        return _table(work, e, name, indices)
    else:
        work.report("R0203", e, name=name, found=declared.kind, expected=("table", "zone"))
    for index in indices:
        value(work, index)
    return work.note(e, UNKNOWN)


def _called(work: Work, e: s.Called) -> Type:
    if e.name in ("least", "greatest", "player"):
        for argument in e.arguments:
            value(work, argument, NUMBER)
        expected = 1 if e.name == "player" else max(2, len(e.arguments))
        if len(e.arguments) != expected:
            work.report("R0302", e, name=e.name, found=len(e.arguments), expected=expected)
        return work.note(e, PLAYER if e.name == "player" else NUMBER, Ref(e.name))
    if e.name in ("side", "facing") and len(e.arguments) == 2:
        value(work, e.arguments[1], NUMBER)
        return laid_sides(work, e, value(work, e.arguments[0]))
    if e.name in ("step", "spot", "side", "facing"):
        return _on_board(work, e)
    declared = work.names.get(e.name)
    if declared is None:
        known = [n for n, g in work.names.items() if g.kind in ("define", "rule", "facekind")]
        suggestion = SAID_OTHERWISE.get(e.name) or did_you_mean(e.name, known)
        work.report("R0201", e, suggestion=suggestion, name=e.name)
    elif declared.kind == "facekind":
        return _face_with_arguments(work, e, declared)
    elif declared.kind in ("define", "rule"):
        return call(work, e, declared)
    else:
        work.report("R0203", e, name=e.name, found=declared.kind, expected=("define", "rule"))
    for argument in e.arguments:
        value(work, argument)
    return work.note(e, UNKNOWN)


def _on_board(work: Work, e: s.Called) -> Type:
    """`step(area, direction)` or several steps, and `spot(board, column, row)`: an area, or none beyond the edge."""
    wanted = 3 if e.name == "spot" else 2
    if len(e.arguments) != wanted and not (e.name == "step" and len(e.arguments) == 3):
        work.report("R0302", e, name=e.name, found=len(e.arguments), expected=wanted)
        return work.note(e, UNKNOWN)
    first, *numbers = e.arguments
    kind = value(work, first) if e.name == "step" else type_named(work, first)
    for number in numbers:
        value(work, number, NUMBER)
    return work.note(e, kind if on_lattice(work, first, kind) else UNKNOWN, Ref(e.name))


def _face_with_arguments(work: Work, e: s.Called, declared: Global) -> Type:
    sort = work.model.cards[declared.type.name]
    work.used.add(sort.name)
    article = work.model.articles["cards", sort.name]
    assert isinstance(article, s.Cards)
    face = next(f for f in article.faces if f.name.text == e.name)
    if len(face.parameters) != len(e.arguments):
        label = Label(face.span, "declared")
        work.report("R0302", e, (label,), name=e.name, found=len(e.arguments), expected=len(face.parameters))
    for parameter, argument in zip(face.parameters, e.arguments, strict=False):
        value(work, argument, work.type_of(parameter.type))
    return work.note(e, declared.type, Ref("face", e.name))


def call(work: Work, e: s.Called, declared: Global) -> Type:
    """A call of a definition or a rule; the type is what it gives, `nothing` for a rule that gives nothing."""
    work.used.add(e.name)
    article = work.model.articles[declared.kind, e.name]
    assert isinstance(article, s.Rule | s.Define)
    if work.article is not None:
        work.calls.setdefault(work.article, []).append((article, e.span))
    if len(article.parameters) != len(e.arguments):
        label = Label(article.name.span, "declared")
        work.report("R0302", e, (label,), name=e.name, found=len(e.arguments), expected=len(article.parameters))
    for i, argument in enumerate(e.arguments):
        wanted = work.type_of(article.parameters[i].type) if i < len(article.parameters) else None
        value(work, argument, wanted)
    if isinstance(article, s.Rule):
        kind = work.type_of(article.gives) if article.gives is not None else NOTHING
        return work.note(e, kind, Ref("rule", e.name))
    return work.note(e, define(work, article), Ref("define", e.name))


def define(work: Work, article: s.Define) -> Type:
    """The type of a definition's value; checks it at the first call."""
    model = work.model
    if article.value in model.types:
        return model.types[article.value]
    if article in work.checking or len(work.checking) > MAX_CALLS:
        return UNKNOWN  # a ring, or a chain that is too long: reported from the calls
    around, scopes = work.article, work.scopes
    work.article, work.scopes = article, [{}]
    work.checking.append(article)
    model.parameters[article] = tuple(work.bind(p.name, work.type_of(p.type)) for p in article.parameters)
    kind = value(work, article.value)
    work.checking.pop()
    work.article, work.scopes = around, scopes
    return kind


def _compare(work: Work, e: s.Compare) -> Type:
    left = value(work, e.left)
    right = kind_test(work, e.right) if e.operator in ("=", "!=") else None
    if right is None:
        right = value(work, e.right)
    if e.operator in ("=", "!="):
        if not (work.fits(left, right) or work.fits(right, left)):
            work.report("R0304", e, left=str(left), right=str(right))
    elif left.kind != "enum" or left != right:
        work.need(e.left, NUMBER, left)
        work.need(e.right, NUMBER, right)
    return work.note(e, TRUTH)


def domain(work: Work, d: s.Domain) -> Type:
    """The type of what a domain runs over; the name is bound, and `where` and `with` checked, by the caller."""
    if d.kind == "span":
        assert d.first is not None
        value(work, d.base, NUMBER)
        value(work, d.first, NUMBER)
        return NUMBER
    if d.kind == "through":
        return line_type(work, d, value(work, d.base))
    kind = _values_of(work, d.base) if d.kind == "all" else type_named(work, d.base)
    if d.kind == "lines":
        return line_type(work, d, kind)
    if d.kind == "along":
        assert d.first is not None
        assert d.second is not None
        value(work, d.first, NUMBER)
        value(work, d.second, kind)
        return kind if on_lattice(work, d.base, kind) else UNKNOWN
    for operand in (d.first, d.second):
        if operand is None:
            continue
        counts = d.kind == "within" and operand is d.first
        value(work, operand, NUMBER if counts else kind)
        if counts and not isinstance(operand, s.Number):
            work.report("R0203", operand, name=shown(operand), found="expression", expected=("number",))
    if d.kind in ("touching", "within", "reached") and kind.kind not in ("board", "unknown"):
        work.report("R0301", d.base, found=str(kind), expected="board")
        return UNKNOWN
    if d.kind in ("from", "after") and kind not in (PLAYER, UNKNOWN):
        work.report("R0301", d.base, found=str(kind), expected="player")
        return UNKNOWN
    return kind


def _values_of(work: Work, e: s.Expression) -> Type:
    """The domain of a type's name or of what lies in a zone."""
    if isinstance(e, s.Name):
        declared = work.names.get(e.text)
        kind = declared.kind if declared is not None else ""
        local = work.look_up(e.text) is not None
        if not local and (e.text == "player" or kind in ("enum", "board", "cards") or not kind):
            return type_named(work, e)
    if isinstance(e, s.Of) and e.name == "direction":
        on_lattice(work, e.owner, type_named(work, e.owner))
        return work.note(e, NUMBER, Ref("direction"))
    if isinstance(e, s.Indexed | s.Of) and e.name in work.model.coverings:
        return coverings_type(work, e, lambda index: value(work, index))
    kind_of_zone = expression(work, e)
    if kind_of_zone.kind in ("unknown", "line"):
        return UNKNOWN if kind_of_zone == UNKNOWN else Type("board", line_board(kind_of_zone))
    found = zone_of(work, kind_of_zone) if kind_of_zone.kind == "zone" else None
    if found is None:
        work.report("R0203", e, name=shown(e), found=str(kind_of_zone), expected=("enum", "board", "zone"))
        return UNKNOWN
    return work.held(found)


def bind_domain(work: Work, variable: s.Word, d: s.Domain) -> Local:
    """Check a domain and bind its name in the innermost scope."""
    kind = domain(work, d)
    local = work.bind(variable, kind)
    if d.through is not None:
        value(work, d.through, TRUTH)
    if d.where is not None:
        value(work, d.where, TRUTH)
    if d.measure is not None:
        value(work, d.measure, NUMBER)
    return local


def _quantified(work: Work, e: s.Quantified) -> Type:
    work.scopes.append({})
    local = bind_domain(work, e.variable, e.domain)
    wanted = TRUTH if e.kind == "every" else NUMBER
    if e.value is not None:
        value(work, e.value, wanted)
    work.scopes.pop()
    match e.kind:
        case "some" | "none" | "every":
            return work.note(e, TRUTH)
        case "first" | "random":
            return work.note(e, local.type)
        case "tally":
            work.need(e.domain.base, PLAYER, local.type)
            return work.note(e, TALLY)
    return work.note(e, NUMBER)
