"""Chance: a small counter-based generator, whose counter and step are kept in the state of the game.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): the counter goes up by an odd step, and a mixing function
makes the random number of it.  Numbers below n are taken from the high bits of a 128-bit product; with n below 2^32 no
value is more likely than another by more than one part in 2^32.

No two streams have two numbers running in common, at whatever seeds, and this is no matter of luck.  The mixing
function gives no number twice, so two streams that agree in two numbers running go on by the same step.  The step is
the key of the seed, which is another one for each seed, with its last bit set; so only two seeds share a step.  The
counters of one step lie on a circle of 2^64 places, that many steps around.  Which half of it a seed has is told by
that last bit; in the half each purpose has a part, in there each seat, and in there each number a stretch of 2^36
places: more than any game draws.
"""

from __future__ import annotations

from enum import IntEnum

MASK = (1 << 64) - 1
#: The golden section of 2^64: what goes into a key besides its seed, and the step where there is none of its own.
GOLDEN = 0x9E3779B97F4A7C15
#: Where on the circle a stream begins: bits for the half, the purpose, the seat and the number, from the top down.
PLACES = _HALF, _PURPOSE, _SEAT, _NUMBER = 63, 60, 54, 36
SEATS, NUMBERS = 1 << (_PURPOSE - _SEAT), 1 << (_SEAT - _NUMBER)

Cursor = tuple[int, int]
"""Where a stream stands: its counter and its step."""


class Purpose(IntEnum):
    """What a stream of random numbers is for; each has a part of its own of the places of a seed."""

    SETUP = 0
    PLAY = 1
    BOT = 2
    PACE = 3
    SERIES = 4
    SAMPLING = 5
    WORLD_SETUP = 6
    WORLD_PLAY = 7


def mix(counter: int) -> int:
    """The random 64-bit number of a counter: another one for each."""
    z = counter
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def key(seed: int) -> int:
    """The key of a seed, of which 64 bits count: another one for each."""
    return mix((seed + GOLDEN) & MASK)


def start(seed: int, purpose: Purpose, seat: int = 0, number: int = 0) -> Cursor:
    """Where the stream for a purpose begins at a seed; seats and numbers below `SEATS` and `NUMBERS` have streams of
    their own.  Raises ValueError for others."""
    if not (0 <= seat < SEATS and 0 <= number < NUMBERS):
        raise ValueError(f"no stream for seat {seat}, number {number}")
    mixed = key(seed)
    step = mixed | 1
    place = (mixed & 1) << _HALF | purpose << _PURPOSE | seat << _SEAT | number << _NUMBER
    return (mix(step) + place * step) & MASK, step


def derive(seed: int, number: int) -> int:
    """The seed, of 64 bits, of one game in a series that has a seed itself: another one for each number."""
    counter, step = start(seed, Purpose.SERIES)
    return mix((counter + (number + 1) * step) & MASK)


def draw(counter: int, step: int, n: int) -> tuple[int, int]:
    """The next counter, and a random number from 0 to n - 1.  Where there is nothing to choose, nothing is used up."""
    if n <= 1:
        return counter, 0
    counter = (counter + step) & MASK
    return counter, (mix(counter) * n) >> 64


class Generator:
    """Random numbers outside of a game's state: a stream for bots, for sampling."""

    def __init__(self, seed: int, purpose: Purpose = Purpose.SAMPLING, seat: int = 0, number: int = 0) -> None:
        self._counter, self._step = start(seed, purpose, seat, number)

    @classmethod
    def of_old(cls, seed: int) -> Generator:
        """A generator as they were at first, with the same step for all seeds: for what was made with one."""
        made = cls(seed)
        (made._counter, _), made._step = old_streams(seed, False), GOLDEN
        return made

    @property
    def cursor(self) -> Cursor:
        """Where the stream stands."""
        return self._counter, self._step

    @cursor.setter
    def cursor(self, cursor: Cursor) -> None:
        self._counter, self._step = cursor

    def below(self, n: int) -> int:
        """A random number from 0 to n - 1."""
        self._counter, value = draw(self._counter, self._step, n)
        return value

    def seed(self) -> int:
        """A seed of 64 bits, for streams that begin here."""
        self._counter = (self._counter + self._step) & MASK
        return mix(self._counter)

    def shuffle(self, items: list[int]) -> None:
        """Put a list in a random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


# ---- as it was before ----------------------------------------------------------------------------------------------


def old_streams(seed: int, apart: bool) -> tuple[int, int]:
    """The counters of setup and play as they began in older saves, which went on by `GOLDEN`; where they were not
    `apart`, there was only the first."""
    return key(seed), (key(seed) + (1 << 60) * GOLDEN) & MASK if apart else 0
