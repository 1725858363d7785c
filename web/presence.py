"""Who is there: whose page is open, or was asked for a moment ago."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

#: For so many seconds somebody counts as there whose page has been asked for.
A_WHILE = 20.0


class Presence:
    """The seats whose pages are open; who watches has none."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._open: Counter[tuple[str, int]] = Counter()
        self._of: Counter[int] = Counter()
        self._seen: dict[tuple[str, int], float] = {}
        self._told: dict[str, frozenset[int]] = {}

    def come(self, table: str, seat: int, guest: object) -> None:
        """A stream of a guest to a seat begins."""
        self._open[table, seat] += 1
        self._of[id(guest)] += 1

    def go(self, table: str, seat: int, guest: object) -> None:
        """A stream of a guest to a seat ends."""
        self._open[table, seat] -= 1
        self._of[id(guest)] -= 1
        if not self._of[id(guest)]:
            del self._of[id(guest)]
        self.see(table, seat)

    def streams_of(self, guest: object) -> int:
        """How many streams a guest has, at all tables."""
        return self._of[id(guest)]

    def streams(self, table: str, seat: int) -> int:
        """How many streams there are to a seat."""
        return self._open[table, seat]

    def see(self, table: str, seat: int) -> None:
        """A page is asked for."""
        self._seen[table, seat] = self._now()

    def told(self, table: str) -> frozenset[int]:
        """Who is there, as everybody was told last."""
        return self._told.get(table, frozenset())

    def changed(self, table: str, seats: Iterable[int]) -> bool:
        """Whether others are there now than everybody was told last; from now on, that is what was told."""
        now = self._now()
        here = frozenset(
            seat
            for seat in seats
            if self._open[table, seat] > 0 or now - self._seen.get((table, seat), -A_WHILE) < A_WHILE
        )
        old, self._told[table] = self.told(table), here
        return here != old

    def forget(self, table: str) -> None:
        """A table is closed."""
        self._told.pop(table, None)
        for key in [key for key in self._seen if key[0] == table]:
            del self._seen[key]
