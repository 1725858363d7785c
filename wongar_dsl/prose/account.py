"""The account of what was said: no part of a rule is lost in silence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl import syntax as s

#: What became of a node: a text says it, what is said implies it, players need not know it, it is known before play.
Fate = Literal["said", "implied", "news", "folded"]
#: Why a node is not said in words of its own; nothing where it is.  `docs/language/messages_and_sources.md` explains
#: each of them to authors, under the fate that it goes with.
Why = Literal[
    "",
    "all that is there",
    "another name for the same",
    "declining is what one may do",
    "it belongs to who acts",
    "it does not come to that",
    "it is known before play",
    "it is said where it is asked",
    "it makes no difference to what is so already",
    "it only says that nothing can be chosen",
    "it only counts while this is done",
    "it only says under which heading points are listed",
    "it only says where points are counted",
    "it sets all back to what it is at the start",
    "it was asked when the kind was chosen",
    "it was chosen just now",
    "its one card is laid at once",
    "nobody comes there",
    "none of these cards asks where it is carried out",
    "nothing is done",
    "nothing is done that players need to know",
    "nothing is done then",
    "only messages speak of it",
    "only the log says it",
    "only what is told differs",
    "only what need not be said speaks of it",
    "the rule is about that",
    "tokens stay with who has them",
    "what is not there cannot be taken",
    "what moves lies there",
    "who gains or loses none, gains or loses nothing",
    "who plays a card carries it out",
]


@dataclass(frozen=True, slots=True)
class Account:
    """What became of each node, with the reason where it is not said.

    `hangs`: what else decides how a node is said, or whether it is, besides what stands in it and what that refers to;
    `also`: the other names of what a name stands for there, each of which would be said alike.
    """

    fates: dict[s.Node, tuple[Fate, Why]] = field(default_factory=dict)
    hangs: dict[s.Node, dict[s.Node, None]] = field(default_factory=dict)
    also: dict[s.Node, dict[str, None]] = field(default_factory=dict)

    def say(self, *nodes: s.Node | None) -> None:
        """These nodes are said."""
        for node in nodes:
            if node is not None:
                self.fates[node] = ("said", "")

    def leave(self, node: object, fate: Fate, why: Why) -> None:
        """A node and all under it need not be said."""
        for inner in s.walk(node):
            self.fates.setdefault(inner, (fate, why))

    def unsay(self, node: object, fate: Fate, why: Why) -> None:
        """A node and all under it turn out not to be said after all."""
        for inner in s.walk(node):
            self.fates[inner] = (fate, why)

    def hang(self, node: s.Node, *on: s.Node) -> None:
        """How a node is said, or whether it is, hangs on these too, and all that is under them."""
        self.hangs.setdefault(node, {}).update(dict.fromkeys(on))

    def hang_all(self, tree: object, on: s.Node) -> None:
        """How all that is under a tree is said, or whether it is, hangs on this."""
        for node in s.walk(tree):
            self.hang(node, on)

    def add(self, other: Account) -> None:
        """What another account knows, this one knows too."""
        self.fates.update(other.fates)
        for node, on in other.hangs.items():
            self.hang(node, *on)
        for node, names in other.also.items():
            self.also.setdefault(node, {}).update(names)

    def left_over(self, tree: object) -> Iterator[s.Node]:
        """The nodes of a tree that nothing accounts for, but words and pieces of messages."""
        for node in s.walk(tree):
            if node not in self.fates and not isinstance(node, s.Word):
                yield node
