"""A bot that chooses at random."""

from __future__ import annotations

from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots.protocol import options_worth_trying
from wongar_dsl.engine.undo.history import ChoiceHistory


class RandomBot:
    """Bot that takes each move with the same probability."""

    def choose(self, state: State, generator: Generator, past: ChoiceHistory | None = None) -> Move:
        """See `Bot.choose`."""
        options = options_worth_trying(state)
        return Move.from_raw(options[generator.below(len(options))])
