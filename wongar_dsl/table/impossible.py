"""What somebody means who names an option that cannot be chosen now."""

from __future__ import annotations

from itertools import product
from math import prod

from wongar_dsl.bots import tells_solution
from wongar_dsl.engine import IllegalMove, Move, State
from wongar_dsl.narration import Narrator
from wongar_dsl.table.menu import Entry, Menu, plain_words
from wongar_dsl.table.numbering import Numbering

#: Of no more conceivable options the words are tried.
MOST = 300


def impossible(state: State, narrator: Narrator, text: str, misspelt: bool = False) -> Move | None:
    """The first move that these words can mean, or with `misspelt` something near them, but that cannot be made now;
    None where they mean none.

    Only for words that no option which can be chosen has.
    """
    if not plain_words(text) or "(" in text or state.decision is None:
        return None
    entries = tuple(
        Entry(number, move, "", narrator.option(state, move)) for number, move in enumerate(_conceivable(state), 1)
    )
    said = Menu(entries).said(text) or (Menu(entries).near(text) if misspelt else ())
    return said[0].move if said else None


def by_number(state: State, numbering: Numbering, number: int) -> Move | None:
    """The move with a number that cannot be made now; None where no option ever has that number."""
    if state.decision is None:
        return None
    return next((move for move in _conceivable(state) if numbering.known(state, move) == number), None)


def closed(state: State) -> list[tuple[Move, IllegalMove]]:
    """For each option of the decision at hand of which no move can be made now, one that fails only by the option's
    own condition, and how; none for an option that would not be there anyway."""
    decision = state.decision
    assert decision is not None
    open_ones = {move.option for move in state.legal_moves()}
    found: dict[int, tuple[Move, IllegalMove]] = {}
    for move in _conceivable(state):
        if move.option in open_ones or move.option in found:
            continue
        try:
            state.require(move)
        except IllegalMove as error:
            if error.check is not None and not error.check.parameter:
                found[move.option] = move, error
    return [found[option] for option in sorted(found)]


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
