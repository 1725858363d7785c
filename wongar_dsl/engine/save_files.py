"""Files of saves: one writer at a time, each line written through to the disk, nothing left behind by a kill."""

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

from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.past import Choice
from wongar_dsl.engine.saves import Saved, SaveError, head_of, lines_of, read_save
from wongar_dsl.text.files import settle

if sys.platform != "win32":
    import fcntl

_NO_WAITING = getattr(os, "O_NONBLOCK", 0)
#: What a write in one go is called until it is done.
_PART = re.compile(r"\..+\.[^.]{8}\.part")


def write_save(path: Path, match: Match, file: str = "", language: str = "", guided: bool = False) -> None:
    """Write a save in one go: a kill at any moment leaves the old one or the new one; raises OSError, `SaveError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path.parent)
    with contextlib.suppress(FileNotFoundError), open(path, "rb", opener=_careful) as old:
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
    settle(path.parent)


def _careful(path: str, flags: int) -> int:
    """Open a file without waiting for a writer where it is a pipe."""
    return os.open(path, flags | _NO_WAITING)


def remove_finished(path: Path) -> bool:
    """Remove the save of a game that is over; False where it is not, or not any more, so that it stays.

    Raises OSError, and `SaveError` for one that is open elsewhere or cannot be read.
    """
    with open(path, "rb", opener=_careful) as old:
        _lock(old, path)
        # Only who holds the lock may say that it is over: until then somebody could have taken the last move back.
        if not os.path.samestat(os.fstat(old.fileno()), path.stat()) or not read_save(path).over:
            return False
        path.unlink()
        return True


#: What tells a file from another one, and from itself after somebody wrote to it.
_Mark = tuple[int, int, int, int]


def _mark(file: Path | BinaryIO) -> _Mark:
    found = file.stat() if isinstance(file, Path) else os.fstat(file.fileno())
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class SaveFile:
    """The save of one match while it is played; whoever else wants to write it gets `SaveError` with `in_use`."""

    def __init__(self, path: Path, file: str = "", guided: bool = False) -> None:
        self.path, self._file, self._guided, self._language = path, file, guided, ""
        self._handle: BinaryIO | None = None
        self._kept: list[Choice] = []
        self._seats: tuple[Seat, ...] = ()
        self._over = False
        #: The file as this program left it.
        self._left: _Mark | None = None

    @classmethod
    def resume(cls, path: Path, saved: Saved, match: Match) -> SaveFile:
        """Go on with a save that was read, from its last whole line; raises OSError, `SaveError`."""
        kept = cls(path, saved.file, saved.guided)
        kept._language = saved.language
        if saved.version > 1:
            kept._open()
            assert kept._handle is not None
            kept._handle.truncate(saved.length)
            kept._handle.seek(0, os.SEEK_END)
            kept._left = _mark(kept._handle)
            kept._kept, kept._over = list(match.past.choices), saved.over
            kept._seats = saved.seats
        return kept

    def keep(self, match: Match, language: str = "") -> None:
        """Write what is new, and the language spoken; raises OSError, and then the next call writes everything anew.

        Everything is written in one go where who sits where has changed, which stands in the first line, and where
        the file is not as this program left it: moved, removed, replaced or written to by another program.
        """
        if self._handle is not None and (match.seats != self._seats or self.lost):
            self.close()
        if self._handle is None:
            write_save(self.path, match, self._file, language, self._guided)
            self._open()
            self._kept, self._over, self._language = list(match.past.choices), match.state.over, language
            self._seats = match.seats
            return
        choices = match.past.choices
        same = min(len(choices), len(self._kept))
        while same and choices[same - 1] is not self._kept[same - 1]:
            same -= 1
        lines: list[dict[str, object]] = [{"undo": same}] if same < len(self._kept) else []
        changed = (
            lines
            or len(choices) > same
            or match.thought
            or language != self._language
            or (match.state.over and not self._over)
        )
        if not changed:
            return
        lines += lines_of(match, same)
        if language != self._language:
            lines.append({"language": language})
        try:
            self._handle.write(_encoded(lines))
            self._handle.flush()
            os.fsync(self._handle.fileno())
            self._left = _mark(self._handle)
        except OSError:
            self.close()
            raise
        self._kept[same:], self._over, self._language = choices[same:], match.state.over, language

    def close(self) -> None:
        """Let others write the file."""
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
        self._handle, self._left = handle, _mark(handle)

    @property
    def lost(self) -> bool:
        """Whether the path no longer leads to the file as this program left it."""
        try:
            return self._handle is None or _mark(self.path) != self._left
        except OSError:
            return True


def _encoded(lines: Iterable[dict[str, object]]) -> bytes:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    # A path may be no text; JSON writes what is none of UTF-8 as Python does.
    return text.encode("utf-8", "backslashreplace")


def _lock(handle: BinaryIO, path: Path) -> None:
    """See to it that nobody else writes a file, until it is closed."""
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SaveError("in_use", path=str(path)) from None


def is_open(path: Path) -> bool:
    """Whether a program has a save open for writing, as far as that can be seen."""
    try:
        with path.open("rb") as handle:
            _lock(handle, path)
    except SaveError:
        return True
    except OSError:
        pass
    return False


def _sweep(folder: Path) -> None:
    """Remove what killed writes have left in a folder, where it can be known that they are dead."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        for part in folder.iterdir():
            if _PART.fullmatch(part.name):
                # Who still writes it holds its lock.
                with contextlib.suppress(OSError, SaveError), part.open("rb") as handle:
                    _lock(handle, part)
                    part.unlink()
