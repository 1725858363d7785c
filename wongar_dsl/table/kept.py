"""The games that are kept: what is said of each without playing it on."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wongar_dsl.cache import Cache, fingerprint, remembered
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import Saved, SaveError, read_save
from wongar_dsl.table.names import names_of
from wongar_dsl.table.table import reopened

SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a game has come: who is asked (None: nobody, it is over), and who has won."""

    seat: int | None
    winners: tuple[int, ...]


@dataclass(frozen=True)
class Kept:
    """A save: its file, when it was written last (in seconds since 1970), what it says, or why it says nothing."""

    path: Path
    written: float
    saved: Saved | None
    fault: SaveError | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of those who play."""
        return names_of(self.saved.seats) if self.saved is not None else ()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.saved is not None and self.saved.over


def kept_files(folder: Path) -> list[tuple[float, Path]]:
    """When each save of a folder was written last, and its file, the last written first; nothing of them is read."""
    found = []
    with contextlib.suppress(OSError):  # There may be no such folder.
        for path in folder.iterdir():
            # A file may go while others are looked at.
            with contextlib.suppress(OSError):
                if path.suffix == SUFFIX and path.is_file():
                    found.append((path.stat().st_mtime, path))
    return sorted(found, reverse=True)


def kept_games(folder: Path) -> list[Kept]:
    """All saves of a folder, the last written first; raises no error for those that cannot be read, nor for none."""
    return [_kept(path, written) for written, path in kept_files(folder)]


def _kept(path: Path, written: float) -> Kept:
    try:
        return Kept(path, written, read_save(path))
    except SaveError as error:
        return Kept(path, written, None, error)


def standing(kept: Kept, cache: Cache | None) -> Standing:
    """How far a game has come, played again if nobody has looked before; raises `SaveError` where that cannot be."""

    def found() -> Standing:
        try:
            state = reopened(kept.path, "python", cache).match.state
        except PlayFault:
            raise SaveError("broken", path=str(kept.path)) from None
        return Standing(None if state.over else state.seat, state.winners)

    return remembered(found, cache, "standing", _content(kept.path))


def note_standing(path: Path, match: Match, cache: Cache | None) -> None:
    """Remember how far the match of a save has come, so that it need not be played again to list it."""
    with contextlib.suppress(SaveError):
        if read_save(path).choices != tuple((step.text, step.time) for step in match.steps):
            return  # It could not be written, or somebody else has gone on.
        state = match.state
        where = Standing(None if state.over else state.seat, state.winners)
        remembered(lambda: where, cache, "standing", _content(path))


def _content(path: Path) -> str:
    try:
        return fingerprint(path.read_bytes())
    except OSError as error:
        raise SaveError("unreadable", path=str(path), why=error.strerror or "") from error
