"""Render context: the viewer's scene with its marks, and texts for pictures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from wongar_dsl.compiler import ir
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.nlg.words import Listing, Text, Value
from wongar_dsl.render.component_svg import card_data
from wongar_dsl.render.component_svg.card_data import EdgeThing, Side
from wongar_dsl.session.scene import BoardArea, FieldCopy, Scene

from .translation_cache import CachedTranslator, number_of

T = TypeVar("T")


@dataclass(frozen=True)
class RenderContext:
    """Render context: a scene, locations `changed` since the viewer's last decision, and option numbers by location.

    `steps` are the numbers of the steps that fill a zone or place a figure, by its name, to be drawn beside it.
    """

    scene: Scene
    changed: frozenset[BoardArea] = frozenset()
    options: Mapping[BoardArea, tuple[int, ...]] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)

    def cached(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return a value that depends only on the rules, the language and `key`; cached if the texts support it."""
        words = self.scene.narrator.words
        return (
            words.cached((number_of(self.scene.state.game), *key), make)
            if isinstance(words, CachedTranslator)
            else make()
        )

    @property
    def people(self) -> tuple[Hashable, ...]:
        """The player names and the viewer, part of cache keys of texts about players."""
        return (*self.scene.narrator.names, self.scene.viewer)

    # ---- texts ----

    def say(self, message: str, **arguments: Value) -> str:
        """Return a message of the web catalog."""
        return self.scene.narrator.words.say(f"web.{message}", None, **arguments)

    def term(self, name: str) -> str:
        """Return the short name of a thing, capitalised."""
        return self.scene.narrator.words.capital(self.scene.narrator.term(name, "short"))

    def short(self, kind: Type, value: int) -> str:
        """Return the short name of a value, capitalised."""
        return self.scene.narrator.words.capital(self.scene.narrator.short(kind, value))

    def listed(self, kind: Type, value: int) -> str:
        """Return the capitalised short name of a value in a list, quoted if it reads like a count."""
        return self.scene.narrator.listed(self.short(kind, value))

    def counted(self, kind: Type, value: int, count: int) -> str:
        """Return a count with the name of the thing counted."""
        narrator = self.scene.narrator
        name = self.scene.state.game.model.value_name(kind, value)
        if narrator.words.has_term(name, narrator.scope):
            return narrator.words.term(name, narrator.scope, "num", count)
        return f"{count} {name}"

    def player(self, seat: int) -> str:
        """Return a player's name in a description, or *you* for the viewer."""
        return self.say("you") if seat == self.scene.viewer else self.scene.narrator.names[seat]

    def owned_phrase(self, seat: int, things: list[str]) -> str:
        """Describe what a player has."""
        return self.say("owned", player=Text(self.player(seat)), things=Listing(tuple(map(Text, things))))

    def chain(self, items: list[str]) -> str:
        """Join items as a list."""
        return self.scene.narrator.words.chain(items)

    def label(self, name: str, things: list[str], place: BoardArea | None = None) -> str:
        """Describe a location: its name, its contents, and whether they changed."""
        text = self.say("place", place=Text(name), things=Text(self.chain(things))) if things else name
        if place in self.changed:
            text = self.say("place.changed", place=Text(text))
        return text

    # ---- marks ----

    def classes(self, *names: str, place: BoardArea) -> str:
        """Return the CSS classes of a location, including those of its marks."""
        marks = [*names]
        marks += ["changed"] if place in self.changed else []
        marks += ["open"] if place in self.options else []
        return " ".join(marks)


def place_key(place: BoardArea) -> str:
    """Return the id of a location in a page: `area-3`."""
    return f"{place[0]}-{place[1]}"


