"""`wongar perft`: how many histories of so many decisions a game has, to compare engines and rules by."""

from __future__ import annotations

import click

from wongar_dsl.perft import count
from wongar_dsl.words import Words

from .play import backend_option, seed_option, set_option


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(
        game: str, depth: int, chance: bool, seats: int | None, seed: int | None, options: tuple[str, ...], backend: str
    ) -> int:
        from .table import deal, load, read_options

        rules = load(game)
        made = deal(rules, seats or rules.model.players[0], read_options(rules, options, words), backend, words)
        levels = count(made, depth, chance=chance, seed=seed or 0)
        next(levels)
        steps = 0
        for steps, level in enumerate(levels, 1):
            click.echo(f"{steps} {level.histories}")
        for step in range(steps + 1, depth + 1):
            click.echo(f"{step} 0")
        return 0

    return click.Command(
        "perft",
        callback=run,
        help=say("cli.perft.help"),
        params=[
            click.Argument(["game"], metavar=say("cli.game.metavar")),
            click.Option(
                ["--depth"],
                type=click.IntRange(1, 60),
                default=2,
                metavar=say("cli.number.metavar"),
                help=say("cli.depth.help"),
            ),
            click.Option(["--chance"], is_flag=True, help=say("cli.chance.help")),
            click.Option(["--seats"], type=int, metavar=say("cli.number.metavar"), help=say("cli.seatcount.help")),
            seed_option(words),
            set_option(words),
            backend_option(words),
        ],
    )
