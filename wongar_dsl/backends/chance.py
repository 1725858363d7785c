"""Chance: a small counter-based generator whose whole state is one integer, kept in the state of the game.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): the counter goes up by a constant, and a mixing function
makes the random number of it.  Numbers below n are taken from the high bits of a 128-bit product; with n below 2^32 no
value is more likely than another by more than one part in 2^32.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mix(counter: int) -> int:
    """The random 64-bit number of a counter."""
    z = counter
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def start(seed: int) -> int:
    """The first counter for a seed: any integer, also a negative or a large one."""
    counter = 0
    rest = seed if seed >= 0 else -2 * seed + 1
    while True:
        counter = mix((counter + (rest & MASK) + STEP) & MASK)
        rest >>= 64
        if not rest:
            return counter


def draw(counter: int, n: int) -> tuple[int, int]:
    """The next counter, and a random number from 0 to n - 1.  Where there is nothing to choose, nothing is used up."""
    if n <= 1:
        return counter, 0
    counter = (counter + STEP) & MASK
    return counter, (mix(counter) * n) >> 64


class Generator:
    """Random numbers outside of a game's state, for bots and for sampling."""

    def __init__(self, seed: int) -> None:
        self._counter = start(seed)

    def below(self, n: int) -> int:
        """A random number from 0 to n - 1."""
        self._counter, value = draw(self._counter, n)
        return value

    def shuffle(self, items: list[int]) -> None:
        """Put a list in a random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
