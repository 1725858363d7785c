"""`wongar validate`: are these rules good, and the words, cases and lesson beside them?"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.text.codes import Severity
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.words import Words, WordsError, quoted

from ..errors import Refusal
from ..saves import not_written
from ..terminal.screen import echo, echo_data
from .options import paths_argument, rule_files

if TYPE_CHECKING:
    from wongar_dsl.engine import Game
    from wongar_dsl.library import Rules

FORMATS = ("text", "json", "github")
#: How many seconds of processor time the cases beside one are read for; what cannot be told by then, running them does.
CASES = 3.0


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(paths: tuple[str, ...], form: str, write_words: bool) -> int:
        from wongar_dsl.library import inspect
        from wongar_dsl.narration.diagnostics import render_github, render_json, render_text

        from ..terminal.screen import colours, terminal_width

        every: dict[tuple[str, str, str], Diagnostic] = {}
        beside = cache(games_in)
        for name in dict.fromkeys(found for path in paths for found in _files(path, words)):
            rules, diagnostics = inspect(name)
            if rules is not None:
                diagnostics = (*diagnostics, *about_words(rules, beside, words, write_words, form == "text"))
            diagnostics = (*diagnostics, *about_cases(name, rules), *about_lesson(rules))
            # What a variant inherits is not told again.
            new = {(d.code, str(d.span), repr(dict(d.arguments))): d for d in diagnostics}
            told = tuple(d for key, d in new.items() if key not in every)
            every |= new
            if form != "text":
                continue
            if told:
                colour = colours(sys.stdout)
                echo(render_text(told, say, terminal_width(), colour) + "\n", painted=colour)
            if rules is not None and all(d.severity is not Severity.ERROR for d in diagnostics):
                low, high = rules.model.players
                if low == high:
                    echo(say("report.good_exactly", file=quoted(name), n=low))
                else:
                    echo(say("report.good", file=quoted(name), low=low, high=high))
        if form == "json":
            echo_data(render_json(every.values(), say))
        elif form == "github" and every:
            echo(render_github(every.values(), say))
        return int(any(d.severity is Severity.ERROR for d in every.values()))

    return click.Command(
        "validate",
        callback=run,
        help=say("report.validate_help"),
        params=[
            paths_argument(words),
            click.Option(["--write-words"], is_flag=True, help=say("report.write_words_help")),
            click.Option(
                ["--format", "form"],
                type=click.Choice(FORMATS),
                default="text",
                show_default=True,
                help=say("report.format_help"),
            ),
        ],
    )


def about_words(
    rules: Rules, beside: Callable[[Path], tuple[list[Game], bool]], words: Words, write: bool, talk: bool
) -> tuple[Diagnostic, ...]:
    """What is wrong with the words beside rules, and what they lack; `write` puts skeletons of that into the files."""
    from wongar_dsl.narration.catalog_faults import FOLDER, faults_of
    from wongar_dsl.narration.untranslated import lacking, prepared, uncovered
    from wongar_dsl.text.files import path_from_here
    from wongar_dsl.words import skeletons

    # Nothing is played: a backend that compiles nothing will do.
    game, roots = rules.game(rules.model.players[0], backend="reference"), rules.words_beside
    found: list[Diagnostic] = []
    for folder in rules.folders:
        # The words of a pack were checked where it was made, and whoever plays it cannot mend them.
        if isinstance(folder, Path) and (folder / FOLDER).exists():
            others, complete = beside(folder)
            found += faults_of([game, *others], folder / FOLDER, complete)
    place = rules.folders[0] / FOLDER if rules.folders else None
    # The words of somebody's pack concern the reader in one language.
    packed = any(not isinstance(folder, Path) for folder in rules.folders)
    asked = (words.language,) if packed else ()
    lacks = uncovered(game, roots, place if isinstance(place, Path) else None, rules.homes, asked)
    if not write or place is None:
        return (*found, *lacks)
    try:
        if not isinstance(place, Path):
            raise OSError
        written = prepared(lacking(game, roots, even_if_wordless=True, homes=rules.homes), place)
        for path, file in written.items():
            skeletons.write(path, file.text)
    except WordsError as error:
        raise Refusal(words.say(error.name, None, **error.details)) from None
    except OSError as error:
        raise not_written(str(place), error, words) from None
    for path, file in written.items() if talk else ():
        echo(words.say("report.words_written", path=quoted(path_from_here(str(path))), n=file.entries))
    # What was written before and is still not filled in is told with its line.
    return (*found, *(() if written else lacks))


def about_cases(name: str, rules: Rules | None) -> tuple[Diagnostic, ...]:
    """What is wrong with the cases beside rules, without running them."""
    from ..case_files import faults

    end = time.process_time() + CASES
    return tuple(faults(name, rules, lambda: time.process_time() > end))


def about_lesson(rules: Rules | None) -> tuple[Diagnostic, ...]:
    """What is wrong with the lesson beside rules, and which of its hints have no words, without playing it."""
    from wongar_dsl.table.lesson_check import faults

    return tuple(faults(rules)) if rules is not None else ()


def games_in(folder: Path) -> tuple[list[Game], bool]:
    """The games of all rule files in a folder, and whether that are all: what one does not use can be another one's.

    What is left out makes no mistake of the words, only none is told that needs all files.
    """
    from wongar_dsl.library.naming import rule_files_in

    from ..opening import neighbours

    games, complete = [], True
    for _, rules in neighbours(rule_files_in(folder)):
        complete = complete and rules is not None
        if rules is not None:
            games.append(rules.game(rules.model.players[0], backend="reference"))
    return games, complete


def _files(path: str, words: Words) -> Iterator[str]:
    """The rule files that are meant, or a game by its name, even where a folder is called so too."""
    yield from (path,) if _is_game(path) else rule_files(path, words)


def _is_game(name: str) -> bool:
    from wongar_dsl.library import shipped

    return name in shipped() and "/" not in name and not any(Path(name).glob("*.rules"))
