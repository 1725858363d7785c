"""Work budget that limits the computation a rule file may cause before play."""

from __future__ import annotations

from dataclasses import dataclass

#: One unit is a square tried in an exact-cover search, or a cell of a table of distances, rays or lines.
WORK = 6_000_000


class OverBudgetError(Exception):
    """Raised when a file causes more work than its budget allows."""


@dataclass(slots=True)
class WorkBudget:
    """Remaining work units of one file."""

    left: int = WORK

    def take(self, work: int = 1) -> None:
        """Use `work` units.  Raises `OverBudgetError` if fewer are left."""
        self.left -= work
        if self.left < 0:
            raise OverBudgetError
