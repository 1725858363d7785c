"""`wongar play`: a new game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.nlg.words import Listing, Text, Translator, quoted

from ...cache import cache
from ...errors import UserError
from ...exit_codes import FAILURE, SUCCESS, USAGE
from ...language import is_yes
from ...terminal.output import OutputLost
from ...terminal.screen import Screen, echo, is_dumb
from ...terminal.signals import interrupt_code, raise_on_signal
from ..options import (
    every_step_option,
    forecast_option,
    game_argument,
    pictures_option,
    plain_option,
    seats_option,
    table_options,
    text_option,
)

if TYPE_CHECKING:
    from wongar_dsl.session.game_session import GameSession

    from ...play.terminal_session import LineSession
    from ...play.tutorial.observer import Observer


def command(words: Translator) -> click.Command:
    """Return the click command `wongar play`."""

    def run(
        game: str | None,
        seats: str | None,
        seed: int | None,
        save: str | None,
        source: str | None,
        backend: str,
        options: tuple[str, ...],
        every_step: bool,
        forecast: bool,
        plain: bool,
        drawn: bool,
    ) -> int:
        from ...arguments.load_game import open_game
        from ...arguments.seats import read_seats

        path = save_path_for(save, words)
        chosen_seats = read_seats(seats, words)
        if source is not None:
            from .play_from_save import migrated_table

            if seed is not None:
                raise UserError(words.say("cli.from.seed"), USAGE)
            session, notes = migrated_table(game, source, chosen_seats, options, backend, path, words)
            for line in notes:
                echo(line)
            return play_session(session, every_step, forecast, plain=plain, drawn=drawn)
        opened = open_game(game or _ask_game(words), words)
        players = chosen_seats or opened.seats("human", "easy")
        session = opened.create_session(players, seed, options, backend, path)
        return play_session(session, every_step, forecast, plain=plain, drawn=drawn)

    return click.Command(
        "play",
        callback=run,
        help=words.say("cli.play.help"),
        params=[
            game_argument(words, required=False),
            seats_option(words),
            text_option(words, ["--save"], "cli.file.metavar", "cli.saveto.help"),
            text_option(words, ["--from", "source"], "cli.file.metavar", "cli.from.help"),
            *table_options(words),
            every_step_option(words),
            forecast_option(words),
            plain_option(words),
            pictures_option(words),
        ],
    )


def play_session(
    session: GameSession,
    every_step: bool,
    forecast: bool = True,
    resumed: bool = False,
    plain: bool = False,
    drawn: bool = False,
    observer: Observer | None = None,
) -> int:
    """Play a session, and rematches on request; return the exit code.

    At a terminal the session runs full-screen. With `plain` (position in words) or `drawn` (position as pictures), and
    elsewhere, it runs line by line.

    `every_step` reports events step by step, and `forecast` shows the effect of each option at a terminal. `observer`
    is notified of every decision, for example the tutorial.
    """
    from ...arguments import load_game, save_paths
    from ...play.player_language import load_player_languages
    from ...play.rematch import wants_rematch

    load_player_languages(session, strict=not resumed)
    for warning in load_game.warnings(session):
        echo(warning, err=True)
    while True:
        line_session = _line_session(session, every_step, forecast, plain, drawn)
        line_session.observer = observer
        code = _run(line_session, resumed)
        if code not in (SUCCESS, FAILURE) or observer is not None or not wants_rematch(line_session):
            return code
        session, resumed = session.rematch(save_paths.new_file(session.match.game.name)), False


def _line_session(session: GameSession, every_step: bool, forecast: bool, plain: bool, drawn: bool) -> LineSession:
    """Return a full-screen session if the terminal supports it and the user allows it, otherwise a line-by-line one."""

    screen = Screen()
    if screen.interactive and not plain and not drawn and not is_dumb():
        from ...fullscreen.screen_session import FullscreenSession

        return FullscreenSession(session, screen, every_step, forecast)
    from ...play.input import answer_reader
    from ...play.terminal_session import LineSession

    aloud = (screen.interactive or plain) and not drawn
    return LineSession(session, screen, answer_reader(screen, session), every_step, forecast, aloud)


def _run(line_session: LineSession, resumed: bool) -> int:
    """Play a game until it ends or the player quits; return the exit code."""
    from wongar_dsl.engine import PlayFault

    try:
        with raise_on_signal():
            return line_session.run(resumed)
    except KeyboardInterrupt as stopped:
        line_session.screen.line()
        line_session.commands.leave()
        return interrupt_code(stopped)
    except (UserError, PlayFault, OutputLost, BrokenPipeError):
        raise
    except Exception:
        line_session.commands.leave()
        raise
    finally:
        line_session.session.close()
        _store_progress(line_session.session)


def _store_progress(session: GameSession) -> None:
    """Store the progress of a game for the list of saved games."""
    from wongar_dsl.session.game_session import store_progress

    store_progress(session.path, session.match, cache())


def save_path_for(save: str | None, words: Translator) -> Path | None:
    """Return the path to save the game at.

    Raises `UserError` if another file exists there and the user does not confirm that it may be replaced.
    """
    from ...arguments import save_paths

    if not save:
        return None
    path = save_paths.resolve_path(save, words)
    if not save_paths.may_replace(path):
        shown = quoted(str(path))
        screen = Screen()
        ask = path.is_file() and screen.interactive
        if not ask or not is_yes(screen.ask(words.say("cli.overwrite", path=shown)), words):
            raise UserError(words.say("cli.not_overwritten", path=shown), USAGE)
    return path


def _ask_game(words: Translator) -> str:
    """Return the only game, or let the user choose one at a terminal.

    Raises `UserError` elsewhere.
    """

    from ..rules.games import listing

    games = listing(words)
    if len(games) == 1:
        return games[0][0]
    screen = Screen()
    if not screen.interactive:
        names = Listing(tuple(Text(name) for name, _ in games))
        raise UserError(words.say("cli.which_game", games=names), USAGE)
    return choose(games, words)


def choose(games: Sequence[tuple[str, str]], words: Translator) -> str:
    """Let the user choose one of several named and described games at a terminal."""

    screen = Screen()
    for number, (name, text) in enumerate(games, 1):
        screen.line([("number", f"{number:>2} "), ("strong", words.pad(name, 20)), ("", f"  {text}")])
    while True:
        try:
            answer = screen.ask(words.say("cli.which_one", n=len(games))).strip()
        except EOFError:
            raise UserError("", SUCCESS) from None
        chosen = [name for number, (name, _) in enumerate(games, 1) if answer in (str(number), name)]
        if chosen:
            return chosen[0]
