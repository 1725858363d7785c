"""A lean playout loop over OpenSpiel's C++ games; run by the Python of the environment that has `open_spiel`.

Prints one JSON line for each round that is asked for on standard input: `GAME SECONDS`.
"""

from __future__ import annotations

import json
import random
import sys
import time


def measure(name: str, seconds: float) -> dict[str, float]:
    """Playouts and decisions per second of processor time."""
    import pyspiel

    game = pyspiel.load_game(name)
    choice = random.Random(1).choice
    playouts = decisions = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(choice(state.chance_outcomes())[0])
            else:
                state.apply_action(choice(state.legal_actions()))
                decisions += 1
        playouts += 1
    spent = time.process_time() - begin
    return {"playouts": playouts / spent, "decisions": decisions / spent}


if __name__ == "__main__":
    for line in sys.stdin:
        name, seconds = line.split()
        print(json.dumps(measure(name, float(seconds))), flush=True)
