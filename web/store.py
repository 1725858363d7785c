"""What a host remembers from one start to the next, beside the saves: guests, invitations and open tables.

Of secrets only fingerprints are kept.  The file belongs to the user alone, for it also holds the answers of those who
have decided before the others at the same time, and is written in one go.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

if sys.platform != "win32":
    import fcntl

#: The file, in a folder of its own: beside the saves it would be taken for one.
FOLDER, FILE, LOCK = "tables", "store", "lock"
FORMAT = 1
#: Guests who have not come for so many seconds are forgotten, and the oldest where there are too many.
FORGOTTEN, MOST_GUESTS = 90 * 86_400, 2_000
MOST = 4_000_000

#: Who only watches has no seat.
WATCHING = -1


@dataclass
class Guest:
    """Somebody who came by an invitation: how they like it, and where they sit, by tables (`WATCHING`: nowhere)."""

    language: str
    name: str = ""
    scheme: str = "auto"
    foretell: bool = True
    host: bool = False
    seats: dict[str, int] = field(default_factory=dict)
    seen: int = 0


@dataclass
class Invitation:
    """What an invitation is for: a `seat`, `any` free seat of a table, to `watch` there, or to `host`."""

    kind: str
    table: str = ""
    seat: int = WATCHING


@dataclass
class Open:
    """A table that goes on: its save, and how often it was opened.

    Of decisions that are made at the same time also what the save does not hold yet: after how many choices, the
    answers with the time that they took, and how long clocks have run.  `learn`: it is a guided first game.
    """

    save: str
    opened: int = 0
    choices: int = 0
    answers: dict[str, tuple[str, int]] = field(default_factory=dict)
    clocks: dict[str, int] = field(default_factory=dict)
    learn: bool = False


class StoreInUseError(Exception):
    """Another program hosts the tables of these saves."""


class Store:
    """What is remembered, and the file that it is in."""

    def __init__(self, saves: Path) -> None:
        """Read what is there; what cannot be read is as if it were not there.

        Raises `StoreInUseError`, and OSError where there can be no such file.
        """
        self.path = saves / FOLDER / FILE
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = self._locked()
        self.guests: dict[str, Guest] = {}
        self.invitations: dict[str, Invitation] = {}
        self.tables: dict[str, Open] = {}
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
            if self.path.stat().st_size <= MOST:
                self._take(json.loads(self.path.read_text(encoding="utf-8")))

    def _take(self, data: Mapping[str, Any]) -> None:
        if data["format"] != FORMAT:
            return
        since = time.time() - FORGOTTEN
        self.guests = {key: Guest(**one) for key, one in data["guests"].items() if one["seen"] > since}
        self.invitations = {key: Invitation(**one) for key, one in data["invitations"].items()}
        for key, one in data["tables"].items():
            table = Open(**one)
            table.answers = {seat: (str(text), int(took)) for seat, (text, took) in table.answers.items()}
            self.tables[key] = table

    def _locked(self) -> BinaryIO:
        """A file that only one program holds at a time."""
        lock = (self.path.parent / LOCK).open("wb")
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                raise StoreInUseError from None
        return lock

    def close(self) -> None:
        """Leave the store to others."""
        self._lock.close()

    def drop(self, table: str) -> None:
        """Forget a table, who sat there, and the ways to it."""
        self.tables.pop(table, None)
        self.invitations = {key: one for key, one in self.invitations.items() if one.table != table}
        for guest in self.guests.values():
            guest.seats.pop(table, None)

    def write(self) -> None:
        """Keep it; raises OSError."""
        for key in sorted(self.guests, key=lambda key: self.guests[key].seen)[: max(0, len(self.guests) - MOST_GUESTS)]:
            del self.guests[key]
        data = {
            "format": FORMAT,
            "guests": {key: asdict(one) for key, one in self.guests.items()},
            "invitations": {key: asdict(one) for key, one in self.invitations.items()},
            "tables": {key: asdict(one) for key, one in self.tables.items()},
        }
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f"{FILE}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(data, out, ensure_ascii=False)
                out.flush()
                os.fsync(out.fileno())
            os.replace(name, self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
