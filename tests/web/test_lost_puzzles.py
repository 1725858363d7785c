"""Who has lost a puzzle is shown how it could have been solved: nobody else, and not while it may be asked again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from tests.web.test_pages import checked
from tests.web.viewings import LANGUAGES, game, rules, viewing
from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.table.puzzle import Puzzle, lays, unanswered
from wongar_dsl.web import pages


def played(seed: int) -> Iterator[Match]:
    """A game of two in which the first never solves anything and the second always does, before each step."""
    begun = Match.begin(game("ubongo", 2), [Seat("human", "A"), Seat("human", "B")], seed, rules("ubongo").hash)
    random = Random(seed)
    while not begun.state.over:
        yield begun
        puzzle, move = Puzzle.of(begun.state), random.choice(begun.state.legal_moves())
        if puzzle is not None:
            move = unanswered(begun.state) if begun.state.seat == 0 else next(iter(puzzle.solutions.values()))
        begun.play(move, 1000 if puzzle else 0)
    yield begun


def solution(page: str) -> str | None:
    """The rows of the solution on a page."""
    found = re.search(r'class="solved"[^>]*aria-label="([^"]*)"', page)
    return found[1] if found else None


def test_who_has_lost_a_puzzle_is_shown_a_solution_until_they_decide_again_and_at_the_end() -> None:
    shown, lost, rows = 0, None, None
    for number, at in enumerate(played(3)):
        own = [step for step in at.steps if step.seat == 0]
        if own and own[-1].number == len(at.steps) - 1 and lays(own[-1].decision):
            lost = Puzzle.of(State(at.game, at.before(own[-1].number)))
        page = pages.table_part(viewing(at, LANGUAGES[number % 4], 0, "ubongo"))
        checked(page)
        rows = solution(page)
        if rows is not None:
            assert lost is not None
            assert lost.solution("/".join(re.findall(r"[A-Z.]+", rows))) is not None
            assert lays(own[-1].decision) or at.state.over
            assert lost != (Puzzle.of(at.state) if at.state.seat == 0 else None)
            shown += 1
        # Who has solved theirs, and who watches, is shown none.
        assert solution(pages.table_part(viewing(at, "en", 1, "ubongo"))) is None
        assert solution(pages.table_part(viewing(at, "en", None, "ubongo"))) is None
    assert rows is not None
    assert shown > 3


def test_while_others_still_puzzle_who_has_lost_is_shown_no_solution() -> None:
    seen = 0
    for at in played(4):
        if Puzzle.of(at.state) is not None and at.state.seat == 1:
            seen += 1
            assert solution(pages.table_part(viewing(at, "de", 0, "ubongo"))) is None
    assert seen > 2
