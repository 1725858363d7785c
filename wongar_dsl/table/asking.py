"""What is asked at all: a decision with one option is none."""

from __future__ import annotations

from typing import Literal

from wongar_dsl.bots import tells_solution
from wongar_dsl.engine import State
from wongar_dsl.engine.foresight import known_options


def forced(state: State) -> Literal["", "openly", "secretly"]:
    """Whether whoever decides has one option only: `openly` where everybody can see that, `secretly` where nobody else
    may notice it; empty where there is a choice, a clock or a puzzle."""
    decision = state.decision
    if decision is None or decision.clock is not None or any(map(tells_solution, decision.options)):
        return ""
    if len(state.options()) != 1:
        return ""
    return "openly" if not decision.simultaneous and known_options(state) else "secretly"
