"""Meaning of input that names an option which cannot be chosen now."""

from __future__ import annotations

from itertools import product
from math import prod

from wongar_dsl.engine import IllegalMove, Move, State
from wongar_dsl.engine.bots import reveals_solution
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.session.options.menu import Menu, MenuEntry, is_notation, plain_words
from wongar_dsl.session.options.option_numbers import OptionNumbers

#: Maximum number of argument combinations of an option that are tried.
MAX_UNAVAILABLE = 300


def unavailable_move(state: State, narrator: Narrator, text: str, misspelt: bool = False) -> Move | None:
    """Return the illegal move that these words can mean, or resemble if `misspelt`; None if there is none.

    Of several, it is the first that fulfils the most conditions. Use it only for words that match no legal option.
    """
    if not plain_words(text) or is_notation(text) or state.decision is None:
        return None
    entries = tuple(MenuEntry.of(number, move, state, narrator) for number, move in enumerate(_conceivable(state), 1))
    matches = Menu(entries).match_words(text) or (Menu(entries).match_misspelt(text) if misspelt else ())
    return max((entry.move for entry in matches), key=lambda move: _fulfilled(state, move), default=None)


def _fulfilled(state: State, move: Move) -> int:
    """Return how many conditions of its option an illegal move fulfils before the one that excludes it."""
    assert state.decision is not None
    try:
        state.require(move)
    except IllegalMove as error:
        checks = state.decision.options[move.option].checks
        return checks.index(error.check) if error.check is not None else len(checks)
    return -1


def by_number(state: State, numbering: OptionNumbers, number: int) -> Move | None:
    """Return the illegal move that has this number, or None if no option ever has it."""
    if state.decision is None:
        return None
    return next((move for move in _conceivable(state) if numbering.known(state, move) == number), None)


def unavailable_options(state: State) -> list[tuple[Move, IllegalMove]]:
    """Return, for each option without a legal move, a move that fails only by the option's own condition.

    Each comes with its error. An option whose arguments are all impossible has none.
    """
    decision = state.decision
    assert decision is not None
    open_ones = {move.option for move in state.legal_moves()}
    failures: dict[int, tuple[Move, IllegalMove]] = {}
    for move in _conceivable(state):
        if move.option in open_ones or move.option in failures:
            continue
        try:
            state.require(move)
        except IllegalMove as error:
            if error.check is not None and not error.check.parameter:
                failures[move.option] = move, error
    return [failures[option] for option in sorted(failures)]


def _conceivable(state: State) -> list[Move]:
    """Return the illegal moves of the current decision, for each option with few enough argument combinations."""
    decision, model, seats = state.decision, state.game.model, state.game.seats
    assert decision is not None
    legal = set(state.legal_moves())
    illegal: list[Move] = []
    for number, option in enumerate(decision.options):
        kinds = [kind for _, kind in option.parameters]
        if any(kind.kind == "number" for kind in kinds) or reveals_solution(option):
            continue
        sizes = [model.size(kind, seats) for kind in kinds]
        if prod(sizes) <= MAX_UNAVAILABLE:
            moves = (Move(number, arguments) for arguments in product(*map(range, sizes)))
            illegal += [move for move in moves if move not in legal]
    return illegal
