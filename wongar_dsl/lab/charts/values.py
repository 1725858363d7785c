"""Input data of charts: labelled numbers, optionally with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChartEstimate:
    """Number with its interval; without an interval both ends are the number itself."""

    value: float
    low: float
    high: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.value, self.low, self.high))


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Row of a chart: label, value, and formatted value.

    An unmarked row is drawn as less significant.
    """

    label: str
    estimate: ChartEstimate
    value_text: str
    marked: bool = True


@dataclass(frozen=True, slots=True)
class StackedRow:
    """Row of a chart whose value is a sum: its parts, one per series, as numbers and as formatted texts."""

    label: str
    parts: tuple[float, ...]
    part_texts: tuple[str, ...]
    value_text: str


@dataclass(frozen=True, slots=True)
class PairedRow:
    """Row of a chart with two values to compare, and both formatted."""

    label: str
    values: tuple[float, float]
    value_text: str


@dataclass(frozen=True, slots=True)
class HistogramColumn:
    """Column of a histogram: the range from `low` to `high`, its value, and the text of its tooltip."""

    low: float
    high: float
    value: float
    tooltip: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Line through points from left to right, with an optional band."""

    label: str
    points: tuple[tuple[float, ChartEstimate], ...]


@dataclass(frozen=True, slots=True)
class ChartMark:
    """Value marked across a chart, for example the even share, with its label."""

    value: float
    label: str
