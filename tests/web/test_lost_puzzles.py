"""The solution of a lost puzzle: only the loser sees it, and only once it cannot be asked again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from tests.web.test_pages import valid_page
from tests.web.viewings import LANGUAGES, game, rules, viewing
from wongar_dsl.engine import State
from wongar_dsl.engine.bots import is_puzzle_decision
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.session.puzzle import Puzzle, default_answer
from wongar_dsl.web import pages


def ubongo_game(seed: int) -> Iterator[Match]:
    """Yield a two-player game before each step; seat 0 solves no puzzle, seat 1 solves all."""
    sample = Match.begin(game("ubongo", 2), [Seat("human", "A"), Seat("human", "B")], seed, rules("ubongo").hash)
    random = Random(seed)
    while not sample.state.over:
        yield sample
        puzzle, move = Puzzle.of(sample.state), random.choice(sample.state.legal_moves())
        if puzzle is not None:
            move = default_answer(sample.state) if sample.state.seat == 0 else next(iter(puzzle.solutions.values()))
        sample.play(move, 1000 if puzzle else 0)
    yield sample


def solution_rows(page: str) -> str | None:
    """Return the rows of the solution on a page, or None."""
    label = re.search(r'class="solved"[^>]*aria-label="([^"]*)"', page)
    return label[1] if label else None


def test_loser_sees_a_solution_until_their_next_decision_and_at_the_end() -> None:
    shown, solving, lost, rows = 0, 0, None, None
    for number, sample in enumerate(ubongo_game(3)):
        decisions = [step for step in sample.steps if step.seat == 0]
        if decisions and decisions[-1].number == len(sample.steps) - 1 and is_puzzle_decision(decisions[-1].decision):
            lost = Puzzle.of(State(sample.game, sample.state_before(decisions[-1].number)))
        page = pages.table_part(viewing(sample, LANGUAGES[number % 4], 0, "ubongo"))
        valid_page(page)
        rows = solution_rows(page)
        if rows is not None:
            assert lost is not None
            assert lost.solution("/".join(re.findall(r"[A-Z.]+", rows))) is not None
            assert is_puzzle_decision(decisions[-1].decision) or sample.state.over
            assert lost != (Puzzle.of(sample.state) if sample.state.seat == 0 else None)
            shown += 1
        if Puzzle.of(sample.state) is not None and sample.state.seat == 1:
            # The other seat still solves the puzzle.
            solving += 1
            assert rows is None
        # The seat that solved its puzzle, and spectators, see none.
        for viewer in (1, None):
            assert solution_rows(pages.table_part(viewing(sample, "en", viewer, "ubongo"))) is None
    assert rows is not None
    assert shown > 3
    assert solving > 2
