"""Ratings of bots on one scale, with confidence intervals.

The Bradley-Terry model is used, which is the Plackett-Luce model for first places: a bot of strength a beats one of
strength b with probability a / (a + b). All games are fitted at once, so their order does not matter, unlike in Elo
updates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from wongar_dsl.compiler.backends.rng import Generator

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
