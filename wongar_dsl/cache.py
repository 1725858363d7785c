"""A folder of things worked out before, so that they need not be worked out again.

Entries are written in one go, so that two programs that write at once leave one whole entry.  What cannot be read or
written is as if it were not there: the cache makes things quicker, never otherwise.  It holds code: the folder and each
entry must belong to the user alone, links are not followed, and an entry that is not whole is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from wongar_dsl.text.files import write_bytes

T = TypeVar("T")

#: How many things of a kind are at hand in this process: all words of the program, and others; with one more, all are
#: forgotten.
AT_HAND = 120
_remembered: dict[str, dict[tuple[str, ...], Any]] = {}

#: Bytes of a disk that are left to others, above all to the saves of games.
SPARE = 8 << 20
_SEAL = 32
_UNFINISHED = "new-"
#: No link is followed, and nothing is waited for at a pipe.
_CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@cache
def _program() -> bytes:
    """A fingerprint of this package and of the Python that runs it: other programs make other entries."""
    digest = hashlib.sha256(sys.version.encode())
    for name, size, changed in sorted(_sources(os.path.dirname(__file__))):
        digest.update(f"{name} {size} {changed}\n".encode())
    return digest.digest()


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    """The files of the program below a folder, with their sizes and when they were changed."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                yield from _sources(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                status = entry.stat()
                yield entry.name, status.st_size, status.st_mtime_ns


def fingerprint(data: bytes) -> str:
    """What tells one content of a file from another."""
    return hashlib.sha256(data).hexdigest()


class Cache:
    """Entries by key in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, *key: str | bytes) -> Path:
        digest = hashlib.sha256(_program())
        for part in key:
            digest.update((part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part) + b"\0")
        return self.folder / f"{digest.hexdigest()[:40]}.bin"

    def has(self, *key: str | bytes) -> bool:
        """Whether something stands under a key, whole or not."""
        return os.path.lexists(self._path(*key))

    def get(self, *key: str | bytes) -> bytes | None:
        """The entry of a key; None where there is none that is whole and that only the user can have written."""
        path = self._path(*key)
        try:
            data = self._read(path)
        except OSError:
            return None
        seal, content = data[:_SEAL], data[_SEAL:]
        return content if seal == _seal(path.name, content) else None

    def _read(self, path: Path) -> bytes:
        with contextlib.ExitStack() as opened:
            folder = self._open_folder()
            if folder is not None:
                opened.callback(os.close, folder)
            handle = os.open(path if folder is None else path.name, os.O_RDONLY | _CAREFULLY, dir_fd=folder)
            opened.callback(os.close, handle)
            if not _own(os.fstat(handle), stat.S_IFREG):
                raise PermissionError
            with open(handle, "rb", closefd=False) as file:
                return file.read()

    def _open_folder(self) -> int | None:
        """The folder, opened so that nobody can put another one in its place; raises OSError unless it is one's own."""
        if os.open not in os.supports_dir_fd:  # There, folders of users are theirs by the system's doing.
            return None
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | _CAREFULLY)
        if not _own(os.fstat(handle), stat.S_IFDIR):
            os.close(handle)
            raise PermissionError
        return handle

    def load(self, *key: str | bytes) -> Any:
        """The value that `save` kept under a key; None where there is none, or none that can be read."""
        data = self.get(*key)
        try:
            return None if data is None else pickle.loads(data)
        except Exception:  # whatever is wrong with an entry: it is as if there were none
            return None

    def save(self, value: object, *key: str | bytes) -> None:
        """Keep a value under a key."""
        self.put(pickle.dumps(value), *key)

    def put(self, data: bytes, *key: str | bytes) -> None:
        """Write the entry of a key."""
        path = self._path(*key)
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder = self._open_folder()
            if folder is not None:
                os.close(folder)
            if _free(self.folder) < SPARE + len(data):
                return
            self._sweep()
            if os.path.lexists(path) and not _own(os.lstat(path), stat.S_IFREG):
                path.unlink()
            write_bytes(path, _seal(path.name, data) + data, lasting=False, prefix=_UNFINISHED)

    def _sweep(self) -> None:
        """Remove what was never finished because its writer was killed."""
        now = self.folder.stat().st_mtime
        for path in self.folder.glob(f"{_UNFINISHED}*"):
            with contextlib.suppress(OSError):
                if now - path.stat().st_mtime > 3600:
                    path.unlink()


def remembered(make: Callable[[], T], cache: Cache | None, kind: str, *key: str) -> T:
    """What `make` gives: made once for a key in this process, and with `cache` not even that if one before it did.

    Nobody changes what is given, and the key says all that it hangs on.  Where making it fails, nothing is remembered.
    """
    at_hand = _remembered.setdefault(kind, {})
    known: T | None = at_hand.get(key)
    if known is not None:
        return known
    kept: T | None = cache.load(kind, *key) if cache is not None else None
    made = kept if kept is not None else make()
    if cache is not None and kept is None:
        cache.save(made, kind, *key)
    if len(at_hand) >= AT_HAND:
        at_hand.clear()
    at_hand[key] = made
    return made


def require_own(path: Path) -> None:
    """Raises PermissionError where anybody but the user could have written a file or what stands in its folder, and
    OSError where there is none."""
    if not (_own(os.lstat(path.parent), stat.S_IFDIR) and _own(os.lstat(path), stat.S_IFREG)):
        raise PermissionError(str(path))


def _own(found: os.stat_result, kind: int) -> bool:
    """Whether a file or folder is the user's, and nobody else may write to it."""
    mine = not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
    return mine and stat.S_IFMT(found.st_mode) == kind


def _free(folder: Path) -> int:
    """Return how many bytes the user may still write to the disk of a folder; raises OSError."""
    found = os.statvfs(folder) if hasattr(os, "statvfs") else None
    return found.f_bavail * found.f_frsize if found is not None else sys.maxsize


def _seal(name: str, content: bytes) -> bytes:
    """What stands before an entry, so that one that is broken, or another one's, is known."""
    return hashlib.sha256(name.encode() + b"\0" + content).digest()
