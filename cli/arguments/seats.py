"""Parsing of seats and viewers on the command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wongar_dsl.engine.match import Seat
from wongar_dsl.nlg.words import Translator, quoted
from wongar_dsl.session import seats as seat_spec
from wongar_dsl.session.seats import SessionSetupError

from ..errors import UserError, unplayable
from ..exit_codes import USAGE
from ..terminal.screen import echo

if TYPE_CHECKING:
    from wongar_dsl.session.game_session import GameSession


def read_seats(text: str | None, words: Translator) -> tuple[Seat, ...] | None:
    """Parse a list of seats; None without a text.

    Raises `UserError` if a seat is invalid.
    """
    try:
        return seat_spec.read_seats(text) if text is not None else None
    except SessionSetupError as error:
        raise unplayable(error, words) from None


def report_spectator_view(who: str | None, session: GameSession, words: Translator) -> None:
    """Print a notice that the log is limited to a spectator's view, unless the view was chosen."""
    if who is None and not session.match.state.over and session.match.game.knowledge.has_secrets:
        echo(words.say("cli.watched"), err=True)


def read_viewer(who: str | None, session: GameSession, words: Translator) -> int | None:
    """Parse a viewer: a seat number, or `all`.

    The default is everything once the game is over, otherwise a spectator's view. Raises `UserError` if there is no
    such seat.
    """
    from wongar_dsl.engine.events import EVERYTHING

    seats = session.match.game.seats
    if who is None:
        return EVERYTHING if session.match.state.over else None
    if who == "all":
        return EVERYTHING
    if not re.fullmatch(r"[1-9][0-9]?", who, re.ASCII) or int(who) > seats:
        raise UserError(words.say("cli.no_such_seat", seat=quoted(who), n=seats), USAGE)
    return int(who) - 1
