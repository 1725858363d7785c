"""Writes positions in the notation of cases: states, and differences between states, by names.

`PositionReader` reads this notation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import Container, container, score_from, score_width
from wongar_dsl.engine import Game, State, notation
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.hidden_information.observation import layout_cards
from wongar_dsl.engine.rule_cases.position_reader import ALL, PositionReader
from wongar_dsl.engine.rule_cases.writer import Data
from wongar_dsl.language.semantics import NUMBER

#: Maximum number of tokens that are listed one by one; of more, the changed counts are given.
MAX_LISTED = 6


def full_position(game: Game, cells: list[int]) -> dict[str, Data]:
    """Return the whole position, with each copy and each kind separately, so that it can be read under other rules."""
    return _PositionWriter(game, None, cells, False).position()


def position_difference(game: Game, before: list[int], cells: list[int]) -> dict[str, Data]:
    """Return the position to lay out in one state to reach another; empty if both are the same."""
    return _PositionWriter(game, before, cells, False).position()


def changed_places(game: Game, before: list[int], cells: list[int]) -> dict[str, Data]:
    """Return the changed parts of a position as expectations: of a pile from which cards were drawn, its size."""
    return _PositionWriter(game, before, cells, True).position()


class _PositionWriter:
    """Writes the state `cells`, or with `before` only what differs from that state.

    With `as_expectation`, piles are written as a case expects them after a choice: cards drawn or added, not all cards.
    """

    def __init__(self, game: Game, before: list[int] | None, cells: list[int], as_expectation: bool) -> None:
        self.game, self.before, self.cells, self.as_expectation = game, before, cells, as_expectation
        self.reader = PositionReader(game)

    def position(self) -> dict[str, Data]:
        """Return the position by names of fields."""
        result: dict[str, Data] = {}
        for place in self.game.program.fields:
            spots = [
                (indices, self._content(place, number, at))
                for number, (indices, at) in enumerate(copies(place))
                if self._differs(place, at)
            ]
            if spots:
                result[place.name] = self._nested(place, 0, spots)
        return result

    def _differs(self, field: ir.Field, at: int) -> bool:
        if self.before is None:
            return True
        old, new = self.before[at : at + field.width], self.cells[at : at + field.width]
        if old == new:
            return False
        zone = container(field)
        if zone is not None and zone.spread:
            # The order in which cards were laid is not visible.
            return sorted(zone.placed_cards(old, 0, field.width)) != sorted(zone.placed_cards(new, 0, field.width))
        return True

    def _nested(self, field: ir.Field, depth: int, spots: Sequence[tuple[tuple[int, ...], Data]]) -> Data:
        """Nest the copies of a field by their indices; equal values of all indices are merged into `all`."""
        if depth == len(field.indices):
            return spots[0][1]
        inside: dict[int, list[tuple[tuple[int, ...], Data]]] = {}
        for indices, data in spots:
            inside.setdefault(indices[depth], []).append((indices, data))
        by_name = {
            self.reader.shown(field.indices[depth], value): self._nested(field, depth + 1, part)
            for value, part in inside.items()
        }
        first, *others = by_name.values()
        if (
            self.before is not None
            and others
            and len(by_name) == field.sizes[depth]
            and all(value_data == first for value_data in others)
        ):
            return {ALL: first}
        return by_name

    def _content(self, field: ir.Field, copy: int, at: int) -> Data:
        zone, model, seats = container(field), self.game.model, self.game.seats
        if zone is not None and not zone.single:
            return self._things(field, zone, at)
        value = self.cells[at]
        if field.kind == "score" and field.width > score_width(0):
            origins = range(model.size(field.type, seats))
            return {
                model.value_name(field.type, origin): str(score_from(self.cells, at, origin))
                for origin in origins
                if self.before is None or score_from(self.before, at, origin) != score_from(self.cells, at, origin)
            }
        if field.kind == "track":
            return str(value + 1)
        kind = NUMBER if field.kind == "score" else self.reader.content_type(field, copy)
        if value < 0 and kind.kind not in ("number", "truth", "direction"):
            return "none" if kind.can_be_none else "nobody"
        return self.reader.shown(kind, value)

    def _things(self, field: ir.Field, zone: Container, at: int) -> Data:
        if zone.spread:
            cards = layout_cards(State(self.game, self.cells), field, at)
            return {name: [*where] if isinstance(where, list) else where for name, where in cards.items()}
        if zone.counted:
            return self._counted(field, zone, at)
        things = zone.ordered_things(self.cells, at, field.width)
        old = zone.ordered_things(self.before, at, field.width) if self.before is not None else None
        if (
            old is not None
            and self.as_expectation
            and len(things) < len(old)
            and old[len(old) - len(things) :] == things
        ):
            return str(len(things))
        if old is not None and (Counter(old) == Counter(things) or (self.as_expectation and _is_extended(old, things))):
            return {"top": self._names(field, _top(old, things))}
        return self._names(field, things)

    def _counted(self, field: ir.Field, zone: Container, at: int) -> Data:
        faces = self.game.model.size(field.type, self.game.seats)
        counts = zone.counts(self.cells, at, field.width, faces)
        if self.before is not None and sum(counts) <= MAX_LISTED:
            return self._names(field, zone.ordered_things(self.cells, at, field.width))
        old = zone.counts(self.before, at, field.width, faces) if self.before is not None else None
        return {
            self.game.model.value_name(field.type, face): str(count)
            for face, count in enumerate(counts)
            if old is None or old[face] != count
        }

    def _names(self, field: ir.Field, things: Sequence[int]) -> list[Data]:
        return [notation.write_value(self.game.model, field.type, thing) for thing in things]


def _is_extended(old: list[int], things: list[int]) -> bool:
    """Return whether cards were only added on top of a pile."""
    return len(things) > len(old) and things[len(things) - len(old) :] == old


def _top(old: list[int], things: list[int]) -> list[int]:
    """Return the fewest cards that must be moved to the top of a pile so that it becomes another."""
    if len(things) > len(old):
        return things[: len(things) - len(old)]
    for size in range(len(things)):
        remaining = list(old)
        for card in things[:size]:
            remaining.remove(card)
        if remaining == things[size:]:
            return things[:size]
    return things
