"""The luck of bots: each seat's own, and for each decision anew, so that nobody's choices change another one's luck."""

from __future__ import annotations

from wongar_dsl.backends.chance import Generator, Purpose


def luck(seed: int, seat: int, decision: int) -> Generator:
    """What the bot of a seat draws from for the decision of a number in a game with a seed."""
    return Generator(seed, Purpose.BOT, seat, decision)


def time_luck(seed: int, seat: int, decision: int) -> Generator:
    """What is drawn from for the time that it takes."""
    return Generator(seed, Purpose.PACE, seat, decision)
