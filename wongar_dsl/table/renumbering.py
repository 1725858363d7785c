"""The numbers that options have had so far in a match, found again from its steps: after a save was resumed, too."""

from __future__ import annotations

from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match
from wongar_dsl.table.asking import forced
from wongar_dsl.table.menu import offers
from wongar_dsl.table.numbering import Numbering


def catch_up(numbering: Numbering, match: Match, known: int = 0) -> int:
    """Let a numbering see what the people at a table were asked, from a step on and what they are asked now.

    A numbering that has caught up with the steps before, one after the other, gives every option the number that it had
    when the match was played.  The result is how many steps it knows now.
    """
    for number in range(known, len(match.steps)):
        if match.seats[match.steps[number].seat].kind == "human":
            _see(numbering, State(match.game, match.before(number)))
    if not match.state.over and match.seats[match.state.seat].kind == "human":
        _see(numbering, match.state)
    return len(match.steps)


def _see(numbering: Numbering, state: State) -> None:
    # What nobody was asked has no numbers.
    if forced(state) != "openly":
        offers(state, numbering)
