"""Bots that play any game: random, greedy and tree search.

A bot uses only what its seat may see, and draws from a random generator of its own.
"""

from __future__ import annotations

from wongar_dsl.compiler.backends.ismcts import ONE
from wongar_dsl.compiler.backends.protocol import CancelToken
from wongar_dsl.engine.bots.greedy import GreedyBot
from wongar_dsl.engine.bots.mcts import MctsBot, OptionEvaluation, SearchBudget, evaluate_options, read_budget
from wongar_dsl.engine.bots.playouts import MAX_PLAYOUT, playout, reward
from wongar_dsl.engine.bots.protocol import Bot, is_puzzle, is_puzzle_decision, moves_worth_trying, reveals_solution
from wongar_dsl.engine.bots.random_bot import RandomBot
from wongar_dsl.engine.bots.registry import BOTS, MCTS_PREFIX, bot, depends_on_time, is_bot
from wongar_dsl.engine.bots.rng_streams import decision_rng, time_rng
from wongar_dsl.engine.bots.thinking_time import UNLIMITED_CLOCK_MS, thinking_time

__all__ = [
    "BOTS",
    "MAX_PLAYOUT",
    "MCTS_PREFIX",
    "ONE",
    "UNLIMITED_CLOCK_MS",
    "Bot",
    "CancelToken",
    "GreedyBot",
    "MctsBot",
    "OptionEvaluation",
    "RandomBot",
    "SearchBudget",
    "bot",
    "decision_rng",
    "depends_on_time",
    "evaluate_options",
    "is_bot",
    "is_puzzle",
    "is_puzzle_decision",
    "moves_worth_trying",
    "playout",
    "read_budget",
    "reveals_solution",
    "reward",
    "thinking_time",
    "time_rng",
]
