"""Recovery of option numbers from the steps of a match, for example when a save is resumed."""

from __future__ import annotations

from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match
from wongar_dsl.session.options.forced_moves import forced_move
from wongar_dsl.session.options.menu import assign_numbers
from wongar_dsl.session.options.option_numbers import OptionNumbers


def renumber(numbering: OptionNumbers, match: Match, known: int = 0) -> int:
    """Replay the decisions of the human seats from step `known` on into a numbering.

    If called for all steps in order, every option gets the number that it had when the match was played. Return the
    number of steps processed.
    """
    for number in range(known, len(match.steps)):
        if match.seats[match.steps[number].seat].kind == "human":
            _see(numbering, State(match.game, match.state_before(number)))
    if not match.state.over and match.seats[match.state.seat].kind == "human":
        _see(numbering, match.state)
    return len(match.steps)


def _see(numbering: OptionNumbers, state: State) -> None:
    # Publicly forced moves were not shown and have no numbers.
    if forced_move(state) != "openly":
        assign_numbers(state, numbering)
