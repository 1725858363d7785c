"""Statistical inference from sums over games: confidence intervals, significance tests, and ratings of bots.

Win shares get Wilson's interval, means Student's, and paired differences Student's test. Student's distribution is
computed with the continued fraction of the incomplete beta function (Lentz's method; Press and others, "Numerical
Recipes", 6.4). Multiple comparisons are corrected by Holm's method (1979).

Ratings use the Bradley-Terry model, which is the Plackett-Luce model for first places: a bot of strength a beats one of
strength b with probability a / (a + b). All games are fitted at once, so their order does not matter, unlike in Elo
updates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import NamedTuple

from wongar_dsl.compiler.backends.rng import Generator

CONFIDENCE = 0.95
#: Significance level.
LEVEL = 1 - CONFIDENCE
_Z = NormalDist().inv_cdf(1 - LEVEL / 2)
#: Degrees of freedom from which Student's distribution equals the normal one to six digits.
_NORMAL = 10_000_000
#: Lentz's method: maximum number of steps, relative tolerance, and substitute for 0 in a denominator.
_MAX_STEPS, _TOLERANCE, _TINY = 500, 1e-15, 1e-300


class Estimate(NamedTuple):
    """Mean, share or other number with its confidence interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class DifferenceEstimate:
    """Difference (second minus first) with its interval and p-values.

    `p` is the p-value of this difference alone, `adjusted` that corrected for multiple comparisons.
    """

    value: float
    low: float
    high: float
    p: float
    adjusted: float

    @property
    def significant(self) -> bool:
        """True if the adjusted p-value is below the significance level."""
        return self.adjusted < LEVEL


def share(sum_: int, whole: int, games: int) -> Estimate:
    """Return the win share of a seat with `sum_` parts of wins in `games` games; a win has `whole` parts.

    The interval is Wilson's for as many whole wins. If wins are shared it is wider than necessary, never narrower.
    """
    if not games:
        return Estimate(0.0, 0.0, 1.0)
    return wilson_interval(sum_ / (whole * games), games, _Z)


def wilson_interval(p: float, n: float, z: float) -> Estimate:
    """Return a share observed in `n` independent trials, with Wilson's interval of `z` standard deviations."""
    spread = z * z / n
    middle = (p + spread / 2) / (1 + spread)
    half = z * sqrt(p * (1 - p) / n + spread / (4 * n)) / (1 + spread)
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def standard_deviation(sum_: int, squares: int, count: int) -> float:
    """Return the sample standard deviation from n, sum and sum of squares (0 if n < 2)."""
    if count < 2:
        return 0.0
    # Integers up to the final division, so that no digits cancel between large numbers.
    return sqrt((count * squares - sum_ * sum_) / (count * (count - 1)))


def mean(sum_: int, squares: int, count: int, whole: int = 1) -> Estimate:
    """Return the mean of `count` numbers, given in parts of `whole`, with its interval."""
    if not count:
        return Estimate(0.0, 0.0, 0.0)
    value = sum_ / (whole * count)
    if count < 2:
        return Estimate(value, -inf, inf)
    half = quantile(1 - LEVEL / 2, count - 1) * standard_deviation(sum_, squares, count) / sqrt(count) / whole
    return Estimate(value, value - half, value + half)


def paired_difference(sum_: int, squares: int, pairs: int, whole: int = 1) -> DifferenceEstimate:
    """Return the mean difference of two or more pairs, without correction for multiple comparisons."""
    value = sum_ / (whole * pairs)
    error = standard_deviation(sum_, squares, pairs) / sqrt(pairs) / whole
    # The p-value is at least that of a sign test, even if the few differences are nearly equal.
    return _effect(value, error, pairs - 1, 2.0 ** (1 - pairs))


def mean_difference(one: tuple[int, int, int], other: tuple[int, int, int], whole: int = 1) -> DifferenceEstimate:
    """Return the mean of a second group minus that of the first, by Welch's test, without correction.

    Each group is given as count, sum and sum of squares, with a count of at least two.
    """
    means, errors, freedoms = [], [], []
    for count, sum_, squares in (one, other):
        means.append(sum_ / (whole * count))
        errors.append(standard_deviation(sum_, squares, count) ** 2 / count / (whole * whole))
        freedoms.append(count - 1)
    error = sum(errors)
    parts = sum(e * e / f for e, f in zip(errors, freedoms, strict=True))
    freedom = error * error / parts if parts else float(min(freedoms))
    return _effect(means[1] - means[0], sqrt(error), freedom)


def _effect(value: float, error: float, freedom: float, least: float = 0.0) -> DifferenceEstimate:
    half = quantile(1 - LEVEL / 2, freedom) * error
    p = 1.0 if not value else max(least, t_tail(abs(value) / error, freedom) if error else 0.0)
    return DifferenceEstimate(value, value - half, value + half, p, p)


