"""Stable numbers for options: a number from an earlier turn never selects another option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots import reveals_solution

#: Maximum number of options with stable numbers; more are numbered in order, as three digits help no one.
MAX_STABLE_OPTIONS = 40


class OptionNumbers:
    """Assigns the numbers of options.

    If the declaration of a decision allows only few options, it determines their numbers. Otherwise an option keeps its
    first number. Numbers are kept for each seat, so that they reveal nothing to others; in a game without hidden
    information they are shared.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], dict[Move, int]] = {}

    def of(self, state: State, moves: Sequence[Move]) -> Sequence[int]:
        """Return a number for each move of the current decision."""
        declared = _by_declaration(state, moves)
        if declared is not None:
            return declared
        decision = state.decision
        assert decision is not None
        seat = state.seat if state.game.knowledge.has_secrets else -1
        seen = self._seen.setdefault((decision.name, seat), {})
        if len(seen.keys() | moves) > MAX_STABLE_OPTIONS:
            return range(1, len(moves) + 1)
        return [seen.setdefault(move, len(seen) + 1) for move in moves]

    def known(self, state: State, move: Move) -> int | None:
        """Return the number that a move always has or has had before, or None."""
        declared = _by_declaration(state, [move])
        return declared[0] if declared is not None else self.seen(state).get(move)

    def seen(self, state: State) -> Mapping[Move, int]:
        """Return the moves of the current decision that have kept a number since an earlier menu."""
        decision = state.decision
        assert decision is not None
        seat = state.seat if state.game.knowledge.has_secrets else -1
        return self._seen.get((decision.name, seat), {})


def _by_declaration(state: State, moves: Sequence[Move]) -> list[int] | None:
    """Return the fixed number of each move, from the declared options; None if there could be too many."""
    decision, model = state.decision, state.game.model
    assert decision is not None
    first, offsets = 1, []
    sizes: list[list[int]] = []
    for option in decision.options:
        kinds = [kind for _, kind in option.parameters]
        if any(kind.kind == "number" for kind in kinds):
            return None
        offsets.append(first)
        sizes.append([model.size(kind, state.game.seats) for kind in kinds])
        first += prod(sizes[-1]) if not reveals_solution(option) else 0
        if first - 1 > MAX_STABLE_OPTIONS:
            return None
    numbers = []
    for move in moves:
        number = offsets[move.option]
        for place, value in enumerate(move.arguments, 1):
            number += value * prod(sizes[move.option][place:])
        if min(move.arguments, default=0) < 0:  # Moves with an empty argument (no player, no area) come last.
            first, number = first + 1, first
        numbers.append(number)
    return numbers
