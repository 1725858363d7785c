"""Bounded reading of untrusted files, atomic writing, and files in memory.

A path may be a folder, an endless pipe, a file in another encoding or a gigabyte of data.  Readers pass a size limit
and get the content, or a `FileError` with the reason.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

#: Suffixes of rule files and of packs, each a variant with its texts and cases in one file.
RULES_SUFFIX, PACK_SUFFIX = ".rules", ".variant"
#: File or folder, on disk or inside of an installed package.
FileOrFolder: TypeAlias = "Path | Traversable"


class FileError(Exception):
    """Raised for an unusable file: the reason, its size in bytes if it is too large, and the line that is not UTF-8."""

    def __init__(self, reason: Literal["unreadable", "too_large", "not_utf8"], size: int = 0, line: int = 1) -> None:
        self.reason, self.size, self.line = reason, size, line
        super().__init__(f"{reason}: size {size}, line {line}")


def relative_path(file: str) -> str:
    """Return a path relative to the working directory, if it is below it."""
    working_directory = Path.cwd()
    return str(Path(file).relative_to(working_directory)) if Path(file).is_relative_to(working_directory) else file


def possible_paths(file: str) -> tuple[str, str]:
    """Return the two paths that a file may have in a folder: directly in it, or in a subfolder with its name."""
    return file, f"{Path(file).stem}/{file}"


def named_file(folder: FileOrFolder, name: str, ending: str) -> FileOrFolder | None:
    """Return the file in `folder` for a name `game` or `game/part`, without its `ending`; None if there is none.

    `game/part` may also mean a file `part` beside a file `game`.
    """
    whole, *parts = (folder / f"{part}{ending}" for part in name.split("/"))
    if parts and all(file.is_file() for file in (whole, *parts)):
        return parts[-1]
    return next((folder / path for path in possible_paths(f"{name}{ending}") if (folder / path).is_file()), None)


def read_bytes(file: FileOrFolder, limit: int, ending: str = "") -> bytes:
    """Return the content of `file`.

    Raises `FileError` if it is not a regular file, cannot be read or has more than `limit` bytes.  A symbolic link is
    followed only if the target has the same `ending`: diagnostics quote the file, and a link must not expose other
    files.
    """
    try:
        if isinstance(file, Path) and file.is_symlink() and not file.resolve().name.endswith(ending):
            raise FileError("unreadable")
        # Opening a pipe would block until it has a writer; a device may never end.
        if not file.is_file():
            raise FileError("unreadable")
        with file.open("rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError, RuntimeError):
        raise FileError("unreadable") from None
    if len(data) > limit:
        size = len(data)
        if isinstance(file, Path):
            with contextlib.suppress(OSError):
                size = max(size, file.stat().st_size)
        raise FileError("too_large", size=size)
    return data


def decode(data: bytes) -> str:
    """Decode UTF-8 with or without a byte order mark.  Raises `FileError` with the line of the first invalid byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The offset counts from after the byte order mark.
        raise FileError("not_utf8", line=error.object[: error.start].count(b"\n") + 1) from None


def read_text(file: FileOrFolder, limit: int, ending: str = "") -> str:
    """Return the content of a UTF-8 file.  Raises `FileError` as `read_bytes` does."""
    return decode(read_bytes(file, limit, ending))


def write_bytes(path: Path, data: bytes, durable: bool = True, prefix: str = ".") -> None:
    """Write a file atomically: readers see the old or the new content, never a part.

    An existing file keeps its mode; a new one is readable only by the user.  With `durable` the call returns when
    the data is on the disk.  The name of the temporary file begins with `prefix`.  Raises OSError.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            if durable:
                os.fsync(out.fileno())
        with contextlib.suppress(OSError):
            os.chmod(name, stat.S_IMODE(path.stat().st_mode))
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flush the directory entries of a folder, so that a replaced file survives a power failure.

    Does nothing on systems that cannot flush a folder.
    """
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


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
