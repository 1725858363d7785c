"""Output to a seat and bot moves do not depend on hidden information, in all shipped games and small test games."""

from __future__ import annotations

import random
from functools import cache
from itertools import chain

import pytest

from tests.properties.permuter import permuted, random_match, twin, visible
from tests.properties.play import tables
from tests.properties.shown import SMALL, everything_shown, load_game
from wongar_dsl.compiler import ir
from wongar_dsl.engine.bots import RandomBot, decision_rng
from wongar_dsl.engine.bots.search import GreedyBot
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import lines

#: Numbers of decisions before the comparison.
LENGTHS = (0, 1, 2, 3, 5, 12)
#: Games without hidden information.
OPEN = {"nim", "tictactoe", "connect_four"}
#: The greedy bot has a small budget, since only equality matters.
BOTS = {"random": RandomBot(), "greedy": GreedyBot(4)}
#: Games whose hidden information is in no zone or has a public count.
NO_ZONES = {"goofspiel", "die", "letsecret"}
#: Each game with the fewest seats.
EVERY = [
    *dict(reversed(list(tables()))).items(),
    *((name, load(path).model.players[0]) for name, path in SMALL.items()),
]
on_every_game = pytest.mark.parametrize(("name", "seats"), EVERY)


@cache
def match_pairs(name: str, seats: int, length: int) -> list[tuple[Match, Match, int]]:
    """Return a match of some length with others that look the same to a seat, which no test changes."""
    match = random_match(load_game(name, seats), length, length)
    seen = [(seat, random.Random(seats * 100 + length)) for seat in {match.state.seat, length % seats} - {-1}]
    return [(match, other, seat) for seat, dice in seen if (other := twin(match, seat, dice)) is not None]


@on_every_game
def test_output_does_not_depend_on_hidden_information(name: str, seats: int) -> None:
    compared = 0
    for match, twin_match, seat in chain.from_iterable(match_pairs(name, seats, length) for length in LENGTHS):
        compared += 1
        for output, twin_output in zip(everything_shown(match, seat), everything_shown(twin_match, seat), strict=True):
            assert output == twin_output
    assert compared or name in OPEN


@on_every_game
def test_bot_moves_do_not_depend_on_hidden_information(name: str, seats: int) -> None:
    compared = 0
    for match, twin_match, seat in chain.from_iterable(match_pairs(name, seats, length) for length in (0, 1, 5)):
        if match.state.seat != seat:
            continue
        for kind in BOTS:
            compared += 1
            chosen = [BOTS[kind].choose(m.state.copy(), decision_rng(3, seat, 0), m.past) for m in (match, twin_match)]
            assert chosen[0] == chosen[1]
    assert compared or name in OPEN


@on_every_game
def test_sampled_worlds_vary_and_look_the_same(name: str, seats: int) -> None:
    varied = compared = 0
    for match, _, seat in chain.from_iterable(match_pairs(name, seats, length) for length in LENGTHS):
        compared += 1
        generator, worlds = decision_rng(5, seat, 0), SampledWorlds(match.state, seat, match.past)
        cells = set()
        for _ in range(8):
            world = worlds.sample(generator).cells
            assert visible(match.game, world, seat) == visible(match.game, match.state.cells, seat)
            cells.add(tuple(world[ir.FIRST_FREE :]))
        varied += len(cells) > 1
    assert varied == compared


@on_every_game
def test_permuter_changes_only_hidden_information(name: str, seats: int) -> None:
    """Without a change, the other tests here would prove nothing."""
    played, changed = load_game(name, seats), 0
    for length in LENGTHS:
        match = random_match(played, length, length)
        for seat in range(seats):
            for number in range(4):
                cells = permuted(played, match.state.cells, seat, random.Random(number), 20)
                assert visible(played, cells, seat) == visible(played, match.state.cells, seat)
                changed += cells[ir.FIRST_FREE :] != match.state.cells[ir.FIRST_FREE :]
    assert bool(changed) != (name in OPEN | NO_ZONES)


@pytest.mark.parametrize(
    ("name", "seats", "decision", "length"),
    [
        ("goofspiel", 2, "bidding", 1),
        ("goofspiel", 4, "bidding", 6),
        ("which_hand", 2, "hiding", 3),
        ("stash", 2, "hiding", 1),
        ("wongar/initiated", 3, "search", 60),
    ],
)
def test_permuter_changes_hidden_choices_in_the_record(name: str, seats: int, decision: str, length: int) -> None:
    changed = 0
    for seed in range(8):
        if changed > 3:
            break
        match = random_match(load_game(name, seats), seed, length)
        number = max((n for n, step in enumerate(match.steps) if step.decision.name == decision), default=-1)
        if match.state.over or number < 0:
            continue
        seat = (match.steps[number].seat + 1) % seats
        match.truncate(number + 1)
        for number_of_try in range(4):
            twin_match = twin(match, seat, random.Random(4 * seed + number_of_try))
            if twin_match is not None and twin_match.steps[number].text != match.steps[number].text:
                changed += 1
                assert list(lines(twin_match, seat)) == list(lines(match, seat))
    assert changed
