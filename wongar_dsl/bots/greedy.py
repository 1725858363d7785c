"""A bot that tries each option by random games."""

from __future__ import annotations

from wongar_dsl.backends import RuleFault
from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots.playouts import MAX_PLAYOUT, value_for
from wongar_dsl.bots.protocol import serious_moves, solves
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.determinization import Worlds
from wongar_dsl.engine.past import Past

PLAYOUTS = 24


class GreedyBot:
    """Tries each option by playouts from states that look the same to its seat, and takes the best.

    What counts is the mean of the result: 1 for a win (shared among the winners), and a small part for the distance in
    score to the best of the others.
    """

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self._playouts = playouts

    def choose(self, state: State, generator: Generator, past: Past | None = None) -> Move:
        """See `Bot.choose`."""
        moves = serious_moves(state)
        # A solution is as good as another.
        if len(moves) == 1 or solves(state):
            return moves[generator.below(len(moves))]
        seat = state.seat
        totals = [0.0] * len(moves)
        counts = [0] * len(moves)
        rounds = max(2, self._playouts // len(moves))
        worlds = Worlds(state, seat, past)
        for _ in range(rounds):
            # All options are tried in the same sampled state and with the same luck, so that it weighs on them alike.
            world = worlds.one(generator)
            luck = generator.seed()
            try:
                options = {*state.game.backend.options(world.cells)}
                there = [number for number, move in enumerate(moves) if move.raw in options]
                tried = [moves[number].raw for number in there]
                outcomes = state.game.backend.outcomes(world.cells, tried, luck, MAX_PLAYOUT)
            except RuleFault:
                # The world cannot be, and says nothing of any option.
                continue
            for number, outcome in zip(there, outcomes, strict=True):
                totals[number] += value_for(outcome, seat, state.game.seats, state.game.program.fewest)
                counts[number] += 1
        best = max(range(len(moves)), key=lambda i: (totals[i] / counts[i] if counts[i] else -9.0, -i))
        return moves[best]
