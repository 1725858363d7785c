"""Mutation operators on the syntax tree of a game, one change at a time.

Operators only propose changes; the checker decides whether a mutant is a valid game. Those at the end change the time
and number of evaluations, or the order of quantifiers. They detect rulebooks that read the same for different games: by
writing out a stored value where it is used, by forgetting a reset because another rule calls it, or by omitting the
outer of two quantifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

from wongar_dsl.base.span import Source, Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast.traversal import walk
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.language.variants.merge import MergedRules

Step = str | int
Path = tuple[Step, ...]

#: Replacements of operators.
COMPARISONS = {
    "=": ("!=",), "!=": ("=",), "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="),
}  # fmt: skip
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "div": "*", "mod": "div"}
QUANTIFIERS = {"some": "none", "none": "some", "every": "some", "highest": "lowest", "lowest": "highest"}
PROPERTIES = {"left": "right", "right": "left", "top": "bottom", "bottom": "top", "space": "spaces", "row": "column"}
SEEN = ("all", "owner", "number", "nobody")
#: Maximum number of replacements of a name.
MAX_EXCHANGED_NAMES = 2


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the declaration, the path to the changed part, its new value, its source span, and a description.

    `added` are new declarations.
    """

    key: tuple[str, str]
    path: Path
    new: object
    span: Span
    what: str
    added: tuple[s.Declaration, ...] = ()

    def __str__(self) -> str:
        line = self.span.source.line(self.span.line).strip()
        return f"{self.span.source.name}:{self.span.line}: {self.what}: {line}"


def mutated(merged: MergedRules, mutant: Mutant) -> MergedRules:
    """Return the game with one change."""
    articles = tuple(
        _put(article, mutant.path, mutant.new) if s.key_of(article) == mutant.key else article
        for article in merged.articles
    )
    return replace(merged, articles=(*articles, *mutant.added))


def _put(node: object, path: Path, new: object) -> object:
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        assert isinstance(node, tuple)
        return (*node[:step], _put(node[step], rest, new), *node[step + 1 :])
    return replace(node, **{step: _put(getattr(node, step), rest, new)})  # type: ignore[type-var]


def mutants(model: Model, source: Source) -> Iterator[Mutant]:
    """Yield every change of the parts of a game in one file, in declaration order."""
    for article in model.merged.articles:
        visitor = _Article(model, s.key_of(article), source)
        for path, node in _under(article, ()):
            if isinstance(node, s.Node) and node.span.source == source:
                yield from visitor.at(node, path)


