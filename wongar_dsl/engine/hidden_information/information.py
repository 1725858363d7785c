"""Information model of a game: who may know what. It is used for views, determinization, undo, records and saves.

Hidden from a seat are the contents of zones and remembered values that it does not see, variables of rules that may
derive from them or from random numbers, simultaneous choices not yet shown, and the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby, product
from typing import TYPE_CHECKING

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RawEvent
from wongar_dsl.compiler.backends.protocol import CellRange, VisibilityMask, VisibleCells, ZoneCopy
from wongar_dsl.compiler.backends.taint import Secrets
from wongar_dsl.compiler.ir.containers import container, size_at
from wongar_dsl.compiler.ir.program import CallSites
from wongar_dsl.engine.events import Event
from wongar_dsl.language.semantics import Type

if TYPE_CHECKING:
    from wongar_dsl.compiler.ir.information_flow import InformationFlow

View = tuple[object, ...]


def is_visible(field: ir.Field, indices: tuple[int, ...], seat: int | None) -> bool:
    """Return whether a seat (None: a spectator) sees the contents of one copy of a field."""
    if field.seen == "owner":
        return field.owner is not None and indices[field.owner] == seat
    return field.seen == "all"


def visible_extent(field: ir.Field, indices: tuple[int, ...], seat: int | None) -> str:
    """Return what a seat sees of one copy of a field: `all`, only the `number` of things in it, or `nothing`."""
    if is_visible(field, indices, seat):
        return "all"
    return "number" if shows_size(field) else "nothing"


def shows_size(field: ir.Field) -> bool:
    """Return whether viewers who do not see the contents of a field see its size."""
    return field.seen in ("number", "owner") and container(field) is not None


def copies(field: ir.Field) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each instance of an indexed field: its index values, and the address of its first cell."""
    for number, indices in enumerate(product(*(range(n) for n in field.sizes))):
        yield indices, field.base + number * field.width


def _cell_ranges(cells: Iterable[int], without: Iterable[ZoneCopy]) -> tuple[CellRange, ...]:
    """Return the ranges of some addresses, without those of the hidden copies in `without`."""
    unseen = {a for spot in without for a in range(spot.at, spot.at + spot.field.width)}
    shown = [a for a in cells if a not in unseen]
    runs = [[a for _, a in run] for _, run in groupby(enumerate(shown), lambda pair: pair[1] - pair[0])]
    return tuple((run[0], run[-1] + 1) for run in runs)


def _hidden_addresses(spot: ZoneCopy) -> range:
    """Return the addresses of a hidden copy of a field: all, or all but the size if that is public."""
    zone = container(spot.field)
    has_public_size = zone is not None and zone.sized and shows_size(spot.field)
    return range(spot.at + has_public_size, spot.at + spot.field.width)


