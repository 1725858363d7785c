"""Chance: a small counter-based generator whose whole state is one integer, kept in the state of the game.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): the counter goes up by a constant, and a mixing function
makes the random number of it.  Numbers below n are taken from the high bits of a 128-bit product; with n below 2^32 no
value is more likely than another by more than one part in 2^32.
"""

from __future__ import annotations

from enum import IntEnum

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
#: Each purpose has a stretch of so many bits of the generator's one cycle, counted from where the seed begins; a stream
#: begins in the lower half of its stretch, so that it does not reach the next one.
_STRETCH = 60
_START = 59


class Purpose(IntEnum):
    """What a stream of random numbers is for.

    At any seed, each purpose has a stretch of its own of the generator's cycle: no stream is a part of another one's.
    """

    SETUP = 0
    PLAY = 1
    BOT = 2
    PACE = 3
    SERIES = 4
    SAMPLING = 5


def mix(counter: int) -> int:
    """The random 64-bit number of a counter."""
    z = counter
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def absorb(key: int, number: int) -> int:
    """A key made of a key and one more number: any integer, also a negative or a large one."""
    rest = number if number >= 0 else -2 * number + 1
    while True:
        key = mix((key + (rest & MASK) + STEP) & MASK)
        rest >>= 64
        if not rest:
            return key


def start(seed: int, purpose: Purpose, *numbers: int) -> int:
    """The first counter of the stream for a purpose at a seed; `numbers` tell streams of one purpose apart."""
    begin = key = absorb(0, seed)
    for number in numbers:
        key = absorb(key, number)
    within = key >> (64 - _START) if numbers else 0
    return (begin + ((purpose << _STRETCH) + within) * STEP) & MASK


def derive(seed: int, number: int) -> int:
    """The seed, of 64 bits, of one game in a series that has a seed itself."""
    return mix((start(seed, Purpose.SERIES, number) + STEP) & MASK)


def draw(counter: int, n: int) -> tuple[int, int]:
    """The next counter, and a random number from 0 to n - 1.  Where there is nothing to choose, nothing is used up."""
    if n <= 1:
        return counter, 0
    counter = (counter + STEP) & MASK
    return counter, (mix(counter) * n) >> 64


class Generator:
    """Random numbers outside of a game's state: a stream for bots, for sampling."""

    def __init__(self, seed: int, purpose: Purpose = Purpose.SAMPLING, *numbers: int) -> None:
        self._counter = start(seed, purpose, *numbers)

    def below(self, n: int) -> int:
        """A random number from 0 to n - 1."""
        self._counter, value = draw(self._counter, n)
        return value

    def seed(self) -> int:
        """A seed of 64 bits, for streams that begin here."""
        self._counter = (self._counter + STEP) & MASK
        return mix(self._counter)

    def shuffle(self, items: list[int]) -> None:
        """Put a list in a random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
