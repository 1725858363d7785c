"""What a bot at the table decides, and with which luck."""

from __future__ import annotations

from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots import bot, thinking_time
from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Match


def decide(match: Match) -> tuple[Move, int]:
    """What the bot whose turn it is does, and how long it takes, in milliseconds.

    Its luck hangs on the seed and the number of the decision alone, so that it can be repeated.
    """
    seat = match.state.seat
    kind = match.seats[seat].kind
    took = thinking_time(match.state, kind, _luck(match, seat + len(match.seats)))
    return bot(kind).choose(match.state.copy(), _luck(match, seat)), took


def _luck(match: Match, number: int) -> Generator:
    """A generator of its own for each decision and each number below 64."""
    return Generator((match.seed * 1_000_003 + len(match.steps)) * 64 + number)
