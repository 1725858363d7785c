"""Going over a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TypeVar

from wongar_dsl.syntax.node import Node

_PARTS: dict[type[Node], tuple[str, ...]] = {}


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
        if isinstance(next_, tuple):
            ahead.extend(reversed(next_))
        elif isinstance(next_, Node):
            yield next_
            ahead.extend([getattr(next_, name) for name in reversed(parts(type(next_)))])


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