class _Article:
    def __init__(self, model: Model, key: tuple[str, str], source: Source) -> None:
        self.model, self.key, self.source = model, key, source
        self.names: dict[Type, list[str]] = {}
        self.articles = {s.key_of(article): article for article in model.merged.articles}
        for node in walk(self.articles[key]) if key in self.articles else ():
            local = model.locals.get(node)
            ref = model.refs.get(node)
            local = local or (ref.local if ref is not None else None)
            if local is not None and local.name not in self.names.setdefault(local.type, []):
                self.names[local.type].append(local.name)

    def make(self, node: s.Node, path: Path, what: str, new: object) -> Mutant:
        return Mutant(self.key, path, new, node.span, what)

    def at(self, node: s.Node, path: Path) -> Iterator[Mutant]:
        """Yield the changes of one node."""
        if isinstance(node, s.Declaration):
            yield from self.article(node, path)
        elif isinstance(node, s.Expression):
            yield from self.expression(node, path)
        elif isinstance(node, s.Statement):
            yield from self.statement(node, path)
        elif isinstance(node, s.Domain):
            yield from self.domain(node, path)
        elif isinstance(node, s.Option):
            if node.condition is not None:
                yield self.make(node, path, "condition dropped", replace(node, condition=None))
                if not _turned(node.condition):
                    yield self.make(node, path, "condition negated", replace(node, condition=_not(node.condition)))
            yield from self.block(node.body, (*path, "body"))
        elif isinstance(node, s.CoveringTask) and len(node.sets) > 1:
            index = node.span.line % (len(node.sets) - 1)
            sets = (*node.sets[:index], node.sets[index + 1], node.sets[index], *node.sets[index + 2 :])
            yield self.make(node, path, f"sets {index + 1} and {index + 2} exchanged", replace(node, sets=sets))
        elif isinstance(node, s.Crossing) and len(node.paths) > 1:
            front, two, *others = node.paths
            first, second = (front.sides[0], two.sides[1]), (two.sides[0], front.sides[1])
            new = (replace(front, sides=first), replace(two, sides=second), *others)
            yield self.make(node, path, "ends of two paths exchanged", replace(node, paths=new))
        elif isinstance(node, s.Path):
            yield self.make(node, path, f"{node.number} -> {node.number + 1}", replace(node, number=node.number + 1))
        elif isinstance(node, s.TrackPhase):
            for number in (node.spaces + 1, node.spaces - 1):
                yield self.make(node, path, f"{node.spaces} -> {number}", replace(node, spaces=number))
        elif isinstance(node, s.RankingLine):
            opposite = "fewest" if node.extreme == "most" else "most"
            yield self.make(node, path, f"{node.extreme} -> {opposite}", replace(node, extreme=opposite))

    # ---- declarations ----

    def article(self, node: s.Declaration, path: Path) -> Iterator[Mutant]:
        match node:
            case s.Zone() | s.Remember():
                for seen in SEEN:
                    if seen != node.seen:
                        label = f"seen by {node.seen} -> {seen}"
                        yield Mutant(self.key, path, replace(node, seen=seen), node.span, label)
            case s.Deck():
                for number, copies in enumerate(node.copies):
                    if copies.span.source != self.source:
                        continue
                    for count in (copies.count + 1, copies.count - 1):
                        if count < 0:
                            continue
                        changed = replace(copies, count=count)
                        total = node.total and node.total + count - copies.count
                        every = (*node.copies[:number], changed, *node.copies[number + 1 :])
                        label = f"{copies.count} -> {count}"
                        yield Mutant(self.key, path, replace(node, copies=every, total=total), copies.span, label)
            case s.Board():
                for number, row in enumerate(node.rows):
                    if len(row) > 1:
                        rows = (*node.rows[:number], (row[1], row[0], *row[2:]), *node.rows[number + 1 :])
                        yield Mutant(self.key, path, replace(node, rows=rows), row[0].span, "two areas exchanged")
                if node.rows:
                    yield self.make(node, path, "offset", replace(node, offset=not node.offset))
                # Areas of a round board are named by their distance from the edge, so all names would change.
                if node.lattice is not None and node.lattice[0] != "round":
                    kind, size, two = node.lattice
                    for lattice in ((kind, size + 1, two), (kind, size, two - 1)):
                        yield self.make(node, path, f"{node.lattice} -> {lattice}", replace(node, lattice=lattice))
            case s.Winner():
                lines = node.ranking
                for number in range(len(lines) if len(lines) > 1 else 0):
                    remaining = (*lines[:number], *lines[number + 1 :])
                    yield Mutant(self.key, path, replace(node, ranking=remaining), lines[number].span, "line dropped")
                for number in range(len(lines) - 1):
                    turned = (*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :])
                    label = "two lines exchanged"
                    yield Mutant(self.key, path, replace(node, ranking=turned), lines[number].span, label)
            case s.Procedure():
                yield from self.block(node.body, (*path, "body"))

    # ---- statements ----

    def block(self, body: s.Block, path: Path) -> Iterator[Mutant]:
        for number, node in enumerate(body):
            if len(body) > 1:
                yield self.make(node, path, "dropped", (*body[:number], *body[number + 1 :]))
            if number + 1 < len(body):
                new = (*body[:number], body[number + 1], node, *body[number + 2 :])
                yield self.make(node, path, "exchanged with the next", new)

    def statement(self, node: s.Statement, path: Path) -> Iterator[Mutant]:
        match node:
            case s.If():
                for number, (condition, body) in enumerate(node.branches):
                    if not _turned(condition):
                        yield self.make(condition, (*path, "branches", number, 0), "negated", _not(condition))
                    yield from self.block(body, (*path, "branches", number, 1))
                if node.otherwise:
                    yield self.make(node.otherwise[0], path, "otherwise dropped", replace(node, otherwise=()))
                    yield from self.block(node.otherwise, (*path, "otherwise"))
            case s.Repeat():
                if node.kind in ("while", "until"):
                    opposite = "until" if node.kind == "while" else "while"
                    yield self.make(node, path, f"{node.kind} -> {opposite}", replace(node, kind=opposite))
                yield from self.block(node.body, (*path, "body"))
            case s.ForEach():
                yield from self.block(node.body, (*path, "body"))
            case s.Choose():
                for number, choice in enumerate(node.options if len(node.options) > 1 else ()):
                    remaining = (*node.options[:number], *node.options[number + 1 :])
                    yield self.make(choice, path, "option dropped", replace(node, options=remaining))
                if node.acyclic:
                    yield self.make(node, path, "without going round dropped", replace(node, acyclic=False))
                yield from self.block(node.otherwise or (), (*path, "otherwise"))
            case s.Gain():
                yield self.make(node, path, "gains <-> loses", replace(node, loses=not node.loses))

    # ---- expressions ----

    def domain(self, node: s.Domain, path: Path) -> Iterator[Mutant]:
        if node.where is not None:
            yield self.make(node.where, path, "where dropped", replace(node, where=None))
            if not _turned(node.where):
                yield self.make(node.where, path, "where negated", replace(node, where=_not(node.where)))
        if node.extreme is not None:
            opposite = "fewest" if node.extreme == "most" else "most"
            yield self.make(node, path, f"{node.extreme} -> {opposite}", replace(node, extreme=opposite))
            yield self.make(node, path, "extreme dropped", replace(node, extreme=None, measure=None))
        match node.kind:
            case "from" | "after" | "touching" | "within" | "along":
                every = replace(node, kind="all", first=None, second=None)
                yield self.make(node, path, f"{node.kind} -> all", every)
        if node.kind == "from":
            yield self.make(node, path, "from -> after", replace(node, kind="after"))

    def expression(self, node: s.Expression, path: Path) -> Iterator[Mutant]:
        match node:
            case s.Number(value=value):
                for number in (value + 1, value - 1):
                    if number >= 0:
                        yield self.make(node, path, f"{value} -> {number}", replace(node, value=number))
            case s.Truth(value=truth):
                yield self.make(node, path, "yes <-> no", replace(node, value=not truth))
            case s.Negation(operand=operand):
                yield self.make(node, path, "not dropped", operand)
            case s.Binary(operator=operator):
                opposite = ARITHMETIC[operator]
                yield self.make(node, path, f"{operator} -> {opposite}", replace(node, operator=opposite))
            case s.Compare(operator=operator):
                for opposite in COMPARISONS[operator]:
                    yield self.make(node, path, f"{operator} -> {opposite}", replace(node, operator=opposite))
            case s.Logical(operator=operator, operands=operands):
                opposite = "or" if operator == "and" else "and"
                yield self.make(node, path, f"{operator} -> {opposite}", replace(node, operator=opposite))
                for number, operand in enumerate(operands):
                    remaining = (*operands[:number], *operands[number + 1 :])
                    new = remaining[0] if len(remaining) == 1 else replace(node, operands=remaining)
                    yield self.make(operand, path, "condition dropped", new)
            case s.Conditional():
                yield self.make(node, path, "values exchanged", replace(node, then=node.other, other=node.then))
            case s.Empty():
                yield self.make(node, path, "negated", replace(node, negated=not node.negated))
            case s.Quantified(kind=kind) if kind in QUANTIFIERS:
                opposite = QUANTIFIERS[kind]
                yield self.make(node, path, f"{kind} -> {opposite}", replace(node, kind=opposite))
            case s.Name() | s.Of() | s.Indexed() | s.Called():
                yield from self.name(node, path)

    def name(self, node: s.Name | s.Of | s.Indexed | s.Called, path: Path) -> Iterator[Mutant]:
        """Yield replacements by other names of the same type."""
        old = node.text if isinstance(node, s.Name) else node.name
        for new in list(dict.fromkeys(n for n in self.others(node, old) if n != old))[:MAX_EXCHANGED_NAMES]:
            changed = replace(node, text=new) if isinstance(node, s.Name) else replace(node, name=new)
            yield self.make(node, path, f"{old} -> {new}", changed)

    def others(self, node: s.Name | s.Of | s.Indexed | s.Called, old: str) -> Iterator[str]:
        model, ref = self.model, self.model.refs.get(node)
        if ref is None:
            return
        kind = model.types.get(node)
        match ref.kind:
            case "local" if kind is not None:
                names = self.names.get(kind, [])
                index = names.index(old) if old in names else 0
                yield from (*names[index + 1 :], *names[:index])
            case "value" if kind is not None and kind.kind in ("enum", "board", "figure"):
                size = model.size(kind, 2)
                yield from (model.value_name(kind, (ref.number + 1) % size),)
            case "facekind" if kind is not None:
                yield from (face.kind for face in model.cards[kind.name].faces)
            case "zone" | "remember" | "tokens" | "slot" | "laid":
                name = ref.name or old
                like = next((a for a in self.articles.values() if a.name.text == name and _placed(a)), None)
                if name == old and like is not None:
                    same = [a.name.text for a in self.articles.values() if _alike(a, like)]
                    index = same.index(name)
                    yield from (*same[index + 1 :], *same[:index])
            case "table":
                data = model.tables[old]
                yield from (n for n, t in model.tables.items() if (t.keys, t.value) == (data.keys, data.value))
            case "define" | "rule":
                declaration = self.articles[ref.kind, old]
                for (sort, name), article in self.articles.items():
                    if sort == ref.kind and _signature(article) == _signature(declaration):
                        yield name
            case kind_of if kind_of in PROPERTIES:
                yield PROPERTIES[old]


