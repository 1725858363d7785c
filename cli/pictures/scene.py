"""What a viewer sees, as it is written in a terminal: symbols, and how wide it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from wongar_dsl import ir
from wongar_dsl.engine import Move
from wongar_dsl.model import Type
from wongar_dsl.table import scene
from wongar_dsl.table.scene import ZONES
from wongar_dsl.text.transliteration import legible
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Piece

if TYPE_CHECKING:
    from wongar_dsl.table.aims import Aim

__all__ = ["ZONES", "Place", "Scene"]

Place = tuple[str, int]
"""The name of a board, and the number of an area on it."""

TOKENS = "●■▮▲◆★✚♥♣♠"
PLAIN_TOKENS = "o#=^*+%$&~"
#: Names that are cut to fewer cells than so many lose no letter more for a sign that says so.
LEGIBLE = 4


@dataclass(frozen=True)
class Scene(scene.Scene):
    """A position, who looks at it, and the terminal that it is shown on."""

    width: int
    unicode: bool
    #: The lines that there are: for the whole picture and the question below it, or for the part that is asked for
    #: alone.  0 where it may take as many as it likes.
    height: int = 0
    #: The areas where something happened since the viewer last decided, those that the option at hand touches, and
    #: those to which it could lead; where it lays a card, how that would lie.
    marked: frozenset[Place] = frozenset()
    lit: frozenset[Place] = frozenset()
    led: frozenset[Place] = frozenset()
    laying: Aim | None = None
    #: Whether options light up what they touch, and the areas that are to be seen where there is no room for all.
    pointing: bool = False
    focus: frozenset[Place] = frozenset()
    #: The options of whoever looks, each with its number.
    offers: Mapping[Move, int] = field(default_factory=dict)

    @cached_property
    def aims(self) -> Mapping[Move, Aim]:
        """Where the options do something."""
        if not self.offers or self.state.over or self.state.seat != self.viewer:
            return {}
        # Few games have boards on which options have a place.
        from wongar_dsl.table.aims import aims

        return aims(self.position, self.offers)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players, as this terminal can show them: they must be as wide as they are measured."""
        own = self.narrator.words.transliteration
        return tuple(name if self.unicode else legible(name, own=own) for name in self.narrator.names)

    def short(self, kind: Type, value: int) -> str:
        """The short name of a value, see `names`."""
        return self.names[value] if kind.kind == "player" else self.narrator.short(kind, value)

    def full(self, kind: Type, value: int) -> str:
        """The name of a value where there is room for all of it."""
        if kind.kind != "enum":
            return self.short(kind, value)
        words = self.narrator.words
        return words.capital(self.narrator.term(self.state.game.model.value_name(kind, value)))

    def numbers(self, board: str) -> dict[int, list[int]]:
        """The numbers of the options for each area of a board that there are options for."""
        found: dict[int, list[int]] = {}
        for move, aim in self.aims.items():
            if aim.board == board:
                found.setdefault(aim.area, []).append(self.offers[move])
        return {area: sorted(numbers) for area, numbers in found.items()}

    def marked_name(self, board: str, area: int, style: str, name: str, room: int | None = None) -> Piece:
        """What stands for an area, in its style; signs say what the colours of the lit, led and changed ones say.

        Where it must not take more than `room` cells the name is cut, and never a sign.
        """
        highlight = self.highlight(board, area)
        changed, around = (board, area) in self.marked, self.brackets(highlight) if highlight else ("", "")
        before, behind = around[0], "*" * changed + around[1]
        if room is not None:
            name = self.cut(name, room - len(before + behind))
        return highlight or ("changed" if changed else style), before + name + behind

    def highlight(self, board: str, area: int) -> str:
        """The style of an area that the option at hand touches, or to which it could lead; empty for others."""
        place = (board, area)
        return "lit" if place in self.lit else "led" if place in self.led else ""

    def brackets(self, highlight: str) -> tuple[str, str]:
        """What stands around an area that is highlighted so."""
        return ("[", "]") if highlight == "lit" else (self.sign("‹", "<"), self.sign("›", ">"))

    def cut(self, text: str, room: int) -> str:
        """As much of a name as fits: where there is little room without a sign that it goes on, and never a part of a
        figure."""
        if cells_of(text) <= room:
            return text
        more = self.sign("…", ".") if room >= LEGIBLE else ""
        end = max((n for n in range(len(text)) if cells_of(text[:n] + more) <= room), default=0)
        while end and text[end - 1 : end + 1].isdigit() and len(text) > end:
            end -= 1
        return text[:end].rstrip() + more if room > 0 else ""

    def sign(self, fancy: str, simple: str) -> str:
        """A character, or its stand-in where only ASCII can be shown."""
        return fancy if self.unicode else simple

    def token(self, kind: int) -> str:
        """The symbol of a kind of token."""
        signs = TOKENS if self.unicode else PLAIN_TOKENS
        return signs[kind % len(signs)]

    def tokens(self, place: ir.Field, indices: tuple[int, ...], at: int) -> str:
        """The tokens in a copy of a zone, as far as the viewer sees them; empty for nothing."""
        counts = self.counts(place, indices, at)
        if counts is None:
            return str(self.size(place, at) or "")
        return self.counted_tokens(place.type, [(kind, n) for kind, n in enumerate(counts) if n])

    def counted_tokens(self, kind: Type, counts: Sequence[tuple[int, int]]) -> str:
        """Tokens as numbers and symbols."""
        return "".join(f"{n}{self.token(k)}" for k, n in counts)

    def pile(self, place: ir.Field, size: int) -> str:
        """How much lies in a pile of an area."""
        return f"+{size}"

    def content(self, place: ir.Field, indices: tuple[int, ...], at: int) -> str:
        """What is in a copy of a zone, as far as the viewer sees it; empty for nothing."""
        if place.kind == "tokens":
            return self.tokens(place, indices, at)
        size = self.size(place, at)
        if not size or not self.visible(place, indices):
            return str(size or "")
        return self.narrator.words.chain(
            [self.several(name, n) if place.kind != "slot" else name for name, n in self.cards(place, at)]
        )

    def lying(self, place: ir.Field, indices: tuple[int, ...], at: int) -> str:
        """The cards that lie open in an area, with the sign of a card; empty for none."""
        content = self.content(place, indices, at)
        return self.sign("▸", ">") + content if content else ""

    def several(self, name: str, n: int) -> str:
        """So many cards of a name."""
        return f"{n}{self.sign('×', 'x')} {name}"
