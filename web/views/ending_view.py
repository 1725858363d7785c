"""View of the end of a game: winners, points, score history and decisive moments."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.position_svg import curve
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.session.ending import game_summary

from .zone_views import badge


@dataclass(frozen=True)
class ResultColumn:
    """An origin of points, or a tie-break value; `total` marks the sum, `label` stands before a number."""

    title: str
    total: bool
    label: str


@dataclass(frozen=True)
class ResultRow:
    """The row of a player: name, whether they won, and a number for each column."""

    text: str
    letter: Tag
    won: bool
    cells: tuple[str, ...]


@dataclass(frozen=True)
class EndingView:
    """View of the end of a game.

    `heading` names the winners. `caption` is the heading of the columns, `below` that of the curve. `rule` explains how
    winners are determined without points, and how a tie was broken. `results` are sorted by winners and totals. If
    nothing is compared, `columns` is empty and `curve` is None. Each moment consists of a few sentences.
    """

    heading: str
    caption: str
    below: str
    rule: str
    columns: tuple[ResultColumn, ...]
    results: tuple[ResultRow, ...]
    curve: Tag | None
    moments: tuple[tuple[str, ...], ...]

    def says(self, sentence: str) -> bool:
        """Return whether a sentence is already part of this view."""
        return sentence == self.heading or any(sentence in line for lines in self.moments for line in lines)


def ending(match: Match, context: RenderContext) -> EndingView:
    """Return the view of the end of a match."""
    narrator, winners = context.scene.narrator, match.state.winners
    summary = game_summary.ending(match, narrator)
    # The total is shown beside the name.
    rows = sorted(summary.rows, key=lambda row: not row.total)
    columns = tuple(ResultColumn(row.name, row.total, narrator.words.valued(row.name, "").rstrip()) for row in rows)

    def rank(seat: int) -> tuple[object, ...]:
        return (seat not in winners, *(-row.points[seat] for row in rows if row.total), seat)

    results = tuple(
        ResultRow(
            narrator.names[seat], badge(context, seat), seat in winners,
            tuple(narrator.words.number(row.points[seat]) for row in rows),
        )
        for seat in sorted(range(len(narrator.names)), key=rank)
    )  # fmt: skip
    sentences = tuple(game_summary.moment_text(moment, narrator) for moment in summary.moments)
    if summary.line:
        sentences = ((summary.line,), *sentences)
    value = Text(game_summary.heading(summary, narrator))
    score_curve = (
        _curve(summary.history, context, value) if summary.history is not None and summary.history.has_growth else None
    )
    titles = (
        narrator.score_title() if match.game.program.score is not None else context.say("compared"),
        context.say("curve.grown", what=value),
        " ".join(text for text in (summary.rule, summary.tie) if text),
    )
    return EndingView(narrator.ending(winners), *titles, columns, results, score_curve, sentences)


def _curve(history: game_summary.ScoreHistory, context: RenderContext, value: Text) -> Tag:
    """Draw the history of the points, or of another value, by round."""
    number, seats = context.scene.narrator.words.number, range(len(history.points[0]))
    phrases = [context.owned_phrase(seat, [number(row[seat]) for row in history.points]) for seat in seats]
    description = context.say("curve.grown.told", what=value, told=Text(context.chain(phrases)))
    return curve.draw(context, history.points, description)
