"""How everybody would stand if the game ended now: what the rules count only at its end is counted at once."""

from __future__ import annotations

from collections.abc import Set

from wongar_dsl.backends.veiling import end_veiled
from wongar_dsl.engine.game import State


def standing(state: State, seat: int | None) -> tuple[int, ...] | None:
    """The points that each seat would have if the game ended now, as far as a seat (None: who only watches) can know.

    None in a game that counts nothing at its end, after that, and where anything hidden or chance has a part in it.
    """
    if state.game.program.closing < 0 or state.over:
        return None
    return counted(state, state.game.knowledge.covered(seat))


def counted(state: State, unknown: Set[int]) -> tuple[int, ...] | None:
    """The same to somebody who does not know what stands at some addresses; nobody is asked who that is."""
    game, cells = state.game, state.cells
    place = game.program.score
    if game.program.closing < 0 or place is None or state.over or game.stepwise is None:
        return None
    if not unknown.isdisjoint(place.at(seat) for seat in range(game.seats)):
        return None
    ended = end_veiled(game.stepwise, cells, unknown)
    return None if ended is None else State(game, ended).scores
