"""Persistent data of a host in addition to the saves: guests, invitations and open tables; and their secret tokens.

Only hashes of tokens are stored. The file is readable only by its owner, because it also holds unrevealed answers to
simultaneous decisions. It is replaced atomically.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import secrets
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from wongar_dsl.base.storage.files import write_bytes
from wongar_dsl.engine.match import Match
from wongar_dsl.session.seats import SessionSetupError, lookalike_key


def new_key() -> str:
    """Return a new random token that is safe in URLs."""
    return secrets.token_urlsafe(16)


def digest(key: str) -> str:
    """Return the hash of a token to store, from which the token cannot be recovered."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


if sys.platform != "win32":
    import fcntl

T = TypeVar("T")

#: Folder and file names; the folder keeps the file apart from the saves.
FOLDER, FILE, LOCK = "tables", "store", "lock"
FORMAT = 1
#: Seconds without a visit after which a guest is removed, and maximum number of guests; beyond it the oldest are
#: removed.
GUEST_TTL_S, MAX_GUESTS = 90 * 86_400, 2_000
MAX_STORE_BYTES = 4_000_000
#: Number of saves per guest beyond which the seats seen in the oldest absent ones are forgotten.
MAX_SEEN_SAVES = 30
#: Number of hexadecimal digits that tell deals apart.
DEAL_DIGITS = 16

KINDS = ("seat", "any", "watch", "host")
#: Seat number of spectators.
WATCHING = -1


@dataclass
class Guest:
    """A person who joined by an invitation.

    `scheme` is the colour scheme, `foretell` shows forecasts, `host` is true for the person who manages the tables,
    and `seen` is the time of the last visit in seconds since the epoch. `seats` are by table; `WATCHING` means a
    spectator. `seen_seats` are all seats whose hidden information the guest has seen in a match. They are kept if the
    table is closed, and if the save is absent, copied or renamed: a key is the deal, a slash and the last name of the
    save.
    """

    language: str
    name: str = ""
    scheme: str = "auto"
    foretell: bool = True
    host: bool = False
    seats: dict[str, int] = field(default_factory=dict)
    seen: int = 0
    seen_seats: dict[str, list[int]] = field(default_factory=dict)


@dataclass
class Invitation:
    """Purpose of an invitation: a `seat`, `any` free seat of a table, to `watch`, or to `host`."""

    kind: str
    table: str = ""
    seat: int = WATCHING


@dataclass
class OpenTable:
    """An open table: its save, and how often it was opened.

    For simultaneous decisions it holds what the save does not yet: number of choices so far, answers with their times,
    and elapsed times in ms. `learn` marks a guided first game. `deal` is the same for all saves of a match.
    """

    save: str
    opened: int = 0
    choices: int = 0
    answers: dict[str, tuple[str, int]] = field(default_factory=dict)
    clocks: dict[str, int] = field(default_factory=dict)
    learn: bool = False
    deal: str = ""

    def play(self, save: Path, match: Match) -> None:
        """Record the match that is played at the table, and its save."""
        family = match.game.name.partition("/")[0].partition("+")[0]
        dealt = f"{family}\n{len(match.seats)}\n{match.seed}".encode()
        self.save, self.deal = save.name, blake2b(dealt, digest_size=DEAL_DIGITS // 2).hexdigest()

    @property
    def seen_key(self) -> str:
        """The key under which guests keep the seats that they have seen of this match."""
        return f"{self.deal}/{self.save}"

    def is_same_match(self, seen_key: str) -> bool:
        """Return whether a key as in `seen_key` belongs to this match, even under another name of its save."""
        deal, _, save = seen_key.rpartition("/")
        return self.deal == deal or self.save == save


class StoreInUseError(Exception):
    """Another program already hosts the tables of these saves."""


def _open_file(path: Path, flags: int) -> BinaryIO:
    """Open a regular file without following links, created for its owner only; raise OSError."""
    handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o600)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
    return os.fdopen(handle, "rb" if flags == os.O_RDONLY else "r+b")


