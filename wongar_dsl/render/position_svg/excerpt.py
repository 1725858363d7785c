"""Pictures of the parts of a position that an example is about, before and after its moves.

Areas of a board without squares, players, and other things that zones belong to are boxes; squares and placed cards are
drawn as on the board, cut to what matters. Boxes show only what the text of the example tells: some copies of fields,
and some things in them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, TypeVar

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.compiler import ir
from wongar_dsl.engine import State
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.language.semantics.boards import SQUARE, Graph
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.examples import WorkedExample
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.component_svg.svg import Point
from wongar_dsl.session.scene import BoardArea, ExcerptScene, FieldCopy, Scene, areas_of_copy, differ, home_index
from wongar_dsl.session.seats import letters_of

from . import laid_cards, svg_symbols
from .boards import EDGE, GAP, PAPER, area_width, boxed, square_board, title_size
from .render_context import AreaContents, Card, OwnerTokens, RenderContext, contents, token_kinds

K = TypeVar("K")

#: Maximum number of boxes side by side that are no areas, and of equal tokens of a player that are a shortage.
COLUMNS, MAX_SHORTAGE = 4, 5
#: Maximum size of a map with gaps: in half columns, and in rows.
MAX_COLUMNS, MAX_ROWS = 8, 5


class BoxKey(NamedTuple):
    """A box beside the boards: the zone, value or type that it shows, and the player or thing that it belongs to."""

    group: str
    kind: Type | None
    value: int


@dataclass(frozen=True)
class Excerpt:
    """The parts of two positions that an example is about; `letters` are those of the players."""

    before: State
    after: State
    spots: Mapping[tuple[ir.Field, tuple[int, ...]], frozenset[int] | None]
    narrator: Narrator
    letters: Sequence[str]

    @classmethod
    def of(cls, example: WorkedExample, words: Translator) -> Excerpt:
        """Return the parts of the positions before and after a worked example that it is about."""
        narrator = Narrator(example.before.game, words, example.names)
        return cls(example.before, example.after, example.spots, narrator, letters_of(example.names))

    def pictures(self) -> Sequence[tuple[Tag, ...]]:
        """Return the pictures of the position before, and of the one after unless they are equal."""
        columns = [*zip(*self._drawn(), strict=True)]
        return columns[: len(dict.fromkeys(tuple(map(str, column)) for column in columns))]

    @cached_property
    def _told(self) -> Mapping[FieldCopy, frozenset[int] | None]:
        return {FieldCopy(*spot): things for spot, things in self.spots.items() if _is_told(*spot)}

    @cached_property
    def _contexts(self) -> Sequence[RenderContext]:
        """The two positions; in the second one the areas that changed are marked."""
        changes = (spot for spot in self._told if differ(self.before, self.after, spot))
        changed = frozenset(place for spot in changes for place in self._places(spot))
        states, marks = (self.before, self.after), (frozenset[BoardArea](), changed)
        return [
            RenderContext(ExcerptScene(state, self.narrator, self.letters, None, self._told), mark)
            for state, mark in zip(states, marks, strict=True)
        ]

    @cached_property
    def _whole(self) -> Sequence[RenderContext]:
        """The two complete positions as spectators see them."""
        return [
            replace(context, scene=Scene(state, self.narrator, self.letters, None))
            for context, state in zip(self._contexts, (self.before, self.after), strict=True)
        ]

    def _places(self, spot: FieldCopy) -> Iterator[BoardArea]:
        """Yield the areas of boards that a copy belongs to, before or after."""
        for state in (self.before, self.after):
            yield from areas_of_copy(state, spot)

    # ---- pictures ----

    def _drawn(self) -> Iterator[Sequence[Tag]]:
        """Yield the pictures of each board and of the boxes beside the boards, each before and after."""
        places = {place for spot in self._told for place in self._places(spot)}
        for name, board in self.before.game.model.boards.items():
            areas = sorted(area for on, area in places if on == name)
            layout = self._whole[0].scene.layout_on(name)
            if layout is not None:
                before, after = ({(c.area, c.face) for c in w.scene.placed_cards(layout)} for w in self._whole)
                for part in _parts(board, sorted({*areas, *(area for area, _ in before ^ after)})):
                    yield [laid_cards.draw(context, layout, name, board, part) for context in self._whole]
            elif areas and board.directions == SQUARE:
                small = max(*map(max, board.spots)) < PAPER
                around = range(len(board.areas)) if small else areas
                yield [square_board(context, name, board, around) for context in self._whole]
            elif areas:
                yield self._areas(name, board, areas)
        beside = [self._beside(context) for context in self._contexts]
        names = {
            key: box.name for boxes in beside for key, box in boxes.items() if box.key != AreaContents(box.name).key
        }
        if names:
            yield self._boxes_beside(names, *beside)

    def _areas(self, name: str, board: Graph, areas: Sequence[int]) -> Sequence[Tag]:
        """Draw the part of a board with some areas; the others in this part are pale."""
        (first, last), (top, bottom) = (
            (min(numbers), max(numbers)) for numbers in zip(*(board.places[area] for area in areas), strict=True)
        )
        at = {i: p for i, p in enumerate(board.places) if first <= p[0] <= last and top <= p[1] <= bottom}
        inside = [
            {i: contents(context, name, i, context.term(board.areas[i])) for i in at} for context in self._contexts
        ]
        changed = {area for area in areas if (name, area) in self._contexts[1].changed}
        return _boxes(self._contexts, inside, at, changed, at.keys() - set(areas), token_kinds(self._contexts[0], name))

    # ---- beside the boards ----

    def _boxes_beside(self, names: Mapping[BoxKey, str], *beside: Mapping[BoxKey, AreaContents]) -> Sequence[Tag]:
        """Draw boxes with these names: below each other those of a player, side by side those of a group."""
        inside = [{key: boxes.get(key, AreaContents(name)) for key, name in names.items()} for boxes in beside]
        seats = sorted({key.value for key in names if key.kind == PLAYER})
        at: dict[BoxKey, Point] = {}
        for group in dict.fromkeys(key.group for key in names):
            members, top = (
                sorted(key for key in names if key.group == group),
                1 + max([-1, *(row for _, row in at.values())]),
            )
            for number, key in enumerate(members):
                column = seats.index(key.value) if key.kind == PLAYER else number
                at[key] = 2 * (column % COLUMNS), top + column // COLUMNS
        kinds = max((len(t.counts) for boxes in beside for box in boxes.values() for t in box.tokens), default=0)
        for key, box in (item for boxes in inside for item in boxes.items()):
            if key.kind == PLAYER and key.group:
                box.notes.append(self._contexts[0].scene.name(self.before.game.fields[key.group]))
        changed = {key for key in names if inside[0][key].key != inside[1][key].key}
        return _boxes(self._contexts, inside, at, changed, (), kinds)

    def _beside(self, context: RenderContext) -> dict[BoxKey, AreaContents]:
        """Return what matters of players, enumerations and zones of nobody."""
        boxes: dict[BoxKey, AreaContents] = {}

        def box(key: BoxKey, name: str) -> AreaContents:
            return boxes.setdefault(key, AreaContents(name))

        def of_player(seat: int) -> AreaContents:
            return box(BoxKey("", PLAYER, seat), self.narrator.names[seat])

        def of_value(kind: Type, value: int) -> AreaContents:
            return box(BoxKey(kind.name, kind, value), context.short(kind, value))

        scene, words = context.scene, self.narrator.words
        for copy in (spot for spot in self._told if not any(self._places(spot))):
            field, value, seat = copy.field, scene.value(copy) or 0, copy.owner
            if field.kind == "holder":
                if value >= 0:
                    of_player(value).figures.append(context.term(scene.state.game.model.figures[copy.indices[0]]))
            elif field.kind == "score" and seat is not None:
                of_player(seat).notes.append(words.label(self.narrator.score_title()) + words.number(value))
            elif field.kind == "remember" and field.type.kind == "number" and seat is not None:
                of_player(seat).notes.append(words.label(scene.name(field)) + words.number(value))
            elif field.kind == "remember" and value >= 0:
                if field.type == PLAYER and copy.indices:
                    of_value(field.indices[0], copy.indices[0]).marks.append(value)
                elif field.type == PLAYER:
                    of_player(value).notes.append(scene.name(field))
                elif seat is not None:
                    of_value(field.type, value).marks.append(seat)
                else:
                    name = scene.name(field)
                    box(BoxKey(field.name, None, 0), name).notes.append(context.short(field.type, value))
            elif copy.is_zone and seat is not None:
                _fill(context, copy, box(BoxKey(field.name, PLAYER, seat), self.narrator.names[seat]))
            elif copy.is_zone and copy.indices:
                _fill(context, copy, of_value(field.indices[0], copy.indices[0]))
            elif copy.is_zone:
                _fill(context, copy, box(BoxKey(field.name, None, 0), scene.name(field)))
        return boxes


def _is_told(field: ir.Field, indices: tuple[int, ...]) -> bool:
    """Return whether the text tells what is in a copy; sizes of hidden piles are shown at areas only."""
    if field.kind == "remember":
        whose = field.indices == (PLAYER,) and field.type.kind != "truth"
        return whose or field.type == PLAYER or (not indices and field.type.kind not in ("truth", "number"))
    return field.seen == "all" or (field.owner is not None and field.seen != "nobody") or home_index(field) is not None


def _fill(context: RenderContext, copy: FieldCopy, box: AreaContents) -> None:
    """Add what lies in a zone to a box: tokens by kind, cards by face, or their number."""
    scene, field = context.scene, copy.field
    assert isinstance(scene, ExcerptScene)
    matter = scene.spots[copy]
    if field.traits.tokens and (counts := scene.counts(copy)) is not None:
        most = MAX_SHORTAGE if copy.owner is not None else max(counts)
        told = ((i, n) for i, n in enumerate(counts) if n <= most and (n > 0 if matter is None else i in matter))
        if kept := tuple(told):
            box.tokens.append(OwnerTokens(copy.owner, field, kept))
    elif scene.visible(copy):
        things = scene.things(copy)
        for face, run in groupby(things if field.traits.ordered else sorted(things)):
            number = len([*run])
            text = f"{number} × " * (number > 1) + context.short(field.type, face)
            box.cards.append(Card(text, "", field.type, face))
    elif scene.size(copy):
        box.piles.append((scene.name(field), scene.size(copy)))


def _parts(board: Graph, areas: Sequence[int]) -> Sequence[Sequence[int]]:
    """Return the areas of a lattice together, or in connected parts if they are far apart."""
    columns, rows = [*zip(*(board.places[area] for area in areas), strict=True)] or [(0,), (0,)]
    if not areas or (max(columns) - min(columns) < MAX_COLUMNS and max(rows) - min(rows) < MAX_ROWS):
        return [areas] if areas else []
    parts: list[list[int]] = []
    for area in areas:
        joined = [part for part in parts if not set(board.touching[area]).isdisjoint(part)]
        parts = [part for part in parts if part not in joined] + [[*(a for part in joined for a in part), area]]
    return parts


def _boxes(
    contexts: Sequence[RenderContext],
    inside: Sequence[Mapping[K, AreaContents]],
    at: Mapping[K, Point],
    changed: Collection[K],
    pale: Collection[K],
    kinds: int,
) -> Sequence[Tag]:
    """Draw boxes of equal size for both positions, each `at` a column (in half boxes) and a row."""
    width = area_width(kinds)
    size = title_size([box for boxes in inside for box in boxes.values()], width)
    drawn = [
        {key: boxed(context, box, width, kinds, size) for key, box in boxes.items()}
        for context, boxes in zip(contexts, inside, strict=True)
    ]
    left, rows = min(column for column, _ in at.values()), sorted({row for _, row in at.values()})
    top, tops = GAP, dict[int, int]()
    heights = {row: EDGE + max(d[key][0] for d in drawn for key in at if at[key][1] == row) for row in rows}
    for row in rows:
        tops[row] = top
        top += heights[row] + GAP
    right = GAP + max((at[key][0] - left) * (width + GAP) // 2 + width + GAP for key in at)
    pictures: list[Tag] = []
    for boxes, is_after in zip(drawn, (False, True), strict=True):
        parts: list[Tag] = []
        for key, (column, row) in at.items():
            x, y = GAP + (column - left) * (width + GAP) // 2, tops[row]
            ground = tag("rect", x=x, y=y, width=width, height=heights[row], rx=22, class_="ground")
            dot = [svg_symbols.changed_dot(x + width - 6, y + 8)] if is_after and key in changed else []
            content = tag("g", boxes[key][1], transform=f"translate({x} {y})")
            parts.append(tag("g", ground, content, *dot, class_="pale" if key in pale else "changed" if dot else None))
        pictures.append(svg_symbols.drawing(parts, f"0 0 {right} {top}", "board areas"))
    return pictures
