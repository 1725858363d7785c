"""Cache of the forecasts for the current decision, which adds them to menus; can be switched off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.session.forecast.forecast import Forecast, ForecastWorker
from wongar_dsl.session.forecast.forecast_text import one_line, short_line
from wongar_dsl.session.options.menu import Menu


class ForecastCache:
    """Forecasts for the current decision of a match; `shown` switches them on."""

    def __init__(self, match: Match, shown: bool = True) -> None:
        self._match, self.shown = match, shown
        self._cells: list[int] = []
        self._forecasts = ForecastWorker(match, ())

    def work(self, should_stop: Callable[[], bool]) -> bool:
        """Compute forecasts until `should_stop()` is true; return whether all are complete."""
        if not self.shown or self._match.state.over:
            return True
        if self._cells != self._match.state.cells:
            self._cells = self._match.state.cells.copy()
            self._forecasts = ForecastWorker(self._match, self._match.state.legal_moves())
        return self._forecasts.work(should_stop)

    def of(self, move: Move) -> Forecast | None:
        """Return the forecast for a move of the current decision; None if not computed or switched off."""
        current = self.shown and self._cells == self._match.state.cells
        return self._forecasts.of(move) if current else None

    def with_forecasts(self, menu: Menu, narrator: Narrator) -> Menu:
        """Return the menu with the forecasts computed so far."""
        forecasts = {entry: self.of(entry.move) for entry in menu.entries} if menu.part is None else {}
        if not any(forecasts.values()):
            return menu
        seat = self._match.state.seat
        entries = (
            replace(e, forecast_line=one_line(f, narrator), short_forecast=short_line(f, narrator, seat))
            if f is not None
            else e
            for e, f in forecasts.items()
        )
        return replace(menu, entries=tuple(entries))
