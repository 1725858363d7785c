"""What a viewer sees, as it is written in a terminal: symbols, and how wide it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from wongar_dsl import ir
from wongar_dsl.engine import Move
from wongar_dsl.ir.containers import container
from wongar_dsl.model import Type
from wongar_dsl.table import scene
from wongar_dsl.table.scene import ZONES
from wongar_dsl.text.transliteration import legible

from ..terminal.screen import Piece, clipped

if TYPE_CHECKING:
    from wongar_dsl.table.aims import Aim

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
    #: The lines that there are: for the whole picture and the question below it, or for the part that is asked for
    #: alone.  0 where it may take as many as it likes.
    height: int = 0
    #: The areas where something happened since the viewer last decided, and those that the option at hand touches.
    marked: frozenset[Place] = frozenset()
    lit: frozenset[Place] = frozenset()
    #: The options of whoever looks, each with its number.
    offers: Mapping[Move, int] = field(default_factory=dict)

    @cached_property
    def aims(self) -> Mapping[Move, Aim]:
        """Where the options do something."""
        if not self.offers or self.state.over or self.state.seat != self.viewer:
            return {}
        # Few games have boards on which options have a place.
        from wongar_dsl.table.aims import aims

        return aims(self.state, self.offers)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players, as this terminal can show them: they must be as wide as they are measured."""
        own = self.narrator.words.transliteration
        return tuple(name if self.unicode else legible(name, own=own) for name in self.narrator.names)

    def short(self, kind: Type, value: int) -> str:
        """The short name of a value, see `names`."""
        return self.names[value] if kind.kind == "player" else self.narrator.short(kind, value)

    def numbers(self, board: str) -> dict[int, list[int]]:
        """The numbers of the options for each area of a board that there are options for."""
        found: dict[int, list[int]] = {}
        for move, aim in self.aims.items():
            if aim.board == board:
                found.setdefault(aim.area, []).append(self.offers[move])
        return {area: sorted(numbers) for area, numbers in found.items()}

    def marked_name(self, board: str, area: int, style: str, name: str, room: int | None = None) -> Piece:
        """What stands for an area, in its style; signs say what the colours of the lit and the changed ones say.

        Where there is only so much `room`, the name is cut, but not the signs.
        """
        changed, lit = (board, area) in self.marked, (board, area) in self.lit
        if room is not None:
            name = clipped(name, max(1, room - changed - 2 * lit))
        told = f"{name}*" if changed else name
        if lit:
            return "lit", f"[{told}]"
        return ("changed", told) if changed else (style, name)

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

    def pile(self, place: ir.Field, size: int) -> str:
        """How much lies in a pile of an area."""
        return f"+{size}"

    def content(self, place: ir.Field, indices: tuple[int, ...], at: int) -> str:
        """What is in a copy of a zone, as far as the viewer sees it; empty for nothing."""
        size = self.size(place, at)
        if not size:
            return ""
        if not self.visible(place, indices):
            return "" if place.seen == "nobody" else str(size)
        if place.kind == "tokens":
            return self.tokens(at, place)
        return self.narrator.words.chain(
            [self.several(name, n) if place.kind != "slot" else name for name, n in self.cards(place, at)]
        )

    def several(self, name: str, n: int) -> str:
        """So many cards of a name."""
        return f"{n}{self.sign('×', 'x')} {name}"
