"""Report chapters on a sweep: how the game changes with the value of a setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.lab import charts
from wongar_dsl.lab.charts import Axis, Caption, ChartLine, ChartMark, ChartRow
from wongar_dsl.lab.reports.document import Chapter, ReportFigure, ReportGrid
from wongar_dsl.lab.reports.labels import ReportNames
from wongar_dsl.lab.reports.numbers import MeasureUnit
from wongar_dsl.lab.reports.one_arm import OneArmChapters, chart_description, chart_estimate
from wongar_dsl.lab.reports.report_data import ArmReport, Estimate, Report, Spread
from wongar_dsl.lab.reports.two_arms import FIRST, TwoArmReport
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.svg import Picture

Reader = Callable[[ArmReport], Estimate | None]


@dataclass(frozen=True)
class SweepCurves:
    """Chart over the values of a setting: message, axis, unit, and lines by name.

    `even` adds the line of equal win shares.
    """

    title: str
    axis: Axis
    unit: MeasureUnit
    lines: dict[str, Reader]
    even: bool = False


@dataclass(frozen=True)
class SweepReport:
    """Chapters on all arms of a sweep; `names` are those of each arm."""

    report: Report
    names: Sequence[ReportNames]

    def chapters(self) -> Iterator[Chapter]:
        """Yield the chapters on wins and on other metrics, by value."""
        say = self.names[0].say
        share, number = (MeasureUnit(self.names[0].words, share=kind) for kind in (True, False))
        wins = SweepCurves("chart.wins", share.axis(say("axis.games"), 0.0), share, self._wins(), even=True)
        title = say("sweep", option=Text(self._option))
        yield Chapter("sweep", title, (*self._sentences(),), figures=(self._figure(say("chart.wins"), [wins]),))
        others: dict[str, Reader] = {
            "axis.points": lambda arm: _mean(arm.points),
            "axis.gap.mean": lambda arm: _mean(arm.lead_history.gap),
            "axis.changes": lambda arm: _mean(arm.lead_history.changes),
            "axis.length": lambda arm: _mean(arm.length),
        }
        more = [
            SweepCurves(name, number.axis(say(name)), number, {say(name): read})
            for name, read in others.items()
            if any(read(arm) is not None for arm in self.report.arms)
        ]
        if more:
            yield Chapter("else", say("else"), figures=(self._figure(say("else"), more),))

    @property
    def _option(self) -> str:
        assert self.report.sweep is not None
        return self.names[0].term(self.report.sweep.option)

    def _wins(self) -> dict[str, Reader]:
        """Return the win shares to show: those of the starting player if the starter varies, else of all seats."""
        first = self.report.arms[0]
        if all(arm.starter is not None and arm.first is None for arm in self.report.arms):
            return {self.names[0].seat(-1): lambda arm: arm.starter.wins if arm.starter is not None else None}

        def of(seat: int) -> Reader:
            return lambda arm: arm.seats[seat].wins

        return {self.names[0].seat(seat.seat): of(seat.seat) for seat in first.seats}

    def _values(self) -> list[str]:
        assert self.report.sweep is not None
        sweep = self.report.sweep
        return [
            arm_names.words.value(arm_names.value(sweep.type, value), arm_names.game.name)
            for arm_names, value in zip(self.names, sweep.values, strict=True)
        ]

    def _sentences(self) -> Iterator[str]:
        """Yield sentences on significant differences from the baseline, for the main metric only."""
        assert self.report.sweep is not None
        values, say = self._values(), self.names[0].say
        usual = values[self.report.sweep.baseline]
        clear = []
        for comparison in self.report.comparisons:
            names = self.names[comparison.after], self.names[comparison.before]
            versus = TwoArmReport(*names, comparison, usual, values[comparison.after])
            first = any(figure.key.measure == FIRST for figure in comparison.figures)
            for figure in comparison.figures:
                if figure.main and figure.effect.significant and (figure.key.measure == FIRST or not first):
                    value, change = Text(values[comparison.after]), Text(versus.difference_sentence(figure))
                    clear.append(say("sweep.value", value=value, change=change))
        yield from clear
        if not clear:
            yield say("sweep.none", option=Text(self._option), usual=Text(usual))

    def _figure(self, title: str, charted: Sequence[SweepCurves]) -> ReportFigure:
        """Return a table with a row for each value, and a chart for each group of columns."""
        values, arms = self._values(), self.report.arms
        heads = (self._option, *(label for curves in charted for label in curves.lines))
        cells = []
        for arm in arms:
            estimates = [(curves.unit, read(arm)) for curves in charted for read in curves.lines.values()]
            cells.append(tuple(unit.estimate(estimate) if estimate is not None else "" for unit, estimate in estimates))

        def draw() -> tuple[Picture, ...]:
            return tuple(map(self._chart, charted))

        return ReportFigure(ReportGrid(title, heads, tuple(zip(values, cells, strict=True))), draw)

    def _chart(self, curves: SweepCurves) -> Picture:
        assert self.report.sweep is not None
        say, kind, arms, unit = self.names[0].say, self.report.sweep.type.kind, self.report.arms, curves.unit
        even = []
        if curves.even:
            even = [OneArmChapters(name, arm).even_share for name, arm in zip(self.names, arms, strict=True)]
        texts = {unit.text(share, 0) for share in even}
        # Draws can make equal shares differ between values; then there is no common line.
        level = [ChartMark(even[0], say("even", share=Text(share))) for share in texts if len(texts) == 1]
        rows = [
            ChartRow(f"{value}: {label}", chart_estimate(estimate), unit.estimate(estimate))
            for value, arm in zip(self._values(), arms, strict=True)
            for label, read in curves.lines.items()
            if (estimate := read(arm)) is not None
        ]
        caption = Caption(say(curves.title), chart_description(rows))
        if kind != "number":
            return charts.dots(caption, curves.axis, rows, level)
        lines = [ChartLine(label, tuple(self._points(read))) for label, read in curves.lines.items()]
        across = MeasureUnit(self.names[0].words).axis(self._option, whole=True)
        return charts.curves(caption, across, curves.axis, lines, levels=level)

    def _points(self, read: Reader) -> Iterator[tuple[float, charts.ChartEstimate]]:
        assert self.report.sweep is not None
        for value, arm in zip(self.report.sweep.values, self.report.arms, strict=True):
            estimate = read(arm)
            if estimate is not None:
                yield float(value), chart_estimate(estimate)


def _mean(spread: Spread | None) -> Estimate | None:
    return None if spread is None else spread.mean
