"""Contents of an area as the viewer sees them: read once, then drawn and described."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from wongar_dsl.compiler import ir
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.session.board.scene import FieldCopy

from .render_context import RenderContext


@dataclass(frozen=True)
class OwnerTokens:
    """Tokens of one owner (None: no player): counts by kind.

    For a zone hidden from the viewer, only the total is known, as kind -1.
    """

    owner: int | None
    place: ir.Field
    counts: tuple[tuple[int, int], ...]

    def things(self, context: RenderContext) -> list[str]:
        """Return the tokens of each kind with their number, in words."""
        kind_of = self.place.type
        return [context.counted(kind_of, kind, number) if kind >= 0 else str(number) for kind, number in self.counts]


@dataclass(frozen=True)
class Card:
    """A face-up card: short name with its count, as drawn and as listed in words; kind and face."""

    text: str
    listed: str
    kind: Type
    face: int


@dataclass
class AreaContents:
    """Contents of an area: cards, piles with sizes, figures, tokens and notes.

    `marks` are the players remembered as its owners. If only hidden things can be there (`hidden`), a note says so.
    """

    name: str
    cards: list[Card] = field(default_factory=list)
    piles: list[tuple[str, int]] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    tokens: list[OwnerTokens] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    hidden: bool = False

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Hashable key of all contents, for caching."""
        return (
            self.name,
            tuple((card.text, card.kind.name, card.face) for card in self.cards),
            tuple(self.piles),
            tuple(self.figures),
            tuple((tokens.owner, tokens.place.name, tokens.counts) for tokens in self.tokens),
            tuple(self.marks),
            tuple(self.notes),
        )

    def description(self, context: RenderContext) -> list[str]:
        """Return the contents in words."""
        texts = [card.listed for card in self.cards]
        texts += [context.scene.narrator.words.label(name) + str(number) for name, number in self.piles]
        texts += self.figures
        for tokens in self.tokens:
            things = tokens.things(context)
            texts.append(
                context.owned_phrase(tokens.owner, things) if tokens.owner is not None else context.chain(things)
            )
        texts += [context.player(seat) for seat in self.marks]
        return texts + self.notes


def contents(context: RenderContext, board: str, area: int, name: str) -> AreaContents:
    """Return the contents of an area of a board."""
    scene = context.scene
    result = AreaContents(name)
    for copy in scene.copies_by_area.get((board, area), ()):
        _add(context, result, copy)
    result.figures += map(context.term, scene.figures_in(board, area))
    if Type("board", board) in scene.hiding and not result.description(context):
        result.hidden = True
        result.notes.append(scene.hidden_text)
    return result


def _add(context: RenderContext, found: AreaContents, copy: FieldCopy) -> None:
    """Add the contents of one copy of a zone or value."""
    scene, field = context.scene, copy.field
    seen, own_title = scene.visible(copy), scene.title(copy)
    of_owner = f"{context.player(copy.owner)} " if copy.owner is not None else ""
    title = of_owner + (own_title or scene.name(field))
    before = scene.narrator.words.label(title) if own_title else of_owner
    if field.kind == "tokens":
        tokens = tokens_in(context, copy)
        if tokens.counts and own_title:
            found.notes.append(before + context.chain(tokens.things(context)))
        elif tokens.counts:
            found.tokens.append(tokens)
    elif field.kind == "pile" or (field.kind == "heap" and not seen):
        if top := scene.top_card(copy):
            text = f"{scene.size(copy)} ({top[1]})"
            found.cards.append(Card(before + text, scene.narrator.words.label(title) + text, field.type, top[0]))
        elif scene.knows_size(copy):
            _add_size(context, found, copy, title, bool(own_title))
    elif field.kind in ("slot", "heap") and seen:
        faces = scene.things(copy)
        for face in sorted(set(faces)):
            text, listed = (
                _times(name(field.type, face), faces.count(face)) for name in (context.short, context.listed)
            )
            found.cards.append(Card(before + text, before + listed, field.type, face))
    elif field.kind == "slot" and scene.size(copy):
        _add_size(context, found, copy, title, bool(own_title))
    elif field.kind == "remember":
        _note(context, found, copy, title, bool(own_title))


def _add_size(context: RenderContext, found: AreaContents, copy: FieldCopy, title: str, is_named: bool) -> None:
    """Add the size of a pile, as a note if another pile could be taken for it, so that it `is_named`."""
    size = context.scene.size(copy)
    if is_named:
        found.notes.append(context.scene.narrator.words.label(title) + str(size))
    else:
        found.piles.append((title, size))


def _times(card: str, number: int) -> str:
    return card if number == 1 else f"{number} × {card}"


def _note(context: RenderContext, found: AreaContents, copy: FieldCopy, title: str, is_named: bool) -> None:
    """Add a remembered value; 0, "no" and "none" are not shown."""
    value, kind, label = context.scene.value(copy), copy.field.type, context.scene.narrator.words.label(title)
    if value is None:
        return
    if kind.kind in ("truth", "number"):
        found.notes += [title if kind.kind == "truth" else f"{label}{value}"] if value else []
    elif value >= 0 and kind == PLAYER and len(copy.indices) == 1 and not is_named:
        found.marks.append(value)
    elif value >= 0:
        found.notes.append(label + context.short(kind, value))


def tokens_in(context: RenderContext, copy: FieldCopy) -> OwnerTokens:
    """Return the tokens in a copy of a zone."""
    counts = context.scene.counts(copy)
    if counts is None:
        number = context.scene.size(copy)
        return OwnerTokens(copy.owner, copy.field, ((-1, number),) if number else ())
    return OwnerTokens(copy.owner, copy.field, tuple((kind, number) for kind, number in enumerate(counts) if number))


def token_kinds(context: RenderContext, board: str) -> int:
    """Return the maximum number of token kinds in the areas of a board."""
    model = context.scene.state.game.model
    zones = (place for place in context.scene.fields if place.kind == "tokens" and _on(place, board))
    return max((model.size(zone.type, 0) for zone in zones), default=0)


def _on(field: ir.Field, board: str) -> bool:
    return any(t.kind == "board" and t.name == board for t in field.indices)


def zones_on(context: RenderContext, board: str) -> list[ir.Field]:
    """Return the fields that each area of a board has."""
    return [place for place in context.scene.fields if _on(place, board)]
