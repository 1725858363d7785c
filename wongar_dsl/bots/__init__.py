"""Bots that play any game: random, greedy and tree search.

A bot uses only what its seat may see, and draws from a random generator of its own.
"""

from __future__ import annotations

from wongar_dsl.backends.protocol import Halt
from wongar_dsl.backends.tree import ONE
from wongar_dsl.bots.greedy import GreedyBot
from wongar_dsl.bots.mcts import Budget, MctsBot, Weighed, read_budget, weigh
from wongar_dsl.bots.pace import NO_END, thinking_time
from wongar_dsl.bots.playouts import MAX_PLAYOUT, playout, value_for
from wongar_dsl.bots.protocol import Bot, serious_moves, solves, tells_solution
from wongar_dsl.bots.registry import BOTS, SEARCHING, bot, is_bot, takes_time
from wongar_dsl.bots.streams import luck, time_luck
from wongar_dsl.bots.uniform import RandomBot

__all__ = [
    "BOTS",
    "MAX_PLAYOUT",
    "NO_END",
    "ONE",
    "SEARCHING",
    "Bot",
    "Budget",
    "GreedyBot",
    "Halt",
    "MctsBot",
    "RandomBot",
    "Weighed",
    "bot",
    "is_bot",
    "luck",
    "playout",
    "read_budget",
    "serious_moves",
    "solves",
    "takes_time",
    "tells_solution",
    "thinking_time",
    "time_luck",
    "value_for",
    "weigh",
]
