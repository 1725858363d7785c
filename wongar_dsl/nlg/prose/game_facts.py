"""Facts about the rules as a whole, computed once for the verbalisation of many rules."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.dependence import Freshness, LoopOrder, Nullability
from wongar_dsl.language.dataflow.effects import CallGraph
from wongar_dsl.language.semantics import Local, Model, TableData, Type
from wongar_dsl.language.semantics.boards import SQUARE_WAYS
from wongar_dsl.nlg.prose.redundant_assignments import ResetIndex, redundant_statements
from wongar_dsl.nlg.prose.verbalisation_log import Why

N = TypeVar("N", bound=s.Node)


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Global analysis results for the rules of a game.

    `unread` are stored values that only messages read. `reset_index` analyses stored values, and `redundant` are
    redundant statements with the reason. `following` maps each `let` to the statements after it in its block. `dead`
    are unreachable rules and definitions and the effects of cards that are not in the game, whose nodes are not
    indexed. `faces` are the numbers of the cards in the game, by sort. `numbers` are names of numbers that occur
    together in a quantified expression, and `quantified` all names of quantified expressions. `copied` are the sorts of
    cards that may have several cards of a kind, and `kinds` the names that stand for kinds of cards. `revealed`
    are the arguments of messages that show something hidden to all players.
    """

    unread: frozenset[str]
    revealed: frozenset[s.Node]
    reset_index: ResetIndex
    redundant: Mapping[s.Node, Why]
    freshness: Freshness
    nullable: Nullability
    loops: LoopOrder
    following: Mapping[s.Let, s.Block]
    dead: frozenset[s.Declaration]
    faces: Mapping[str, frozenset[int]]
    numbers: frozenset[Local]
    quantified: frozenset[Local]
    copied: frozenset[str]
    kinds: frozenset[Local]
    calls: CallGraph
    _nodes: Mapping[type[s.Node], Sequence[s.Node]]

    @classmethod
    def of(cls, model: Model) -> GameFacts:
        """Analyse the rules of a game; the analyses of the latest games are cached."""
        facts = next((facts for analysed, facts in tuple(_latest) if analysed is model), None)
        if facts is None:
            facts = cls._analyse(model)
            _latest.append((model, facts))
        return facts

    @classmethod
    def _analyse(cls, model: Model) -> GameFacts:
        by_article: dict[s.Declaration, tuple[s.Node, ...]] = {a: tuple(s.walk(a)) for a in model.code.articles}
        faces = _faces_in_game(model, by_article)
        dead = _unreached(model, by_article, faces)
        nodes: dict[type[s.Node], list[s.Node]] = {}
        for article, tree in by_article.items():
            for node in () if article in dead else tree:
                nodes.setdefault(type(node), []).append(node)
        reset_index = ResetIndex(model)
        following = {let: rest for article in model.code.procedures for let, rest in _statements_after(article.body)}
        over = [node for node in nodes.get(s.Quantified, ()) if isinstance(node, s.Quantified)]
        quantified = frozenset(model.locals[node.variable] for node in over)
        calls = CallGraph(model, model.code)
        return cls(
            unread_values(model),
            frozenset(_revealed(model)),
            reset_index,
            redundant_statements(reset_index),
            Freshness(model),
            Nullability(model),
            LoopOrder(model, calls),
            following,
            dead,
            faces,
            frozenset[Local]().union(*_numbers(model, over)),
            quantified,
            frozenset(_copied(model, by_article)),
            frozenset(_kinds(model, by_article)),
            calls,
            nodes,
        )

    def nodes(self, sort: type[N]) -> Iterator[N]:
        """Yield the nodes of a type, in the order of the rules."""
        for node in self._nodes.get(sort, ()):
            assert isinstance(node, sort)
            yield node


#: The conditions and options under which a call is made.
Occasion = tuple[object, ...]

#: The latest analysed games with their facts: one command asks for the same game several times.
_latest: deque[tuple[Model, GameFacts]] = deque(maxlen=16)


def _numbers(model: Model, asked: Sequence[s.Quantified]) -> Iterator[frozenset[Local]]:
    """Yield the names of numbers that occur together in a quantified expression."""
    for node in asked:
        if model.locals[node.variable].type.kind != "number":
            continue
        refs = (model.refs.get(inner) for inner in s.walk(node))
        names = frozenset(ref.local for ref in refs if ref is not None and ref.local is not None)
        numbers = frozenset(local for local in names if local.type.kind == "number")
        if len(numbers) > 1:
            yield numbers


