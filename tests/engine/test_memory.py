"""A match keeps its choices and the differences of states; options and events are made again when asked for."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import load

MANY = """
game many
    players 1
    source house rule
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


def begun(tmp_path: Path) -> Match:
    rules = tmp_path / "many.rules"
    rules.write_text(MANY, encoding="utf-8")
    return Match.begin(load(str(rules)).game(1), [Seat("random")], 1, "hash")


def test_a_match_grows_by_its_choices_and_not_by_options_or_states(tmp_path: Path) -> None:
    match, generator = begun(tmp_path), Generator(1)
    moves = match.state.legal_moves()
    for _ in range(20):
        match.play(moves[generator.below(len(moves))])
    tracemalloc.start()
    for _ in range(100):
        match.play(moves[generator.below(len(moves))])
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # One state has 3,200 cells, one list of options 3,000 moves: kept, they would be many megabytes.
    assert grown < 750_000


def test_events_and_options_are_made_again_as_they_were(tmp_path: Path) -> None:
    match, generator = begun(tmp_path), Generator(2)
    kept = []
    for _ in range(12):
        moves = match.state.legal_moves()
        step = match.play(moves[generator.below(len(moves))])
        kept.append((tuple(moves), step.events, step.text))
    for number in (11, 0, 7, 3, 4, 10):
        step = match.steps[number]
        assert (step.options, step.events, step.text) == kept[number]
    history = match.history()
    assert list(history) == [*match.opening, *(event for _, events, _ in kept for event in events)]
    assert history[-1] == kept[-1][1][-1]
    assert len(history) == len(list(history))
    assert history[-3:] == list(history)[-3:]
