"""Seats with a pending decision, including simultaneous ones."""

from __future__ import annotations

from wongar_dsl.engine import IllegalMove, PlayFault, State
from wongar_dsl.engine.match import Match
from wongar_dsl.session.board.puzzle import default_answer


def pending_decisions(match: Match) -> dict[int, State]:
    """Return the state in which each seat is asked, in the engine's order.

    Simultaneous decisions are asked one after the other, and players do not see earlier choices. The question to a
    later seat is therefore the same for every earlier choice, and can be shown at once.
    """
    state = match.state
    decision = state.decision
    if decision is None:
        return {}
    states = {state.seat: state}
    ahead = state.copy()
    while decision.simultaneous:
        try:
            events = ahead.apply(default_answer(ahead))
        except (IllegalMove, PlayFault):
            break
        if events or ahead.decision is not decision or ahead.seat in states:
            break
        states[ahead.seat] = ahead.copy()
    return states


def match_at(match: Match, state: State) -> Match:
    """Return a copy of the match in a state that is asked ahead; the match itself is unchanged."""
    if state is match.state:
        return match
    twin = object.__new__(Match)
    twin.__dict__.update(match.__dict__)
    twin.state = state
    return twin
