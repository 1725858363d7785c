"""Random games of Tongiaki: they end, and nothing is lost or doubled on the way."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from wongar_dsl import ir
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.ir.containers import LAYOUT
from wongar_dsl.library import load

SEATS = range(2, 7)
LONGEST = 3000
SHIPS = ("supply", "berth", "throne", "at_sea", "adrift")


@cache
def game(seats: int, backend: str = "python") -> Game:
    return load("tongiaki").game(seats, backend=backend)


def choose(state: State, dice: random.Random) -> object:
    """A random option; resettlement ends the games so soon that it is taken rarely."""
    decision, moves = state.decision, state.legal_moves()
    assert decision is not None
    others = [m for m in moves if decision.options[m.option].name != "resettle"]
    return dice.choice(others if others and dice.random() < 0.9 else moves)


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


def play(seats: int, seed: int, checked: bool) -> State:
    state, _ = game(seats).start(seed)
    dice = random.Random(seed)
    for _ in range(LONGEST):
        if state.over:
            return state
        if checked:
            check(state)
        state.apply(choose(state, dice))  # type: ignore[arg-type]
    raise AssertionError(f"{seats} players, seed {seed}: no end after {LONGEST} decisions")


@pytest.mark.parametrize("seats", SEATS)
def test_invariants_hold_at_every_decision(seats: int) -> None:
    for seed in range(20):
        state = play(seats, seed, checked=True)
        check(state)
        assert state.winners


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("seats", SEATS)
def test_random_games_end(seats: int, part: int) -> None:
    runner = game(seats).backend
    for seed in range(1000 + part * 50, 1050 + part * 50):
        cells, dice = runner.start(seed), random.Random(seed)
        runner.run(cells)
        for _ in range(LONGEST):
            if cells[ir.AT_DECISION] == ir.OVER:
                break
            if cells[ir.AT_DECISION] != ir.READY:
                runner.choose(cells, dice.choice(runner.options(cells)))
            runner.run(cells)
        state = State(game(seats), cells)
        assert state.over
        check(state)


@pytest.mark.parametrize("seats", SEATS)
def test_backends_agree(seats: int) -> None:
    quick, slow = game(seats).backend, game(seats, "reference").backend
    for seed in range(2):
        first, second, dice = quick.start(seed), slow.start(seed), random.Random(seed)
        told, said = [], []
        for _ in range(LONGEST):
            quick.run(first, told)
            slow.run(second, said)
            assert first == second
            if first[ir.AT_DECISION] == ir.OVER:
                break
            if first[ir.AT_DECISION] == ir.READY:
                continue
            options = quick.options(first)
            assert options == slow.options(second)
            option = dice.choice(options)
            quick.choose(first, option)
            slow.choose(second, option)
        assert told == said
