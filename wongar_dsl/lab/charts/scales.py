"""Scales of charts: positions of values, and round tick values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TypeAlias

#: Steps of an axis within a power of ten.
_STEPS = (1, 2, 5)
#: Tolerance for rounding errors, in steps of an axis.
_EPSILON = 1e-9

#: Formats a value for an axis whose step has this number of decimal places, in the reader's language.
Writing: TypeAlias = Callable[[float, int], str]


@dataclass(frozen=True, slots=True)
class Ticks:
    """Tick values of an axis, in equal steps, and the number of decimal places that distinguishes them."""

    values: tuple[float, ...]
    places: int


def ticks(low: float, high: float, most: int = 6, whole: bool = False) -> Ticks:
    """Return round values that cover `low` to `high` in at most `most` steps, without fractions if `whole`.

    If both are equal, there is one step up from there.
    """
    room = high - low
    if room <= _EPSILON * max(abs(low), abs(high)):
        room = max(abs(low), abs(high)) or 1.0
    power = floor(log10(room / most))
    if whole:
        power = max(power, 0)
    while True:
        for factor in _STEPS:
            candidate = _stepped(low, high, factor, power)
            if len(candidate.values) <= most + 1:
                return candidate
        power += 1


def _stepped(low: float, high: float, factor: int, power: int) -> Ticks:
    step = factor * 10.0**power
    first, last = floor(low / step + _EPSILON), ceil(high / step - _EPSILON)
    places = max(0, -power)
    return Ticks(tuple(round(n * step, places) + 0.0 for n in range(first, max(last, first + 1) + 1)), places)


@dataclass(frozen=True, slots=True)
class Scale:
    """Linear scale from values `low` to `high` to positions `start` to `end` in a picture."""

    low: float
    high: float
    start: int
    end: int

    def at(self, value: float) -> int:
        """Return the position of a value, clamped to the scale."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + round(min(max(share, 0.0), 1.0) * (self.end - self.start))


@dataclass(frozen=True, slots=True)
class Axis:
    """Axis: its name, the format of its values, and an optional range that is always shown.

    The values of a `whole` axis are counts.
    """

    name: str
    write: Writing
    low: float | None = None
    high: float | None = None
    whole: bool = False

    def ticks(self, values: Iterable[float], most: int = 6) -> Ticks:
        """Return the ticks of the axis for these values."""
        ends = (end for end in (self.low, self.high) if end is not None)
        shown = [value for value in (*values, *ends) if isfinite(value)] or [0.0]
        return ticks(min(shown), max(shown), most, self.whole)
