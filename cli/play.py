"""`wongar play`: a new game."""

from __future__ import annotations

import os
from pathlib import Path

import click

from wongar_dsl import library
from wongar_dsl.match import Seat
from wongar_dsl.words import Words

from .tongue import Refusal

BACKENDS = ("python", "reference")


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(
        game: str | None, seats: str | None, seed: int | None, save: str | None, backend: str, options: tuple[str, ...]
    ) -> int:
        from .seats import read_seats
        from .table import lay, load

        name = game or _only_game(words)
        if seats is None:
            low = load(name).model.players[0]
            sitting = (Seat("human"), *(Seat("greedy") for _ in range(max(1, low) - 1)))
        else:
            sitting = read_seats(seats, words)
        table = lay(name, sitting, new_seed() if seed is None else seed, options, backend, _path(save), words)
        return sit(table, resumed=False)

    return click.Command(
        "play",
        callback=run,
        help=say("cli.play.help"),
        params=[
            click.Argument(["game"], required=False, metavar=say("cli.game.metavar")),
            click.Option(["--seats"], metavar=say("cli.seats.metavar"), help=say("cli.seats.help")),
            seed_option(words),
            click.Option(["--save"], metavar=say("cli.file.metavar"), help=say("cli.saveto.help")),
            backend_option(words),
            set_option(words),
        ],
    )


def sit(table: object, resumed: bool) -> int:
    """Play at a table, in the terminal or line by line."""
    from .reading import reader
    from .screen import Screen
    from .sitting import Sitting
    from .table import Table

    assert isinstance(table, Table)
    screen = Screen()
    sitting = Sitting(table, screen, reader(screen))
    try:
        return sitting.run(resumed)
    except KeyboardInterrupt:
        screen.line()
        sitting.orders.leave()
        return 130


def new_seed() -> int:
    """A seed that nobody chose; short enough to be typed again."""
    return int.from_bytes(os.urandom(4), "big") % 1_000_000


def seed_option(words: Words) -> click.Option:
    """`--seed`."""
    numbers = click.IntRange(0, 2**63 - 1)
    return click.Option(
        ["--seed"], type=numbers, metavar=words.say("cli.number.metavar"), help=words.say("cli.seed.help")
    )


def backend_option(words: Words) -> click.Option:
    """`--backend`."""
    return click.Option(
        ["--backend"], type=click.Choice(BACKENDS), default=BACKENDS[0], help=words.say("cli.backend.help")
    )


def set_option(words: Words) -> click.Option:
    """`--set`."""
    return click.Option(
        ["--set", "options"], multiple=True, metavar=words.say("cli.set.metavar"), help=words.say("cli.set.help")
    )


def _path(save: str | None) -> Path | None:
    return Path(save).expanduser() if save else None


def _only_game(words: Words) -> str:
    """The game, where there is but one; else the user has to say which."""
    games = library.shipped()
    if len(games) == 1:
        return next(iter(games))
    from wongar_dsl.words import Listing, Text

    raise Refusal(words.say("cli.which_game", games=Listing(tuple(Text(g) for g in games), "or")), 2)
