"""A bot that tries each option by random games."""

from __future__ import annotations

from wongar_dsl.backends import Option, RuleFault
from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots.playouts import playout, value_for
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
                options = state.game.backend.options(world.cells)
                results = [self._result(world, options, move, seat, Generator(luck)) for move in moves]
            except RuleFault:
                # The world cannot be, and says nothing of any option.
                continue
            for i, result in enumerate(results):
                if result is not None:
                    totals[i] += result
                    counts[i] += 1
        best = max(range(len(moves)), key=lambda i: (totals[i] / counts[i] if counts[i] else -9.0, -i))
        return moves[best]

    def _result(self, world: State, options: list[Option], move: Move, seat: int, generator: Generator) -> float | None:
        state = world.copy()
        if move.raw not in options:
            return None
        state.game.backend.choose(state.cells, move.raw)
        playout(state, generator)
        return value_for(state, seat)
