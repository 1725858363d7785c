"""`wongar perft`: number of histories of a game by depth, to compare engines and rules."""

from __future__ import annotations

import time

import click

from wongar_dsl.nlg.words import Text, Translator

from ...exit_codes import SUCCESS
from ...terminal.screen import echo
from ..options import game_argument, number_option, table_options

#: Minimum column width.
COLUMN = 9


def command(words: Translator) -> click.Command:
    """Return the click command `wongar perft`."""
    say = words.say

    def run(
        game: str, depth: int, chance: bool, seats: int | None, seed: int | None, options: tuple[str, ...], backend: str
    ) -> int:
        from wongar_dsl.lab.perft import count

        from ...arguments.load_game import open_game, warn_slow_backend

        loaded = open_game(game, words).create_game(seats, options, backend)
        warn_slow_backend(loaded, backend, words)
        began = time.monotonic()
        total = over = 0
        columns = words.say("cli.perft.columns").split()
        widths = [max(COLUMN, words.width(column)) for column in columns]
        echo("  ".join(words.pad(column, width, "right") for column, width in zip(columns, widths, strict=True)))
        for steps, level in enumerate(count(loaded, depth, chance=chance, seed=seed or 0)):
            if steps:
                seconds = words.decimal(time.monotonic() - began, 1)
                row = (steps, level.histories, level.over, seconds)
                echo("  ".join(f"{value:>{width}}" for value, width in zip(row, widths, strict=True)))
                total, over = total + level.histories, over + level.over
        spent = Text(words.decimal(time.monotonic() - began, 1))
        echo(words.say("cli.perft.total", n=total, over=over, seconds=spent))
        return SUCCESS

    return click.Command(
        "perft",
        callback=run,
        help=say("cli.perft.help"),
        params=[
            game_argument(words),
            number_option(words, "--depth", "cli.depth.help", 1, 60, default=2),
            click.Option(["--chance"], is_flag=True, help=say("cli.chance.help")),
            number_option(words, "--seats", "cli.seatcount.help"),
            *table_options(words),
        ],
    )
