"""Files from outside, read within limits, and files written in one go.

A file can be anything: a folder, a pipe that never ends, another encoding, a gigabyte.  Whoever reads one says how much
is enough, and gets text, or the reason why not.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal, TypeAlias

#: A place that holds files, or a file: in a folder, or inside an installed package.
Place: TypeAlias = "Path | Traversable"


class FileError(Exception):
    """A file that cannot be used: why, its size if it is too large, and the line that is no text."""

    def __init__(self, reason: Literal["unreadable", "too_large", "not_utf8"], size: int = 0, line: int = 1) -> None:
        self.reason, self.size, self.line = reason, size, line
        super().__init__(f"{reason}: size {size}, line {line}")


def path_from_here(file: str) -> str:
    """A path as somebody would write it who stands here."""
    here = Path.cwd()
    return str(Path(file).relative_to(here)) if Path(file).is_relative_to(here) else file


def named_from(file: str) -> tuple[str, str]:
    """Where a file can lie that is named from a folder: in it, or there in a folder of its own."""
    return file, f"{Path(file).stem}/{file}"


def read_bytes(file: Place, limit: int, ending: str = "") -> bytes:
    """What `file` holds; raises `FileError` if it is no plain file, cannot be read, or has more than `limit` bytes.

    A link is followed only to a file whose name has this ending too: what is wrong with a file is told with words from
    it, and a link must not bring those of just any file to light.
    """
    try:
        if isinstance(file, Path) and file.is_symlink() and not file.resolve().name.endswith(ending):
            raise FileError("unreadable")
        # Opening a pipe would wait for somebody who writes; a device may never end.
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
    """The text that UTF-8 bytes are, with or without a byte order mark; raises `FileError` with the line that fails."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The offset counts from behind the mark.
        raise FileError("not_utf8", line=error.object[: error.start].count(b"\n") + 1) from None


def read_text(file: Place, limit: int, ending: str = "") -> str:
    """The text of `file`, UTF-8; raises `FileError` as `read_bytes` does."""
    return decode(read_bytes(file, limit, ending))


def write_bytes(path: Path, data: bytes, lasting: bool = True, prefix: str = ".") -> None:
    """Write a file in one go: whoever reads it finds the old content or the new one, never a part.

    A file that was there keeps its mode; a new one is its user's alone.  `lasting` waits until it is on the disk.
    Until it is whole, its name begins with `prefix`.  Raises OSError.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            if lasting:
                os.fsync(out.fileno())
        with contextlib.suppress(OSError):
            os.chmod(name, stat.S_IMODE(path.stat().st_mode))
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    if lasting:
        settle(path.parent)


def settle(folder: Path) -> None:
    """Flush the names of a folder to the disk: after a loss of power a file that was replaced is the new one.

    Systems that cannot flush a folder leave it as it is.
    """
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
