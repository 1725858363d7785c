"""Delta-compressed history of states: memory grows with the number of changes instead of the size of a state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: Chunk sizes of the comparison: large chunks first, then small ones where they differ.
_CHUNKS = (8192, 128)

#: Address, old value and new value of each cell that changed.
Change = tuple[tuple[int, int, int], ...]


class StateDeltas:
    """The states of a game in order, reconstructed from the changes between them."""

    def __init__(self, first: list[int]) -> None:
        self._changes: list[Change] = []
        self._last = first.copy()
        # The last state that was requested, with its number: the next request is often near it.
        self._at, self._near = 0, first.copy()

    def __len__(self) -> int:
        return len(self._changes) + 1

    def add(self, cells: list[int]) -> None:
        """Append a state."""
        change = _between(self._last, cells)
        self._changes.append(change)
        for address, _, new in change:
            self._last[address] = new

    def state(self, number: int) -> list[int]:
        """Return a copy of the state with this number, counted from 0."""
        if len(self._changes) - number < abs(self._at - number):
            self._at, self._near = len(self._changes), self._last.copy()
        while self._at > number:
            self._at -= 1
            for address, old, _ in self._changes[self._at]:
                self._near[address] = old
        while self._at < number:
            for address, _, new in self._changes[self._at]:
                self._near[address] = new
            self._at += 1
        return self._near.copy()

    def truncate(self, number: int) -> None:
        """Remove the states after the one with this number."""
        self._last = self.state(number)
        del self._changes[number:]


def _between(old: list[int], new: list[int]) -> Change:
    spans: Iterable[Sequence[int]] = (range(len(new)),)
    for size in _CHUNKS:
        parts = [span[i : i + size] for span in spans for i in range(0, len(span), size)]
        spans = [p for p in parts if old[p[0] : p[-1] + 1] != new[p[0] : p[-1] + 1]]
    return tuple((a, old[a], new[a]) for span in spans for a in span if old[a] != new[a])
