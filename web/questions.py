"""Who is asked now: whoever decides, and where all decide at the same time, everybody who has not answered yet."""

from __future__ import annotations

from wongar_dsl.engine import IllegalMove, PlayFault, State
from wongar_dsl.engine.match import Match
from wongar_dsl.table.puzzle import unanswered


def questions(match: Match) -> dict[int, State]:
    """Everybody who is asked, in the order in which the engine asks them, with the state in which it does.

    Where all choose at the same time the engine asks one after the other, and nobody sees what others have chosen; so
    the question to those who come later is the same whatever is chosen before them, and can be put at once.
    """
    state = match.state
    decision = state.decision
    if decision is None:
        return {}
    found = {state.seat: state}
    ahead = state.copy()
    while decision.simultaneous:
        try:
            events = ahead.apply(unanswered(ahead))
        except (IllegalMove, PlayFault):
            break
        if events or ahead.decision is not decision or ahead.seat in found:
            break
        found[ahead.seat] = ahead.copy()
    return found


def seen_from(match: Match, state: State) -> Match:
    """The match as it is seen in a state that is asked for ahead; the match itself stays as it is."""
    if state is match.state:
        return match
    twin = object.__new__(Match)
    twin.__dict__.update(match.__dict__)
    twin.state = state
    return twin
