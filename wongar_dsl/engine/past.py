"""What was played: the state at the start and the choices, from which everything else can be made again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from wongar_dsl import ir
from wongar_dsl.backends import Option, RawEvent, run_on
from wongar_dsl.engine.game import Game
from wongar_dsl.engine.knowledge import View


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: at which decision, by which seat, what, and how long it took."""

    decision: int
    seat: int
    option: Option
    time: int


@dataclass(slots=True)
class Past:
    """The choices of a game from a state on, which is one before anything was done, or any other."""

    game: Game
    first: list[int]
    choices: list[Choice] = field(default_factory=list)
    _views: dict[int | None, tuple[list[View], list[int]]] = field(default_factory=dict)

    def add(self, cells: list[int], option: Option, time: int) -> None:
        """Note a choice that is made in a state."""
        self.choices.append(Choice(cells[ir.AT_DECISION], cells[ir.AT_SEAT], option, time))

    def back_to(self, count: int) -> None:
        """Forget all choices but the first ones."""
        del self.choices[count:]
        self._views.clear()

    def views(self, seat: int | None) -> list[View]:
        """What a seat saw and was told at each decision, the one at hand included.  Raises `RuleFault`."""
        if seat not in self._views:
            self._views[seat] = ([], self.first.copy())
        views, cells = self._views[seat]
        while len(views) <= len(self.choices):
            if views:
                choice = self.choices[len(views) - 1]
                self.game.backend.choose(cells, choice.option, choice.time)
            views.append(onward(self.game, cells, seat))
        return views

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)


def onward(game: Game, cells: list[int], seat: int | None) -> View:
    """Run to the next decision; gives what a seat sees then, and was told on the way.  Raises `RuleFault`."""
    events: list[RawEvent] = []
    run(game, cells, events)
    shown = game.knowledge.view(cells, seat)
    options = tuple(game.backend.options(cells)) if seat == cells[ir.AT_SEAT] else ()
    return (shown, game.knowledge.told(events, seat), options)


def run(game: Game, cells: list[int], events: list[RawEvent] | None = None) -> None:
    """Run to the next decision or the end, through the pause before play.  Raises `RuleFault`."""
    run_on(game.backend, cells, events)
