"""Style, scripts and icons: the files of one folder, each with an address that says what is in it.

An address with that mark is good for ever, for other contents have another one; so a page that was drawn after an
update never runs with the script from before it, and nothing is fetched twice.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

#: Where the files lie, what kind they are, and what their addresses begin with.
FOLDER = Path(__file__).parent / "static"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
BELOW = "/static"
#: For so many seconds a browser may keep what never changes under its address.
EVER = 31_536_000


def names() -> frozenset[str]:
    """The files that there are."""
    return frozenset(file.name for file in FOLDER.iterdir() if file.suffix in KINDS)


def mark(data: bytes) -> str:
    """What tells contents from others."""
    return sha256(data).hexdigest()[:16]


@cache
def address(name: str) -> str:
    """The address of a file, with the mark of what was in it when it was asked for first."""
    return f"{BELOW}/{name}?v={mark((FOLDER / name).read_bytes())}"


@cache
def all_of_them() -> str:
    """A mark of all files together: a page that knows another one is from before an update."""
    return mark("".join(address(name) for name in sorted(names())).encode())
