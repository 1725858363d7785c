"""A language for each player in one session."""

from __future__ import annotations

import contextlib
import os

from wongar_dsl.nlg.words import WordsError
from wongar_dsl.session.game_session import GameSession

from ..errors import UserError
from ..language import select_language


def load_player_languages(session: GameSession, strict: bool = True) -> None:
    """Load the languages of the seats.

    For an unknown language, `strict` raises `UserError`; otherwise the seat uses the session's language.
    """
    for seat, person in enumerate(session.match.seats):
        if not person.language:
            continue
        with contextlib.suppress(*(() if strict else (UserError, WordsError))):
            session.player_translators[seat] = select_language(person.language, os.environ, session.rules.words_beside)


def switch_language(session: GameSession, language: str, seat: int | None) -> str | None:
    """Switch one seat, or the whole session, to another language; return an error message, or None."""
    try:
        words = select_language(language, os.environ, session.rules.words_beside)
    except UserError as refusal:
        error = refusal.__context__
        return session.words.say(error.name, None, **error.details) if isinstance(error, WordsError) else refusal.text
    if seat is None:
        session.set_language(words)
    else:
        session.set_player_language(seat, words)
        session.switch_to_viewer_language(seat)
    return None
