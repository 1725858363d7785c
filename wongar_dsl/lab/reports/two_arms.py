"""Report chapters on two sets of rules: significant differences and possible chance effects, main metric first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.lab import charts
from wongar_dsl.lab.charts import Caption, ChartMark
from wongar_dsl.lab.reports.document import Chapter, ReportFigure, ReportGrid
from wongar_dsl.lab.reports.labels import ReportNames
from wongar_dsl.lab.reports.numbers import MeasureUnit, difference_formatter
from wongar_dsl.lab.reports.report_data import ComparedFigure, Comparison, MetricKey
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
        measure = Text(self.names.words.capital(self.names.measure(figure.key)))
        before, after = (Text(unit.text(value, places)) for value in (figure.before, figure.after))
        change, between = Text(unit.difference(effect)), Text(unit.difference_interval(effect))
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
        sentences = [say("else.noise", measures=Text(self._chain(noise)))] if noise else []
        for keys, names, rules in (
            (self.comparison.only_before, self.names_before, self.before),
            (self.comparison.only_after, self.names, self.after),
        ):
            option_names = [names.option(*key[3:5]) for key in keys if key.measure == "offered" and not key.thing]
            if option_names:
                options = Listing(tuple(Text(say("quoted", text=Text(figure))) for figure in option_names))
                sentences.append(say("else.only", rules=Text(rules), options=options))
        figures = []
        for title, measures in (("shares", SHARES), ("scores", (*SCORES, *LONG_TABLES)), ("counts", COUNTS)):
            rows = [figure for figure in (*general, *noise) if figure.key.measure in measures]
            rows.sort(
                key=lambda figure: (
                    not figure.effect.significant,
                    measures.index(figure.key.measure),
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
            yield self.names.say(message, measure=Text(measure), range=Text(unit.size_range(ends[0], ends[-1], places)))

    def _chain(self, figures: Sequence[ComparedFigure]) -> str:
        return self.names.words.chain([self.names.measure(figure.key) for figure in figures])

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
