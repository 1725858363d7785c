"""Observation vectors: contents visible to a seat. Secrecy is tested in tests/properties/test_secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.lockstep import GAMES, Beside, game
from tests.small_games import write_rules
from wongar_dsl.adapters.observations import Observations
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.hidden_information.observation import observe


def nonzero_observation(played: Game, state: State, seat: int) -> dict[str, int]:
    """Return the non-zero entries of a seat's observation, by name."""
    observations = Observations(played)
    assert len(set(observations.names)) == observations.size
    numbers = observations.observe(state.cells, seat).tolist()
    return {name: number for name, number in zip(observations.names, numbers, strict=True) if number}


def test_seat_sees_its_own_card_the_viewer_the_deciding_seat_and_the_decision() -> None:
    played = game("kuhn_poker")
    state, _ = played.start(2)
    first, second = (nonzero_observation(played, state, seat) for seat in (0, 1))
    holding = played.fields["holding"]
    assert (first["holding[1]"], second["holding[2]"]) == tuple(state.cells[holding.at(seat)] + 1 for seat in (0, 1))
    assert "holding[2]" not in first
    assert first["size of holding[2]"] == 1
    state.apply(state.read("bet"))
    head = {name: nonzero_observation(played, state, 0).get(name, 0) for name in ("viewer", "decides", "decision")}
    assert head == {"viewer": 0, "decides": 2, "decision": 2}


KINDS = """
enum colour = red, blue
cards card
    face(colour: colour)
deck pack of card total 4
    3 face(red), 1 face(blue)
pile stack holds card, seen by all
heap drawn of each player holds card, seen by owner
tokens bag holds colour, seen as a number
remember last_shade: colour = red
setup
    fill stack with pack
    fill bag with 2 red
    fill bag with 3 blue
    shuffle stack
play
    for each p in player
        move top of stack to drawn of p
        p chooses go_on
            proceed(shade: colour)
                set last_shade to shade
    nobody wins
"""


def test_piles_are_observed_from_the_top_and_bags_by_size(tmp_path: Path) -> None:
    played = library.load(write_rules(tmp_path, KINDS)).game(2)
    state, _ = played.start(1)
    pile = played.fields["stack"]
    count = state.cells[pile.base]
    from_top = [state.cells[pile.base + count - number] + 1 for number in range(count)]
    entries = nonzero_observation(played, state, 0)
    assert [entries.get(f"stack: {number + 1}", 0) for number in range(4)] == [*from_top, 0]
    assert entries["size of bag"] == 5
    assert "bag: red" not in entries


BURIED = """
enum colour = red, blue, green
remember treasure: colour = red, seen by nobody
remember found: number 0 to 9 = 0
setup
    set found to 0
play
    player(1) chooses hiding
        bury(shade: colour)
            set treasure to shade
            player(2) chooses searching
                dig(guess: colour)
                    if guess = treasure
                        set found to 1
    nobody wins
"""


def test_hidden_option_argument_is_not_in_the_vector(tmp_path: Path) -> None:
    played = library.load(write_rules(tmp_path, BURIED)).game(2)
    vectors = []
    for shade in ("red", "green"):
        state, _ = played.start(1)
        state.apply(state.read(f"bury({shade})"))
        assert state.decision is not None
        assert "shade" in {name for name, _, _ in state.decision.scope}
        vectors.append(Observations(played).observe(state.cells, 1).tolist())
    assert vectors[0] == vectors[1]


WON = """
remember ready: yes or no = yes
play
    player(1) chooses turn
        stop
            player(2) wins
"""


def test_observation_by_names_has_truth_values_and_the_numbers_of_winners(tmp_path: Path) -> None:
    state, _ = library.load(write_rules(tmp_path, WON)).game(2).start(1)
    assert observe(state, None)["ready"] is True
    state.apply(state.legal_moves()[0])
    assert observe(state, None)["winners"] == [2]


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_bounded_observations_stay_within_their_bounds(name: str, seats: int) -> None:
    played, beside = game(name, seats), Beside(game(name, seats), 5, 6)
    observations = Observations(played)
    for _ in range(6):
        for seat in range(seats):
            for number, values in zip(
                observations.observe(beside.state.cells, seat).tolist(), observations.values, strict=True
            ):
                assert values is None or 0 <= number < values
        if beside.state.over:
            break
        beside.make(beside.any_move())


def test_searched_pile_is_visible_only_to_the_searching_seat() -> None:
    played = game("wongar/initiated")
    state, _ = played.start(3)
    while state.decision is not None and state.decision.name != "search":
        state.apply(state.legal_moves()[0])
    searching, opponent = state.seat, (state.seat + 1) % played.seats
    assert any(name.startswith("search: ritual_pile: ") for name in nonzero_observation(played, state, searching))
    assert not any(name.startswith("search: ritual_pile: ") for name in nonzero_observation(played, state, opponent))
