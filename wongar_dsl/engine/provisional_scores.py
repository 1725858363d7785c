"""Provisional scores: the result if the game ended now, including points that the rules count only at the end."""

from __future__ import annotations

from collections.abc import Set

from wongar_dsl.compiler.backends.poisoned_run import end_poisoned
from wongar_dsl.engine.game import State


def provisional_scores(state: State, seat: int | None) -> tuple[int, ...] | None:
    """Return each seat's points if the game ended now, as far as a seat (None: a spectator) can know.

    Returns None if the game counts nothing at its end or is over, and if the result depends on hidden information or
    random numbers.
    """
    if state.game.program.closing < 0 or state.over:
        return None
    return scores_without(state, state.game.knowledge.hidden_field_addresses(seat))


def scores_without(state: State, unknown: Set[int]) -> tuple[int, ...] | None:
    """Return the provisional scores for a viewer who does not know the cells at some addresses."""
    game, cells = state.game, state.cells
    place = game.program.score
    if game.program.closing < 0 or place is None or state.over or game.lookahead_backend is None:
        return None
    if not unknown.isdisjoint(place.at(seat) for seat in range(game.seats)):
        return None
    ended = end_poisoned(game.lookahead_backend, cells, unknown)
    return None if ended is None else State(game, ended).scores
