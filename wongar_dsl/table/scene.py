"""A position and who looks at it: what is seen, for every front end to show in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine import State
from wongar_dsl.engine.observation import sees, size_at
from wongar_dsl.narration import Narrator

ZONES = ("tokens", "pile", "heap", "slot")


@dataclass(frozen=True)
class Scene:
    """A position and who looks at it: `viewer` is a seat, or None for somebody who only watches."""

    state: State
    narrator: Narrator
    letters: Sequence[str]
    viewer: int | None

    @property
    def places(self) -> tuple[ir.Field, ...]:
        """All places of the game."""
        return self.state.game.program.fields

    def visible(self, place: ir.Field, indices: tuple[int, ...]) -> bool:
        """Whether the viewer sees what is in a copy of a place."""
        return sees(place, indices, self.viewer)

    def size(self, place: ir.Field, at: int) -> int:
        """How much is in a copy of a zone."""
        return size_at(self.state, place, at)

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

    def name(self, place: ir.Field) -> str:
        """The short name of a place."""
        return capital(self.narrator.term(place.name, "short"))


def capital(text: str) -> str:
    """The text with a capital at its beginning, as it stands at the beginning of a line."""
    return text[:1].upper() + text[1:]
