"""Every choice of every game has a number of its own, whatever the position."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.lockstep import GAMES, Beside, game, parts
from tests.small_games import written
from wongar_dsl import ir, library
from wongar_dsl.adapters.actions import Actions


@pytest.mark.parametrize("whole", [None, 1000, 1])
@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_a_number_means_one_choice_and_each_choice_has_one(name: str, seats: int, whole: int | None) -> None:
    actions, beside = Actions(game(name, seats), whole), Beside(game(name, seats), 3, 4)
    for _ in range(12):
        state = beside.state
        if state.over:
            break
        found = [tuple(action for action, _ in parts(actions, state, move)) for move in state.legal_moves()]
        assert len(set(found)) == len(found)
        assert all(0 <= action < actions.size for one in found for action in one)
        legal = actions.legal(state.cells[ir.AT_DECISION], state.options())
        assert legal == sorted({one[0] for one in found})
        assert len({actions.text(action) for action in legal}) == len(legal)
        move = beside.any_move()
        *_, (last, begun) = parts(actions, state, move)
        assert actions.taken(last, begun) == (move.raw, True)
        assert actions.decision(last) == state.cells[ir.AT_DECISION]
        beside.make(move)


def test_an_action_of_a_whole_option_reads_like_the_move() -> None:
    played = game("nim")
    actions, state = Actions(played), played.start(1)[0]
    told = {actions.text(action) for action in actions.legal(0, state.options())}
    assert told == {state.write(move) for move in state.legal_moves()}


def test_an_option_with_many_arguments_is_chosen_argument_by_argument() -> None:
    played = game("tongiaki")
    split, flat = Actions(played), Actions(played, None)
    laying = next(n for n, d in enumerate(played.program.decisions) if d.name == "laying")
    assert laying in split.in_parts
    assert not flat.in_parts
    assert split.size < 1000 < flat.size
    assert split.text(split.number(laying, (0, 3, 5, 2), (0, 3))).startswith("lay(…, ")


COUNTED = """
enum pebble = grey
tokens hoard holds pebble, seen by all
remember bid: number 0 to 9 = 0
setup
    fill hoard with 4 grey
play
    repeat
        for each p in player
            p chooses turn
                {option}
                    set bid to 3
                    p wins
                stop
                    p wins
"""


def sizes(folder: Path, option: str) -> int:
    """How many numbers an option has, beside the one that stops."""
    text = COUNTED.format(option=option)
    return Actions(library.load(written(folder, text)).game(2)).size - 1


def test_numbers_have_the_bounds_that_the_rules_show(tmp_path: Path) -> None:
    assert sizes(tmp_path, "offer(n: 2 to 6)") == 5
    assert sizes(tmp_path, "offer(n: 0 to bid + 1)") == 11
    assert sizes(tmp_path, "offer(n: 0 to size of hoard)") == 5


def test_a_number_beyond_all_that_was_expected_is_refused_by_name() -> None:
    played = game("nim")
    actions = Actions(played, numbers=2)
    state, _ = played.start(1)
    with pytest.raises(ValueError, match=r"take\(2, 3\) has a number above 2: ask for more with numbers="):
        actions.legal(0, state.options())
    assert Actions(played, numbers=9).size == 3 * 9
