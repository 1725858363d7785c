"""Base classes of the syntax tree."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.base.span import Span

#: Name of the field with the local name that a node binds; its scope is the rest of the node, or what follows a `let`.
BOUND = "variable"


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A node of the syntax tree, with its position in the source."""

    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Word(Node):
    """A name or keyword of the source text, with its position."""

    text: str


class TraversedNode(Node):
    """A node whose descendants are listed at the first traversal, since each analysis of the rules visits them all."""

    __slots__ = ("descendants",)
    #: All descendants of the node; not set before the first traversal, and not saved.
    descendants: tuple[Node, ...]
