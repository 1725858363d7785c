"""What a game of Wongar must hold at every decision: each player's tokens and every card are there."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl.backends import State
from wongar_dsl.engine import Game
from wongar_dsl.model import Type

# What each player has, and the cards by face, as the rulebook's list of contents gives them.
TOKENS = (18, 15, 12)
AREA = {"token_card(disc)": 3, "token_card(cube)": 2, "token_card(cylinder)": 1, "three_tokens": 1, "four_rituals": 1,
        "ancestor_card": 2, "elder_card": 2, "both_card": 1, "scorpion_card": 2}  # fmt: skip
RITUAL = {"ritual(disc)": 14, "ritual(cube)": 12, "ritual(cylinder)": 10, "double_ritual": 5, "ritual_scorpion": 2}


def cards_of(name: str, seats: int) -> tuple[dict[str, int], dict[str, int]]:
    """The area cards and the ritual cards that a game plays with."""
    area, ritual = {face: 10 * n for face, n in AREA.items()}, dict(RITUAL)
    if name == "wongar":
        assert (sum(area.values()), sum(ritual.values())) == (150, 43)
        return area, ritual
    # One of each figure card is out of each pile, and one of each before every player.
    for face in ("ancestor_card", "elder_card"):
        area[face] += seats - 10
    return area, ritual | {"double_ritual": seats, "ritual_scorpion": 0}


class Count:
    """Counts the cards of one sort by face, quickly: a stretch that has not changed is not counted again."""

    def __init__(self, played: Game, sort: str, expected: dict[str, int]) -> None:
        kind = Type("cards", sort)
        faces = played.model.cards[sort].faces
        self.weights = [1 << (10 * i) for i in range(len(faces))] + [0]  # -1, an empty slot, weighs nothing
        self.total = sum(expected[f.name] << (10 * i) for i, f in enumerate(faces))
        self.places = [
            (p.kind, p.base + i * p.width, p.width)
            for p in played.program.fields
            if p.type == kind and p.kind in ("pile", "heap", "slot")
            for i in range(_product(p.sizes))
        ]
        self.last: list[tuple[int, State]] = [(-1, [])] * len(self.places)
        self.first, self.end = self.places[0][1], max(at + width for _, at, width in self.places)
        self.region: State = []

    def check(self, cells: State) -> None:
        region = cells[self.first : self.end]
        if region == self.region:
            return
        weights, last, total = self.weights, self.last, 0
        for i, (kind, at, width) in enumerate(self.places):
            if kind == "slot":
                total += weights[cells[at]]
                continue
            stretch = cells[at : at + width]
            known, before = last[i]
            if stretch != before:
                if kind == "pile":
                    known = sum([weights[c] for c in stretch[1 : 1 + stretch[0]]])
                else:
                    assert stretch[0] == sum(stretch[1:]), "a heap that does not know its size"
                    known = sum([weights[c] * n for c, n in enumerate(stretch[1:])])
                last[i] = known, stretch
            total += known
        assert total == self.total, [total >> 10 * i & 1023 for i in range(len(weights) - 1)]
        self.region = region


def _product(sizes: tuple[int, ...]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def counting_tokens(played: Game) -> Callable[[State], None]:
    """A check that each player's tokens are all there, in supply, bag and ground."""
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
        kept = cells[ground.base : ground.base + 10 * spread]
        found = [
            a + b + sum(kept[i::spread])
            for i, (a, b) in enumerate(
                zip(cells[supply.base : supply.base + spread], cells[bag.base : bag.base + spread], strict=True)
            )
        ]
        assert found == everything
        assert min(region) >= 0
        last[0] = region

    return check


def counting(played: Game) -> Callable[[State], None]:
    """A check that nothing is lost and nothing came to be."""
    area, ritual = cards_of(played.name, played.seats)
    tokens, counts = counting_tokens(played), (Count(played, "area_card", area), Count(played, "ritual_card", ritual))

    def check(cells: State) -> None:
        tokens(cells)
        for count in counts:
            count.check(cells)

    return check
