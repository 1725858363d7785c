"""Report chapters on one set of rules: wins, points, closeness and length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.lab import charts
from wongar_dsl.lab.charts import Caption, ChartLine, ChartMark, ChartRow, HistogramColumn, StackedRow
from wongar_dsl.lab.reports.document import Chapter, ReportFigure, ReportGrid
from wongar_dsl.lab.reports.labels import ReportNames
from wongar_dsl.lab.reports.numbers import MeasureUnit, significant_side
from wongar_dsl.lab.reports.report_data import ArmReport, Estimate, HistogramBin, SeatFigures, Spread
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.svg import Picture

#: Maximum number of columns of a histogram.
COLUMNS = 30
#: Number of parts of a game in the lead figures, and its middle.
WHOLE, MIDDLE = 1000, 500


@dataclass(frozen=True)
class OneArmChapters:
    """Results for one set of rules, as chapters."""

    names: ReportNames
    report: ArmReport

    @property
    def share(self) -> MeasureUnit:
        """Number format of shares."""
        return MeasureUnit(self.names.words, share=True)

    @property
    def number(self) -> MeasureUnit:
        """Number format of plain numbers."""
        return MeasureUnit(self.names.words)

    @property
    def finished_games(self) -> int:
        """Number of finished games."""
        return self.report.games - self.report.unfinished

    @property
    def even_share(self) -> float:
        """Win share of each seat if all were equal."""
        return (1 - self.report.drawn / self.finished_games) / len(self.report.seats)

    @property
    def seats_are_symmetric(self) -> bool:
        """True if seats differ only in position: all have the same bot, or bots rotate."""
        return self.report.rotate or len(set(self.report.bots)) == 1

    def chapters(self) -> Iterator[Chapter]:
        """Yield all chapters except those on choices and declarations."""
        yield self.wins()
        if self.report.scored:
            yield self.points()
        if self.report.lead_history.lead:
            yield self.course()
        yield from self.length()

    # ---- wins ----

    def wins(self) -> Chapter:
        """Return the chapter on win shares."""
        say = self.names.say
        gist = [*self._starter_sentences(), *self._seat_sentences()]
        sentences = []
        for outcome, n in (("drawn", self.report.drawn), ("shared", self.report.shared)):
            if n:
                sentences.append(say(f"wins.{outcome}", n=n, share=Text(self.share.text(n / self.finished_games, 1))))
        figures = [self._wins_figure()]
        if self.report.entrants:
            figures.append(self._entrants_figure())
        return Chapter("wins", say("wins"), tuple(gist), tuple(sentences), figures=tuple(figures))

    def _starter_sentences(self) -> Iterator[str]:
        starter = self.report.starter
        if len(self.report.seats) == 1:
            [alone] = self.report.seats
            share, interval = Text(self.share.value(alone.wins)), Text(self.share.range(alone.wins))
            yield self.names.say("wins.alone", share=share, range=interval)
            return
        if starter is None or not self.seats_are_symmetric:
            return
        verdict = {1: "more", 0: "even", -1: "less"}[significant_side(starter.wins, self.even_share, 1)]
        share, even = Text(self.share.value(starter.wins)), Text(self.share.text(self.even_share, 0))
        yield self.names.say(
            f"wins.starter.{verdict}", share=share, range=Text(self.share.range(starter.wins)), even=even
        )

    def _seat_sentences(self) -> Iterator[str]:
        seats = [seat for seat in self.report.seats if seat.seat != self.report.first]
        if len(self.report.seats) == 1:
            return
        judged = []
        if self.seats_are_symmetric:
            judged = [(seat, significant_side(seat.wins, self.even_share, len(seats))) for seat in seats]
        for seat, verdict in judged:
            if verdict:
                share, interval = Text(self.share.value(seat.wins)), Text(self.share.range(seat.wins))
                message = "wins.seat.more" if verdict > 0 else "wins.seat.less"
                yield self.names.say(message, seat=seat.seat + 1, share=share, range=interval)
        if len(judged) > 1 and not any(verdict for _, verdict in judged):
            yield self.names.say("wins.seats.even")
        if not self.seats_are_symmetric:
            best = max(self.report.seats, key=lambda seat: seat.wins.value)
            bot = Text(self.report.bots[best.seat])
            share, interval = Text(self.share.value(best.wins)), Text(self.share.range(best.wins))
            yield self.names.say("wins.best", seat=best.seat + 1, bot=bot, share=share, range=interval)

    def _rows(self) -> list[SeatFigures]:
        """Return the seats, preceded by the starting player if that is not always the same seat."""
        starter = self.report.starter
        first = [starter] if starter is not None and self.report.first is None else []
        return [*first, *self.report.seats]

    def label(self, seat: SeatFigures) -> str:
        """Return the name of a seat, with its bot if the bots differ."""
        name = self.names.seat(seat.seat)
        if seat.seat >= 0 and seat.seat == self.report.first:
            return self.names.say("seat.first", n=seat.seat + 1)
        if seat.seat >= 0 and not self.seats_are_symmetric:
            return self.names.say("seat.bot", n=seat.seat + 1, bot=Text(self.report.bots[seat.seat]))
        return name

    def _wins_figure(self) -> ReportFigure:
        say, rows = self.names.say, self._rows()
        title = say("chart.wins")
        heads = [say("head.share"), say("head.interval"), say("head.won")]
        if self.report.scored:
            heads.append(say("head.points"))
        seats, cells = len(self.report.seats), []
        for seat in rows:
            row = [
                self.share.value(seat.wins), self.share.range(seat.wins), self.names.words.number(seat.won),
                *([self.number.estimate(seat.points)] if seat.points is not None else []),
            ]  # fmt: skip
            cells.append((self.label(seat), tuple(row)))

        def draw() -> tuple[Picture, ...]:
            chart_rows = [
                ChartRow(
                    self.label(seat),
                    chart_estimate(seat.wins),
                    self.share.estimate(seat.wins),
                    len(rows) == seats or index == 0,
                )
                for index, seat in enumerate(rows)
            ]
            axis = self.share.axis(say("axis.games"), 0.0)
            return (charts.bars(Caption(title, chart_description(chart_rows)), axis, chart_rows, [self._even_mark()]),)

        return ReportFigure(ReportGrid(title, ("", *heads), tuple(cells)), draw)

    def _even_mark(self) -> ChartMark:
        return ChartMark(self.even_share, self.names.say("even", share=Text(self.share.text(self.even_share, 0))))

    def _entrants_figure(self) -> ReportFigure:
        say, entrants = self.names.say, self.report.entrants
        title = say("chart.bots")
        heads = ["", say("head.share"), say("head.interval")] + ([say("head.points")] if self.report.scored else [])
        labels = [say("bot", n=entrant.number + 1, bot=Text(entrant.bot)) for entrant in entrants]
        cells = [
            (self.share.value(entrant.wins), self.share.range(entrant.wins),
             *([self.number.estimate(entrant.points)] if entrant.points is not None else []))
            for entrant in entrants
        ]  # fmt: skip

        def draw() -> tuple[Picture, ...]:
            chart_rows = [
                ChartRow(name, chart_estimate(entrant.wins), self.share.estimate(entrant.wins))
                for name, entrant in zip(labels, entrants, strict=True)
            ]
            axis = self.share.axis(say("axis.games"), 0.0)
            return (charts.bars(Caption(title, chart_description(chart_rows)), axis, chart_rows),)

        return ReportFigure(ReportGrid(title, tuple(heads), tuple(zip(labels, cells, strict=True))), draw)

    # ---- points ----

    def points(self) -> Chapter:
        """Return the chapter on the number and the origins of points."""
        say, results = self.names.say, self.report
        gist, sentences = [], []
        if results.points is not None:
            low, _, high = (self.names.words.number(n) for n in results.points.quartiles)
            mean = Text(self.number.value(results.points.mean))
            if low == high:
                gist.append(say("points.about", mean=mean))
            else:
                gist.append(say("points.mean", mean=mean, low=Text(low), high=Text(high)))
        origins = self._origins()
        if len(origins) > 1:
            name, points = max(origins.items(), key=lambda item: item[1])
            all_of_them = sum(points for points in origins.values() if points > 0)
            if all_of_them:
                share = Text(self.share.text(points / all_of_them, 0))
                gist.append(
                    say("points.most", origin=self._origin(name), points=Text(self.number.text(points, 1)), share=share)
                )
        losses = [self._origin(name).text for name, points in origins.items() if points < 0]
        if losses:
            sentences.append(say("points.lost", origins=Text(self.names.words.chain(losses))))
        figures = [self._points_figure([self.names.term(name) for name in origins])] if origins else []
        if results.points is not None and results.points.least < results.points.most:
            figures.append(self._histogram("scores.spread", results.points))
        title = say("points") if origins else say("head.points")
        return Chapter("points", title, tuple(gist), tuple(sentences), figures=tuple(figures))

    def _origin(self, origin: str) -> Text:
        return Text(self.names.words.term(origin, self.names.game.name))

    def _origins(self) -> dict[str, float]:
        """Return the points of a player by origin, averaged over the seats."""
        seats = self.report.seats
        totals: dict[str, float] = {}
        for seat in seats:
            for origin in seat.origins:
                name = origin.origin
                totals[name] = totals.get(name, 0.0) + origin.points.value / len(seats)
        return totals

    def _points_figure(self, origins: Sequence[str]) -> ReportFigure:
        say, rows = self.names.say, self._rows()
        title = say("chart.points")
        heads = ("", *origins, say("head.all"))
        cells = [
            (*(self.number.text(origin.points.value, 1) for origin in seat.origins),
             self.number.text(seat.points.value, 1) if seat.points is not None else "")
            for seat in rows
        ]  # fmt: skip
        labels = [self.label(seat) for seat in rows]

        def draw() -> tuple[Picture, ...]:
            chart_rows = []
            for seat, label in zip(rows, labels, strict=True):
                parts = tuple(origin.points.value for origin in seat.origins)
                total = self.number.text(seat.points.value, 1) if seat.points is not None else ""
                chart_rows.append(StackedRow(label, parts, tuple(self.number.text(part, 1) for part in parts), total))
            axis = self.number.axis(say("axis.points"), 0.0)
            return (charts.stacked(Caption(title, chart_description(chart_rows)), axis, chart_rows, origins),)

        return ReportFigure(ReportGrid(title, heads, tuple(zip(labels, cells, strict=True))), draw)

    # ---- closeness ----

    def course(self) -> Chapter:
        """Return the chapter on how close games are, how the lead changes, and when they are decided.

        Requires a game in which a seat can lead.
        """
        say, course = self.names.say, self.report.lead_history
        gist, sentences, figures = [], [], []
        if course.gap is not None:
            low, middle, high = course.gap.quartiles
            gist.append(say("course.gap", n=middle, low=low, high=high))
            figures.append(self._histogram("gap", course.gap))
        if course.changes is not None and course.changes.most:
            sentences.append(say("course.changes", mean=Text(self.number.value(course.changes.mean))))
        late = all(not lead.gap.value for lead in course.lead if lead.part < WHOLE)
        if late:
            gist.append(say("course.late"))
        else:
            gist += self._decided_sentences()
            halfway = next((lead for lead in course.lead if lead.part == MIDDLE), None)
            if halfway is not None:
                sentences.append(say("course.halfway", share=Text(self.share.value(halfway.right))))
            if course.decided_games < self.finished_games:
                sentences.append(say("course.left_out", n=self.finished_games - course.decided_games))
            figures.append(self._lead_figure())
        return Chapter("course", say("course"), tuple(gist), tuple(sentences), figures=tuple(figures))

    def _decided_sentences(self) -> Iterator[str]:
        """Yield sentences on when games are decided."""
        spread = self.report.lead_history.decided
        if spread is None:
            return
        low, middle, _ = spread.quartiles
        early, half = (Text(self.share.text(part / WHOLE, 0)) for part in (low, middle))
        if low >= WHOLE:
            yield self.names.say("course.decided.never")
        else:
            message = "course.decided.end" if middle >= WHOLE else "course.decided"
            yield self.names.say(message, early=early, half=half)

    def _lead_figure(self) -> ReportFigure:
        say, course = self.names.say, self.report.lead_history
        title = say("chart.lead")
        decided = [(lead.part, self._decided_by(lead.part)) for lead in course.lead]
        heads = [say("axis.part"), say("line.right"), say("axis.gap.mean")]
        if course.decided is not None:
            heads.insert(2, say("line.decided"))
        cells = [
            (self.share.text(lead.part / WHOLE, 0),
             (self.share.estimate(lead.right), *([self.share.text(by, 0)] if course.decided is not None else []),
              self.number.estimate(lead.gap)))
            for lead, (_, by) in zip(course.lead, decided, strict=True)
        ]  # fmt: skip

        def draw() -> tuple[Picture, ...]:
            lines = [
                ChartLine(
                    say("line.right"), tuple((lead.part / WHOLE, chart_estimate(lead.right)) for lead in course.lead)
                )
            ]
            if course.decided is not None:
                points = tuple((part / WHOLE, charts.ChartEstimate(by, by, by)) for part, by in decided)
                lines.append(ChartLine(say("line.decided"), points))
            description = ". ".join(f"{head}: {row[0]}" for head, row in cells[:: max(1, len(cells) // 4)])
            words = Caption(title, description)
            across = self.share.axis(say("axis.part"), 0.0, 1.0)
            chance = self._even_mark()
            shares = charts.curves(words, across, self.share.axis(say("axis.games"), 0.0, 1.0), lines, levels=[chance])
            gap = ChartLine(
                say("chart.gaps"), tuple((lead.part / WHOLE, chart_estimate(lead.gap)) for lead in course.lead)
            )
            second = Caption(say("chart.gaps"), description)
            return shares, charts.curves(second, across, self.number.axis(say("axis.gap.mean"), 0.0), [gap])

        return ReportFigure(ReportGrid(title, tuple(heads), tuple(cells)), draw, detail=True)

    def _decided_by(self, part: int) -> float:
        """Return the share of games decided by then, with uniform distribution assumed within a bin."""
        spread, games = self.report.lead_history.decided, self.report.lead_history.decided_games
        if spread is None or not games:
            return 0.0
        inside = 0.0
        for bar in spread.bins:
            width = bar.high - bar.low + 1
            inside += bar.count * min(max(part - bar.low + 1, 0), width) / width
        return inside / games

    # ---- length ----

    def length(self) -> Iterator[Chapter]:
        """Yield the chapter on the number of decisions."""
        spread = self.report.length
        if spread is None:
            return
        say, number = self.names.say, self.names.words.number
        low, _, high = spread.quartiles
        if spread.least == spread.most:
            yield Chapter("length", say("length"), (say("length.always", n=spread.least),))
            return
        mean = Text(self.number.value(spread.mean))
        average = say("length.about", mean=mean)
        gist = average if low == high else say("length.mean", mean=mean, low=Text(number(low)), high=Text(number(high)))
        sentence = say("length.ends", least=Text(number(spread.least)), most=Text(number(spread.most)))
        yield Chapter("length", say("length"), (gist,), (sentence,), figures=(self._histogram("length", spread),))

    def _histogram(self, what: str, spread: Spread) -> ReportFigure:
        """Return a histogram of a number of each game; `what` is part of the message ids."""
        say, number = self.names.say, self.names.words.number
        title = say(f"chart.{what}")
        bins = columns_of(spread.bins)
        games = sum(bar.count for bar in bins)
        labels = [number(b.low) if b.low == b.high else self._span(b.low, b.high) for b in bins]
        shares = [self.share.text(bar.count / games, 1) for bar in bins]
        cells = tuple(
            (label, (number(round(bar.count)), share)) for label, bar, share in zip(labels, bins, shares, strict=True)
        )

        def draw() -> tuple[Picture, ...]:
            columns = [
                HistogramColumn(bar.low - half, bar.high + 1 - half, bar.count / games, f"{label}: {share}")
                for bar, label, share in zip(bins, labels, shares, strict=True)
            ]
            median = ChartMark(spread.quartiles[1] + 0.5 - half, say("median", n=spread.quartiles[1]))
            caption = Caption(title, self._spread_description(spread))
            up = self.share.axis(say("axis.games") if width == 1 else say("axis.games.of", n=width), 0.0)
            across = self.number.axis(say(f"axis.{what}"), whole=True)
            return (charts.columns(caption, across, up, columns, [median]),)

        width = bins[0].high - bins[0].low + 1
        # The column of a single number is centred on it.
        half = 0.5 if width == 1 else 0.0
        return ReportFigure(
            ReportGrid(title, (say(f"axis.{what}"), say("head.games"), say("axis.games")), cells), draw, detail=True
        )

    def _span(self, low: int, high: int) -> str:
        number = self.names.words.number
        return self.names.say("span", low=Text(number(low)), high=Text(number(high)))

    def _spread_description(self, spread: Spread) -> str:
        number = self.names.words.number
        ends = (spread.least, *spread.quartiles, spread.most)
        least, low, middle, high, most = (Text(number(n)) for n in ends)
        return self.names.say("spread", least=least, low=low, middle=middle, high=high, most=most)


@dataclass(frozen=True, slots=True)
class BinSpan:
    """Number of games with a value from `low` to `high`; fractional where a bin was split evenly."""

    low: int
    high: int
    count: float


def columns_of(bins: Sequence[HistogramBin]) -> list[BinSpan]:
    """Return bins regrouped into columns of equal, round width, limited in number."""
    low, high = bins[0].low, bins[-1].high
    least = max((high - low + 1) / COLUMNS, *(bar.high - bar.low + 1 for bar in bins))
    width = next(step * 10**power for power in range(20) for step in (1, 2, 5) if step * 10**power >= least)
    columns = []
    for begin in range(low // width * width, high + 1, width):
        end = begin + width
        count = sum(
            bar.count * max(0, min(bar.high + 1, end) - max(bar.low, begin)) / (bar.high - bar.low + 1) for bar in bins
        )
        columns.append(BinSpan(begin, end - 1, count))
    return columns


def chart_description(rows: Sequence[ChartRow] | Sequence[StackedRow] | Sequence[charts.PairedRow]) -> str:
    """Return the rows of a chart in words, as its text alternative."""
    return ". ".join(f"{row.label}: {row.value_text}" for row in rows) + "."


def chart_estimate(estimate: Estimate) -> charts.ChartEstimate:
    """Return a value with its interval, for a chart."""
    return charts.ChartEstimate(estimate.value, estimate.low, estimate.high)
