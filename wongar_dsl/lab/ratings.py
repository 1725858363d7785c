"""How strong those are who have met: ratings on one scale, with intervals.

The model is that of Bradley and Terry, which is that of Plackett and Luce for who comes first: somebody of strength a
is better than one of strength b in a of a + b cases.  All games are weighed at once, so that their order does not
matter, as it would for ratings that change after each game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from wongar_dsl.backends.chance import Generator

#: A rating higher by so much is ten times the strength.
SCALE = 400 / log(10)
#: So many times the openings are drawn again for the intervals, which leave out so much on each side.
DRAWS, TAIL = 400, 0.025
#: So many standard deviations to each side are the same interval, as usually rounded.
DEVIATIONS = 1.96

Comparisons = tuple[tuple[float, ...], ...]
"""How often each was better than each other; as good as another counts half."""


class RatingsMissing(Exception):
    """The library that weighs the games is not installed."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating and its interval, 95 %; the mean of all that are rated together is 0."""

    rating: float
    low: float
    high: float


def ratings(openings: Sequence[Comparisons], seed: int) -> tuple[Rating, ...]:
    """The ratings by what came of the games of each opening; raises `RatingsMissing`.

    One game in which each is as good as each other is counted in, so that who wins always is not rated without end.

    The interval is the wider one of two.  The games of an opening are not independent of each other: so whole openings
    are drawn again.  That tells nothing of somebody who won all that there was: so the curve of the likelihood too.
    """
    try:
        import choix
        import numpy
    except ImportError:
        raise RatingsMissing from None
    found = numpy.array(openings, dtype=float)
    bots = found.shape[1]
    even = 0.5 * (1 - numpy.eye(bots))

    def fit(counts: Sequence[int]) -> list[float]:
        strengths = choix.ilsr_pairwise_dense(numpy.tensordot(numpy.array(counts, dtype=float), found, 1) + even)
        return [float(strength) for strength in strengths]

    strengths = fit([1] * len(found))
    met = found.sum(0) + even
    odds = numpy.exp(numpy.subtract.outer(strengths, strengths))
    information = (met + met.T) * odds / (1 + odds) ** 2
    spread = numpy.linalg.pinv(numpy.diag(information.sum(1)) - information)
    generator = Generator(seed)
    again = _sorted_columns([fit(_drawn(generator, len(found))) for _ in range(DRAWS)])
    cut, result = round(DRAWS * TAIL), []
    for bot, strength in enumerate(strengths):
        by_curve = DEVIATIONS * float(spread[bot, bot]) ** 0.5
        low = min(strength - by_curve, again[bot][cut])
        high = max(strength + by_curve, again[bot][-1 - cut])
        result.append(Rating(strength * SCALE, low * SCALE, high * SCALE))
    return tuple(result)


def _drawn(generator: Generator, number: int) -> list[int]:
    """How often each of so many things is drawn, if they are put back."""
    counts = [0] * number
    for _ in range(number):
        counts[generator.below(number)] += 1
    return counts


def _sorted_columns(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """The columns of a table, each sorted."""
    return [sorted(column) for column in zip(*rows, strict=True)]
