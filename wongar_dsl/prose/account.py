"""The account of what was said: no part of a rule is lost in silence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl import syntax as s

#: What became of a node: a text says it, what is said implies it, players need not know it, it is known before play.
Fate = Literal["said", "implied", "news", "folded"]


@dataclass(frozen=True, slots=True)
class Account:
    """What became of each node, with the reason where it is not said."""

    fates: dict[s.Node, tuple[Fate, str]] = field(default_factory=dict)

    def say(self, *nodes: s.Node | None) -> None:
        """These nodes are said."""
        for node in nodes:
            if node is not None:
                self.fates[node] = ("said", "")

    def leave(self, node: object, fate: Fate, why: str) -> None:
        """A node and all under it need not be said."""
        for inner in s.walk(node):
            self.fates.setdefault(inner, (fate, why))

    def unsay(self, node: object, fate: Fate, why: str) -> None:
        """A node and all under it turn out not to be said after all."""
        for inner in s.walk(node):
            self.fates[inner] = (fate, why)

    def left_over(self, tree: object) -> Iterator[s.Node]:
        """The nodes of a tree that nothing accounts for, but words and pieces of messages."""
        for node in s.walk(tree):
            if node not in self.fates and not isinstance(node, s.Word):
                yield node
