"""The bots by their names."""

from __future__ import annotations

from wongar_dsl.bots.greedy import GreedyBot
from wongar_dsl.bots.protocol import Bot
from wongar_dsl.bots.uniform import RandomBot

BOTS = {"random": RandomBot, "greedy": GreedyBot, "quick": GreedyBot, "slow": GreedyBot}


def bot(name: str) -> Bot:
    """The bot of a name; raises KeyError for an unknown one."""
    made: Bot = BOTS[name]()
    return made
