"""What every node of the syntax tree is."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.text.span import Span

#: The field of a node in which a name is bound: one for its other parts, of a `let` one for what follows.
BOUND = "variable"


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """What every node has: where it stands."""

    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Word(Node):
    """A name as it stands in the text."""

    text: str
