"""Saved games of a folder, and their progress without replaying them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wongar_dsl.base.storage.cache import Cache, fingerprint, memoised
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves.saves import SaveContents, SaveError, read_save
from wongar_dsl.session.game_session import reopen_save
from wongar_dsl.session.seats.seat_spec import names_of

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
            state = reopen_save(save.path, "python", cache).match.state
        except PlayFault:
            raise SaveError("broken", path=str(save.path)) from None
        return GameProgress(None if state.over else state.seat, state.winners)

    return memoised(compute, cache, "standing", _content(save.path))


def store_progress(path: Path, match: Match, cache: Cache | None) -> None:
    """Cache the progress of a saved match, so that listing it needs no replay."""
    with contextlib.suppress(SaveError):
        if read_save(path).choices != tuple((step.text, step.time) for step in match.steps):
            return  # The save failed, or another program has continued the game.
        state = match.state
        progress = GameProgress(None if state.over else state.seat, state.winners)
        memoised(lambda: progress, cache, "standing", _content(path))


def _content(path: Path) -> str:
    try:
        return fingerprint(path.read_bytes())
    except OSError as error:
        raise SaveError("unreadable", path=str(path), why=error.strerror or "") from error