def _valid_entries(rows: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T]) -> Iterator[tuple[str, T]]:
    """Yield the valid entries of a part of the file; invalid ones are ignored."""
    for key, row in rows.items():
        with contextlib.suppress(ValueError, TypeError, AttributeError, KeyError):
            yield key, read(row)


def _text(value: object, longest: int = 200) -> str:
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise ValueError(value)
    return value


def _file_name(value: object) -> str:
    name = _text(value)
    if name != Path(name).name:
        raise ValueError(name)
    return name


def _seen_key(value: object) -> str:
    deal, _, save = _text(value).rpartition("/")
    # Stores of older versions have no deal.
    if _file_name(save) and re.fullmatch(f"([0-9a-f]{{{DEAL_DIGITS}}})?", deal) is None:
        raise ValueError(value)
    return _text(value)


def _number(value: object, least: int = 0, most: int = 10**12) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(value)
    return value


def _guest(row: Mapping[str, Any]) -> Guest:
    seats = {_text(table): _number(seat, WATCHING, 99) for table, seat in row["seats"].items()}
    language, name, scheme = (_text(row[part]) for part in ("language", "name", "scheme"))
    # Stores of older versions lack this entry.
    seen_seats = {
        _seen_key(key): [_number(seat, 0, 99) for seat in seats] for key, seats in row.get("seen_seats", {}).items()
    }
    foretell, host = row["foretell"] is True, row["host"] is True
    return Guest(language, name, scheme, foretell, host, seats, _number(row["seen"]), seen_seats)


def _invitation(row: Mapping[str, Any]) -> Invitation:
    if row["kind"] not in KINDS:
        raise ValueError(row["kind"])
    return Invitation(row["kind"], _text(row["table"]), _number(row["seat"], WATCHING, 99))


def _table(row: Mapping[str, Any]) -> OpenTable:
    answers = {str(int(seat)): (_text(text, 1_000), _number(took)) for seat, (text, took) in row["answers"].items()}
    clocks = {str(int(seat)): _number(elapsed) for seat, elapsed in row["clocks"].items()}
    learn, deal = row.get("learn") is True, _text(row.get("deal", ""), DEAL_DIGITS)
    opened, choices = _number(row["opened"]), _number(row["choices"])
    return OpenTable(_file_name(row["save"]), opened, choices, answers, clocks, learn, deal)


#: Maximum number of valid invitations to any seat of a table, or to watch: one for each server start.
MAX_OPEN_INVITATIONS = 3
#: Resolution in seconds of a guest's last visit.
LAST_SEEN_RESOLUTION_S = 86_400
#: Maximum number of spectators per table.
MAX_SPECTATORS = 100


class InvitationError(Exception):
    """An unknown or used invitation."""


