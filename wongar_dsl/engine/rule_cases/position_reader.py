"""Positions written with names: laying them out in a state, and comparing them with a state.

A field is named, then its copies by their indices, then its contents: `ground: {north: {2: {red: 3}}}`. A mapping
describes only the parts that it names; a list is complete, for piles from the top down. `all` stands for every copy. In
a view of a seat, a number means that the seat knows only the size of a zone, and `hidden` that it knows nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import (
    LAYOUT,
    Container,
    PlacedCard,
    container,
    score_from,
    set_score_from,
    size_at,
)
from wongar_dsl.engine import Game, State, notation
from wongar_dsl.engine.hidden_information.information import copies, visible_extent
from wongar_dsl.engine.hidden_information.observation import content
from wongar_dsl.engine.rule_cases.file import CaseError, CaseFailure, YamlNode
from wongar_dsl.language.semantics import FIGURE, NUMBER, PLAYER, Type

ALL = "all"
HIDDEN = "hidden"
#: Key for a spectator.
WATCHER = "watcher"
MAX_TOKENS = 100_000


class PositionReader:
    """Reads positions of one game; `names` are alternative names of its seats."""

    def __init__(self, game: Game, names: tuple[str, ...] = ()) -> None:
        self._game = game
        self._model = game.model
        self._names = names

    # ---- names ----

    def value(self, kind: Type, node: YamlNode) -> int:
        """Return the value of a type that a text names; raises `CaseError`."""
        text = node.text
        if kind == PLAYER and text in self._names:
            return self._names.index(text)
        if kind == FIGURE and text in self._model.figures:
            return self._model.figures.index(text)
        if text == "none" and kind.can_be_none:
            return -1
        value = notation.read_value(self._model, kind, text, self._game.seats)
        if value is None:
            names = self._known(kind)
            suggestion = did_you_mean(text, names) or ""
            raise CaseError("cases.unknown_value", node.line, name=text, type=str(kind), suggestion=suggestion)
        return value

    def viewers(self, node: YamlNode) -> list[int | None]:
        """Return the viewers that a key names: `all` seats, some seats, or the spectator (None)."""
        if node.text == ALL:
            return list(range(self._game.seats))
        parts = (part.strip() for part in node.text.split(","))
        return [None if part == WATCHER else self.value(PLAYER, YamlNode(part, node.line)) for part in parts]

    def with_seat_numbers(self, text: str) -> str:
        """Return a move with the seats' names replaced by their numbers."""
        for number, name in enumerate(self._names, 1):
            text = re.sub(rf"\b{name}\b", str(number), text)
        return text

    def _known(self, kind: Type) -> list[str]:
        if kind.kind in ("number", "truth", "player"):
            return list(self._names)
        return [self._model.value_name(kind, i) for i in range(self._model.size(kind, self._game.seats))]

    def shown(self, kind: Type, value: int) -> str:
        """Return a value as text, with the names of seats if they have names."""
        if kind == PLAYER and self._names and 0 <= value < len(self._names):
            return self._names[value]
        return notation.write_value(self._model, kind, value)

    def place(self, name: str, line: int) -> ir.Field:
        """Return the field with this name; raises `CaseError`."""
        for field in self._game.program.fields:
            if field.name == name:
                return field
        names = [p.name for p in self._game.program.fields]
        raise CaseError("cases.unknown_place", line, name=name, suggestion=did_you_mean(name, names) or "")

    def place_copies(self, position: Mapping[str, YamlNode]) -> Iterator[tuple[ir.Field, str, int, int, YamlNode]]:
        """Yield for each copy in a position: its field, name, number, address, and node."""
        for name, node in position.items():
            place = self.place(name, node.line)
            yield from self._copies(place, 0, name, 0, node)

    def _copies(
        self, field: ir.Field, depth: int, called: str, copy: int, node: YamlNode
    ) -> Iterator[tuple[ir.Field, str, int, int, YamlNode]]:
        if depth == len(field.indices):
            yield field, called, copy, field.base + copy * field.width, node
            return
        kind = field.indices[depth]
        for key, inner in node.mapping.items():
            parts = key.split(",") if "(" not in key else [key]
            if key == ALL:
                values = list(range(field.sizes[depth]))
            else:
                values = [self.value(kind, YamlNode(part.strip(), inner.line)) for part in parts]
            for value in values:
                index = copy * field.sizes[depth] + value
                yield from self._copies(field, depth + 1, f"{called}[{self.shown(kind, value)}]", index, inner)

    def content_type(self, field: ir.Field, copy: int) -> Type:
        """Return the type of the contents of a copy."""
        if field.kind != "place":
            return field.type
        board = self._model.declared.figures[self._model.figures[copy]].board
        return Type("board", board) if board is not None else NUMBER

    def _things(self, field: ir.Field, node: YamlNode) -> list[int]:
        return [self.value(field.type, item) for item in node.items]

    def lay_out(self, state: State, position: Mapping[str, YamlNode]) -> None:
        """Lay out a position in a state; raises `CaseError`."""
        for place, _, copy, address, node in self.place_copies(position):
            self._write(state.cells, place, copy, address, node)

    def _write(self, cells: list[int], field: ir.Field, copy: int, at: int, node: YamlNode) -> None:
        zone = container(field)
        if zone is not None and not field.traits.single:
            self._write_things(cells, field, zone, at, node)
            return
        match field.kind:
            case "score":
                self._write_score(cells, field, at, node)
            case "track":
                cells[at] = self._space(field, node)
            case _:
                cells[at] = self.value(self.content_type(field, copy), node)

    def _write_things(self, cells: list[int], field: ir.Field, zone: Container, at: int, node: YamlNode) -> None:
        if field.traits.spread:
            cards = self._placed_cards(field, node)
            if len(cards) > field.capacity:
                raise CaseError("cases.too_many", node.line, name=field.name, limit=field.capacity)
            LAYOUT.replace_cards(cells, at, field.width, cards)
            return
        if isinstance(node.value, list):
            things = self._things(field, node)
            things = things[::-1] if field.traits.ordered else things
        elif field.traits.ordered:
            things = self._pile_after(cells, field, zone, at, node)
        else:
            counts = zone.counts(cells, at, field.width, self._model.size(field.type, self._game.seats))
            for key, number in node.mapping.items():
                if not 0 <= number.number <= MAX_TOKENS:
                    raise CaseError("cases.value", number.line, name=number.text, expected="number")
                counts[self.value(field.type, YamlNode(key, number.line))] = number.number
            zone.write_counts(cells, at, field.width, counts)
            return
        if field.traits.ordered and len(things) > field.capacity:
            raise CaseError("cases.too_many", node.line, name=field.name, limit=field.capacity)
        zone.write(cells, at, field.width, things)

    def _pile_after(self, cells: list[int], field: ir.Field, zone: Container, at: int, node: YamlNode) -> list[int]:
        """Return the contents of a pile, from the bottom up, after some of its cards have been moved to the top."""
        top = self._top(field, node)
        cards, moved = zone.ordered_things(cells, at, field.width), self._things(field, top)
        for card, item in zip(moved, top.items, strict=True):
            if card not in cards:
                raise CaseError("cases.no_such_card", item.line, name=item.text)
            cards.remove(card)
        return [*moved, *cards][::-1]

    def _placed_cards(self, field: ir.Field, node: YamlNode) -> list[PlacedCard]:
        """Return the cards that a node lays, each with its area and rotation (`b3/2`); equal cards form a list."""
        board = self._model.declared.zones[field.name].board
        assert board is not None
        result = []
        for key, locations in node.mapping.items():
            face = self.value(field.type, YamlNode(key, locations.line))
            for item in locations.items if isinstance(locations.value, list) else (locations,):
                area, _, turn = item.text.partition("/")
                area_number = self.value(Type("board", board), YamlNode(area, item.line))
                turned = YamlNode(turn or "0", item.line).number % self._model.boards[board].directions
                result.append(PlacedCard(face, area_number, turned))
        return result

    @staticmethod
    def _top(field: ir.Field, node: YamlNode) -> YamlNode:
        if set(node.mapping) != {"top"}:
            raise CaseError("cases.shape", node.line, expected=field.kind)
        return node.mapping["top"]

    def _write_score(self, cells: list[int], field: ir.Field, at: int, node: YamlNode) -> None:
        if isinstance(node.value, str):
            cells[at] = node.number
            return
        for key, number in node.mapping.items():
            set_score_from(cells, at, self.value(field.type, YamlNode(key, number.line)), number.number)

    def _space(self, field: ir.Field, node: YamlNode) -> int:
        spaces = sum(n for _, n in self._model.tracks[field.name])
        if not 1 <= node.number <= spaces:
            raise CaseError("cases.value", node.line, name=node.text, expected="number")
        return node.number - 1

    def compare(self, state: State, position: Mapping[str, YamlNode]) -> Iterator[CaseFailure]:
        """Yield the differences between a state and a position; raises `CaseError` for an invalid position."""
        for place, called, copy, address, node in self.place_copies(position):
            expected, actual = self._expected_and_actual(state.cells, place, copy, address, node)
            if expected != actual:
                yield CaseFailure("cases.content", node.line, {"place": called, "expected": expected, "found": actual})

    def compare_totals(self, state: State, totals: Mapping[str, YamlNode]) -> Iterator[CaseFailure]:
        """Yield the sorts of cards or tokens whose total over all zones differs from the expected one."""
        for name, node in totals.items():
            zones = [(p, zone) for p in self._game.program.fields if (zone := container(p)) is not None]
            places = [(p, zone) for p, zone in zones if p.type.name == name]
            if not places:
                sorts = sorted({p.type.name for p, _ in zones})
                suggestion = did_you_mean(name, sorts) or ""
                raise CaseError("cases.unknown_place", node.line, name=name, suggestion=suggestion)
            first, cells = places[0][0], state.cells
            spots = ((p, zone, address) for p, zone in places for _, address in copies(p))
            totals_found = Counter(
                thing for p, zone, address in spots for thing in zone.things(cells, address, p.width)
            )
            counts = [totals_found[thing] for thing in range(self._model.size(first.type, self._game.seats))]
            expected, actual = self._counted(first, counts, node)
            if expected != actual:
                yield CaseFailure("cases.content", node.line, {"place": name, "expected": expected, "found": actual})

    def compare_seen(
        self, state: State, position: Mapping[str, YamlNode], seat: int | None, viewer: str
    ) -> Iterator[CaseFailure]:
        """Yield the differences between a seat's view (None: a spectator's) and a position; `viewer` is its name."""
        for place, called, copy, address, node in self.place_copies(position):
            seen = visible_extent(place, _indices(place, copy), seat)
            text = node.value if isinstance(node.value, str) else ""
            expected: tuple[str, ...] = (text,)
            actual: tuple[str, ...]
            if text == HIDDEN or (container(place) is not None and text.isdigit()):
                actual = self._listed_contents(state, place, address)
            else:
                expected, actual = self._expected_and_actual(state.cells, place, copy, address, node)
            if seen != "all":
                actual = (HIDDEN if seen == "nothing" else str(size_at(state.cells, place, address)),)
            if expected != actual:
                arguments = {"seat": viewer, "place": called}
                yield CaseFailure("cases.sees", node.line, {**arguments, "expected": expected, "found": actual})

    @staticmethod
    def _listed_contents(state: State, field: ir.Field, at: int) -> tuple[str, ...]:
        """Return the contents of a copy, item by item."""
        contents = content(state, field, at)
        if isinstance(contents, dict):
            return tuple(f"{n} {name}" for name, n in contents.items())
        return tuple(contents) if isinstance(contents, list) else (str(contents),)

    def _expected_and_actual(
        self, cells: list[int], field: ir.Field, copy: int, at: int, node: YamlNode
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the expected and the actual contents of a copy."""
        zone = container(field)
        if zone is not None and not field.traits.single:
            return self._expected_and_actual_things(cells, field, zone, at, node)
        match field.kind:
            case "score":
                if isinstance(node.value, str):
                    return (str(node.number),), (str(cells[at]),)
                pairs = [
                    (key, n.number, score_from(cells, at, self.value(field.type, YamlNode(key, n.line))))
                    for key, n in node.mapping.items()
                ]
                return tuple(f"{k} {n}" for k, n, _ in pairs), tuple(f"{k} {m}" for k, _, m in pairs)
            case "track":
                return (str(self._space(field, node) + 1),), (str(cells[at] + 1),)
        kind = self.content_type(field, copy)
        return (self.shown(kind, self.value(kind, node)),), (self.shown(kind, cells[at]),)

    def _expected_and_actual_things(
        self, cells: list[int], field: ir.Field, zone: Container, at: int, node: YamlNode
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the expected and the actual contents of a copy of a zone."""
        if field.traits.spread:
            expected = self._placed_cards(field, node)
            actual = zone.placed_cards(cells, at, field.width)
            # A misplaced card is compared with an equal card that is expected elsewhere.
            misplaced = [laid for laid in actual if laid not in expected]
            matched = []
            for card in expected:
                substitute = next((laid for laid in misplaced if laid.face == card.face), None)
                if card not in actual and substitute is not None:
                    misplaced.remove(substitute)
                matched.append(card if card in actual else substitute or PlacedCard(card.face, -1, 0))
            return tuple(self._card_text(field, laid) for laid in expected), tuple(
                self._card_text(field, laid) for laid in matched
            )
        if field.traits.counted:
            size = self._model.size(field.type, self._game.seats)
            return self._counted(field, zone.counts(cells, at, field.width, size), node)
        cards = zone.ordered_things(cells, at, field.width)
        if isinstance(node.value, str):
            return (str(node.number),), (str(len(cards)),)
        things = self._things(field, node if isinstance(node.value, list) else self._top(field, node))
        if not isinstance(node.value, list):
            cards = cards[: len(things)]
        return self._names_of(field, things), self._names_of(field, cards)

    def _card_text(self, field: ir.Field, laid: PlacedCard) -> str:
        """Return a card with its area and rotation, as in a position."""
        board = self._model.declared.zones[field.name].board
        assert board is not None
        where = f"{self._model.boards[board].areas[laid.area]}/{laid.turned}" if laid.area >= 0 else "none"
        return f"{self._model.value_name(field.type, laid.face)}: {where}"

    def _counted(self, field: ir.Field, counts: list[int], node: YamlNode) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if isinstance(node.value, str):
            return (str(node.number),), (str(sum(counts)),)
        if isinstance(node.value, list):
            things = self._things(field, node)
            expected_counts = {i: things.count(i) for i in range(len(counts))}
            kinds = [i for i in expected_counts if expected_counts[i] or counts[i]]
        else:
            expected_counts = {
                self.value(field.type, YamlNode(key, n.line)): n.number for key, n in node.mapping.items()
            }
            kinds = list(expected_counts)
        names = {i: self._model.value_name(field.type, i) for i in kinds}
        return tuple(f"{expected_counts[i]} {names[i]}" for i in kinds), tuple(f"{counts[i]} {names[i]}" for i in kinds)

    def _names_of(self, field: ir.Field, cards: list[int]) -> tuple[str, ...]:
        return tuple(self._model.value_name(field.type, c) for c in cards)


def _indices(field: ir.Field, copy: int) -> tuple[int, ...]:
    indices: list[int] = []
    for size in reversed(field.sizes):
        copy, index = divmod(copy, size)
        indices.insert(0, index)
    return tuple(indices)
