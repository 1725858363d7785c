"""Bots that play any game: random, greedy and tree search.

A bot uses only what its seat may see, and draws from a random generator of its own.  The bots that think are imported
from their modules `greedy` and `mcts`, which take time to load.
"""

from __future__ import annotations

from wongar_dsl.compiler.backends.protocol import CancelToken
from wongar_dsl.engine.bots.protocol import (
    Bot,
    SearchBudget,
    is_puzzle,
    is_puzzle_decision,
    moves_worth_trying,
    read_budget,
    reveals_solution,
)
from wongar_dsl.engine.bots.random_bot import RandomBot
from wongar_dsl.engine.bots.registry import BOTS, MCTS_PREFIX, bot, depends_on_time, is_bot
from wongar_dsl.engine.bots.rng_streams import decision_rng, time_rng
from wongar_dsl.engine.bots.thinking_time import UNLIMITED_CLOCK_MS, thinking_time

__all__ = [
    "BOTS",
    "MCTS_PREFIX",
    "UNLIMITED_CLOCK_MS",
    "Bot",
    "CancelToken",
    "RandomBot",
    "SearchBudget",
    "bot",
    "decision_rng",
    "depends_on_time",
    "is_bot",
    "is_puzzle",
    "is_puzzle_decision",
    "moves_worth_trying",
    "read_budget",
    "reveals_solution",
    "thinking_time",
    "time_rng",
]
