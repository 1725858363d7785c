"""Meaning of input that names an option which cannot be chosen now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from wongar_dsl.engine import IllegalMove, Move, State
from wongar_dsl.engine.bots import reveals_solution
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.session.options.menu import Menu, MenuEntry, is_notation, plain_words
from wongar_dsl.session.options.option_numbers import OptionNumbers

#: Maximum number of argument combinations of an option that are tried.
MAX_UNAVAILABLE = 300
#: Maximum number of digits of a typed number that can be an argument.
MAX_DIGITS = 9


def unavailable_moves(state: State, narrator: Narrator, text: str) -> list[IllegalMove]:
    """Return the errors of the illegal moves that these words, or misspelt ones, mean among all moves.

    Empty if they can mean a legal move too.
    """
    query = plain_words(text)
    if not query or is_notation(text) or state.decision is None:
        return []
    legal = Menu.of(state, narrator)
    named = {entry.text for entry in legal.entries} if legal.part is None else set()
    numbers = [int(word) for word in query if word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS]
    illegal = (MenuEntry.of(0, move, state, narrator) for move in _illegal_moves(state, numbers))
    # Moves in the same words are the same option to a player.
    unavailable = [entry for entry in illegal if entry.text not in named]
    conceivable = replace(legal, entries=(*(legal.entries if named else ()), *unavailable))
    matches = conceivable.match_words(text) or ([] if legal.match_words(text) else conceivable.match_misspelt(text))
    if any(entry.number for entry in matches):
        return []
    meant = {entry.text for entry in matches}
    same = (entry for entry in unavailable if entry.text in meant)
    return [error for entry in same if (error := _refused(state, entry.move)) is not None]


def _refused(state: State, move: Move) -> IllegalMove | None:
    """Return the error of a move, or None if it is legal."""
    try:
        state.require(move)
    except IllegalMove as error:
        return error
    return None


def by_number(state: State, numbering: OptionNumbers, number: int) -> Move | None:
    """Return the illegal move that has this number, or None if no option ever has it."""
    if state.decision is None:
        return None
    legal = state.legal_moves()
    seen = (move for move in numbering.seen(state) if move not in legal)
    return next((move for move in (*seen, *_illegal_moves(state)) if numbering.known(state, move) == number), None)


def unavailable_options(state: State) -> list[tuple[Move, IllegalMove]]:
    """Return, for each option without a legal move, a move that fails only by the option's own condition.

    Each comes with its error. An option whose arguments are all impossible has none.
    """
    decision = state.decision
    assert decision is not None
    available_options = {move.option for move in state.legal_moves()}
    failures: dict[int, tuple[Move, IllegalMove]] = {}
    for move in _illegal_moves(state):
        if move.option in available_options or move.option in failures:
            continue
        error = _refused(state, move)
        if error is not None and error.check is not None and not error.check.parameter:
            failures[move.option] = move, error
    return [failures[option] for option in sorted(failures)]


def _illegal_moves(state: State, numbers: Sequence[int] = ()) -> list[Move]:
    """Return the illegal moves of the current decision, for each option with few enough argument combinations.

    Its numeric arguments are the given `numbers` and those of its legal moves, otherwise 1.
    """
    decision, model, seats = state.decision, state.game.model, state.game.seats
    assert decision is not None
    legal = dict.fromkeys(state.legal_moves())
    illegal: list[Move] = []
    for number, option in enumerate(decision.options):
        if reveals_solution(option):
            continue
        offered = [move.arguments for move in legal if move.option == number]
        values: list[Collection[int]] = [
            {*numbers, *(arguments[place] for arguments in offered)} or {1}
            if kind.kind == "number"
            else range(model.size(kind, seats))
            for place, (_, kind) in enumerate(option.parameters)
        ]
        if prod(map(len, values)) <= MAX_UNAVAILABLE:
            moves = (Move(number, arguments) for arguments in product(*values))
            illegal += [move for move in moves if move not in legal]
    return illegal
