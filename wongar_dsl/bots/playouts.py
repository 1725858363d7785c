"""Random games from a position, and what they are worth."""

from __future__ import annotations

from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import State

MAX_PLAYOUT = 5000


def playout(state: State, generator: Generator, limit: int = MAX_PLAYOUT) -> int:
    """Play at random to the end, in place, without events; gives the number of decisions."""
    runner, cells = state.game.backend, state.cells
    options = runner.advance(cells)
    for count in range(limit):
        if not options:
            return count
        runner.choose(cells, options[generator.below(len(options))])
        options = runner.advance(cells)
    return limit


def value_for(state: State, seat: int) -> float:
    """How good a position is for a seat: the share of the win, and a small part for the lead in score."""
    scores = state.scores
    rivals = [v for p, v in enumerate(scores) if p != seat]
    lead = (scores[seat] - max(rivals)) if rivals else scores[seat]
    spread = max(1, *(abs(v) for v in scores))
    share = 1 / len(state.winners) if seat in state.winners else 0.0
    return share + 0.25 * lead / spread
