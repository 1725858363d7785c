"""Values in rules: constants before play, results of arithmetic, directions, and what all callers pass.

Settings, the number of players, and expressions that depend on nothing else are constant.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import ends_rule, with_rest
from wongar_dsl.language.semantics import Local, Model, Ref, TableData, Type
from wongar_dsl.language.semantics.boards import SQUARE_WAYS
from wongar_dsl.nlg.prose.context import ADDITIONS, LIMITS, OPERATIONS, Amount, Exit, ProseContext, operations
from wongar_dsl.nlg.prose.game_facts import GameFacts, closure, rules_called
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention, Message
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Value

#: Python's functions for the operators; the language divides like Python, too.
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}


def constant(context: ProseContext, e: s.Expression) -> int | None:
    """Return the constant value of an expression, or None if it depends on play."""
    low, high = context.model.players
    return evaluate(context.model, e, low if low == high else context.seats, {})


def constant_number(context: ProseContext, e: s.Expression) -> int | None:
    """Return `constant` for a number or a truth value; None for other types, whose first value is no *nothing*."""
    kind = context.model.types.get(e)
    return constant(context, e) if kind is None or kind.kind in ("number", "truth") else None


def evaluate(model: Model, e: s.Expression, seats: int | None, values: Mapping[Local, int]) -> int | None:
    """Return the value of an expression for some values of names, or None if it depends on play."""
    ref = model.ref(e)
    match e:
        case s.Number(value=value) | s.Truth(value=value):
            return int(value)
        case s.Name() if ref.local is not None:
            return values.get(ref.local)
        case s.Name() if ref.kind == "value" and model.types[e].kind != "number":
            return ref.number
        case s.Name() if ref.kind == "option":
            return model.settings[ref.name].start
        case s.Name() if ref.kind == "players":
            return seats
        case s.Negation(operand=operand) | s.Minus(operand=operand):
            result = evaluate(model, operand, seats, values)
            return None if result is None else -result if isinstance(e, s.Minus) else int(not result)
        case s.Binary(operator=sign, left=left, right=right) | s.Compare(operator=sign, left=left, right=right):
            first, second = (evaluate(model, side, seats, values) for side in (left, right))
            if first is None or second is None or (sign in ("div", "mod") and second == 0):
                return None
            return int(_OPERATIONS[sign](first, second))
        case s.Logical(operator=joined, operands=operands):
            results = [evaluate(model, operand, seats, values) for operand in operands]
            decisive = int(joined == "or")
            if any(result is not None and bool(result) == bool(decisive) for result in results):
                return decisive
            return None if None in results else 1 - decisive
        case s.Conditional(condition=condition, then=then, other=other):
            holds = evaluate(model, condition, seats, values)
            return None if holds is None else evaluate(model, then if holds else other, seats, values)
        case s.Indexed() | s.Of() if ref.kind == "table":
            return _cell(model, ref.name, [evaluate(model, index, seats, values) for index in s.index_nodes(e)])
    return None


def _cell(model: Model, name: str, at: list[int | None]) -> int | None:
    """Return the value in a table cell, or None if a key is unknown."""
    table, place = model.tables[name], 0
    for key, low, size in zip(at, table.lows, table.sizes, strict=True):
        if key is None or not low <= key < low + size:
            return None
        place = place * size + key - low
    return table.cells[place]


def nothing_of(context: ProseContext, name: str) -> int:
    """Return the number that means *nothing*: 0, or a negative start value."""
    article = context.model.code.remembered.get(name)
    start = s.written_number(article.start) if article is not None and article.start is not None else None
    return min(0, start or 0)


def may_be_missing(context: ProseContext, e: s.Expression) -> bool:
    """Return whether a value may be none, unless the set-up always sets it or no card in the game lacks it."""
    ref = context.ref(e)
    if ref.local is not None and ref.local in context.lets:
        return may_be_missing(context, context.lets[ref.local])
    if not context.facts.nullable.may_be_none(e) or any(s.same(shown, e) for shown in context.present):
        return False
    match e:
        case s.Quantified(domain=s.Domain(where=None, base=base)):
            return context.ref(base).kind != "type"
        case s.Of(owner=card) if ref.kind == "attribute":
            sort = context.kind(card).name
            values = context.model.cards[sort].attributes[ref.name][1]
            lacking = any(values[face] < 0 for face in context.facts.faces[sort])
            return lacking or may_be_missing(context, card)
        case s.Of(name="top" | "bottom", owner=pile):
            return not any(s.same(shown, pile) for shown in context.present)
        case _ if ref.kind in ("remember", "holder", "place"):
            return not _is_always_set(context, e) or any(
                may_be_missing(context, owner) for owner in s.index_nodes(e) if context.kind(owner).kind != "figure"
            )
    return True


def _is_always_set(context: ProseContext, e: s.Expression) -> bool:
    """Return whether a stored value, or the place or holder of a figure, is set before play and never to nothing."""
    stored, code = _stored(context, e), context.model.code
    unset = (node.target for node in context.facts.nodes(s.Assign) if isinstance(node.value, s.Nobody))
    if any(_stored(context, target) == stored for target in unset):
        return False
    start = code.remembered[stored[1]].start if stored[0] == "remember" else None
    setup = code.main_procedures[0].body if isinstance(code.main_procedures[0], s.Setup) else ()
    return start is not None or any(_stored(context, target) == stored for target in _always_set(context, setup))


def _stored(context: ProseContext, e: s.Expression) -> tuple[str, str, str]:
    """Return the kind and name of a stored value, or a property and the name of its figure."""
    ref = context.ref(e)
    figure = e.owner.text if isinstance(e, s.Of) and isinstance(e.owner, s.Name) else ""
    return ref.kind, ref.name, "" if ref.kind == "remember" else figure


def _always_set(context: ProseContext, block: s.Block) -> Iterator[s.Expression]:
    """Yield what a block sets under no condition, also for each value of a type and in the rules that it calls."""
    for statement in block:
        match statement:
            case s.Assign(target=target):
                yield target
            case s.Call(call=s.Called(name=name)):
                yield from _always_set(context, context.model.code.rules[name].body)
            case s.ForEach(domain=s.Domain(where=None, base=base), body=body):
                if context.ref(base).kind == "type":
                    yield from _always_set(context, body)


def fold(context: ProseContext, e: s.Expression) -> int | None:
    """Return `constant_number` for an expression that is not a literal, and record it as folded."""
    if isinstance(e, s.Number | s.Truth) or s.written_number(e) is not None:
        return None
    result = constant_number(context, e)
    if result is not None:
        context.log.omit(e, "folded", "it is known before play")
    return result


#: The noun for the result of each operator, and the operators whose message can follow a number.
_RESULTS = {"+": "sum", "-": "difference", "*": "product", "div": "quotient", "mod": "remainder"}
_SIGNS = {"+": "plus", "-": "minus", "*": "times"}


def computed_amount(context: ProseContext, operator: str, left: Amount, right: Amount) -> Amount:
    """Return the phrase for a result: *x plus 1*, or where that is ambiguous, *the remainder of (x plus 1) and 7*."""
    if operator == "+" and left == 0:
        return right
    if operator in ("+", "-") and right == 0:
        return left
    sign = _SIGNS.get(operator)
    # Avoids ambiguity: *the sum of x and y times z*, *the things that are here less z*.
    if (
        sign is not None
        and isinstance(left, NounPhrase)
        and not (left.grouped or _is_open(left))
        and operations(left) <= (ADDITIONS if sign != "times" else frozenset())
    ):
        how = f"prose.sign.{sign}" if isinstance(right, int) or sign == "times" else f"prose.{sign}"
        return replace(left, modifiers=(*left.modifiers, Attribute(how, {"n": grouped(right)})))
    return _result(context, _RESULTS[operator], left, right)


def difference(context: ProseContext, left: Amount, right: Amount) -> NounPhrase:
    """Return *the difference between x and y*."""
    return _result(context, _RESULTS["-"], left, right)


def limited(context: ProseContext, name: str, amounts: Sequence[Amount]) -> NounPhrase:
    """Return *x, but no more than 3* for the least amount, or for the greatest *x, but no less than 3*.

    Where that is ambiguous, it is *the lowest value of 3 and (x times 2)*.
    """
    first, *others = sorted(amounts, key=lambda amount: isinstance(amount, int))
    if isinstance(first, NounPhrase) and _can_be_limited(first) and not any(map(operations, others)):
        bare = (replace(other, grouped=False) if isinstance(other, NounPhrase) else other for other in others)
        limit = Attribute(f"prose.limit_{name}", {"items": Listing(tuple(bare))})
        return replace(first, modifiers=(*first.modifiers, limit))
    *before, last = amounts
    items = (*(grouped(amount, followed=True) for amount in before), grouped(last))
    values: dict[str, Value] = {"items": Listing(items)}
    head = {"least": "lowest", "greatest": "highest"}[name]
    return NounPhrase(context.term(head), ("def",), (Attribute("prose.among", values),))


def group_computed(phrase: NounPhrase) -> NounPhrase:
    """Return a phrase with brackets around the computed numbers in its modifiers, whose operations could seem its own.

    *The number in the table for (x plus 1)* is not the one for x, plus 1.
    """
    modifiers = tuple(
        replace(m, values={name: _group_if_computed(v) for name, v in m.values.items()}) for m in phrase.modifiers
    )
    return phrase if modifiers == phrase.modifiers else replace(phrase, modifiers=modifiers)


def _group_if_computed(value: Value) -> Value:
    match value:
        case Listing(items=items):
            return replace(value, items=tuple(map(_group_if_computed, items)))
        case Mention(entity=entity) if operations(entity.thing) & OPERATIONS:
            return replace(value, grouped=True)
        case NounPhrase() if operations(value) & (ADDITIONS | LIMITS):
            return replace(value, grouped=True)
    return value


def clamped(amount: Amount, low: Amount, high: Amount) -> NounPhrase | None:
    """Return *x, but at least 1 and at most 3*, or None where that is ambiguous."""
    if not isinstance(amount, NounPhrase) or not _can_be_limited(amount):
        return None
    limit = Attribute("prose.limit_both", {"low": low, "high": high})
    return replace(amount, modifiers=(*amount.modifiers, limit))


def _can_be_limited(amount: NounPhrase) -> bool:
    """Return whether bounds after a phrase can only be those of the whole: *x plus 1* ends in a digit."""
    open_ended = amount.grouped or _is_open(amount)
    return operations(amount) <= {Message.SIGN_PLUS, Message.SIGN_MINUS} and not open_ended


def grouped(amount: Amount, followed: bool = False) -> Amount:
    """Return an operand, in brackets if it is computed or if what follows it could seem to be a part of it."""
    if isinstance(amount, NounPhrase) and (operations(amount) or (followed and _is_open(amount))):
        return replace(amount, grouped=True)
    return amount


def _is_open(thing: Value) -> bool:
    """Return whether a phrase ends in a relative clause or speaks of every one of several things.

    *Of every square that lies in row 1 plus 2* has three readings.
    """
    match thing:
        case Mention(entity=Entity(passing=True, thing=NounPhrase() as each)):
            return each.words[:1] == ("every",) or _is_open(each)
        case NounPhrase(modifiers=modifiers):
            return any(isinstance(m, Relative) or any(map(_is_open, m.values.values())) for m in modifiers)
    return False


def _result(context: ProseContext, head: str, left: Amount, right: Amount) -> NounPhrase:
    """Return *the sum of x and y*."""
    values: dict[str, Value] = {"one": grouped(left, followed=True), "two": grouped(right)}
    return NounPhrase(context.term(head), ("def",), (Attribute("prose.between", values),))


def guard_implied_by_move(
    condition: s.Expression, body: s.Block, given: Mapping[str, s.Expression] | None = None
) -> bool:
    """Return whether a condition only requires what the first statement removes.

    `z[a, k] > 0` before `move 1 k from z[a]`: a missing token cannot be moved. Other numbers are significant. `given`
    are the arguments of a called rule with this body.
    """
    match condition, next((part for part in body if not isinstance(part, s.Let)), None):
        case (
            s.Compare(operator=">", left=s.Indexed(name=zone, indices=indices), right=s.Number(value=0)),
            s.MoveTokens(count=s.Number(value=1), kind=kind, origin=origin),
        ):
            named = isinstance(origin, s.Indexed | s.Of) and origin.name == zone
            nodes = (*s.index_nodes(origin), kind)
            moved = tuple((given or {}).get(n.text, n) if isinstance(n, s.Name) else n for n in nodes)
            return named and s.same(moved, tuple(indices))
    return False


def guard_implied_by_gain(condition: s.Expression, body: s.Block) -> bool:
    """Return whether a condition only requires that the gained or lost points are positive."""
    match condition, body:
        case s.Compare(operator=">", left=amount, right=s.Number(value=0)), (s.Gain(amount=given),):
            return s.same(amount, given)
    return False


def guard_implied_by_shuffle(condition: s.Expression, body: s.Block) -> bool:
    """Return whether a condition only requires that the pile which is moved and shuffled is not empty."""
    match condition, body:
        case s.Empty(zone=zone, negated=True), (s.MoveAll(origin=origin), s.Shuffle()):
            return s.same(zone, origin)
    return False


def is_reshuffle(condition: s.Expression, body: s.Block) -> bool:
    """Return whether an empty pile is replenished from another place."""
    match condition, body:
        case s.Empty(zone=zone, negated=False), (s.MoveAll(target=goal), s.Shuffle(zone=pile)):
            return s.same(zone, goal) and s.same(zone, pile)
    return False


def first_effects(body: s.Block) -> tuple[s.Block, ...]:
    """Return the blocks that a body can begin with: inside conditions and loops, and of every option."""
    match body:
        case (s.If(branches=branches, otherwise=rest), *_) if rest:
            return tuple(deed for block in (*(b for _, b in branches), rest) for deed in first_effects(block))
    if len(body) == 1:
        match body[0]:
            case s.Choose(options=choices):
                return tuple(deed for choice in choices for deed in first_effects(choice.body))
            case s.Repeat(kind="times", body=inner) | s.If(branches=((_, inner),), otherwise=()):
                return first_effects(inner)
    return (body,)


def common_effect_of_branches(statement: s.If) -> s.Block:
    """Return the common effect if branches differ only in their messages, else empty."""
    rest = statement.otherwise
    return rest if rest and all(s.same(_silent(block), _silent(rest)) for _, block in statement.branches) else ()


def _silent(block: s.Block) -> s.Block:
    return tuple(replace(part, message=None) if isinstance(part, s.EventStatement) else part for part in block)


def is_narration_only(body: s.Block) -> bool:
    """Return whether a block only emits messages."""
    return all(
        isinstance(part, s.Tell) or (isinstance(part, s.KeywordStatement) and part.word == "nothing") for part in body
    )


def is_unreachable(body: s.Block) -> bool:
    """Return whether a block only marks an unreachable case."""
    return len(body) == 1 and isinstance(body[0], s.KeywordStatement) and body[0].word == "impossible"


def only_conditional(block: s.Block) -> tuple[s.If, s.Expression, s.Block] | None:
    """Return the conditional without alternatives that a block consists of, with its condition and body; or None."""
    match block:
        case (s.If(branches=((condition, body),), otherwise=()) as only,):
            return only, condition, body
    return None


def pile_of_top(block: s.Block) -> s.Expression | None:
    """Return the pile whose top card a block of one statement moves."""
    match block:
        case (s.Move(what=s.Of(name="top", owner=pile)),):
            return pile
    return None


def exits(block: s.Block, where: Exit = "last") -> Iterator[tuple[s.Node, Exit]]:
    """Yield the statements that end a rule with such a body, and the conditionals that take in what follows them."""
    for index, statement in enumerate(block):
        rest = block[index + 1 :]
        if ends_rule(statement):
            yield statement, where
        if rest and where == "last" and any(map(ends_rule, s.walk(statement))):
            if isinstance(statement, s.If) and (whole := with_rest(statement, rest)) is not None:
                yield statement, "last"
                yield from exits((whole,))
                return
            inner: Exit = "within"
        else:
            inner = where
        if statement.loops:
            inner = "loop" if inner == "last" else "within"
        elif isinstance(statement, s.ChooseSimultaneously):
            inner = "within"
        for body in s.blocks(statement):
            yield from exits(body, inner)


def constant_holder_argument(context: ProseContext, article: s.Declaration, at: int) -> s.Expression | None:
    """Return the `holder of X` that every call passes for the parameter at index `at`, or None.

    The argument is independent of the caller's names, and the rule does not change its value.
    """
    if not isinstance(article, s.Rule):
        return None
    name = article.name.text
    if context.model.code.rules.get(name) is not article:
        return None
    calls = [node for node in context.facts.nodes(s.Called) if node.name == name]
    values = [call.arguments[at] if at < len(call.arguments) else None for call in calls]
    held = next((argument for argument in values if isinstance(argument, s.Of) and argument.name == "holder"), None)
    if held is None:
        return None
    rules = closure([article], lambda rule: rules_called(context.model, rule.body))
    reached = [node for rule in rules for node in s.walk(rule.body)]
    handing: list[s.Node] = [node for node in reached if isinstance(node, s.Take | s.Perform)]
    assignments = (node for node in reached if isinstance(node, s.Assign))
    handing += (node for node in assignments if context.ref(node.target).kind == "holder")
    decisive = [*calls, *handing, *(node for node in reached if isinstance(node, s.Called))]
    context.log.depends_on(article.parameters[at].name, *decisive)
    return held if not handing and all(value is not None and s.same(held, value) for value in values) else None


def ignores_place(context: ProseContext, where: s.Expression, card: Local | None) -> bool:
    """Return whether no card that a name can denote uses the place `where` it is resolved."""
    model, facts = context.model, context.facts
    offers = (offer for offer in facts.nodes(s.OptionParameter) if model.locals[offer.name] is card)
    zone = next((context.ref(offer.domain.base) for offer in offers), None)
    if zone is None or zone.kind != "zone":
        return False
    filled = [fill for fill in facts.nodes(s.Fill) if _names(model, fill.zone, zone)]
    moves: list[s.Move | s.MoveAll | s.Lay] = [*facts.nodes(s.Move), *facts.nodes(s.MoveAll), *facts.nodes(s.Lay)]
    moved = [move for move in moves if _names(model, move.target, zone)]
    names = [fill.filling.text for fill in filled if isinstance(fill.filling, s.Name) and fill.count is None]
    articles = (a for a in model.merged.articles if isinstance(a, s.Deck) and a.name.text in names)
    context.log.depends_on(where, *filled, *moved, *articles)
    if moved or len(names) < len(filled):
        return False
    decks = [(model.cards[deck.cards.name], deck.copies) for deck in map(model.declared.decks.__getitem__, names)]
    kinds = {(sort.name, sort.faces[face].kind) for sort, copies in decks for face, count in copies if count}
    effects = [e for sort, kind in kinds for e in model.code.effects.get(sort, ()) if e.name.text == kind]
    places = [(node, model.ref(node).local) for effect in effects for node in s.walk(effect.body)]
    places = [(node, local) for node, local in places if local is not None and local.type.kind == "board"]
    context.log.depends_on(where, *(node for node, _ in places))
    given = {local for effect in effects for local in model.parameters.get(effect, ())}
    return all(local not in given for _, local in places)


def _names(model: Model, tree: s.Expression, meant: Ref) -> bool:
    return any((ref.kind, ref.name) == (meant.kind, meant.name) for ref in map(model.ref, s.walk(tree)))


def direction_in(model: Model, node: s.Node) -> tuple[s.Expression, str] | None:
    """Return the direction in a node, with its lattice, or None."""
    ref = model.ref(node)
    match node:
        case s.Called(name="step", arguments=(_, way, *_)) if ref.kind == "step":
            return way, model.types[node].name
        case s.Called(name="side", arguments=(card, way)) if ref.kind == "side":
            return way, _ground(model, card)
        case s.Domain(kind="along", base=base, first=s.Node() as way):
            return way, model.types[base].name
        case s.Lay(what=card, turned=way):
            return way, _ground(model, card)
    return None


def _ground(model: Model, card: s.Expression) -> str:
    """Return the lattice on which a card is laid."""
    boards = (z.board for z in model.declared.zones.values() if z.board and z.holds == model.types[card])
    return next(boards, next(name for name, board in model.boards.items() if board.steps))


def lattice_of(model: Model, e: s.Expression) -> str | None:
    """Return the lattice of an expression that is a direction, or None for another value."""
    match e:
        case s.Conditional(then=then, other=other):
            return lattice_of(model, then) and lattice_of(model, other)
        case s.Quantified(kind="first" | "random", domain=domain):
            return lattice_of(model, domain.base)
    ref = model.ref(e)
    if ref.kind in ("define", "rule"):
        return model.lattices.get(model.code.called(ref.kind, ref.name))
    if isinstance(e, s.Name) and e.text in SQUARE_WAYS and ref.kind == "value" and model.types[e].kind == "number":
        return next(name for name, board in model.boards.items() if e.text in board.direction_names)
    if ref.kind == "facing" and isinstance(e, s.Called):
        return _ground(model, e.arguments[0])
    return ref.name if ref.kind == "direction" else model.lattices.get(ref.local) if ref.local is not None else None


def opposite_of(model: Model, e: s.Expression, board: str) -> s.Expression | None:
    """Return the direction from which an expression is half a turn away, or None."""
    count = model.boards[board].directions
    match e:
        case s.Binary(operator="mod", left=turned, right=full) if s.written_number(full) == count:
            return opposite_of(model, turned, board)
        case s.Binary(operator="+", left=way, right=half) if s.written_number(half) == count // 2:
            return way
    return None


def numbered_directions(model: Model, facts: GameFacts, board: str) -> tuple[s.Node, ...]:
    """Return the nodes that use numbers as directions of a lattice, or its directions as numbers."""
    if any(_lists_directions(model, table, board) for table in model.tables.values()):
        return ()
    nodes = (*facts.nodes(s.Called), *facts.nodes(s.Domain), *facts.nodes(s.Lay))
    directed = [(node, *way) for node in nodes if (way := direction_in(model, node)) is not None]
    lets: dict[Local | None, s.Expression] = {model.locals[let.variable]: let.value for let in facts.following}
    for stored in facts.nodes(s.Assign):
        lets.pop(model.ref(stored.target).local, None)
    ways = [(node, lets.get(model.ref(way).local, way), lattice) for node, way, lattice in directed]
    turns = {
        inner
        for _, way, lattice in ways
        if (start := opposite_of(model, way, lattice)) is not None
        for inner in {*s.walk(way)} - {*s.walk(start)}
    }
    computed = (
        node
        for node, way, lattice in ways
        if lattice == board and not _has_name(model, opposite_of(model, way, lattice) or way)
    )
    counted = (node for node, e in _numbers_in(model, facts) if node not in turns and lattice_of(model, e) == board)
    return (*computed, *counted)


def _has_name(model: Model, way: s.Expression) -> bool:
    """Return whether a direction has a name: it is a literal, or certainly no other number."""
    return s.written_number(way) is not None or lattice_of(model, way) is not None


def _numbers_in(model: Model, facts: GameFacts) -> Iterator[tuple[s.Node, s.Expression]]:
    """Yield the operands of computations and comparisons and the numbers that are gained or stored, with their node."""
    for sum_ in facts.nodes(s.Binary):
        yield from ((sum_, side) for side in (sum_.left, sum_.right))
    for compared in facts.nodes(s.Compare):
        sides = (compared.left, compared.right)
        if compared.operator not in ("=", "!=") or not all(_has_name(model, side) for side in sides):
            yield from ((compared, side) for side in sides)
    yield from ((gain, gain.amount) for gain in facts.nodes(s.Gain))
    for stored in facts.nodes(s.Assign):
        if model.ref(stored.target).name not in facts.unread and lattice_of(model, stored.target) is None:
            yield stored, stored.value


def _lists_directions(model: Model, table: TableData, board: str) -> bool:
    """Return whether a table of the game has the number of each direction of a lattice."""
    names = model.boards[board].direction_names
    match table.keys:
        case [Type(kind="enum") as kind] if table.value.kind == "number" and model.enums[kind.name] == names:
            return table.cells[-len(names) :] == tuple(range(len(names)))
    return False
