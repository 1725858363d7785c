"""Invariants of a Tongiaki position at every decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from wongar_dsl.compiler.backends import State as Cells
from wongar_dsl.compiler.ir.containers import LAYOUT
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.hidden_information.information import copies

SHIPS = ("supply", "berth", "throne", "at_sea", "adrift")


def check(state: State) -> None:
    """Check 15 ships per player, beaches within their berths, each card once, and ships only at placed islands."""
    cells, layout, model = state.cells, state.game.fields, state.game.model
    ships: Counter[int] = Counter()
    for name in SHIPS:
        for indices, address in copies(layout[name]):
            assert cells[address] >= 0
            ships[indices[-1]] += cells[address]
    assert set(ships.values()) == {15}
    ocean = layout["ocean"]
    lying = LAYOUT.placed_cards(cells, ocean.base, ocean.width)
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
    for (island, beach, _), address in copies(layout["berth"]):
        moored[island, beach] += cells[address]
    for (island, beach), number in moored.items():
        assert number <= berths[island * 6 + beach]
        assert not number or island in laid
    decision = state.decision
    at_sea = sum(cells[address] for _, address in copies(layout["at_sea"]))
    # A group at sea always lands next.
    assert not at_sea or (decision is not None and decision.name in ("landing", "surplus"))


def counting(played: Game) -> Callable[[Cells], None]:
    """Return the check for bare cells."""
    return lambda cells: check(State(played, cells))
