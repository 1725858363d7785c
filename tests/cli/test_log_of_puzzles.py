"""The log of a game with puzzles draws how those could have been solved that somebody lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.save_files import write_save
from wongar_dsl.library import load
from wongar_dsl.table.puzzle import Puzzle, unanswered

HEADING = ", this would have been a solution:"


def lost_by_both(kinds: tuple[str, str], puzzles: int) -> tuple[Match, int]:
    """A match of Anna and Ben in which nobody solves a puzzle, up to so many of them, and how often Anna lost one."""
    rules = load("ubongo")
    match = Match.begin(rules.game(2), [Seat(kinds[0], "Anna"), Seat(kinds[1], "Ben")], 5, rules.hash)
    anna: list[Puzzle] = []
    while not match.state.over and len(anna) < puzzles + 1:
        puzzle = Puzzle.of(match.state)
        if match.state.seat == 0 and puzzle is not None and puzzle not in anna[-1:]:
            anna.append(puzzle)
        if len(anna) <= puzzles:
            match.play(unanswered(match.state) if match.state.clock is not None else match.state.legal_moves()[0])
    return match, puzzles


@pytest.mark.parametrize("viewer", ["1", "2", None])
def test_the_log_draws_a_solution_of_each_lost_puzzle_where_it_was_lost(
    wongar: Command, tmp_path: Path, viewer: str | None
) -> None:
    match, lost = lost_by_both(("human", "random"), 2)
    path = tmp_path / "save.json"
    write_save(path, match, "", "en")
    way = ("--for", viewer) if viewer is not None else ()
    lines = wongar("log", str(path), "--lang", "en", *way).out.splitlines()
    drawn = [number for number, line in enumerate(lines) if line.startswith(f"Anna{HEADING}")]
    assert len(drawn) == (lost if viewer == "1" or not match.game.knowledge.private else 0)
    assert not any(line.startswith(f"Ben{HEADING}") for line in lines)
    if drawn:
        rounds = [number for number, line in enumerate(lines) if "Round " in line]
        # The first one stands before the round in which the second one was lost.
        assert any(drawn[0] < number < drawn[1] for number in rounds)
