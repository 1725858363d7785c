"""Positions written down by names: laid out in a state, and compared with one.

A place is named, then its copies by their indices, then what is in it: `ground: {north: {2: {red: 3}}}`.  Of a mapping
only what it names is meant; a list is all that there is, piles from the top down.  `all` means every copy.  In what
a seat sees, a number is all that it knows of a zone, and of what is `hidden` it does not even know that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from wongar_dsl import ir
from wongar_dsl.cases.file import CaseError, CaseFailure, YamlNode
from wongar_dsl.engine import Game, State, notation
from wongar_dsl.engine.knowledge import copies, extent
from wongar_dsl.engine.observation import content
from wongar_dsl.ir.containers import LAYOUT, Container, Laid, container, score_from, set_score_from, size_at
from wongar_dsl.model import FIGURE, NUMBER, PLAYER, Type
from wongar_dsl.text.suggest import did_you_mean

ALL = "all"
HIDDEN = "hidden"
#: Somebody who only watches, beside the seats.
WATCHER = "watcher"
MOST_TOKENS = 100_000


class PositionReader:
    """Reads positions for one game; `names` are names that seats have beside their numbers."""

    def __init__(self, game: Game, names: tuple[str, ...] = ()) -> None:
        self._game = game
        self._model = game.model
        self._names = names

    # ---- names ----

    def value(self, kind: Type, node: YamlNode) -> int:
        """The value of a type that a text names; raises `CaseError`."""
        text = node.text
        if kind == PLAYER and text in self._names:
            return self._names.index(text)
        if kind == FIGURE and text in self._model.figures:
            return self._model.figures.index(text)
        if text == "none" and kind.can_be_none:
            return -1
        found = notation.read_value(self._model, kind, text, self._game.seats)
        if found is None:
            known = self._known(kind)
            suggestion = did_you_mean(text, known) or ""
            raise CaseError("cases.unknown_value", node.line, name=text, type=str(kind), suggestion=suggestion)
        return found

    def viewers(self, node: YamlNode) -> list[int | None]:
        """The viewers that a key names: `all` seats, some of them, or the watcher, who is None."""
        if node.text == ALL:
            return list(range(self._game.seats))
        parts = (part.strip() for part in node.text.split(","))
        return [None if part == WATCHER else self.value(PLAYER, YamlNode(part, node.line)) for part in parts]

    def numbered(self, text: str) -> str:
        """A move with the seats' names replaced by their numbers."""
        for number, name in enumerate(self._names, 1):
            text = re.sub(rf"\b{name}\b", str(number), text)
        return text

    def _known(self, kind: Type) -> list[str]:
        if kind.kind in ("number", "truth", "player"):
            return list(self._names)
        return [self._model.value_name(kind, i) for i in range(self._model.size(kind, self._game.seats))]

    def shown(self, kind: Type, value: int) -> str:
        """A value as text, seats by their names where they have some."""
        if kind == PLAYER and self._names and 0 <= value < len(self._names):
            return self._names[value]
        return notation.write_value(self._model, kind, value)

    def place(self, name: str, line: int) -> ir.Field:
        """The place of a name; raises `CaseError`."""
        for place in self._game.program.fields:
            if place.name == name:
                return place
        known = [p.name for p in self._game.program.fields]
        raise CaseError("cases.unknown_place", line, name=name, suggestion=did_you_mean(name, known) or "")

    def spots(self, position: Mapping[str, YamlNode]) -> Iterator[tuple[ir.Field, str, int, int, YamlNode]]:
        """Each copy that a position speaks of: its place, its name, its index, its address, and what is said of it."""
        for name, node in position.items():
            place = self.place(name, node.line)
            yield from self._copies(place, 0, name, 0, node)

    def _copies(
        self, place: ir.Field, depth: int, called: str, copy: int, node: YamlNode
    ) -> Iterator[tuple[ir.Field, str, int, int, YamlNode]]:
        if depth == len(place.indices):
            yield place, called, copy, place.base + copy * place.width, node
            return
        kind = place.indices[depth]
        for key, inner in node.mapping.items():
            parts = key.split(",") if "(" not in key else [key]
            if key == ALL:
                values = list(range(place.sizes[depth]))
            else:
                values = [self.value(kind, YamlNode(part.strip(), inner.line)) for part in parts]
            for value in values:
                index = copy * place.sizes[depth] + value
                yield from self._copies(place, depth + 1, f"{called}[{self.shown(kind, value)}]", index, inner)

    def held(self, place: ir.Field, copy: int) -> Type:
        """The type of what stands in a copy of a place."""
        if place.kind != "place":
            return place.type
        board = self._model.declared.figures[self._model.figures[copy]].board
        return Type("board", board) if board is not None else NUMBER

    def _things(self, place: ir.Field, node: YamlNode) -> list[int]:
        return [self.value(place.type, item) for item in node.items]

    # ---- laying out ----

    def lay(self, state: State, position: Mapping[str, YamlNode]) -> None:
        """Lay out a position in a state; raises `CaseError`."""
        for place, _, copy, at, node in self.spots(position):
            self._put(state.cells, place, copy, at, node)

    def _put(self, cells: list[int], place: ir.Field, copy: int, at: int, node: YamlNode) -> None:
        zone = container(place)
        if zone is not None and not zone.single:
            self._put_things(cells, place, zone, at, node)
            return
        match place.kind:
            case "score":
                self._put_score(cells, place, at, node)
            case "track":
                cells[at] = self._space(place, node)
            case _:
                cells[at] = self.value(self.held(place, copy), node)

    def _put_things(self, cells: list[int], place: ir.Field, zone: Container, at: int, node: YamlNode) -> None:
        if zone.spread:
            cards = self._laid(place, node)
            if len(cards) > place.capacity:
                raise CaseError("cases.too_many", node.line, name=place.name, limit=place.capacity)
            LAYOUT.lay(cells, at, place.width, cards)
            return
        if isinstance(node.value, list):
            things = self._things(place, node)
            things = things[::-1] if zone.ordered else things
        elif zone.ordered:
            things = self._put_on_top(cells, place, zone, at, node)
        else:
            counts = zone.counts(cells, at, place.width, self._model.size(place.type, self._game.seats))
            for key, number in node.mapping.items():
                if not 0 <= number.number <= MOST_TOKENS:
                    raise CaseError("cases.value", number.line, name=number.text, expected="number")
                counts[self.value(place.type, YamlNode(key, number.line))] = number.number
            zone.write_counts(cells, at, place.width, counts)
            return
        if zone.ordered and len(things) > place.capacity:
            raise CaseError("cases.too_many", node.line, name=place.name, limit=place.capacity)
        zone.write(cells, at, place.width, things)

    def _put_on_top(self, cells: list[int], place: ir.Field, zone: Container, at: int, node: YamlNode) -> list[int]:
        """What lies in a pile, from the bottom up, once some of its cards lie on top."""
        top = self._top(node)
        cards, wanted = zone.told(cells, at, place.width), self._things(place, top)
        for card, item in zip(wanted, top.items, strict=True):
            if card not in cards:
                raise CaseError("cases.no_such_card", item.line, name=item.text)
            cards.remove(card)
        return [*wanted, *cards][::-1]

    def _laid(self, place: ir.Field, node: YamlNode) -> list[Laid]:
        """The cards that a position lays: where each lies, and its turn (`b3/2`); a list for several equal ones."""
        board = self._model.declared.zones[place.name].board
        assert board is not None
        result = []
        for key, where in node.mapping.items():
            face = self.value(place.type, YamlNode(key, where.line))
            for item in where.items if isinstance(where.value, list) else (where,):
                area, _, turn = item.text.partition("/")
                lies = self.value(Type("board", board), YamlNode(area, item.line))
                turned = YamlNode(turn or "0", item.line).number % self._model.boards[board].directions
                result.append(Laid(face, lies, turned))
        return result

    @staticmethod
    def _top(node: YamlNode) -> YamlNode:
        if set(node.mapping) != {"top"}:
            raise CaseError("cases.shape", node.line, expected="pile")
        return node.mapping["top"]

    def _put_score(self, cells: list[int], place: ir.Field, at: int, node: YamlNode) -> None:
        if isinstance(node.value, str):
            cells[at] = node.number
            return
        for key, number in node.mapping.items():
            set_score_from(cells, at, self.value(place.type, YamlNode(key, number.line)), number.number)

    def _space(self, place: ir.Field, node: YamlNode) -> int:
        spaces = sum(n for _, n in self._model.tracks[place.name])
        if not 1 <= node.number <= spaces:
            raise CaseError("cases.value", node.line, name=node.text, expected="number")
        return node.number - 1

    # ---- comparing ----

    def compare(self, state: State, position: Mapping[str, YamlNode]) -> Iterator[CaseFailure]:
        """Where a state is not as a position says; raises `CaseError` for a position that means nothing."""
        for place, called, copy, at, node in self.spots(position):
            expected, found = self._both(state.cells, place, copy, at, node)
            if expected != found:
                yield CaseFailure("cases.content", node.line, {"place": called, "expected": expected, "found": found})

    def compare_totals(self, state: State, totals: Mapping[str, YamlNode]) -> Iterator[CaseFailure]:
        """Where there are not as many of a sort of cards or tokens, in all zones together, as is said."""
        for name, node in totals.items():
            zones = [(p, zone) for p in self._game.program.fields if (zone := container(p)) is not None]
            places = [(p, zone) for p, zone in zones if p.type.name == name]
            if not places:
                known = sorted({p.type.name for p, _ in zones})
                suggestion = did_you_mean(name, known) or ""
                raise CaseError("cases.unknown_place", node.line, name=name, suggestion=suggestion)
            first, cells = places[0][0], state.cells
            spots = ((p, zone, at) for p, zone in places for _, at in copies(p))
            there = Counter(thing for p, zone, at in spots for thing in zone.things(cells, at, p.width))
            counts = [there[thing] for thing in range(self._model.size(first.type, self._game.seats))]
            expected, found = self._counted(first, counts, node)
            if expected != found:
                yield CaseFailure("cases.content", node.line, {"place": name, "expected": expected, "found": found})

    def compare_seen(
        self, state: State, position: Mapping[str, YamlNode], seat: int | None, viewer: str
    ) -> Iterator[CaseFailure]:
        """Where a seat, or with None a watcher, sees anything else than a position says; `viewer` is its name."""
        for place, called, copy, at, node in self.spots(position):
            seen = extent(place, _indices(place, copy), seat)
            text = node.value if isinstance(node.value, str) else ""
            expected: tuple[str, ...] = (text,)
            found: tuple[str, ...]
            if text == HIDDEN or (container(place) is not None and text.isdigit()):
                found = self._all(state, place, at)
            else:
                expected, found = self._both(state.cells, place, copy, at, node)
            if seen != "all":
                found = (HIDDEN if seen == "nothing" else str(size_at(state.cells, place, at)),)
            if expected != found:
                about = {"seat": viewer, "place": called}
                yield CaseFailure("cases.sees", node.line, {**about, "expected": expected, "found": found})

    @staticmethod
    def _all(state: State, place: ir.Field, at: int) -> tuple[str, ...]:
        """All that is in a copy of a place, item by item."""
        found = content(state, place, at)
        if isinstance(found, dict):
            return tuple(f"{n} {name}" for name, n in found.items())
        return tuple(found) if isinstance(found, list) else (str(found),)

    def _both(
        self, cells: list[int], place: ir.Field, copy: int, at: int, node: YamlNode
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What should be in a copy of a place, and what is."""
        zone = container(place)
        if zone is not None and not zone.single:
            return self._both_things(cells, place, zone, at, node)
        match place.kind:
            case "score":
                if isinstance(node.value, str):
                    return (str(node.number),), (str(cells[at]),)
                pairs = [
                    (key, n.number, score_from(cells, at, self.value(place.type, YamlNode(key, n.line))))
                    for key, n in node.mapping.items()
                ]
                return tuple(f"{k} {n}" for k, n, _ in pairs), tuple(f"{k} {m}" for k, _, m in pairs)
            case "track":
                return (str(self._space(place, node) + 1),), (str(cells[at] + 1),)
        kind = self.held(place, copy)
        return (self.shown(kind, self.value(kind, node)),), (self.shown(kind, cells[at]),)

    def _both_things(
        self, cells: list[int], place: ir.Field, zone: Container, at: int, node: YamlNode
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What should lie in a copy of a zone, and what does."""
        if zone.spread:
            wanted = self._laid(place, node)
            there = zone.laid(cells, at, place.width)
            # Each card that does not lie as it should is compared with an equal one that should lie elsewhere.
            astray = [laid for laid in there if laid not in wanted]
            found = []
            for card in wanted:
                other = next((laid for laid in astray if laid.face == card.face), None)
                if card not in there and other is not None:
                    astray.remove(other)
                found.append(card if card in there else other or Laid(card.face, -1, 0))
            return tuple(self._lies(place, laid) for laid in wanted), tuple(self._lies(place, laid) for laid in found)
        if zone.counted:
            size = self._model.size(place.type, self._game.seats)
            return self._counted(place, zone.counts(cells, at, place.width, size), node)
        cards = zone.told(cells, at, place.width)
        if isinstance(node.value, str):
            return (str(node.number),), (str(len(cards)),)
        things = self._things(place, node if isinstance(node.value, list) else self._top(node))
        if not isinstance(node.value, list):
            cards = cards[: len(things)]
        return self._names_of(place, things), self._names_of(place, cards)

    def _lies(self, place: ir.Field, laid: Laid) -> str:
        """A card with the place where it lies, as a position writes it."""
        board = self._model.declared.zones[place.name].board
        assert board is not None
        where = f"{self._model.boards[board].areas[laid.area]}/{laid.turned}" if laid.area >= 0 else "none"
        return f"{self._model.value_name(place.type, laid.face)}: {where}"

    def _counted(self, place: ir.Field, counts: list[int], node: YamlNode) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if isinstance(node.value, str):
            return (str(node.number),), (str(sum(counts)),)
        if isinstance(node.value, list):
            things = self._things(place, node)
            wanted = {i: things.count(i) for i in range(len(counts))}
            asked = [i for i in wanted if wanted[i] or counts[i]]
        else:
            wanted = {self.value(place.type, YamlNode(key, n.line)): n.number for key, n in node.mapping.items()}
            asked = list(wanted)
        names = {i: self._model.value_name(place.type, i) for i in asked}
        return tuple(f"{wanted[i]} {names[i]}" for i in asked), tuple(f"{counts[i]} {names[i]}" for i in asked)

    def _names_of(self, place: ir.Field, cards: list[int]) -> tuple[str, ...]:
        return tuple(self._model.value_name(place.type, c) for c in cards)


def _indices(place: ir.Field, copy: int) -> tuple[int, ...]:
    """The indices of a copy of a place."""
    indices: list[int] = []
    for size in reversed(place.sizes):
        copy, index = divmod(copy, size)
        indices.insert(0, index)
    return tuple(indices)
