"""Memory of a match: choices and differences of states are stored; options and events are recomputed on request."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from tests.small_games import write_rules
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat

MANY_STEPS = """
board field
    grid 40 by 40
enum colour = red, blue
tokens ground of each field holds colour, seen by all
remember made: number 0 to 500 = 0
play
    repeat until made = 500
        player(1) chooses turn
            pick(k: 1 to 3000)
                set made to made + 1
                tell picked(k)
    nobody wins
"""


def begin_match(tmp_path: Path) -> Match:
    return Match.begin(load(write_rules(tmp_path, MANY_STEPS, players="1")).game(1), [Seat("random")], 1, "hash")


def test_match_memory_grows_only_by_choices(tmp_path: Path) -> None:
    match, generator = begin_match(tmp_path), Generator(1)
    moves = match.state.legal_moves()
    tracemalloc.start()
    # The first moves fill what a match keeps of any length.
    for _ in range(5):
        match.play(moves[generator.below(len(moves))])
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(15):
        match.play(moves[generator.below(len(moves))])
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A state has 3,200 cells and an option list 3,000 moves: stored in full, either would take a megabyte.
    assert after - before < 100_000


def test_recomputed_events_and_options_are_the_same(tmp_path: Path) -> None:
    match, generator = begin_match(tmp_path), Generator(2)
    recorded_steps = []
    for _ in range(12):
        moves = match.state.legal_moves()
        step = match.play(moves[generator.below(len(moves))])
        recorded_steps.append((tuple(moves), step.events, step.text))
    for number in (11, 0, 7, 3, 4, 10):
        step = match.steps[number]
        assert (step.options, step.events, step.text) == recorded_steps[number]
    history = match.history()
    assert list(history) == [*match.opening, *(event for _, events, _ in recorded_steps for event in events)]
    assert history[-1] == recorded_steps[-1][1][-1]
    assert history[-3:] == list(history)[-3:]
