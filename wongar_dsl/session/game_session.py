"""Game session: a match with its rules, player names, language and save file; and the saved games of a folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.base.storage.cache import Cache, fingerprint, memoised
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.bots import is_bot
from wongar_dsl.engine.library import Rules, load, relocated_name, resolved_pieces
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import SaveContents, SaveError, SaveFile, read_save, replay, write_save
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.menu import OptionNumbers
from wongar_dsl.session.seats import letters_of, names_of


@dataclass(slots=True)
class GameSession:
    """Match with its rules, language and save file.

    `file` holds the paths of the rule files, one per line; it is empty for built-in games. `path` is the save file,
    written after every decision. `torn`: the save had a truncated last line. `guided`: the match is a tutorial.
    """

    rules: Rules
    match: Match
    words: Translator
    file: str
    path: Path
    torn: bool = False
    save_file: SaveFile | None = None
    guided: bool = False
    numbering: OptionNumbers = field(default_factory=OptionNumbers, init=False)
    names: tuple[str, ...] = field(init=False)
    letters: tuple[str, ...] = field(init=False)
    narrator: Narrator = field(init=False)
    #: Language of the session, also while a player's own one is active.
    common: Translator = field(init=False)
    player_translators: dict[int, Translator] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.common = self.words
        self.set_seats(self.match.seats)

    def rematch(self, path: Path) -> GameSession:
        """Return a session for the same players with seats rotated by one: same rules, settings and languages."""
        match = self.match
        seats = [replace(seat, name=name) for seat, name in zip(match.seats, self.names, strict=True)]
        rotated = Match.begin(match.game, (*seats[1:], seats[0]), new_seed(), match.rules_hash)
        session = GameSession(self.rules, rotated, self.common, self.file, path)
        session.player_translators = {(seat - 1) % len(seats): words for seat, words in self.player_translators.items()}
        return session

    def set_seats(self, seats: Sequence[Seat]) -> None:
        """Set the players at the seats."""
        self.match.seats = tuple(seats)
        self.names = names_of(self.match.seats)
        self.letters = letters_of(self.names)
        self._say(self.words)

    def set_language(self, words: Translator) -> None:
        """Switch the session to another language."""
        self.common = words
        self._say(words)

    def set_player_language(self, seat: int, words: Translator) -> None:
        """Set a seat's own language, used whenever that player looks."""
        self.player_translators[seat] = words
        self.match.set_language(seat, words.language)

    def switch_to_viewer_language(self, seat: int | None) -> None:
        """Switch to the language of the player who looks now, or to that of the session for None."""
        words = self.common if seat is None else self.player_translators.get(seat, self.common)
        if words is not self.words:
            self._say(words)

    def _say(self, words: Translator) -> None:
        self.words = words
        self.narrator = Narrator(self.match.game, words, self.names)

    def save(self, path: Path | None = None) -> None:
        """Append the new steps to the save file, or write everything to another path; raise OSError or `SaveError`."""
        if path is not None and path != self.path:
            write_save(path, self.match, self.file, self.common.language, self.guided)
            return
        if self.save_file is None:
            self.save_file = SaveFile(self.path, self.file, self.guided)
        self.save_file.write(self.match, self.common.language)

    @property
    def lost(self) -> bool:
        """True if another program has moved, removed or changed the save since it was written."""
        return self.save_file is not None and self.save_file.lost

    def close(self) -> None:
        """Release the save file."""
        if self.save_file is not None:
            self.save_file.close()

    def humans(self) -> tuple[int, ...]:
        """Return the seats of human players."""
        return tuple(p for p, s in enumerate(self.match.seats) if s.kind == "human")


@dataclass(frozen=True, slots=True)
class ReopenedSave:
    """Contents of a save: a match, its rules, their paths as in `GameSession.file`, and the save's own data."""

    rules: Rules
    match: Match
    file: str
    saved: SaveContents


