"""`wongar perft`: number of histories of a game by depth, to compare engines and rules."""

from __future__ import annotations

import time

from wongar_dsl.lab.perft import count
from wongar_dsl.nlg.words import Text, Translator

from ..errors import SUCCESS
from ..load_game import open_game, warn_slow_backend
from ..terminal.screen import echo
from .options import GAME, SEAT_COUNT, TABLE, command, flag, number_option

#: Minimum column width.
COLUMN = 9


@command(
    "cli.perft.help",
    GAME,
    number_option("--depth", "cli.depth.help", 1, 60, default=2),
    flag("--chance", "cli.chance.help"),
    SEAT_COUNT,
    *TABLE,
)
def perft_command(
    words: Translator, game: str, depth: int, chance: bool, seats: int | None, seed: int | None,
    options: tuple[str, ...], backend: str,
) -> int:  # fmt: skip
    """Run `wongar perft`."""
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
