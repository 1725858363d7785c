"""Random numbers: SplitMix64, a counter-based generator whose counter and increment are part of the game state.

SplitMix64 (Steele, Lea and Flood, 2014) adds an odd increment to a counter, and a mixing function turns the counter
into a random number.  Numbers below n are the high bits of a 128-bit product; for n below 2^32 the bias is less than
2^-32.

No two streams, of any seeds, have two consecutive numbers in common.  The mixing function is a bijection, so streams
with two common consecutive numbers have the same increment.  The increment is the key of the seed with its last bit
set, and keys are distinct, so only two seeds share an increment.  The counters of one increment form a cycle of 2^64
values.  The last bit of the key selects the half of the cycle.  The half is divided by purposes, then by seats, then by
numbers.  Each stream has a range of 2^36 values, which is more than any game draws.
"""

from __future__ import annotations

from enum import IntEnum

MASK = (1 << 64) - 1
#: The golden ratio times 2^64: offset of the seed in a key, and the increment of old streams.
GOLDEN = 0x9E3779B97F4A7C15
#: Bit positions of half, purpose, seat and number in the start of a stream.
PLACES = _HALF, _PURPOSE, _SEAT, _NUMBER = 63, 60, 54, 36
SEATS, NUMBERS = 1 << (_PURPOSE - _SEAT), 1 << (_SEAT - _NUMBER)

#: Position of a stream: counter and increment.
Cursor = tuple[int, int]


class Purpose(IntEnum):
    """Purpose of a random stream; each has its own part of the cycle."""

    SETUP = 0
    PLAY = 1
    BOT = 2
    PACE = 3
    SERIES = 4
    SAMPLING = 5
    WORLD_SETUP = 6
    WORLD_PLAY = 7


def mix(counter: int) -> int:
    """Return the 64-bit random number of a counter; a bijection."""
    z = counter
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def key(seed: int) -> int:
    """Return the key of a 64-bit seed; a bijection."""
    return mix((seed + GOLDEN) & MASK)


def start(seed: int, purpose: Purpose, seat: int = 0, number: int = 0) -> Cursor:
    """Return the start of the stream for a purpose, seat and number.

    Raises ValueError unless seat and number are below `SEATS` and `NUMBERS`.
    """
    if not (0 <= seat < SEATS and 0 <= number < NUMBERS):
        raise ValueError(f"no stream for seat {seat}, number {number}")
    mixed = key(seed)
    step = mixed | 1
    place = (mixed & 1) << _HALF | purpose << _PURPOSE | seat << _SEAT | number << _NUMBER
    return (mix(step) + place * step) & MASK, step


def derive(seed: int, number: int) -> int:
    """Return the 64-bit seed of a game in a series; different for each number."""
    counter, step = start(seed, Purpose.SERIES)
    return mix((counter + (number + 1) * step) & MASK)


def draw(counter: int, step: int, n: int) -> tuple[int, int]:
    """Return the next counter and a random number below n.  For n <= 1 the counter is unchanged."""
    if n <= 1:
        return counter, 0
    counter = (counter + step) & MASK
    return counter, (mix(counter) * n) >> 64


class Generator:
    """Random stream outside of a game state, for bots and sampling."""

    def __init__(self, seed: int, purpose: Purpose = Purpose.SAMPLING, seat: int = 0, number: int = 0) -> None:
        self._counter, self._step = start(seed, purpose, seat, number)

    @property
    def cursor(self) -> Cursor:
        """Position of the stream."""
        return self._counter, self._step

    @cursor.setter
    def cursor(self, cursor: Cursor) -> None:
        self._counter, self._step = cursor

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1."""
        self._counter, value = draw(self._counter, self._step, n)
        return value

    def seed(self) -> int:
        """Return a 64-bit seed for further streams."""
        self._counter = (self._counter + self._step) & MASK
        return mix(self._counter)

    def shuffle(self, items: list[int]) -> None:
        """Shuffle a list in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


# ---- old versions --------------------------------------------------------------------------------------------------


def old_streams(seed: int, apart: bool) -> tuple[int, int]:
    """Return the initial counters of setup and play in older saves, whose increment is `GOLDEN`.

    Without `apart` there was only the first stream.
    """
    return key(seed), (key(seed) + (1 << 60) * GOLDEN) & MASK if apart else 0
