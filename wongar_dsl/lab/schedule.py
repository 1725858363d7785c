"""Schedule of a tournament: pairings and seat orders, balanced so that no seat favours a bot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

#: Maximum number of seatings for which all are played; otherwise a balanced subset is.
MAX_SEATINGS = 36

#: Numbers of the bots that play against each other.
Meeting = tuple[int, ...]
#: Number of the bot in each seat.
Seating = tuple[int, ...]


def meetings(bots: int, seats: int) -> tuple[Meeting, ...]:
    """Return all pairs of bots and, if there are more seats, all combinations of as many bots as fit.

    Raise ValueError for fewer than two bots or seats.
    """
    if bots < 2 or seats < 2:
        raise ValueError(f"{bots} bots, {seats} seats")
    pairs = tuple(combinations(range(bots), 2))
    together = min(bots, seats)
    return pairs if together == 2 else (*pairs, *combinations(range(bots), together))


def seatings(meeting: Meeting, seats: int) -> tuple[Seating, ...]:
    """Return the seat orders of a meeting, each once; every bot takes every seat equally often.

    Bots have equally many seats, or differ by one. Up to `MAX_SEATINGS` orders are returned completely; otherwise the
    rotations of one order over seats and bots, and the same in reverse.
    """
    everything = tuple(_every_seating(meeting, seats))
    return everything if len(everything) <= MAX_SEATINGS else _rotations(meeting, seats)


def _every_seating(meeting: Meeting, seats: int) -> Iterator[Seating]:
    """Yield every order, up to one more than `MAX_SEATINGS`."""
    low, remainder = divmod(seats, len(meeting))
    count = 0
    for extra in combinations(meeting, remainder):
        seats_by_bot = {bot: low + (bot in extra) for bot in meeting}
        for order in _orders(seats_by_bot, seats):
            yield order
            count += 1
            if count > MAX_SEATINGS:
                return


def _orders(left: dict[int, int], seats: int) -> Iterator[Seating]:
    """Yield every order in which each bot has its number of seats."""
    if not seats:
        yield ()
        return
    for bot, number in left.items():
        if number:
            for rest in _orders(left | {bot: number - 1}, seats - 1):
                yield (bot, *rest)


def _rotations(meeting: Meeting, seats: int) -> tuple[Seating, ...]:
    bots, orders = len(meeting), dict[Seating, None]()
    for other_way in (False, True):
        for named in range(bots):
            order = [meeting[(seat + named) % bots] for seat in range(seats)]
            order = order[::-1] if other_way else order
            for begin in range(seats):
                orders[(*order[begin:], *order[:begin])] = None
    return tuple(orders)