class InformationModel:
    """Information model of one program."""

    def __init__(
        self,
        program: ir.Program,
        flow: Callable[[], InformationFlow] | None = None,
        calls: Callable[[], CallSites] | None = None,
    ) -> None:
        """Create the model; `flow` and `calls` return cached analyses of the program, if there are any."""
        self._program = program
        self._flow, self._calls = flow, calls
        self._secrets: dict[ir.EventSpec, tuple[bool, ...]] = {}
        self._hidden: dict[int | None, tuple[ZoneCopy, ...]] = {}
        self._hidden_fields: dict[int | None, frozenset[int]] = {}
        self._visible_ranges: dict[int | None, tuple[CellRange, ...]] = {}
        self._mask_parts: dict[int | None, tuple[tuple[VisibleCells, ...], tuple[tuple[CellRange, ...], ...]]] = {}

    @cached_property
    def flow(self) -> InformationFlow:
        """Information flow of the program: where hidden values can propagate."""
        if self._flow is not None:
            return self._flow()
        # The analysis reads the code of the program, which need not have been loaded.
        from wongar_dsl.compiler.ir.information_flow import information_flow

        return information_flow(self._program)

    @cached_property
    def calls(self) -> CallSites:
        """Call graph between the rules that contain decisions."""
        return self._calls() if self._calls is not None else CallSites.of(self._program)

    @cached_property
    def has_secrets(self) -> bool:
        """Return whether anything is hidden from any seat; then the seed is hidden as well."""
        program = self._program
        return (
            any(field.seen != "all" for field in program.fields)
            or any(decision.simultaneous for decision in program.decisions)
            or bool(self.flow.hidden)
        )

    @cached_property
    def has_private_information(self) -> bool:
        """Return whether one seat may know what another one may not.

        Reasons are zones that only their owner sees, zones that a seat searches, and hidden choices.
        """
        program = self._program
        open_to_all = {field.name for field in program.fields if field.seen == "all"}
        searched_zones = {
            zone for d in program.decisions for option in d.options for zone in option.drawn_from if zone
        } - open_to_all
        return (
            any(field.seen == "owner" for field in program.fields)
            or any(decision.simultaneous for decision in program.decisions)
            or bool(searched_zones or self.flow.hidden_arguments or self.flow.hidden_choices)
        )

    def hidden(self, seat: int | None) -> tuple[ZoneCopy, ...]:
        """Return the copies of zones and remembered values that a seat never sees."""
        if seat not in self._hidden:
            self._hidden[seat] = tuple(
                ZoneCopy(field, address)
                for field in self._program.fields
                for indices, address in copies(field)
                if not is_visible(field, indices, seat)
            )
        return self._hidden[seat]

    def revealed_now(self, cells: list[int], seat: int | None) -> frozenset[str]:
        """Return the hidden zones that a seat sees now, because it may choose from them."""
        number = cells[ir.AT_DECISION]
        return self._drawn_from(number) if number >= 0 and seat == cells[ir.AT_SEAT] else frozenset()

    def _drawn_from(self, decision: int) -> frozenset[str]:
        """Return the zones whose contents a decision lists as options, other than those of the deciding seat."""
        options = self._program.decisions[decision].options
        zones = frozenset(name for option in options for name in option.drawn_from if name)
        return frozenset(p.name for p in self._program.fields if p.name in zones and p.seen != "owner")

    def simultaneous_secrets(self, cells: list[int], seat: int | None) -> Iterator[range]:
        """Yield the address ranges of the other seats' choices that are not shown yet."""
        for number, base, width, _ in self._program.simultaneous_cells:
            if cells[ir.AT_DECISION] == number:
                for other_seat in range(self._program.seats):
                    if other_seat != seat:
                        yield range(base + other_seat * width, base + (other_seat + 1) * width)

    def unknown(self, cells: list[int], seat: int | None) -> frozenset[int]:
        """Return the addresses of all cells of a state that are hidden from a seat."""
        revealed = self.revealed_now(cells, seat)
        addresses = set(self.flow.hidden)
        for spot in self.hidden(seat):
            if spot.field.name not in revealed:
                addresses.update(_hidden_addresses(spot))
        for row in self.simultaneous_secrets(cells, seat):
            addresses.update(row)
        return frozenset(addresses)

    def hidden_field_addresses(self, seat: int | None) -> frozenset[int]:
        """Return the hidden addresses of fields, without variables, for a seat in any state."""
        if seat not in self._hidden_fields:
            addresses = (address for spot in self.hidden(seat) for address in _hidden_addresses(spot))
            self._hidden_fields[seat] = frozenset(addresses)
        return self._hidden_fields[seat]

    def secrets_in(self, cells: list[int], seat: int, chooser: int, option: Option) -> Secrets:
        """Return the information hidden from a seat when an option is chosen, by that seat or by another one."""
        number = cells[ir.AT_DECISION]
        decision = self._program.decisions[number]
        addresses = decision.options[option[0]].addresses
        secret = set(self.unknown(cells, seat)).difference(addresses)
        if chooser == seat:
            return Secrets(secret, frozenset())
        is_hidden = decision.simultaneous or self.is_hidden_choice(number)
        unseen = self.argument_secrecy(number, option[0])
        secret.update(a for a, hidden in zip(addresses, unseen, strict=True) if hidden or is_hidden)
        return Secrets(secret, frozenset(a for row in self.simultaneous_secrets(cells, seat) for a in row))

    def hidden_values_outside_zones(self, cells: list[int], seat: int | None) -> tuple[list[ZoneCopy], list[int]]:
        """Return the remembered values and the variables hidden from a seat (`hidden_counts`: hidden zone sizes)."""
        remembered = [spot for spot in self.hidden(seat) if container(spot.field) is None]
        number = cells[ir.AT_DECISION]
        return remembered, sorted(self.flow.nonzero_at[number] - self._returns) if number >= 0 else []

    def hidden_counts(self, cells: list[int], seat: int | None) -> list[ZoneCopy]:
        """Return the copies of zones whose size the seat cannot infer."""
        names = self.flow.hidden_counts - self.revealed_now(cells, seat)
        return [spot for spot in self.hidden(seat) if spot.field.name in names]

    @cached_property
    def _returns(self) -> frozenset[int]:
        """Addresses that hold return points of rules, which are public because the pending decision reveals them."""
        ends = (block.end for block in self._program.blocks)
        return frozenset(end.address for end in ends if isinstance(end, ir.Resume))

    def view(self, cells: list[int], seat: int | None) -> View:
        """Return what a seat sees of a state, in a form that can be compared."""
        if seat not in self._visible_ranges:
            self._visible_ranges[seat] = _cell_ranges(range(ir.FIRST_FREE, self._program.frames), self.hidden(seat))
        revealed = self.revealed_now(cells, seat)
        return (
            cells[ir.AT_DECISION],
            cells[ir.AT_SEAT],
            cells[ir.AT_WINNERS],
            *(tuple(cells[first:end]) for first, end in self._visible_ranges[seat]),
            *(size_at(cells, s.field, s.at) for s in self.hidden(seat) if shows_size(s.field)),
            *(tuple(cells[s.at : s.at + s.field.width]) for s in self.hidden(seat) if s.field.name in revealed),
        )

    def visibility_mask(self, cells: list[int], seat: int | None) -> VisibilityMask:
        """Return what a seat knows of a state and of the states after it, for backends."""
        revealed = self.revealed_now(cells, seat)
        zones_by_type: dict[Type, list[ZoneCopy]] = {}
        for spot in self.hidden(seat):
            if container(spot.field) is not None and spot.field.name not in revealed:
                zones_by_type.setdefault(spot.field.type, []).append(spot)
        if seat not in self._mask_parts:
            program = self._program
            shown = tuple(self._visible_to_both(seat, other_seat) for other_seat in range(program.seats))
            revealed_ranges = tuple(self._revealed_ranges(number, seat) for number in range(len(program.decisions)))
            self._mask_parts[seat] = (shown, revealed_ranges)
        zones, viewer = tuple(map(tuple, zones_by_type.values())), -1 if seat is None else seat
        return VisibilityMask(viewer, zones, *self._mask_parts[seat], not self.has_secrets)

    def _visible_to_both(self, seat: int | None, other: int) -> VisibleCells:
        """Return the cells that two seats can always see, including variables that hold nothing hidden."""
        program = self._program
        spots = tuple(dict.fromkeys((*self.hidden(seat), *self.hidden(other))))
        unseen = self.flow.hidden.union(
            base + chooser * width + offset
            for _, base, width, _ in program.simultaneous_cells
            for chooser in range(program.seats)
            for offset in range(width)
            if chooser != seat or chooser != other
        )
        cells = (a for a in range(ir.FIRST_FREE, program.size) if a not in unseen)
        return VisibleCells(_cell_ranges(cells, spots), tuple(s for s in spots if shows_size(s.field)))

    def _revealed_ranges(self, decision: int, seat: int | None) -> tuple[CellRange, ...]:
        """Return the ranges that a seat sees in addition while it makes a decision."""
        revealed = self._drawn_from(decision)
        return tuple((s.at, s.at + s.field.width) for s in self.hidden(seat) if s.field.name in revealed)

    def visible_event(self, event: Event, seat: int | None) -> Event | None:
        """Return an event without the values hidden from a seat; None if the event itself is hidden."""
        if event.is_visible_to(seat) or not any(event.spec.secret):
            return event
        if event.spec.facts.covert:
            return None
        return event.without(self._secret(event.spec))

    def seen_of(self, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        """Return the events that a seat notices, without the values hidden from it."""
        return tuple(seen for event in events if (seen := self.visible_event(event, seat)) is not None)

    def _secret(self, spec: ir.EventSpec) -> tuple[bool, ...]:
        """Return for each argument of an event whether only seats that see its secret values may know it."""
        if spec not in self._secrets:
            number = self._program.events.index(spec)
            veiled = [i for i in spec.doubtful if (number, i) in self.flow.hidden_event_arguments]
            self._secrets[spec] = tuple(secret or i in veiled for i, secret in enumerate(spec.secret))
        return self._secrets[spec]

    def public_names_in_scope(self, decision: ir.DecisionSpec) -> frozenset[str]:
        """Return the names in scope that the prompt of a decision may use: those that hold nothing hidden."""
        return frozenset(name for name, _, address in decision.scope if address not in self.flow.hidden)

    def iteration(self, decision: ir.DecisionSpec, cells: Sequence[int]) -> tuple[int, int] | None:
        """Return the iteration of a counted loop that a decision belongs to, from 1, and their number.

        Returns None outside a loop, and if the iteration may reveal hidden information.
        """
        counter = decision.iteration
        if counter is None or {counter.at, counter.times_at, *counter.needs} & self.flow.hidden:
            return None
        times = cells[counter.times_at] if counter.times_at >= 0 else counter.times
        return (cells[counter.at] + 1, times) if times > 1 else None

    def reason(self, decision: ir.DecisionSpec, cells: Sequence[int]) -> str | None:
        """Return the rule that called the rule of a decision, or None.

        The result is None if only one rule calls it, if the caller has decisions itself, or if it may reveal hidden
        information. It explains to the player why the decision arises although no choice led to it.
        """
        calls = self.calls
        if not calls.has_several_callers(decision.rule) or calls.back[decision.rule] in self.flow.hidden:
            return None
        caller = calls.caller(cells, decision.rule)
        return None if any(other_decision.rule == caller for other_decision in self._program.decisions) else caller

    def visible_events(self, events: list[RawEvent], seat: int | None) -> View:
        """Return the events as a seat sees them, in a form that can be compared."""
        typed = ((n, Event(self._program.events[n], values, seen)) for n, values, seen in events)
        return tuple((n, seen.values) for n, e in typed if (seen := self.visible_event(e, seat)) is not None)

    # ---- choices ----

    def argument_secrecy(self, decision: int, option: int) -> tuple[bool, ...]:
        """Return for each argument of an option whether it is hidden from other seats.

        It is hidden if it is drawn from a hidden zone, or may fill a hidden field.
        """
        spec = self._program.decisions[decision].options[option]
        return tuple(
            bool(z) or (decision, option, i) in self.flow.hidden_arguments for i, z in enumerate(spec.drawn_from)
        )

    def is_hidden_choice(self, decision: int) -> bool:
        """Return whether the chosen option itself is hidden from other seats."""
        return decision in self.flow.hidden_choices
