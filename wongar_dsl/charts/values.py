"""What charts are drawn of: labelled numbers, each perhaps with the interval in which it lies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; without one the ends are the number itself."""

    value: float
    low: float
    high: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.value, self.low, self.high))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a chart: what it is of, its value, and that value as it is written.

    What is not `marked` is drawn as something that says little.
    """

    label: str
    estimate: Estimate
    told: str
    marked: bool = True


@dataclass(frozen=True, slots=True)
class Parted:
    """One line of a chart whose value is a sum: its parts, one for each series, as numbers and as written."""

    label: str
    parts: tuple[float, ...]
    written: tuple[str, ...]
    told: str


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of a chart with two values that are compared, and how both are written."""

    label: str
    values: tuple[float, float]
    told: str


@dataclass(frozen=True, slots=True)
class Column:
    """What lies from `low` up to `high` on the axis below, and how much of it there is."""

    low: float
    high: float
    value: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, from left to right, perhaps with the band in which they lie."""

    label: str
    points: tuple[tuple[float, Estimate], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A value that is marked across a chart, such as what would be even, with its name."""

    value: float
    label: str
