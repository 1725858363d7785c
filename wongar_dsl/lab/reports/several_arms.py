"""Report chapters on several sets of rules: differences, new lines of rules, and the curves of a sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.lab import charts
from wongar_dsl.lab.charts import Axis, Caption, ChartLine, ChartMark, ChartRow
from wongar_dsl.lab.inference import Estimate
from wongar_dsl.lab.metrics import MetricKey
from wongar_dsl.lab.reports.document import Chapter, ReportFigure, ReportGrid
from wongar_dsl.lab.reports.labels import MeasureUnit, ReportNames, difference_formatter
from wongar_dsl.lab.reports.one_arm import OneArmChapters
from wongar_dsl.lab.reports.report_data import (
    ArmReport,
    ArticleFigures,
    ComparedFigure,
    Comparison,
    LineFigures,
    Report,
    Spread,
)
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.render.component_svg.svg import Picture

#: Metrics in shares, in points, and other numbers of a game; reported even if they are equal.
SHARES = ("starter wins", "wins", "drawn", "shared")
SCORES = ("starter points", "points", "gap")
COUNTS = ("changes", "length")
#: Metrics with many columns; reported only if they differ.
LONG_TABLES, OPTION_COUNTS = ("origin",), ("offered", "taken")
#: Maximum number of options listed in sentences, and shown in a figure.
MAX_REPORTED_OPTIONS, MAX_CHART_OPTIONS = 8, 24
#: Metric reported first, and all metrics of the starting player.
FIRST, BEGINNING = "starter wins", ("starter wins", "starter points")


@dataclass(frozen=True)
class TwoArmReport:
    """Chapters on two sets of rules.

    `names` are those of the second, which includes additions of the change; `names_before` are those of the first.
    """

    names: ReportNames
    names_before: ReportNames
    comparison: Comparison
    before: str
    after: str

    def unit(self, key: MetricKey) -> MeasureUnit:
        """Return the number format of a figure."""
        return MeasureUnit(self.names.words, key.measure in SHARES)

    def chapters(self) -> Iterator[Chapter]:
        """Yield the chapters on the main metric and on everything else."""
        main, secondary = self._main_and_secondary()
        yield self._main(main)
        clear = [figure for figure in secondary if figure.effect.significant]
        noise = [
            figure
            for figure in secondary
            if not figure.effect.significant and figure.key.measure not in (*LONG_TABLES, *OPTION_COUNTS)
        ]
        yield self._secondary(clear, noise)

    def _main_and_secondary(self) -> tuple[list[ComparedFigure], list[ComparedFigure]]:
        covered = (*SHARES, *SCORES, *COUNTS, *LONG_TABLES, *OPTION_COUNTS)
        reported = [figure for figure in self.comparison.figures if figure.key.measure in covered]
        # If the same seat always starts, its figures repeat those of the starting player.
        begins = {_numbers(figure) for figure in reported if figure.key.measure in BEGINNING}
        reported = [
            figure
            for figure in reported
            if figure.key.measure not in ("wins", "points") or _numbers(figure) not in begins
        ]
        main = [figure for figure in reported if figure.main]
        # The starting player precedes the seats.
        main.sort(key=lambda figure: figure.key.measure != FIRST)
        return main, [figure for figure in reported if not figure.main]

    # ---- main metric ----

    def _main(self, main: Sequence[ComparedFigure]) -> Chapter:
        say = self.names.say
        gist = [
            self.difference_sentence(figure)
            for figure in main
            if figure.effect.significant or figure.key.measure == FIRST
        ]
        verdict = self._verdict(main)
        figures = (self._figure(say("chart.main"), main, detail=False),) if main else ()
        return Chapter("main", say("main"), (*gist, *verdict), figures=figures)

    def _verdict(self, main: Sequence[ComparedFigure]) -> Iterator[str]:
        """Yield the conclusion in one sentence."""
        if not main:
            yield self.names.say("verdict.few")
            return
        first = next((figure for figure in main if figure.key.measure == FIRST), None)
        if first is not None:
            if not _differs(first):
                yield self.names.say("verdict.equal")
                return
            if first.effect.significant:
                yield self.names.say("verdict.helps" if first.effect.value > 0 else "verdict.hurts")
                return
            yield self.names.say("verdict.none", by=self._bound(first))
        elif not any(figure.effect.significant for figure in main):
            yield self.names.say("verdict.seats", by=self._bound(max(main, key=_farthest)))

    def _bound(self, figure: ComparedFigure) -> Text:
        """Return the largest plausible size of a difference."""
        unit = self.unit(figure.key)
        return Text(unit.size(_farthest(figure), unit.difference_places(figure.effect)))

    def difference_sentence(self, figure: ComparedFigure) -> str:
        """Return a difference as a sentence."""
        unit = self.unit(figure.key)
        effect, places = unit.rounded(figure), unit.difference_places(figure.effect)
        direction = _by_significance(figure, "rises" if effect.value > 0 else "falls", "noise", "same")
        measure = self.names.words.capital(self.names.measure(figure.key))
        before, after = (unit.text(value, places) for value in (figure.before, figure.after))
        change, between = unit.difference(effect), unit.difference_interval(effect)
        return self.names.say(
            f"change.{direction}", measure=measure, before=before, after=after, change=change, range=between
        )  # fmt: skip

    # ---- other metrics ----

    def _secondary(self, clear: Sequence[ComparedFigure], noise: Sequence[ComparedFigure]) -> Chapter:
        say = self.names.say
        general = [figure for figure in clear if figure.key.measure not in OPTION_COUNTS]
        chosen = [figure for figure in clear if figure.key.measure in OPTION_COUNTS]
        chosen.sort(key=lambda figure: figure.effect.p)
        gist = [say("else.clear", n=len(general))] if general else [] if chosen else [say("else.none")]
        gist += [say("else.chosen", n=len(chosen))] if chosen else []
        listed = [
            *self._merged_sentences(general),
            *map(
                self.difference_sentence, [figure for figure in chosen if not figure.key.thing][:MAX_REPORTED_OPTIONS]
            ),
        ]
        sentences = []
        if noise:
            measures = self.names.words.chain([self.names.measure(figure.key) for figure in noise])
            sentences.append(say("else.noise", measures=measures))
        for keys, names, rules in (
            (self.comparison.only_before, self.names_before, self.before),
            (self.comparison.only_after, self.names, self.after),
        ):
            option_names = [names.option(*key[3:5]) for key in keys if key.measure == "offered" and not key.thing]
            if option_names:
                options = Listing(tuple(Text(say("quoted", text=figure)) for figure in option_names))
                sentences.append(say("else.only", rules=rules, options=options))
        figures = []
        for title, group in (("shares", SHARES), ("scores", (*SCORES, *LONG_TABLES)), ("counts", COUNTS)):
            rows = [figure for figure in (*general, *noise) if figure.key.measure in group]
            rows.sort(
                key=lambda figure: (
                    not figure.effect.significant,
                    group.index(figure.key.measure),
                    figure.key.origin,
                )
            )
            if rows:
                figures.append(self._figure(say(f"chart.{title}"), rows))
        if chosen:
            figures.append(self._figure(say("chart.chosen"), chosen[:MAX_CHART_OPTIONS]))
        return Chapter("else", say("else"), tuple(gist), tuple(sentences), tuple(listed), tuple(figures))

    def _merged_sentences(self, clear: Sequence[ComparedFigure]) -> Iterator[str]:
        """Yield differences as sentences, with one sentence if all seats differ in the same direction."""
        groups: dict[MetricKey, list[ComparedFigure]] = {}
        for figure in clear:
            rising = figure.effect.value > 0
            groups.setdefault(figure.key._replace(seat=int(rising) if figure.key.seat >= 0 else -1), []).append(figure)
        for group in groups.values():
            if len(group) < max(2, self.names.game.seats):
                yield from map(self.difference_sentence, group)
                continue
            first, unit = group[0], self.unit(group[0].key)
            ends = sorted(abs(figure.effect.value) for figure in group)
            places = min(unit.difference_places(figure.effect) for figure in group)
            message = "change.all.rises" if first.effect.value > 0 else "change.all.falls"
            measure = self.names.words.capital(self.names.measure(first.key, all_seats=True))
            yield self.names.say(message, measure=measure, range=unit.size_range(ends[0], ends[-1], places))

    def _figure(self, title: str, rows: Sequence[ComparedFigure], detail: bool = True) -> ReportFigure:
        say = self.names.say
        labels = [self.names.words.capital(self.names.measure(figure.key)) for figure in rows]
        cells, chart_rows = [], []
        for label, figure in zip(labels, rows, strict=True):
            unit = self.unit(figure.key)
            effect, places = unit.rounded(figure), unit.difference_places(figure.effect)
            verdict = say(_by_significance(figure, "head.significant", "chance", "same"))
            values = (unit.text(value, places) for value in (figure.before, figure.after))
            cells.append((*values, unit.difference_with_interval(effect), verdict))
            chart_rows.append(unit.chart_row(label, effect))
        heads = ("", self.before, self.after, say(self._axis(rows[0].key)), say("head.verdict"))

        def draw() -> tuple[Picture, ...]:
            legend = (say("head.significant"), say("chance"))
            axis = charts.Axis(say(self._axis(rows[0].key)), difference_formatter(self.names.words))
            description = ". ".join(f"{label}: {row[2]}, {row[3]}" for label, row in zip(labels, cells, strict=True))
            caption, marks = Caption(title, f"{description}."), [ChartMark(0.0, say("no_difference"))]
            return (charts.dots(caption, axis, chart_rows, marks, legend),)

        grid = ReportGrid(title, heads, tuple(zip(labels, cells, strict=True)))
        # Numbers of different kinds have no common axis.
        return ReportFigure(grid, detail=True) if rows[0].key.measure in COUNTS else ReportFigure(grid, draw, detail)

    @staticmethod
    def _axis(key: MetricKey) -> str:
        """Return the message id for the unit of differences."""
        if key.measure in COUNTS:
            return "head.difference"
        if key.measure in SHARES:
            return "axis.points_of_share"
        return "axis.difference.often" if key.measure in OPTION_COUNTS else "axis.difference"


def _numbers(figure: ComparedFigure) -> tuple[bool, float, float, float, float]:
    return figure.main, figure.before, figure.after, figure.effect.value, figure.effect.low


def _farthest(figure: ComparedFigure) -> float:
    """Return the maximum absolute value within the interval of a difference."""
    return max(abs(figure.effect.low), abs(figure.effect.high))


def _differs(figure: ComparedFigure) -> bool:
    """Return whether the figure differs in any game."""
    return bool(figure.effect.value or figure.effect.low < figure.effect.high)


def _by_significance(figure: ComparedFigure, significant: str, chance: str, same: str) -> str:
    """Return one of three texts, by the significance of a difference."""
    if figure.effect.significant:
        return significant
    return chance if _differs(figure) else same


#: A line executed in a smaller share of the games hardly affects any figure.
RARE = 0.1
#: Maximum number of stretches of lines that are listed.
LISTED = 24

#: Consecutive lines of a declaration that were executed in equally many games.
Stretch = tuple[ArticleFigures, tuple[LineFigures, ...]]


def novelty(names: ReportNames, before: ArmReport, after: ArmReport) -> Iterator[Chapter]:
    """Yield a chapter on the lines of `after` that `before` lacks; nothing if there are none, or no game was played."""
    fresh = list(_equal_runs(before, after))
    if not fresh or not after.games:
        return
    say, unit = names.say, MeasureUnit(names.words, share=True)
    often = [lines[0].share for _, lines in fresh]
    most, least = max(often, key=lambda share: share.value), min(often, key=lambda share: share.value)
    if least.value == 1:
        gist = [say("new.always")]
    else:
        gist = [say("new.most", share=unit.estimate(most))] if most.value else []
        never = sum(len(lines) for _, lines in fresh if not lines[0].games)
        if never:
            gist.append(say("new.never", n=never))
        elif least.value < most.value:
            gist.append(say("new.least", share=unit.estimate(least)))
    caution = (say("new.rare"),) if least.value < RARE else ()
    # Readers look for the lines that were executed least often.
    listed = sorted(fresh, key=lambda stretch: stretch[1][0].games)[:LISTED] if least.value < 1 else []
    items = tuple(_sentence(names, unit, *stretch) for stretch in listed)
    yield Chapter("new", say("new"), tuple(gist), caution, items)


def _equal_runs(before: ArmReport, after: ArmReport) -> Iterator[Stretch]:
    files = {item.file for item in before.articles}
    unmatched = Counter((item.keyword, item.name, line.text) for item in before.articles for line in item.steps)
    # Lines in a common file are matched before equal lines in other files.
    for article in sorted(after.articles, key=lambda item: item.file not in files):
        stretch: list[LineFigures] = []
        for line in article.steps:
            counterpart = article.keyword, article.name, line.text
            old = unmatched[counterpart] > 0
            unmatched[counterpart] -= old
            if stretch and (old or line.games != stretch[0].games):
                yield article, tuple(stretch)
                stretch = []
            if not old:
                stretch.append(line)
        if stretch:
            yield article, tuple(stretch)


def _sentence(names: ReportNames, unit: MeasureUnit, article: ArticleFigures, lines: tuple[LineFigures, ...]) -> str:
    number = names.words.number
    first, last = (number(line.line) for line in (lines[0], lines[-1]))
    span = names.say("span", low=first, high=last) if len(lines) > 1 else number(lines[0].line)
    return names.say(
        "new.lines", n=len(lines), article=names.article(article), lines=span,
        share=unit.estimate(lines[0].share),
    )  # fmt: skip


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
        title = say("sweep", option=self._option)
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
                    value, change = values[comparison.after], versus.difference_sentence(figure)
                    clear.append(say("sweep.value", value=value, change=change))
        yield from clear
        if not clear:
            yield say("sweep.none", option=self._option, usual=usual)

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
        level = [ChartMark(even[0], say("even", share=share)) for share in texts if len(texts) == 1]
        rows = [
            ChartRow(f"{value}: {label}", estimate, unit.estimate(estimate))
            for value, arm in zip(self._values(), arms, strict=True)
            for label, read in curves.lines.items()
            if (estimate := read(arm)) is not None
        ]
        caption = Caption.of_rows(say(curves.title), rows)
        if kind != "number":
            return charts.dots(caption, curves.axis, rows, level)
        lines = [ChartLine(label, tuple(self._points(read))) for label, read in curves.lines.items()]
        across = MeasureUnit(self.names[0].words).axis(self._option, whole=True)
        return charts.curves(caption, across, curves.axis, lines, levels=level)

    def _points(self, read: Reader) -> Iterator[tuple[float, Estimate]]:
        assert self.report.sweep is not None
        for value, arm in zip(self.report.sweep.values, self.report.arms, strict=True):
            estimate = read(arm)
            if estimate is not None:
                yield float(value), estimate


def _mean(spread: Spread | None) -> Estimate | None:
    return None if spread is None else spread.mean
