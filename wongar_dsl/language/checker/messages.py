"""Checks of messages: arguments that statements supply, arguments written, and the consistency of both.

Names of amounts and places that a statement supplies (`n`, `to`, the name of a board) must have that meaning in its
message. A message may use the names of players and objects for something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.diagnostics import Label
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import ArgumentSource, CheckContext, SuppliedArgument, UseSite
from wongar_dsl.language.checker.direction_inference import lattice_of
from wongar_dsl.language.checker.expressions import check_value
from wongar_dsl.language.checker.layouts import area_type
from wongar_dsl.language.checker.references import each_type, source_text
from wongar_dsl.language.semantics import (
    FIGURE,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Local,
    Message,
    MessageArgument,
    MessageUse,
    Type,
)

#: Arguments that are neither amounts nor places: a message may use these names for something else.
_FREE = frozenset({"player", "card", "token", "figure", "origin"})

# ---- arguments that statements supply ------------------------------------------------------------------------------


def statement_bindings(context: CheckContext, node: s.Statement) -> dict[str, SuppliedArgument]:
    """Return the arguments that a statement supplies, by the names that a message may use."""
    match node:
        case s.Move(what=what) if context.model.types.get(what) == FIGURE:
            area = context.model.types.get(node.target, UNKNOWN)
            location = _supply(area, "to", node.target)
            return {
                "figure": _supply(FIGURE, "figure", what),
                "to": location,
                **({area.name: location} if area.name else {}),
            }
        case s.Move(what=what, target=target):
            if isinstance(target, s.Of) and context.model.refs.get(target) is None:
                target = target.owner
            arguments = {"card": _supply(_content(context, target), "card", what)}
            return _moved(context, arguments, _origin(context, node), target)
        case s.Lay(what=what, target=target, area=area, turned=turned):
            zone = _zone(context, target)
            kind = area_type(zone) if zone is not None else UNKNOWN
            arguments = {"card": _supply(_content(context, target), "card", what), "area": _supply(kind, "area", area)}
            arguments["turned"] = _supply(NUMBER, "turned", turned)
            if kind.name:
                arguments[kind.name] = arguments["area"]
            return _moved(context, arguments, _origin(context, node), target)
        case s.MoveTokens(count=count, kind=token, origin=origin, target=target):
            arguments = {"n": _supply(NUMBER, "n", count), "token": _supply(_content(context, origin), "token", token)}
            return _moved(context, arguments, origin, target)
        case s.MoveAll(origin=origin, target=target):
            all_of = s.Of(origin.span, "size", origin)
            return _moved(context, {"n": _supply(NUMBER, "n", all_of)}, origin, target)
        case s.Shuffle(zone=zone):
            return _merged(context, {}, _end(context, "pile", zone))
        case s.Take(taker=taker, figure=figure):
            named = s.Name(figure.span, figure.text)
            return {"figure": _supply(FIGURE, "figure", named), "player": _supply(PLAYER, "player", taker)}
        case s.Gain(player=player, amount=amount, origin=origin):
            arguments = {"player": _supply(PLAYER, "player", player)}
            arguments["n"] = _supply(NUMBER, "lost" if node.loses else "n", amount)
            if origin is not None:
                arguments["origin"] = _supply(context.model.types.get(origin, UNKNOWN), "origin", origin)
            return arguments
        case s.Advance(track=track, amount=amount):
            arguments = {
                "track": SuppliedArgument(Type("place", track.text), "track"),
                "space": SuppliedArgument(NUMBER, "space"),
            }
            return arguments | {"n": _supply(NUMBER, "steps", amount)}
    return {}


def _supply(value_type: Type, field: str, value: s.Expression) -> SuppliedArgument:
    return SuppliedArgument(value_type, field, None, (ArgumentSource(value, field),))


def _zone(context: CheckContext, e: s.Expression | None) -> s.Zone | None:
    ref = context.model.refs.get(e) if e is not None else None
    named = ref is not None and ref.kind in ("zone", "slot")
    return context.model.article(s.Zone, ref.name) if ref is not None and named else None


def _content(context: CheckContext, e: s.Expression) -> Type:
    zone = _zone(context, e)
    return context.zone_content(zone) if zone is not None else UNKNOWN


def _origin(context: CheckContext, node: s.Move | s.Lay) -> s.Expression:
    """Return the zone that a card comes from."""
    if node.origin is not None:
        return node.origin
    return node.what.owner if _zone(context, node.what) is None and isinstance(node.what, s.Of) else node.what


def _moved(
    context: CheckContext, own: dict[str, SuppliedArgument], origin: s.Expression, target: s.Expression
) -> dict[str, SuppliedArgument]:
    return _merged(context, own, (*_end(context, "from", origin), *_end(context, "to", target)))


def _end(context: CheckContext, field: str, e: s.Expression) -> tuple[tuple[str, SuppliedArgument], ...]:
    """Return the arguments for a zone of a statement: the zone, and its indices under the names of their types."""
    zone = _zone(context, e)
    if zone is None:
        return ()
    nodes = s.index_nodes(e)
    parts = [ArgumentSource(node, field, number) for number, node in enumerate(nodes)]
    pairs = [(field, SuppliedArgument(Type("place", zone.name.text), field, None, tuple(parts)))]
    for word, index in zip(zone.each, parts, strict=False):
        pairs.append((word.text, SuppliedArgument(each_type(context, word), field, index.part, (index,))))
    return tuple(pairs)


def _merged(
    context: CheckContext, own: dict[str, SuppliedArgument], ends: Sequence[tuple[str, SuppliedArgument]]
) -> dict[str, SuppliedArgument]:
    """Combine a statement's own arguments with those of its zones; mark names with two meanings as not sure."""
    result = dict(own)
    for name, supplied in ends:
        before = result.get(name)
        if before is None:
            result[name] = supplied
        elif name not in own:
            unique = before.unique and _same(context, before.sources[0].value, supplied.sources[0].value, {})
            result[name] = before._replace(sources=before.sources + supplied.sources, unique=unique)
    return result


