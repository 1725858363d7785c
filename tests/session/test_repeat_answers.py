"""Repeated decisions answered at once by a series of options."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.session.test_forecast import match, shipped_game
from tests.small_games import write_rules
from wongar_dsl.engine.hidden_information.lookahead import lookahead
from wongar_dsl.engine.match import Match
from wongar_dsl.session.decisions import (
    example,
    max_repeats,
    min_real_repeats,
    move_sequence,
    parts_of,
    read_series,
    repeat_count,
)

# Land ten ships: the first three on different shores, the others anywhere.
LANDING = """
enum piece = ship
enum shore = north, south, west
tokens at_sea holds piece, seen by all
tokens landed of each shore holds piece, seen by all
remember served of each shore: yes or no = no
setup
    fill at_sea with 10 ship
play
    repeat 10 times
        player(1) chooses landing
            land(there: shore where not served of there or no other in shore where not served of other)
                move 1 ship from at_sea to landed of there
                set served of there to yes
            otherwise
                impossible
    player(2) wins
"""


def landing_match(folder: Path) -> Match:
    return match(write_rules(folder, LANDING))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3x2", [(3, 2)]),
        ("3 x 2, 4", [(3, 2), (4, 1)]),
        ("3×2; 4*3", [(3, 2), (4, 3)]),
        ("3", None),
        ("3, 4", [(3, 1), (4, 1)]),
        ("4,5,3, 2", [(4, 1), (5, 1), (3, 1), (2, 1)]),
        ("1 2 3", [(1, 1), (2, 1), (3, 1)]),
        ("1x1 2 3", [(1, 1), (2, 1), (3, 1)]),
        ("1 x 2 3", [(1, 2), (3, 1)]),
        ("beach 1 2", None),
        ("3,", None),
        ("3x", None),
        ("take(3x2)", None),
        ("", None),
        ("9999x2", None),
    ],
)
def test_series_notation_is_parsed(text: str, found: object) -> None:
    assert read_series(text) == found


def test_number_of_repeated_decisions_is_counted(tmp_path: Path) -> None:
    sample = landing_match(tmp_path)
    assert repeat_count(sample.state) == 10
    sample.play(sample.state.legal_moves()[0])
    assert repeat_count(sample.state) == 9
    assert repeat_count(match("tictactoe").state) == 1


def test_legal_order_of_a_series_is_found(tmp_path: Path) -> None:
    sample = landing_match(tmp_path)
    north, south, west = sample.state.legal_moves()
    order = move_sequence(sample.state, {north: 5, south: 1, west: 4})
    assert order is not None
    assert set(order[:3]) == {north, south, west}
    for move in order:
        sample.play(move)
    place = sample.game.fields["landed"]
    assert [sample.state.cells[place.at(shore)] for shore in range(3)] == [5, 1, 4]
    assert sample.state.over


def test_illegal_series_has_no_order(tmp_path: Path) -> None:
    sample = landing_match(tmp_path)
    north, south, _ = sample.state.legal_moves()
    assert move_sequence(sample.state, {north: 2}) is None
    assert move_sequence(sample.state, {north: 5, south: 5}) is None
    assert move_sequence(sample.state, {}) is None
    assert move_sequence(sample.state, {north: 99}) is None
    assert move_sequence(match("tictactoe").state, dict.fromkeys(match("tictactoe").state.legal_moves()[:2], 1)) is None


def test_series_stops_before_a_hidden_draw(tmp_path: Path) -> None:
    rules = """
cards card
    red
    blue
deck pack of card total 8
    4 red, 4 blue
pile left_over holds card, seen as a number
hand held of each player holds card, seen by owner
setup
    fill left_over with pack
    shuffle left_over
play
    repeat 4 times
        player(1) chooses turn
            draw
                move top of left_over to held of player(1)
            wait
                nothing
    player(1) wins
"""
    sample = match(write_rules(tmp_path, rules))
    draw, wait = sample.state.legal_moves()
    assert move_sequence(sample.state, {draw: 2}) is None
    assert move_sequence(sample.state, {wait: 4}) == [wait] * 4
    assert move_sequence(sample.state, {draw: 1, wait: 3}) == [wait, wait, wait, draw]
    assert max_repeats(sample.state, 4) == {draw: 1, wait: 4}


def test_example_series_is_legal(tmp_path: Path) -> None:
    state = landing_match(tmp_path).state
    moves = state.legal_moves()
    for times in (2, 3, 4, 10):
        counts = example(state, moves, times)
        assert sum(counts.values()) == times
        assert move_sequence(state, counts) is not None
    # The rules require one ship on each shore first.
    assert list(example(state, moves, 3).values()) == [1, 1, 1]
    # In a game with real routes, too.
    state, _ = shipped_game("tongiaki", 2)[0].start(2)
    chance, seen = random.Random(2), 0
    for _ in range(127):
        moves, times = state.legal_moves(), repeat_count(state)
        if times > 1 and len(moves) > 1:
            counts = example(state, moves, times)
            assert move_sequence(state, counts) is not None
            seen += sum(counts.values()) == times
        state.apply(chance.choice(moves))
    assert seen


def test_series_can_contain_words() -> None:
    assert parts_of("hands, 11") == [("hands", 1), ("11", 1)]
    assert parts_of("hands x 2; foot") == [("hands", 2), ("foot", 1)]


def test_announced_number_of_decisions_is_a_lower_bound() -> None:
    """Check it for every first choice of random games, continued with the first option."""
    checked = forced = 0
    for seed in (7, 51):
        sample, chance = match("tongiaki", 3, seed), random.Random(seed)
        while not sample.state.over and not (checked > 5 and forced):
            times, name, seat = min_real_repeats(sample.state), sample.state.decision, sample.state.seat
            if times > 1:
                checked += 1
                forced += times < repeat_count(sample.state)
                after, count = sample.state.copy(), 0
                while not after.over and (after.decision, after.seat) == (name, seat):
                    moves = after.legal_moves()
                    if len(moves) < 2:
                        break
                    count += 1
                    after = lookahead(after, moves[0], seat).state or pytest.fail("cannot be foreseen")
                assert count >= times
            sample.play(chance.choice(sample.state.legal_moves()))
    assert checked > 5
    assert forced > 0
