"""What a bot is, and the moves that one thinks about."""

from __future__ import annotations

from typing import Protocol

from wongar_dsl import ir
from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.past import Past


class Bot(Protocol):
    """Something that decides for a seat."""

    def choose(self, state: State, generator: Generator, past: Past | None = None) -> Move:
        """One of the legal moves of the seat that decides; `past` is how the state came about, where that is known.

        A bot may look at the whole of both only through `determinize`.
        """


def tells_solution(option: ir.OptionSpec) -> bool:
    """Whether an option takes a covering: a list of such options would tell the solutions."""
    return any(kind.kind == "coverings" for _, kind in option.parameters)


def solves(state: State) -> bool:
    """Whether the decision asks for a solution: one of its options takes a covering."""
    decision = state.decision
    return decision is not None and any(map(tells_solution, decision.options))


def serious_moves(state: State) -> list[Move]:
    """The legal moves; where a solution is asked for and there is one, the solutions."""
    moves = state.legal_moves()
    if solves(state):
        return [m for m in moves if m.arguments] or moves
    return moves
