"""`wongar validate`: are these rules good?"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from wongar_dsl.words import Words, quoted

from ..errors import Refusal
from ..terminal.screen import echo, echo_data

FORMATS = ("text", "json", "github")
MOST_FILES = 1000


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(paths: tuple[str, ...], form: str) -> int:
        from wongar_dsl.library import inspect
        from wongar_dsl.narration.diagnostics import render_github, render_json, render_text
        from wongar_dsl.narration.untranslated import uncovered
        from wongar_dsl.table.table import words_beside
        from wongar_dsl.text.codes import Severity
        from wongar_dsl.text.diagnostics import Diagnostic

        from ..terminal.screen import colours, terminal_width

        every: dict[tuple[str, str, str], Diagnostic] = {}
        for name in dict.fromkeys(found for path in paths for found in _files(path, words)):
            rules, diagnostics = inspect(name)
            if rules is not None:
                diagnostics = (*diagnostics, *uncovered(rules.model, words_beside(rules)))
            # What a variant inherits is not told again.
            new = {(d.code, str(d.span), repr(dict(d.arguments))): d for d in diagnostics}
            told = tuple(d for key, d in new.items() if key not in every)
            every |= new
            if form != "text":
                continue
            if told:
                colour = colours(sys.stdout)
                echo(render_text(told, say, terminal_width(), colour) + "\n", painted=colour)
            if rules is not None:
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
            click.Argument(["paths"], nargs=-1, required=True, metavar=say("report.paths")),
            click.Option(
                ["--format", "form"],
                type=click.Choice(FORMATS),
                default="text",
                show_default=True,
                help=say("report.format_help"),
            ),
        ],
    )


def _files(path: str, words: Words) -> Iterator[str]:
    """The rule files that are meant: those below a folder, else the path or name itself."""
    if not os.path.isdir(path) or _is_game(path):
        yield path
        return
    found = sorted(_below(Path(path)))
    if not found:
        raise Refusal(words.say("report.no_files", path=quoted(path)), 2)
    if len(found) > MOST_FILES:
        raise Refusal(words.say("report.many_files", path=quoted(path), n=len(found), limit=MOST_FILES), 2)
    yield from map(str, found)


def _below(folder: Path) -> Iterator[Path]:
    # Links to folders are not followed, so that a ring of them ends.
    for at, _, names in os.walk(folder):
        yield from (Path(at) / name for name in names if name.endswith(".rules"))


def _is_game(name: str) -> bool:
    from wongar_dsl.library import shipped

    return name in shipped() and "/" not in name and not any(Path(name).glob("*.rules"))
