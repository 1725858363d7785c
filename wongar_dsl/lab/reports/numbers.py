"""Formatting of numbers in a report: by the rules of the language, with precision according to the interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import floor, inf, isfinite, log10
from statistics import NormalDist

from wongar_dsl.lab.charts import Axis, ChartEstimate, ChartRow
from wongar_dsl.lab.reports.report_data import CONFIDENCE, ComparedFigure, DifferenceEstimate, Estimate
from wongar_dsl.nlg.words import Text, Translator

#: Maximum number of decimal places.
MAX_DIGITS = 4
#: Tolerance for rounding errors in the logarithm.
ROUNDED = 1e-9


@dataclass(frozen=True, slots=True)
class MeasureUnit:
    """Number format of a metric: plain numbers, or percentages for a `share`.

    Differences of shares are in percentage points.
    """

    words: Translator
    share: bool = False

    def text(self, value: float, places: int) -> str:
        """Return a value; for a share, `places` counts decimals of the percentage."""
        return self.words.percent(value, places) if self.share else self._bare(value, places)

    def estimate(self, estimate: Estimate | ChartEstimate) -> str:
        """Return a value with its interval."""
        places = self.places(estimate.low, estimate.high)
        value, interval = Text(self.text(estimate.value, places)), Text(self.range(estimate, places))
        return self.words.say("lab.estimate", None, value=value, range=interval)

    def value(self, estimate: Estimate | DifferenceEstimate | ChartEstimate) -> str:
        """Return a value alone, with precision according to its interval."""
        return self.text(estimate.value, self.places(estimate.low, estimate.high))

    def range(self, estimate: Estimate | ChartEstimate, places: int | None = None) -> str:
        """Return an interval."""
        places = self.places(estimate.low, estimate.high) if places is None else places
        low = self._bare(estimate.low, places)
        return self.words.say("lab.range", None, low=Text(low), high=Text(self.text(estimate.high, places)))

    def places(self, low: float, high: float, more: int = 0) -> int:
        """Return the number of significant decimal places for a number with this interval, plus `more`."""
        half = (high - low) / 2 * (100 if self.share else 1)
        return 0 if not 0 < half < inf else min(max(0, more - floor(log10(half) + ROUNDED)), MAX_DIGITS)

    def difference_places(self, estimate: DifferenceEstimate | ChartEstimate) -> int:
        """Return the number of decimal places for a difference and its operands: one more than for a value."""
        return self.places(estimate.low, estimate.high, 1)

    def rounded(self, figure: ComparedFigure) -> DifferenceEstimate:
        """Return the difference of the rounded values, which are shown beside it, where rounding alone changes it."""
        places, factor = self.difference_places(figure.effect), 100 if self.share else 1
        before, after = (round(value * factor, places) for value in (figure.before, figure.after))
        value = (after - before) / factor
        by_rounding = abs(value - figure.effect.value) * factor * 10**places < 1 + ROUNDED
        return replace(figure.effect, value=value) if by_rounding else figure.effect

    def difference(self, estimate: DifferenceEstimate | ChartEstimate) -> str:
        """Return a difference with its sign and unit."""
        places = self.difference_places(estimate)
        return self._change(self._signed(estimate.value, places), estimate.value, places)

    def difference_with_interval(self, estimate: DifferenceEstimate | ChartEstimate) -> str:
        """Return a difference with its interval, without a unit."""
        value = self._signed(estimate.value, self.difference_places(estimate))
        return self.words.say("lab.estimate", None, value=Text(value), range=Text(self.difference_interval(estimate)))

    def difference_interval(self, estimate: DifferenceEstimate | ChartEstimate) -> str:
        """Return the interval of a difference, without a unit."""
        places = self.difference_places(estimate)
        low, high = (Text(self._signed(end, places)) for end in (estimate.low, estimate.high))
        return self.words.say("lab.range", None, low=low, high=high)

    def size_interval(self, estimate: DifferenceEstimate | ChartEstimate) -> str:
        """Return the interval of the absolute size of a difference, without a unit."""
        places = self.difference_places(estimate)
        low, high = (estimate.low, estimate.high) if estimate.value >= 0 else (-estimate.high, -estimate.low)
        return self.size_range(low, high, places)

    def size_range(self, low: float, high: float, places: int) -> str:
        """Return a range of absolute sizes, without a unit."""
        least, most = (Text(self._bare(end, places)) for end in (low, high))
        return self.words.say("lab.range", None, low=least, high=most)

    def size(self, value: float, places: int) -> str:
        """Return the absolute size of a difference, with its unit."""
        return self._change(self._bare(abs(value), places), value, places)

    def chart_row(self, label: str, effect: DifferenceEstimate) -> ChartRow:
        """Return the row of a difference in a chart; shares in percentage points."""
        factor = 100 if self.share else 1
        scaled = ChartEstimate(effect.value * factor, effect.low * factor, effect.high * factor)
        return ChartRow(label, scaled, self.difference_with_interval(effect), effect.significant)

    def axis(self, name: str, low: float | None = None, high: float | None = None, whole: bool = False) -> Axis:
        """Return an axis for values of this unit."""
        unshown = 2 if self.share else 0
        return Axis(name, lambda value, places: self.text(value, max(0, places - unshown)), low, high, whole)

    def _bare(self, value: float, places: int) -> str:
        value = value * (100 if self.share else 1)
        if not isfinite(value):
            return "−∞" if value < 0 else "∞"
        # Adding 0.0 turns -0.0 into 0.0.
        value = round(value, places) + 0.0
        return self.words.decimal(value, places) if places else self.words.number(int(value))

    def _signed(self, value: float, places: int) -> str:
        bare = self._bare(value, places)
        return f"+{bare}" if value * (100 if self.share else 1) * 10**places >= 0.5 else bare

    def _change(self, text: str, value: float, places: int) -> str:
        if not self.share:
            return text
        # A number with decimals takes the plural: 1.0 percentage points.
        n = 2 if places or not isfinite(value) else abs(round(value * 100))
        return self.words.say("lab.percentage_points", None, value=Text(text), n=n)


def difference_formatter(words: Translator) -> Callable[[float, int], str]:
    """Return the formatter for an axis of differences."""

    def formatted(value: float, places: int) -> str:
        text = words.decimal(value, places) if places else words.number(round(value))
        return f"+{text}" if value > 0 else text

    return formatted


def significant_side(estimate: Estimate, even: float, of: int) -> int:
    """Return 1 or -1 if a value is significantly above or below `even`, else 0.

    The interval is corrected for `of` simultaneous tests (Bonferroni).
    """
    normal = NormalDist()
    wider = normal.inv_cdf(1 - (1 - CONFIDENCE) / 2 / max(of, 1)) / normal.inv_cdf((1 + CONFIDENCE) / 2)
    if estimate.value - (estimate.value - estimate.low) * wider > even:
        return 1
    return -1 if estimate.value + (estimate.high - estimate.value) * wider < even else 0
