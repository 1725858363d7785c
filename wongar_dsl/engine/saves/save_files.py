"""Save files: exclusive writer lock, durable writes line by line, and cleanup after killed processes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from wongar_dsl.base.storage.files import sync_folder
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves.saves import SaveContents, SaveError, head_of, lines_of, read_save
from wongar_dsl.engine.undo.history import PastChoice

if sys.platform != "win32":
    import fcntl

_NONBLOCKING = getattr(os, "O_NONBLOCK", 0)
#: Temporary name of a file during an atomic write.
_TEMPORARY_NAME = re.compile(r"\..+\.[^.]{8}\.part")


def write_save(path: Path, match: Match, file: str = "", language: str = "", guided: bool = False) -> None:
    """Write a save atomically, so that a kill leaves the old or the new file; raises OSError, `SaveError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(path.parent)
    with contextlib.suppress(FileNotFoundError), open(path, "rb", opener=_open_nonblocking) as old:
        _lock(old, path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            _lock(out, path)
            out.write(_encoded([head_of(match, path, file, language, guided), *lines_of(match)]))
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe."""
    return os.open(path, flags | _NONBLOCKING)


def remove_finished(path: Path) -> bool:
    """Remove the save of a finished game; return False if the game is not over (any more).

    Raises OSError, and `SaveError` for a save that is in use or unreadable.
    """
    with open(path, "rb", opener=_open_nonblocking) as old:
        _lock(old, path)
        # The lock is needed for a reliable answer: another process could have undone the last move.
        if not os.path.samestat(os.fstat(old.fileno()), path.stat()) or not read_save(path).over:
            return False
        path.unlink()
        return True


#: Identity and version of a file: device, inode, size and modification time.
_FileVersion = tuple[int, int, int, int]


def _file_version(file: Path | BinaryIO) -> _FileVersion:
    status = file.stat() if isinstance(file, Path) else os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class SaveFile:
    """The save of a running match; other writers get `SaveError` with `in_use`."""

    def __init__(self, path: Path, file: str = "", guided: bool = False) -> None:
        self.path, self._file, self._guided, self._language = path, file, guided, ""
        self._handle: BinaryIO | None = None
        self._written_choices: list[PastChoice] = []
        self._seats: tuple[Seat, ...] = ()
        self._over = False
        #: The file as this process last wrote it.
        self._written_version: _FileVersion | None = None

    @classmethod
    def resume(cls, path: Path, saved: SaveContents, match: Match) -> SaveFile:
        """Continue a save that was read, after its last complete line; raises OSError, `SaveError`."""
        save_file = cls(path, saved.file, saved.guided)
        save_file._language = saved.language
        if saved.version > 1:
            save_file._open()
            assert save_file._handle is not None
            save_file._handle.truncate(saved.length)
            save_file._handle.seek(0, os.SEEK_END)
            save_file._written_version = _file_version(save_file._handle)
            save_file._written_choices, save_file._over = list(match.past.choices), saved.over
            save_file._seats = saved.seats
        return save_file

    def write(self, match: Match, language: str = "") -> None:
        """Write the new steps and the current language.

        After an OSError the next call rewrites the whole file. The file is also rewritten if the seats have changed,
        which are in its first line, or if another program has moved, removed, replaced or modified it.
        """
        if self._handle is not None and (match.seats != self._seats or self.lost):
            self.close()
        if self._handle is None:
            write_save(self.path, match, self._file, language, self._guided)
            self._open()
            self._written_choices, self._over, self._language = list(match.past.choices), match.state.over, language
            self._seats = match.seats
            return
        choices = match.past.choices
        unchanged = min(len(choices), len(self._written_choices))
        while unchanged and choices[unchanged - 1] is not self._written_choices[unchanged - 1]:
            unchanged -= 1
        lines: list[dict[str, object]] = [{"undo": unchanged}] if unchanged < len(self._written_choices) else []
        changed = (
            lines
            or len(choices) > unchanged
            or match.thought
            or language != self._language
            or (match.state.over and not self._over)
        )
        if not changed:
            return
        lines += lines_of(match, unchanged)
        if language != self._language:
            lines.append({"language": language})
        try:
            self._handle.write(_encoded(lines))
            self._handle.flush()
            os.fsync(self._handle.fileno())
            self._written_version = _file_version(self._handle)
        except OSError:
            self.close()
            raise
        self._written_choices[unchanged:], self._over, self._language = choices[unchanged:], match.state.over, language

    def close(self) -> None:
        """Close the file so that others may write it."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                self._handle.close()
            self._handle = None

    def _open(self) -> None:
        handle = self.path.open("r+b")
        try:
            _lock(handle, self.path)
        except BaseException:
            handle.close()
            raise
        handle.seek(0, os.SEEK_END)
        self._handle, self._written_version = handle, _file_version(handle)

    @property
    def lost(self) -> bool:
        """Return whether the path no longer leads to the file as this process last wrote it."""
        try:
            return self._handle is None or _file_version(self.path) != self._written_version
        except OSError:
            return True


def _encoded(lines: Iterable[dict[str, object]]) -> bytes:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    # A path may contain bytes that are not UTF-8, which JSON writes as escapes.
    return text.encode("utf-8", "backslashreplace")


def _lock(handle: BinaryIO, path: Path) -> None:
    """Lock a file for writing until it is closed; raise `SaveError` if another process has the lock."""
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SaveError("in_use", path=str(path)) from None


def is_open(path: Path) -> bool:
    """Return whether another program has a save open for writing, as far as can be determined."""
    try:
        with path.open("rb") as handle:
            _lock(handle, path)
    except SaveError:
        return True
    except OSError:
        pass
    return False


def _remove_abandoned(folder: Path) -> None:
    """Remove temporary files of killed processes from a folder, where locks can tell."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        for part in folder.iterdir():
            if _TEMPORARY_NAME.fullmatch(part.name):
                # A process that still writes the file holds its lock.
                with contextlib.suppress(OSError, SaveError), part.open("rb") as handle:
                    _lock(handle, part)
                    part.unlink()
