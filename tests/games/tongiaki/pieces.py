"""What a game of Tongiaki must hold at every decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from wongar_dsl.backends import State as Cells
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.ir.containers import LAYOUT

SHIPS = ("supply", "berth", "throne", "at_sea", "adrift")


def check(state: State) -> None:
    """15 ships for each player, no beach over its berths, each card once, each ship on an island that lies there."""
    cells, layout, model = state.cells, state.game.fields, state.game.model
    ships: Counter[int] = Counter()
    for name in SHIPS:
        for indices, at in copies(layout[name]):
            assert cells[at] >= 0
            ships[indices[-1]] += cells[at]
    assert set(ships.values()) == {15}
    ocean = layout["ocean"]
    lying = LAYOUT.laid(cells, ocean.base, ocean.width)
    laid = {card.face for card in lying}
    spots = {card.area for card in lying}
    assert len(laid) == len(spots) == cells[ocean.base]
    stack = layout["stack"]
    cards = Counter(cells[stack.base + 1 : stack.base + 1 + cells[stack.base]])
    cards.update(laid)
    cards.update([cells[layout["drawn"].base]] if cells[layout["drawn"].base] >= 0 else [])
    out = layout["out_of_play"].base
    cards.update({c: cells[out + 1 + c] for c in range(32) if cells[out + 1 + c]})
    assert cards == Counter(range(32))
    berths = model.tables["berths"].cells
    moored: Counter[tuple[int, int]] = Counter()
    for (island, beach, _), at in copies(layout["berth"]):
        moored[island, beach] += cells[at]
    for (island, beach), number in moored.items():
        assert number <= berths[island * 6 + beach]
        assert not number or island in laid
    decision = state.decision
    at_sea = sum(cells[at] for _, at in copies(layout["at_sea"]))
    # A group at sea is always about to land.
    assert not at_sea or (decision is not None and decision.name in ("landing", "surplus"))


def counting(played: Game) -> Callable[[Cells], None]:
    """The check, on bare cells."""
    return lambda cells: check(State(played, cells))
