"""`wongar play`, `wongar learn` and `wongar resume`: a new game, a guided first game, and an interrupted game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wongar_dsl.engine import PlayFault
from wongar_dsl.nlg.words import Listing, Text, Translator, quoted
from wongar_dsl.session.game_session import GameSession, store_progress
from wongar_dsl.session.menu import renumber

from .. import save_paths
from ..errors import FAILURE, SUCCESS, USAGE, UserError
from ..language import cache, is_yes
from ..load_game import open_game, read_seats, reopen, warn_slow_backend, warnings
from ..play.input import answer_reader
from ..play.metacommands import load_player_languages
from ..play.terminal_session import LineSession, wants_rematch
from ..terminal.screen import OutputLost, Screen, echo, is_dumb
from ..terminal.signals import interrupt_code, raise_on_signal
from .games import listing

if TYPE_CHECKING:
    from ..play.tutorial import TutorialObserver


def play_command(
    words: Translator, game: str | None, seats: str | None, seed: int | None, save: str | None, source: str | None,
    backend: str, options: tuple[str, ...], **output: Any,
) -> int:  # fmt: skip
    """Run `wongar play`."""
    path = save_path_for(save, words)
    chosen_seats = read_seats(seats)
    if source is not None:
        from ..play.from_save import migrated_table

        if seed is not None:
            raise UserError(words.say("cli.from.seed"), USAGE)
        session, notes = migrated_table(game, source, chosen_seats, options, backend, path, words)
        for line in notes:
            echo(line)
        return play_session(session, **output)
    opened = open_game(game or _ask_game(words), words)
    players = chosen_seats or opened.seats("human", "easy")
    session = opened.create_session(players, seed, options, backend, path)
    return play_session(session, **output)


def play_session(
    session: GameSession, resumed: bool = False, observer: TutorialObserver | None = None, every_step: bool = False,
    forecast: bool = True, plain: bool = False, drawn: bool = False,
) -> int:  # fmt: skip
    """Play a session, and rematches on request; return the exit code.

    At a terminal the session runs full-screen. With `plain` (position in words) or `drawn` (position as pictures), and
    elsewhere, it runs line by line.

    `every_step` reports events step by step, and `forecast` shows the effect of each option at a terminal. `observer`
    is notified of every decision, for example the tutorial.
    """
    load_player_languages(session, strict=not resumed)
    for warning in warnings(session):
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
        from ..fullscreen.session import FullscreenSession  # Only the full screen needs its library.

        return FullscreenSession(session, screen, every_step, forecast)
    aloud = (screen.interactive or plain) and not drawn
    return LineSession(session, screen, answer_reader(screen, session), every_step, forecast, aloud)


def _run(line_session: LineSession, resumed: bool) -> int:
    """Play a game until it ends or the player quits; return the exit code."""
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
        store_progress(line_session.session.path, line_session.session.match, cache())


def save_path_for(save: str | None, words: Translator) -> Path | None:
    """Return the path to save the game at.

    Raises `UserError` if another file exists there and the user does not confirm that it may be replaced.
    """
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


def learn_command(words: Translator, game: str | None, save: str | None, plain: bool, drawn: bool) -> int:
    """Run `wongar learn`."""
    from ..play import tutorial

    path = save_path_for(save, words)
    if game is None:
        games, screen = tutorial.games_with_tutorial(words), Screen()
        if not screen.interactive:
            for name, text in games:
                screen.line([("strong", words.pad(name, 20)), ("", f"  {text}")])
            return SUCCESS
        game = choose(games, words)
    opened = open_game(game, words)
    lesson = tutorial.tutorial_of(opened.rules, opened.words)
    session = opened.create_session(lesson.seats, lesson.seed, (), "auto", path)
    session.guided = True
    # A terminal without cursor control shows boards as pictures, unless plain text is requested.
    drawn = drawn or (is_dumb() and not plain)
    return play_session(session, observer=tutorial.TutorialObserver(lesson, session), plain=plain, drawn=drawn)


def resume_command(words: Translator, file: str | None, backend: str, **output: Any) -> int:
    """Run `wongar resume`."""
    path = save_paths.named_save(file, words)
    # A language named on the command line replaces the one stored in the save.
    language_given = click.get_current_context().obj is not None
    session = reopen(path, words, backend, in_saved_language=not language_given, writing=True)
    if backend == "native":
        warn_slow_backend(session.match.game, backend, session.words)
    renumber(session.numbering, session.match)
    observer = None
    if session.guided:
        from ..play import tutorial

        observer = tutorial.tutor_of(session)
    return play_session(session, resumed=True, observer=observer, **output)