def _statements_after(block: s.Block) -> Iterator[tuple[s.Let, s.Block]]:
    for index, statement in enumerate(block):
        if isinstance(statement, s.Let):
            yield statement, block[index + 1 :]
        for inner in s.blocks(statement):
            yield from _statements_after(inner)


def calls(tree: object) -> Iterator[s.Called]:
    """Yield the calls of rules and definitions in a tree, in order."""
    return (node for node in s.walk(tree) if isinstance(node, s.Called))


def occasions(tree: object, name: str, around: Occasion = ()) -> Iterator[Occasion]:
    """Yield the conditions and options around each call of a rule or definition."""
    if all(call.name != name for call in calls(tree)):
        return
    match tree:
        case tuple():
            for part in tree:
                yield from occasions(part, name, around)
        case s.If(branches=branches, otherwise=otherwise):
            for index, (condition, block) in enumerate(branches):
                yield from occasions(condition, name, around)
                yield from occasions(block, name, (*around, tuple(c for c, _ in branches[: index + 1])))
            yield from occasions(otherwise, name, (*around, "otherwise", tuple(c for c, _ in branches)))
        case s.Option(name=option, condition=condition):
            inside = (*around, option, condition)
            yield from (o for part in s.field_names(s.Option) for o in occasions(getattr(tree, part), name, inside))
        case s.Node():
            if isinstance(tree, s.Called) and tree.name == name:
                yield around
            for part in s.field_names(type(tree)):
                yield from occasions(getattr(tree, part), name, around)


def _faces_in_game(model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]]) -> Mapping[str, frozenset[int]]:
    """Return the cards of each sort of which a deck has copies; all of a sort that does not come from decks alone."""
    copies: dict[str, set[int]] = {}
    for deck in model.declared.decks.values():
        copies.setdefault(deck.cards.name, set()).update(face for face, count in deck.copies if count)
    fills = (node for tree in by_article.values() for node in tree if isinstance(node, s.Fill))
    filled = {kind.name for fill in fills if (kind := model.types.get(fill.filling)) is not None}
    return {
        name: frozenset(range(len(sort.faces)) if name in filled else copies.get(name, range(len(sort.faces))))
        for name, sort in model.cards.items()
    }


def _copied(model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]]) -> Iterator[str]:
    """Yield the sorts of cards that may have several cards of a kind."""
    every = [node for tree in by_article.values() for node in tree]
    repeated = {node for loop in every if isinstance(loop, s.ForEach | s.Repeat) for node in s.walk(loop.body)}
    fills = [node for node in every if isinstance(node, s.Fill)]
    for name in model.cards:
        decks = {word: deck.copies for word, deck in model.declared.decks.items() if deck.cards.name == name}
        uses = [fill for fill in fills if isinstance(fill.filling, s.Name) and fill.filling.text in decks]
        single = any(fill.count is not None and model.types[fill.filling].name == name for fill in fills)
        counted = Counter(face for copies in decks.values() for face, count in copies for _ in range(count))
        if single or len(uses) > len(decks) or not repeated.isdisjoint(uses) or max(counted.values(), default=2) > 1:
            yield name


def _kinds(model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]]) -> Iterator[Local]:
    """Yield the names that stand for kinds of cards, and not for single ones."""
    for node in (node for tree in by_article.values() for node in tree):
        match node:
            case (
                s.ForEach(variable=name, domain=domain)
                | s.Quantified(variable=name, domain=domain)
                | s.OptionParameter(name=name, domain=domain)
            ) if model.locals[name].type.kind == "cards":
                ref = model.refs.get(domain.base)
                if domain.kind == "kinds" or (ref is not None and ref.kind == "type"):
                    yield model.locals[name]


def _unreached(
    model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]], faces: Mapping[str, frozenset[int]]
) -> frozenset[s.Declaration]:
    """Return the rules and definitions that are unreachable from the set-up, the play, the cards and the winner.

    The effects of cards that are not in the game are unreachable too.
    """
    named: dict[str, s.Declaration] = {**model.code.defines, **model.code.rules}
    idle = {
        effect
        for sort, effects in model.code.effects.items()
        for effect in effects
        if effect.name.text not in {model.cards[sort].faces[face].kind for face in faces[sort]}
    }
    remaining = {*named.values(), *idle}
    waiting: list[s.Declaration] = [article for article in model.code.articles if article not in remaining]
    while waiting:
        for call in by_article[waiting.pop()]:
            article = named.get(call.name) if isinstance(call, s.Called) else None
            if article in remaining:
                remaining.remove(article)
                waiting.append(article)
    return frozenset(remaining)


