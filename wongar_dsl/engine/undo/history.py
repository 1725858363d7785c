"""History of a game: the first state and the choices, from which all other states can be recomputed."""

from __future__ import annotations

from collections.abc import Iterator
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
    run(game, cells, events)
    shown = game.knowledge.view(cells, seat)
    options = tuple(game.backend.options(cells)) if seat == cells[ir.AT_SEAT] else ()
    return (shown, game.knowledge.visible_events(events, seat), options)


def run(game: Game, cells: list[int], events: list[RawEvent] | None = None) -> None:
    """Run to the next decision or the end, through the pause before play. Raises `RuleFault`."""
    run_on(game.backend, cells, events)
