"""Menus with what each option would bring, for whoever decides; somebody may not want to know that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Match
from wongar_dsl.narration import Narrator
from wongar_dsl.table.forecast import Forecast, Forecasts
from wongar_dsl.table.foretelling import brief, briefer
from wongar_dsl.table.menu import Menu


class Outlook:
    """The forecasts for the decision at hand of one match; with `shown` they are wanted."""

    def __init__(self, match: Match, shown: bool = True) -> None:
        self._match, self.shown = match, shown
        self._cells: list[int] = []
        self._forecasts = Forecasts(match, ())

    def work(self, enough: Callable[[], bool]) -> bool:
        """Look further ahead until it is `enough`; whether everything is there."""
        if not self.shown or self._match.state.over:
            return True
        if self._cells != self._match.state.cells:
            self._cells = self._match.state.cells.copy()
            self._forecasts = Forecasts(self._match, self._match.state.legal_moves())
        return self._forecasts.work(enough)

    def of(self, move: Move) -> Forecast | None:
        """What a move of the decision at hand would bring; None where that is not there, or not wanted."""
        there = self.shown and self._cells == self._match.state.cells
        return self._forecasts.of(move) if there else None

    def told(self, menu: Menu, narrator: Narrator) -> Menu:
        """The menu with what is there of what each option would bring."""
        found = {entry: self.of(entry.move) for entry in menu.entries} if menu.part is None else {}
        if not any(found.values()):
            return menu
        seat = self._match.state.seat
        said = (
            replace(e, outlook=brief(f, narrator), outlook_in_short=briefer(f, narrator, seat)) if f is not None else e
            for e, f in found.items()
        )
        return replace(menu, entries=tuple(said))