def _not(condition: s.Expression) -> s.Expression:
    return s.Negation(condition.span, condition)


def _turned(condition: s.Expression) -> bool:
    """Return whether the operators for the condition itself already negate it."""
    return isinstance(condition, s.Compare | s.Empty | s.Negation)


def _placed(article: s.Declaration) -> bool:
    return isinstance(article, s.Zone | s.Remember)


def _alike(one: s.Declaration, other: s.Declaration) -> bool:
    """Return whether two zones or two remembered values are interchangeable."""
    each = tuple(w.text for w in getattr(one, "each", ())) == tuple(w.text for w in getattr(other, "each", ()))
    if isinstance(one, s.Zone) and isinstance(other, s.Zone):
        return each and one.holds.text == other.holds.text
    if isinstance(one, s.Remember) and isinstance(other, s.Remember):
        return each and one.type.name == other.type.name
    return False


def _signature(article: s.Declaration) -> tuple[object, ...]:
    parameters = getattr(article, "parameters", ())
    gives = getattr(article, "gives", None)
    return (*(p.type.name for p in parameters), gives.name if gives is not None else "")


#: Names of an added `let` value and of an added rule; no game uses them.
KEPT, FURTHER = "kept_value", "further_step"
#: Kinds of types of the values that a mutant stores.
_KINDS = frozenset({"number", "truth", "player", "enum", "board"})
#: Maximum number of procedures into which a call of each rule is added.
MAX_FURTHER_CALLS = 2


