"""Report chapter on choices: how often each option was offered and taken, and how it correlates with winning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from wongar_dsl.lab import charts
from wongar_dsl.lab.charts import Caption, ChartMark, PairedRow
from wongar_dsl.lab.reports.document import Chapter, ReportFigure, ReportGrid
from wongar_dsl.lab.reports.numbers import difference_formatter
from wongar_dsl.lab.reports.one_arm import OneArmChapters, chart_description
from wongar_dsl.lab.reports.report_data import ChoiceFigures, DifferenceEstimate
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.svg import Picture

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
        listed = [
            say("choices.never", option=Text(self._name(choice)), n=choice.offered) for choice in never[:MAX_VALUES]
        ]
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
                    message, option=Text(self._name(choice)), by=Text(self.single.share.size(effect.value, places)),
                    range=Text(self.single.share.size_interval(effect)),
                )  # fmt: skip

    def _name(self, choice: ChoiceFigures) -> str:
        """Return the name of an option, with the value of its argument if the row is about one."""
        names = self.single.names
        option = names.option(choice.decision, choice.option)
        if not choice.thing:
            return option
        return names.say("option.thing", option=Text(option), thing=Text(names.choice(choice)))

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
            title = names.say("option.thing", option=Text(names.option(first.decision, first.option)), thing=Text(head))
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
                Caption(title, chart_description(offered)), axis, offered, (say("head.offered"), say("head.taken"))
            )
            effects = [
                share.chart_row(label, choice.wins)
                for label, choice in zip(labels, rows, strict=True)
                if choice.wins is not None
            ]
            if not effects:
                return (first,)
            # The chart of all options has a fixed title; that of an argument's values names the option.
            effect_title = say("chart.brought", option=Text(title)) if rows[0].thing else say("chart.brought.all")
            caption = Caption(effect_title, chart_description(effects))
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
