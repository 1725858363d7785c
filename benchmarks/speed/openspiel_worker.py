"""Worker that measures OpenSpiel: a lean Python loop over its games, and its own rollouts in C++."""

from __future__ import annotations

import random
import time
from functools import cache
from typing import Any

from benchmarks.speed.serving import Series, serve

try:
    import pyspiel
except ImportError:
    pyspiel = None

#: OpenSpiel's names for the games that both programs have.
GAMES = {
    "connect_four": "connect_four",
    "goofspiel": "goofspiel(num_cards=3,players=2,points_order=random)",
    "kuhn_poker": "kuhn_poker",
    "nim": "nim(pile_sizes=1;2;3,is_misere=false)",
    "tictactoe": "tic_tac_toe",
}
#: OpenSpiel's rollouts need games with one decision at a time.
IN_TURN = GAMES | {"goofspiel": f"turn_based_simultaneous_game(game={GAMES['goofspiel']})"}
#: Number of games from which the average length is computed.
SAMPLE = 20_000
_draw = random.Random(1)


def _played(game: Any, games: int) -> int:
    """Play random games, and return the number of decisions."""
    choice, players, decisions = _draw.choice, range(game.num_players()), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(choice(state.chance_outcomes())[0])
            elif state.is_simultaneous_node():
                state.apply_actions([choice(state.legal_actions(player)) for player in players])
                decisions += len(players)
            else:
                state.apply_action(choice(state.legal_actions()))
                decisions += 1
    return decisions


def _begun(game: Any) -> Any:
    """Return the state at the first decision of a random game."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(_draw.choice(state.chance_outcomes())[0])
    return state


@cache
def _loop(name: str) -> Series:
    game = pyspiel.load_game(GAMES[name])
    return Series(lambda first, last: _played(game, last - first))


@cache
def _rollouts(name: str) -> Series:
    """Return the series of games played by `RandomRolloutEvaluator`.

    Python cannot call it directly; an MCTS of one iteration calls it once for the current position. It reports no
    number of decisions, so games are counted and multiplied by their average length.
    """
    game = pyspiel.load_game(IN_TURN[name])
    length = _played(game, SAMPLE) / SAMPLE

    def play(first: int, last: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(last - first, _draw.randrange(1 << 30))
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False).step(_begun(game))
        return (last - first) * length

    return Series(play, 1000)


def rates(name: str, seconds: float) -> dict[str, float]:
    """Play random games for some seconds of processor time, step by step and by rollouts."""
    return {"loop": _loop(name).rate(seconds), "rollouts": _rollouts(name).rate(seconds)}


def clones(name: str) -> dict[str, float]:
    """Measure the microseconds for a copy of a state."""
    state = _begun(pyspiel.load_game(GAMES[name]))
    begin = time.process_time()
    for _ in range(20_000):
        state.clone()
    return {"theirs": (time.process_time() - begin) / 20_000 * 1e6}


def games() -> list[str]:
    """Return the games that can be compared; none if the package is missing."""
    return list(GAMES) if pyspiel is not None else []


if __name__ == "__main__":
    serve({task.__name__: task for task in (rates, clones, games)})
