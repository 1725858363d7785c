"""Bots that play any game: random, greedy and tree search.

A bot uses only what its seat may see, and draws from a random generator of its own.
"""

from __future__ import annotations

from wongar_dsl.compiler.backends.ismcts import ONE
from wongar_dsl.compiler.backends.protocol import CancelToken
from wongar_dsl.engine.bots.greedy import GreedyBot
from wongar_dsl.engine.bots.mcts import MctsBot, OptionEvaluation, SearchBudget, evaluate_options, read_budget
from wongar_dsl.engine.bots.playouts import MAX_PLAYOUT, playout, value_for
from wongar_dsl.engine.bots.protocol import Bot, is_puzzle, non_dominated_moves, reveals_solution
from wongar_dsl.engine.bots.random_bot import RandomBot
from wongar_dsl.engine.bots.registry import BOTS, SEARCHING, bot, is_bot, takes_time
from wongar_dsl.engine.bots.rng_streams import luck, time_luck
from wongar_dsl.engine.bots.thinking_time import UNLIMITED_CLOCK_MS, thinking_time

__all__ = [
    "BOTS",
    "MAX_PLAYOUT",
    "ONE",
    "SEARCHING",
    "UNLIMITED_CLOCK_MS",
    "Bot",
    "CancelToken",
    "GreedyBot",
    "MctsBot",
    "OptionEvaluation",
    "RandomBot",
    "SearchBudget",
    "bot",
    "evaluate_options",
    "is_bot",
    "is_puzzle",
    "luck",
    "non_dominated_moves",
    "playout",
    "read_budget",
    "reveals_solution",
    "takes_time",
    "thinking_time",
    "time_luck",
    "value_for",
]
