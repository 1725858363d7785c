"""A language for each player in one session."""

from __future__ import annotations

import contextlib
import os

from wongar_dsl.table.table import Table
from wongar_dsl.words import WordsError

from ..errors import Refusal
from ..language import speak


def learn(table: Table, strict: bool = True) -> None:
    """Load the languages of the seats.

    For an unknown language, `strict` raises `Refusal`; otherwise the seat uses the session's language.
    """
    for seat, sitting in enumerate(table.match.seats):
        if not sitting.language:
            continue
        with contextlib.suppress(*(() if strict else (Refusal, WordsError))):
            table.own[seat] = speak(sitting.language, os.environ, table.rules.words_beside)


def switch_own(table: Table, seat: int, language: str) -> str | None:
    """Switch one seat to another language; return an error message, or None."""
    try:
        words = speak(language, os.environ, table.rules.words_beside)
    except Refusal as refusal:
        error = refusal.__context__
        return table.words.say(error.name, None, **error.details) if isinstance(error, WordsError) else refusal.text
    table.give(seat, words)
    table.speak_to(seat)
    return None