def orderings(model: Model, source: Source) -> Iterator[Mutant]:
    """Yield the changes of order within one file of a game."""
    for article in model.merged.articles:
        key = s.key_of(article)
        for path, node in _under(article, ()):
            if isinstance(node, tuple):
                if node and isinstance(node[0], s.Statement) and node[0].span.source == source:
                    yield from _kept(model, key, path, node)
                    yield from _written_out(key, path, node)
                    yield from _called_twice(key, path, node)
            elif isinstance(node, s.Quantified) and node.span.source == source:
                yield from _swapped(key, path, node)
    yield from _called_elsewhere(model, source)


def _under(node: object, path: Path) -> Iterator[tuple[Path, object]]:
    """Yield all parts of a tree with their paths."""
    yield path, node
    if isinstance(node, tuple):
        for number, item in enumerate(node):
            yield from _under(item, (*path, number))
    elif isinstance(node, s.Node):
        for part in fields(node):
            if part.name not in ("span", "sources"):
                yield from _under(getattr(node, part.name), (*path, part.name))


# ---- evaluated earlier or later -------------------------------------------------------------------------------------


def _kept(model: Model, key: tuple[str, str], path: Path, block: s.Block) -> Iterator[Mutant]:
    """Yield a mutant that evaluates the first operand of a statement before the preceding statement."""
    for number, (before, statement) in enumerate(pairwise(block)):
        value = next((e for e in _looked_at(statement) if _can_be_kept(model, e)), None)
        if value is None or isinstance(before, s.Let):
            continue
        binding = s.Let(value.span, s.Word(value.span, KEPT), copied(value))
        then = _with(statement, value, s.Name(value.span, KEPT))
        new = (*block[:number], binding, before, then, *block[number + 2 :])
        yield Mutant(key, path, new, statement.span, "worked out a statement earlier")


def _written_out(key: tuple[str, str], path: Path, block: s.Block) -> Iterator[Mutant]:
    """Replace each use of a `let` name by the expression of its value."""
    for number, statement in enumerate(block):
        if isinstance(statement, s.Let):
            name = statement.variable.text
            rest = tuple(_named(part, name, statement.value) for part in block[number + 1 :])
            yield Mutant(key, path, (*block[:number], *rest), statement.span, "worked out where it is used")


