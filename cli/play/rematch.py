"""Rematch after a game: the same players, with seats rotated by one."""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.engine.match import Match
from wongar_dsl.session.game_session import GameSession, new_seed

from ..arguments import save_paths
from ..language import is_yes
from .terminal_session import LineSession


def wants_rematch(session: LineSession) -> bool:
    """Ask the players at a terminal for a rematch; elsewhere, and among bots, return False."""
    display, words = session.display, session.table.words
    if not display.screen.interactive or not display.humans or not session.table.match.state.over:
        return False
    try:
        answer = session.ask_after(words.say("ending.again"))
    except (EOFError, KeyboardInterrupt):
        display.screen.line()
        return False
    # Enter alone does not mean yes, since it is easily pressed once too often.
    return is_yes(answer, words)


def rematch(table: GameSession) -> GameSession:
    """Return a new session with its own save: same rules, settings and language, seats rotated by one."""
    match = table.match
    seats = [replace(seat, name=name) for seat, name in zip(match.seats, table.names, strict=True)]
    turned = Match.begin(match.game, (*seats[1:], seats[0]), new_seed(), match.rules_hash)
    new = GameSession(table.rules, turned, table.common, table.file, save_paths.new_file(match.game.name))
    new.player_translators = {(seat - 1) % len(seats): words for seat, words in table.player_translators.items()}
    return new
