"""What many games have in common: shares of the win, means, lengths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one game: the share of the win and the score of each seat, the number of decisions, and its end.

    `finished` is False for a game that was stopped because it was unusually long.
    """

    shares: tuple[float, ...]
    scores: tuple[int, ...]
    length: int
    finished: bool = True


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over the games that came to their end, by seat where they differ by it; `games` counts all.

    Without a score (`scored`), `mean_scores` are of 1 for a winner, -1 for the others.
    """

    games: int
    unfinished: int
    win_shares: tuple[float, ...]
    mean_scores: tuple[float, ...]
    shared_wins: int
    mean_length: float
    shortest: int
    longest: int
    scored: bool = True

    def data(self) -> dict[str, object]:
        """The summary for JSON."""
        return {
            "games": self.games,
            "unfinished": self.unfinished,
            "win_shares": list(self.win_shares),
            "mean_scores": list(self.mean_scores),
            "shared_wins": self.shared_wins,
            "decisions": {"mean": self.mean_length, "shortest": self.shortest, "longest": self.longest},
        }


def summary(played: Sequence[Played], scored: bool = True) -> Summary:
    """What came of at least one game; `scored` says whether points are counted in it."""
    ended = [p for p in played if p.finished]
    seats = range(len(played[0].shares))
    lengths = [p.length for p in ended]
    return Summary(
        len(played),
        len(played) - len(ended),
        tuple(_mean(p.shares[s] for p in ended) for s in seats),
        tuple(_mean(p.scores[s] for p in ended) for s in seats),
        sum(sum(1 for s in p.shares if s) > 1 for p in ended),
        _mean(lengths),
        min(lengths, default=0),
        max(lengths, default=0),
        scored,
    )


def _mean(values: Iterable[float]) -> float:
    """The mean, 0 of nothing."""
    listed = list(values)
    return round(sum(listed) / len(listed), 4) if listed else 0.0
