"""What many games have in common: shares of the win, means, lengths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one game: the share of the win and the score of each seat, and the number of decisions."""

    shares: tuple[float, ...]
    scores: tuple[int, ...]
    length: int


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over games, by seat where they differ by it."""

    games: int
    win_shares: tuple[float, ...]
    mean_scores: tuple[float, ...]
    shared_wins: int
    mean_length: float
    shortest: int
    longest: int

    def data(self) -> dict[str, object]:
        """The summary for JSON."""
        return {
            "games": self.games,
            "win_shares": list(self.win_shares),
            "mean_scores": list(self.mean_scores),
            "shared_wins": self.shared_wins,
            "decisions": {"mean": self.mean_length, "shortest": self.shortest, "longest": self.longest},
        }


def summary(played: Sequence[Played]) -> Summary:
    """What came of at least one game."""
    seats = range(len(played[0].shares))
    lengths = [p.length for p in played]
    return Summary(
        len(played),
        tuple(_mean(p.shares[s] for p in played) for s in seats),
        tuple(_mean(p.scores[s] for p in played) for s in seats),
        sum(sum(1 for s in p.shares if s) > 1 for p in played),
        _mean(lengths),
        min(lengths),
        max(lengths),
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4)
