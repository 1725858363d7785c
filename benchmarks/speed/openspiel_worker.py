"""Tasks of the worker that measures OpenSpiel: a lean Python loop over its games, and its own rollouts in C++."""

from __future__ import annotations

import random
import time
from functools import cache
from typing import Any

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
IN_TURN = {"goofspiel": f"turn_based_simultaneous_game(game={GAMES['goofspiel']})"}
_draw = random.Random(1)


@cache
def _game(name: str) -> Any:
    return pyspiel.load_game(name)


def _advance_by_chance(state: Any) -> None:
    while state.is_chance_node():
        state.apply_action(_draw.choice(state.chance_outcomes())[0])


def loop(name: str, seconds: float) -> dict[str, float]:
    """Play random games step by step for some seconds of processor time."""
    game, choice, players = _game(GAMES[name]), _draw.choice, range(_game(GAMES[name]).num_players())
    decisions = games = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
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
        games += 1
    return {"decisions": decisions, "games": games, "seconds": time.process_time() - begin}


@cache
def _length(name: str) -> float:
    """Return the average number of decisions in a random game."""
    game, decisions, games = _game(IN_TURN.get(name, GAMES[name])), 0, 20_000
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(_draw.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(_draw.choice(state.legal_actions()))
                decisions += 1
    return decisions / games


def rollouts(name: str, seconds: float) -> dict[str, float]:
    """Play random games by `RandomRolloutEvaluator`.

    Python cannot call it directly; an MCTS of one iteration calls it once for the current position. It reports no
    number of decisions, so games are counted and multiplied by their average length.
    """
    game, length = _game(IN_TURN.get(name, GAMES[name])), _length(name)
    count, games, spent = 1000, 0, 0.0
    while spent < seconds:
        state = game.new_initial_state()
        _advance_by_chance(state)
        evaluator = pyspiel.RandomRolloutEvaluator(count, _draw.randrange(1 << 30))
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
        begin = time.process_time()
        bot.step(state)
        took = time.process_time() - begin
        spent += took
        games += count
        if took < seconds / 8:
            count *= 2
    return {"decisions": games * length, "games": games, "seconds": spent}


def clones(name: str) -> dict[str, float]:
    """Measure the microseconds for a copy of a state."""
    state = _game(GAMES[name]).new_initial_state()
    _advance_by_chance(state)
    begin = time.process_time()
    for _ in range(20_000):
        state.clone()
    return {"copy": (time.process_time() - begin) / 20_000 * 1e6}


def there() -> dict[str, object]:
    """Return whether the package is installed, and the games that can be compared."""
    return {"there": pyspiel is not None, "games": list(GAMES)}


TASKS = {task.__name__: task for task in (loop, rollouts, clones, there)}
