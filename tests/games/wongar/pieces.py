"""Invariants of a Wongar game at every decision: the tokens of each player and all cards are present."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl.compiler.backends import State
from wongar_dsl.engine import Game
from wongar_dsl.language.semantics import Type

# Tokens of each player, and the cards by face, from the rulebook's list of contents.
TOKENS = (18, 15, 12)
AREA = {"token_card(disc)": 3, "token_card(cube)": 2, "token_card(cylinder)": 1, "three_tokens": 1, "four_rituals": 1,
        "ancestor_card": 2, "elder_card": 2, "both_card": 1, "scorpion_card": 2}  # fmt: skip
RITUAL = {"ritual(disc)": 14, "ritual(cube)": 12, "ritual(cylinder)": 10, "double_ritual": 5, "ritual_scorpion": 2}


def cards_of(name: str, seats: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the area cards and the ritual cards of a game."""
    area, ritual = {face: 10 * n for face, n in AREA.items()}, dict(RITUAL)
    if name == "wongar":
        assert (sum(area.values()), sum(ritual.values())) == (150, 43)
        return area, ritual
    # One of each figure card is out of each pile, and one of each lies before every player.
    for face in ("ancestor_card", "elder_card"):
        area[face] += seats - 10
    return area, ritual | {"double_ritual": seats, "ritual_scorpion": 0}


class Count:
    """Counter of the cards of one type by face. A zone that has not changed is not counted again."""

    def __init__(self, played: Game, sort: str, expected: dict[str, int]) -> None:
        kind = Type("cards", sort)
        faces = played.model.cards[sort].faces
        self.weights = [1 << (10 * i) for i in range(len(faces))] + [0]  # -1 is an empty slot and has weight 0
        self.total = sum(expected[f.name] << (10 * i) for i, f in enumerate(faces))
        self.places = [
            (p.kind, p.base + i * p.width, p.width)
            for p in played.program.fields
            if p.type == kind and p.kind in ("pile", "heap", "slot")
            for i in range(_product(p.sizes))
        ]
        self.last: list[tuple[int, State]] = [(-1, [])] * len(self.places)
        self.first, self.end = self.places[0][1], max(address + width for _, address, width in self.places)
        self.region: State = []

    def check(self, cells: State) -> None:
        region = cells[self.first : self.end]
        if region == self.region:
            return
        weights, last, total = self.weights, self.last, 0
        for i, (kind, address, width) in enumerate(self.places):
            if kind == "slot":
                total += weights[cells[address]]
                continue
            stretch = cells[address : address + width]
            zone_weight, before = last[i]
            if stretch != before:
                if kind == "pile":
                    zone_weight = sum([weights[c] for c in stretch[1 : 1 + stretch[0]]])
                else:
                    assert stretch[0] == sum(stretch[1:]), "a heap that does not know its size"
                    zone_weight = sum([weights[c] * n for c, n in enumerate(stretch[1:])])
                last[i] = zone_weight, stretch
            total += zone_weight
        assert total == self.total, [total >> 10 * i & 1023 for i in range(len(weights) - 1)]
        self.region = region


def _product(sizes: tuple[int, ...]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def counting_tokens(played: Game) -> Callable[[State], None]:
    """Return a check that the tokens of each player are complete in supply, bag and ground."""
    supply, bag, ground = (played.fields[name] for name in ("supply", "bag", "ground"))
    seats, width = played.seats, supply.width
    spread = seats * width
    everything = [n for _ in range(seats) for n in TOKENS]
    first = min(supply.base, bag.base, ground.base)
    end = max(supply.base, bag.base, ground.base + 9 * spread) + spread
    last: list[State] = [[]]

    def check(cells: State) -> None:
        region = cells[first:end]
        if region == last[0]:
            return
        ground_cells = cells[ground.base : ground.base + 10 * spread]
        totals = [
            a + b + sum(ground_cells[i::spread])
            for i, (a, b) in enumerate(
                zip(cells[supply.base : supply.base + spread], cells[bag.base : bag.base + spread], strict=True)
            )
        ]
        assert totals == everything
        assert min(region) >= 0
        last[0] = region

    return check


def conservation_check(played: Game) -> Callable[[State], None]:
    """Return a check that no component is lost or added."""
    area, ritual = cards_of(played.name, played.seats)
    tokens, counts = counting_tokens(played), (Count(played, "area_card", area), Count(played, "ritual_card", ritual))

    def check(cells: State) -> None:
        tokens(cells)
        for count in counts:
            count.check(cells)

    return check
