"""Another state that looks the same to a seat: what it cannot see is dealt anew."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.backends.chance import STEP, Generator, mix
from wongar_dsl.engine.game import State
from wongar_dsl.engine.observation import copies, sees
from wongar_dsl.ir.containers import container
from wongar_dsl.model import Type


def determinize(state: State, seat: int | None, generator: Generator) -> State:
    """A state that looks the same to a seat: what it cannot see is dealt anew, and chance to come is another."""
    new = state.copy()
    cells = new.cells
    cells[ir.AT_CHANCE] = mix((generator.below(1 << 62) + STEP) & ((1 << 64) - 1))
    open_now = _open_to_choice(state, seat)
    unseen: dict[tuple[bool, Type], list[tuple[ir.Field, int]]] = {}
    for place in state.game.program.fields:
        if place.seen == "all" or place.name in open_now:
            continue
        for indices, at in copies(place):
            if not sees(place, indices, seat):
                unseen.setdefault((container(place) is not None, place.type), []).append((place, at))
    for (zones, _), spots in unseen.items():
        if zones:
            _deal(cells, spots, generator)
        else:
            _permute(cells, [at for _, at in spots], generator)
    _choose_anew(new, seat, generator)
    return new


def _open_to_choice(state: State, seat: int | None) -> frozenset[str]:
    """The hidden zones that a seat looks through now, because it may choose out of them."""
    decision = state.decision
    if decision is None or seat != state.seat:
        return frozenset()
    zones = frozenset(name for option in decision.options for name in option.drawn_from if name)
    return frozenset(p.name for p in state.game.program.fields if p.name in zones and p.seen != "owner")


def _permute(cells: list[int], spots: list[int], generator: Generator) -> None:
    values = [cells[a] for a in spots]
    generator.shuffle(values)
    for at, value in zip(spots, values, strict=True):
        cells[at] = value


def _deal(cells: list[int], spots: list[tuple[ir.Field, int]], generator: Generator) -> None:
    """Deal the unseen things of one sort to the places where they lie; the choosiest places first."""
    zones = [(place, zone, at) for place, at in spots if (zone := container(place)) is not None]
    pool = [thing for place, zone, at in zones for thing in zone.things(cells, at, place.width)]
    generator.shuffle(pool)
    dealt: list[list[int]] = []
    zones.sort(key=lambda spot: -len(spot[0].never))
    for place, zone, at in zones:
        size = zone.size(cells, at, place.width)
        hand = [thing for thing in pool if thing not in place.never][:size] if place.never else pool[::-1][:size]
        if len(hand) < size:
            return  # cannot be dealt otherwise: leave all as it is
        if place.never:
            for thing in hand:
                pool.remove(thing)
        else:
            del pool[len(pool) - size :]
        dealt.append(hand)
    for (place, zone, at), hand in zip(zones, dealt, strict=True):
        zone.write(cells, at, place.width, hand)


def _choose_anew(state: State, seat: int | None, generator: Generator) -> None:
    """Choices that others have made and not yet shown are made again, at random."""
    cells = state.cells
    for number, base, width, asked in state.game.program.sealed:
        if cells[ir.AT_DECISION] != number:
            continue
        before = (cells[asked], cells[ir.AT_SEAT])
        for other in range(state.game.seats):
            row = base + other * width
            if other == seat or not cells[row]:
                continue
            cells[asked] = cells[ir.AT_SEAT] = other
            options = state.game.backend.options(cells)
            option = options[generator.below(len(options))]
            cells[row] = option[0] + 1
            cells[row + 2 : row + width] = [*option[1:], *(0,) * (width - 1 - len(option))]
        cells[asked], cells[ir.AT_SEAT] = before
