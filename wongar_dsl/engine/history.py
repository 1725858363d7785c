"""History of a game: the choices from which all states can be recomputed, and the changes between the states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RawEvent, run_on
from wongar_dsl.engine.game import Game
from wongar_dsl.engine.hidden_information.information import View


@dataclass(frozen=True, slots=True)
class PastChoice:
    """A choice: decision, seat, option and duration in milliseconds."""

    decision: int
    seat: int
    option: Option
    time: int


@dataclass(slots=True)
class ChoiceHistory:
    """The choices of a game after a given state, which need not be the initial one."""

    game: Game
    first: list[int]
    choices: list[PastChoice] = field(default_factory=list)
    _views: dict[int | None, tuple[list[View], list[int]]] = field(default_factory=dict)

    def add(self, cells: list[int], option: Option, time: int) -> None:
        """Record a choice that is made in a state."""
        self.choices.append(PastChoice(cells[ir.AT_DECISION], cells[ir.AT_SEAT], option, time))

    def truncate(self, count: int) -> None:
        """Remove all choices but the first `count`."""
        del self.choices[count:]
        self._views.clear()

    def views(self, seat: int | None) -> list[View]:
        """Return a seat's observation at each decision, including the pending one. Raises `RuleFault`."""
        if seat not in self._views:
            self._views[seat] = ([], self.first.copy())
        views, cells = self._views[seat]
        while len(views) <= len(self.choices):
            if views:
                choice = self.choices[len(views) - 1]
                self.game.backend.choose(cells, choice.option, choice.time)
            views.append(run_from(self.game, cells, seat))
        return views

    def __iter__(self) -> Iterator[PastChoice]:
        return iter(self.choices)


def run_from(game: Game, cells: list[int], seat: int | None) -> View:
    """Run to the next decision; return a seat's observation of the state and of the events. Raises `RuleFault`."""
    events: list[RawEvent] = []
    run_on(game.backend, cells, events)
    shown = game.knowledge.view(cells, seat)
    options = tuple(game.backend.options(cells)) if seat == cells[ir.AT_SEAT] else ()
    return (shown, game.knowledge.visible_events(events, seat), options)


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
