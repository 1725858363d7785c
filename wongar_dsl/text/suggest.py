"""What somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that is nearest to `name`, or None where none is near (1 would be the same name)."""
    near = get_close_matches(name[:60], sorted({k for k in known if k != name}), n=1, cutoff=cutoff)
    return near[0] if near else None


class Suggestions:
    """What was meant by the first `most` wrong names: a file with more of them is another sort of mistake."""

    def __init__(self, most: int = 300) -> None:
        self._left = most

    def __call__(self, name: str, known: Iterable[str]) -> str | None:
        """The known name that is nearest to `name`; None where none is near, and when enough were looked for."""
        self._left -= 1
        return did_you_mean(name, known) if self._left >= 0 else None
