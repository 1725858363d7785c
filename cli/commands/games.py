"""`wongar games`: list of playable games, or of the parts of one game."""

from __future__ import annotations

from wongar_dsl.engine import library
from wongar_dsl.engine.library import Rules
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.box_facts import box_facts, players_fact

from ..errors import SUCCESS
from ..language import cache
from ..terminal.screen import Screen


def games_command(words: Translator, game: str | None) -> int:
    """Run `wongar games`."""
    screen = Screen()
    if game is not None:
        from .game_parts import show  # Takes time to import.

        show(game, screen, words)
        return SUCCESS
    for name, text in listing(words):
        screen.line([("strong", words.pad(name, 24)), ("", f"  {text}")])
    return SUCCESS


def listing(words: Translator) -> list[tuple[str, str]]:
    """Return the names of all built-in games and variants, each with its title, number of players, age and length."""
    return [(name, game_line(library.load(name, cache()), words)) for name in library.builtin_names()]


def game_line(rules: Rules, words: Translator) -> str:
    """Return the title of a game, its number of players, and its age and length if they are declared."""
    many = players_fact(words, *rules.model.players)
    return words.chain((title(words, rules.name), many, *box_facts(words, rules.model.box).values()))