# ---- written arguments ---------------------------------------------------------------------------------------------


def check_message(context: CheckContext, node: s.Statement, message: s.MessageRef | None) -> None:
    """Check the arguments of a statement's message and record its use for `check_messages`."""
    if message is None or message.name is None:
        return
    supplied = statement_bindings(context, node)
    types: dict[str, Type] = {}
    for argument in message.arguments:
        if _is_known(context, argument, supplied):
            types[argument.name] = context.record_type(argument.value, supplied[argument.name].type)
            continue
        if _would_be_known(context, argument, node):
            types[argument.name] = context.record_type(argument.value, UNKNOWN)
            continue
        written_value = argument.value
        if (
            isinstance(written_value, s.Compare)
            and written_value.operator == "="
            and isinstance(written_value.left, s.Name)
            and not argument.name
        ):
            suggestion = f"{written_value.left.text}: {source_text(written_value.right)}"
            context.report("R0107", argument, suggestion=suggestion, expected=(":",))
            continue
        types[argument.name] = check_value(context, argument.value)
        if not argument.name:
            context.report("R0107", argument, expected=("name",))
    context.sites.append(UseSite(message, supplied, types))


def _is_known(context: CheckContext, argument: s.Argument, known: dict[str, SuppliedArgument]) -> bool:
    """Return whether an argument is a bare name of something that the statement supplies."""
    return _is_bare(context, argument) and argument.name in known and known[argument.name].unique


def _is_bare(context: CheckContext, argument: s.Argument) -> bool:
    bare = isinstance(argument.value, s.Name) and argument.value.text == argument.name
    return bare and context.look_up(argument.name) is None


def _would_be_known(context: CheckContext, argument: s.Argument, node: s.Statement) -> bool:
    """Return whether an argument may be supplied by the statement, but for a mistake in it already reported."""
    changed = (getattr(node, name) for name in node.changes)
    return _is_bare(context, argument) and any(context.model.types.get(thing) == UNKNOWN for thing in changed)


def check_messages(context: CheckContext) -> None:
    """Compare written arguments with those supplied, and all uses of a message with each other."""
    sites: dict[str, list[UseSite]] = {}
    for site in context.sites:
        for argument in site.message.arguments:
            if site.types.get(argument.name) == NUMBER and (lattice := lattice_of(context, argument.value)):
                site.types[argument.name] = Type("direction", lattice)
            supplied = site.supplied.get(argument.name)
            if supplied is None or argument.name in _FREE or _is_wrong(context, supplied):
                continue
            if _supplied_source(context, argument, supplied) is None:
                labels = tuple(Label(origin.value.span, "statement") for origin in supplied.sources[:1])
                written_text = source_text(argument.value)
                context.report("R0424", argument, labels, name=argument.name, found=written_text)
        sites.setdefault(site.message.name or "", []).append(site)
    for name, places in sites.items():
        _build_message(context, name, places)


def _is_wrong(context: CheckContext, supplied: SuppliedArgument) -> bool:
    """Return whether a statement supplies nothing reliable, because of a mistake in it that is already reported."""
    types = [context.model.types.get(source.value, supplied.type) for source in supplied.sources]
    return UNKNOWN in (supplied.type, *types) or (
        supplied.type.kind != "place" and not all(context.is_assignable(supplied.type, kind) for kind in types)
    )


