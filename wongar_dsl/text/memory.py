"""A folder in memory: what one file holds of other files, as places that are read like those on a disk."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any


@dataclass(frozen=True, order=True)
class MemoryPlace(Traversable):
    """A file or folder inside of the file `outside`; `files` are all that it holds, by their paths in it."""

    outside: str
    files: Mapping[str, bytes] = field(compare=False, repr=False)
    inside: str = ""

    @property
    def name(self) -> str:
        """The last name of its path."""
        return PurePosixPath(self.inside or self.outside).name

    @property
    def parent(self) -> MemoryPlace:
        """The folder that it is in."""
        return MemoryPlace(self.outside, self.files, self.inside.rpartition("/")[0])

    def __str__(self) -> str:
        return f"{self.outside}/{self.inside}" if self.inside else self.outside

    def joinpath(self, *names: Any) -> MemoryPlace:
        """What is called so below it."""
        return MemoryPlace(self.outside, self.files, "/".join(filter(None, (self.inside, *map(str, names)))))

    def __truediv__(self, name: Any) -> MemoryPlace:
        return self.joinpath(name)

    def is_file(self) -> bool:
        """Whether it is a file."""
        return self.inside in self.files

    def is_dir(self) -> bool:
        """Whether there are files below it."""
        return any(path.startswith(self._below) for path in self.files)

    def exists(self) -> bool:
        """Whether it is there."""
        return self.is_file() or self.is_dir()

    def iterdir(self) -> Iterator[MemoryPlace]:
        """What lies in it."""
        start = len(self._below)
        names = (path[start:].partition("/")[0] for path in self.files if path.startswith(self._below))
        return map(self.joinpath, dict.fromkeys(names))

    def open(self, mode: str = "r", *_: Any, **more: Any) -> Any:
        """Its content, to be read; raises FileNotFoundError."""
        if not self.is_file():
            raise FileNotFoundError(str(self))
        data = io.BytesIO(self.files[self.inside])
        return data if "b" in mode else io.TextIOWrapper(data, encoding=more.get("encoding") or "utf-8")

    def read_bytes(self) -> bytes:
        """Its content; raises FileNotFoundError."""
        data: bytes = self.open("rb").read()
        return data

    def read_text(self, encoding: str | None = None) -> str:
        """Its content as text; raises FileNotFoundError and UnicodeDecodeError."""
        return self.read_bytes().decode(encoding or "utf-8")

    @property
    def _below(self) -> str:
        return f"{self.inside}/" if self.inside else ""
