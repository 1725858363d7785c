"""What somebody means who names an option that cannot be chosen now."""

from __future__ import annotations

from itertools import product
from math import prod

from wongar_dsl.bots import tells_solution
from wongar_dsl.engine import Move, State
from wongar_dsl.narration import Narrator
from wongar_dsl.table.menu import Entry, Menu, plain_words

#: Of no more conceivable options the words are tried.
MOST = 300


def impossible(state: State, narrator: Narrator, text: str) -> Move | None:
    """The first move that these words can mean, but that cannot be made now; None where they mean none.

    Only for words that no option which can be chosen has.
    """
    if not plain_words(text) or "(" in text or state.decision is None:
        return None
    entries = tuple(
        Entry(number, move, "", narrator.option(state, move)) for number, move in enumerate(_conceivable(state), 1)
    )
    said = Menu(entries).said(text)
    return said[0].move if said else None


def _conceivable(state: State) -> list[Move]:
    """The moves of the decision at hand that cannot be made, for each option of which there are not too many."""
    decision, model, seats = state.decision, state.game.model, state.game.seats
    assert decision is not None
    legal = set(state.legal_moves())
    found: list[Move] = []
    for number, option in enumerate(decision.options):
        kinds = [kind for _, kind in option.parameters]
        if not kinds or any(kind.kind == "number" for kind in kinds) or tells_solution(option):
            continue
        sizes = [model.size(kind, seats) for kind in kinds]
        if prod(sizes) <= MOST:
            moves = (Move(number, arguments) for arguments in product(*map(range, sizes)))
            found += [move for move in moves if move not in legal]
    return found
