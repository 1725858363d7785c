"""Who meets whom in a tournament, and in which orders they sit, so that no seat favours anybody."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

#: So many seatings of one meeting are played all; of more, a fair part.
MOST = 36

Meeting = tuple[int, ...]
"""The bots that meet, by their numbers."""
Seating = tuple[int, ...]
"""The bot of each seat."""


def meetings(bots: int, seats: int) -> tuple[Meeting, ...]:
    """Each bot with each other one; where there is room for more of them, also as many together as there is room for.

    Raises ValueError where nobody can meet: for fewer than two bots, or seats.
    """
    if bots < 2 or seats < 2:
        raise ValueError(f"{bots} bots, {seats} seats")
    pairs = tuple(combinations(range(bots), 2))
    together = min(bots, seats)
    return pairs if together == 2 else (*pairs, *combinations(range(bots), together))


def seatings(meeting: Meeting, seats: int) -> tuple[Seating, ...]:
    """The orders in which they sit, each once; every bot sits on every seat equally often.

    A bot has as many seats as another, or one more where they do not come out even.  With up to `MOST` orders these
    are all; else one order in which seats and bots are moved on, and the same the other way round.
    """
    everything = tuple(_all(meeting, seats))
    return everything if len(everything) <= MOST else _moved_on(meeting, seats)


def _all(meeting: Meeting, seats: int) -> Iterator[Seating]:
    """Every order, up to one more than `MOST`."""
    low, more = divmod(seats, len(meeting))
    found = 0
    for extra in combinations(meeting, more):
        left = {bot: low + (bot in extra) for bot in meeting}
        for order in _orders(left, seats):
            yield order
            found += 1
            if found > MOST:
                return


def _orders(left: dict[int, int], seats: int) -> Iterator[Seating]:
    """Every order in which each bot sits so often."""
    if not seats:
        yield ()
        return
    for bot, number in left.items():
        if number:
            for rest in _orders(left | {bot: number - 1}, seats - 1):
                yield (bot, *rest)


def _moved_on(meeting: Meeting, seats: int) -> tuple[Seating, ...]:
    bots, found = len(meeting), dict[Seating, None]()
    for other_way in (False, True):
        for named in range(bots):
            order = [meeting[(seat + named) % bots] for seat in range(seats)]
            order = order[::-1] if other_way else order
            for begin in range(seats):
                found[(*order[begin:], *order[:begin])] = None
    return tuple(found)
