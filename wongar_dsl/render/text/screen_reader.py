"""A position as lines for a screen reader: locations and contents in words, without drawing.

Every line describes one thing (an area, a card on the map, a player). After a move, only the changed lines have to be
read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from wongar_dsl.compiler import ir
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.nlg.words import Text
from wongar_dsl.session.scene import FieldCopy

from . import area_board
from .grid_board import squares
from .lines import Line, line_text
from .scene import TextScene
from .status import columns, hand_lines, items, tables, value_text

if TYPE_CHECKING:
    from .laid_cards import LaidCards

#: Unlimited width.
ENDLESS = 100_000


@dataclass(frozen=True)
class ScreenReaderScene(TextScene):
    """A scene in words: symbols are replaced by names."""

    draws_marks = False

    def sign(self, fancy: str, simple: str) -> str:
        """Return the word for a symbol with a meaning, or an empty string for a decorative one."""
        words = self.narrator.words
        named = {
            "♟": words.label(words.capital(words.term("figure"))),
            "✓": words.say("drawing.yes"),
            "–": words.say("drawing.nothing"),
            "?": self.hidden_text,
        }
        return named.get(fancy, simple)

    def token_counts(self, kind: Type, counts: Sequence[tuple[int, int]]) -> str:
        """Return the count of each kind of token, by name."""
        texts = [self.counted(kind, value, n) for value, n in counts]
        return self.narrator.words.chain(texts) if texts else ""

    def counted(self, kind: Type, value: int, n: int) -> str:
        """Return a count with the name of the thing counted."""
        name = self.state.game.model.value_name(kind, value)
        return f"{n} {self.narrator.words.term(name, self.narrator.scope, '', n)}"

    def cards(self, copy: FieldCopy) -> list[tuple[str, int]]:
        """See `wongar_dsl.session.scene.Scene.cards`; names of several are in the plural."""
        things, narrator, kind = self.things(copy), self.narrator, copy.field.type
        name = self.state.game.model.value_name
        return [
            (narrator.words.term(name(kind, card), narrator.scope, "", n) if n > 1 else narrator.short(kind, card), n)
            for card in sorted(set(things))
            for n in [things.count(card)]
        ]

    def open_cards_text(self, copy: FieldCopy) -> str:
        """Return the face-up cards in an area, a single one as a card."""
        content = self.content(copy)
        return self.open_card(content) if content and self._is_open_slot(copy) else content

    def _is_open_slot(self, copy: FieldCopy) -> bool:
        return copy.field.traits.single and self.visible(copy)

    def title(self, copy: FieldCopy) -> str:
        """See `TextScene.title`; numbers of things and lists of cards always have a title."""
        listed = copy.field.kind != "remember" and not self._is_open_slot(copy)
        if copy.field.traits.tokens:
            listed = not self.visible(copy)
        return super().title(copy) or (self.name(copy.field) if listed else "")

    def titled(self, title: str, owner: str, text: str) -> tuple[str, str]:
        """See `TextScene.titled`."""
        return "", owner + (self.narrator.words.label(title) + text if title and text else title or text)

    def counted_cards(self, name: str, n: int) -> str:
        """Return a number of cards with the same name, which may itself begin with a digit."""
        return self.narrator.listed(name) if n == 1 else f"{n} x {name}" if name[:1].isdigit() else f"{n} {name}"

    def pile(self, size: int) -> str:
        """Return the size of a pile."""
        return str(size)


def spoken_table(scene: TextScene) -> list[str]:
    """Describe the whole table for a viewer, one line for each thing."""
    letters = [f"{name} " for name in scene.narrator.names]
    aloud = ScreenReaderScene(scene.position, scene.narrator, letters, scene.viewer, ENDLESS, False)
    lines = [line for name, board in scene.state.game.model.boards.items() for line in _board(aloud, name, board)]
    return [line for line in (*lines, *_tracks(aloud), *_rows(aloud), *_common(aloud), *_players(aloud)) if line]


def changed_lines(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return the lines that have changed."""
    previous = set(before)
    return [line for line in now if line not in previous]


def _board(scene: ScreenReaderScene, name: str, board: Graph) -> Iterator[str]:
    layout = scene.layout_on(name)
    if layout is not None:
        yield from _laid(scene, layout, name, board)
        return
    if board.steps:
        yield from _lattice(scene, name, board)
        return
    for number, area in enumerate(board.areas):
        area_content = area_board.content(scene, name, number)
        items = [*(_text(item) for item in (*area_content.cards, *area_content.items)), *area_content.piles]
        title = scene.narrator.words.capital(scene.narrator.term(area))
        yield scene.narrator.words.label(title) + _contents(scene, items)


def _lattice(scene: ScreenReaderScene, name: str, board: Graph) -> Iterator[str]:
    """Yield the areas with pieces by player, then the areas with other contents."""
    words = scene.narrator.words
    occupied = list(zip(board.areas, squares(scene, name, board), strict=True))
    for seat, player in enumerate(scene.narrator.names):
        own_areas = [f"{area}{square.marks}" for area, square in occupied if square.owner == seat]
        if own_areas:
            yield words.label(player) + words.chain(own_areas)
    for area, square in occupied:
        if square.texts:
            yield words.label(area) + _contents(scene, [_text(line) for line in square.texts])
    if Type("board", name) in scene.hiding and any(square.empty for _, square in occupied):
        yield words.say("drawing.hidden.elsewhere")


