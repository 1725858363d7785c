"""`wongar resume`: continue an interrupted game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wongar_dsl.nlg.words import Translator

from ..options import backend_option, every_step_option, forecast_option, pictures_option, plain_option, save_argument
from .play import play_session

if TYPE_CHECKING:
    from wongar_dsl.session.game_session import GameSession

    from ...play.tutorial.observer import Observer


def _tutor(session: GameSession) -> Observer | None:
    """Return the tutor of a guided first game, or None if its tutorial can no longer be read."""
    if not session.guided:
        return None
    from wongar_dsl.session.tutorial import lesson_of

    from ...play.tutorial.tutorial_view import TutorialObserver

    lesson = lesson_of(session.rules)
    return None if lesson is None else TutorialObserver(lesson, session)


def command(words: Translator) -> click.Command:
    """Return the click command `wongar resume`."""

    def run(file: str | None, backend: str, every_step: bool, forecast: bool, plain: bool, drawn: bool) -> int:
        from ...arguments import save_paths
        from ...arguments.load_game import reopen, warn_slow_backend

        path = save_paths.named_save(file, words)
        # A language named on the command line replaces the one stored in the save.
        language_given = click.get_current_context().obj is not None
        session = reopen(path, words, backend, in_saved_language=not language_given, writing=True)
        if backend == "native":
            warn_slow_backend(session.match.game, backend, session.words)
        tutor = _tutor(session)
        return play_session(session, every_step, forecast, resumed=True, plain=plain, drawn=drawn, observer=tutor)

    return click.Command(
        "resume",
        callback=run,
        help=words.say("cli.resume.help"),
        params=[
            save_argument(words),
            backend_option(words),
            every_step_option(words),
            forecast_option(words),
            plain_option(words),
            pictures_option(words),
        ],
    )
