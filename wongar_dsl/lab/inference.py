"""What can be said of many games from sums over some: intervals, and how likely a difference is by mere chance.

Shares of wins get Wilson's interval.  Means get Student's, and differences of pairs Student's test, whose distribution
is worked out here by the continued fraction of the incomplete beta function (Lentz's method; Press and others,
"Numerical Recipes", 6.4).  Many differences asked about at once are corrected as Holm did (1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
#: Below that a difference is significant.
LEVEL = 1 - CONFIDENCE
_Z = NormalDist().inv_cdf(1 - LEVEL / 2)
#: From so many degrees of freedom on, Student's distribution is the normal one to six digits.
_NORMAL = 10_000_000
_STEPS, _CLOSE, _TINY = 500, 1e-15, 1e-300


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, or a share, and the interval that it lies in."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Effect:
    """A difference (the second less the first), its interval, and how likely one as large is by mere chance: `p` for
    itself, `adjusted` for as many as are asked about at once; `significant` where that is below 5 %."""

    value: float
    low: float
    high: float
    p: float
    adjusted: float

    @property
    def significant(self) -> bool:
        """Whether it is hardly mere chance."""
        return self.adjusted < LEVEL


def share(sum_: int, whole: int, games: int) -> Estimate:
    """The share of wins of a seat with `sum_` parts of wins, `whole` of which are one, in so many games.

    Wilson's interval of as many whole wins: where wins are shared it is wider than it need be, never narrower.
    """
    if not games:
        return Estimate(0.0, 0.0, 1.0)
    return wilson(sum_ / (whole * games), games, _Z)


def wilson(p: float, n: float, z: float) -> Estimate:
    """A share that was found in `n` independent tries, with Wilson's interval of `z` standard deviations."""
    spread = z * z / n
    middle = (p + spread / 2) / (1 + spread)
    half = z * sqrt(p * (1 - p) / n + spread / (4 * n)) / (1 + spread)
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def deviation(sum_: int, squares: int, count: int) -> float:
    """The standard deviation of so many numbers, from their sum and that of their squares; 0 of fewer than two."""
    if count < 2:
        return 0.0
    # All in integers up to the last division: no digits are lost to a difference of large numbers.
    return sqrt((count * squares - sum_ * sum_) / (count * (count - 1)))


def mean(sum_: int, squares: int, count: int, whole: int = 1) -> Estimate:
    """The mean of so many numbers that are counted in parts of `whole`."""
    if not count:
        return Estimate(0.0, 0.0, 0.0)
    value = sum_ / (whole * count)
    if count < 2:
        return Estimate(value, -inf, inf)
    half = quantile(1 - LEVEL / 2, count - 1) * deviation(sum_, squares, count) / sqrt(count) / whole
    return Estimate(value, value - half, value + half)


def paired(sum_: int, squares: int, pairs: int, whole: int = 1) -> Effect:
    """The mean of the differences of at least two pairs, not corrected yet."""
    value = sum_ / (whole * pairs)
    error = deviation(sum_, squares, pairs) / sqrt(pairs) / whole
    # However alike a few differences are: so likely all of them go the same way by chance.
    return _effect(value, error, pairs - 1, 2.0 ** (1 - pairs))


def apart(one: tuple[int, int, int], other: tuple[int, int, int], whole: int = 1) -> Effect:
    """The mean of a second group less that of a first one, each told by its number, sum and squares; at least two in
    each.  Welch's test, not corrected yet."""
    means, errors, freedoms = [], [], []
    for count, sum_, squares in (one, other):
        means.append(sum_ / (whole * count))
        errors.append(deviation(sum_, squares, count) ** 2 / count / (whole * whole))
        freedoms.append(count - 1)
    error = sum(errors)
    parts = sum(e * e / f for e, f in zip(errors, freedoms, strict=True))
    freedom = error * error / parts if parts else float(min(freedoms))
    return _effect(means[1] - means[0], sqrt(error), freedom)


def _effect(value: float, error: float, freedom: float, least: float = 0.0) -> Effect:
    half = quantile(1 - LEVEL / 2, freedom) * error
    p = 1.0 if not value else max(least, tail(abs(value) / error, freedom) if error else 0.0)
    return Effect(value, value - half, value + half, p, p)


def holm(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """The same differences, corrected for their number: with 95 % none of those that are none is significant."""
    adjusted, least = [0.0] * len(effects), 0.0
    order = sorted(range(len(effects)), key=lambda at: effects[at].p)
    for rank, at in enumerate(order):
        least = max(least, min(1.0, effects[at].p * (len(effects) - rank)))
        adjusted[at] = least
    return tuple(Effect(e.value, e.low, e.high, e.p, a) for e, a in zip(effects, adjusted, strict=True))


# ---- Student's distribution ----------------------------------------------------------------------------------------


def tail(t: float, freedom: float) -> float:
    """How likely a number of Student's distribution is at least so far from 0, to either side."""
    if t == inf:
        return 0.0
    if freedom >= _NORMAL:
        return erfc(t / sqrt(2))
    return _beta(freedom / 2, 0.5, freedom / (freedom + t * t))


@lru_cache(4096)
def quantile(p: float, freedom: float) -> float:
    """The number that one of Student's distribution does not exceed with probability p, of at least a half."""
    if freedom >= _NORMAL:
        return NormalDist().inv_cdf(p)
    wanted, low, high = 2 * (1 - p), 0.0, 2.0
    while tail(high, freedom) > wanted:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if tail(middle, freedom) > wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front * _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    value, numerator = 1.0, 1.0
    denominator = 1 / _not_nothing(1 - (a + b) * x / (a + 1))
    value = denominator
    for m in range(1, _STEPS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            denominator = 1 / _not_nothing(1 + factor * denominator)
            numerator = _not_nothing(1 + factor / numerator)
            value *= denominator * numerator
        if abs(denominator * numerator - 1) < _CLOSE:
            break
    return value


def _not_nothing(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
