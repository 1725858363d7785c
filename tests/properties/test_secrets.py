"""What a seat is shown, and what its bot does, does not hang on what it may not see: in every game that is shipped, and
in small ones that hide things in every way."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.properties.permuter import permuted, random_match, twin, visible
from tests.properties.play import games
from tests.properties.shown import SMALL, made, shown
from wongar_dsl import ir
from wongar_dsl.bots import GreedyBot, RandomBot, luck
from wongar_dsl.engine.determinization import Worlds
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.transcript import lines
from wongar_dsl.library import load

#: So many decisions are taken before somebody looks at the table.
LENGTHS = (0, 1, 2, 3, 5, 12)
#: Everything lies open in these.
OPEN = {"nim", "tictactoe", "connect_four"}
#: The greedy one tries little here: what counts is whether it tries the same.
BOTS = {"random": RandomBot(), "greedy": GreedyBot(4)}
#: What is hidden in these is in no zone, or everybody can count it.
NO_ZONES = {"goofspiel", "die", "letsecret"}
EVERY = [(name, seats) for name, seats in games() if seats < 5]
EVERY += [(name, load(path).model.players[0]) for name, path in SMALL.items()]
on_every_game = pytest.mark.parametrize(("name", "seats"), EVERY, ids=[f"{n}-{s}" for n, s in EVERY])


def pairs(name: str, seats: int, lengths: tuple[int, ...] = LENGTHS) -> Iterator[tuple[Match, Match, int]]:
    """Games with others that look the same to a seat."""
    for length in lengths:
        match = random_match(made(name, seats), length, length)
        for seat in {match.state.seat, length % seats} - {-1}:
            other = twin(match, seat, random.Random(seats * 100 + length))
            if other is not None:
                yield match, other, seat


@on_every_game
def test_what_a_seat_is_shown_does_not_hang_on_what_it_may_not_see(name: str, seats: int) -> None:
    found = 0
    for match, other, seat in pairs(name, seats):
        found += 1
        for one, twin_s in zip(shown(match, seat), shown(other, seat), strict=True):
            assert one == twin_s
    assert found or name in OPEN


@on_every_game
def test_a_bot_chooses_the_same_whatever_it_may_not_see(name: str, seats: int) -> None:
    found = 0
    for match, other, seat in pairs(name, seats, (0, 1, 5)):
        if match.state.seat != seat:
            continue
        for kind in BOTS:
            found += 1
            chosen = [BOTS[kind].choose(m.state.copy(), luck(3, seat, 0), m.past) for m in (match, other)]
            assert chosen[0] == chosen[1]
    assert found or name in OPEN


@on_every_game
def test_what_is_sampled_varies_and_looks_the_same(name: str, seats: int) -> None:
    varied = found = 0
    for match, _, seat in pairs(name, seats):
        found += 1
        generator, worlds = luck(5, seat, 0), Worlds(match.state, seat, match.past)
        cells = set()
        for _ in range(8):
            world = worlds.one(generator).cells
            assert visible(match.game, world, seat) == visible(match.game, match.state.cells, seat)
            cells.add(tuple(world[ir.FIRST_FREE :]))
        varied += len(cells) > 1
    assert varied == found


@on_every_game
def test_the_permuter_changes_something_and_nothing_that_a_seat_sees(name: str, seats: int) -> None:
    """Otherwise the other tests here would say nothing."""
    played, changed = made(name, seats), 0
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
def test_the_permuter_changes_hidden_choices_in_the_record(name: str, seats: int, decision: str, length: int) -> None:
    changed = 0
    for seed in range(8):
        match = random_match(made(name, seats), seed, length)
        number = max((n for n, step in enumerate(match.steps) if step.decision.name == decision), default=-1)
        if match.state.over or number < 0:
            continue
        seat = (match.steps[number].seat + 1) % seats
        match.back_to(number + 1)
        for number_of_try in range(4):
            other = twin(match, seat, random.Random(4 * seed + number_of_try))
            if other is not None and other.steps[number].text != match.steps[number].text:
                changed += 1
                assert list(lines(other, seat)) == list(lines(match, seat))
    assert changed
