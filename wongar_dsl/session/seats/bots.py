"""Bot decisions and their random streams."""

from __future__ import annotations

from wongar_dsl.engine import Move
from wongar_dsl.engine.bots import CancelToken, bot, decision_rng, thinking_time, time_rng
from wongar_dsl.engine.match import Match


def decide(match: Match, cancel: CancelToken | None = None) -> tuple[Move, int]:
    """Return the move of the bot to play and its simulated thinking time in milliseconds; `cancel` cancels the search.

    The random stream depends only on the seed, the seat and the decision number, so that the decision can be
    reproduced.
    """
    seat, number = match.state.seat, len(match.steps)
    match.state.options()  # Listed before the state is copied, so that the copy and the move that follows share them.
    kind = match.seats[seat].kind
    took = thinking_time(match.state, kind, time_rng(match.seed, seat, number))
    return bot(kind, cancel).choose(match.state.copy(), decision_rng(match.seed, seat, number), match.past), took
