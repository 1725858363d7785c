"""Statements: types, who chooses, what may be changed, and which messages are told with which arguments."""

from __future__ import annotations

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Work
from wongar_dsl.checker.expressions import bind_domain, call, expression, value, zone
from wongar_dsl.checker.layouts import area_type
from wongar_dsl.model import FIGURE, NUMBER, PLAYER, TRUTH, UNKNOWN, Decision, Local, Message, Ref, Type
from wongar_dsl.text.diagnostics import Label
from wongar_dsl.text.suggest import did_you_mean

_CARD_ZONES = frozenset({"pile", "hand", "heap", "slot"})
_MANY = frozenset({"pile", "hand", "heap"})


def procedure(work: Work, article: s.Procedure) -> None:
    """Check setup, play, a rule or an effect."""
    model = work.model
    work.article = article
    work.scopes = [{}]
    bound = []
    if isinstance(article, s.Effect):
        bound += _effect_parameters(work, article)
    bound += [work.bind(p.name, work.type_of(p.type)) for p in article.parameters]
    model.parameters[article] = tuple(bound)
    block(work, article.body, loops=0)
    work.article = None


def _effect_parameters(work: Work, article: s.Effect) -> list[Local]:
    declared = work.names.get(article.name.text)
    if declared is None or declared.kind != "facekind":
        known = [n for n, g in work.names.items() if g.kind == "facekind"]
        work.report("R0201", article.name, suggestion=did_you_mean(article.name.text, known), name=article.name.text)
        return [work.bind(word, UNKNOWN) for word in article.names]
    cards = work.model.articles["cards", declared.type.name]
    assert isinstance(cards, s.Cards)
    face = next(f for f in cards.faces if f.name.text == article.name.text)
    kinds = [work.type_of(p.type) for p in face.parameters]
    if len(article.names) != len(kinds):
        label = Label(face.span, "declared")
        found, expected = len(article.names), len(kinds)
        work.report("R0302", article.name, (label,), name=article.name.text, found=found, expected=expected)
    kinds += [UNKNOWN] * len(article.names)
    return [work.bind(word, kind) for word, kind in zip(article.names, kinds, strict=False)]


def block(work: Work, statements: s.Block, loops: int) -> None:
    """Check statements in a scope of their own; `loops` is how many loops stand around them."""
    work.scopes.append({})
    for i, statement in enumerate(statements):
        _statement(work, statement, loops)
        last = isinstance(statement, s.Give | s.Wins) or (
            isinstance(statement, s.Simple) and statement.word in ("end game", "end rule", "leave loop", "impossible")
        )
        if last and i + 1 < len(statements):
            work.report("R0410", statements[i + 1])
            for rest in statements[i + 1 :]:
                _statement(work, rest, loops)
            break
    work.scopes.pop()


def _statement(work: Work, node: s.Statement, loops: int) -> None:
    assert work.article is not None
    work.model.source_of[node] = work.article
    match node:
        case s.If(branches=branches, otherwise=otherwise):
            for condition, body in branches:
                value(work, condition, TRUTH)
                block(work, body, loops)
            block(work, otherwise, loops)
        case s.Repeat(kind=kind, subject=subject, body=body):
            if subject is not None:
                value(work, subject, NUMBER if kind == "times" else TRUTH)
            block(work, body, loops + 1)
        case s.ForEach(variable=variable, domain=d, body=body):
            work.scopes.append({})
            bind_domain(work, variable, d)
            block(work, body, loops + 1)
            work.scopes.pop()
            if d.kind == "reached":
                work.one_piece.append(node)
        case s.Choose():
            value(work, node.chooser, PLAYER)
            _clock(work, node.clock)
            _decision(work, node, node.name, node.choices, loops)
            if node.otherwise is not None:
                block(work, node.otherwise, loops)
        case s.ChooseTogether():
            work.scopes.append({})
            local = bind_domain(work, node.variable, node.domain)
            work.need(node.domain.base, PLAYER, local.type)
            _clock(work, node.clock)
            _decision(work, node, node.name, node.choices, loops)
            work.scopes.pop()
        case s.Let(variable=variable, value=e):
            work.bind(variable, value(work, e))
            work.let_words.add(variable)
        case s.Assign(target=target, value=e):
            _assign(work, target, e)
        case s.Move() | s.MoveTokens() | s.MoveAll() | s.Fill() | s.Shuffle():
            _moving(work, node)
        case s.Lay():
            _lay(work, node)
        case s.Take(taker=taker, figure=figure, told=told):
            value(work, taker, PLAYER)
            article = _named(work, figure, "figure")
            if isinstance(article, s.Figure) and not article.held:
                label = Label(article.span, "declared")
                work.report("R0303", figure, (label,), name=figure.text)
            _told(work, told)
        case s.Gain():
            _gain(work, node)
        case s.Advance(track=track, amount=amount, told=told):
            _named(work, track, "track")
            value(work, amount, NUMBER)
            _told(work, told)
        case s.Perform():
            _perform(work, node)
        case s.Call(call=e):
            _call(work, e)
        case s.Tell(told=told):
            _told(work, told)
        case s.Simple(word=word):
            if word == "leave loop" and not loops:
                work.report("R0416", node, statement=word)
        case s.Give(value=e):
            gives = work.article.gives if isinstance(work.article, s.Procedure) else None
            if gives is None:
                work.report("R0416", node, statement="give")
                value(work, e)
            else:
                value(work, e, work.type_of(gives))
        case s.Wins(player=player):
            value(work, player, PLAYER)
        case _:
            raise AssertionError(node)


