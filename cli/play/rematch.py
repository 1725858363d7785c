"""The question after a game whether to play again."""

from __future__ import annotations

from ..language import is_yes
from .terminal_session import LineSession


def wants_rematch(line_session: LineSession) -> bool:
    """Ask the players at a terminal for a rematch; elsewhere, and among bots, return False."""
    display, words = line_session.display, line_session.session.words
    if not display.screen.interactive or not display.humans or not line_session.session.match.state.over:
        return False
    try:
        answer = line_session.ask_after(words.say("ending.again"))
    except (EOFError, KeyboardInterrupt):
        display.screen.line()
        return False
    # Enter alone does not mean yes, since it is easily pressed once too often.
    return is_yes(answer, words)
