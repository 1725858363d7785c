"""From values to places in a chart, and the round values that an axis names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TypeAlias

#: The steps of an axis within a power of ten.
_STEPS = (1, 2, 5)
#: So little counts as nothing, in steps of an axis.
_NEARLY = 1e-9

#: Writes a value of an axis whose step has so many decimal places, in the language of the reader.
Writing: TypeAlias = Callable[[float, int], str]


@dataclass(frozen=True, slots=True)
class Ticks:
    """The values that an axis names, in equal steps, and with how many decimal places they are told apart."""

    values: tuple[float, ...]
    places: int


def ticks(low: float, high: float, most: int = 6, whole: bool = False) -> Ticks:
    """Round values from at most `low` to at least `high`, in at most so many steps; `whole` ones have no fractions.

    Where the two are the same, one step goes up from there.
    """
    room = high - low
    if room <= _NEARLY * max(abs(low), abs(high)):
        room = max(abs(low), abs(high)) or 1.0
    power = floor(log10(room / most))
    if whole:
        power = max(power, 0)
    while True:
        for factor in _STEPS:
            found = _stepped(low, high, factor, power)
            if len(found.values) <= most + 1:
                return found
        power += 1


def _stepped(low: float, high: float, factor: int, power: int) -> Ticks:
    step = factor * 10.0**power
    first, last = floor(low / step + _NEARLY), ceil(high / step - _NEARLY)
    places = max(0, -power)
    return Ticks(tuple(round(n * step, places) + 0.0 for n in range(first, max(last, first + 1) + 1)), places)


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` on a line from one place in a picture to another."""

    low: float
    high: float
    start: int
    end: int

    def at(self, value: float) -> int:
        """Where a value lies; what lies beyond an end is put there."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + round(min(max(share, 0.0), 1.0) * (self.end - self.start))


@dataclass(frozen=True, slots=True)
class Axis:
    """What is measured: its name, how its values are written, and what is on it whatever the values are.

    The values of a `whole` one are counts.
    """

    name: str
    write: Writing
    low: float | None = None
    high: float | None = None
    whole: bool = False

    def ticks(self, values: Iterable[float], most: int = 6) -> Ticks:
        """The ticks of the axis for these values."""
        ends = (end for end in (self.low, self.high) if end is not None)
        shown = [value for value in (*values, *ends) if isfinite(value)] or [0.0]
        return ticks(min(shown), max(shown), most, self.whole)