def _clock(work: Work, clock: s.Clock | None) -> None:
    for reading in (clock.start, clock.end) if clock is not None else ():
        if reading is not None:
            value(work, reading, NUMBER)


def _named(work: Work, word: s.Word, sort: str) -> s.Article | None:
    article = work.model.articles.get((sort, word.text))
    if article is None:
        declared = work.names.get(word.text)
        if declared is not None:
            work.report("R0203", word, name=word.text, found=declared.kind, expected=(sort,))
        else:
            work.unknown(word, word.text, [a.name.text for a in work.model.of_sort(sort)])
    work.used.add(word.text)
    return article


def _decision(
    work: Work, node: s.Choose | s.ChooseTogether, name: s.Word | None, choices: tuple[s.Choice, ...], loops: int
) -> None:
    assert work.article is not None
    title = name.text if name is not None else work.article.name.text
    options = []
    seen: dict[str, s.Choice] = {}
    for choice in choices:
        if choice.name.text in seen:
            label = Label(seen[choice.name.text].name.span, "first")
            work.report("R0417", choice.name, (label,), option=choice.name.text)
        seen[choice.name.text] = choice
        work.scopes.append({})
        bound = [(o.name.text, bind_domain(work, o.name, o.domain).type) for o in choice.parameters]
        if choice.condition is not None:
            value(work, choice.condition, TRUTH)
            if isinstance(choice.condition, s.Truth) and not choice.condition.value:
                work.report("R0409", choice, option=choice.name.text)
        block(work, choice.body, loops)
        work.scopes.pop()
        options.append((choice.name.text, tuple(bound)))
    decision = Decision(title, tuple(options))
    old = work.model.decisions.get(title)
    if old is not None and old != decision:
        first = next((n for n, t in work.model.decision_names.items() if t == title), node)
        label = Label((name or node).span if first is node else first.span, "first")
        work.report("R0202", name or node, (label,), name=title)
    work.model.decisions.setdefault(title, decision)
    work.model.decision_names[node] = title


def _assign(work: Work, target: s.Expression, e: s.Expression) -> None:
    used = set(work.used_locals)
    kind = expression(work, target)
    ref = work.model.refs.get(target)
    changeable = ref is not None and (ref.kind in ("remember", "holder", "place") or ref.kind == "local")
    if kind != UNKNOWN and not changeable:
        shown = target.text if isinstance(target, s.Name) else getattr(target, "name", "?")
        work.report("R0303", target, name=str(shown))
    value(work, e, kind if changeable else None)
    if ref is not None and ref.kind == "local" and ref.local is not None and ref.local not in used:
        # To be given a value is no use; a loop may have looked at it before.
        work.used_locals.discard(ref.local)


def _moving(work: Work, node: s.Statement) -> None:
    match node:
        case s.MoveTokens(count=count, kind=kind, origin=origin, target=target, told=told):
            value(work, count, NUMBER)
            source = zone(work, origin, frozenset({"tokens"}))
            goal = zone(work, target, frozenset({"tokens"}))
            found = value(work, kind)
            for end in (source, goal):
                if end is not None:
                    work.need(kind, work.held(end), found)
            _told(work, told)
        case s.Move(told=told):
            _move(work, node)
            _told(work, told)
        case s.MoveAll(origin=origin, target=target, told=told):
            source = zone(work, origin, _MANY | {"tokens"})
            goal = zone(work, target, _MANY | {"tokens"})
            if source is not None and goal is not None:
                work.need(target, work.held(source), work.held(goal))
            _told(work, told)
        case s.Fill(zone=e, count=count, filling=filling):
            found_zone = zone(work, e)
            if count is not None:
                value(work, count, NUMBER)
                word = s.Name(filling.span, filling.text)
                kind_found = value(work, word)
                if found_zone is not None:
                    work.need(filling, work.held(found_zone), kind_found)
                work.model.refs[filling] = work.model.refs.get(word, Ref("unknown"))
            else:
                deck = _named(work, filling, "deck")
                if isinstance(deck, s.Deck) and found_zone is not None:
                    work.need(e, Type("cards", deck.cards.text), work.held(found_zone))
        case s.Shuffle(zone=e, told=told):
            zone(work, e, frozenset({"pile"}))
            _told(work, told)


