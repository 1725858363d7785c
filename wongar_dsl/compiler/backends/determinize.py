"""Determinization: samples a state that is consistent with a seat's information; the native backend does it in C."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import Backend, State
from wongar_dsl.compiler.backends.rng import Generator, Purpose, start
from wongar_dsl.compiler.backends.visibility_mask import VisibilityMask, ZoneCopy
from wongar_dsl.compiler.ir.containers import CONTAINERS, size_at

#: Maximum sampled answer time in ms for a clock without an end.
MAX_ANSWER_TIME_MS = 60_000


def determinize_in_place(backend: Backend, cells: State, mask: VisibilityMask, generator: Generator) -> None:
    """Replace hidden information in place by a random sample.  Raises `RuleFault`."""
    reseed(cells, generator.seed())
    for spots in mask.hidden_zones:
        distribute(cells, spots, zone_sizes(cells, spots), generator)
    _resample_choices(backend, cells, mask.seat, generator)


def reseed(cells: State, seed: int) -> None:
    """Set the random streams of a state to those of sampled worlds, at a seed."""
    setup, _ = start(seed, Purpose.WORLD_SETUP)
    play, cells[ir.AT_STEP] = start(seed, Purpose.WORLD_PLAY)
    waits = cells[ir.AT_PLAY_CHANCE] != 0
    cells[ir.AT_CHANCE], cells[ir.AT_PLAY_CHANCE] = (setup, play) if waits else (play, 0)


def zone_sizes(cells: State, spots: Sequence[ZoneCopy]) -> list[int]:
    """Return the number of items in each zone."""
    return [size_at(cells, spot.field, spot.at) for spot in spots]


def distribute(cells: State, spots: Sequence[ZoneCopy], wanted: Sequence[int], generator: Generator) -> None:
    """Distribute the hidden items of one type over their zones, `wanted` items to each.

    If the restrictions on items in zones make that impossible, nothing changes.
    """
    zones = [(spot, CONTAINERS[spot.field.kind]) for spot in spots]
    pool = sorted(thing for s, zone in zones for thing in zone.things(cells, s.at, s.field.width))
    generator.shuffle(pool)
    hands = _hands(pool, [(size, s.field.never) for size, (s, _) in zip(wanted, zones, strict=True)])
    if hands is not None:
        for (spot, zone), hand in zip(zones, hands, strict=True):
            zone.write(cells, spot.at, spot.field.width, hand)


def _hands(pool: list[int], wanted: list[tuple[int, tuple[int, ...]]]) -> list[list[int]] | None:
    """Deal shuffled cards to zones with a size and excluded cards; None if that is impossible.

    Each free slot gets the first card that fits, and displaces others if necessary (bipartite matching by augmenting
    paths).
    """
    seats = [never for size, never in wanted for _ in range(size)]
    holder: dict[int, int] = {}

    def settle(seat: int, untried: list[int]) -> bool:
        while (number := next((n for n in untried if pool[n] not in seats[seat]), -1)) >= 0:
            untried.remove(number)
            if number not in holder or settle(holder[number], untried):
                holder[number] = seat
                return True
        return False

    if any(seats):
        for seat in sorted(range(len(seats)), key=lambda s: -len(seats[s])):
            settle(seat, list(range(len(pool))))
    else:
        holder = {number: number for number in range(len(pool))}
    if len(holder) < len(seats):
        return None
    card_of = {seat: pool[number] for number, seat in holder.items()}
    hands, first = [], 0
    for size, _ in wanted:
        hands.append([card_of[seat] for seat in range(first, first + size)])
        first += size
    return hands


def _resample_choices(backend: Backend, cells: State, seat: int, generator: Generator) -> None:
    """Replace the hidden choices of other seats in a simultaneous decision by random ones."""
    for number, base, width, seat_cell in backend.program.simultaneous_cells:
        if cells[ir.AT_DECISION] != number:
            continue
        before = (cells[seat_cell], cells[ir.AT_SEAT])
        for chooser in range(backend.program.seats):
            row = base + chooser * width
            if chooser == seat or not cells[row]:
                continue
            cells[seat_cell] = cells[ir.AT_SEAT] = chooser
            options = backend.options(cells)
            if options:
                option = options[generator.below(len(options))]
                cells[row], cells[row + 1] = (
                    option[0] + 1,
                    random_answer_time(backend, cells, cells[row + 1], generator),
                )
                cells[row + 2 : row + width] = [*option[1:], *(0,) * (width - 1 - len(option))]
        cells[seat_cell], cells[ir.AT_SEAT] = before


def random_answer_time(backend: Backend, cells: State, taken: int, generator: Generator) -> int:
    """Return a random time that the clock allows for a hidden choice."""
    clock = backend.program.decisions[cells[ir.AT_DECISION]].clock
    if clock is None:
        return taken
    first, last = (backend.evaluate(cells, end, ()) if end >= 0 else None for end in clock)
    assert first is not None
    return first + generator.below((last if last is not None else first + MAX_ANSWER_TIME_MS) - first + 1)
