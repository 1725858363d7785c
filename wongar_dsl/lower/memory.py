"""Where everything stands in the state."""

from __future__ import annotations

from collections.abc import Container
from math import prod

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.model import FIGURE, NUMBER, PLAYER, Model, Type


class Memory:
    """Addresses of zones, remembered values, scores, figures and tracks, and of the frames of rules."""

    def __init__(self, model: Model, seats: int) -> None:
        self._model = model
        self._seats = seats
        self.size = ir.FIRST_FREE
        self.places: dict[str, ir.Field] = {}
        self.initial: list[tuple[int, int]] = []
        self.copies = _copies(model, seats)
        for zone in model.of_sort("zone"):
            assert isinstance(zone, s.Zone)
            self._zone(zone)
        for article in model.of_sort("remember"):
            assert isinstance(article, s.Remember)
            self._add(
                "remember", article.name.text, self._types(article.each), 1, self._type(article.type), article.seen
            )
        for score in model.of_sort("score"):
            assert isinstance(score, s.Score)
            origins = len(model.enums[score.by.text]) if score.by is not None else 0
            held = Type("enum", score.by.text) if score.by is not None else NUMBER
            self._add("score", score.name.text, (PLAYER,), 1 + origins, held, "all")
        if model.figures:
            self._add("holder", "holder", (FIGURE,), 1, PLAYER, "all", -1)
            self._add("place", "place", (FIGURE,), 1, Type("board"), "all", -1)
        for name in model.tracks:
            self._add("track", name, (), 1, NUMBER, "all", 0)
        self.frames = self.size
        self._stretches: dict[str, int] = {}

    def cell(self) -> int:
        """A new address for a value that a rule keeps."""
        self.size += 1
        return self.size - 1

    def stretch(self, name: str, size: int) -> int:
        """Where a stretch of cells begins, made at its first use."""
        if name not in self._stretches:
            self._stretches[name] = self.size
            self.size += size
        return self._stretches[name]

    def _type(self, written: s.TypeName) -> Type:
        name = {"yes or no": "truth"}.get(written.name, written.name)
        if name in ("number", "player", "truth", "figure"):
            return Type(name)
        model = self._model
        sorts: dict[str, Container[str]] = {
            "enum": model.enums, "board": model.boards, "cards": model.cards, "coverings": model.coverings
        }  # fmt: skip
        for kind, names in sorts.items():
            if name in names:
                return Type(kind, name)
        raise AssertionError(name)

    def _types(self, words: tuple[s.Word, ...]) -> tuple[Type, ...]:
        return tuple(self._type(s.TypeName(w.span, w.text)) for w in words)

    def _zone(self, zone: s.Zone) -> None:
        indices = self._types(zone.each)
        if zone.kind == "tokens":
            held = Type("enum", zone.holds.text)
            self._add("tokens", zone.name.text, indices, self._model.size(held, self._seats), held, zone.seen)
            return
        held = Type("cards", zone.holds.text)
        faces = self._model.size(held, self._seats)
        capacity = zone.capacity if zone.capacity is not None else self.copies[zone.holds.text]
        never = tuple(
            i for i, f in enumerate(self._model.cards[zone.holds.text].faces) if f.kind in {w.text for w in zone.never}
        )
        kind = "heap" if zone.kind == "hand" else zone.kind
        width = {"pile": 1 + capacity, "heap": 1 + faces, "slot": 1, "layout": 1 + 2 * faces}[kind]
        start = -1 if kind == "slot" else 0
        self._add(kind, zone.name.text, indices, width, held, zone.seen, start, capacity, never)

    def _add(
        self, kind: str, name: str, indices: tuple[Type, ...], width: int, held: Type, seen: str,
        start: int | None = None, capacity: int = 0, never: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        sizes = tuple(self._model.size(t, self._seats) for t in indices)
        owner = next((i for i, t in enumerate(indices) if t == PLAYER), None)
        base = self.size
        self.places[f"{kind} {name}"] = ir.Field(
            kind, name, base, indices, sizes, width, held, seen, owner, capacity, never
        )
        self.size += prod(sizes) * width
        if start is None:
            start = -1 if kind == "remember" and held.can_be_none else 0
        if start:
            self.initial.extend((a, start) for a in range(base, self.size))

    def place(self, name: str) -> ir.Field:
        """The place of a zone, remembered value, score or track by its name."""
        for kind in ("tokens", "pile", "heap", "slot", "layout", "remember", "score", "track"):
            if f"{kind} {name}" in self.places:
                return self.places[f"{kind} {name}"]
        raise KeyError(name)


def _copies(model: Model, seats: int) -> dict[str, int]:
    """For each sort of card an upper bound of how many there are: each deck as often as it can be laid out."""
    found = dict.fromkeys(model.cards, 0)
    boards = max((len(b.areas) for b in model.boards.values()), default=1)
    for deck in model.of_sort("deck"):
        assert isinstance(deck, s.Deck)
        total = sum(c.count for c in deck.copies)
        times = 1
        for zone in model.of_sort("zone"):
            assert isinstance(zone, s.Zone)
            if zone.holds.text == deck.cards.text and zone.each and _filled_with(model, zone, deck):
                names = {w.text for w in zone.each}
                times = max(times, (seats if "player" in names else 1) * (boards if names - {"player"} else 1))
        found[deck.cards.text] += total * times
    return found


def _filled_with(model: Model, zone: s.Zone, deck: s.Deck) -> bool:
    return any(
        isinstance(node, s.Fill)
        and node.filling.text == deck.name.text
        and (ref := model.refs.get(node.zone)) is not None
        and ref.name == zone.name.text
        for node in model.source_of
    )
