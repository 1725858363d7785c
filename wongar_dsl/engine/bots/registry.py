"""Bots by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wongar_dsl.compiler.backends.protocol import CancelToken
from wongar_dsl.engine.bots.greedy import GreedyBot
from wongar_dsl.engine.bots.mcts import MctsBot, SearchBudget, read_budget
from wongar_dsl.engine.bots.protocol import Bot
from wongar_dsl.engine.bots.random_bot import RandomBot

#: Factories of bots by name. `quick` and `slow` differ from `greedy` only in their thinking time.
BOTS: Mapping[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "quick": GreedyBot,
    "slow": GreedyBot,
    "easy": lambda: MctsBot(SearchBudget(30)),
    "medium": lambda: MctsBot(SearchBudget(300)),
    "hard": lambda: MctsBot(SearchBudget(4000)),
}
#: Prefix of a search budget: `mcts:2000` is 2000 iterations per decision, `mcts:1s` one second.
MCTS_PREFIX = "mcts:"


def is_bot(name: str) -> bool:
    """Return whether this is the name of a bot."""
    try:
        bot(name)
    except KeyError:
        return False
    return True


def bot(name: str, cancel: CancelToken | None = None) -> Bot:
    """Return a new bot of this name; raise KeyError for an unknown name.

    `cancel` cancels its searches.
    """
    if name.startswith(MCTS_PREFIX):
        try:
            return MctsBot(read_budget(name.removeprefix(MCTS_PREFIX)), cancel)
        except ValueError:
            raise KeyError(name) from None
    return BOTS[name]()


def depends_on_time(name: str) -> bool:
    """Return whether the bot's choices depend on elapsed time and therefore cannot be reproduced."""
    return name.startswith(MCTS_PREFIX) and not read_budget(name.removeprefix(MCTS_PREFIX)).iterations
