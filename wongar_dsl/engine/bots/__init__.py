"""Bots that play any game: random, greedy and tree search.

A bot uses only what its seat may see, and draws from a random generator of its own.  The bots that think are imported
from their modules `greedy` and `mcts`, which take time to load.
"""

from __future__ import annotations

from wongar_dsl.compiler.backends.protocol import CancelToken
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots.protocol import (
    UNLIMITED_CLOCK_MS,
    Bot,
    SearchBudget,
    decision_rng,
    is_puzzle,
    is_puzzle_decision,
    moves_worth_trying,
    options_worth_trying,
    read_budget,
    reveals_solution,
    thinking_time,
    time_rng,
)
from wongar_dsl.engine.history import ChoiceHistory

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


class RandomBot:
    """Bot that takes each move with the same probability."""

    def choose(self, state: State, generator: Generator, past: ChoiceHistory | None = None) -> Move:
        """See `Bot.choose`."""
        options = options_worth_trying(state)
        return Move.from_raw(options[generator.below(len(options))])


#: Names of the greedy bot; `quick` and `slow` differ from `greedy` only in their thinking time.
GREEDY = ("greedy", "quick", "slow")
#: Search budgets of the bots that search, by name.
BUDGETS = {"easy": SearchBudget(30), "medium": SearchBudget(300), "hard": SearchBudget(4000)}
#: Names of all bots without a search budget in the name.
BOTS = ("random", *GREEDY, *BUDGETS)
#: Prefix of a search budget: `mcts:2000` is 2000 iterations per decision, `mcts:1s` one second.
MCTS_PREFIX = "mcts:"


def is_bot(name: str) -> bool:
    """Return whether this is the name of a bot."""
    return name in BOTS or _budget(name) is not None


def bot(name: str, cancel: CancelToken | None = None) -> Bot:
    """Return a new bot of this name; raise KeyError for an unknown name.

    `cancel` cancels its searches.
    """
    # The bots that think are imported here, so that a session without them need not load them.
    if name == "random":
        return RandomBot()
    if name in GREEDY:
        from wongar_dsl.engine.bots.search import GreedyBot

        return GreedyBot()
    from wongar_dsl.engine.bots.search import MctsBot

    budget = _budget(name)
    if budget is None:
        raise KeyError(name)
    return MctsBot(budget, cancel)


def depends_on_time(name: str) -> bool:
    """Return whether the bot's choices depend on elapsed time and therefore cannot be reproduced."""
    budget = _budget(name)
    return budget is not None and not budget.iterations


def _budget(name: str) -> SearchBudget | None:
    """Return the search budget that a bot's name stands for; None if it names no bot that searches."""
    if name.startswith(MCTS_PREFIX):
        try:
            return read_budget(name.removeprefix(MCTS_PREFIX))
        except ValueError:
            return None
    return BUDGETS.get(name)
