"""A bot that takes any option."""

from __future__ import annotations

from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots.protocol import serious_moves
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.past import Past


class RandomBot:
    """Takes each option as likely as any other."""

    def choose(self, state: State, generator: Generator, past: Past | None = None) -> Move:
        """See `Bot.choose`."""
        moves = serious_moves(state)
        return moves[generator.below(len(moves))]
