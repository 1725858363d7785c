"""`wongar games`: what can be played."""

from __future__ import annotations

import click

from wongar_dsl.words import Words


def command(words: Words) -> click.Command:
    """The click command."""

    def run() -> int:
        from wongar_dsl import library

        from .screen import Screen
        from .table import load

        screen = Screen()
        for game, variants in library.shipped().items():
            for name in (game, *(f"{game}/{v}" for v in variants)):
                low, high = load(name).model.players
                title = ", ".join(words.term(part, game) for part in name.split("/"))
                screen.line(
                    [
                        ("strong", words.pad(name, 24)),
                        ("", f"  {title}  {words.say('cli.players', low=low, high=high)}"),
                    ]
                )
        return 0

    return click.Command("games", callback=run, help=words.say("cli.games.help"))
