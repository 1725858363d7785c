"""How the numbers of a report are written: as the language does, with as many places as their intervals allow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, inf, isfinite, log10
from statistics import NormalDist

from wongar_dsl.charts import Axis
from wongar_dsl.charts import Estimate as Drawn
from wongar_dsl.lab.report import CONFIDENCE, Effect, Estimate
from wongar_dsl.words import Text, Words

#: No figure has more places than that.
MOST = 4
#: What a half that should be 1 may be short of it.
ROUNDED = 1e-9


@dataclass(frozen=True, slots=True)
class Unit:
    """In what something is measured: how it is written, by how much it is multiplied for that, and its axis.

    `change` writes a difference, whose unit may be another one: that of two shares is one of percentage points.
    """

    words: Words
    share: bool = False

    def text(self, value: float, places: int) -> str:
        """A value; of a share the places are those of its percents."""
        return self.words.percent(value, places) if self.share else self._bare(value, places)

    def estimate(self, found: Estimate | Drawn) -> str:
        """A value with its interval."""
        places = self.places(found.low, found.high)
        return self.words.say(
            "lab.estimate", None, value=Text(self.text(found.value, places)), range=Text(self.range(found, places))
        )  # fmt: skip

    def value(self, found: Estimate | Effect | Drawn) -> str:
        """A value alone, as exact as its interval allows."""
        return self.text(found.value, self.places(found.low, found.high))

    def range(self, found: Estimate | Drawn, places: int | None = None) -> str:
        """An interval."""
        places = self.places(found.low, found.high) if places is None else places
        low = self._bare(found.low, places)
        return self.words.say("lab.range", None, low=Text(low), high=Text(self.text(found.high, places)))

    def places(self, low: float, high: float, more: int = 0) -> int:
        """So many decimal places say something of a number in this interval, and some `more` show where it is."""
        half = (high - low) / 2 * (100 if self.share else 1)
        return 0 if not 0 < half < inf else min(max(0, more - floor(log10(half) + ROUNDED)), MOST)

    def finer(self, found: Effect | Drawn) -> int:
        """The decimal places of a difference and of what it is one of."""
        return self.places(found.low, found.high, 1)

    def difference(self, found: Effect | Drawn) -> str:
        """A difference, with its unit where it has one."""
        places = self.finer(found)
        return self._change(self._signed(found.value, places), found.value, places)

    def bare(self, found: Effect | Drawn) -> str:
        """A difference with its interval, and no unit."""
        value = self._signed(found.value, self.finer(found))
        return self.words.say("lab.estimate", None, value=Text(value), range=Text(self.between(found)))

    def between(self, found: Effect | Drawn) -> str:
        """The interval of a difference, without a unit."""
        places = self.finer(found)
        low, high = (Text(self._signed(end, places)) for end in (found.low, found.high))
        return self.words.say("lab.range", None, low=low, high=high)

    def extent(self, found: Effect | Drawn) -> str:
        """The interval of how large a difference is, whichever way it goes; without a unit."""
        places = self.finer(found)
        low, high = (found.low, found.high) if found.value >= 0 else (-found.high, -found.low)
        return self.span(low, high, places)

    def span(self, low: float, high: float, places: int) -> str:
        """From one size of a difference to another one, without a unit."""
        least, most = (Text(self._bare(end, places)) for end in (low, high))
        return self.words.say("lab.range", None, low=least, high=most)

    def size(self, value: float, places: int) -> str:
        """How large a difference is, with its unit."""
        return self._change(self._bare(abs(value), places), value, places)

    def drawn(self, found: Effect | Estimate) -> Drawn:
        """A difference or a value for a chart of differences: of shares in percentage points."""
        by = 100 if self.share else 1
        return Drawn(found.value * by, found.low * by, found.high * by)

    def axis(self, name: str, low: float | None = None, high: float | None = None, whole: bool = False) -> Axis:
        """An axis for values."""
        return Axis(name, self._tick, low, high, whole)

    def _tick(self, value: float, places: int) -> str:
        return self.text(value, max(0, places - 2) if self.share else places)

    def _bare(self, value: float, places: int) -> str:
        value = value * (100 if self.share else 1)
        if not isfinite(value):
            return "−∞" if value < 0 else "∞"
        # There is no minus before nothing.
        value = round(value, places) + 0.0
        return self.words.decimal(value, places) if places else self.words.number(int(value))

    def _signed(self, value: float, places: int) -> str:
        bare = self._bare(value, places)
        return f"+{bare}" if value * (100 if self.share else 1) * 10**places >= 0.5 else bare

    def _change(self, text: str, value: float, places: int) -> str:
        if not self.share:
            return text
        # With decimal places there are never just one of them: 1.0 percentage points.
        n = 2 if places or not isfinite(value) else abs(round(value * 100))
        return self.words.say("lab.percentage_points", None, value=Text(text), n=n)


def differences(words: Words) -> Callable[[float, int], str]:
    """How the values of an axis of differences are written."""

    def written(value: float, places: int) -> str:
        text = words.decimal(value, places) if places else words.number(round(value))
        return f"+{text}" if value > 0 else text

    return written


def apart(found: Estimate, even: float, of: int) -> int:
    """Whether a value is more (1) or less (-1) than another beyond chance, where so many are looked at; else 0."""
    normal = NormalDist()
    # By so much an interval is widened to be as certain of several at once as of itself.
    wider = normal.inv_cdf(1 - (1 - CONFIDENCE) / 2 / max(of, 1)) / normal.inv_cdf((1 + CONFIDENCE) / 2)
    if found.value - (found.value - found.low) * wider > even:
        return 1
    return -1 if found.value + (found.high - found.value) * wider < even else 0
