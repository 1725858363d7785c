"""A folder of things worked out before, so that they need not be worked out again.

Entries are written in one go, so that two programs that write at once leave one whole entry.  What cannot be read or
written is as if it were not there: the cache makes things quicker, never otherwise.  It holds code: the folder belongs
to its user alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
from functools import cache
from pathlib import Path
from typing import Any

from wongar_dsl.text.files import write_bytes


@cache
def _program() -> bytes:
    """A fingerprint of this package and of the Python that runs it: other programs make other entries."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(Path(__file__).parent.rglob("*")):
        if path.suffix in (".py", ".lark"):
            status = path.stat()
            digest.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.digest()


def fingerprint(data: bytes) -> str:
    """What tells one content of a file from another."""
    return hashlib.sha256(data).hexdigest()


class Cache:
    """Entries by key in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, *key: str | bytes) -> Path:
        digest = hashlib.sha256(_program())
        for part in key:
            digest.update((part.encode() if isinstance(part, str) else part) + b"\0")
        return self._folder / f"{digest.hexdigest()[:40]}.bin"

    def get(self, *key: str | bytes) -> bytes | None:
        """The entry of a key; None where there is none, or where the folder is not the user's own."""
        try:
            owner = self._folder.stat()
            if hasattr(os, "getuid") and (owner.st_uid != os.getuid() or owner.st_mode & 0o022):
                return None
            return self._path(*key).read_bytes()
        except OSError:
            return None

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
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_bytes(self._path(*key), data, lasting=False)
