"""A bot that rates each option by random playouts."""

from __future__ import annotations

from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots.protocol import MAX_PLAYOUT, is_puzzle, moves_worth_trying, reward
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.history import ChoiceHistory

#: Number of playouts per decision, divided among its options; each option gets at least two.
PLAYOUTS = 24


class GreedyBot:
    """Bot that plays out each option from determinized states and takes the option with the best mean.

    The mean is taken over `reward`: 1 for a win (shared among the winners), plus a small part for the score lead.
    """

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self._playouts = playouts

    def choose(self, state: State, generator: Generator, past: ChoiceHistory | None = None) -> Move:
        """See `Bot.choose`."""
        moves = moves_worth_trying(state)
        # All solutions of a puzzle are equally good.
        if len(moves) == 1 or is_puzzle(state):
            return moves[generator.below(len(moves))]
        seat = state.seat
        totals = [0.0] * len(moves)
        counts = [0] * len(moves)
        rounds = max(2, self._playouts // len(moves))
        worlds = SampledWorlds(state, seat, past)
        for _ in range(rounds):
            # All options are tried in the same determinization with the same random seed, so that chance favours none.
            world = worlds.sample(generator)
            seed = generator.seed()
            try:
                options = {*state.game.backend.options(world.cells)}
                available = [number for number, move in enumerate(moves) if move.raw in options]
                raw_moves = [moves[number].raw for number in available]
                outcomes = state.game.backend.outcomes(world.cells, raw_moves, seed, MAX_PLAYOUT)
            except RuleFault:
                # The determinized state is impossible and says nothing about any option.
                continue
            for number, outcome in zip(available, outcomes, strict=True):
                totals[number] += reward(outcome, seat, state.game.seats, state.game.program.fewest)
                counts[number] += 1
        # An option without a playout is worse than all others; a reward is greater than -9.
        best = max(range(len(moves)), key=lambda i: (totals[i] / counts[i] if counts[i] else -9.0, -i))
        return moves[best]
