"""Positions written down by names: laid out in a state, and compared with one.

A place is named, then its copies by their indices, then what is in it: `ground: {north: {2: {red: 3}}}`.  Of a mapping
only what it names is meant; a list is all that there is, piles from the top down.  `all` means every copy.  In what
a seat sees, a number is all that it knows of a zone, and of what is `hidden` it does not even know that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from wongar_dsl import ir
from wongar_dsl.cases.file import CaseError, CaseFailure, YamlNode
from wongar_dsl.engine import Game, State, notation
from wongar_dsl.engine.knowledge import copies, extent, size_at
from wongar_dsl.engine.observation import content
from wongar_dsl.model import FIGURE, NUMBER, PLAYER, Type
from wongar_dsl.text.suggest import did_you_mean

ALL = "all"
HIDDEN = "hidden"
#: Kinds of zones of which a seat may know how many things are in them, and no more.
COUNTED = ("tokens", "heap", "pile", "slot")
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

    def _held(self, place: ir.Field, copy: int) -> Type:
        """The type of what stands in a copy of a place."""
        if place.kind != "place":
            return place.type
        board = getattr(self._model.articles["figure", self._model.figures[copy]], "board", None)
        return Type("board", board.text) if board is not None else NUMBER

    def _things(self, place: ir.Field, node: YamlNode) -> list[int]:
        return [self.value(place.type, item) for item in node.items]

    # ---- laying out ----

    def lay(self, state: State, position: Mapping[str, YamlNode]) -> None:
        """Lay out a position in a state; raises `CaseError`."""
        for place, _, copy, at, node in self.spots(position):
            self._put(state.cells, place, copy, at, node)

    def _put(self, cells: list[int], place: ir.Field, copy: int, at: int, node: YamlNode) -> None:
        match place.kind:
            case "tokens" | "heap":
                counts = at + (place.kind == "heap")
                width = place.width - (place.kind == "heap")
                if isinstance(node.value, list):
                    things = self._things(place, node)
                    cells[counts : counts + width] = [things.count(i) for i in range(width)]
                else:
                    for key, number in node.mapping.items():
                        if not 0 <= number.number <= MOST_TOKENS:
                            raise CaseError("cases.value", number.line, name=number.text, expected="number")
                        cells[counts + self.value(place.type, YamlNode(key, number.line))] = number.number
                if place.kind == "heap":
                    cells[at] = sum(cells[counts : counts + width])
            case "layout":
                self._put_layout(cells, place, at, node)
            case "pile":
                self._put_pile(cells, place, at, node)
            case "score":
                self._put_score(cells, place, at, node)
            case "track":
                cells[at] = self._space(place, node)
            case _:
                cells[at] = self.value(self._held(place, copy), node)

    def _laid(self, place: ir.Field, node: YamlNode) -> dict[int, tuple[int, int]]:
        """The cards that a position lays: for each the area, counted from 1, and its turn (`b3/2`)."""
        article = self._model.articles["zone", place.name]
        board = getattr(article, "board", None)
        assert board is not None
        result = {}
        for key, item in node.mapping.items():
            area, _, turn = item.text.partition("/")
            value = self.value(Type("board", board.text), YamlNode(area, item.line))
            turned = YamlNode(turn or "0", item.line).number % self._model.boards[board.text].directions
            result[self.value(place.type, YamlNode(key, item.line))] = (value + 1, turned)
        return result

    def _put_layout(self, cells: list[int], place: ir.Field, at: int, node: YamlNode) -> None:
        laid = self._laid(place, node)
        cells[at : at + place.width] = [len(laid), *(0,) * (place.width - 1)]
        for card, pair in laid.items():
            cells[at + 1 + 2 * card : at + 3 + 2 * card] = pair

    def _put_pile(self, cells: list[int], place: ir.Field, at: int, node: YamlNode) -> None:
        if isinstance(node.value, list):
            cards = self._things(place, node)[::-1]
        else:
            top = self._top(node)
            cards = cells[at + 1 : at + 1 + cells[at]]
            for card, item in zip(self._things(place, top), top.items, strict=True):
                if card not in cards:
                    raise CaseError("cases.no_such_card", item.line, name=item.text)
                cards.remove(card)
            cards += self._things(place, top)[::-1]
        if len(cards) > place.capacity:
            raise CaseError("cases.too_many", node.line, name=place.name, limit=place.capacity)
        cells[at : at + place.width] = [len(cards), *cards, *(0,) * (place.capacity - len(cards))]

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
            origin = self.value(place.type, YamlNode(key, number.line))
            cells[at] += number.number - cells[at + 1 + origin]
            cells[at + 1 + origin] = number.number

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
            places = [p for p in self._game.program.fields if p.kind in (*COUNTED, "layout") and p.type.name == name]
            if not places:
                known = sorted({p.type.name for p in self._game.program.fields if p.kind in COUNTED})
                suggestion = did_you_mean(name, known) or ""
                raise CaseError("cases.unknown_place", node.line, name=name, suggestion=suggestion)
            kind = places[0].type
            there = Counter(x for place in places for _, at in copies(place) for x in _things(state, place, at))
            counts = [there[self._model.value_name(kind, i)] for i in range(self._model.size(kind, self._game.seats))]
            expected, found = self._counted(places[0], counts, node)
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
            if text == HIDDEN or (place.kind in COUNTED and text.isdigit()):
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
        match place.kind:
            case "tokens" | "heap":
                counts = cells[at : at + place.width] if place.kind == "tokens" else cells[at + 1 : at + place.width]
                return self._counted(place, counts, node)
            case "pile":
                cards = cells[at + 1 : at + 1 + cells[at]][::-1]
                if isinstance(node.value, str):
                    return (str(node.number),), (str(len(cards)),)
                wanted = self._things(place, node if isinstance(node.value, list) else self._top(node))
                if not isinstance(node.value, list):
                    cards = cards[: len(wanted)]
                return self._names_of(place, wanted), self._names_of(place, cards)
            case "layout":
                pairs_of = {c: (cells[at + 1 + 2 * c], cells[at + 2 + 2 * c]) for c in self._laid(place, node)}
                return tuple(map(str, self._laid(place, node).items())), tuple(map(str, pairs_of.items()))
            case "score":
                if isinstance(node.value, str):
                    return (str(node.number),), (str(cells[at]),)
                pairs = [
                    (key, n.number, cells[at + 1 + self.value(place.type, YamlNode(key, n.line))])
                    for key, n in node.mapping.items()
                ]
                return tuple(f"{k} {n}" for k, n, _ in pairs), tuple(f"{k} {m}" for k, _, m in pairs)
            case "track":
                return (str(self._space(place, node) + 1),), (str(cells[at] + 1),)
        kind = self._held(place, copy)
        return (self.shown(kind, self.value(kind, node)),), (self.shown(kind, cells[at]),)

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


def _things(state: State, place: ir.Field, at: int) -> Iterator[str]:
    """The names of the cards or tokens in a copy of a zone, each as often as it is there."""
    found = content(state, place, at)
    if isinstance(found, dict):
        yield from (name for name, n in found.items() for _ in range(n if isinstance(n, int) else 1))
    elif isinstance(found, list | str):
        yield from found if isinstance(found, list) else [found]


def _indices(place: ir.Field, copy: int) -> tuple[int, ...]:
    """The indices of a copy of a place."""
    indices: list[int] = []
    for size in reversed(place.sizes):
        copy, index = divmod(copy, size)
        indices.insert(0, index)
    return tuple(indices)
