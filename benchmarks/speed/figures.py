"""Figures that were taken in turns: their medians, how far they lie apart, and the tables that are made of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles


@dataclass
class Series:
    """One figure, measured once in each round."""

    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The value in the middle."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """Half of what the middle half of the values spans, as a part of the median."""
        if len(self.values) < 2 or not self.median:
            return 0.0
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return (high - low) / 2 / self.median

    def over(self, other: Series) -> Series:
        """How many times the other's, round by round: what slowed both in a round down counts for nothing."""
        return Series([a / b for a, b in zip(self.values, other.values, strict=True)])


@dataclass(frozen=True)
class Table:
    """A table with a heading and what is to be known about it; the first `names` columns are words."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1

    def text(self) -> str:
        """As it is printed."""
        widths = [max(_width(row[i]) for row in (self.head, *self.rows)) for i in range(len(self.head))]
        lines = [self.title]
        for row in (self.head, *self.rows):
            cells = (_filled(c, w, i < self.names) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
            lines.append("  ".join(cells).rstrip())
        return "\n".join((*lines, *([self.note] if self.note else [])))

    def markdown(self) -> str:
        """As it stands in a document."""
        edge = ["---" if i < self.names else "---:" for i in range(len(self.head))]
        rows = "\n".join(f"| {' | '.join(row)} |" for row in (self.head, edge, *self.rows))
        return f"### {self.title}\n\n{rows}\n" + (f"\n{self.note}\n" if self.note else "")


def _width(text: str) -> int:
    return sum(not unicodedata.combining(sign) for sign in text)


def _filled(text: str, width: int, left: bool) -> str:
    gap = " " * (width - _width(text))
    return text + gap if left else gap + text


def number(value: float) -> str:
    """A number with three figures that count: `12.3 M`, `845 k`, `0.21`."""
    for size, sign in ((1e6, " M"), (1e3, " k"), (1, "")):
        if value >= size:
            return _three(value / size) + sign
    return f"{value:.2g}"


def _three(value: float) -> str:
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def measured(series: Series | None) -> str:
    """A figure with how sure it is; a dash where there is none."""
    if series is None or not series.values or not series.median:
        return "–"
    return f"{number(series.median)} ±{series.spread:.0%}"


def times(series: Series | None) -> str:
    """How many times as much."""
    return f"{_three(series.median)} ×" if series is not None and series.values else "–"


def shown(values: Sequence[float | None], digits: int = 1) -> tuple[str, ...]:
    """Numbers with so many places behind the point; dashes where there are none."""
    return tuple("–" if value is None else f"{value:.{digits}f}" for value in values)