def seat_class(seat: int | None) -> str:
    """Return the CSS class of a player's colour."""
    return f"seat seat-{seat % 8}" if seat is not None else "seat seat-none"


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

    `marks` are the players remembered as its owners, and `steps` the numbers of steps by what is drawn (`card`,
    `stack`, `row` of tokens, or the name of a figure). If only hidden things can be there (`hidden`), a note says so.
    """

    name: str
    cards: list[Card] = field(default_factory=list)
    piles: list[tuple[str, int]] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    tokens: list[OwnerTokens] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    hidden: bool = False
    steps: dict[str, str] = field(default_factory=dict)

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
            tuple(self.steps.items()),
        )

    @property
    def is_empty(self) -> bool:
        """True if nothing is there."""
        return not any((self.cards, self.piles, self.figures, self.tokens, self.marks, self.notes))

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
        parts: dict[str, list[Any]] = {"card": result.cards, "stack": result.piles, "row": result.tokens}
        before = {kind: len(part) for kind, part in parts.items()}
        _add(context, result, copy)
        if copy.field.name in context.steps:
            added = (kind for kind, number in before.items() if len(parts[kind]) > number)
            result.steps |= dict.fromkeys(added, context.steps[copy.field.name])
    for figure in scene.figures_in(board, area):
        result.figures.append(context.term(figure))
        if figure in context.steps:
            result.steps[result.figures[-1]] = context.steps[figure]
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
    if field.traits.tokens:
        tokens = tokens_in(context, copy)
        if tokens.counts and own_title:
            found.notes.append(before + context.chain(tokens.things(context)))
        elif tokens.counts:
            found.tokens.append(tokens)
    elif field.traits.ordered or (field.traits.loose and not seen):
        if top := scene.top_card(copy):
            text = f"{scene.size(copy)} ({top[1]})"
            found.cards.append(Card(before + text, scene.narrator.words.label(title) + text, field.type, top[0]))
        elif scene.knows_size(copy):
            _add_size(context, found, copy, title, bool(own_title))
    elif (field.traits.single or field.traits.loose) and seen:
        faces = scene.things(copy)
        for face in sorted(set(faces)):
            text, listed = (
                _times(name(field.type, face), faces.count(face)) for name in (context.short, context.listed)
            )
            found.cards.append(Card(before + text, before + listed, field.type, face))
    elif field.traits.single and scene.size(copy):
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
    zones = (place for place in context.scene.fields if place.traits.tokens and _on(place, board))
    return max((model.size(zone.type, 0) for zone in zones), default=0)


def _on(field: ir.Field, board: str) -> bool:
    return any(t.kind == "board" and t.name == board for t in field.indices)


def zones_on(context: RenderContext, board: str) -> list[ir.Field]:
    """Return the fields that each area of a board has."""
    return [place for place in context.scene.fields if _on(place, board)]


# ---- placed cards --------------------------------------------------------------------------------------------------


class CardPart(NamedTuple):
    """A part of a card that can hold pieces: its type and number, its sides, owners of its pieces, and free places."""

    kind: Type
    part: int
    sides: tuple[int, ...]
    seats: tuple[int, ...]
    free: int


class CardLayout:
    """The placed cards of one layout as a viewer sees them; cards are given by their faces."""

    def __init__(self, scene: Scene, field: ir.Field, board: Graph) -> None:
        self.model, self.field, self.board = scene.state.game.model, field, board
        self.laid = scene.placed_cards(field)
        self._scene = scene

    def card_keys(self, face: int) -> list[tuple[Type, int]]:
        """See `card_data.card_keys`."""
        return card_data.card_keys(self.model, self.field.type, face)

    def card_numbers(self, face: int) -> list[tuple[str, int]]:
        """See `card_data.card_numbers`."""
        return card_data.card_numbers(self.model, self.field.type, face)

    def sides(self, face: int, turned: int) -> list[Side]:
        """Return the edges of a card in its orientation, in the order of the directions."""
        edges = card_data.sides(self.model, self.field.type, face, self.board.directions)
        return [edges[(direction - turned) % len(edges)] for direction in range(len(edges))]

    def zones(self, face: int, *indices: int) -> Iterator[tuple[ir.Field, int]]:
        """Yield the zones for pieces on a card with these numbers of indices, each with the card's index in it."""
        for kind, value in self.card_keys(face):
            for zone in self._scene.pieces_of_cards:
                if zone.indices[0] == kind and len(zone.indices) in indices:
                    yield zone, value

    def parts(self, face: int, turned: int = 0) -> Iterator[CardPart]:
        """Yield the parts of a card that hold pieces or have room for them."""
        at_sides = self.sides(face, turned)
        for zone, value in self.zones(face, 3):
            rooms, kind = card_data.part_capacities(self.model, zone.indices[:2], value), zone.indices[1]
            for part in range(zone.sizes[1]):
                copies, seats = self._copies(zone, value, part), self.owners(zone, value, part)
                own = tuple(
                    i for i, s in enumerate(at_sides) if isinstance(s, EdgeThing) and (s.kind, s.value) == (kind, part)
                )
                room = rooms[part] if rooms else 0
                if room or seats:
                    counts_known = all(map(self._scene.knows_size, copies))
                    yield CardPart(kind, part, own, seats, max(0, room - len(seats)) if counts_known else 0)

    def owners(self, zone: ir.Field, *indices: int) -> tuple[int, ...]:
        """Return the owners of the pieces in a zone with a last index for players, in the order of seats."""
        copies = self._copies(zone, *indices)
        return tuple(seat for seat, copy in enumerate(copies) for _ in range(self._scene.size(copy)))

    @staticmethod
    def _copies(zone: ir.Field, *indices: int) -> list[FieldCopy]:
        return [FieldCopy(zone, (*indices, seat)) for seat in range(zone.sizes[-1])]
