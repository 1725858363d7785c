"""Ways over laid cards are followed over the paths that the rules declare; what a number on a path is good for is not
asked."""

from __future__ import annotations

import random
from itertools import pairwise

from wongar_dsl.engine import State
from wongar_dsl.ir.containers import Laid, container
from wongar_dsl.library import load
from wongar_dsl.pictures.sides import Thing
from wongar_dsl.table.aims import aims
from wongar_dsl.table.ways import Way, ways

GAME = load("tongiaki").game(3)
OCEAN = GAME.fields["ocean"]
SEA = GAME.model.boards["sea"]


def laid(state: State) -> tuple[Laid, ...]:
    zone = container(OCEAN)
    assert zone is not None
    return zone.laid(state.cells, OCEAN.base, OCEAN.width)


def played(seed: int, until: str = "", most: int = 120) -> State:
    state, _ = GAME.start(seed)
    dice = random.Random(seed)
    for step in range(most):
        if state.over or state.decision is None or (step > 20 and state.decision.name == until):
            break
        moves = [m for m in state.legal_moves() if (state.write(m) == "resettle") == (until == "laying" and step > 20)]
        state.apply(dice.choice(moves or state.legal_moves()))
    return state


def found(state: State) -> list[Way]:
    return list(ways(GAME.model, OCEAN.type, laid(state), SEA))


def test_a_way_begins_at_each_thing_on_a_side_of_a_card() -> None:
    start, _ = GAME.start(1)
    ways_of_first = found(start)
    assert [way.direction for way in ways_of_first] == [0, 1, 2, 3, 4, 5]
    assert [way.thing.value for way in ways_of_first] == [0, 1, 2, 3, 4, 5]
    assert all(way.crossed == () and way.end is None for way in ways_of_first)


def test_a_way_goes_from_card_to_card_and_ends_where_none_lies_or_where_nothing_leads_on() -> None:
    crossed = 0
    for seed in range(4):
        state = played(seed)
        faces = {card.area: card.face for card in laid(state)}
        for way in found(state):
            assert isinstance(way.thing, Thing)
            assert all(b in SEA.touching[a] for a, b in pairwise(way.areas))
            assert way.end is None or way.end in faces.values()
            crossed += len(way.crossed)
    assert crossed > 20


def test_ways_end_where_the_rules_say_that_a_voyage_ends() -> None:
    """The rules follow the trails themselves, and tell it in their options: `sail` ends at the same island."""
    seen = 0
    for seed in range(12):
        state = played(seed, "emigration")
        if state.over or state.decision is None or state.decision.name != "emigration":
            continue
        by_side = {(GAME.model.value_name(OCEAN.type, way.card), way.direction): way for way in found(state)}
        for move in state.legal_moves():
            option = state.decision.options[move.option].name
            if option in ("sail", "explore"):
                land = GAME.model.value_name(state.decision.options[move.option].parameters[0][1], move.arguments[0])
                way = by_side[f"island_card({land})", move.arguments[1]]
                goal = GAME.model.enums["island"][move.arguments[2]] if option == "sail" else None
                end = None if way.end is None else GAME.model.value_name(OCEAN.type, way.end)
                assert end == (None if goal is None else f"island_card({goal})")
                seen += 1
    assert seen > 5


def test_an_option_that_lays_a_card_aims_at_the_place_where_it_comes_to_lie() -> None:
    state = played(5, "laying")
    assert state.decision is not None
    assert state.decision.name == "laying"
    moves = state.legal_moves()
    aimed = aims(state, moves)
    assert aimed.keys() == set(moves)
    for move in moves[:6]:
        after = state.copy()
        after.apply(move)
        aim = aimed[move]
        assert aim.board == "sea"
        assert aim.laid in laid(after)
        assert aim.area not in {card.area for card in laid(state)}


def test_an_option_that_names_an_area_aims_at_it_and_others_at_nothing() -> None:
    state, _ = load("tictactoe").game(2).start(1)
    moves = state.legal_moves()
    assert {move: (aim.board, aim.area) for move, aim in aims(state, moves).items()} == {
        move: ("cell", move.arguments[0]) for move in moves
    }
    start, _ = GAME.start(1)
    assert aims(start, start.legal_moves()) == {}
