"""`wongar play`: a new game."""

from __future__ import annotations

import os
from pathlib import Path

import click

from wongar_dsl.engine.match import Seat
from wongar_dsl.words import Words

from ..language import Refusal
from .options import backend_option, seed_option, set_option


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(
        game: str | None, seats: str | None, seed: int | None, save: str | None, backend: str, options: tuple[str, ...]
    ) -> int:
        from ..opening import lay, load
        from ..seats import read_seats

        name = game or _ask_game(words)
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
    from ..opening import Table
    from ..play.input import reader
    from ..play.session import Session
    from ..terminal.screen import Screen

    assert isinstance(table, Table)
    screen = Screen()
    sitting = Session(table, screen, reader(screen))
    try:
        return sitting.run(resumed)
    except KeyboardInterrupt:
        screen.line()
        sitting.orders.leave()
        return 130
    finally:
        table.close()


def new_seed() -> int:
    """A seed that nobody chose, and that nobody finds by trying all."""
    return int.from_bytes(os.urandom(8), "big")


def _path(save: str | None) -> Path | None:
    return Path(save).expanduser() if save else None


def _ask_game(words: Words) -> str:
    """The game that is meant: the only one, or at a terminal the one that is chosen there."""
    from wongar_dsl.words import Listing, Text

    from ..terminal.screen import Screen
    from .games import listing

    games = listing(words)
    if len(games) == 1:
        return games[0][0]
    screen = Screen()
    if not screen.interactive:
        names = Listing(tuple(Text(name) for name, _ in games))
        raise Refusal(words.say("cli.which_game", games=names), 2)
    for number, (name, text) in enumerate(games, 1):
        screen.line([("number", f"{number:>2} "), ("strong", words.pad(name, 20)), ("", f"  {text}")])
    while True:
        try:
            answer = input(words.say("cli.which_one", n=len(games)) + " ").strip()
        except EOFError:
            raise Refusal("", 0) from None
        chosen = [name for number, (name, _) in enumerate(games, 1) if answer in (str(number), name)]
        if chosen:
            return chosen[0]
