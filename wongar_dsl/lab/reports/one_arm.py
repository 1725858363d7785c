"""Report chapters on one set of rules: wins, points, closeness, length, and choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from wongar_dsl.lab import charts
from wongar_dsl.lab.charts import Caption, ChartLine, ChartMark, ChartRow, HistogramColumn, PairedRow, StackedRow
from wongar_dsl.lab.inference import DifferenceEstimate, Estimate
from wongar_dsl.lab.reports.document import Chapter, ReportFigure, ReportGrid
from wongar_dsl.lab.reports.labels import MeasureUnit, ReportNames, difference_formatter, significant_side
from wongar_dsl.lab.reports.report_data import ArmReport, BotFigures, ChoiceFigures, HistogramBin, SeatFigures, Spread
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
                sentences.append(say(f"wins.{outcome}", n=n, share=self.share.text(n / self.finished_games, 1)))
        figures = [self._wins_figure()]
        if self.report.entrants:
            figures.append(self._entrants_figure())
        return Chapter("wins", say("wins"), tuple(gist), tuple(sentences), figures=tuple(figures))

    def _starter_sentences(self) -> Iterator[str]:
        starter = self.report.starter
        if len(self.report.seats) == 1:
            [alone] = self.report.seats
            yield self.names.say("wins.alone", share=self.share.value(alone.wins), range=self.share.range(alone.wins))
            return
        if starter is None or not self.seats_are_symmetric:
            return
        verdict = {1: "more", 0: "even", -1: "less"}[significant_side(starter.wins, self.even_share, 1)]
        share, even = self.share.value(starter.wins), self.share.text(self.even_share, 0)
        yield self.names.say(f"wins.starter.{verdict}", share=share, range=self.share.range(starter.wins), even=even)

    def _seat_sentences(self) -> Iterator[str]:
        seats = [seat for seat in self.report.seats if seat.seat != self.report.first]
        if len(self.report.seats) == 1:
            return
        judged = []
        if self.seats_are_symmetric:
            judged = [(seat, significant_side(seat.wins, self.even_share, len(seats))) for seat in seats]
        for seat, verdict in judged:
            if verdict:
                message = "wins.seat.more" if verdict > 0 else "wins.seat.less"
                share, interval = self.share.value(seat.wins), self.share.range(seat.wins)
                yield self.names.say(message, seat=seat.seat + 1, share=share, range=interval)
        if len(judged) > 1 and not any(verdict for _, verdict in judged):
            yield self.names.say("wins.seats.even")
        if not self.seats_are_symmetric:
            best = max(self.report.seats, key=lambda seat: seat.wins.value)
            bot = self.report.bots[best.seat]
            share, interval = self.share.value(best.wins), self.share.range(best.wins)
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
            return self.names.say("seat.bot", n=seat.seat + 1, bot=self.report.bots[seat.seat])
        return name

    def _wins_figure(self) -> ReportFigure:
        rows = self._rows()
        by_label = [(self.label(seat), seat) for seat in rows]
        # Beside the starting player, the seats are secondary.
        marked = [len(rows) == len(self.report.seats) or index == 0 for index in range(len(rows))]
        return self._shares_figure("chart.wins", by_label, marked, [self._even_mark()])

    def _even_mark(self) -> ChartMark:
        return ChartMark(self.even_share, self.names.say("even", share=self.share.text(self.even_share, 0)))

    def _entrants_figure(self) -> ReportFigure:
        entrants = self.report.entrants
        labels = [self.names.say("bot", n=entrant.number + 1, bot=entrant.bot) for entrant in entrants]
        return self._shares_figure("chart.bots", list(zip(labels, entrants, strict=True)), [True] * len(entrants))

    def _shares_figure(
        self,
        message: str,
        rows: Sequence[tuple[str, SeatFigures | BotFigures]],
        marked: Sequence[bool],
        marks: Sequence[ChartMark] = (),
    ) -> ReportFigure:
        """Return a table of win shares and points, and a chart of the shares."""
        say, title = self.names.say, self.names.say(message)
        heads = ["", say("head.share"), say("head.interval")]
        heads += [say("head.won")] if isinstance(rows[0][1], SeatFigures) else []
        heads += [say("head.points")] if self.report.scored else []
        cells = []
        for label, row in rows:
            won = (self.names.words.number(row.won),) if isinstance(row, SeatFigures) else ()
            points = (self.number.estimate(row.points),) if row.points is not None else ()
            cells.append((label, (self.share.value(row.wins), self.share.range(row.wins), *won, *points)))

        def draw() -> tuple[Picture, ...]:
            chart_rows = [
                ChartRow(label, row.wins, self.share.estimate(row.wins), mark)
                for (label, row), mark in zip(rows, marked, strict=True)
            ]
            axis = self.share.axis(say("axis.games"), 0.0)
            return (charts.bars(Caption.of_rows(title, chart_rows), axis, chart_rows, marks),)

        return ReportFigure(ReportGrid(title, tuple(heads), tuple(cells)), draw)

    # ---- points ----

    def points(self) -> Chapter:
        """Return the chapter on the number and the origins of points."""
        say, results = self.names.say, self.report
        gist, sentences = [], []
        if results.points is not None:
            low, _, high = (self.names.words.number(n) for n in results.points.quartiles)
            mean = self.number.value(results.points.mean)
            if low == high:
                gist.append(say("points.about", mean=mean))
            else:
                gist.append(say("points.mean", mean=mean, low=low, high=high))
        origins = self._origins()
        if len(origins) > 1:
            name, points = max(origins.items(), key=lambda item: item[1])
            all_of_them = sum(points for points in origins.values() if points > 0)
            if all_of_them:
                share = self.share.text(points / all_of_them, 0)
                gist.append(
                    say("points.most", origin=self._origin(name), points=self.number.text(points, 1), share=share)
                )
        losses = [self._origin(name).text for name, points in origins.items() if points < 0]
        if losses:
            sentences.append(say("points.lost", origins=self.names.words.chain(losses)))
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
        title = self.names.say("chart.points")
        rows = []
        for seat in self._rows():
            parts = tuple(origin.points.value for origin in seat.origins)
            total = self.number.text(seat.points.value, 1) if seat.points is not None else ""
            rows.append(StackedRow(self.label(seat), parts, tuple(self.number.text(part, 1) for part in parts), total))

        def draw() -> tuple[Picture, ...]:
            axis = self.number.axis(self.names.say("axis.points"), 0.0)
            return (charts.stacked(Caption.of_rows(title, rows), axis, rows, origins),)

        cells = tuple((row.label, (*row.part_texts, row.value_text)) for row in rows)
        return ReportFigure(ReportGrid(title, ("", *origins, self.names.say("head.all")), cells), draw)

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
            sentences.append(say("course.changes", mean=self.number.value(course.changes.mean)))
        late = all(not lead.gap.value for lead in course.lead if lead.part < WHOLE)
        if late:
            gist.append(say("course.late"))
        else:
            gist += self._decided_sentences()
            halfway = next((lead for lead in course.lead if lead.part == MIDDLE), None)
            if halfway is not None:
                sentences.append(say("course.halfway", share=self.share.value(halfway.right)))
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
        early, half = (self.share.text(part / WHOLE, 0) for part in (low, middle))
        if low >= WHOLE:
            yield self.names.say("course.decided.never")
        else:
            message = "course.decided.end" if middle >= WHOLE else "course.decided"
            yield self.names.say(message, early=early, half=half)

    def _lead_figure(self) -> ReportFigure:
        say, course = self.names.say, self.report.lead_history
        title = say("chart.lead")
        decided = [self._decided_by(lead.part) for lead in course.lead] if course.decided is not None else []
        heads = [say("axis.part"), say("line.right"), say("axis.gap.mean")]
        rows = [[self.share.estimate(lead.right), self.number.estimate(lead.gap)] for lead in course.lead]
        if decided:
            heads.insert(2, say("line.decided"))
            for row, by in zip(rows, decided, strict=True):
                row.insert(1, self.share.text(by, 0))
        parts = [lead.part / WHOLE for lead in course.lead]
        cells = tuple((self.share.text(part, 0), tuple(row)) for part, row in zip(parts, rows, strict=True))

        def line(name: str, values: Iterable[Estimate]) -> ChartLine:
            return ChartLine(say(name), tuple(zip(parts, values, strict=True)))

        def draw() -> tuple[Picture, ...]:
            lines = [line("line.right", (lead.right for lead in course.lead))]
            if decided:
                lines.append(line("line.decided", (Estimate(by, by, by) for by in decided)))
            description = ". ".join(f"{head}: {row[0]}" for head, row in cells[:: max(1, len(cells) // 4)])
            across = self.share.axis(say("axis.part"), 0.0, 1.0)
            up = self.share.axis(say("axis.games"), 0.0, 1.0)
            shares = charts.curves(Caption(title, description), across, up, lines, levels=[self._even_mark()])
            gap = line("chart.gaps", (lead.gap for lead in course.lead))
            up = self.number.axis(say("axis.gap.mean"), 0.0)
            return shares, charts.curves(Caption(say("chart.gaps"), description), across, up, [gap])

        return ReportFigure(ReportGrid(title, tuple(heads), cells), draw, detail=True)

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
        mean = self.number.value(spread.mean)
        average = say("length.about", mean=mean)
        gist = average if low == high else say("length.mean", mean=mean, low=number(low), high=number(high))
        sentence = say("length.ends", least=number(spread.least), most=number(spread.most))
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
        return self.names.say("span", low=number(low), high=number(high))

    def _spread_description(self, spread: Spread) -> str:
        number = self.names.words.number
        ends = (spread.least, *spread.quartiles, spread.most)
        least, low, middle, high, most = (number(n) for n in ends)
        return self.names.say("spread", least=least, low=low, middle=middle, high=high, most=most)


def columns_of(bins: Sequence[HistogramBin]) -> list[HistogramBin]:
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
        columns.append(HistogramBin(begin, end - 1, count))
    return columns


#: Maximum number of options mentioned as correlated with winning, and with losing.
MAX_MENTIONED = 3
#: Maximum number of rows for the values of an argument; the most frequently offered are shown.
MAX_VALUES = 30
#: Number of offers from which an option that was never taken is reported.
MIN_OFFERS = 20


@dataclass(frozen=True)
class ChoiceChapter:
    """Chapter on the choices under one set of rules."""

    single: OneArmChapters

    def chapter(self) -> Iterator[Chapter]:
        """Yield the chapter; nothing if no real choice was ever offered."""
        offered = [choice for choice in self.single.report.choices if choice.offered]
        if not offered:
            return
        say = self.single.names.say
        # An option that is always taken when offered is no real choice.
        options = [choice for choice in offered if not choice.thing and choice.taken < choice.offered]
        figures = [self._figure(say("chart.options"), say("head.option"), options)] if options else []
        figures += self._argument_figures(offered)
        if not figures:
            return
        gist, sentences = [*self._correlations(offered)], [say("choices.caution")]
        never = [c for c in offered if not c.taken and c.offered >= MIN_OFFERS]
        listed = [say("choices.never", option=self._name(choice), n=choice.offered) for choice in never[:MAX_VALUES]]
        yield Chapter("choices", say("choices"), tuple(gist), tuple(sentences), tuple(listed), tuple(figures))

    def _correlations(self, choices: Sequence[ChoiceFigures]) -> Iterator[str]:
        """Yield sentences on the options that are significantly correlated with winning or losing."""
        clear = [(choice, choice.wins) for choice in choices if choice.wins is not None and choice.wins.significant]
        clear.sort(key=lambda pair: -pair[1].value)
        better = [pair for pair in clear if pair[1].value > 0][:MAX_MENTIONED]
        worse = [pair for pair in clear[::-1] if pair[1].value < 0][:MAX_MENTIONED]
        for message, pairs in (("choices.better", better), ("choices.worse", worse)):
            for choice, effect in pairs:
                places = self.single.share.difference_places(effect)
                yield self.single.names.say(
                    message, option=self._name(choice), by=self.single.share.size(effect.value, places),
                    range=self.single.share.size_interval(effect),
                )  # fmt: skip

    def _name(self, choice: ChoiceFigures) -> str:
        """Return the name of an option, with the value of its argument if the row is about one."""
        names = self.single.names
        option = names.option(choice.decision, choice.option)
        if not choice.thing:
            return option
        return names.say("option.thing", option=option, thing=names.choice(choice))

    def _argument_figures(self, choices: Sequence[ChoiceFigures]) -> Iterator[ReportFigure]:
        """Yield a figure for each argument with at least two different values."""
        names = self.single.names
        arguments = [choice for choice in choices if choice.thing]
        for _, group in groupby(arguments, lambda choice: (choice.decision, choice.option, choice.parameter)):
            listed = sorted(group, key=lambda choice: -choice.offered)[:MAX_VALUES]
            if len(listed) < 2:
                continue
            first = listed[0]
            head = (
                names.term(first.type.name) if first.type is not None and first.type.name else names.say("head.value")
            )
            title = names.say("option.thing", option=names.option(first.decision, first.option), thing=head)
            yield self._figure(title, head, listed)

    def _figure(self, title: str, head: str, rows: Sequence[ChoiceFigures]) -> ReportFigure:
        say, share, ended = self.single.names.say, self.single.share, self.single.finished_games
        heads = ("offered", "taken", "free", "took", "declined", "points_of_share")
        labels = [self.single.names.choice(choice) for choice in rows]
        cells = []
        for choice in rows:
            free, chosen = choice.offered - choice.forced, choice.taken - choice.forced
            took, declined = (group.wins for group in (choice.took, choice.declined))
            cells.append((
                self._often(choice.offered), self._often(choice.taken),
                share.text(chosen / free, 0) if free else "",
                share.value(took) if took is not None else "",
                share.value(declined) if declined is not None else "",
                self._difference(choice.wins),
            ))  # fmt: skip

        def draw() -> tuple[Picture, ...]:
            offered = [
                PairedRow(label, (choice.offered / ended, choice.taken / ended), f"{row[0]} / {row[1]}")
                for label, choice, row in zip(labels, rows, cells, strict=True)
            ]
            axis = self.single.number.axis(say("axis.often"), 0.0)
            first = charts.dumbbells(
                Caption.of_rows(title, offered), axis, offered, (say("head.offered"), say("head.taken"))
            )
            effects = [
                share.chart_row(label, choice.wins)
                for label, choice in zip(labels, rows, strict=True)
                if choice.wins is not None
            ]
            if not effects:
                return (first,)
            # The chart of all options has a fixed title; that of an argument's values names the option.
            effect_title = say("chart.brought", option=title) if rows[0].thing else say("chart.brought.all")
            caption = Caption.of_rows(effect_title, effects)
            across = charts.Axis(say("axis.brought"), difference_formatter(self.single.names.words))
            legend = (say("head.significant"), say("chance"))
            return first, charts.dots(caption, across, effects, [ChartMark(0.0, say("no_difference"))], legend)

        column_heads = (head, *(say(f"head.{name}") for name in heads))
        grid = ReportGrid(title, column_heads, tuple(zip(labels, cells, strict=True)))
        return ReportFigure(grid, draw, detail=bool(rows[0].thing))

    def _difference(self, effect: DifferenceEstimate | None) -> str:
        if effect is None:
            return ""
        text = self.single.share.difference_with_interval(effect)
        return f"{text} *" if effect.significant else text

    def _often(self, times: int) -> str:
        """Return how many times per game something happened."""
        value = times / self.single.finished_games
        return self.single.number.text(value, 1 if value >= 1 else 2)
