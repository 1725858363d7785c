"""`wongar resume`: go on with a game that was left."""

from __future__ import annotations

from pathlib import Path

import click

from wongar_dsl.words import Words

from ..language import Refusal
from .options import backend_option
from .play import sit


def command(words: Words) -> click.Command:
    """The click command."""

    def run(file: str | None, backend: str) -> int:
        from .. import saves
        from ..opening import reopen

        path = Path(file).expanduser() if file else saves.newest()
        if path is None:
            raise Refusal(words.say("cli.save.none"))
        return sit(reopen(path, words, backend, writing=True), resumed=True)

    return click.Command(
        "resume",
        callback=run,
        help=words.say("cli.resume.help"),
        params=[
            click.Argument(["file"], required=False, metavar=f"[{words.say('cli.file.metavar')}]"),
            backend_option(words),
        ],
    )
