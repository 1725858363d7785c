"""`wongar learn`: a guided first game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wongar_dsl.nlg.words import Listing, Text, Translator

from ...cache import cache
from ...errors import UserError
from ...exit_codes import SUCCESS, USAGE
from ...terminal.screen import Screen, is_dumb
from ..options import game_argument, pictures_option, plain_option, text_option

if TYPE_CHECKING:
    from wongar_dsl.engine.library import Rules
    from wongar_dsl.session.tutorial import Tutorial


def command(words: Translator) -> click.Command:
    """Return the click command `wongar learn`."""

    def run(game: str | None, save: str | None, plain: bool, drawn: bool) -> int:
        from ...arguments.load_game import open_game
        from ...play.tutorial.tutorial_view import TutorialObserver
        from .play import play_session, save_path_for

        path = save_path_for(save, words)
        name = game or _ask_game(words)
        if name is None:
            return SUCCESS
        opened = open_game(name, words)
        lesson = _lesson(opened.rules, opened.words)
        session = opened.create_session(lesson.seats, lesson.seed, (), "auto", path)
        session.guided = True
        # A terminal without cursor control shows boards as pictures, unless plain text is requested.
        return play_session(
            session,
            False,
            plain=plain,
            drawn=drawn or (is_dumb() and not plain),
            observer=TutorialObserver(lesson, session),
        )

    return click.Command(
        "learn",
        callback=run,
        help=words.say("learn.help"),
        params=[
            game_argument(words, required=False),
            text_option(words, ["--save"], "cli.file.metavar", "cli.saveto.help"),
            plain_option(words),
            pictures_option(words),
        ],
    )


def _lesson(rules: Rules, words: Translator) -> Tutorial:
    """Return the tutorial of a game.

    Raises `UserError` if there is none and `RulesError` if it is invalid.
    """
    from wongar_dsl.base.diagnostics import RulesError
    from wongar_dsl.engine.rule_cases.file import CaseError, CaseFailure
    from wongar_dsl.nlg.diagnostic_text.case_faults import case_source, diagnostic
    from wongar_dsl.session.lesson_check import check
    from wongar_dsl.session.tutorial import SUFFIX, find_lesson, read_lesson

    location = find_lesson(rules)
    if location is None:
        names = Listing(tuple(Text(name) for name, _ in _games_with_tutorial(words)))
        raise UserError(words.say("learn.none", None, name=Text(rules.name), games=names), USAGE)
    place, names_of_it = location
    failures: list[CaseFailure] = []
    try:
        lesson = read_lesson(place, names_of_it)
        # A variant may lack components that the tutorial of its base uses.
        failures = list(check(rules, lesson)) if names_of_it == rules.model.merged.names else []
    except CaseError as error:
        failures.append(error.finding)
    if failures:
        source = file_source(place, SUFFIX)
        raise RulesError(case_fault(failure, source, "R0702") for failure in failures)
    return lesson


def _games_with_tutorial(words: Translator) -> list[tuple[str, str]]:
    """Return the built-in games that have a tutorial, with their descriptions."""
    from wongar_dsl.engine import library
    from wongar_dsl.session.tutorial import find_lesson

    from ..rules.games import game_line

    games = []
    for name in library.builtin_games():
        rules = library.load(name, cache())
        if find_lesson(rules) is not None:
            games.append((name, game_line(rules, words)))
    return games


def _ask_game(words: Translator) -> str | None:
    """Let the user choose a game at a terminal; elsewhere list the games and return None."""
    from .play import choose

    games, screen = _games_with_tutorial(words), Screen()
    if screen.interactive:
        return choose(games, words)
    for name, text in games:
        screen.line([("strong", words.pad(name, 20)), ("", f"  {text}")])
    return None
