"""Authentication: guests by session token, and invitations that are exchanged for one."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from itertools import chain

from wongar_dsl.session.errors import SessionSetupError
from wongar_dsl.session.seats.seat_spec import lookalike_key

from ..tables.store import WATCHING, Guest, Invitation, Store
from .tokens import digest, new_key

#: Maximum number of valid invitations to any seat of a table, or to watch: one for each server start.
MAX_OPEN_INVITATIONS = 3
#: Resolution in seconds of a guest's last visit.
LAST_SEEN_RESOLUTION_S = 86_400
#: Maximum number of spectators per table.
MAX_SPECTATORS = 100


class InvitationError(Exception):
    """An unknown or used invitation."""


class GuestRegistry:
    """The guests of a host, backed by its store; `lock` is held while the store changes."""

    def __init__(self, store: Store) -> None:
        self.store, self.lock = store, threading.RLock()
        #: The tokens created since the start, so that they can be shown to the host; the store has only hashes.
        self._keys: dict[tuple[str, str, int], str] = {}

    def write(self) -> None:
        """Save the store.

        Raises OSError.
        """
        with self.lock:
            self.store.write()

    # ---- invitations ----

    def invite(self, kind: str, table: str = "", seat: int = WATCHING) -> str:
        """Create a token for a seat, any seat, watching or hosting.

        An earlier one for the same seat or for hosting becomes invalid.
        """
        key = new_key()
        with self.lock:
            same = [
                k
                for k, invitation in self.store.invitations.items()
                if (invitation.kind, invitation.table, invitation.seat) == (kind, table, seat)
            ]
            for old_key in same if kind in ("seat", "host") else same[: max(0, len(same) - MAX_OPEN_INVITATIONS + 1)]:
                del self.store.invitations[old_key]
            self.store.invitations[digest(key)] = Invitation(kind, table, seat)
            self._keys[kind, table, seat] = key
        return key

    def key(self, kind: str, table: str, seat: int = WATCHING) -> str | None:
        """Return the token of a valid invitation, if it was created since the start."""
        key = self._keys.get((kind, table, seat))
        return key if key is not None and digest(key) in self.store.invitations else None

    def invitation(self, key: str) -> Invitation:
        """Return the invitation of a token.

        Raises `InvitationError`.
        """
        invitation = self.store.invitations.get(digest(key))
        if invitation is None:
            raise InvitationError
        return invitation

    # ---- guests ----

    def guest(self, token: str) -> Guest | None:
        """Return the guest with a session token, or None."""
        guest = self.store.guests.get(digest(token)) if token else None
        if guest is not None and guest.seen < (now := int(time.time())) - LAST_SEEN_RESOLUTION_S:
            guest.seen = now
        return guest

    def seat(self, guest: Guest, table: str) -> int | None:
        """Return the guest's seat number, `WATCHING` for spectators, None if not admitted."""
        with self.lock:
            return guest.seats.get(table, WATCHING if guest.host else None)

    def forget_table(self, table: str) -> None:
        """Forget a table and its guests' seats."""
        with self.lock:
            self.store.drop(table)

    def is_seated(self, table: str, seat: int) -> bool:
        """Return whether the seat is taken."""
        return any(guest.seats.get(table) == seat for guest in self.store.guests.values())

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
            same = (seats for key, seats in guest.seen_seats.items() if self.store.tables[table].is_same_match(key))
            return {*chain(*same), guest.seats.get(table, WATCHING)} - {WATCHING}

    def _record_seen_seats(self, guest: Guest, table: str) -> None:
        guest.seen_seats[self.store.tables[table].seen_key] = sorted(self.seen_seats(guest, table))

    def release_seat(self, table: str, seat: int) -> None:
        """Release a seat."""
        with self.lock:
            for guest in self.store.guests.values():
                if guest.seats.get(table) == seat:
                    del guest.seats[table]

    def rotate_seats(self, table: str, seats: int) -> None:
        """Rotate all players by one seat for a rematch, which is a new save."""
        with self.lock:
            for guest in self.store.guests.values():
                if guest.seats.get(table, WATCHING) != WATCHING:
                    guest.seats[table] = (guest.seats[table] - 1) % seats
                    self._record_seen_seats(guest, table)

    def _make_room(self, table: str) -> None:
        """Remove the oldest spectators of a table if there are too many."""
        watching = [
            key
            for key, guest in self.store.guests.items()
            if guest.seats.get(table) == WATCHING and not guest.host and set(guest.seats.values()) == {WATCHING}
        ]
        for key in watching[: max(0, len(watching) - MAX_SPECTATORS + 1)]:
            del self.store.guests[key]

    def redeem_invitation(
        self, key: str, token: str, seat: int, language: str, free: Iterable[int]
    ) -> tuple[str, Guest]:
        """Exchange an invitation for a session token; an existing token is kept.

        `seat` is one of those in `free`, or `WATCHING`. Raises `InvitationError` if the invitation does not allow it.
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
                guest = self.store.guests[digest(token)] = Guest(language, seen=int(time.time()))
            guest.language = language
            if invitation.kind == "host":
                guest.host = True
            else:
                guest.seats[invitation.table] = seat
                self._record_seen_seats(guest, invitation.table)
            if invitation.kind == "seat":
                del self.store.invitations[digest(key)]
            return token, guest
