"""Game trees: each chance node is one throw, and information states hold what a seat saw, was told and chose."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.lockstep import GAMES
from tests.small_games import write_rules
from wongar_dsl.adapters.game_tree import GameTree, TreePosition, tree_of
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import run_on
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import PlayFault, State
from wongar_dsl.engine.bots import thinking_time, time_rng


def step(tree: GameTree, position: TreePosition, luck: Generator) -> tuple[TreePosition, list[int]]:
    """Take a random action or throw; return the new position and the actions or the outcome."""
    if position.sides:
        outcome = luck.below(position.sides)
        return tree.chance_successor(position, outcome), [outcome]
    chosen = [legal[luck.below(len(legal))] if legal else 0 for legal in position.legal]
    if tree.is_simultaneous(position):
        return tree.joint_successor(position, chosen), chosen
    seat = position.acting[0]
    return tree.successor(position, chosen[seat]), [chosen[seat]]


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_tree_follows_the_engine(name: str, seats: int) -> None:
    tree, luck = tree_of(name, seats), Generator(12)
    position, backend = tree.root(), tree.game.backend
    cells, decided = list(position.before_rolls or position.cells), 0
    thrown: list[int] = []
    begun: tuple[int, ...] = ()
    while decided < 10:
        if position.sides:
            position, [outcome] = step(tree, position, luck)
            thrown.append(outcome)
        if position.sides:
            continue
        # The engine runs once with all throws that the tree took one by one.
        answers = iter(thrown)
        if cells[ir.AT_BLOCK] >= 0:
            run_on(backend, cells, dice=lambda _, answers=answers: next(answers))  # type: ignore[misc]
        assert next(answers, None) is None
        assert cells == list(position.cells)
        thrown = []
        if tree.over(position):
            break
        together, deciding_seats = tree.is_simultaneous(position), position.acting
        position, actions = step(tree, position, luck)
        for number, seat in enumerate(deciding_seats):
            if number:
                run_on(backend, cells)
            assert cells[ir.AT_SEAT] == seat
            begun, whole = tree.actions.decode(actions[seat] if together else actions[0], begun)
            if whole:
                assert begun in backend.options(cells)
                time = thinking_time(State(tree.game, cells), "", time_rng(0, seat, decided))
                backend.choose(cells, begun, time)
                begun, decided = (), decided + 1
    assert decided > 1


DIE = """
play
    let thrown = random n in 2 to 7
    let other = random m in 1 to thrown
    if other = 1
        player(1) wins
    nobody wins
"""


def test_chance_only_game_has_one_outcome_per_throw(tmp_path: Path) -> None:
    tree = tree_of(write_rules(tmp_path, DIE))
    assert tree.sides == 7
    ends = [position for position in all_positions(tree, tree.root()) if tree.over(position)]
    assert len(ends) == 2 + 3 + 4 + 5 + 6 + 7
    assert sum(tree.returns(position)[0] for position in ends) == 6
    assert tree.observe(tree.root(), 0).tolist()[:3] == [0, 0, 0]


def test_rule_fault_is_raised_as_play_fault(tmp_path: Path) -> None:
    rules = "remember n: number = 0\nplay\n    set n to 5 div n\n    nobody wins\n"
    with pytest.raises(PlayFault):
        tree_of(write_rules(tmp_path, rules)).root()


@pytest.mark.parametrize(("name", "most"), [("goofspiel", 45), ("kuhn_poker", 9), ("ubongo", 72), ("nim", 1)])
def test_throws_have_at_most_the_expected_outcomes(name: str, most: int) -> None:
    assert tree_of(name).sides <= most


def all_positions(tree: GameTree, position: TreePosition) -> Iterator[TreePosition]:
    """Yield all positions of the tree of a game without simultaneous decisions."""
    yield position
    if position.sides:
        for outcome in range(position.sides):
            yield from all_positions(tree, tree.chance_successor(position, outcome))
    elif not tree.over(position):
        for action in position.legal[position.acting[0]]:
            yield from all_positions(tree, tree.successor(position, action))


def test_kuhn_poker_has_twelve_information_states() -> None:
    tree = tree_of("kuhn_poker", utility="score")
    positions = list(all_positions(tree, tree.root()))
    ends = [position for position in positions if tree.over(position)]
    assert len(ends) == 6 * 5
    assert sum(tree.returns(position)[0] for position in ends) == 0
    states: dict[tuple[int, str], set[tuple[int, ...]]] = {}
    for position in positions:
        if position.acting:
            seat = position.acting[0]
            states.setdefault((seat, position.information[seat]), set()).add(position.legal[seat])
    assert len(states) == 12
    assert all(len(legal) == 1 for legal in states.values())


def test_simultaneous_choices_are_unknown_until_all_have_chosen() -> None:
    tree = tree_of("goofspiel", 3)
    position = tree.chance_successor(tree.root(), 1)
    assert position.acting == (0, 1, 2)
    first, second = (tree.joint_successor(position, [0, 1, last]) for last in (1, 2))
    assert first.information[0] == second.information[0] or first.cells == position.cells
    shown = [tree.chance_successor(after, 0) if after.sides else after for after in (first, second)]
    assert shown[0].information[0] != shown[1].information[0]
    assert [history.count(">") for history in first.information] == [1, 1, 1]


def test_shuffle_is_one_throw_per_card() -> None:
    tree = tree_of("ubongo")
    position, sides = tree.root(), []
    while position.sides:
        sides.append(position.sides)
        position = tree.chance_successor(position, 0)
    bag, stack = (tree.game.fields[name].capacity for name in ("bag", "stack"))
    assert list(range(bag, 1, -1)) in [sides[i : i + bag - 1] for i in range(len(sides))]
    assert list(range(stack, 1, -1)) in [sides[i : i + stack - 1] for i in range(len(sides))]


def test_positions_and_trees_are_shared_by_copies() -> None:
    tree = tree_of("nim")
    position = tree.root()
    assert copy.deepcopy(position) is position
    assert copy.deepcopy(tree) is tree
    assert pickle.loads(pickle.dumps(tree)) is tree
    assert pickle.loads(pickle.dumps(position)) == position


def test_long_game_is_stopped_with_zero_returns() -> None:
    tree = tree_of("connect_four", longest=2)
    position = tree.root()
    for _ in range(2):
        assert not tree.over(position)
        position = tree.successor(position, position.legal[position.acting[0]][0])
    assert tree.over(position)
    assert tree.returns(position) == (0, 0)
    assert position.legal == ((), ())
