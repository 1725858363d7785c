"""Going over a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

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
