"""Detection of forced moves: a decision with one option is not shown to the player."""

from __future__ import annotations

from typing import Literal

from wongar_dsl.engine import State
from wongar_dsl.engine.bots import is_puzzle_decision
from wongar_dsl.engine.hidden_information.lookahead import are_options_public


def forced_move(state: State) -> Literal["", "public", "private"]:
    """Return whether the deciding player has only one option, and whether the others can know that.

    `public`: everyone can see it. `private`: only this seat knows it, so no other seat may notice. Empty if there is a
    choice, a running clock or a puzzle.
    """
    decision = state.decision
    if decision is None or decision.clock is not None or is_puzzle_decision(decision):
        return ""
    if len(state.options()) != 1:
        return ""
    return "public" if not decision.simultaneous and are_options_public(state) else "private"
