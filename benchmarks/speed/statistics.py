"""Series of measurements with median and spread, and tables of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles


@dataclass
class Series:
    """Figure measured once per round."""

    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median of the values."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """Half the interquartile range, relative to the median."""
        if len(self.values) < 2 or not self.median:
            return 0.0
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return (high - low) / 2 / self.median

    def over(self, other: Series) -> Series:
        """Return the ratios to another series, round by round, so that slowdowns of whole rounds cancel."""
        return Series([a / b for a, b in zip(self.values, other.values, strict=True)])


@dataclass(frozen=True)
class Table:
    """Table with a title and a note; the first `names` columns are text."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1

    def text(self) -> str:
        """Return the table as plain text."""
        widths = [max(_width(row[i]) for row in (self.head, *self.rows)) for i in range(len(self.head))]
        lines = [self.title]
        for row in (self.head, *self.rows):
            cells = (_filled(c, w, i < self.names) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
            lines.append("  ".join(cells).rstrip())
        return "\n".join((*lines, *([self.note] if self.note else [])))

    def markdown(self) -> str:
        """Return the table as Markdown."""
        edge = ["---" if i < self.names else "---:" for i in range(len(self.head))]
        rows = "\n".join(f"| {' | '.join(row)} |" for row in (self.head, edge, *self.rows))
        return f"### {self.title}\n\n{rows}\n" + (f"\n{self.note}\n" if self.note else "")


def _width(text: str) -> int:
    return sum(not unicodedata.combining(sign) for sign in text)


def _filled(text: str, width: int, left: bool) -> str:
    gap = " " * (width - _width(text))
    return text + gap if left else gap + text


def number(value: float) -> str:
    """Return a number with three significant digits: `12.3 M`, `845 k`, `0.21`."""
    for size, sign in ((1e6, " M"), (1e3, " k"), (1, "")):
        if value >= size:
            return _three(value / size) + sign
    return f"{value:.2g}"


def _three(value: float) -> str:
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def measured(series: Series | None) -> str:
    """Return a figure with its spread, or a dash if there is none."""
    if series is None or not series.values or not series.median:
        return "–"
    return f"{number(series.median)} ±{series.spread:.0%}"


def times(series: Series | None) -> str:
    """Return a ratio."""
    return f"{_three(series.median)} ×" if series is not None and series.values else "–"


def shown(values: Sequence[float | None], digits: int = 1) -> tuple[str, ...]:
    """Return numbers with this many decimal places, and dashes for missing ones."""
    return tuple("–" if value is None else f"{value:.{digits}f}" for value in values)
