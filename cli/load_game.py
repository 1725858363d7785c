"""Loading of a game for a command: rules, catalogs beside them, seats, viewers and settings, and what prevents it."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic, RulesError
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine import Game, PlayFault, library
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.library.game_ids import rule_files_in
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import SaveError, SaveFile
from wongar_dsl.nlg.words import Text, Translator, Value, WordsError, quoted
from wongar_dsl.session.game_session import GameSession, new_seed, reopen_save
from wongar_dsl.session.seats import SessionSetupError, create_game
from wongar_dsl.session.seats import read_seats as parse_seats

from . import save_paths
from .errors import USAGE, UserError, os_error_text
from .language import cache, language_folders, load_translator, named_folders, select_language
from .terminal.screen import echo, terminal_width

#: Limit in seconds of processor time for reading neighbouring rule files.
MAX_NEIGHBOUR_CPU_S = 3.0

#: Diagnostic code for a packed variant whose base here is not the one that it was packed with.
OTHER_BASE = "R0010"


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """Rules and texts of a game; `file` has one path or name per line, or is "" for built-in rules."""

    rules: Rules
    words: Translator
    file: str

    def seats(self, first: str, other: str) -> tuple[Seat, ...]:
        """Return the minimum number of seats: one of kind `first`, all others of kind `other`."""
        return (Seat(first), *(Seat(other),) * (self.rules.model.players[0] - 1))

    def create_game(self, seats: int | None, settings: Sequence[str], backend: str) -> Game:
        """Return the game for a number of seats, by default the minimum.

        Raises `SessionSetupError` if the rules do not allow it.
        """
        return create_game(self.rules, seats or self.rules.model.players[0], settings, backend, cache())

    def create_session(
        self, seats: Sequence[Seat], seed: int | None, settings: Sequence[str], backend: str, path: Path | None
    ) -> GameSession:
        """Start a new session; without a seed, with a random one.

        Raises `SessionSetupError` and `PlayFault`.
        """
        game = self.create_game(len(seats), settings, backend)
        if backend == "native":
            warn_slow_backend(game, backend, self.words)
        match = Match.begin(game, seats, new_seed() if seed is None else seed, self.rules.hash)
        return GameSession(self.rules, match, self.words, self.file, path or save_paths.new_file(game.name))


def warn_slow_backend(game: Game, backend: str, words: Translator) -> None:
    """Print a notice if the native backend was requested but cannot be used.

    With `auto`, the check is whether a compiler is available, to avoid a delay. Only an explicit `native` compiles
    here.
    """
    from wongar_dsl.compiler.backends.native import compiler, library

    if game.backend.name != "native" if backend == "native" else backend == "auto" and not compiler.is_available():
        large = backend == "native" and compiler.is_available() and library.too_large(game.program)
        echo(words.say("cli.too_large_to_compile" if large else "cli.no_compiler"), err=True)


def open_game(name: str, words: Translator) -> OpenedGame:
    """Load a game by name or path.

    Raises `RulesError`, or `WordsError` if the catalogs beside it cannot be used.
    """
    rules = library.load(name, cache())
    return OpenedGame(rules, words_for(rules, words), "\n".join(library.resolved_pieces(name)))


def neighbours(files: Iterable[Path], cache: Cache | None = None) -> Iterator[tuple[Path, Rules | None]]:
    """Yield rule files with their rules: None if faulty, or if the time limit has been reached.

    The limit is needed because a folder can contain many files, also of other authors.
    """
    end = time.process_time() + MAX_NEIGHBOUR_CPU_S
    for file in files:
        yield file, library.inspect(str(file), cache)[0] if time.process_time() < end else None


def games_in(folder: Path) -> tuple[list[Game], bool]:
    """Return the games of all rule files in a folder, and whether all could be loaded.

    A text that one game does not use may belong to another. If a file cannot be loaded, findings that need all files
    are not reported.
    """
    games, complete = [], True
    for _, rules in neighbours(rule_files_in(folder)):
        complete = complete and rules is not None
        if rules is not None:
            games.append(rules.game(rules.model.players[0], backend="reference"))
    return games, complete


def words_for(rules: Rules, words: Translator, *more: Rules) -> Translator:
    """Return the texts of the same language including the catalogs beside the given rules."""
    roots = list(dict.fromkeys(root for source in (rules, *more) for root in source.words_beside))
    return load_translator(words.language, roots) if roots else words


def warnings(session: GameSession) -> list[str]:
    """Return the warnings before a game: a pack with a different base, and errors in its catalogs.

    Texts that are faulty are shown in English during play.
    """
    words, catalog_folders, beside = session.words, language_folders(), session.rules.words_beside
    based = [d for d in session.rules.warnings if d.code == OTHER_BASE]
    # The catalogs of a pack were checked when it was made, and its user cannot change them.
    written = [
        folder
        for folder in dict.fromkeys((*catalog_folders, *beside))
        if isinstance(folder, Path) and (folder / words.language).is_dir()
    ]
    if not based and not written:
        return []
    from wongar_dsl.nlg.diagnostic_text import render_text
    from wongar_dsl.nlg.translation import language_faults

    messages = [render_text([d], words.say, terminal_width()) for d in based]
    game = session.file.replace("\n", "+") or session.rules.name
    for folder in written:
        faults = language_faults([session.match.game], folder, [words.language], [*catalog_folders, *beside])
        wrong = {(f.file, f.line, f.about) for f in faults}
        if wrong:
            check = ["validate", game] if folder in beside else ["words", words.language, "--game", game]
            named = ["--words", str(folder)] if folder in named_folders() else []
            command = Text(shlex.join(["wongar", *check, *named]))
            messages.append(words.say("cli.wrong_words", n=len(wrong), language=Text(words.language), command=command))
    return messages


def reopen(
    path: Path,
    words: Translator,
    backend: str = "python",
    in_saved_language: bool = False,
    writing: bool = False,
    marked: bool = False,
) -> GameSession:
    """Open the game of a save.

    With `writing`, the session continues the save file. With `in_saved_language`, it uses the language of the save if
    that is available. With `marked`, events record their origin in the rules. Raises `SaveError` for a save that cannot
    be used or, with `writing`, is in use.
    """
    saved_game, save_file = reopen_save(path, backend, cache(), marked), None
    if writing:
        try:
            save_file = SaveFile.resume(path, saved_game.saved, saved_game.match)
        except OSError as error:
            raise SaveError("unreadable", path=str(path), why=error.strerror or "") from error
    saved, game_words = saved_game.saved, words_for(saved_game.rules, words)
    session = GameSession(
        saved_game.rules, saved_game.match, game_words, saved_game.file, path, saved.torn, save_file, saved.guided
    )
    if in_saved_language and saved.language not in ("", words.language):
        with contextlib.suppress(WordsError, UserError):
            session.set_language(select_language(saved.language, os.environ, saved_game.rules.words_beside))
    return session


def read_seats(text: str | None) -> tuple[Seat, ...] | None:
    """Parse a list of seats; None without a text.

    Raises `SessionSetupError` if a seat is invalid.
    """
    return parse_seats(text) if text is not None else None


def report_spectator_view(who: str | None, session: GameSession, words: Translator) -> None:
    """Print a notice that the log is limited to a spectator's view, unless the view was chosen."""
    if who is None and not session.match.state.over and session.match.game.knowledge.has_secrets:
        echo(words.say("cli.watched"), err=True)


