"""Checks of statements: types, choosers, assignable targets, and the arguments of messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from wongar_dsl.base.diagnostics import Hint, Label
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.foreign_words import DRAWN, KEYWORDS
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import (
    A,
    ArgumentSource,
    CheckContext,
    SuppliedArgument,
    UseSite,
    each_type,
    shown_name,
    source_text,
)
from wongar_dsl.language.checker.declarations import CARDS, LAYOUTS, PILES, TOKENS, area_type
from wongar_dsl.language.checker.expressions import (
    bind_domain,
    call,
    check_count,
    check_expression,
    check_value,
    check_zone,
)
from wongar_dsl.language.checker.game_checks import lattice_of
from wongar_dsl.language.dataflow.effects import ends_block
from wongar_dsl.language.semantics import (
    FIGURE,
    NUMBER,
    PLAYER,
    TRUTH,
    UNKNOWN,
    Decision,
    Local,
    Message,
    MessageArgument,
    MessageUse,
    Type,
)
from wongar_dsl.language.semantics.builtins import REFERENCES

# ---- messages --------------------------------------------------------------------------------------------------------
#
# Names of amounts and places that a statement supplies (`n`, `to`, the name of a board) must have that meaning in its
# message. A message may use the names of players and objects for something else.


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
    named = ref is not None and ref.kind in ("zone", "slot_card")
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


# ---- statements ------------------------------------------------------------------------------------------------------


#: Zones that a single card, or a whole zone, can be moved into.
_MOVED_INTO = CARDS - LAYOUTS
_MULTIPLE_ZONES = s.zone_kinds(lambda zone: not zone.single and not zone.spread)
_FILLED = TOKENS | CARDS - LAYOUTS


def check_procedure(context: CheckContext, article: s.Procedure) -> None:
    """Check setup, play, a rule or an effect."""
    model = context.model
    context.article = article
    context.scopes = [{}]
    bound = []
    if isinstance(article, s.Effect):
        bound += _effect_parameters(context, article)
    bound += [context.bind(p.name, context.type_of(p.type)) for p in article.parameters]
    model.parameters[article] = tuple(bound)
    block(context, article.body, loops=0)
    context.article = None


def _effect_parameters(context: CheckContext, article: s.Effect) -> list[Local]:
    declared = context.names.get(article.name.text)
    if declared is None or declared.kind != "facekind":
        context.report_unknown(article.name, article.name.text, context.names_of("facekind"))
        return [context.bind(word, UNKNOWN) for word in article.card_parameters]
    kinds = [kind for _, kind in context.model.cards[declared.type.name].kinds[article.name.text]]
    count = len(article.card_parameters)
    context.check_number(article.name, article.name.text, count, len(kinds), declared.node)
    kinds += [UNKNOWN] * count
    return [context.bind(word, kind) for word, kind in zip(article.card_parameters, kinds, strict=False)]


def block(context: CheckContext, statements: s.Block, loops: int) -> None:
    """Check statements in a new scope; `loops` is the number of enclosing loops."""
    with context.scope():
        for i, statement in enumerate(statements):
            _statement(context, statement, loops)
            if ends_block(statement) and i + 1 < len(statements):
                context.report("R0410", statements[i + 1])
                for rest in statements[i + 1 :]:
                    _statement(context, rest, loops)
                break


def _statement(context: CheckContext, node: s.Statement, loops: int) -> None:
    assert context.article is not None
    context.model.enclosing_article[node] = context.article
    match node:
        case s.If(branches=branches, otherwise=otherwise):
            for condition, body in branches:
                check_value(context, condition, TRUTH)
                block(context, body, loops)
            block(context, otherwise, loops)
        case s.Repeat(kind=kind, subject=subject, body=body):
            if subject is not None and kind == "times":
                check_count(context, subject)
            elif subject is not None:
                check_value(context, subject, TRUTH)
            block(context, body, loops + 1)
        case s.ForEach(variable=variable, domain=d, body=body):
            with context.scope():
                bind_domain(context, variable, d)
                block(context, body, loops + 1)
            if d.kind == "reached":
                context.uninterruptible_loops.append(node)
        case s.Choose():
            check_value(context, node.chooser, PLAYER)
            _clock(context, node.clock)
            _decision(context, node, loops)
            if node.otherwise is not None:
                block(context, node.otherwise, loops)
        case s.ChooseSimultaneously():
            with context.scope():
                local = bind_domain(context, node.variable, node.domain)
                context.expect(node.domain.base, PLAYER, local.type)
                _clock(context, node.clock)
                _decision(context, node, loops)
        case s.Let(variable=variable, value=e):
            context.lets[context.bind(variable, check_value(context, e))] = e
        case s.Assign(target=target, value=e):
            _assign(context, target, e)
        case s.MoveTokens(count=count, kind=kind, origin=origin, target=target):
            check_count(context, count)
            if _cards_as_tokens(context, node):
                return
            source = check_zone(context, origin, TOKENS)
            goal = check_zone(context, target, TOKENS)
            kind_found = _piece(context, kind, source or goal)
            for end in (source, goal):
                if end is not None:
                    context.expect(kind, context.zone_content(end), kind_found)
        case s.Move():
            _move(context, node)
        case s.MoveAll(origin=origin, target=target):
            source = check_zone(context, origin, _MULTIPLE_ZONES)
            goal = check_zone(context, target, _MULTIPLE_ZONES)
            if source is not None and goal is not None:
                context.expect(target, context.zone_content(source), context.zone_content(goal))
        case s.Fill(zone=e, count=count, filling=filling):
            found_zone = check_zone(context, e, _FILLED)
            if count is not None:
                check_count(context, count)
                _piece(context, filling, found_zone)
            elif isinstance(filling, s.Name):
                declared = context.names.get(filling.text)
                if declared is not None and declared.kind == "value":
                    suggestion, expected = f"1 {filling.text}", ("deck", "number")
                    context.report(
                        "R0203", filling, (), suggestion, name=filling.text, found="value", expected=expected
                    )
                    return
                deck = _named(context, s.Word(filling.span, filling.text), s.Deck)
                if isinstance(deck, s.Deck) and found_zone is not None:
                    context.expect(e, Type("cards", deck.cards.text), context.zone_content(found_zone))
                    _room(context, node, found_zone, deck)
        case s.Shuffle(zone=e):
            check_zone(context, e, PILES)
        case s.Lay():
            _lay(context, node)
        case s.Take(taker=taker, figure=figure):
            check_value(context, taker, PLAYER)
            article = _named(context, figure, s.Figure)
            if isinstance(article, s.Figure) and not article.held:
                context.report("R0303", figure, declared=article, name=figure.text)
        case s.Gain():
            _gain(context, node)
        case s.Advance(track=track, amount=amount):
            _named(context, track, s.Track)
            check_count(context, amount)
        case s.Perform():
            _perform(context, node)
        case s.Call(call=e):
            _call(context, e)
        case s.Tell():
            pass
        case s.KeywordStatement(word=word):
            if word == "leave loop" and not loops:
                context.report("R0416", node, statement=word)
        case s.Give(value=e):
            gives = context.article.gives if isinstance(context.article, s.Procedure) else None
            if gives is None:
                context.report("R0416", node, statement="give")
                check_value(context, e)
            else:
                check_value(context, e, context.type_of(gives))
        case s.Wins(player=player):
            check_value(context, player, PLAYER)
        case _:
            assert_never(node)
    if isinstance(node, s.EventStatement | s.Tell):
        check_message(context, node, node.message)


def _clock(context: CheckContext, clock: s.Clock | None) -> None:
    for reading, least in ((clock.start, 0), (clock.end, 1)) if clock is not None else ():
        if reading is not None:
            check_count(context, reading, least)


def _named(context: CheckContext, word: s.Word, sort: type[A]) -> A | None:
    article = context.model.article(sort, word.text)
    if article is None:
        declared = context.names.get(word.text)
        if declared is not None:
            context.report("R0203", word, name=word.text, found=declared.kind, expected=(sort.keyword,))
        else:
            context.report_unknown(word, word.text, [a.name.text for a in context.model.all_of(sort)])
    context.used.add(word.text)
    return article


def _decision(context: CheckContext, node: s.Decision, loops: int) -> None:
    assert context.article is not None
    name, choices = node.name, node.options
    title = name.text if name is not None else context.article.name.text
    options = []
    seen: dict[str, s.Option] = {}
    for choice in choices:
        if choice.name.text in seen:
            label = Label(seen[choice.name.text].name.span, "first")
            context.report("R0417", choice.name, (label,), option=choice.name.text)
        seen[choice.name.text] = choice
        bare = not choice.parameters and choice.condition is None
        last = choice is choices[-1] and isinstance(node, s.Choose) and node.otherwise is None
        instead = KEYWORDS.get(choice.name.text.lower()) if bare and last and choice.body else None
        if context.is_reserved_elsewhere(choice.name, "otherwise" if instead == "otherwise" else None):
            pass
        elif bare and did_you_mean(choice.name.text, ("otherwise",), 0.8):
            # An option with that name would always be available.
            context.report_unknown(choice.name, choice.name.text, ("otherwise",))
        with context.scope():
            bound = [(o.name.text, bind_domain(context, o.name, o.domain).type) for o in choice.parameters]
            if choice.condition is not None:
                check_value(context, choice.condition, TRUTH)
                if isinstance(choice.condition, s.Truth) and not choice.condition.value:
                    context.report("R0409", choice, option=choice.name.text)
            block(context, choice.body, loops)
        options.append((choice.name.text, tuple(bound)))
    decision = Decision(title, tuple(options))
    old = context.model.decisions.get(title)
    if old is not None and old != decision:
        first = next((n for n, t in context.model.decision_names.items() if t == title), node)
        label = Label((name or node).span if first is node else first.span, "first")
        context.report("R0202", name or node, (label,), name=title)
    context.model.decisions.setdefault(title, decision)
    context.model.decision_names[node] = title


def _assign(context: CheckContext, target: s.Expression, e: s.Expression) -> None:
    used = set(context.used_locals)
    kind = check_expression(context, target)
    ref = context.model.refs.get(target)
    changeable = ref is not None and REFERENCES[ref.kind].settable
    if kind != UNKNOWN and not changeable:
        context.report("R0303", target, name=shown_name(target))
    check_value(context, e, kind if changeable else None)
    if ref is not None and ref.kind == "local" and ref.local is not None:
        context.assigned.add(ref.local)
        if ref.local not in used:
            # An assignment is no use of the name, but an enclosing loop may have read it before.
            context.used_locals.discard(ref.local)


def _piece(context: CheckContext, e: s.Expression, place: s.Zone | None) -> Type:
    """Return the kind of the pieces that are moved by number, a value that the zone can hold."""
    held = context.zone_content(place) if place is not None else None
    declared = context.names.get(e.text) if isinstance(e, s.Name) and context.look_up(e.text) is None else None
    if isinstance(e, s.Name) and declared is not None and declared.kind == "zone":
        names = tuple(context.values(held))
        near = did_you_mean(e.text, names)
        hint = Hint("one_of", {"values": names}) if names else None
        expected, node = ("value",), declared.node
        context.report("R0203", e, (), near, hint, node, name=e.text, found="zone", expected=expected)
        return context.record_type(e, UNKNOWN)
    return check_value(context, e, held)


def _room(context: CheckContext, node: s.Statement, place: s.Zone, deck: s.Deck) -> None:
    """Check that a filled zone has room for the whole deck."""
    cards = sum(copies.count for copies in deck.copies)
    if place.traits.bounded and place.capacity is not None and cards > place.capacity:
        name, limit = place.name.text, place.capacity
        context.report("R0421", node, declared=place.name, deck=deck.name.text, found=cards, name=name, limit=limit)


def _cards_as_tokens(context: CheckContext, node: s.MoveTokens) -> bool:
    """Report cards that are moved by number like tokens; return whether they are."""
    kind = context.names.get(node.kind.text) if isinstance(node.kind, s.Name) else None
    if kind is None or kind.kind not in ("cards", "facekind") or context.look_up(shown_name(node.kind)) is not None:
        return False
    for e in (node.origin, node.target):
        context.used.add(shown_name(e))
    card = "card" if kind.kind == "cards" else shown_name(node.kind)
    statement = f"move {card} from {source_text(node.origin)} to {source_text(node.target)}"
    places = [context.model.article(s.Zone, shown_name(e)) for e in (node.origin, node.target)]
    if places[0] is not None and places[0].kind in PILES:
        statement = f"move top of {source_text(node.origin)} to {source_text(node.target)}"
    tokens = [zone for zone in places if zone is not None and zone.kind in TOKENS]
    labels = tuple(Label(zone.name.span, "declared") for zone in tokens)
    # No line moves cards to or from a place for tokens.
    hint = Hint("move_card", {"statement": statement}) if not tokens else None
    name = shown_name(node.kind)
    context.report("R0203", node.kind, labels, hint=hint, name=name, found=kind.kind, expected=("token",))
    return True


def _move(context: CheckContext, node: s.Move) -> None:
    kind = check_expression(context, node.what)
    if kind == FIGURE:
        place = check_value(context, node.target)
        figure = context.model.article(s.Figure, node.what.text) if isinstance(node.what, s.Name) else None
        board = figure.board if figure is not None else None
        context.expect(node.target, Type("board", board.text) if board else UNKNOWN, place)
        if figure is None or board is None:
            context.report("R0303", node.what, name=str(kind))
        return
    if kind.kind == "zone":
        kind = check_value(context, node.what)
    goal_node = node.target
    if isinstance(goal_node, s.Of) and goal_node.name in ("bottom", "top") and goal_node.name not in context.names:
        goal = check_zone(context, goal_node.owner, PILES)
    else:
        goal = check_zone(context, goal_node, _MOVED_INTO)
    _from(context, node, kind)
    if goal is not None:
        context.expect(node.what, context.zone_content(goal), kind)


def _from(context: CheckContext, node: s.Move | s.Lay, what: Type) -> None:
    """Check the origin of a card: a named zone, or the pile whose top card it is."""
    if node.origin is not None:
        source = check_zone(context, node.origin, CARDS)
        if source is not None:
            context.expect(node.what, context.zone_content(source), what)
    elif what != UNKNOWN:
        ref = context.model.refs.get(node.what)
        if ref is None or not REFERENCES[ref.kind].located:
            context.report("R0107", node.what.span, expected=("from",))


def _lay(context: CheckContext, node: s.Lay) -> None:
    kind = check_value(context, node.what)
    _from(context, node, kind)
    goal = check_zone(context, node.target, LAYOUTS)
    if goal is not None:
        context.expect(node.what, context.zone_content(goal), kind)
        check_value(context, node.area, area_type(goal))
    check_value(context, node.turned, NUMBER)


def _gain(context: CheckContext, node: s.Gain) -> None:
    check_value(context, node.player, PLAYER)
    check_value(context, node.amount, NUMBER)
    score = _named(context, node.score, s.Score)
    if score is not None:
        if score.by is None and node.origin is not None:
            context.report("R0302", node.origin, name=score.name.text, found=1, expected=0)
        elif score.by is not None and node.origin is None:
            form = f"p gains 3 {score.name.text} for {next(iter(context.values(Type('enum', score.by.text))), '…')}"
            context.report("R0107", node.span, hint=Hint("form", {"form": form}), expected=("for",))
        elif score.by is not None and node.origin is not None:
            check_value(context, node.origin, Type("enum", score.by.text))


def _perform(context: CheckContext, node: s.Perform) -> None:
    kind = check_value(context, node.card)
    check_value(context, node.player, PLAYER)
    place = check_value(context, node.place) if node.place is not None else None
    if kind.kind != "cards":
        context.expect(node.card, Type("cards", ""), kind)
        return
    for effect in context.code.effects.get(kind.name, ()):
        expected = context.type_of(effect.parameters[1].type) if len(effect.parameters) > 1 else None
        if (expected is None) != (place is None):
            context.report("R0419", node, declared=effect.name, name=effect.name.text)
        elif expected is not None and place is not None and not context.is_assignable(expected, place):
            context.report("R0419", node.place or node, declared=effect.name, name=effect.name.text)


def _call(context: CheckContext, e: s.Expression) -> None:
    declared = context.names.get(e.name) if isinstance(e, s.Called) else None
    if isinstance(e, s.Called) and declared is not None and declared.kind in ("rule", "define"):
        call(context, e, declared)
        return
    if isinstance(e, s.Called):
        context.report_unknown(e, e.name, context.names_of("rule"))
        for argument in e.arguments:
            check_value(context, argument)
        return
    text = e.text if isinstance(e, s.Name) else ""
    if text and text not in context.names and context.look_up(text) is None and text not in context.reserved:
        # A line of one word.
        rules = [f"{name}()" for name in context.names_of("rule")]
        suggestion = "nobody wins" if text.lower() in DRAWN else did_you_mean(f"{text}()", rules, 0.75)
        context.report("R0201", e, suggestion=suggestion, name=text)
        return
    if text in context.reserved:
        context.report("R0416", e, statement=text)
    elif check_expression(context, e) != UNKNOWN:
        context.report("R0203", e, name=shown_name(e), found="value", expected=("rule",))
