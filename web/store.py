"""What a host remembers from one start to the next, beside the saves: guests, invitations and open tables.

Of secrets only fingerprints are kept.  The file belongs to the user alone, for it also holds the answers of those who
have decided before the others at the same time, and is written in one go.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from wongar_dsl.text.files import write_bytes

if sys.platform != "win32":
    import fcntl

T = TypeVar("T")

#: The file, in a folder of its own: beside the saves it would be taken for one.
FOLDER, FILE, LOCK = "tables", "store", "lock"
FORMAT = 1
#: Guests who have not come for so many seconds are forgotten, and the oldest where there are too many.
FORGOTTEN, MOST_GUESTS = 90 * 86_400, 2_000
MOST = 4_000_000

KINDS = ("seat", "any", "watch", "host")
#: Who only watches has no seat.
WATCHING = -1


@dataclass
class Guest:
    """A person who came by an invitation: their settings, and by tables where they sit (`WATCHING`: nowhere) and all
    seats on which they have sat in this game (`held`)."""

    language: str
    name: str = ""
    scheme: str = "auto"
    foretell: bool = True
    host: bool = False
    seats: dict[str, int] = field(default_factory=dict)
    seen: int = 0
    held: dict[str, list[int]] = field(default_factory=dict)


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


def _opened(path: Path, flags: int) -> BinaryIO:
    """A file that is one, and is nobody else's; raises OSError."""
    handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o600)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
    return os.fdopen(handle, "rb" if flags == os.O_RDONLY else "r+b")


def _each(rows: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T]) -> Iterator[tuple[str, T]]:
    """What can be read of a part of the file: what else is in it is as if it were not there."""
    for key, one in rows.items():
        with contextlib.suppress(ValueError, TypeError, AttributeError, KeyError):
            yield key, read(one)


def _text(value: object, longest: int = 200) -> str:
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise ValueError(value)
    return value


def _number(value: object, least: int = 0, most: int = 10**12) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(value)
    return value


def _guest(one: Mapping[str, Any]) -> Guest:
    seats = {_text(table): _number(seat, WATCHING, 99) for table, seat in one["seats"].items()}
    language, name, scheme = (_text(one[part]) for part in ("language", "name", "scheme"))
    # Stores of older versions do not have this.
    held = {_text(table): [_number(seat, 0, 99) for seat in seen] for table, seen in one.get("held", {}).items()}
    foretell, host = one["foretell"] is True, one["host"] is True
    return Guest(language, name, scheme, foretell, host, seats, _number(one["seen"]), held)


def _invitation(one: Mapping[str, Any]) -> Invitation:
    if one["kind"] not in KINDS:
        raise ValueError(one["kind"])
    return Invitation(one["kind"], _text(one["table"]), _number(one["seat"], WATCHING, 99))


def _table(one: Mapping[str, Any]) -> Open:
    save = _text(one["save"])
    if save != Path(save).name:
        raise ValueError(save)
    answers = {str(int(seat)): (_text(text, 1_000), _number(took)) for seat, (text, took) in one["answers"].items()}
    clocks = {str(int(seat)): _number(gone) for seat, gone in one["clocks"].items()}
    learn = one.get("learn") is True
    return Open(save, _number(one["opened"]), _number(one["choices"]), answers, clocks, learn)


class Store:
    """What is remembered, and the file that it is in."""

    def __init__(self, saves: Path) -> None:
        """Read what is there; what cannot be read is as if it were not there.

        Raises `StoreInUseError`, and OSError where there can be no such file.
        """
        self.path = saves / FOLDER / FILE
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = self._locked()
        #: By it cookies of several hosts on one computer are told apart.
        self.name = secrets.token_hex(4)
        self.guests: dict[str, Guest] = {}
        self.invitations: dict[str, Invitation] = {}
        self.tables: dict[str, Open] = {}
        with (
            contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError),
            _opened(self.path, os.O_RDONLY) as file,
        ):
            self._take(json.loads(file.read(MOST).decode()))

    def _take(self, data: Mapping[str, Any]) -> None:
        if data["format"] != FORMAT:
            return
        self.name = _text(data["name"], 8) if data.get("name") else self.name
        since = time.time() - FORGOTTEN
        self.guests = {key: one for key, one in _each(data["guests"], _guest) if one.seen > since}
        self.invitations = dict(_each(data["invitations"], _invitation))
        self.tables = dict(_each(data["tables"], _table))

    def _locked(self) -> BinaryIO:
        """A file that only one program holds at a time."""
        lock = _opened(self.path.parent / LOCK, os.O_RDWR | os.O_CREAT)
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                raise StoreInUseError from None
        return lock

    @property
    def cookie(self) -> str:
        """The cookie in which browsers keep who their guest is."""
        return f"guest-{self.name}"

    def close(self) -> None:
        """Leave the store to others."""
        self._lock.close()

    def drop(self, table: str) -> None:
        """Forget a table, who sat there, and the ways to it."""
        self.tables.pop(table, None)
        self.invitations = {key: one for key, one in self.invitations.items() if one.table != table}
        for guest in self.guests.values():
            guest.seats.pop(table, None)
            guest.held.pop(table, None)

    def _sits(self, guest: Guest) -> bool:
        return any(seat != WATCHING and table in self.tables for table, seat in guest.seats.items())

    def write(self) -> None:
        """Keep it; raises OSError, also where another program hosts these tables by now."""
        # Who hosts or sits at a table is not forgotten because of who only looks in.
        idle = [key for key, one in self.guests.items() if not one.host and not self._sits(one)]
        idle.sort(key=lambda key: self.guests[key].seen)
        for key in idle[: max(0, len(self.guests) - MOST_GUESTS)]:
            del self.guests[key]
        data = {
            "format": FORMAT,
            "name": self.name,
            "guests": {key: asdict(one) for key, one in self.guests.items()},
            "invitations": {key: asdict(one) for key, one in self.invitations.items()},
            "tables": {key: asdict(one) for key, one in self.tables.items()},
        }
        if not self._guarded():
            # The folder is another one than before: it has to be locked anew.
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                lock = self._locked()
            except StoreInUseError:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(self.path)) from None
            self._lock.close()
            self._lock = lock
        write_bytes(self.path, json.dumps(data, ensure_ascii=False).encode(), prefix=f"{FILE}.")

    @property
    def lost(self) -> bool:
        """Whether the file or its lock was removed or replaced by another program since it was opened."""
        return not self._guarded() or not self.path.is_file()

    def _guarded(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._lock.fileno()), (self.path.parent / LOCK).lstat())
        except OSError:
            return False
