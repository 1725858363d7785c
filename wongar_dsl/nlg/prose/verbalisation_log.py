"""Record of the syntax nodes that were verbalised, so that no part of a rule is silently omitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl.language import ast as s

#: Outcome for a node: verbalised, implied by other text, of no interest to players, or constant before play.
Fate = Literal["said", "implied", "news", "folded"]
#: Reason for omitting a node, empty if it is verbalised. `docs/language/messages_and_sources.md` explains each reason
#: to authors, under the fate that it belongs to.
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
    "it only asks whether there is something to choose",
    "it only says that nothing can be chosen",
    "it only counts while this is done",
    "it only says under which heading points are listed",
    "it only says where points are counted",
    "it sets all back to what it is at the start",
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
class VerbalisationLog:
    """The fate of each node, with the reason if it is not verbalised.

    `dependencies`: further nodes that decide the wording or omission of a node, apart from its content and references.
    `aliases`: other names with the same referent at this point, which would give the same text.
    """

    fates: dict[s.Node, tuple[Fate, Why]] = field(default_factory=dict)
    dependencies: dict[s.Node, dict[s.Node, None]] = field(default_factory=dict)
    aliases: dict[s.Node, dict[str, None]] = field(default_factory=dict)

    def mark_said(self, *nodes: s.Node | None) -> None:
        """Mark nodes as verbalised, without their descendants, replacing any earlier fate."""
        for node in nodes:
            if node is not None:
                self.fates[node] = ("said", "")

    def omit(self, node: object, fate: Fate, why: Why) -> None:
        """Give a node and its descendants a fate (`said`: other words cover it) unless they already have one."""
        for inner in s.walk(node):
            self.fates.setdefault(inner, (fate, why))

    def retract(self, node: object, fate: Fate, why: Why) -> None:
        """Mark a node and its descendants as omitted, overriding earlier marks."""
        for inner in s.walk(node):
            self.fates[inner] = (fate, why)

    def depends_on(self, node: s.Node, *on: s.Node) -> None:
        """Record that the wording or omission of `node` depends on the nodes `on` and their descendants."""
        self.dependencies.setdefault(node, {}).update(dict.fromkeys(on))

    def depends_on_all(self, tree: object, on: s.Node) -> None:
        """Record that the wording or omission of every node in a tree depends on `on`."""
        for node in s.walk(tree):
            self.depends_on(node, on)

    def add(self, other: VerbalisationLog) -> None:
        """Merge another record into this one."""
        self.fates.update(other.fates)
        for node, on in other.dependencies.items():
            self.depends_on(node, *on)
        for node, names in other.aliases.items():
            self.aliases.setdefault(node, {}).update(names)

    def unreported(self, tree: object) -> Iterator[s.Node]:
        """Yield the nodes of a tree without a fate, except for words and parts of messages."""
        for node in s.walk(tree):
            if node not in self.fates and not isinstance(node, s.Word):
                yield node