def unreached_with_cards(model: Model) -> frozenset[s.Declaration]:
    """Return the declarations that cannot be reached with the cards in the game."""
    facts = GameFacts.of(model)
    present = {name: {sort.faces[face].kind for face in facts.faces[name]} for name, sort in model.cards.items()}
    absent = frozenset(kind for name, sort in model.cards.items() for kind in {*sort.kinds} - present[name])
    by_article: dict[s.Declaration, Sequence[s.Node]] = {
        a: () if a in facts.dead else tuple(_possible(a, absent)) for a in model.code.articles
    }
    return facts.dead | _unreached(model, by_article, facts.faces)


def _possible(tree: object, absent: frozenset[str]) -> Iterator[s.Node]:
    """Yield the descendants of a node, without blocks under a condition on a card of an `absent` kind."""
    match tree:
        case tuple():
            for part in tree:
                yield from _possible(part, absent)
        case s.If(branches=branches, otherwise=otherwise):
            yield from _possible(tuple(pair for pair in branches if not _asks_for(pair[0], absent)), absent)
            yield from _possible(otherwise, absent)
        case s.Repeat(kind="while", subject=subject) if _asks_for(subject, absent):
            return
        case s.Node():
            yield tree
            for name in s.field_names(type(tree)):
                yield from _possible(getattr(tree, name), absent)


def _asks_for(condition: s.Expression | None, kinds: frozenset[str]) -> bool:
    """Return whether a condition requires a card of one of these kinds."""
    equal = (part for part in s.conjuncts(condition) if isinstance(part, s.Compare) and part.operator == "=")
    return any(isinstance(side, s.Name) and side.text in kinds for part in equal for side in (part.left, part.right))


def unread_values(model: Model) -> frozenset[str]:
    """Return the stored values that only messages and their own assignments read, and that show nothing hidden."""
    read: set[str] = set()
    for article in model.code.articles:
        for node in _asking(article):
            ref = model.refs.get(node)
            if ref is not None and ref.kind == "remember":
                read.add(ref.name)
    return frozenset(model.declared.remembered) - read - _showing_secrets(model)


def _showing_secrets(model: Model) -> frozenset[str]:
    """Return the stored values by which a player learns what is hidden: private ones, and those that depend on it."""
    sources: dict[str | Local, list[object]] = {}
    for node in (node for article in model.code.articles for node in s.walk(article)):
        for local, source in _introduced(model, node):
            sources.setdefault(local, []).append(source)
        match node:
            case s.Define(name=name) | s.Rule(name=name):
                sources.setdefault(name.text, []).append(node)
            case s.If(branches=branches):
                for inner in s.walk(node):
                    if isinstance(inner, s.Assign) and (ref := model.refs.get(inner.target)) is not None:
                        sources.setdefault(ref.local or ref.name, []).extend(condition for condition, _ in branches)
            case s.Assign(target=target, value=source) if (ref := model.refs.get(target)) is not None:
                sources.setdefault(ref.local or ref.name, []).append(source)
            case s.Called(name=name, arguments=arguments) if (rule := model.code.rules.get(name)) is not None:
                for parameter, argument in zip(rule.parameters, arguments, strict=True):
                    sources.setdefault(model.locals[parameter.name], []).append(argument)
    read = {
        name: {ref.local or ref.name for node in s.walk(tuple(trees)) if (ref := model.refs.get(node)) is not None}
        for name, trees in sources.items()
    }
    remembered = model.declared.remembered
    secret: set[str | Local] = {zone.name for zone in model.declared.zones.values() if zone.seen != "all"}
    secret |= {value.name for value in remembered.values() if value.seen != "all"}
    while dependent := {name for name, names in read.items() if name not in secret and not names.isdisjoint(secret)}:
        secret |= dependent
    return frozenset(name for name, value in remembered.items() if name in secret and value.seen != "nobody")


