"""What a viewer sees, as it is written in a terminal: symbols, and how wide it is."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.ir.containers import container
from wongar_dsl.table import scene
from wongar_dsl.table.scene import ZONES

__all__ = ["ZONES", "Place", "Scene"]

Place = tuple[str, int]
"""The name of a board, and the number of an area on it."""

TOKENS = "●■▮▲◆★✚♥♣♠"
PLAIN_TOKENS = "o#=^*+%$&~"


@dataclass(frozen=True)
class Scene(scene.Scene):
    """A position, who looks at it, and the terminal that it is shown on."""

    width: int
    unicode: bool
    #: The lines that there are for the whole picture; 0 where it may take as many as it likes.
    height: int = 0
    #: The areas where something happened since the viewer last decided, and those that the option at hand touches.
    marked: frozenset[Place] = frozenset()
    lit: frozenset[Place] = frozenset()

    def sign(self, fancy: str, simple: str) -> str:
        """A character, or its stand-in where only ASCII can be shown."""
        return fancy if self.unicode else simple

    def token(self, kind: int) -> str:
        """The symbol of a kind of token."""
        signs = TOKENS if self.unicode else PLAIN_TOKENS
        return signs[kind % len(signs)]

    def tokens(self, at: int, place: ir.Field) -> str:
        """The tokens in a copy of a zone, as numbers and symbols."""
        zone = container(place)
        kinds = self.state.game.model.size(place.type, 0)
        counts = zone.counts(self.state.cells, at, place.width, kinds) if zone is not None else []
        return "".join(f"{n}{self.token(k)}" for k, n in enumerate(counts) if n)

    def content(self, place: ir.Field, indices: tuple[int, ...], at: int) -> str:
        """What is in a copy of a zone, as far as the viewer sees it; empty for nothing."""
        size = self.size(place, at)
        if not size:
            return ""
        if not self.visible(place, indices):
            return "" if place.seen == "nobody" else str(size)
        if place.kind == "tokens":
            return self.tokens(at, place)
        times = self.sign("×", "x")
        return self.narrator.words.chain(
            [f"{n}{times} {name}" if place.kind != "slot" else name for name, n in self.cards(place, at)]
        )
