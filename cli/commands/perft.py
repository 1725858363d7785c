"""`wongar perft`: how many histories of so many decisions a game has, to compare engines and rules by."""

from __future__ import annotations

import click

from wongar_dsl.words import Words

from ..terminal.screen import echo
from .options import backend_option, number_option, seed_option, set_option


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(
        game: str, depth: int, chance: bool, seats: int | None, seed: int | None, options: tuple[str, ...], backend: str
    ) -> int:
        from wongar_dsl.lab.perft import count

        from ..opening import deal, load, read_options

        rules = load(game)
        made = deal(rules, seats or rules.model.players[0], read_options(rules, options, words), backend, words)
        for steps, level in enumerate(count(made, depth, chance=chance, seed=seed or 0)):
            if steps:
                echo(f"{steps} {level.histories}")
        return 0

    return click.Command(
        "perft",
        callback=run,
        help=say("cli.perft.help"),
        params=[
            click.Argument(["game"], metavar=say("cli.game.metavar")),
            number_option(words, "--depth", "cli.depth.help", 1, 60, default=2),
            click.Option(["--chance"], is_flag=True, help=say("cli.chance.help")),
            number_option(words, "--seats", "cli.seatcount.help"),
            seed_option(words),
            set_option(words),
            backend_option(words),
        ],
    )
