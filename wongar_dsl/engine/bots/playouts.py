"""Random playouts from a position, and their value for a seat."""

from __future__ import annotations

from wongar_dsl.compiler.backends.protocol import PlayoutResult
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import State

#: Maximum number of decisions of a playout.
MAX_PLAYOUT = 5000


def playout(state: State, generator: Generator, limit: int = MAX_PLAYOUT) -> int:
    """Play at random to the end, in place and without events; return the number of decisions."""
    length, generator.cursor = state.game.backend.playout(state.cells, generator.cursor, limit)
    return length


def reward(outcome: PlayoutResult, seat: int, seats: int, fewest: bool = False) -> float:
    """Return the value of a result for a seat: its share of the win plus a small part for the score lead.

    With `fewest` the lowest score leads.
    """
    won = [outcome.winners >> p & 1 for p in range(seats)]
    scores = [-score if fewest else score for score in outcome.scores]
    scores = scores or [(1 if w else -1) if any(won) else 0 for w in won]
    rivals = [v for p, v in enumerate(scores) if p != seat]
    lead = (scores[seat] - max(rivals)) if rivals else scores[seat]
    spread = max(1, *(abs(v) for v in scores))
    share = 1 / sum(won) if won[seat] else 0.0
    return share + 0.25 * lead / spread
