"""Action numbers: one-to-one with the choices of every game, in every position."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.lockstep import GAMES, Beside, action_steps, game
from tests.small_games import write_rules
from wongar_dsl.adapters.actions import Actions
from wongar_dsl.compiler import ir
from wongar_dsl.engine import library


@pytest.mark.parametrize("whole", [None, 1000, 1])
@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_action_numbers_and_choices_correspond_one_to_one(name: str, seats: int, whole: int | None) -> None:
    actions, beside = Actions(game(name, seats), whole), Beside(game(name, seats), 3, 4)
    for _ in range(12):
        state = beside.state
        if state.over:
            break
        sequences = [tuple(action for action, _ in action_steps(actions, state, move)) for move in state.legal_moves()]
        assert len(set(sequences)) == len(sequences)
        assert all(0 <= action < actions.size for sequence in sequences for action in sequence)
        legal = actions.legal(state.cells[ir.AT_DECISION], state.options())
        assert legal == sorted({sequence[0] for sequence in sequences})
        assert len({actions.text(action) for action in legal}) == len(legal)
        move = beside.any_move()
        *_, (last, begun) = action_steps(actions, state, move)
        assert actions.decode(last, begun) == (move.raw, True)
        assert actions.decision(last) == state.cells[ir.AT_DECISION]
        beside.make(move)


def test_action_of_a_whole_option_has_the_text_of_the_move() -> None:
    played = game("nim")
    actions, state = Actions(played), played.start(1)[0]
    texts = {actions.text(action) for action in actions.legal(0, state.options())}
    assert texts == {state.write(move) for move in state.legal_moves()}


def test_option_with_many_arguments_is_split_into_actions() -> None:
    played = game("tongiaki")
    split, flat = Actions(played), Actions(played, None)
    laying = next(n for n, d in enumerate(played.program.decisions) if d.name == "laying")
    assert laying in split.multi_step_decisions
    assert not flat.multi_step_decisions
    assert split.size < 1000 < flat.size
    assert split.text(split.number(laying, (0, 3, 5, 2), (0, 3))).startswith("lay(…, ")


COUNTED = """
enum pebble = grey
tokens hoard holds pebble, seen by all
remember bid: number 0 to 9 = 0
setup
    fill hoard with 4 grey
play
    player(1) chooses turn
        offer(n: 2 to 6)
            set bid to 3
        bet(n: 0 to bid + 1)
            nothing
        take(n: 0 to size of hoard)
            nothing
        stop
            nothing
    nobody wins
"""


def test_number_arguments_are_bounded_by_the_rules(tmp_path: Path) -> None:
    actions = Actions(library.load(write_rules(tmp_path, COUNTED)).game(2))
    names = [actions.text(action).partition("(")[0] for action in range(actions.size)]
    assert [names.count(name) for name in ("offer", "bet", "take", "stop")] == [5, 11, 5, 1]


def test_number_above_the_limit_is_refused_with_the_option() -> None:
    played = game("nim")
    actions = Actions(played, numbers=2)
    state, _ = played.start(1)
    with pytest.raises(ValueError, match=r"take\(2, 3\) has a number above 2: ask for more with numbers="):
        actions.legal(0, state.options())
    assert Actions(played, numbers=9).size == 3 * 9