def holm_corrected(effects: Sequence[DifferenceEstimate]) -> tuple[DifferenceEstimate, ...]:
    """Return the differences with Holm's correction.

    With 95 % probability, no difference that is really zero is significant.
    """
    adjusted, least = [0.0] * len(effects), 0.0
    order = sorted(range(len(effects)), key=lambda index: effects[index].p)
    for rank, index in enumerate(order):
        least = max(least, min(1.0, effects[index].p * (len(effects) - rank)))
        adjusted[index] = least
    return tuple(DifferenceEstimate(e.value, e.low, e.high, e.p, a) for e, a in zip(effects, adjusted, strict=True))


# ---- Student's distribution ----------------------------------------------------------------------------------------


def t_tail(t: float, freedom: float) -> float:
    """Return the two-sided tail probability of Student's distribution."""
    if t == inf:
        return 0.0
    if freedom >= _NORMAL:
        return erfc(t / sqrt(2))
    return _beta(freedom / 2, 0.5, freedom / (freedom + t * t))


@lru_cache(4096)
def quantile(p: float, freedom: float) -> float:
    """Return the quantile of Student's distribution for a probability of at least one half."""
    if freedom >= _NORMAL:
        return NormalDist().inv_cdf(p)
    target, low, high = 2 * (1 - p), 0.0, 2.0
    while t_tail(high, freedom) > target:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if t_tail(middle, freedom) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front * _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    value, numerator = 1.0, 1.0
    denominator = 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = denominator
    for m in range(1, _MAX_STEPS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            denominator = 1 / _nonzero(1 + factor * denominator)
            numerator = _nonzero(1 + factor / numerator)
            value *= denominator * numerator
        if abs(denominator * numerator - 1) < _TOLERANCE:
            break
    return value


def _nonzero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY


#: Rating points per unit of log strength: 400 more points mean ten times the strength.
SCALE = 400 / log(10)
#: Number of bootstrap samples of openings, and the share cut off at each end.
BOOTSTRAP_SAMPLES, TAIL = 400, 0.025
#: Half-width of the 95 % interval in standard deviations, rounded as usual.
Z_95 = 1.96

#: Matrix of win counts, row against column; a tie counts as half.
Comparisons = tuple[tuple[float, ...], ...]


class RatingsLibraryMissing(Exception):
    """The library that fits the ratings is not installed."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Rating with its 95 % interval; the mean of all bots rated together is 0."""

    rating: float
    low: float
    high: float


def ratings(openings: Sequence[Comparisons], seed: int) -> tuple[Rating, ...]:
    """Return the ratings from the results of each opening; raise `RatingsLibraryMissing`.

    One additional draw between each pair keeps the rating finite for a bot that always wins.

    The interval is the wider of two. Games of an opening are dependent, so whole openings are resampled (bootstrap).
    That says nothing about a bot that won every game, so the curvature of the likelihood gives the second interval.
    """
    try:
        import choix
        import numpy
    except ImportError:
        raise RatingsLibraryMissing from None
    wins = numpy.array(openings, dtype=float)
    bots = wins.shape[1]
    even = 0.5 * (1 - numpy.eye(bots))

    def fit(counts: Sequence[int]) -> list[float]:
        strengths = choix.ilsr_pairwise_dense(numpy.tensordot(numpy.array(counts, dtype=float), wins, 1) + even)
        return [float(strength) for strength in strengths]

    strengths = fit([1] * len(wins))
    met = wins.sum(0) + even
    odds = numpy.exp(numpy.subtract.outer(strengths, strengths))
    information = (met + met.T) * odds / (1 + odds) ** 2
    spread = numpy.linalg.pinv(numpy.diag(information.sum(1)) - information)
    generator = Generator(seed)
    samples = [fit(_resampled(generator, len(wins))) for _ in range(BOOTSTRAP_SAMPLES)]
    resampled = [sorted(column) for column in zip(*samples, strict=True)]
    cut, result = round(BOOTSTRAP_SAMPLES * TAIL), []
    for bot, strength in enumerate(strengths):
        by_curve = Z_95 * float(spread[bot, bot]) ** 0.5
        low = min(strength - by_curve, resampled[bot][cut])
        high = max(strength + by_curve, resampled[bot][-1 - cut])
        result.append(Rating(strength * SCALE, low * SCALE, high * SCALE))
    return tuple(result)


def _resampled(generator: Generator, number: int) -> list[int]:
    """Return how often each of `number` items is drawn with replacement."""
    counts = [0] * number
    for _ in range(number):
        counts[generator.below(number)] += 1
    return counts