def reopen_save(path: Path, backend: str, cache: Cache | None, marked: bool = False) -> ReopenedSave:
    """Return the contents of a save; with `marked`, events carry their source position in the rules.

    Raise `SaveError` for an unusable save.
    """
    # Imported here because a new game does not need it.
    from wongar_dsl.session.migrate_save import lay_out_position

    saved = read_save(path)
    if not all(seat.kind == "human" or is_bot(seat.kind) for seat in saved.seats):
        raise SaveError("broken", path=str(path))
    rules, file = _rules_of(saved, path, cache)
    try:
        seats, settings = len(saved.seats), saved.settings
        game = rules.marked(seats, settings, backend) if marked else rules.game(seats, settings, backend, cache)
    except (ValueError, KeyError, TypeError):
        raise SaveError("broken", path=str(path)) from None
    return ReopenedSave(rules, replay(game, rules.hash, saved, path, lay_out_position), file, saved)


def _rules_of(saved: SaveContents, path: Path, cache: Cache | None) -> tuple[Rules, str]:
    """Return the rules of a save and their paths: the files beside it, or at their old location.

    The rules with the hash of the save are chosen.
    """
    save_folder = path.resolve().parent
    files = tuple(saved.file.split("\n")) if saved.file else ()
    relative_paths = dict(zip(files, saved.beside.split("\n"), strict=False))
    places = [
        (str(save_folder / relative_paths.get(file, file)), str(save_folder / Path(file).name), file) for file in files
    ]
    moved = (dict(zip(files, where, strict=True)) for where in zip(*places, strict=True))
    names = [relocated_name(files, where) for where in moved] if files else [saved.game]
    loaded = False
    for name in dict.fromkeys(names):
        try:
            rules = load(name, cache)
        except RulesError:
            continue
        loaded = True
        if rules.hash == saved.rules:
            return rules, "\n".join(resolved_pieces(name))
    game = saved.file.replace("\n", " + ") or saved.game
    raise SaveError("other_rules" if loaded else "unknown_game", path=str(path), game=game)


def new_seed() -> int:
    """Return a random 64-bit seed that cannot be guessed by enumeration."""
    return int.from_bytes(os.urandom(8), "big")


SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class GameProgress:
    """Progress of a game: the deciding seat (None if it is over) and the winners."""

    seat: int | None
    winners: tuple[int, ...]


@dataclass(frozen=True)
class SavedGame:
    """Save file: path, time of the last write (seconds since 1970), and its content or the error from reading it."""

    path: Path
    written: float
    saved: SaveContents | None
    fault: SaveError | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return names_of(self.saved.seats) if self.saved is not None else ()

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.saved is not None and self.saved.over


def save_files(folder: Path) -> list[tuple[float, Path]]:
    """Return (time of the last write, path) of each save file in a folder, newest first, without reading them."""
    files = []
    with contextlib.suppress(OSError):  # The folder may not exist.
        for path in folder.iterdir():
            # A file may vanish meanwhile.
            with contextlib.suppress(OSError):
                if path.suffix == SUFFIX and path.is_file():
                    files.append((path.stat().st_mtime, path))
    return sorted(files, reverse=True)


def list_saves(folder: Path) -> list[SavedGame]:
    """Return all saves of a folder, newest first. Unreadable saves carry their error; a missing folder has no saves."""
    return [_read(path, written) for written, path in save_files(folder)]


def _read(path: Path, written: float) -> SavedGame:
    try:
        return SavedGame(path, written, read_save(path))
    except SaveError as error:
        return SavedGame(path, written, None, error)


def read_progress(save: SavedGame, cache: Cache | None) -> GameProgress:
    """Return the progress of a game, cached or else from a replay; raise `SaveError` if it cannot be replayed."""

    def compute() -> GameProgress:
        try:
            return _progress(reopen_save(save.path, "python", cache).match)
        except PlayFault:
            raise SaveError("broken", path=str(save.path)) from None

    return memoised(compute, cache, "standing", _content(save.path))


def store_progress(path: Path, match: Match, cache: Cache | None) -> None:
    """Cache the progress of a saved match, so that listing it needs no replay."""
    with contextlib.suppress(SaveError):
        if read_save(path).choices != tuple((step.text, step.time) for step in match.steps):
            return  # The save failed, or another program has continued the game.
        memoised(lambda: _progress(match), cache, "standing", _content(path))


def _progress(match: Match) -> GameProgress:
    return GameProgress(None if match.state.over else match.state.seat, match.state.winners)


def _content(path: Path) -> str:
    try:
        return fingerprint(path.read_bytes())
    except OSError as error:
        raise SaveError("unreadable", path=str(path), why=error.strerror or "") from error
