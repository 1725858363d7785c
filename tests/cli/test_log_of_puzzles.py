"""Log of a game with puzzles: it draws a solution of each lost puzzle."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves.save_files import write_save
from wongar_dsl.session.board.puzzle import Puzzle, default_answer

HEADING = ", this would have been a solution:"


def match_of_lost_puzzles(kinds: tuple[str, str], puzzles: int) -> tuple[Match, int]:
    """Return a match without a solved puzzle, ended after `puzzles` puzzles, and the number that Anna lost."""
    rules = load("ubongo")
    match = Match.begin(rules.game(2), [Seat(kinds[0], "Anna"), Seat(kinds[1], "Ben")], 5, rules.hash)
    anna: list[Puzzle] = []
    while not match.state.over and len(anna) < puzzles + 1:
        puzzle = Puzzle.of(match.state)
        if match.state.seat == 0 and puzzle is not None and puzzle not in anna[-1:]:
            anna.append(puzzle)
        if len(anna) <= puzzles:
            match.play(default_answer(match.state) if match.state.clock is not None else match.state.legal_moves()[0])
    return match, puzzles


@pytest.mark.parametrize("viewer", ["1", "2", None])
def test_log_draws_a_solution_after_each_lost_puzzle(wongar: Command, tmp_path: Path, viewer: str | None) -> None:
    match, lost = match_of_lost_puzzles(("human", "random"), 2)
    path = tmp_path / "save.json"
    write_save(path, match, "", "en")
    flags = ("--for", viewer) if viewer is not None else ()
    lines = wongar("log", str(path), "--lang", "en", *flags).out.splitlines()
    drawn = [number for number, line in enumerate(lines) if line.startswith(f"Anna{HEADING}")]
    assert len(drawn) == (lost if viewer == "1" or not match.game.knowledge.has_private_information else 0)
    assert not any(line.startswith(f"Ben{HEADING}") for line in lines)
    if drawn:
        rounds = [number for number, line in enumerate(lines) if "Round " in line]
        # The first drawing precedes the round of the second lost puzzle.
        assert any(drawn[0] < number < drawn[1] for number in rounds)
