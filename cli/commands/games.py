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
    from wongar_dsl.narration.narrator import title

    from ..cache import cache

    found = []
    for name in library.shipped_names():
        low, high = library.load(name, cache()).model.players
        many = words.say("cli.players.exact", n=low) if low == high else words.say("cli.players", low=low, high=high)
        found.append((name, words.chain((title(words, name), many))))
    return found
