"""Random games played on the engine, to be compared step by step with an adapter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from wongar_dsl.adapters.actions import Actions
from wongar_dsl.adapters.episode import PACE_SEED
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, Move, State, library
from wongar_dsl.engine.bots import thinking_time, time_rng

#: `wongar/initiated` has all of `wongar`, and variants of `ubongo` change only settings.
GAMES = [
    ("connect_four", 2), ("goofspiel", 2), ("kuhn_poker", 2), ("nim", 2), ("tictactoe", 2), ("tongiaki", 2),
    ("ubongo", 2), ("wongar/initiated", 3),
]  # fmt: skip


@cache
def game(name: str, seats: int = 0) -> Game:
    rules = library.load(name)
    return rules.game(seats or rules.model.players[0])


def action_steps(actions: Actions, state: State, move: Move) -> Iterator[tuple[int, Option]]:
    """Yield the actions that make up a move, each with the arguments chosen before it."""
    begun: Option = ()
    whole = False
    while not whole:
        action = actions.number(state.cells[ir.AT_DECISION], move.raw, begun)
        yield action, begun
        begun, whole = actions.decode(action, begun)


class Beside:
    """Engine state advanced by random moves, with the answer times that bots take."""

    def __init__(self, played: Game, seed: int, luck: int) -> None:
        self.state, _ = played.start(seed)
        self.luck = Generator(luck)
        self.decided = 0

    def any_move(self) -> Move:
        moves = self.state.legal_moves()
        return moves[self.luck.below(len(moves))]

    def make(self, move: Move) -> None:
        time = thinking_time(self.state, "", time_rng(PACE_SEED, self.state.seat, self.decided))
        self.decided += 1
        self.state.apply(move, time=time)
