"""View of a position for one viewer; front ends read everything that they show from here.

Pictures, pages and spoken text get `Scene.state`, in which everything hidden from the viewer is blank. So a missing
check cannot reveal anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import CONTAINERS, container, size_at
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.hidden_information.information import copies, is_visible, shows_size, visible_extent
from wongar_dsl.engine.hidden_information.observation import visible_state
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Text

#: Zones shown as text in a line; zones on a lattice are drawn.
ZONES = tuple(kind for kind, zone in CONTAINERS.items() if not zone.spread)
#: Fields listed beside the boards, other than those of players.
LISTED = (*ZONES, "remember")


def shown_fields(game: Game) -> tuple[ir.Field, ...]:
    """Return the fields of a game that front ends show: all but the values that are remembered `quietly`."""
    quiet = {value.name for value in game.model.declared.remembered.values() if value.quiet}
    return tuple(field for field in game.program.fields if field.name not in quiet)


class FieldCopy(NamedTuple):
    """A copy of a field, with its address."""

    field: ir.Field
    indices: tuple[int, ...]
    address: int

    @property
    def is_zone(self) -> bool:
        """Whether it holds things."""
        return self.field.kind in ZONES


def home_index(field: ir.Field) -> int | None:
    """Return the position of the first area among a field's indices, where copies are drawn; None without an area."""
    return next((at for at, kind in enumerate(field.indices) if kind.kind == "board"), None)


