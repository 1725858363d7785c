"""Another state that looks the same to a seat: what it cannot see is dealt anew."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.backends.chance import STEP, Generator, mix
from wongar_dsl.engine.game import State
from wongar_dsl.engine.observation import copies, sees
from wongar_dsl.model import Type


def determinize(state: State, seat: int | None, generator: Generator) -> State:
    """A state that looks the same to a seat: what it cannot see is dealt anew, and chance to come is another."""
    new = state.copy()
    cells = new.cells
    cells[ir.AT_CHANCE] = mix((generator.below(1 << 62) + STEP) & ((1 << 64) - 1))
    open_now = _open_to_choice(state, seat)
    by_type: dict[tuple[bool, bool, Type], list[tuple[ir.Field, int]]] = {}
    for place in state.game.program.fields:
        if place.seen == "all" or place.name in open_now:
            continue
        for indices, at in copies(place):
            if not sees(place, indices, seat):
                by_type.setdefault((place.kind == "tokens", place.kind == "remember", place.type), []).append(
                    (place, at)
                )
    for (tokens, remembered, _), spots in by_type.items():
        if remembered:
            _permute(cells, [at for _, at in spots], generator)
        elif tokens:
            _deal_tokens(cells, spots, generator)
        else:
            _deal_cards(cells, spots, generator)
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


def _deal_tokens(cells: list[int], spots: list[tuple[ir.Field, int]], generator: Generator) -> None:
    pool = [k for place, at in spots for k in range(place.width) for _ in range(cells[at + k])]
    generator.shuffle(pool)
    for place, at in spots:
        size = sum(cells[at : at + place.width])
        cells[at : at + place.width] = [0] * place.width
        for _ in range(size):
            cells[at + pool.pop()] += 1


def _deal_cards(cells: list[int], spots: list[tuple[ir.Field, int]], generator: Generator) -> None:
    """Deal the unseen cards of one sort to the places where they lie; the choosiest places first."""
    pool: list[int] = []
    for place, at in spots:
        pool += _cards_at(cells, place, at)
    generator.shuffle(pool)
    dealt: list[tuple[ir.Field, int, list[int]]] = []
    for place, at in sorted(spots, key=lambda spot: -len(spot[0].never)):
        size = len(_cards_at(cells, place, at))
        hand: list[int] = []
        if place.never:
            kept = [c for c in pool if c not in place.never]
            if len(kept) < size:
                return  # cannot be dealt otherwise: leave all as it is
            hand = kept[:size]
            for card in hand:
                pool.remove(card)
        else:
            hand = [pool.pop() for _ in range(size)]
        dealt.append((place, at, hand))
    for place, at, hand in dealt:
        if place.kind == "slot":
            cells[at] = hand[0] if hand else -1
        elif place.kind == "pile":
            cells[at + 1 : at + 1 + len(hand)] = hand
        else:
            cells[at + 1 : at + place.width] = [hand.count(i) for i in range(place.width - 1)]


def _cards_at(cells: list[int], place: ir.Field, at: int) -> list[int]:
    if place.kind == "slot":
        return [cells[at]] if cells[at] >= 0 else []
    if place.kind == "pile":
        return cells[at + 1 : at + 1 + cells[at]]
    return [i for i in range(place.width - 1) for _ in range(cells[at + 1 + i])]


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
