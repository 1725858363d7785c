"""Paths over placed cards follow the declared sides; their numbers are not evaluated."""

from __future__ import annotations

import random
from itertools import pairwise

from wongar_dsl.compiler.ir.containers import PlacedCard, container
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.render.component_svg.card_data import EdgeThing
from wongar_dsl.render.text.laid_cards import TracedPath, trace_paths
from wongar_dsl.session.decisions import option_targets

GAME = load("tongiaki").game(3)
OCEAN = GAME.fields["ocean"]
SEA = GAME.model.boards["sea"]


def placed_cards(state: State) -> tuple[PlacedCard, ...]:
    zone = container(OCEAN)
    assert zone is not None
    return zone.placed_cards(state.cells, OCEAN.base, OCEAN.width)


def state_after(seed: int, until: str = "", most: int = 120) -> State:
    state, _ = GAME.start(seed)
    dice = random.Random(seed)
    for step in range(most):
        if state.over or state.decision is None or (step > 20 and state.decision.name == until):
            break
        moves = [m for m in state.legal_moves() if (state.write(m) == "resettle") == (until == "laying" and step > 20)]
        state.apply(dice.choice(moves or state.legal_moves()))
    return state


def paths_of(state: State) -> list[TracedPath]:
    return list(trace_paths(GAME.model, OCEAN.type, placed_cards(state), SEA))


def test_path_begins_at_each_side_of_a_card() -> None:
    start, _ = GAME.start(1)
    paths = paths_of(start)
    assert [path.direction for path in paths] == [0, 1, 2, 3, 4, 5]
    assert [path.thing.value for path in paths] == [0, 1, 2, 3, 4, 5]
    assert all(path.crossed == () and path.end is None for path in paths)


def test_path_crosses_adjacent_cards() -> None:
    crossed = 0
    for seed in range(4):
        state = state_after(seed)
        faces = {card.area: card.face for card in placed_cards(state)}
        for path in paths_of(state):
            assert isinstance(path.thing, EdgeThing)
            assert all(b in SEA.touching[a] for a, b in pairwise(path.areas))
            assert path.end is None or path.end in faces.values()
            crossed += len(path.crossed)
    assert crossed > 20


def test_paths_end_where_voyages_of_the_rules_end() -> None:
    """The rules follow the trails themselves, and the option `sail` names the same island."""
    seen = 0
    for seed in range(12):
        state = state_after(seed, "emigration")
        if state.over or state.decision is None or state.decision.name != "emigration":
            continue
        by_side = {(GAME.model.value_name(OCEAN.type, path.card), path.direction): path for path in paths_of(state)}
        for move in state.legal_moves():
            option = state.decision.options[move.option].name
            if option in ("sail", "explore"):
                land = GAME.model.value_name(state.decision.options[move.option].parameters[0][1], move.arguments[0])
                path = by_side[f"island_card({land})", move.arguments[1]]
                goal = GAME.model.enums["island"][move.arguments[2]] if option == "sail" else None
                end = None if path.end is None else GAME.model.value_name(OCEAN.type, path.end)
                assert end == (None if goal is None else f"island_card({goal})")
                seen += 1
    assert seen > 5


def test_option_placing_a_card_targets_its_area() -> None:
    state = state_after(5, "laying")
    assert state.decision is not None
    assert state.decision.name == "laying"
    moves = state.legal_moves()
    aimed = option_targets(state, moves)
    assert aimed.keys() == set(moves)
    for move in moves[:6]:
        after = state.copy()
        after.apply(move)
        aim = aimed[move]
        assert aim.board == "sea"
        assert aim.laid in placed_cards(after)
        assert aim.area not in {card.area for card in placed_cards(state)}


def test_only_options_naming_an_area_have_a_target() -> None:
    state, _ = load("tictactoe").game(2).start(1)
    moves = state.legal_moves()
    assert {move: (aim.board, aim.area) for move, aim in option_targets(state, moves).items()} == {
        move: ("cell", move.arguments[0]) for move in moves
    }
    start, _ = GAME.start(1)
    assert option_targets(start, start.legal_moves()) == {}
