"""Whole games of Ubongo: invariants, winners, answer times, and replay of records."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.ubongo.pieces import ROUNDS, Watched
from tests.properties.play import game
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import IllegalMove, State, notation
from wongar_dsl.engine.bots import bot, is_puzzle, thinking_time
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.rule_cases.file import read

#: Thousands of games: `python -m benchmarks.soak --only pieces`.
GAMES = 15


@pytest.mark.parametrize("name", ROUNDS)
def test_random_games_end_and_use_every_option(name: str) -> None:
    for seats in ROUNDS[name]:
        seen: set[str] = set()
        for seed in range(GAMES):
            watched = Watched(game(name, seats), seed)
            watched.play()
            seen |= watched.options_seen
            gems = [sorted_gems(watched, seat) for seat in range(seats)]
            winners = [seat for seat in range(seats) if watched.cells[ir.AT_WINNERS] >> seat & 1]
            assert winners == [seat for seat in range(seats) if gems[seat] == max(gems)]
        assert seen == {"place", "solve", "give_up", "go", "stay", "take", "leave"}


def sorted_gems(watched: Watched, seat: int) -> list[int]:
    field = watched.fields["collection"]
    address = field.base + seat * field.width
    return sorted(watched.cells[address + 1 : address + field.width], reverse=True)


def played_by_bots(kinds: tuple[str, ...], seed: int) -> Match:
    match = Match.begin(game("ubongo", len(kinds)), [Seat(k) for k in kinds], seed, "hash")
    generator = Generator(seed)
    while not match.state.over:
        kind = kinds[match.state.seat]
        time = thinking_time(match.state, kind, generator)
        match.play(bot(kind).choose(match.state.copy(), generator), time)
    return match


def test_recorded_game_is_replayed_exactly() -> None:
    match = played_by_bots(("random", "random", "random"), 4)
    replayed = Match.begin(match.game, match.seats, match.seed, match.rules_hash)
    for step in match.steps:
        text, time = notation.split_time(f"{step.text} @ {step.time // 1000}.{step.time % 1000:03}")
        assert time == step.time
        assert replayed.play(replayed.state.read(text), time).events == step.events
    assert replayed.state.cells == match.state.cells


def test_bots_solve_puzzles_and_quick_bots_are_faster() -> None:
    times: dict[int, list[int]] = {0: [], 1: []}
    for step in played_by_bots(("quick", "slow"), 3).steps:
        if step.decision.name == "covering":
            assert step.text.startswith("solve(")
            times[step.seat].append(step.time)
        elif step.decision.name in ("trip", "grasp"):
            assert 0 < step.time < 10_000
    assert sum(times[0]) / len(times[0]) < sum(times[1]) / len(times[1]) - 5_000
    assert len(set(times[0])) > 3


@pytest.fixture
def puzzle_state() -> State:
    """Return a state in which the first of two players is to cover an area."""
    state, _ = game("ubongo", 2).start(1)
    assert state.clock is None
    while state.decision is not None and state.decision.name == "placing":
        state.apply(state.legal_moves()[0])
    return state


def test_answer_times_change_the_game(puzzle_state: State) -> None:
    """The same choices with other times lead to another seat to move: time is an input of the game."""
    outcomes = set()
    for first, second in ((10_000, 20_000), (20_000, 10_000)):
        state = puzzle_state.copy()
        events = state.apply(state.legal_moves()[0], time=first)
        assert not any(event.told for event in events), "hidden until all have answered"
        state.apply(state.legal_moves()[0], time=second)
        outcomes.add(state.seat)
    assert outcomes == {0, 1}


def test_clock_is_reported(puzzle_state: State) -> None:
    state = puzzle_state
    assert state.clock == (0, 60_000)
    assert is_puzzle(state)
    state.apply(state.read("give_up"), time=60_000)
    state.apply(state.read("give_up"), time=60_000)
    assert state.clock == (60_000, 120_000)
    state.apply(state.read("give_up"), time=1)
    state.apply(next(m for m in state.legal_moves() if m.arguments), time=15_000)
    assert state.decision is not None
    assert state.decision.name == "trip"
    assert state.clock == (75_000, 120_000)


@pytest.mark.parametrize("text", ["solve(AAB/ABB)", "solve()", "solve(nobody)", "solve(", "take", "solve(....)"])
def test_invalid_covering_is_refused(text: str, puzzle_state: State) -> None:
    before = list(puzzle_state.cells)
    with pytest.raises(IllegalMove):
        puzzle_state.read(text)
    assert puzzle_state.cells == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("take @ 31.5", ("take", 31_500)), ("take@2", ("take", 2_000)), ("go(x) @ 0,05", ("go(x)", 50)),
        ("take", ("take", None)), ("@ 3", ("", 3_000)), ("take @ -1", ("take @ -1", None)),
        ("take @ 1.2345", ("take", 1_234)), ("take @ 9999999", ("take @ 9999999", None)),
    ],
)  # fmt: skip
def test_times_after_moves_are_parsed(text: str, expected: tuple[str, int | None]) -> None:
    assert notation.split_time(text) == expected


def test_every_ruling_has_a_case() -> None:
    cases = read(Path(__file__).resolve().parents[3] / "rules" / "ubongo" / "ubongo.cases.yaml").cases
    assert {f"U{n}" for n in range(1, 8)} <= {ruling for case in cases for ruling in case.covers}


def test_timed_step_cannot_be_undone() -> None:
    match = Match.begin(game("ubongo", 2), [Seat("human"), Seat("human")], 1, "hash")
    for time in (0, 0, 5_000, 5_000):
        match.play(match.state.legal_moves()[0], time)
    assert match.state.decision is not None
    assert match.state.decision.name == "trip"
    match.play(match.state.legal_moves()[0], 1_000)
    assert not match.can_undo()
