"""Static files (styles, scripts, icons) with versioned addresses.

An address with the version never changes its content, so it can be cached for ever. After an update, a page never runs
with an older script.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

#: Folder of the files, their media types, and the path prefix of their addresses.
FOLDER = Path(__file__).parents[1] / "static"
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
PATH_PREFIX = "/static"
#: Cache lifetime in seconds of a versioned address.
CACHE_TTL_S = 31_536_000


def names() -> frozenset[str]:
    """Return the names of the files."""
    return frozenset(file.name for file in FOLDER.iterdir() if file.suffix in MEDIA_TYPES)


def version_of(data: bytes) -> str:
    """Return the version of a content: a short hash."""
    return sha256(data).hexdigest()[:16]


@cache
def address(name: str) -> str:
    """Return the address of a file with the version of its content at the first call."""
    return f"{PATH_PREFIX}/{name}?v={version_of((FOLDER / name).read_bytes())}"


@cache
def combined_version() -> str:
    """Return a version of all files together; a page with a different one was loaded before an update."""
    return version_of("".join(address(name) for name in sorted(names())).encode())
