"""Random streams of bots: one per seat and decision, so that no choice changes another bot's random numbers."""

from __future__ import annotations

from wongar_dsl.compiler.backends.rng import Generator, Purpose


def decision_rng(seed: int, seat: int, decision: int) -> Generator:
    """Return the generator that the bot of a seat uses for one decision of a game with this seed."""
    return Generator(seed, Purpose.BOT, seat, decision)


def time_rng(seed: int, seat: int, decision: int) -> Generator:
    """Return the generator for the bot's thinking time at a decision."""
    return Generator(seed, Purpose.PACE, seat, decision)
