"""Introduction of the players at the start of a game."""

from __future__ import annotations

from wongar_dsl.engine.bots import MCTS_PREFIX
from wongar_dsl.nlg.words import Listing, Text, Translator

from .display import Display


def show_introduction(display: Display) -> None:
    """Print the players, and instructions for answering."""
    session = display.session
    shown = []
    for seat, (name, letter) in enumerate(zip(session.names, session.letters, strict=True)):
        label = name if name[:1].upper() == letter else f"{letter} = {name}"
        shown.append(Text(f"{label} ({_kind(session.match.seats[seat].kind, session.words)})"))
    players = Listing(tuple(shown))
    if session.match.game.knowledge.has_secrets:
        display.say("cli.at_the_table.secret", players=players)
    else:
        display.say("cli.at_the_table", players=players, seed=Text(str(session.match.seed)))
    if display.humans:
        display.say("cli.how_to", "faint")


def _kind(kind: str, words: Translator) -> str:
    """Return the kind of a seat's occupant in words."""
    if kind.startswith(MCTS_PREFIX):
        return words.say("cli.kind.mcts", budget=Text(kind.removeprefix(MCTS_PREFIX)))
    return words.say(f"cli.kind.{kind}")
