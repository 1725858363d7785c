"""View of a position for one viewer; front ends read everything that they show from here.

Pictures, pages and spoken text get `Scene.state`, in which everything hidden from the viewer is blank. So a missing
check cannot reveal anything. The areas that moves, events and values refer to are found here as well.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from typing import NamedTuple

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir.containers import CONTAINERS, LAYOUT, PlacedCard, container, size_at
from wongar_dsl.compiler.ir.program import FieldKind
from wongar_dsl.engine import Game, Move, PlayFault, State
from wongar_dsl.engine.bots import RandomBot
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.hidden_information.information import copies, is_visible, shows_size, visible_extent
from wongar_dsl.engine.hidden_information.observation import visible_state
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast.zones import zone_traits
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.session.seats import letters_of, names_of

#: Name of a board, and the number of an area on it.
BoardArea = tuple[str, int]


def typed_arguments(state: State, move: Move) -> Iterator[tuple[Type, int]]:
    """Yield the arguments of a move with their types."""
    assert state.decision is not None
    for (_, kind), value in zip(state.decision.options[move.option].parameters, move.arguments, strict=True):
        yield kind, value


def areas_of_move(state: State, move: Move) -> frozenset[BoardArea]:
    """Return the areas that a move refers to."""
    return _areas(state, typed_arguments(state, move))


def areas_of_event(state: State, event: Event) -> frozenset[BoardArea]:
    """Return the areas that an event refers to, also through fields; `event` is as a viewer sees it."""
    values: list[tuple[Type, int]] = []
    for (_, kind), value in zip(event.spec.fields, event.values, strict=True):
        if value is None:
            continue
        if kind.kind == "place":
            values += typed_indices(state.game, kind.name, value)
        elif isinstance(value, int):
            values.append((kind, value))
    return _areas(state, values)


def typed_indices(game: Game, name: str, value: int | tuple[int, ...] | None) -> Iterator[tuple[Type, int]]:
    """Yield the indices of a place in an event, with their types, for the field `name`; none if it is hidden."""
    field = game.fields.get(name)
    if field is not None and value is not None:
        yield from zip(field.indices, value if isinstance(value, tuple) else (value,), strict=False)


def _areas(state: State, values: Iterable[tuple[Type, int]]) -> frozenset[BoardArea]:
    return frozenset(place for kind, value in values for place in areas_of_value(state, kind, value))


def areas_of_value(state: State, kind: Type, value: int) -> Iterator[BoardArea]:
    """Yield the area that a value is, or the areas with open cards that match the value."""
    if value < 0:
        return
    if kind.kind == "board":
        yield kind.name, value
    elif kind.kind in ("enum", "cards"):
        yield from _card_areas(state, kind, value)


def _card_areas(state: State, kind: Type, value: int) -> Iterator[BoardArea]:
    model = state.game.model
    for place in state.game.program.fields:
        if not place.traits.spread or not is_visible(place, (), None):
            continue
        board = model.declared.zones[place.name].board
        rows = [values for given, values in model.cards[place.type.name].attributes.values() if given == kind]
        itself = place.type == kind
        if board is None or not (rows or itself):
            continue
        for card in LAYOUT.placed_cards(state.cells, place.base, place.width):
            if (itself and card.face == value) or any(values[card.face] == value for values in rows):
                yield board, card.area


def winning_lines(state: State) -> frozenset[tuple[str, int]]:
    """Return the areas of all completed lines of a length that the rules mention; empty before the end."""
    if not state.over or not state.winners:
        return frozenset()
    return frozenset((board, area) for board, line in _lines(state) for area in line)


def _lines(state: State) -> Iterator[tuple[str, tuple[int, ...]]]:
    model = state.game.model
    lengths = _lengths(state)
    for field in state.game.program.fields if lengths else ():
        is_owner = field.kind == "remember" and field.type == PLAYER and len(field.indices) == 1
        if not is_owner or field.indices[0].kind != "board" or not is_visible(field, (0,), None):
            continue
        board = field.indices[0].name
        graph = model.boards[board]
        if not graph.directions:
            continue
        for line in (line for length in lengths for line in graph.lines(length)):
            owners = {state.cells[field.at(area)] for area in line}
            if len(owners) == 1 and min(owners) >= 0:
                yield board, line


def _lengths(state: State) -> list[int]:
    """Return the line lengths that the rules mention."""
    domains = (
        node
        for article in state.game.model.merged.articles
        for node in s.walk(article)
        if isinstance(node, s.Domain) and node.kind in ("lines", "through")
    )
    return sorted({domain.first.value for domain in domains if isinstance(domain.first, s.Number)})


#: Zones shown as text in a line; zones on a lattice are drawn.
ZONES = tuple(kind for kind in CONTAINERS if not zone_traits(kind).spread)
#: Fields listed beside the boards, other than those of players.
LISTED = (*ZONES, "remember")


class FieldCopy(NamedTuple):
    """A copy of a field: a zone or a value of one player, area or thing."""

    field: ir.Field
    indices: tuple[int, ...] = ()

    @property
    def is_zone(self) -> bool:
        """Whether it holds things."""
        return self.field.kind in ZONES

    @property
    def owner(self) -> int | None:
        """The seat of its player, or None."""
        return next((i for kind, i in zip(self.field.indices, self.indices, strict=True) if kind == PLAYER), None)

    @property
    def address(self) -> int:
        """The number of its first cell."""
        return self.field.at(*self.indices)

    @property
    def extent(self) -> slice:
        """The cells that it occupies."""
        return slice(self.address, self.address + self.field.width)


def differ(before: State, after: State, copy: FieldCopy) -> bool:
    """Return whether the contents of a copy differ between two positions of a game."""
    return before.cells[copy.extent] != after.cells[copy.extent]


def areas_of_copy(state: State, copy: FieldCopy) -> Iterator[BoardArea]:
    """Yield the areas that a copy belongs to; for the place of a figure the area where it stands."""
    model = state.game.model
    if copy.field.kind == "place":
        board = model.declared.figures[model.figures[copy.indices[0]]].board
        if board is not None:
            yield from areas_of_value(state, Type("board", board), state.cells[copy.address])
    for kind, value in zip(copy.field.indices, copy.indices, strict=True):
        yield from areas_of_value(state, kind, value)


def copies_of(field: ir.Field) -> Iterator[FieldCopy]:
    """Yield all copies of a field."""
    return (FieldCopy(field, indices) for indices, _ in copies(field))


class TrackPosition(NamedTuple):
    """A track with the number of its marker's space, from 0, and the first space and length of each phase."""

    field: ir.Field
    space: int
    phases: Sequence[tuple[str, int, int]]

    @property
    def phase(self) -> str:
        """The phase of the marker."""
        return next(phase for phase, first, spaces in self.phases if first <= self.space < first + spaces)

    @property
    def length(self) -> int:
        """The number of spaces."""
        return sum(spaces for _, _, spaces in self.phases)


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
        return tuple(field for field in self.state.game.shown_fields if not self._is_used_up(field))

    def _is_used_up(self, field: ir.Field) -> bool:
        """Return whether a field is a zone that only the setup uses, and the viewer sees that it is empty.

        Zones of areas and enumerations remain: an empty one is not named there, but it makes others be named.
        """
        is_listed = field.kind in ZONES and {PLAYER}.issuperset(field.indices)
        unused = is_listed and field.name in self.state.game.program.setup_fields
        return unused and not self.hides_copies(field) and not any(map(self.size, copies_of(field)))

    @cached_property
    def rows(self) -> Mapping[Type, Sequence[Sequence[FieldCopy]]]:
        """The copies of zones and remembered values of no player and no board, by type and value of the first index."""
        rows: dict[Type, list[list[FieldCopy]]] = {}
        for field in self.fields:
            if not field.indices or PLAYER in field.indices or field.kind not in LISTED or self._is_located(field):
                continue
            row = rows.setdefault(field.indices[0], [[] for _ in range(field.sizes[0])])
            for copy in copies_of(field):
                row[copy.indices[0]].append(copy)
        return rows

    @cached_property
    def copies_by_area(self) -> Mapping[tuple[str, int], Sequence[FieldCopy]]:
        """The copies of zones and values that are drawn at an area, by board and number of the area."""
        by_area: dict[tuple[str, int], list[FieldCopy]] = {}
        for field, at in ((field, at) for field in self.fields if (at := home_index(field)) is not None):
            for copy in copies_of(field):
                by_area.setdefault((field.indices[at].name, copy.indices[at]), []).append(copy)
        return by_area

    def copies_by_seat(self, field: ir.Field) -> Sequence[tuple[str, Sequence[FieldCopy]]]:
        """Return the copies of a field of the players by seat, with a title for each value of its other indices.

        Empty for a field without players, and for one that is shown on a board.
        """
        if PLAYER not in field.indices or self._is_located(field):
            return ()
        place, groups = field.indices.index(PLAYER), dict[tuple[int, ...], list[FieldCopy]]()
        for copy in copies_of(field):
            groups.setdefault(copy.indices[:place] + copy.indices[place + 1 :], []).append(copy)
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
            pieces = field.traits.tokens and field.indices[-1:] == (PLAYER,)
            if not pieces or len(field.indices) not in (2, 3):
                continue
            one_kind = self.state.game.model.size(field.type, 0) == 1
            if one_kind or not any(map(self.knows_size, copies_of(field))):
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

    @cached_property
    def card_maps(self) -> Sequence[tuple[str, Graph, ir.Field]]:
        """The boards on which cards are laid: name, board, and layout."""
        boards = ((name, board, self.layout_on(name)) for name, board in self.state.game.model.boards.items())
        return [(name, board, layout) for name, board, layout in boards if layout is not None]

    # ---- contents of zones, and stored values ----------------------------------------------------------------------

    def visible(self, copy: FieldCopy) -> bool:
        """Return whether the viewer sees the contents of a copy."""
        return is_visible(*copy, self.viewer)

    def value(self, copy: FieldCopy) -> int | None:
        """Return a stored number, or that of the stored thing (-1: none); None if the viewer does not see it."""
        return self.state.cells[copy.address] if self.visible(copy) else None

    def things(self, copy: FieldCopy) -> list[int]:
        """Return the visible things in a copy of a zone, with repetitions; of a pile from the top."""
        zone = container(copy.field)
        return zone.ordered_things(self.state.cells, copy.address, copy.field.width) if zone is not None else []

    def counts(self, copy: FieldCopy) -> list[int] | None:
        """Return the number of things of each kind in a copy of a zone; None if the viewer does not see them."""
        zone, field = container(copy.field), copy.field
        if zone is None or not self.visible(copy):
            return None
        return zone.counts(self.state.cells, copy.address, field.width, self.state.game.model.size(field.type, 0))

    def size(self, copy: FieldCopy) -> int:
        """Return the number of things in a copy of a zone; 0 if the viewer does not know it."""
        field = copy.field
        return size_at((self.position if shows_size(field) else self.state).cells, field, copy.address)

    def knows_size(self, copy: FieldCopy) -> bool:
        """Return whether the viewer knows the number of things in a copy of a zone."""
        return visible_extent(*copy, self.viewer) != "nothing"

    def hides_copies(self, field: ir.Field) -> bool:
        """Return whether the viewer cannot tell for some copy of a field whether it is empty."""
        return not all(map(self.knows_size, copies_of(field)))

    def placed_cards(self, layout: ir.Field) -> tuple[PlacedCard, ...]:
        """Return the cards that lie on the board of a layout."""
        zone = container(layout)
        return zone.placed_cards(self.state.cells, layout.base, layout.width) if zone is not None else ()

    def tracks(self) -> Iterator[TrackPosition]:
        """Yield each track with the position of its marker."""
        for field in self.fields:
            if field.kind == "track":
                phases = self.state.game.model.tracks[field.name]
                firsts = accumulate((spaces for _, spaces in phases), initial=0)
                parts = tuple((phase, first, spaces) for (phase, spaces), first in zip(phases, firsts, strict=False))
                yield TrackPosition(field, self.state.cells[field.base], parts)

    def figures_in(self, board: str, area: int) -> Iterator[str]:
        """Yield the figures in an area of a board."""
        declared = self.state.game.model.declared.figures
        yield from (figure for figure, at in self._figures("place") if at == area and declared[figure].board == board)

    def figures_by_seat(self) -> Sequence[Sequence[str]]:
        """Return the figures of each seat; empty if figures have no holders."""
        held = list(self._figures("holder"))
        seats = range(self.state.game.seats if held else 0)
        return [[figure for figure, holder in held if holder == seat] for seat in seats]

    def _figures(self, kind: FieldKind) -> Iterator[tuple[str, int]]:
        """Yield each figure with its area or holder, -1 for none; none if figures have none of that kind."""
        field = next((field for field in self.fields if field.kind == kind), None)
        if field is not None:
            for number, figure in enumerate(self.state.game.model.figures):
                yield figure, self.state.cells[field.at(number)]

    def standing(self, kind: Type) -> Sequence[Container[int | None]]:
        """Return for each seat the values of an enumeration at which the player stands; empty if none can."""
        markers = [p for p in self.fields if p.kind == "remember" and p.indices == (PLAYER,) and p.type == kind]
        seats = range(self.state.game.seats if markers else 0)
        return [{self.value(FieldCopy(marker, (seat,))) for marker in markers} for seat in seats]

    @cached_property
    def hiding(self) -> frozenset[Type]:
        """Boards and enumerations that index a zone with hidden copies; none of their values may be called empty."""
        return frozenset(kind for place in self.fields if self.hides_copies(place) for kind in place.indices)

    @property
    def hidden_text(self) -> str:
        """The text shown for hidden contents, instead of the one for empty contents."""
        return self.narrator.words.say("drawing.hidden")

    def cards(self, copy: FieldCopy) -> list[tuple[str, int]]:
        """Return the short names of the visible cards in a copy of a zone, with their numbers."""
        things = self.things(copy)
        return [(self.narrator.short(copy.field.type, c), things.count(c)) for c in sorted(set(things))]

    def top_card(self, copy: FieldCopy) -> tuple[int, str] | None:
        """Return the card on top of a pile whose contents the viewer sees, and its text; None without one."""
        cards = self.things(copy) if copy.field.traits.ordered and self.visible(copy) else ()
        if not cards:
            return None
        card = Text(self.narrator.short(copy.field.type, cards[0]))
        return cards[0], self.narrator.words.say("drawing.top", None, card=card)

    def open_card(self, name: str) -> str:
        """Return the text for an open card, marked so that its name is not taken for a figure or a number."""
        return self.narrator.words.say("option.card", None, card=Text(name))

    def copy_names(self, copy: FieldCopy) -> list[str]:
        """Return the names that distinguish a copy of a field in its area: its indices but the area and the owner."""
        field, indices = copy
        owner = field.indices.index(PLAYER) if PLAYER in field.indices else None
        named = (at for at in range(len(indices)) if at not in (home_index(field), owner))
        return [self.narrator.short(field.indices[at], indices[at]) for at in named]

    def title(self, copy: FieldCopy) -> str:
        """Return the name of a zone or value at an area, and of its copy; empty if no other could be taken for it."""
        names = self.copy_names(copy)
        named = names or copy.field.name in self._ambiguous_fields
        return self.narrator.words.chain([self.name(copy.field), *names]) if named else ""

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
        if not self.visible(FieldCopy(field, tuple(seat if kind == PLAYER else 0 for kind in field.indices))):
            return "card" if field.traits.single else "stack" if field.traits.loose else "number", None
        if field.traits.ordered:
            return "stack", None
        return ("number", None) if field.type.kind == "number" else (field.kind, field.type)

    def name(self, field: ir.Field) -> str:
        """Return the short name of a field."""
        return self.narrator.words.capital(self.narrator.term(field.name, "short"))


