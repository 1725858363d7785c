"""Who sits at the table, as it is asked for at the command line."""

from __future__ import annotations

from wongar_dsl.engine.match import Seat
from wongar_dsl.table import names
from wongar_dsl.table.errors import TableError
from wongar_dsl.words import Words

from .errors import refused


def read_seats(text: str | None, words: Words) -> tuple[Seat, ...] | None:
    """The seats that a text lists, None where there is no text; raises `Refusal` for what is no seat."""
    try:
        return names.read_seats(text) if text is not None else None
    except TableError as error:
        raise refused(error, words) from None
