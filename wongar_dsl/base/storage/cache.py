"""Persistent cache of computed values in a folder, and values that are unpickled in two steps.

Entries are written atomically, so that concurrent writers leave one complete entry.  An entry that cannot be read or
written counts as missing: the cache changes speed, never results.  Entries are pickled code.  Therefore the folder and
each entry must belong to the user alone, symbolic links are not followed, and a damaged entry is recomputed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from wongar_dsl.base.storage.files import write_bytes

T = TypeVar("T")

#: Maximum number of values of a kind in memory.  All are discarded when it is exceeded.
MAX_CACHED = 120
#: Values of `memoised` in this process, by kind and key.
_in_memory: dict[str, dict[tuple[str, ...], Any]] = {}

#: Disk space in bytes that the cache leaves free, above all for saved games.
MIN_FREE_BYTES = 8 << 20
#: Length of the SHA-256 hash that precedes an entry.
_CHECKSUM_BYTES = 32
_TEMPORARY_PREFIX = "new-"
#: Folder of the package wongar_dsl.
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
#: Do not follow symbolic links, and do not block on a pipe.
_SAFE_OPEN_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@cache
def _program_fingerprint() -> bytes:
    """Return a fingerprint of wongar_dsl and of the Python version, which is part of every key."""
    digest = hashlib.sha256(sys.version.encode())
    for name, size, changed in sorted(_source_files(PACKAGE)):
        digest.update(f"{name} {size} {changed}\n".encode())
    return digest.digest()


def _source_files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and modification time of the source files below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _source_files(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                status = entry.stat()
                yield entry.name, status.st_size, status.st_mtime_ns


def fingerprint(data: bytes) -> str:
    """Return the SHA-256 hash of the content of a file."""
    return hashlib.sha256(data).hexdigest()


class Cache:
    """Cache entries by key in a folder."""

    #: Cache for values that belong to no game (the grammar).  The command line sets it; libraries leave it None.
    of_program: ClassVar[Cache | None] = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, *key: str | bytes) -> Path:
        digest = hashlib.sha256(_program_fingerprint())
        for part in key:
            digest.update((part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part) + b"\0")
        return self.folder / f"{digest.hexdigest()[:40]}.bin"

    def has(self, *key: str | bytes) -> bool:
        """Return whether there is an entry for a key, complete or not."""
        return os.path.lexists(self._path(*key))

    def get(self, *key: str | bytes) -> bytes | None:
        """Return the entry of a key; None unless it is complete and only the user can have written it."""
        path = self._path(*key)
        try:
            data = self._read(path)
        except OSError:
            return None
        checksum, content = data[:_CHECKSUM_BYTES], data[_CHECKSUM_BYTES:]
        return content if checksum == _checksum(path.name, content) else None

    def _read(self, path: Path) -> bytes:
        with contextlib.ExitStack() as stack:
            folder = self._open_folder()
            if folder is not None:
                stack.callback(os.close, folder)
            handle = os.open(path if folder is None else path.name, os.O_RDONLY | _SAFE_OPEN_FLAGS, dir_fd=folder)
            stack.callback(os.close, handle)
            if not _is_private(os.fstat(handle), stat.S_IFREG):
                raise PermissionError
            with open(handle, "rb", closefd=False) as file:
                return file.read()

    def _open_folder(self) -> int | None:
        """Open the folder, so that it cannot be replaced during access.

        Returns None where the system has no `dir_fd`.  Raises OSError unless the folder belongs to the user.
        """
        if os.open not in os.supports_dir_fd:  # On these systems the folders of users are protected by the system.
            return None
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | _SAFE_OPEN_FLAGS)
        if not _is_private(os.fstat(handle), stat.S_IFDIR):
            os.close(handle)
            raise PermissionError
        return handle

    def load(self, *key: str | bytes) -> Any:
        """Return the value that `save` stored under a key, or None if there is none that can be read."""
        data = self.get(*key)
        try:
            return None if data is None else pickle.loads(data)
        except Exception:  # Any damaged entry counts as missing.
            return None

    def save(self, value: object, *key: str | bytes) -> None:
        """Store a pickled value under a key."""
        self.put(pickle.dumps(value), *key)

    def put(self, data: bytes, *key: str | bytes) -> None:
        """Write the entry of a key, if there is enough disk space.  Write errors are ignored."""
        path = self._path(*key)
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder = self._open_folder()
            if folder is not None:
                os.close(folder)
            if _free_bytes(self.folder) < MIN_FREE_BYTES + len(data):
                return
            _sweep(self.folder)
            if os.path.lexists(path) and not _is_private(os.lstat(path), stat.S_IFREG):
                path.unlink()
            write_bytes(path, _checksum(path.name, data) + data, durable=False, prefix=_TEMPORARY_PREFIX)


@cache
def _sweep(folder: Path) -> None:
    """Remove temporary files that a killed writer left more than an hour ago, once per process: listing takes time."""
    now = folder.stat().st_mtime
    for entry in [entry for entry in os.scandir(folder) if entry.name.startswith(_TEMPORARY_PREFIX)]:
        with contextlib.suppress(OSError):
            if now - entry.stat().st_mtime > 3600:
                os.unlink(entry.path)


def memoised(make: Callable[[], T], cache: Cache | None, kind: str, *key: str) -> T:
    """Return `make()`, computed once per key in this process, and stored in `cache` if given.

    The key must contain everything that the value depends on, and the value must not be modified.  Nothing is stored if
    `make` raises.
    """
    by_key = _in_memory.setdefault(kind, {})
    in_memory: T | None = by_key.get(key)
    if in_memory is not None:
        return in_memory
    stored: T | None = cache.load(kind, *key) if cache is not None else None
    value = stored if stored is not None else make()
    if cache is not None and stored is None:
        cache.save(value, kind, *key)
    if len(by_key) >= MAX_CACHED:
        by_key.clear()
    by_key[key] = value
    return value


def require_own(path: Path) -> None:
    """Raise PermissionError unless a file and its folder can be written only by the user.

    Raises OSError if the file does not exist.
    """
    if not (_is_private(os.lstat(path.parent), stat.S_IFDIR) and _is_private(os.lstat(path), stat.S_IFREG)):
        raise PermissionError(str(path))


def _is_private(status: os.stat_result, kind: int) -> bool:
    """Return whether a path has the file type `kind`, belongs to the user, and is writable by no other user."""
    is_owner = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return is_owner and stat.S_IFMT(status.st_mode) == kind


def _free_bytes(folder: Path) -> int:
    """Return the disk space available to the user in bytes.  Raises OSError."""
    disk = os.statvfs(folder) if hasattr(os, "statvfs") else None
    return disk.f_bavail * disk.f_frsize if disk is not None else sys.maxsize


def _checksum(name: str, content: bytes) -> bytes:
    """Return the hash that precedes an entry, to detect a damaged or misplaced one."""
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


P = TypeVar("P", bound="SplitPickle")

#: Threads that read the same value at the same time get the same objects.
_LOCK = RLock()


class SplitPickle:
    """Base class of frozen dataclasses with slots whose fields `DEFERRED_FIELDS` are unpickled lazily.

    Unpickling stores these fields as bytes and reads all of them on first access to any one, so that objects shared
    between them stay shared.  Apart from the delay this is transparent to users.
    """

    __slots__ = ("_unread",)

    DEFERRED_FIELDS: ClassVar[frozenset[str]] = frozenset()
    _unread: bytes

    def __reduce__(self) -> tuple[object, ...]:
        with _LOCK:
            try:
                deferred = self._unread
            except AttributeError:
                deferred = pickle.dumps(self._field_values(deferred=True))
        return _restored, (type(self), self._field_values(deferred=False), deferred)

    def _field_values(self, deferred: bool) -> dict[str, object]:
        names = (f.name for f in fields(self) if (f.name in self.DEFERRED_FIELDS) is deferred)  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}

    if not TYPE_CHECKING:  # Hidden from the type checker, so that unknown attributes stay errors.

        def __getattr__(self, name: str) -> object:
            # Called only for a slot that has no value yet.
            if name not in self.DEFERRED_FIELDS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            with _LOCK:
                try:
                    deferred = self._unread
                except AttributeError:  # Another thread has just read it.
                    return object.__getattribute__(self, name)
                _fill(self, pickle.loads(deferred))
                object.__delattr__(self, "_unread")
            return object.__getattribute__(self, name)


def _restored(cls: type[P], eager: Mapping[str, Any], deferred: bytes) -> P:
    value = object.__new__(cls)
    _fill(value, {**eager, "_unread": deferred})
    return value


def _fill(value: SplitPickle, values: Mapping[str, Any]) -> None:
    for name, part in values.items():
        object.__setattr__(value, name, part)
