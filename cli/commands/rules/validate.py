"""`wongar validate`: checks rules and the catalogs, cases and tutorial beside them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.base.storage.files import relative_path
from wongar_dsl.nlg.words import Translator, WordsError, quoted

from ...errors import UserError, write_error
from ...exit_codes import FAILURE, SUCCESS
from ...terminal.screen import echo, echo_data, terminal_width, uses_colours
from ..options import paths_argument, rule_files

if TYPE_CHECKING:
    from wongar_dsl.engine import Game
    from wongar_dsl.engine.library import Rules

FORMATS = ("text", "json", "github")
#: Limit in seconds of processor time for checking the cases of one game. The rest is found when the cases are run.
MAX_CASE_CPU_S = 3.0


def command(words: Translator) -> click.Command:
    """Return the click command `wongar validate`."""
    say = words.say

    def run(paths: tuple[str, ...], form: str, write_words: bool) -> int:
        from wongar_dsl.engine.library import inspect
        from wongar_dsl.nlg.diagnostic_text.diagnostics import render_github, render_json, render_text

        reported_before: dict[tuple[str, str, str], Diagnostic] = {}
        games_of = cache(games_in)
        for name in dict.fromkeys(file for path in paths for file in _files(path, words)):
            rules, diagnostics = inspect(name)
            if rules is not None:
                diagnostics = (*diagnostics, *catalog_problems(rules, games_of, words, write_words, form == "text"))
            diagnostics = (*diagnostics, *case_problems(name, rules), *tutorial_problems(rules))
            # Findings that a variant inherits are not repeated.
            by_key = by_content(diagnostics)
            reported = tuple(d for key, d in by_key.items() if key not in reported_before)
            reported_before |= by_key
            if form != "text":
                continue
            if reported:
                colour = uses_colours(sys.stdout)
                echo(render_text(reported, say, terminal_width(), colour) + "\n", has_codes=colour)
            if rules is not None and all(d.severity is not Severity.ERROR for d in diagnostics):
                low, high = rules.model.players
                if low == high:
                    echo(say("report.good_exactly", file=quoted(name), n=low))
                else:
                    echo(say("report.good", file=quoted(name), low=low, high=high))
        if form == "json":
            echo_data(render_json(reported_before.values(), say))
        elif form == "github" and reported_before:
            echo(render_github(reported_before.values(), say))
        return FAILURE if any(d.severity is Severity.ERROR for d in reported_before.values()) else SUCCESS

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


def by_content(diagnostics: Iterable[Diagnostic]) -> dict[tuple[str, str, str], Diagnostic]:
    """Return diagnostics by code, location and arguments, so that repeated ones can be dropped."""
    return {(d.code, str(d.span), repr(dict(d.arguments))): d for d in diagnostics}


def catalog_problems(
    rules: Rules, games_of: Callable[[Path], tuple[list[Game], bool]], words: Translator, write: bool, announce: bool
) -> tuple[Diagnostic, ...]:
    """Return the errors in the catalogs beside rules, and the missing texts.

    With `write`, stubs for the missing texts are written to the files; `announce` prints the files written.
    """
    from wongar_dsl.nlg.diagnostic_text.faults import FOLDER, faults_of
    from wongar_dsl.nlg.translation.missing_words import missing_text_warnings, missing_texts, prepare_stubs
    from wongar_dsl.nlg.words.po_files import write_file

    # Nothing is played, so a backend without compilation is enough.
    game, roots = rules.game(rules.model.players[0], backend="reference"), rules.words_beside
    findings: list[Diagnostic] = []
    for folder in rules.folders:
        # The catalogs of a pack were checked when it was made, and its user cannot change them.
        if isinstance(folder, Path) and (folder / FOLDER).exists():
            others, complete = games_of(folder)
            findings += faults_of([game, *others], folder / FOLDER, complete)
    place = rules.folders[0] / FOLDER if rules.folders else None
    # For a pack, only the user's own language is checked.
    packed = any(not isinstance(folder, Path) for folder in rules.folders)
    required_languages = (words.language,) if packed else ()
    missing = missing_text_warnings(
        game, roots, place if isinstance(place, Path) else None, rules.homes, required_languages
    )
    if not write or place is None:
        return (*findings, *missing)
    try:
        if not isinstance(place, Path):
            raise OSError
        written = prepare_stubs(missing_texts(game, roots, even_if_wordless=True, homes=rules.homes), place)
        for path, file in written.items():
            write_file(path, file.text)
    except WordsError as error:
        raise UserError(words.say(error.name, None, **error.details)) from None
    except OSError as error:
        raise write_error(str(place), error, words) from None
    for path, file in written.items() if announce else ():
        echo(words.say("report.words_written", path=quoted(relative_path(str(path))), n=file.entries))
    # A missing text whose stub was written earlier is already reported with its line in the file.
    return (*findings, *(() if written else missing))


def case_problems(name: str, rules: Rules | None) -> tuple[Diagnostic, ...]:
    """Return the errors in the cases beside rules, without running them."""
    from ...arguments.case_files import case_faults

    end = time.process_time() + MAX_CASE_CPU_S
    return tuple(case_faults(name, rules, lambda: time.process_time() > end))


def tutorial_problems(rules: Rules | None) -> tuple[Diagnostic, ...]:
    """Return the errors in the tutorial beside rules and its missing texts, without playing it."""
    from wongar_dsl.session.lesson_check import faults

    return tuple(faults(rules)) if rules is not None else ()


def games_in(folder: Path) -> tuple[list[Game], bool]:
    """Return the games of all rule files in a folder, and whether all could be loaded.

    A text that one game does not use may belong to another. If a file cannot be loaded, findings that need all files
    are not reported.
    """
    from wongar_dsl.engine.library.game_ids import rule_files_in

    from ...arguments.load_game import neighbours

    games, complete = [], True
    for _, rules in neighbours(rule_files_in(folder)):
        complete = complete and rules is not None
        if rules is not None:
            games.append(rules.game(rules.model.players[0], backend="reference"))
    return games, complete


def _files(path: str, words: Translator) -> Iterator[str]:
    """Yield the rule files for a path; the name of a game takes precedence over a folder of that name."""
    yield from (path,) if _is_game(path) else rule_files(path, words)


def _is_game(name: str) -> bool:
    from wongar_dsl.engine.library import builtin_games

    return name in builtin_games() and "/" not in name and not any(Path(name).glob("*.rules"))
