"""Going over a syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from operator import attrgetter
from typing import TypeVar

from wongar_dsl.syntax.expressions import Expression, Logical
from wongar_dsl.syntax.node import Node

_PARTS: dict[type[Node], tuple[str, ...]] = {}
#: What gives the parts of a node in which others may stand, the last one first.
_INNER: dict[type[Node], Callable[[Node], tuple[object, ...]]] = {}
#: The types of parts in which no node stands, as the classes write them.
_PLAIN = frozenset({"str", "int", "bool"})


def parts(sort: type[Node]) -> tuple[str, ...]:
    """The names of what nodes of a sort consist of, without where they stand."""
    if sort not in _PARTS:
        _PARTS[sort] = tuple(part.name for part in fields(sort) if part.name != "span")
    return _PARTS[sort]


def walk(node: object) -> Iterator[Node]:
    """The node and everything under it, what stands first first."""
    ahead = [node]
    while ahead:
        next_ = ahead.pop()
        if isinstance(next_, Node):
            yield next_
            ahead += (_INNER.get(type(next_)) or _inner(type(next_)))(next_)
        elif isinstance(next_, tuple):
            ahead += next_[::-1]


def _inner(sort: type[Node]) -> Callable[[Node], tuple[object, ...]]:
    names = [part.name for part in reversed(fields(sort)) if part.name != "span" and part.type not in _PLAIN]
    # Of one name `attrgetter` gives no tuple, of none nothing.
    _INNER[sort] = attrgetter(*names) if len(names) > 1 else lambda node: tuple(getattr(node, name) for name in names)
    return _INNER[sort]


def operands(node: Node) -> Iterator[Expression]:
    """The expressions right under a node, in the order in which they are written."""
    for name in parts(type(node)):
        value = getattr(node, name)
        yield from (v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, Expression))


def conjuncts(e: Expression | None) -> tuple[Expression, ...]:
    """The conditions that must all hold; none where there is no condition."""
    if e is None:
        return ()
    if isinstance(e, Logical) and e.operator == "and":
        return tuple(part for operand in e.operands for part in conjuncts(operand))
    return (e,)


T = TypeVar("T")


def copied(tree: T) -> T:
    """A piece of a tree once more: the same words at the same places, in nodes of their own."""
    if isinstance(tree, tuple):
        return type(tree)(copied(item) for item in tree)
    if not isinstance(tree, Node):
        return tree
    return type(tree)(*(copied(getattr(tree, part.name)) for part in fields(tree)))


def same(one: object, other: object) -> bool:
    """Whether two pieces of a tree say the same, wherever they stand."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if not isinstance(one, Node):
        return one == other
    return type(one) is type(other) and all(same(getattr(one, name), getattr(other, name)) for name in parts(type(one)))