def read_viewer(who: str | None, session: GameSession, words: Translator) -> int | None:
    """Parse a viewer: a seat number, or `all`.

    The default is everything once the game is over, otherwise a spectator's view. Raises `UserError` if there is no
    such seat.
    """
    seats = session.match.game.seats
    if who is None:
        return EVERYTHING if session.match.state.over else None
    if who == "all":
        return EVERYTHING
    if not re.fullmatch(r"[1-9][0-9]?", who, re.ASCII) or int(who) > seats:
        raise UserError(words.say("cli.no_such_seat", seat=quoted(who), n=seats), USAGE)
    return int(who) - 1


# ---- errors ----------------------------------------------------------------------------------------------------------


def diagnostics_of(error: Exception) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of faulty rules; empty for other errors."""
    if isinstance(error, PlayFault):
        return (error.diagnostic,)
    return error.diagnostics if isinstance(error, RulesError) else ()


def refusal(error: Exception, words: Translator) -> UserError | None:
    """Return an exception as an error for the user; None for an internal one."""
    match error:
        case UserError():
            return error
        case WordsError():
            return UserError(words.say(error.name, None, **error.details))
        case SessionSetupError():
            details: Mapping[str, Value] = error.details
            if "low" in details and "option" in details:
                allowed = words.say("cli.from_to", low=details["low"], high=details["high"])
                details = {"option": details["option"], "value": details["value"], "allowed": Text(allowed)}
            return UserError(words.say(f"cli.{error.reason}", None, **details), USAGE)
        case SaveError():
            return save_error(error, words)
    return None


def save_error(error: SaveError, words: Translator) -> UserError:
    """Return the error for a save that cannot be used."""
    arguments: dict[str, Value] = {
        {"game": "rules"}.get(name, name): quoted(value) if isinstance(value, str) else value
        for name, value in error.arguments.items()
    }
    if "why" in arguments:
        arguments["why"] = quoted(os_error_text(error.__context__, words))
    return UserError(words.say(f"cli.save.{error.reason}", None, **arguments))
