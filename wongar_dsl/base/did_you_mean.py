"""Suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known name most similar to `name`, or None.

    `cutoff` is the minimum similarity, from 0 to 1 (equal).
    """
    from difflib import get_close_matches  # Slow to import, and needed only for a mistake.

    matches = get_close_matches(name[:60], sorted({k for k in known if k != name}), n=1, cutoff=cutoff)
    return matches[0] if matches else None


class DidYouMean:
    """Suggestions for the first `max_searches` unknown names.

    A file with more of them has another problem, and each search takes time.
    """

    def __init__(self, max_searches: int = 300) -> None:
        self._left = max_searches

    def __call__(self, name: str, known: Iterable[str]) -> str | None:
        """Return the known name most similar to `name`; None without one, or after the last search."""
        self._left -= 1
        return did_you_mean(name, known) if self._left >= 0 else None
