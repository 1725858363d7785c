"""Numbers for options that stay what they are: who types the number of the turn before gets no other option."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from wongar_dsl.bots import tells_solution
from wongar_dsl.engine import Move, State

#: A decision with more options than this is numbered anew each time: numbers of three digits help nobody.
MOST = 40


class Numbering:
    """The numbers of the options that there were so far.

    Where the declaration of a decision leaves room for few options, it says their numbers.  Elsewhere an option keeps
    the number with which it was seen first: by its seat, for what another has seen is no business of this one, or by
    anybody where a game hides nothing.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], dict[Move, int]] = {}

    def of(self, state: State, moves: Sequence[Move]) -> Sequence[int]:
        """A number for each move of the decision at hand."""
        declared = _by_declaration(state, moves)
        if declared is not None:
            return declared
        decision = state.decision
        assert decision is not None
        seat = state.seat if state.game.knowledge.secrets else -1
        seen = self._seen.setdefault((decision.name, seat), {})
        if len(seen.keys() | moves) > MOST:
            return range(1, len(moves) + 1)
        return [seen.setdefault(move, len(seen) + 1) for move in moves]

    def known(self, state: State, move: Move) -> int | None:
        """The number that a move of the decision at hand has whenever it can be made, or had before; else None."""
        declared = _by_declaration(state, [move])
        if declared is not None:
            return declared[0]
        decision = state.decision
        assert decision is not None
        seat = state.seat if state.game.knowledge.secrets else -1
        return self._seen.get((decision.name, seat), {}).get(move)


def _by_declaration(state: State, moves: Sequence[Move]) -> list[int] | None:
    """A number for each move that it has whenever it can be made; None where there could be too many."""
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
        first += prod(sizes[-1]) if not tells_solution(option) else 0
        if first - 1 > MOST:
            return None
    numbers = []
    for move in moves:
        number = offsets[move.option]
        for place, value in enumerate(move.arguments, 1):
            number += value * prod(sizes[move.option][place:])
        if min(move.arguments, default=0) < 0:  # What nobody and nowhere stand in comes behind all others.
            first, number = first + 1, first
        numbers.append(number)
    return numbers
