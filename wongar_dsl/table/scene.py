"""A position and who looks at it: what is seen, for every front end to show in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine import State
from wongar_dsl.engine.knowledge import sees
from wongar_dsl.ir.containers import CONTAINERS, container, size_at
from wongar_dsl.narration import Narrator

#: Zones that are told in a line; what lies on a lattice is drawn.
ZONES = tuple(kind for kind, zone in CONTAINERS.items() if not zone.spread)


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
        return size_at(self.state.cells, place, at)

    def cards(self, place: ir.Field, at: int) -> list[tuple[str, int]]:
        """The cards in a copy of a zone: their short names, and how many of each."""
        zone = container(place)
        things = zone.things(self.state.cells, at, place.width) if zone is not None else []
        return [(self.narrator.short(place.type, c), things.count(c)) for c in sorted(set(things))]

    def name(self, place: ir.Field) -> str:
        """The short name of a place."""
        return self.narrator.words.capital(self.narrator.term(place.name, "short"))
