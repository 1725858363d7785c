"""How much work a file may make before play: one budget for all of it, charged by the work that is really done."""

from __future__ import annotations

from dataclasses import dataclass

#: The unit is a square tried in a search for coverings, or a cell of a table of distances, rays or lines.
WORK = 6_000_000


class OverBudget(Exception):
    """There is more to do than is allowed."""


@dataclass(slots=True)
class Budget:
    """How much work is left."""

    left: int = WORK

    def take(self, work: int = 1) -> None:
        """Use up some of it; raises `OverBudget` where less is left."""
        self.left -= work
        if self.left < 0:
            raise OverBudget
