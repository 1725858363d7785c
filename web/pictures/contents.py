"""Contents of an area as the viewer sees them: read once, then drawn and described."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.ir.containers import container
from wongar_dsl.model import Type

from .look import Look


@dataclass(frozen=True)
class Tokens:
    """Tokens of one owner (None: no player): counts by kind.

    For a zone hidden from the viewer, only the total is known, as kind -1.
    """

    owner: int | None
    place: ir.Field
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Card:
    """A face-up card: short name with its count, kind and face."""

    text: str
    kind: Type
    face: int


@dataclass
class Contents:
    """Contents of an area: cards, piles with sizes, figures, tokens and notes.

    `marks` are the players remembered as its owners.
    """

    name: str
    cards: list[Card] = field(default_factory=list)
    piles: list[tuple[str, int]] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    tokens: list[Tokens] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

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

    def told(self, look: Look) -> list[str]:
        """Return the contents in words."""
        texts = [card.text for card in self.cards]
        texts += [look.scene.narrator.words.label(name) + str(number) for name, number in self.piles]
        texts += self.figures
        for tokens in self.tokens:
            things = [
                look.counted(tokens.place.type, kind, number) if kind >= 0 else str(number)
                for kind, number in tokens.counts
            ]
            texts.append(look.owned(tokens.owner, things) if tokens.owner is not None else look.chain(things))
        texts += [look.player(seat) for seat in self.marks]
        return texts + self.notes


def contents(look: Look, board: str, area: int, name: str) -> Contents:
    """Return the contents of an area of a board."""
    scene = look.scene
    result = Contents(name)
    for place in scene.places:
        boards = [i for i, t in enumerate(place.indices) if t.kind == "board" and t.name == board]
        if len(boards) != 1:
            continue
        for indices, cell in copies(place):
            if indices[boards[0]] == area:
                _add(look, result, place, indices, cell)
    result.figures += _figures(look, board, area)
    return result


def _add(look: Look, found: Contents, place: ir.Field, indices: tuple[int, ...], at: int) -> None:
    """Add the contents of one copy of a zone or value."""
    scene = look.scene
    seen = scene.visible(place, indices)
    if place.kind == "tokens":
        tokens = tokens_in(look, place, indices, at)
        found.tokens += [tokens] if tokens.counts else []
    elif place.kind == "pile" or (place.kind == "heap" and not seen):
        if scene.sized(place, indices):
            found.piles.append((scene.name(place), scene.size(place, at)))
    elif place.kind in ("slot", "heap") and seen:
        zone = container(place)
        faces = zone.things(scene.state.cells, at, place.width) if zone is not None else []
        found.cards += [
            Card(_times(look.short(place.type, face), faces.count(face)), place.type, face)
            for face in sorted(set(faces))
        ]
    elif place.kind == "slot" and scene.size(place, at):
        found.piles.append((scene.name(place), scene.size(place, at)))
    elif place.kind == "remember":
        _note(look, found, place, at)


def _times(card: str, number: int) -> str:
    return card if number == 1 else f"{number} × {card}"


def _note(look: Look, found: Contents, place: ir.Field, at: int) -> None:
    """Add a remembered value; 0, "no" and "none" are not shown."""
    value = look.scene.state.cells[at]
    if place.type.kind == "player":
        found.marks += [value] if value >= 0 else []
    elif place.type.kind == "truth":
        found.notes += [look.scene.name(place)] if value else []
    elif place.type.kind == "number":
        found.notes += [look.scene.narrator.words.label(look.scene.name(place)) + str(value)] if value else []
    elif value >= 0:
        found.notes.append(look.short(place.type, value))


def tokens_in(look: Look, place: ir.Field, indices: tuple[int, ...], at: int) -> Tokens:
    """Return the tokens in a copy of a zone."""
    scene = look.scene
    owner = next((i for t, i in zip(place.indices, indices, strict=True) if t.kind == "player"), None)
    counts = scene.counts(place, indices, at)
    if counts is None:
        number = scene.size(place, at)
        return Tokens(owner, place, ((-1, number),) if number else ())
    return Tokens(owner, place, tuple((kind, number) for kind, number in enumerate(counts) if number))


def _figures(look: Look, board: str, area: int) -> Iterator[str]:
    scene, model = look.scene, look.scene.state.game.model
    place = next((p for p in scene.places if p.kind == "place"), None)
    for number, figure in enumerate(model.figures if place is not None else ()):
        assert place is not None
        stands = model.declared.figures[figure].board == board
        if stands and scene.state.cells[place.at(number)] == area:
            yield look.term(figure)


def token_kinds(look: Look, board: str) -> int:
    """Return the maximum number of token kinds in the areas of a board."""
    model = look.scene.state.game.model
    return max(
        (model.size(p.type, 0) for p in look.scene.places if p.kind == "tokens" and _on(p, board)),
        default=0,
    )


def _on(place: ir.Field, board: str) -> bool:
    return any(t.kind == "board" and t.name == board for t in place.indices)


def zones_on(look: Look, board: str) -> list[ir.Field]:
    """Return the fields that each area of a board has."""
    return [place for place in look.scene.places if _on(place, board)]
