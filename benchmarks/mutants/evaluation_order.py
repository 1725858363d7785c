"""Mutation operators for the time and number of evaluations, and for the order of quantifiers.

They detect rulebooks that read the same for different games: by writing out a stored value where it is used, by
forgetting a reset because another rule calls it, or by omitting the outer of two quantifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

from benchmarks.mutants.operators import Mutant, Path
from wongar_dsl.base.span import Source
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast.traversal import walk
from wongar_dsl.language.semantics import Model

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
