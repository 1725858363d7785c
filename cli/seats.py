"""Who sits at the table, as it is asked for at the command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wongar_dsl.engine.match import Seat
from wongar_dsl.table import names
from wongar_dsl.table.errors import TableError
from wongar_dsl.words import Words, quoted

from .errors import Refusal, refused
from .terminal.screen import echo

if TYPE_CHECKING:
    from wongar_dsl.table.table import Table


def read_seats(text: str | None, words: Words) -> tuple[Seat, ...] | None:
    """The seats that a text lists, None where there is no text; raises `Refusal` for what is no seat."""
    try:
        return names.read_seats(text) if text is not None else None
    except TableError as error:
        raise refused(error, words) from None


def tell_watched(who: str | None, table: Table, words: Words) -> None:
    """Say that a game is told as those know it who watch, where nobody asked for that and there is more to know."""
    if who is None and not table.match.state.over and table.match.game.knowledge.secrets:
        echo(words.say("cli.watched"), err=True)


def read_viewer(who: str | None, table: Table, words: Words) -> int | None:
    """Who is told: a seat, everybody (`all`), and without a wish everybody once the game is over, before a watcher.

    Raises `Refusal` for what is no seat.
    """
    from wongar_dsl.engine.events import EVERYTHING

    seats = table.match.game.seats
    if who is None:
        return EVERYTHING if table.match.state.over else None
    if who == "all":
        return EVERYTHING
    if not re.fullmatch(r"[1-9][0-9]?", who, re.ASCII) or int(who) > seats:
        raise Refusal(words.say("cli.no_such_seat", seat=quoted(who), n=seats), 2)
    return int(who) - 1
