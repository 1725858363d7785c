"""`wongar learn`: a guided first game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wongar_dsl.words import Listing, Text, Words

from ..errors import Refusal
from .options import drawn_option, game_argument, plain_option, text_option

if TYPE_CHECKING:
    from wongar_dsl.library import Rules
    from wongar_dsl.table.lesson import Lesson


def command(words: Words) -> click.Command:
    """The click command."""

    def run(game: str | None, save: str | None, plain: bool, drawn: bool) -> int:
        from ..opening import opening
        from ..play.tutor import Tutor
        from ..terminal.screen import dumb
        from .play import place_for, sit

        path = place_for(save, words)
        name = game or _ask_game(words)
        if name is None:
            return 0
        opened = opening(name, words)
        lesson = _lesson(opened.rules, opened.words)
        table = opened.lay(lesson.seats, lesson.seed, (), "auto", path)
        table.guided = True
        # A terminal that can do nothing but show letters shows them as pictures, unless that is not wanted.
        return sit(table, False, plain=plain, drawn=drawn or (dumb() and not plain), onlooker=Tutor(lesson, table))

    return click.Command(
        "learn",
        callback=run,
        help=words.say("learn.help"),
        params=[
            game_argument(words, required=False),
            text_option(words, ["--save"], "cli.file.metavar", "cli.saveto.help"),
            plain_option(words),
            drawn_option(words),
        ],
    )


def _lesson(rules: Rules, words: Words) -> Lesson:
    """The lesson of a game; raises `Refusal` where there is none, `RulesError` where something is wrong with it."""
    from wongar_dsl.cases.file import CaseError, CaseFailure
    from wongar_dsl.narration.case_faults import case_source, diagnostic
    from wongar_dsl.table.lesson_check import check
    from wongar_dsl.table.lesson_file import SUFFIX, place_of_lesson, read_lesson
    from wongar_dsl.text.diagnostics import RulesError

    found = place_of_lesson(rules)
    if found is None:
        names = Listing(tuple(Text(name) for name, _ in _taught(words)))
        raise Refusal(words.say("learn.none", None, name=Text(rules.name), games=names), 2)
    place, names_of_it = found
    failures: list[CaseFailure] = []
    try:
        lesson = read_lesson(place, names_of_it)
        # A variant need not have all that its base is taught with.
        failures = list(check(rules, lesson)) if names_of_it == rules.model.merged.names else []
    except CaseError as error:
        failures.append(error.finding)
    if failures:
        source = case_source(place, SUFFIX)
        raise RulesError(diagnostic(failure, source, "R0702") for failure in failures)
    return lesson


def _taught(words: Words) -> list[tuple[str, str]]:
    """The games that come with a lesson, with what they are called and for how many they are."""
    from wongar_dsl import library
    from wongar_dsl.table.lesson_file import place_of_lesson

    from ..cache import cache
    from .games import about

    found = []
    for name in library.shipped():
        rules = library.load(name, cache())
        if place_of_lesson(rules) is not None:
            found.append((name, about(rules, words)))
    return found


def _ask_game(words: Words) -> str | None:
    """The game to be learnt: at a terminal the one that is chosen, elsewhere they are listed, and it is None."""
    from ..terminal.screen import Screen
    from .play import choose

    games, screen = _taught(words), Screen()
    if screen.interactive:
        return choose(games, words)
    for name, text in games:
        screen.line([("strong", words.pad(name, 20)), ("", f"  {text}")])
    return None
