"""People at one table who are each spoken to in a language of their own."""

from __future__ import annotations

import contextlib
import os

from wongar_dsl.table.table import Table
from wongar_dsl.words import WordsError

from ..errors import Refusal
from ..language import speak


def learn(table: Table, strict: bool = True) -> None:
    """See to the languages that the seats have; `strict` ones raise `Refusal` where nobody knows them, else whoever
    sits there is spoken to in that of the table."""
    for seat, sitting in enumerate(table.match.seats):
        if not sitting.language:
            continue
        with contextlib.suppress(*(() if strict else (Refusal, WordsError))):
            table.own[seat] = speak(sitting.language, os.environ, table.rules.words_beside)


def switch_own(table: Table, seat: int, language: str) -> str | None:
    """Speak to one seat in another language; gives what is wrong with it, or None."""
    try:
        words = speak(language, os.environ, table.rules.words_beside)
    except Refusal as refusal:
        error = refusal.__context__
        return table.words.say(error.name, None, **error.details) if isinstance(error, WordsError) else refusal.text
    table.give(seat, words)
    table.speak_to(seat)
    return None