@dataclass(frozen=True)
class Scene:
    """Position and its viewer: a seat, or None for a spectator.

    `position` is the full position. Use it for computations (options, forecasts, points), never for display.
    """

    position: State
    narrator: Narrator
    letters: Sequence[str]
    viewer: int | None

    @cached_property
    def state(self) -> State:
        """Position as the viewer sees it: hidden contents are empty or blank."""
        return visible_state(self.position, self.viewer)

    @cached_property
    def fields(self) -> tuple[ir.Field, ...]:
        """All fields that front ends show: no zone of the game or of a player that stays empty from now on."""
        return tuple(field for field in shown_fields(self.state.game) if not self._is_used_up(field))

    def _is_used_up(self, field: ir.Field) -> bool:
        """Return whether a field is a zone that only the setup uses, and the viewer sees that it is empty.

        Zones of areas and enumerations remain: an empty one is not named there, but it makes others be named.
        """
        is_listed = field.kind in ZONES and {PLAYER}.issuperset(field.indices)
        unused = is_listed and field.name in self.state.game.program.setup_fields
        return unused and not self.hides_copies(field) and not any(self.size(field, at) for _, at in copies(field))

    @cached_property
    def rows(self) -> Mapping[Type, Sequence[Sequence[FieldCopy]]]:
        """The copies of zones and remembered values of no player and no board, by type and value of the first index."""
        rows: dict[Type, list[list[FieldCopy]]] = {}
        for field in self.fields:
            if not field.indices or PLAYER in field.indices or field.kind not in LISTED or self._is_located(field):
                continue
            row = rows.setdefault(field.indices[0], [[] for _ in range(field.sizes[0])])
            for indices, address in copies(field):
                row[indices[0]].append(FieldCopy(field, indices, address))
        return rows

    @cached_property
    def copies_by_area(self) -> Mapping[tuple[str, int], Sequence[FieldCopy]]:
        """The copies of zones and values that are drawn at an area, by board and number of the area."""
        by_area: dict[tuple[str, int], list[FieldCopy]] = {}
        for field, at in ((field, at) for field in self.fields if (at := home_index(field)) is not None):
            for indices, address in copies(field):
                by_area.setdefault((field.indices[at].name, indices[at]), []).append(FieldCopy(field, indices, address))
        return by_area

    def copies_by_seat(self, field: ir.Field) -> Sequence[tuple[str, Sequence[FieldCopy]]]:
        """Return the copies of a field of the players by seat, with a title for each value of its other indices.

        Empty for a field without players, and for one that is shown on a board.
        """
        if PLAYER not in field.indices or self._is_located(field):
            return ()
        place, groups = field.indices.index(PLAYER), dict[tuple[int, ...], list[FieldCopy]]()
        for indices, address in copies(field):
            others = indices[:place] + indices[place + 1 :]
            groups.setdefault(others, []).append(FieldCopy(field, indices, address))
        return [(self.copy_name(spots[0], place), spots) for spots in groups.values()]

    def copy_name(self, copy: FieldCopy, without: int | None = None) -> str:
        """Return the name of a field and of the indices of a copy, but for the one at a place."""
        indices = enumerate(zip(copy.field.indices, copy.indices, strict=True))
        shorts = (self.narrator.short(kind, value) for place, (kind, value) in indices if place != without)
        return self.narrator.words.chain([self.name(copy.field), *shorts])

    def _is_located(self, field: ir.Field) -> bool:
        """Return whether a field is shown on a board, or with the cards of a map."""
        on_board = any(kind.kind in ("board", "figure") for kind in field.indices)
        return on_board or (field in self.pieces_of_cards and not self._map_types.isdisjoint(field.indices))

    @cached_property
    def pieces_of_cards(self) -> Sequence[ir.Field]:
        """The token zones that can be drawn as pieces on placed cards or their parts.

        They are indexed by one or two things and a player; of several with equal indices only the first is drawn.
        A piece shows only its owner: there is one kind of token, or nothing that the viewer sees.
        """
        zones: dict[tuple[Type, ...], ir.Field] = {}
        for field in self.fields:
            zone = container(field)
            pieces = zone is not None and zone.counted and not zone.sized and field.indices[-1:] == (PLAYER,)
            if not pieces or len(field.indices) not in (2, 3):
                continue
            one_kind = self.state.game.model.size(field.type, 0) == 1
            if one_kind or not any(self.knows_size(field, indices) for indices, _ in copies(field)):
                zones.setdefault(field.indices, field)
        return tuple(zones.values())

    @cached_property
    def _map_types(self) -> frozenset[Type]:
        """The types of cards that are placed on boards, of their attributes, and of what is indexed by these."""
        model = self.state.game.model
        laid = {zone.holds for zone in model.declared.zones.values() if zone.board is not None}
        borne = {kind for cards in laid for kind, _ in model.cards[cards.name].attributes.values()} | laid
        parts = (
            kind for place in self.fields if place.indices[:1] and place.indices[0] in borne for kind in place.indices
        )
        return frozenset((*borne, *parts)) - {PLAYER}

    def phase_tables(self, phase: str) -> Iterator[tuple[str, Type, tuple[int, ...]]]:
        """Yield each table of numbers with a key for the phase: its name, its other key, and that key's numbers."""
        model = self.state.game.model
        for name, table in model.tables.items():
            if table.value.kind != "number" or len(table.keys) != 2 or any(k.kind != "enum" for k in table.keys):
                continue
            for axis, key in enumerate(table.keys):
                if phase in model.enums[key.name]:
                    at, width = model.enums[key.name].index(phase), table.sizes[1]
                    numbers = table.cells[at::width] if axis == 1 else table.cells[at * width : (at + 1) * width]
                    yield name, table.keys[1 - axis], numbers

    def areas_in_use(self, board: str) -> Sequence[str]:
        """Return the areas of a board; none if only placed cards can lie there."""
        model = self.state.game.model
        held = any(kind == Type("board", board) for place in self.fields for kind in place.indices)
        walked = any(figure.board == board for figure in model.declared.figures.values())
        return model.boards[board].areas if held or walked else ()

    def layout_on(self, board: str) -> ir.Field | None:
        """Return the layout on a board, or None."""
        zones = self.state.game.model.declared.zones
        return next((place for place in self.fields if place.name in zones and zones[place.name].board == board), None)

    def visible(self, field: ir.Field, indices: tuple[int, ...]) -> bool:
        """Return whether the viewer sees the contents of a copy of a field."""
        return is_visible(field, indices, self.viewer)

    def size(self, field: ir.Field, at: int) -> int:
        """Return the number of things in a copy of a zone; 0 if the viewer does not know it."""
        return size_at((self.position if shows_size(field) else self.state).cells, field, at)

    def knows_size(self, field: ir.Field, indices: tuple[int, ...]) -> bool:
        """Return whether the viewer knows the number of things in a copy of a zone."""
        return visible_extent(field, indices, self.viewer) != "nothing"

    def hides_copies(self, field: ir.Field) -> bool:
        """Return whether the viewer cannot tell for some copy of a field whether it is empty."""
        return any(not self.knows_size(field, indices) for indices, _ in copies(field))

    @cached_property
    def hiding(self) -> frozenset[Type]:
        """Boards and enumerations that index a zone with hidden copies; none of their values may be called empty."""
        return frozenset(kind for place in self.fields if self.hides_copies(place) for kind in place.indices)

    @property
    def hidden_text(self) -> str:
        """The text shown for hidden contents, instead of the one for empty contents."""
        return self.narrator.words.say("drawing.hidden")

    def counts(self, field: ir.Field, indices: tuple[int, ...], at: int) -> list[int] | None:
        """Return the number of things of each kind in a copy of a zone; None if the viewer does not see them."""
        zone = container(field)
        if zone is None or not self.visible(field, indices):
            return None
        return zone.counts(self.state.cells, at, field.width, self.state.game.model.size(field.type, 0))

    def cards(self, field: ir.Field, at: int) -> list[tuple[str, int]]:
        """Return the short names of the cards in a copy of a zone, with their numbers."""
        zone = container(field)
        things = zone.things(self.state.cells, at, field.width) if zone is not None else []
        return [(self.narrator.short(field.type, c), things.count(c)) for c in sorted(set(things))]

    def top_card(self, field: ir.Field, indices: tuple[int, ...], at: int) -> tuple[int, str] | None:
        """Return the card on top of a pile whose contents the viewer sees, and its text; None without one."""
        zone = container(field) if field.kind == "pile" and self.visible(field, indices) else None
        *_, top = (-1, *zone.things(self.state.cells, at, field.width)) if zone is not None else (-1,)
        card = Text(self.narrator.short(field.type, top)) if top >= 0 else None
        return (top, self.narrator.words.say("drawing.top", None, card=card)) if card is not None else None

    def open_card(self, name: str) -> str:
        """Return the text for an open card, marked so that its name is not taken for a figure or a number."""
        return self.narrator.words.say("option.card", None, card=Text(name))

    def copy_names(self, field: ir.Field, indices: tuple[int, ...]) -> list[str]:
        """Return the names that distinguish a copy of a field in its area: its indices but the area and the owner."""
        owner = field.indices.index(PLAYER) if PLAYER in field.indices else None
        named = (at for at in range(len(indices)) if at not in (home_index(field), owner))
        return [self.narrator.short(field.indices[at], indices[at]) for at in named]

    def title(self, field: ir.Field, indices: tuple[int, ...]) -> str:
        """Return the name of a zone or value at an area, and of its copy; empty if no other could be taken for it."""
        copy = self.copy_names(field, indices)
        named = copy or field.name in self._ambiguous_fields
        return self.narrator.words.chain([self.name(field), *copy]) if named else ""

    @cached_property
    def _ambiguous_fields(self) -> frozenset[str]:
        """Names of the zones and values at areas that look like another one on the same board."""
        fields_by_appearance: dict[object, set[str]] = {}
        for place in self.fields:
            for kind, seat in product(place.indices, range(self.state.game.seats)):
                if kind.kind == "board" and place.type.kind != "truth":
                    fields_by_appearance.setdefault((kind, self._appearance(place, seat)), set()).add(place.name)
        return frozenset(name for names in fields_by_appearance.values() if len(names) > 1 for name in names)

    def _appearance(self, field: ir.Field, seat: int) -> tuple[str, Type | None]:
        """Return the form of a zone or value, and the things that it shows; `seat` is its owner, if it has one."""
        if not self.visible(field, tuple(seat if kind.kind == "player" else 0 for kind in field.indices)):
            return "slot" if field.kind == "slot" else "pile" if field.kind == "heap" else "number", None
        if field.kind == "pile":
            return "pile", None
        return ("number", None) if field.type.kind == "number" else (field.kind, field.type)

    def name(self, field: ir.Field) -> str:
        """Return the short name of a field."""
        return self.narrator.words.capital(self.narrator.term(field.name, "short"))
