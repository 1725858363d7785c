"""`wongar games`: what can be played."""

from __future__ import annotations

import click

from wongar_dsl.words import Words


def command(words: Words) -> click.Command:
    """The click command."""

    def run() -> int:
        from ..terminal.screen import Screen

        screen = Screen()
        for name, text in listing(words):
            screen.line([("strong", words.pad(name, 24)), ("", f"  {text}")])
        return 0

    return click.Command("games", callback=run, help=words.say("cli.games.help"))


def listing(words: Words) -> list[tuple[str, str]]:
    """The names of all games and variants, with what they are called and for how many they are."""
    from wongar_dsl import library

    from ..cache import cache

    found = []
    for game, variants in library.shipped().items():
        for name in (game, *(f"{game}/{v}" for v in variants)):
            low, high = library.load(name, cache()).model.players
            many = (
                words.say("cli.players.exact", n=low) if low == high else words.say("cli.players", low=low, high=high)
            )
            title, *applied = (words.term(part, game) for part in name.split("/"))
            found.append((name, f"{title} ({', '.join(applied)}), {many}" if applied else f"{title}, {many}"))
    return found