def _looked_at(statement: s.Statement) -> Iterator[s.Expression]:
    """Yield the expressions of a statement that are evaluated once, before it has any effect."""
    match statement:
        case s.If(branches=((condition, _), *_)):
            heads: tuple[object, ...] = (condition,)
        case s.Assign(value=value):
            heads = (value,)
        case s.Gain(amount=amount, player=player):
            heads = (amount, player)
        case s.MoveTokens(count=count):
            heads = (count,)
        case s.Take(taker=taker):
            heads = (taker,)
        case _:
            heads = ()
    for head in heads:
        bound = {node.variable.text for node in walk(head) if isinstance(node, s.Quantified)}
        for node in walk(head):
            names = {inner.text for inner in walk(node) if isinstance(inner, s.Name)}
            if isinstance(node, s.Expression) and not names & bound:
                yield node


def _can_be_kept(model: Model, e: s.Expression) -> bool:
    ref, kind = model.refs.get(e), model.types.get(e)
    if (
        ref is None
        or kind is None
        or kind.kind not in _KINDS
        or not isinstance(e, s.Name | s.Called | s.Indexed | s.Of)
    ):
        return False
    return ref.kind not in ("local", "value", "face", "facekind", "type", "track", "rule", "table")


# ---- one call more --------------------------------------------------------------------------------------------------


def _called_twice(key: tuple[str, str], path: Path, block: s.Block) -> Iterator[Mutant]:
    for number, statement in enumerate(block):
        if isinstance(statement, s.Call):
            new = (*block[:number], statement, copied(statement), *block[number + 1 :])
            yield Mutant(key, path, new, statement.span, "called once more")


def _called_elsewhere(model: Model, source: Source) -> Iterator[Mutant]:
    """Yield mutants that call a parameterless rule, through a rule without text, at the start of other procedures."""
    for rule in model.merged.articles:
        if not isinstance(rule, s.Rule) or rule.parameters or rule.gives is not None or rule.span.source != source:
            continue
        span = rule.name.span
        called = s.Call(span, s.Called(span, rule.name.text, ()))
        further = replace(rule, name=s.Word(span, FURTHER), body=(called,), sources=())
        others = [a for a in model.merged.articles if isinstance(a, s.Procedure) and a is not rule and a.body]
        others = [a for a in others if not any(isinstance(n, s.Called) and n.name == rule.name.text for n in walk(a))]
        for article in others[:MAX_FURTHER_CALLS]:
            body = (s.Call(span, s.Called(span, FURTHER, ())), *article.body)
            label = (
                f"{rule.name.text} called in {article.name.text if isinstance(article, s.Rule) else article.keyword}"
            )
            yield Mutant(s.key_of(article), ("body",), body, span, label, (further,))


# ---- quantifiers ----------------------------------------------------------------------------------------------------


def _swapped(key: tuple[str, str], path: Path, outer: s.Quantified) -> Iterator[Mutant]:
    """Yield a mutant with two nested quantifiers swapped."""
    inner = _asked(outer)
    if isinstance(inner, s.Quantified) and outer.kind in _ASKING and inner.kind in _ASKING:
        condition = _asked(inner)
        if condition is not None:
            new = _asking(inner, _asking(outer, condition))
            yield Mutant(key, path, new, outer.span, f"{outer.kind} ... {inner.kind} swapped")


_ASKING = frozenset({"some", "none", "every"})


def _asked(node: s.Quantified) -> s.Expression | None:
    return node.value if node.value is not None else node.domain.where


def _asking(node: s.Quantified, condition: s.Expression) -> s.Quantified:
    if node.value is not None:
        return replace(node, value=condition)
    return replace(node, domain=replace(node.domain, where=condition))


# ---- trees ----------------------------------------------------------------------------------------------------------


def copied(tree: Any) -> Any:
    """Return a copy of a tree with new nodes."""
    return _mapped(tree, lambda node: None)


def _with(tree: Any, old: s.Node, new: s.Node) -> Any:
    """Return a copy of a tree with one node replaced."""
    return _mapped(tree, lambda node: new if node is old else None)


def _named(tree: Any, name: str, value: s.Expression) -> Any:
    """Return a copy of a tree in which an expression replaces each use of a name."""
    return _mapped(tree, lambda node: copied(value) if isinstance(node, s.Name) and node.text == name else None)


def _mapped(tree: Any, exchanged: Callable[[s.Node], s.Node | None]) -> Any:
    """Return a copy of a tree; `exchanged` returns the replacement of a node, or None."""
    if isinstance(tree, tuple):
        return tuple(_mapped(part, exchanged) for part in tree)
    if not isinstance(tree, s.Node):
        return tree
    replacement = exchanged(tree)
    if replacement is not None:
        return replacement
    return replace(tree, **{name: _mapped(getattr(tree, name), exchanged) for name in s.field_names(type(tree))})
