"""A position and who looks at it, with what every part of a picture asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine import State
from wongar_dsl.engine.knowledge import sees, size_at
from wongar_dsl.narration import Narrator

TOKENS = "●■▮▲◆★✚♥♣♠"
PLAIN_TOKENS = "o#=^*+%$&~"
ZONES = ("tokens", "pile", "heap", "slot")


@dataclass(frozen=True)
class Scene:
    """A position and who looks at it: `viewer` is a seat, or None for somebody who only watches."""

    state: State
    narrator: Narrator
    letters: Sequence[str]
    viewer: int | None
    width: int
    unicode: bool

    @property
    def places(self) -> tuple[ir.Field, ...]:
        """All places of the game."""
        return self.state.game.program.fields

    def sign(self, fancy: str, simple: str) -> str:
        """A character, or its stand-in where only ASCII can be shown."""
        return fancy if self.unicode else simple

    def token(self, kind: int) -> str:
        """The symbol of a kind of token."""
        signs = TOKENS if self.unicode else PLAIN_TOKENS
        return signs[kind % len(signs)]

    def visible(self, place: ir.Field, indices: tuple[int, ...]) -> bool:
        """Whether the viewer sees what is in a copy of a place."""
        return sees(place, indices, self.viewer)

    def size(self, place: ir.Field, at: int) -> int:
        """How much is in a copy of a zone."""
        return size_at(self.state.cells, place, at)

    def tokens(self, at: int, place: ir.Field) -> str:
        """The tokens in a copy of a zone, as numbers and symbols."""
        return "".join(f"{n}{self.token(k)}" for k in range(place.width) if (n := self.state.cells[at + k]))

    def cards(self, place: ir.Field, at: int) -> list[tuple[str, int]]:
        """The cards in a copy of a zone: their short names, and how many of each."""
        cells = self.state.cells
        if place.kind == "slot":
            counts = {cells[at]: 1} if cells[at] >= 0 else {}
        elif place.kind == "heap":
            counts = {i: cells[at + 1 + i] for i in range(place.width - 1) if cells[at + 1 + i]}
        else:
            pile = cells[at + 1 : at + 1 + cells[at]]
            counts = {c: pile.count(c) for c in sorted(set(pile))}
        return [(self.narrator.short(place.type, c), n) for c, n in counts.items()]

    def content(self, place: ir.Field, indices: tuple[int, ...], at: int) -> str:
        """What is in a copy of a zone, as far as the viewer sees it; empty for nothing."""
        size = self.size(place, at)
        if not size:
            return ""
        if not self.visible(place, indices):
            return "" if place.seen == "nobody" else str(size)
        if place.kind == "tokens":
            return self.tokens(at, place)
        return ", ".join(
            f"{n}{self.sign('×', 'x')} {name}" if place.kind != "slot" else name for name, n in self.cards(place, at)
        )

    def name(self, place: ir.Field) -> str:
        """The short name of a place."""
        return capital(self.narrator.term(place.name, "short"))


def capital(text: str) -> str:
    """The text with a capital at its beginning, as it stands at the beginning of a line."""
    return text[:1].upper() + text[1:]
