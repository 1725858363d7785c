"""What a bot at the table decides, and with which luck."""

from __future__ import annotations

from wongar_dsl.bots import Halt, bot, luck, thinking_time, time_luck
from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Match


def decide(match: Match, halt: Halt | None = None) -> tuple[Move, int]:
    """What the bot whose turn it is does, and how long it takes, in milliseconds; `halt` breaks its thinking off.

    Its luck hangs on the seed, the seat and the number of the decision alone, so that it can be repeated.
    """
    seat, number = match.state.seat, len(match.steps)
    match.state.options()  # Listed before the state is copied, so that the copy and the move that follows share them.
    kind = match.seats[seat].kind
    took = thinking_time(match.state, kind, time_luck(match.seed, seat, number))
    return bot(kind, halt).choose(match.state.copy(), luck(match.seed, seat, number), match.past), took
