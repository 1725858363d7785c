"""View of a position by one viewer: everything that a front end shows is read here.

Pictures, pages and read-out text get `Scene.state`, in which everything hidden from the viewer is blank.  What they
forget to ask about they cannot show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wongar_dsl import ir
from wongar_dsl.engine import State
from wongar_dsl.engine.knowledge import extent, sees, shows_size
from wongar_dsl.engine.observation import veiled
from wongar_dsl.ir.containers import CONTAINERS, container, size_at
from wongar_dsl.narration import Narrator
from wongar_dsl.words import Text

#: Zones that are told in a line; what lies on a lattice is drawn.
ZONES = tuple(kind for kind, zone in CONTAINERS.items() if not zone.spread)


@dataclass(frozen=True)
class Scene:
    """A position and who looks at it: `viewer` is a seat, or None for somebody who only watches.

    `position` is the whole position.  It is for what is computed from it (options, forecasts, points), never for what
    is shown.
    """

    position: State
    narrator: Narrator
    letters: Sequence[str]
    viewer: int | None

    @cached_property
    def state(self) -> State:
        """The position as the viewer sees it: what is hidden is empty or blank."""
        return veiled(self.position, self.viewer)

    @property
    def places(self) -> tuple[ir.Field, ...]:
        """All places of the game."""
        return self.state.game.program.fields

    def visible(self, place: ir.Field, indices: tuple[int, ...]) -> bool:
        """Whether the viewer sees what is in a copy of a place."""
        return sees(place, indices, self.viewer)

    def size(self, place: ir.Field, at: int) -> int:
        """How much is in a copy of a zone, 0 where the viewer does not know it."""
        return size_at((self.position if shows_size(place) else self.state).cells, place, at)

    def sized(self, place: ir.Field, indices: tuple[int, ...]) -> bool:
        """Whether the viewer knows how much is in a copy of a zone."""
        return extent(place, indices, self.viewer) != "nothing"

    def counts(self, place: ir.Field, indices: tuple[int, ...], at: int) -> list[int] | None:
        """How many things of each kind are in a copy of a zone, None where the viewer does not see them."""
        zone = container(place)
        if zone is None or not self.visible(place, indices):
            return None
        return zone.counts(self.state.cells, at, place.width, self.state.game.model.size(place.type, 0))

    def cards(self, place: ir.Field, at: int) -> list[tuple[str, int]]:
        """The cards in a copy of a zone: their short names, and how many of each."""
        zone = container(place)
        things = zone.things(self.state.cells, at, place.width) if zone is not None else []
        return [(self.narrator.short(place.type, c), things.count(c)) for c in sorted(set(things))]

    def open_card(self, name: str) -> str:
        """A card that lies open, told from figures and numbers, whatever its short name is."""
        return self.narrator.words.say("option.card", None, card=Text(name))

    def name(self, place: ir.Field) -> str:
        """The short name of a place."""
        return self.narrator.words.capital(self.narrator.term(place.name, "short"))
