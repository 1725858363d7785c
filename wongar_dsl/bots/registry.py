"""The bots by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wongar_dsl.backends.protocol import Halt
from wongar_dsl.bots.greedy import GreedyBot
from wongar_dsl.bots.mcts import Budget, MctsBot, read_budget
from wongar_dsl.bots.protocol import Bot
from wongar_dsl.bots.uniform import RandomBot

BOTS: Mapping[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "quick": GreedyBot,
    "slow": GreedyBot,
    "easy": lambda: MctsBot(Budget(30)),
    "medium": lambda: MctsBot(Budget(300)),
    "hard": lambda: MctsBot(Budget(4000)),
}
#: Before a budget: `mcts:2000` searches with so many iterations for each decision, `mcts:1s` for so long.
SEARCHING = "mcts:"


def is_bot(name: str) -> bool:
    """Whether a name is one of a bot."""
    try:
        bot(name)
    except KeyError:
        return False
    return True


def bot(name: str, halt: Halt | None = None) -> Bot:
    """The bot of a name, which thinks no further once it is to `halt`; raises KeyError for an unknown one."""
    if name.startswith(SEARCHING):
        try:
            return MctsBot(read_budget(name.removeprefix(SEARCHING)), halt)
        except ValueError:
            raise KeyError(name) from None
    return BOTS[name]()


def takes_time(name: str) -> bool:
    """Whether what a bot chooses hangs on the time that it has, so that nobody can repeat it."""
    return name.startswith(SEARCHING) and not read_budget(name.removeprefix(SEARCHING)).iterations
