"""In-memory file tree with the interface of `Traversable`, for the files inside of one pack."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any


@dataclass(frozen=True, order=True)
class MemoryPath(Traversable):
    """File or folder in a pack.

    `pack` is the path of the pack, `files` the content of all its files by path.
    """

    pack: str
    files: Mapping[str, bytes] = field(compare=False, repr=False)
    path: str = ""

    @property
    def name(self) -> str:
        """Last component of the path."""
        return PurePosixPath(self.path or self.pack).name

    @property
    def parent(self) -> MemoryPath:
        """Parent folder."""
        return MemoryPath(self.pack, self.files, self.path.rpartition("/")[0])

    def __str__(self) -> str:
        return f"{self.pack}/{self.path}" if self.path else self.pack

    def joinpath(self, *names: Any) -> MemoryPath:
        """Return a path below this one."""
        return MemoryPath(self.pack, self.files, "/".join(filter(None, (self.path, *map(str, names)))))

    def __truediv__(self, name: Any) -> MemoryPath:
        return self.joinpath(name)

    def is_file(self) -> bool:
        """Return whether this is a file."""
        return self.path in self.files

    def is_dir(self) -> bool:
        """Return whether there are files below this path."""
        return any(path.startswith(self._prefix) for path in self.files)

    def exists(self) -> bool:
        """Return whether there is a file or folder with this path."""
        return self.is_file() or self.is_dir()

    def iterdir(self) -> Iterator[MemoryPath]:
        """Iterate over the files and folders in this folder."""
        start = len(self._prefix)
        names = (path[start:].partition("/")[0] for path in self.files if path.startswith(self._prefix))
        return map(self.joinpath, dict.fromkeys(names))

    def open(self, mode: str = "r", *_: Any, **options: Any) -> Any:
        """Open the file for reading.  Raises FileNotFoundError."""
        if not self.is_file():
            raise FileNotFoundError(str(self))
        data = io.BytesIO(self.files[self.path])
        return data if "b" in mode else io.TextIOWrapper(data, encoding=options.get("encoding") or "utf-8")

    def read_bytes(self) -> bytes:
        """Return the content.  Raises FileNotFoundError."""
        data: bytes = self.open("rb").read()
        return data

    def read_text(self, encoding: str | None = None) -> str:
        """Return the content as text.  Raises FileNotFoundError and UnicodeDecodeError."""
        return self.read_bytes().decode(encoding or "utf-8")

    @property
    def _prefix(self) -> str:
        return f"{self.path}/" if self.path else ""
