"""Bots that know no game.  They see what their seat may see, and draw from a generator of their own."""

from __future__ import annotations

from wongar_dsl.bots.greedy import GreedyBot
from wongar_dsl.bots.pace import NO_END, thinking_time
from wongar_dsl.bots.playouts import MAX_PLAYOUT, playout, value_for
from wongar_dsl.bots.protocol import Bot, serious_moves, solves, tells_solution
from wongar_dsl.bots.registry import BOTS, bot
from wongar_dsl.bots.streams import luck, time_luck
from wongar_dsl.bots.uniform import RandomBot

__all__ = [
    "BOTS",
    "MAX_PLAYOUT",
    "NO_END",
    "Bot",
    "GreedyBot",
    "RandomBot",
    "bot",
    "luck",
    "playout",
    "serious_moves",
    "solves",
    "tells_solution",
    "thinking_time",
    "time_luck",
    "value_for",
]
