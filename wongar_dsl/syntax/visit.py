"""Going over a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TypeVar

from wongar_dsl.syntax.node import Node


def walk(node: object) -> Iterator[Node]:
    """The node and everything under it."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif isinstance(node, Node):
        yield node
        for part in fields(node):
            if part.name != "span":
                yield from walk(getattr(node, part.name))


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
    names = [part.name for part in fields(one) if part.name != "span"]
    return type(one) is type(other) and all(same(getattr(one, name), getattr(other, name)) for name in names)
