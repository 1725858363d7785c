"""Who may come in: guests by what their browser keeps, and invitations, each a secret that is exchanged for that."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence

from wongar_dsl.table.errors import TableError
from wongar_dsl.table.names import alike

from .keys import kept, new_key
from .store import WATCHING, Guest, Invitation, Store

#: So many invitations to any seat of a table, or to watch there, are good at the same time: one for each start.
AT_ONCE = 3
#: A guest's last visit is kept to so many seconds.
VISIT = 86_400
#: So many people can only watch at a table.
MOST_WATCHING = 100


class InvitationError(Exception):
    """An invitation that nobody sent, or that has been used."""


class Guests:
    """The guests of a host, over its store; `lock` is held while the store changes."""

    def __init__(self, store: Store) -> None:
        self.store, self.lock = store, threading.RLock()
        #: The secrets that were made since the start, so that who hosts can be shown them.
        self._keys: dict[tuple[str, str, int], str] = {}

    def write(self) -> None:
        """Keep all of it; raises OSError."""
        with self.lock:
            self.store.write()

    # ---- invitations ----

    def invite(self, kind: str, table: str = "", seat: int = WATCHING) -> str:
        """A new secret for a seat, any seat of a table, to watch there, or to host; an older one for a seat is no good
        any more."""
        key = new_key()
        with self.lock:
            same = [
                k for k, one in self.store.invitations.items() if (one.kind, one.table, one.seat) == (kind, table, seat)
            ]
            for old in same if kind in ("seat", "host") else same[: max(0, len(same) - AT_ONCE + 1)]:
                del self.store.invitations[old]
            self.store.invitations[kept(key)] = Invitation(kind, table, seat)
            self._keys[kind, table, seat] = key
        return key

    def key(self, kind: str, table: str, seat: int = WATCHING) -> str | None:
        """The secret of an invitation that is good, if it was made since the start."""
        key = self._keys.get((kind, table, seat))
        return key if key is not None and kept(key) in self.store.invitations else None

    def invitation(self, key: str) -> Invitation:
        """What a secret invites to; raises `InvitationError`."""
        found = self.store.invitations.get(kept(key))
        if found is None:
            raise InvitationError
        return found

    # ---- guests ----

    def guest(self, token: str) -> Guest | None:
        """Whose browser keeps a token; None for nobody's."""
        found = self.store.guests.get(kept(token)) if token else None
        if found is not None and found.seen < (now := int(time.time())) - VISIT:
            found.seen = now
        return found

    def seat(self, guest: Guest, table: str) -> int | None:
        """Where a guest sits at a table (`WATCHING`: nowhere); None for who has no business there."""
        with self.lock:
            return guest.seats.get(table, WATCHING if guest.host else None)

    def drop(self, table: str) -> None:
        """Nobody has any business at a table any more."""
        with self.lock:
            self.store.drop(table)

    def seated(self, table: str, seat: int) -> bool:
        """Whether anybody sits on a seat."""
        return any(guest.seats.get(table) == seat for guest in self.store.guests.values())

    def require_other_name(
        self, table: str, seat: int, name: str, names: Sequence[str], guest: Guest | None = None
    ) -> None:
        """Raise `TableError` if somebody else than the guest has a name at a table that looks like this one.

        `names` are those of all seats.  An empty chair, a bot and the seat that the guest leaves give their names up.
        """
        own = {seat, guest.seats.get(table) if guest is not None else None}
        same = (number for number, other in enumerate(names) if number not in own and alike(other) == alike(name))
        if any(self.seated(table, number) for number in same):
            raise TableError("same_name")

    def own(self, guest: Guest, table: str) -> set[int]:
        """Return the seats at a table whose hidden things a guest has seen."""
        with self.lock:
            return {*guest.held.get(table, ()), guest.seats.get(table, WATCHING)} - {WATCHING}

    def leave(self, table: str, seat: int) -> None:
        """Nobody sits on a seat any more."""
        with self.lock:
            for guest in self.store.guests.values():
                if guest.seats.get(table) == seat:
                    del guest.seats[table]

    def turn(self, table: str, seats: int) -> None:
        """Move everybody at a table on by one seat, for a new game: what was seen in the old one does not count."""
        with self.lock:
            for guest in self.store.guests.values():
                guest.held.pop(table, None)
                if guest.seats.get(table, WATCHING) != WATCHING:
                    guest.seats[table] = (guest.seats[table] - 1) % seats
                    guest.held[table] = [guest.seats[table]]

    def _make_room(self, table: str) -> None:
        """Forget who came first of those who only watch at a table, where there are too many."""
        watching = [
            key
            for key, guest in self.store.guests.items()
            if guest.seats.get(table) == WATCHING and not guest.host and set(guest.seats.values()) == {WATCHING}
        ]
        for key in watching[: max(0, len(watching) - MOST_WATCHING + 1)]:
            del self.store.guests[key]

    def come_in(self, key: str, token: str, seat: int, language: str, free: Iterable[int]) -> tuple[str, Guest]:
        """Exchange the secret of an invitation for a token; who has one already keeps it.

        `seat` is one of those that are `free`, or `WATCHING`.  Raises `InvitationError` where that is not what somebody
        is invited to.
        """
        with self.lock:
            invitation = self.invitation(key)
            allowed = {
                "seat": [invitation.seat],
                "any": [*free, WATCHING],
                "watch": [WATCHING],
                "host": [WATCHING],
            }[invitation.kind]
            if seat not in allowed or (seat != WATCHING and seat not in set(free)):
                raise InvitationError
            guest = self.guest(token)
            if guest is None and seat == WATCHING and invitation.kind != "host":
                self._make_room(invitation.table)
            if guest is None:
                token = new_key()
                guest = self.store.guests[kept(token)] = Guest(language, seen=int(time.time()))
            guest.language = language
            if invitation.kind == "host":
                guest.host = True
            else:
                guest.seats[invitation.table] = seat
                guest.held[invitation.table] = sorted(self.own(guest, invitation.table))
            if invitation.kind == "seat":
                del self.store.invitations[kept(key)]
            return token, guest