class Store:
    """The guests of a host, their invitations and the open tables, with their file; `lock` is held for changes."""

    def __init__(self, saves: Path) -> None:
        """Load the data; unreadable data is ignored.

        Raises `StoreInUseError`, or OSError if the folder cannot be created.
        """
        self.saves, self.lock = saves, threading.RLock()
        #: The tokens created since the start, so that they can be shown to the host; the file has only hashes.
        self._keys: dict[tuple[str, str, int], str] = {}
        self.path = saves / FOLDER / FILE
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = self._take_lock()
        #: Distinguishes the cookies of several hosts on one computer.
        self.name = secrets.token_hex(4)
        self.guests: dict[str, Guest] = {}
        self.invitations: dict[str, Invitation] = {}
        self.tables: dict[str, OpenTable] = {}
        with (
            contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError),
            _open_file(self.path, os.O_RDONLY) as file,
        ):
            self._load(json.loads(file.read(MAX_STORE_BYTES).decode()))

    def _load(self, data: Mapping[str, Any]) -> None:
        if data["format"] != FORMAT:
            return
        self.name = _text(data["name"], 8) if data.get("name") else self.name
        since = time.time() - GUEST_TTL_S
        self.guests = {key: guest for key, guest in _valid_entries(data["guests"], _guest) if guest.seen > since}
        for guest in self.guests.values():
            # An absent save may come back: it may be on a drive that is not mounted, or moved away for a while.
            absent = [key for key in guest.seen_seats if not (self.saves / key.rpartition("/")[2]).exists()]
            for key in absent[: max(0, len(guest.seen_seats) - MAX_SEEN_SAVES)]:
                del guest.seen_seats[key]
        self.invitations = dict(_valid_entries(data["invitations"], _invitation))
        self.tables = dict(_valid_entries(data["tables"], _table))

    def _take_lock(self) -> BinaryIO:
        """Return the lock file, which only one program can hold."""
        lock = _open_file(self.path.parent / LOCK, os.O_RDWR | os.O_CREAT)
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                raise StoreInUseError from None
        return lock

    @property
    def cookie(self) -> str:
        """The name of the session cookie."""
        return f"guest-{self.name}"

    def close(self) -> None:
        """Release the lock."""
        self._lock.close()

    def drop(self, table: str) -> None:
        """Forget a table with its seats and invitations, but not which seats of its save the guests have seen."""
        with self.lock:
            self.tables.pop(table, None)
            self.invitations = {key: entry for key, entry in self.invitations.items() if entry.table != table}
            for guest in self.guests.values():
                guest.seats.pop(table, None)

    def write(self) -> None:
        """Write the data; raise OSError, also if another program has taken over the tables."""
        with self.lock:
            self._write()

    def _write(self) -> None:
        # Hosts and seated players are never removed to make room for visitors.
        idle = [
            key
            for key, guest in self.guests.items()
            if not guest.host and all(n == WATCHING or table not in self.tables for table, n in guest.seats.items())
        ]
        idle.sort(key=lambda key: self.guests[key].seen)
        for key in idle[: max(0, len(self.guests) - MAX_GUESTS)]:
            del self.guests[key]
        data = {
            "format": FORMAT,
            "name": self.name,
            "guests": {key: asdict(entry) for key, entry in self.guests.items()},
            "invitations": {key: asdict(entry) for key, entry in self.invitations.items()},
            "tables": {key: asdict(entry) for key, entry in self.tables.items()},
        }
        if not self._holds_lock():
            # The folder has been replaced and must be locked again.
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                lock = self._take_lock()
            except StoreInUseError:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(self.path)) from None
            self._lock.close()
            self._lock = lock
        write_bytes(self.path, json.dumps(data, ensure_ascii=False).encode(), prefix=f"{FILE}.")

    @property
    def lost(self) -> bool:
        """True if the file or its lock has been removed or replaced by another program."""
        return not self._holds_lock() or not self.path.is_file()

    def _holds_lock(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._lock.fileno()), (self.path.parent / LOCK).lstat())
        except OSError:
            return False

    # ---- invitations ----

    def invite(self, kind: str, table: str = "", seat: int = WATCHING) -> str:
        """Create a token for a seat, any seat, watching or hosting.

        An earlier one for the same seat or for hosting becomes invalid.
        """
        key = new_key()
        with self.lock:
            same = [k for k, invitation in self.invitations.items() if invitation == Invitation(kind, table, seat)]
            for old_key in same if kind in ("seat", "host") else same[: max(0, len(same) - MAX_OPEN_INVITATIONS + 1)]:
                del self.invitations[old_key]
            self.invitations[digest(key)] = Invitation(kind, table, seat)
            self._keys[kind, table, seat] = key
        return key

    def key(self, kind: str, table: str, seat: int = WATCHING) -> str | None:
        """Return the token of a valid invitation, if it was created since the start."""
        key = self._keys.get((kind, table, seat))
        return key if key is not None and digest(key) in self.invitations else None

    def invitation(self, key: str) -> Invitation:
        """Return the invitation of a token; raise `InvitationError`."""
        invitation = self.invitations.get(digest(key))
        if invitation is None:
            raise InvitationError
        return invitation

    # ---- guests ----

    def guest(self, token: str) -> Guest | None:
        """Return the guest with a session token, or None."""
        guest = self.guests.get(digest(token)) if token else None
        if guest is not None and guest.seen < (now := int(time.time())) - LAST_SEEN_RESOLUTION_S:
            guest.seen = now
        return guest

    def seat(self, guest: Guest, table: str) -> int | None:
        """Return the guest's seat number, `WATCHING` for spectators, None if not admitted."""
        with self.lock:
            return guest.seats.get(table, WATCHING if guest.host else None)

    def is_seated(self, table: str, seat: int) -> bool:
        """Return whether the seat is taken."""
        return any(guest.seats.get(table) == seat for guest in self.guests.values())

    def require_other_name(
        self, table: str, seat: int, name: str, names: Sequence[str], guest: Guest | None = None
    ) -> None:
        """Raise `SessionSetupError` if another player at the table has a name that looks like this one.

        `names` are those of all seats. The names of empty seats, bots and the guest's previous seat may be reused.
        """
        own_seats = {seat, guest.seats.get(table) if guest is not None else None}
        same = (
            number
            for number, seat_name in enumerate(names)
            if number not in own_seats and lookalike_key(seat_name) == lookalike_key(name)
        )
        if any(self.is_seated(table, number) for number in same):
            raise SessionSetupError("same_name")

    def seen_seats(self, guest: Guest, table: str) -> set[int]:
        """Return the seats whose hidden information a guest has seen in the game that is played at a table."""
        with self.lock:
            same = (seats for key, seats in guest.seen_seats.items() if self.tables[table].is_same_match(key))
            return {*chain(*same), guest.seats.get(table, WATCHING)} - {WATCHING}

    def _record_seen_seats(self, guest: Guest, table: str) -> None:
        guest.seen_seats[self.tables[table].seen_key] = sorted(self.seen_seats(guest, table))

    def release_seat(self, table: str, seat: int) -> None:
        """Release a seat."""
        with self.lock:
            for guest in self.guests.values():
                if guest.seats.get(table) == seat:
                    del guest.seats[table]

    def rotate_seats(self, table: str, seats: int) -> None:
        """Rotate all players by one seat for a rematch, which is a new save."""
        with self.lock:
            for guest in self.guests.values():
                if guest.seats.get(table, WATCHING) != WATCHING:
                    guest.seats[table] = (guest.seats[table] - 1) % seats
                    self._record_seen_seats(guest, table)

    def _make_room(self, table: str) -> None:
        """Remove the oldest spectators of a table if there are too many."""
        watching = [
            key
            for key, guest in self.guests.items()
            if guest.seats.get(table) == WATCHING and not guest.host and set(guest.seats.values()) == {WATCHING}
        ]
        for key in watching[: max(0, len(watching) - MAX_SPECTATORS + 1)]:
            del self.guests[key]

    def redeem_invitation(
        self, key: str, token: str, seat: int, language: str, free: Iterable[int]
    ) -> tuple[str, Guest]:
        """Exchange an invitation for a session token; an existing token is kept.

        `seat` is one of those in `free`, or `WATCHING`. Raises `InvitationError` if the invitation does not allow it.
        """
        with self.lock:
            invitation = self.invitation(key)
            allowed = {"seat": [invitation.seat], "any": [*free, WATCHING]}.get(invitation.kind, [WATCHING])
            if seat not in allowed or (seat != WATCHING and seat not in set(free)):
                raise InvitationError
            guest = self.guest(token)
            if guest is None and seat == WATCHING and invitation.kind != "host":
                self._make_room(invitation.table)
            if guest is None:
                token = new_key()
                guest = self.guests[digest(token)] = Guest(language, seen=int(time.time()))
            guest.language = language
            if invitation.kind == "host":
                guest.host = True
            else:
                guest.seats[invitation.table] = seat
                self._record_seen_seats(guest, invitation.table)
            if invitation.kind == "seat":
                del self.invitations[digest(key)]
            return token, guest