def _move(work: Work, node: s.Move) -> None:
    what = expression(work, node.what)
    if what == FIGURE:
        place = value(work, node.target)
        figure = work.model.articles.get(("figure", node.what.text)) if isinstance(node.what, s.Name) else None
        board = figure.board if isinstance(figure, s.Figure) else None
        work.need(node.target, Type("board", board.text) if board else UNKNOWN, place)
        if figure is None or board is None:
            work.report("R0303", node.what, name=str(what))
        return
    if what.kind == "zone":
        what = value(work, node.what)
    goal_node = node.target
    if isinstance(goal_node, s.Of) and goal_node.name in ("bottom", "top") and goal_node.name not in work.names:
        goal = zone(work, goal_node.owner, frozenset({"pile"}))
    else:
        goal = zone(work, goal_node, _CARD_ZONES)
    _from(work, node, what)
    if goal is not None:
        work.need(node.what, work.held(goal), what)


def _from(work: Work, node: s.Move | s.Lay, what: Type) -> None:
    """Where a card comes from: a zone that is named, or the one that it is the top card of."""
    if node.origin is not None:
        source = zone(work, node.origin, _CARD_ZONES | {"layout"})
        if source is not None:
            work.need(node.what, work.held(source), what)
    elif what != UNKNOWN and work.model.refs.get(node.what) is not None:
        if work.model.refs[node.what].kind not in ("top", "bottom", "slot"):
            work.report("R0107", node.what.span, expected=("from",))
    elif what != UNKNOWN:
        work.report("R0107", node.what.span, expected=("from",))


def _lay(work: Work, node: s.Lay) -> None:
    what = value(work, node.what)
    _from(work, node, what)
    goal = zone(work, node.target, frozenset({"layout"}))
    if goal is not None:
        work.need(node.what, work.held(goal), what)
        value(work, node.area, area_type(goal))
    value(work, node.turned, NUMBER)
    _told(work, node.told)


def _gain(work: Work, node: s.Gain) -> None:
    value(work, node.player, PLAYER)
    value(work, node.amount, NUMBER)
    score = _named(work, node.score, "score")
    if isinstance(score, s.Score):
        if score.by is None and node.origin is not None:
            work.report("R0302", node.origin, name=score.name.text, found=1, expected=0)
        elif score.by is not None and node.origin is None:
            work.report("R0107", node.span, expected=("for",))
        elif score.by is not None and node.origin is not None:
            value(work, node.origin, Type("enum", score.by.text))
    _told(work, node.told)


def _perform(work: Work, node: s.Perform) -> None:
    kind = value(work, node.card)
    value(work, node.player, PLAYER)
    place = value(work, node.place) if node.place is not None else None
    if kind.kind != "cards":
        work.need(node.card, Type("cards", ""), kind)
        return
    for effect in work.model.effects(kind.name):
        assert work.article is not None
        work.calls.setdefault(work.article, []).append((effect, node.span))
        wanted = work.type_of(effect.parameters[1].type) if len(effect.parameters) > 1 else None
        if (wanted is None) != (place is None):
            label = Label(effect.name.span, "declared")
            work.report("R0419", node, (label,), name=effect.name.text)
        elif wanted is not None and place is not None and not work.fits(wanted, place):
            label = Label(effect.name.span, "declared")
            work.report("R0419", node.place or node, (label,), name=effect.name.text)


def _call(work: Work, e: s.Expression) -> None:
    declared = work.names.get(e.name) if isinstance(e, s.Called) else None
    if isinstance(e, s.Called) and declared is not None and declared.kind in ("rule", "define"):
        call(work, e, declared)
        return
    if isinstance(e, s.Called):
        known = [n for n, g in work.names.items() if g.kind == "rule"]
        work.report("R0201", e, suggestion=did_you_mean(e.name, known), name=e.name)
        for argument in e.arguments:
            value(work, argument)
        return
    text = e.text if isinstance(e, s.Name) else ""
    if text in work.reserved:
        work.report("R0416", e, statement=text)
    elif expression(work, e) != UNKNOWN:
        work.report("R0203", e, name=_shown(e), found="value", expected=("rule",))


def _shown(e: s.Expression) -> str:
    return e.text if isinstance(e, s.Name) else str(getattr(e, "name", "?"))


def _told(work: Work, told: s.Told | None) -> None:
    if told is None or told.name is None:
        return
    slots = []
    for argument in told.arguments:
        kind = value(work, argument.value)
        if not argument.name:
            work.report("R0107", argument, expected=("name",))
        slots.append((argument.name, kind))
    message = Message(told.name, tuple(sorted(slots, key=lambda slot: slot[0])))
    old = work.model.messages.setdefault(told.name, message)
    known = {n for n, _ in old.slots}
    if {n for n, _ in slots} != known or any(
        not work.fits(dict(old.slots)[n], k) and not work.fits(k, dict(old.slots)[n]) for n, k in slots
    ):
        work.report("R0418", told, name=told.name)