@dataclass(frozen=True)
class ExcerptScene(Scene):
    """A position of which only some copies of fields are shown, those that only their owner sees included.

    `spots` are these copies, with the things in them that matter (None: all).
    """

    spots: Mapping[FieldCopy, frozenset[int] | None]

    @cached_property
    def state(self) -> State:
        """The position as a spectator sees it, with the copies that are shown."""
        shown = super().state.copy()
        owned = {copy: copy.owner for copy in self.spots if copy.owner is not None}
        seen = {owner: visible_state(self.position, owner) for owner in dict.fromkeys(owned.values())}
        for copy, owner in owned.items():
            shown.cells[copy.extent] = seen[owner].cells[copy.extent]
        return shown

    def visible(self, copy: FieldCopy) -> bool:
        """Return whether all players or the owner see the contents of a copy."""
        return copy.field.owner is not None or super().visible(copy)

    @cached_property
    def copies_by_area(self) -> Mapping[BoardArea, Sequence[FieldCopy]]:
        """The copies that are shown at an area."""
        return {
            place: [copy for copy in copies if copy in self.spots] for place, copies in super().copies_by_area.items()
        }

    @cached_property
    def hiding(self) -> frozenset[Type]:
        """Nothing: a copy that is not shown is left out."""
        return frozenset()

    def figures_in(self, board: str, area: int) -> Iterator[str]:
        """Yield the figures that matter in an area of a board."""
        figures = self.state.game.model.figures
        numbers = {indices[0] for field, indices in self.spots if field.kind == "place"}
        yield from (figure for figure in super().figures_in(board, area) if figures.index(figure) in numbers)

    def things(self, copy: FieldCopy) -> list[int]:
        """Return the things in a copy that matter."""
        matter = self.spots.get(copy)
        return [thing for thing in super().things(copy) if matter is None or thing in matter]

    def counts(self, copy: FieldCopy) -> list[int] | None:
        """Return the numbers of things of each kind, 0 for those that do not matter."""
        counts, matter = super().counts(copy), self.spots.get(copy)
        return counts if counts is None else [n if matter is None or i in matter else 0 for i, n in enumerate(counts)]


#: Seed of the set-up that the rulebook shows, and its maximum number of moves.
SETUP_SEED, MAX_SETUP_MOVES = 1, 1_000


def sample_setup(
    rules: Rules,
    words: Translator,
    players: int | None = None,
    settings: Mapping[str, int] | None = None,
    cache: Cache | None = None,
) -> Scene | None:
    """Return a position after a random set-up as spectators see it, for some number of players or the fewest.

    Return None if the rules stop with a fault, or the set-up takes too long.
    """
    game = rules.game(players or rules.model.players[0], settings, cache=cache)
    seats = [Seat("human")] * game.seats
    names, bot, generator = names_of(seats), RandomBot(), Generator(SETUP_SEED)
    try:
        match = Match.begin(game, seats, SETUP_SEED, rules.hash)
        for _ in range(MAX_SETUP_MOVES):
            if match.state.over or not match.state.in_setup:
                return Scene(match.state, Narrator(game, words, names), letters_of(names), None)
            match.play(bot.choose(match.state, generator))
    except PlayFault:
        return None
    return None
