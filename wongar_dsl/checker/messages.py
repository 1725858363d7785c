"""Messages: what a statement knows by itself for its sentence, what is written besides, and that the two agree.

The amounts and places that a statement knows under a name (`n`, `to`, the name of a board), its message says under this
name and no others.  Who acts and what it is about can be told otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Context, Known, Site, Way
from wongar_dsl.checker.directions import lattice_of
from wongar_dsl.checker.expressions import value
from wongar_dsl.checker.layouts import area_type
from wongar_dsl.checker.references import each_type, source_text
from wongar_dsl.model import FIGURE, NUMBER, PLAYER, UNKNOWN, Local, Message, Spoken, Told, Type
from wongar_dsl.text.diagnostics import Label

#: What is neither an amount nor a place: a message may give these names to something else.
_FREE = frozenset({"player", "card", "token", "figure", "origin"})

# ---- what statements know ------------------------------------------------------------------------------------------


def known_to(context: Context, node: s.Statement) -> dict[str, Known]:
    """What a statement knows by itself, under the names that a message may use."""
    match node:
        case s.Move(what=what) if context.model.types.get(what) == FIGURE:
            area = context.model.types.get(node.target, UNKNOWN)
            at = _said(area, "to", node.target)
            return {"figure": _said(FIGURE, "figure", what), "to": at, **({area.name: at} if area.name else {})}
        case s.Move(what=what, target=target):
            if isinstance(target, s.Of) and context.model.refs.get(target) is None:
                target = target.owner
            own = {"card": _said(_held(context, target), "card", what)}
            return _moved(context, own, _origin(context, node), target)
        case s.Lay(what=what, target=target, area=area, turned=turned):
            zone = _zone(context, target)
            kind = area_type(zone) if zone is not None else UNKNOWN
            own = {"card": _said(_held(context, target), "card", what), "area": _said(kind, "area", area)}
            own["turned"] = _said(NUMBER, "turned", turned)
            if kind.name:
                own[kind.name] = own["area"]
            return _moved(context, own, _origin(context, node), target)
        case s.MoveTokens(count=count, kind=token, origin=origin, target=target):
            own = {"n": _said(NUMBER, "n", count), "token": _said(_held(context, origin), "token", token)}
            return _moved(context, own, origin, target)
        case s.MoveAll(origin=origin, target=target):
            all_of = s.Of(origin.span, "size", origin)
            return _moved(context, {"n": _said(NUMBER, "n", all_of)}, origin, target)
        case s.Shuffle(zone=zone):
            return _merged(context, {}, _end(context, "pile", zone))
        case s.Take(taker=taker, figure=figure):
            named = s.Name(figure.span, figure.text)
            return {"figure": _said(FIGURE, "figure", named), "player": _said(PLAYER, "player", taker)}
        case s.Gain(player=player, amount=amount, origin=origin):
            own = {"player": _said(PLAYER, "player", player)}
            own["n"] = _said(NUMBER, "lost" if node.loses else "n", amount)
            if origin is not None:
                own["origin"] = _said(context.model.types.get(origin, UNKNOWN), "origin", origin)
            return own
        case s.Advance(track=track, amount=amount):
            own = {"track": Known(Type("place", track.text), "track"), "space": Known(NUMBER, "space")}
            return own | {"n": _said(NUMBER, "steps", amount)}
    return {}


def _said(kind: Type, field: str, said: s.Expression) -> Known:
    return Known(kind, field, None, (Way(said, field),))


def _zone(context: Context, e: s.Expression | None) -> s.Zone | None:
    ref = context.model.refs.get(e) if e is not None else None
    named = ref is not None and ref.kind in ("zone", "slot")
    return context.model.article(s.Zone, ref.name) if ref is not None and named else None


def _held(context: Context, e: s.Expression) -> Type:
    zone = _zone(context, e)
    return context.held(zone) if zone is not None else UNKNOWN


def _origin(context: Context, node: s.Move | s.Lay) -> s.Expression:
    """The zone that a card comes from."""
    if node.origin is not None:
        return node.origin
    return node.what.owner if _zone(context, node.what) is None and isinstance(node.what, s.Of) else node.what


def _moved(context: Context, own: dict[str, Known], origin: s.Expression, target: s.Expression) -> dict[str, Known]:
    return _merged(context, own, (*_end(context, "from", origin), *_end(context, "to", target)))


def _end(context: Context, field: str, e: s.Expression) -> tuple[tuple[str, Known], ...]:
    """A zone that a statement names, and what tells it apart, by the name of the type: its player, its area."""
    zone = _zone(context, e)
    if zone is None:
        return ()
    nodes = s.index_nodes(e)
    parts = [Way(node, field, number) for number, node in enumerate(nodes)]
    found = [(field, Known(Type("place", zone.name.text), field, None, tuple(parts)))]
    for word, way in zip(zone.each, parts, strict=False):
        found.append((word.text, Known(each_type(context, word), field, way.part, (way,))))
    return tuple(found)


def _merged(context: Context, own: dict[str, Known], ends: Sequence[tuple[str, Known]]) -> dict[str, Known]:
    """What a statement knows of itself, and then of its zones, as far as both mean the same by a name."""
    found = dict(own)
    for name, known in ends:
        before = found.get(name)
        if before is None:
            found[name] = known
        elif name not in own:
            sure = before.sure and _same(context, before.ways[0].said, known.ways[0].said, {})
            found[name] = before._replace(ways=before.ways + known.ways, sure=sure)
    return found


# ---- what is written -----------------------------------------------------------------------------------------------


def told(context: Context, node: s.Statement, message: s.MessageRef | None) -> None:
    """Check the message of a statement; whether it agrees is seen when all is known."""
    if message is None or message.name is None:
        return
    known = known_to(context, node)
    types: dict[str, Type] = {}
    for argument in message.arguments:
        if _is_known(context, argument, known):
            types[argument.name] = context.record_type(argument.value, known[argument.name].type)
            continue
        if _would_be_known(context, argument, node):
            types[argument.name] = context.record_type(argument.value, UNKNOWN)
            continue
        given = argument.value
        if (
            isinstance(given, s.Compare)
            and given.operator == "="
            and isinstance(given.left, s.Name)
            and not argument.name
        ):
            said = f"{given.left.text}: {source_text(given.right)}"
            context.report("R0107", argument, suggestion=said, expected=(":",))
            continue
        types[argument.name] = value(context, argument.value)
        if not argument.name:
            context.report("R0107", argument, expected=("name",))
    context.sites.append(Site(message, known, types))


def _is_known(context: Context, argument: s.Argument, known: dict[str, Known]) -> bool:
    """Whether an argument is a bare name for what the statement knows under it."""
    return _is_bare(context, argument) and argument.name in known and known[argument.name].sure


def _is_bare(context: Context, argument: s.Argument) -> bool:
    bare = isinstance(argument.value, s.Name) and argument.value.text == argument.name
    return bare and context.look_up(argument.name) is None


def _would_be_known(context: Context, argument: s.Argument, node: s.Statement) -> bool:
    """Whether an argument may name what the statement knows, but for a mistake in it that has been told."""
    changed = (getattr(node, name) for name in node.changes)
    return _is_bare(context, argument) and any(context.model.types.get(thing) == UNKNOWN for thing in changed)


def check_messages(context: Context) -> None:
    """Compare what is written with what statements know, and the messages of a name with each other."""
    sites: dict[str, list[Site]] = {}
    for site in context.sites:
        for argument in site.told.arguments:
            if site.types.get(argument.name) == NUMBER and (lattice := lattice_of(context, argument.value)):
                site.types[argument.name] = Type("direction", lattice)
            known = site.known.get(argument.name)
            # What a wrong statement would know is not known.
            if known is None or argument.name in _FREE or known.type == UNKNOWN:
                continue
            if _own(context, argument, known) is None:
                labels = tuple(Label(way.said.span, "statement") for way in known.ways[:1])
                found = source_text(argument.value)
                context.report("R0424", argument, labels, name=argument.name, found=found)
        sites.setdefault(site.told.name or "", []).append(site)
    for name, places in sites.items():
        _message(context, name, places)


def _own(context: Context, argument: s.Argument, known: Known) -> Way | None:
    """Where the event has what an argument says, if that is what the statement knows."""
    if isinstance(argument.value, s.Name) and argument.value not in context.model.refs:
        return Way(argument.value, known.field, known.part)
    return next((way for way in known.ways if _same(context, way.said, argument.value, {})), None)


def _message(context: Context, name: str, sites: Sequence[Site]) -> None:
    """The message of a name: everywhere with the same arguments, written or known."""
    written: dict[str, Type] = {}
    common = dict(_said_at(sites[0]))
    for site in sites:
        there = _said_at(site)
        wrong = [n for n in written if n not in there] + [n for n in site.types if n not in common]
        if wrong or not all(_agree(context, kind, there[n]) for n, kind in (written | site.types).items()):
            context.report("R0418", site.told, name=name)
            continue
        written = {**written, **{n: kind for n, kind in site.types.items() if n not in written}}
        common = {n: kind for n, kind in common.items() if n in there and _agree(context, kind, there[n])}
    offered = tuple((n, kind) for n, kind in common.items() if n not in written)
    context.model.messages[name] = Message(name, tuple(sorted(written.items())), offered)
    for site in sites:
        context.model.told[site.told] = _told_at(context, site, written, dict(offered))


def _agree(context: Context, one: Type, other: Type) -> bool:
    if one.kind == other.kind == "place" or {one.kind, other.kind} == {"number", "direction"}:
        return True
    return context.fits(one, other) or context.fits(other, one)


def _said_at(site: Site) -> dict[str, Type]:
    """All that a sentence can say at a place: what is written, then what is known."""
    return {**site.types, **{n: k.type for n, k in site.known.items() if k.sure and n not in site.types}}


def _told_at(context: Context, site: Site, written: dict[str, Type], offered: dict[str, Type]) -> Told:
    arguments = {a.name: a for a in site.told.arguments}

    def spoken(name: str, kind: Type) -> Spoken:
        known = site.known.get(name)
        if name not in arguments:
            assert known is not None
            return Spoken(name, known.type, None, known.field, known.part)
        own = _own(context, arguments[name], known) if known is not None else None
        if own is None:
            return Spoken(name, site.types[name], arguments[name].value)
        return Spoken(name, site.types[name], None, own.field, own.part)

    own_order = {n: site.types[n] for n in site.types}
    listed = {**own_order, **{n: kind for n, kind in written.items() if n not in own_order}}
    there = site.known.keys() | arguments.keys()
    return Told(
        tuple(spoken(n, kind) for n, kind in listed.items() if n in there),
        tuple(spoken(n, kind) for n, kind in offered.items() if n in there),
    )


# ---- sameness ------------------------------------------------------------------------------------------------------


def _same(context: Context, one: object, other: object, bound: dict[Local, Local]) -> bool:
    """Whether two expressions are written alike, or one is the value of a `let` that the other spells out."""
    model = context.model
    if isinstance(one, s.Expression) and isinstance(other, s.Expression):
        one, other = _spelt_out(context, one), _spelt_out(context, other)
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
        return all(_same(context, getattr(one, n), getattr(other, n), bound) for n in s.parts(type(one)))
    return one == other


def _local(context: Context, e: s.Name) -> Local | None:
    ref = context.model.refs.get(e)
    return ref.local if ref is not None else None


def _spelt_out(context: Context, e: s.Expression) -> s.Expression:
    """The value of a `let` that never gets another one, for its name."""
    while isinstance(e, s.Name):
        local = _local(context, e)
        if local is None or local not in context.lets or local in context.assigned:
            break
        e = context.lets[local]
    return e
