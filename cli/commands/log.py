"""`wongar log`: a saved game told in any language, or as data."""

from __future__ import annotations

import click

from wongar_dsl.words import Words

from ..errors import Refusal
from .options import Number, backend_option, format_option


def command(words: Words) -> click.Command:
    """The click command."""

    def run(file: str | None, form: str, seat: int | None, backend: str) -> int:
        from wongar_dsl.engine.events import EVERYTHING

        from .. import saves
        from ..opening import reopen
        from ..terminal.screen import Screen, echo_data

        path = saves.place(file, words) if file else saves.newest()
        if path is None:
            raise Refusal(words.say("cli.save.none"))
        table = reopen(path, words, backend)
        seats = table.match.game.seats
        if seat is not None and not 1 <= seat <= seats:
            raise Refusal(words.say("cli.no_such_seat", seat=seat, n=seats), 2)
        screen = Screen()
        if form == "jsonl":
            from wongar_dsl.engine.transcript import lines

            for line in lines(table.match, EVERYTHING if seat is None else seat - 1):
                echo_data(line)
            return 0
        from ..play.results import scores

        # A reader who is no player is told everything, as a referee is.
        narrator, state = table.narrator, table.match.state
        screen.text(narrator.opening(), "strong")
        for event in table.match.history():
            told = narrator.event(event, EVERYTHING if seat is None else seat - 1)
            if told:
                screen.text(told, indent="  ")
        if state.over:
            screen.lines(scores(narrator, state.cells, state.winners))
        return 0

    say = words.say
    return click.Command(
        "log",
        callback=run,
        help=say("cli.log.help"),
        params=[
            click.Argument(["file"], required=False, metavar=f"[{say('cli.file.metavar')}]"),
            format_option(words, "text", "jsonl"),
            click.Option(
                ["--for", "seat"], type=Number(words, 1, 64), metavar=say("cli.seat.metavar"), help=say("cli.for.help")
            ),
            backend_option(words),
        ],
    )