def _revealed(model: Model) -> Iterator[s.Node]:
    """Yield the arguments of `tell` that show something hidden, or a thing that is chosen from it and stays there."""
    seen = {zone.name: zone.seen for zone in model.declared.zones.values()}
    seen |= {value.name: value.seen for value in model.declared.remembered.values()}
    chosen: set[Local] = set()

    def shows(value: s.Node) -> bool:
        refs = [(node, ref) for node in s.walk(value) if (ref := model.refs.get(node)) is not None]
        counted = {inner for node, ref in refs if ref.kind == "size" for inner in s.walk(node)}
        return any(
            ref.local in chosen
            if ref.local is not None
            else seen.get(ref.name, "all") in (("nobody",) if node in counted else ("owner", "number", "nobody"))
            for node, ref in refs
        )

    for article in model.code.articles:
        nodes = tuple(s.walk(article))
        moved = [node.what for node in nodes if isinstance(node, s.Move | s.Lay)]
        moved_locals = {ref.local for what in moved if (ref := model.refs.get(what)) is not None}
        for node in nodes:
            for local, source in _introduced(model, node):
                stays = local not in moved_locals and not any(s.same(source, what) for what in moved)
                if stays and local.type.kind != "player" and shows(source):
                    chosen.add(local)
            if isinstance(node, s.Tell):
                yield from (argument for argument in node.message.arguments if shows(argument.value))


def _introduced(model: Model, node: s.Node) -> Iterator[tuple[Local, s.Node]]:
    """Yield the name that a statement or an option introduces, with the expression or domain of its value."""
    match node:
        case (
            s.Let(variable=name, value=source)
            | s.ForEach(variable=name, domain=source)
            | s.OptionParameter(name=name, domain=source)
        ):
            yield model.locals[name], source


def _asking(node: object) -> Iterator[s.Node]:
    """Yield the descendants of a node, except for messages and assignment targets."""
    match node:
        case tuple():
            for item in node:
                yield from _asking(item)
        case s.MessageRef():
            return
        case s.Assign(target=target, value=value):
            yield from (n for index in s.index_nodes(target) for n in _asking(index))
            yield from (n for n in _asking(value) if not s.same(n, target))
        case s.Node():
            yield node
            for name in s.field_names(type(node)):
                yield from _asking(getattr(node, name))


def direction_in(model: Model, node: s.Node) -> tuple[s.Expression, str] | None:
    """Return the direction in a node, with its lattice, or None."""
    ref = model.refs.get(node)
    match node:
        case s.Called(name="step", arguments=(_, way, *_)) if ref is not None and ref.kind == "step":
            return way, model.types[node].name
        case s.Called(name="side", arguments=(card, way)) if ref is not None and ref.kind == "side":
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
    ref = model.refs.get(e)
    if ref is None:
        return None
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
        lets.pop(_local(model, stored.target), None)
    ways = [(node, lets.get(_local(model, way), way), lattice) for node, way, lattice in directed]
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


def _local(model: Model, e: s.Expression) -> Local | None:
    ref = model.refs.get(e)
    return ref.local if ref is not None else None


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
        target = model.refs.get(stored.target)
        if target is not None and target.name not in facts.unread and lattice_of(model, stored.target) is None:
            yield stored, stored.value


def _lists_directions(model: Model, table: TableData, board: str) -> bool:
    """Return whether a table of the game has the number of each direction of a lattice."""
    names = model.boards[board].direction_names
    match table.keys:
        case [Type(kind="enum") as kind] if table.value.kind == "number" and model.enums[kind.name] == names:
            return table.cells[-len(names) :] == tuple(range(len(names)))
    return False


def point_loss(model: Model, facts: GameFacts, score: str) -> tuple[bool, tuple[s.Node, ...]]:
    """Return whether a score can decrease, so that it has no lower bound, and the nodes that decide this."""
    gains = [node for node in facts.nodes(s.Gain) if node.score.text == score]
    switches = [
        (node, block, ref.name)
        for node in facts.nodes(s.If)
        for condition, block in node.branches
        if (ref := model.refs.get(condition)) is not None and ref.kind == "option"
    ]
    off = {g for _, block, name in switches if not model.settings[name].start for g in s.walk(block)}
    around = [node for node, _, _ in switches if not set(gains).isdisjoint(s.walk(node))]
    return any(gain.loses and gain not in off for gain in gains), (*gains, *around)


def order_queries(model: Model, kind: str) -> tuple[s.Node, ...]:
    """Return the expressions that use the position within an enumeration, so that its order matters."""
    lookups = (e for e, ref in model.refs.items() if ref.kind == "position" and isinstance(e, s.Indexed | s.Of))
    return tuple(e for e in lookups if model.types[s.index_nodes(e)[0]].name == kind)


def adjacency_queries(facts: GameFacts, board: str) -> tuple[s.Domain, ...]:
    """Return the domains that depend on the adjacency of a board's areas."""
    asking = (domain for domain in facts.nodes(s.Domain) if domain.kind in ("touching", "within", "reached"))
    return tuple(domain for domain in asking if isinstance(domain.base, s.Name) and domain.base.text == board)