def _laid(scene: ScreenReaderScene, layout: ir.Field, name: str, board: Graph) -> Iterator[str]:
    """Yield each card of a map with its pieces and the neighbouring cards, other areas, then the viewer's paths."""
    from .laid_cards import LaidCards

    cards, words = LaidCards(scene, layout, name, board), scene.narrator.words
    by_area = {laid.area: laid.face for laid in cards.laid}
    for laid in cards.laid:
        items = [text for zone, value in cards.zones(laid.face, 2, 3) for text in _pieces(scene, zone, value)]
        for direction, direction_name in enumerate(board.direction_names):
            face = by_area.get(board.steps[laid.area][direction])
            if face is not None:
                items.append(words.label(scene.narrator.term(direction_name)) + cards.full_name(face))
        items += [_text(line) for line in area_board.item_lines(scene, name, laid.area)]
        hidden = any(
            kind in scene.hiding for kind in (Type("board", name), *(kind for kind, _ in cards.card_keys(laid.face)))
        )
        yield words.label(_worth(scene, cards, laid.face)) + _contents(scene, items, hidden)
    for number, area in enumerate(scene.areas_in_use(name)):
        if number not in by_area and (lines := area_board.item_lines(scene, name, number)):
            yield words.label(words.capital(scene.narrator.term(area))) + _contents(scene, [_text(x) for x in lines])
    for (card, thing), paths in cards.viewer_paths().items():
        for route in paths:
            numbers = (f" ({c.number})" if c.number else "" for c in route.crossed)
            stops = [cards.full_name(c.card) + n for c, n in zip(route.crossed, numbers, strict=True)]
            stops.append(cards.full_name(route.end) if route.end is not None else words.say("drawing.open"))
            part = scene.short(thing.kind, thing.value)
            start = words.chain(
                [cards.full_name(card), part, scene.narrator.term(board.direction_names[route.direction])]
            )
            yield words.label(start) + words.chain(stops)


def _worth(scene: ScreenReaderScene, cards: LaidCards, face: int) -> str:
    """Return the name of a card with its numbers and their meaning."""
    words, term = scene.narrator.words, scene.narrator.term
    worth = [f"{term(name)} {number}" for name, number in cards.card_numbers(face)]
    return cards.full_name(face) + (f" ({words.chain(worth)})" if worth else "")


def _pieces(scene: ScreenReaderScene, field: ir.Field, value: int) -> Iterator[str]:
    """Yield the pieces on the parts of a card, or on the card itself."""
    words = scene.narrator.words
    if scene.hides_copies(field):
        yield words.label(scene.name(field)) + scene.hidden_text
        return
    parts = range(field.sizes[1]) if len(field.indices) == 3 else [None]
    for part in parts:
        held = []
        for seat in range(field.sizes[-1]):
            indices = (value, seat) if part is None else (value, part, seat)
            if tokens := scene.tokens(FieldCopy(field, indices)):
                held.append(f"{scene.letters[seat]}{tokens}")
        if held:
            name = scene.name(field) if part is None else scene.short(field.indices[1], part)
            yield words.label(words.capital(name)) + words.chain(held)


def _tracks(scene: ScreenReaderScene) -> Iterator[str]:
    words = scene.narrator.words
    for track in scene.tracks():
        phase = Text(scene.narrator.term(track.phase))
        status = words.say("drawing.track", None, phase=phase, n=track.space + 1, all=track.length)
        yield words.label(scene.name(track.field)) + status
        yield from (_text(line) for line in tables(scene, track.phase))


def _rows(scene: ScreenReaderScene) -> Iterator[str]:
    """Yield a line for each zone and value of each value of an enumeration; a zone alone is called by the value."""
    words = scene.narrator.words
    for kind, row in scene.rows.items():
        for spot in chain(*zip(*row, strict=True)):
            is_alone = len(row[0]) == 1 and spot.is_zone
            name = words.capital(scene.short(kind, spot.indices[0])) if is_alone else scene.copy_name(spot)
            if spot.is_zone:
                held = _held(scene, spot)
                yield words.label(name) + _contents(scene, [held] if held else [], scene.hides_copies(spot.field))
            elif scene.visible(spot) and (text := value_text(scene, spot)):
                yield name if spot.field.type.kind == "truth" else words.label(name) + text


def _held(scene: ScreenReaderScene, copy: FieldCopy) -> str:
    """Return the contents of a copy of a zone, in their order if they have one."""
    if not copy.field.traits.ordered or not scene.visible(copy):
        return scene.content(copy)
    things = [scene.short(copy.field.type, thing) for thing in scene.things(copy)]
    return scene.narrator.words.chain(things) if things else ""


def _common(scene: ScreenReaderScene) -> Iterator[str]:
    yield from (_text(item) for item in items(scene))


def _players(scene: ScreenReaderScene) -> Iterator[str]:
    """Yield a line for each player, and one for each thing the viewer holds."""
    words = scene.narrator.words
    table, nothing, yes = columns(scene), words.say("drawing.nothing"), words.say("drawing.yes")
    for seat, name in enumerate(scene.narrator.names):
        texts_of_player = [
            title if texts[seat] == yes else words.valued(title, texts[seat])
            for title, texts in table
            if texts[seat] not in ("", nothing)
        ]
        if scene.state.seat == seat and not scene.state.over:
            name = words.say("drawing.turn", None, player=scene.narrator.player(seat))
        yield words.label(name) + _contents(scene, texts_of_player) if texts_of_player else name
    yield from (_text(line) for line in hand_lines(scene))


def _contents(scene: ScreenReaderScene, items: Sequence[str], hidden: bool = False) -> str:
    """Join items that may be lists themselves; without any, say that there is nothing, or that it is `hidden`."""
    words = scene.narrator.words
    if not items:
        return scene.hidden_text if hidden else words.say("drawing.nothing")
    return words.apart(items)


def _text(line: Line) -> str:
    return line_text(line).strip()