def _supplied_source(context: CheckContext, argument: s.Argument, known: SuppliedArgument) -> ArgumentSource | None:
    """Return the source in the statement that a written argument equals, None if there is none."""
    if isinstance(argument.value, s.Name) and argument.value not in context.model.refs:
        return ArgumentSource(argument.value, known.field, known.part)
    return next((origin for origin in known.sources if _same(context, origin.value, argument.value, {})), None)


def _build_message(context: CheckContext, name: str, sites: Sequence[UseSite]) -> None:
    """Build a message, checking that all its uses have the same arguments, written or supplied."""
    written: dict[str, Type] = {}
    common = dict(_available_types(sites[0]))
    for site in sites:
        available = _available_types(site)
        wrong = [n for n in written if n not in available] + [n for n in site.types if n not in common]
        if wrong or not all(_compatible(context, kind, available[n]) for n, kind in (written | site.types).items()):
            context.report("R0418", site.message, name=name)
            continue
        written = {**written, **{n: kind for n, kind in site.types.items() if n not in written}}
        common = {n: kind for n, kind in common.items() if n in available and _compatible(context, kind, available[n])}
    offered = tuple((n, kind) for n, kind in common.items() if n not in written)
    context.model.messages[name] = Message(name, tuple(sorted(written.items())), offered)
    for site in sites:
        context.model.message_uses[site.message] = _use_of(context, site, written, dict(offered))


def _compatible(context: CheckContext, one: Type, other: Type) -> bool:
    if one.kind == other.kind == "place" or {one.kind, other.kind} == {"number", "direction"}:
        return True
    return context.is_assignable(one, other) or context.is_assignable(other, one)


def _available_types(site: UseSite) -> dict[str, Type]:
    """Return the types of all arguments available at a use: those written, then those supplied."""
    return {**site.types, **{n: k.type for n, k in site.supplied.items() if k.unique and n not in site.types}}


def _use_of(context: CheckContext, site: UseSite, written: dict[str, Type], offered: dict[str, Type]) -> MessageUse:
    arguments = {a.name: a for a in site.message.arguments}

    def message_argument(name: str, value_type: Type) -> MessageArgument:
        supplied = site.supplied.get(name)
        if name not in arguments:
            assert supplied is not None
            return MessageArgument(name, supplied.type, None, supplied.field, supplied.part)
        origin = _supplied_source(context, arguments[name], supplied) if supplied is not None else None
        if origin is None:
            return MessageArgument(name, site.types[name], arguments[name].value)
        return MessageArgument(name, site.types[name], None, origin.field, origin.part)

    own_order = {n: site.types[n] for n in site.types}
    listed = {**own_order, **{n: kind for n, kind in written.items() if n not in own_order}}
    available = site.supplied.keys() | arguments.keys()
    return MessageUse(
        tuple(message_argument(n, kind) for n, kind in listed.items() if n in available),
        tuple(message_argument(n, kind) for n, kind in offered.items() if n in available),
    )


# ---- equality ------------------------------------------------------------------------------------------------------


def _same(context: CheckContext, one: object, other: object, bound: dict[Local, Local]) -> bool:
    """Return whether two expressions are equal up to bound names and the values of `let` names."""
    model = context.model
    if isinstance(one, s.Expression) and isinstance(other, s.Expression):
        one, other = _inline_let(context, one), _inline_let(context, other)
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(_same(context, a, b, bound) for a, b in zip(one, other, strict=True))
    if isinstance(one, s.Word) and isinstance(other, s.Word) and one in model.locals and other in model.locals:
        bound[model.locals[one]] = model.locals[other]
        return True
    if isinstance(one, s.Name) and isinstance(other, s.Name):
        first, second = _local(context, one), _local(context, other)
        if first is not None or second is not None:
            return first is not None and bound.get(first, first) is second
    if isinstance(one, s.Node):
        return all(_same(context, getattr(one, n), getattr(other, n), bound) for n in s.field_names(type(one)))
    return one == other


def _local(context: CheckContext, e: s.Name) -> Local | None:
    ref = context.model.refs.get(e)
    return ref.local if ref is not None else None


def _inline_let(context: CheckContext, e: s.Expression) -> s.Expression:
    """Replace the name of a `let` that is never reassigned by its value."""
    while isinstance(e, s.Name):
        local = _local(context, e)
        if local is None or local not in context.lets or local in context.assigned:
            break
        e = context.lets[local]
    return e
