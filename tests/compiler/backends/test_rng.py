"""Streams of random numbers do not overlap, for any seeds."""

from __future__ import annotations

import random
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

from tests.properties.play import game
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import MASK, NUMBERS, SEATS, Generator, Purpose, derive, draw, key, start
from wongar_dsl.engine import MAX_DECISIONS, State
from wongar_dsl.engine.bots import decision_rng, time_rng
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.library import load

LEAK = Path(__file__).resolve().parents[2] / "data" / "leak.rules"
STRETCH = 1 << 36
SEEDS = (0, 1, 2, 20_001, 1 << 63, MASK)


def seed_of(wanted: int) -> int:
    """Return the seed of a key, by inverting the mixing function."""
    z = wanted
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9)):
        z = unshifted(z, shift) * pow(factor, -1, 1 << 64) & MASK
    return (unshifted(z, 30) - 0x9E3779B97F4A7C15) & MASK


def unshifted(z: int, shift: int) -> int:
    result = z
    for _ in range(64 // shift + 1):
        result = z ^ (result >> shift)
    return result


def disjoint(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two streams share no two consecutive numbers: their steps differ, or they are far apart on the
    cycle of one step."""
    if one[1] != other[1]:
        return True
    distance = (one[0] - other[0]) * pow(one[1], -1, 1 << 64) & MASK
    return STRETCH <= distance <= (1 << 64) - STRETCH


def test_each_seed_has_its_own_key() -> None:
    assert [seed_of(key(seed)) for seed in SEEDS] == list(SEEDS)


def test_no_two_streams_overlap_for_any_seeds() -> None:
    dice = random.Random(1)
    # Pairs of seeds that may share their step, and some more.
    keys = [dice.getrandbits(64) for _ in range(3)]
    seeds = [seed_of(k ^ bit) for k in keys for bit in (0, 1)] + [0, 1, MASK]
    assert start(seeds[0], Purpose.PLAY)[1] == start(seeds[1], Purpose.PLAY)[1]
    last = (SEATS - 1, NUMBERS - 1)
    streams = [start(s, p, *n) for s, p, n in product(seeds, Purpose, [(0, 0), (0, 1), (1, 0), last])]
    assert all(disjoint(first, second) for first, second in combinations(streams, 2))


def test_each_seat_and_decision_has_a_stream() -> None:
    assert MAX_DECISIONS < NUMBERS
    assert Purpose.WORLD_PLAY < 8
    for seat, number in ((SEATS, 0), (-1, 0), (0, NUMBERS), (0, -1)):
        with pytest.raises(ValueError, match="no stream"):
            start(1, Purpose.BOT, seat, number)


def test_games_of_a_series_have_different_seeds() -> None:
    for seed in SEEDS:
        assert len({derive(seed, number) for number in range(3_000)}) == 3_000


def test_numbers_are_uniform_for_any_seed() -> None:
    # The first throws of many games, and many throws of one game with the smallest step.
    first_throws = [draw(*start(seed, Purpose.SETUP), 6)[1] for seed in range(6_000)]
    generator = Generator(seed_of(0))
    assert start(seed_of(0), Purpose.PLAY)[1] == 1
    throws_of_one_game = [generator.below(6) for _ in range(6_000)]
    for thrown in (first_throws, throws_of_one_game):
        assert all(900 < thrown.count(n) < 1_100 for n in range(6))
        doubles = sum(a == b for a, b in pairwise(thrown))
        assert 900 < doubles < 1_100


def test_setup_draws_do_not_advance_the_play_stream() -> None:
    played = load(LEAK).game(2)
    first = played.backend.start(7)
    second = list(first)
    second[ir.AT_CHANCE], _ = start(8, Purpose.SETUP)
    states = [State(played, cells) for cells in (first, second)]
    for state in states:
        state.proceed()
    assert states[0].cells != states[1].cells
    assert states[0].cells[ir.AT_CHANCE] == states[1].cells[ir.AT_CHANCE] == start(7, Purpose.PLAY)[0]


def test_sampled_world_uses_no_stream_of_the_game() -> None:
    state, _ = game("goofspiel", 2).start(7)
    used = {start(7, p, seat, n) for p in Purpose for seat in range(2) for n in range(3)}
    worlds = SampledWorlds(state, 0, None)
    for number in range(20):
        cells = worlds.sample(decision_rng(7, 0, number)).cells
        assert (cells[ir.AT_CHANCE], cells[ir.AT_STEP]) not in used
    assert decision_rng(7, 0, 1).seed() != time_rng(7, 0, 1).seed()
