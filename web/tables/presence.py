"""Presence of guests: those whose page is open or was requested recently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

#: Seconds after a page request during which its guest counts as present.
PRESENCE_TIMEOUT_S = 20.0


class SeatPresence:
    """Presence by seat; spectators have none."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._streams_by_seat: Counter[tuple[str, int]] = Counter()
        self._streams_by_guest: Counter[int] = Counter()
        self._seen: dict[tuple[str, int], float] = {}
        self._announced: dict[str, frozenset[int]] = {}

    def stream_opened(self, table: str, seat: int, guest: object) -> None:
        """Count a new event stream of a guest to a seat."""
        self._streams_by_seat[table, seat] += 1
        self._streams_by_guest[id(guest)] += 1

    def stream_closed(self, table: str, seat: int, guest: object) -> None:
        """Count the end of an event stream."""
        self._streams_by_seat[table, seat] -= 1
        self._streams_by_guest[id(guest)] -= 1
        if not self._streams_by_guest[id(guest)]:
            del self._streams_by_guest[id(guest)]
        self.page_requested(table, seat)

    def streams_of(self, guest: object) -> int:
        """Return the number of a guest's event streams at all tables."""
        return self._streams_by_guest[id(guest)]

    def streams(self, table: str, seat: int) -> int:
        """Return the number of event streams to a seat."""
        return self._streams_by_seat[table, seat]

    def page_requested(self, table: str, seat: int) -> None:
        """Record a page request."""
        self._seen[table, seat] = self._clock()

    def announced(self, table: str) -> frozenset[int]:
        """Return the seats present, as last reported to the guests."""
        return self._announced.get(table, frozenset())

    def update_announced(self, table: str, seats: Iterable[int]) -> bool:
        """Return whether the presence has changed since the last report, and update the report."""
        now = self._clock()
        present = frozenset(
            seat
            for seat in seats
            if self._streams_by_seat[table, seat] > 0
            or now - self._seen.get((table, seat), -PRESENCE_TIMEOUT_S) < PRESENCE_TIMEOUT_S
        )
        old, self._announced[table] = self.announced(table), present
        return present != old

    def forget(self, table: str) -> None:
        """Forget a closed table."""
        self._announced.pop(table, None)
        for key in [key for key in self._seen if key[0] == table]:
            del self._seen[key]
