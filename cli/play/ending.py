"""Output of the end of a game: points by origin, score history and decisive moments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.text.lines import Line, Piece, clip, pad_line, seat_style
from wongar_dsl.session.ending import Ending, ScoreHistory, ScoreRow, ending, heading, moment_text

from ..terminal.screen import Screen


def scores(narrator: Narrator, rows: Sequence[ScoreRow], winners: tuple[int, ...], room: int) -> list[Line]:
    """Return the table of points by origin or of tie-break values, the total last; empty without rows.

    If it has more than `room` columns, each player has a paragraph instead, the winners first.
    """
    words = narrator.words
    if not rows:
        return []
    lines: list[Line] = [[]]
    mark = "*"
    # One row per origin and one column per player, since names of players are shorter than those of origins.
    width = max(words.width(row.name) for row in rows)
    names = [f"{mark}{name}" if seat in winners else name for seat, name in enumerate(narrator.names)]
    cell = max(6, *(words.width(n) + 2 for n in names))
    if width + cell * len(names) > room:
        texts = (line for text in spoken_scores(narrator, rows, winners) for line in fold(text, room, "  "))
        return [[], *([("", text)] for text in texts)]
    header: list[Piece] = [("", " " * width)]
    header += [(seat_style(seat), words.pad(name, cell, "right")) for seat, name in enumerate(names)]
    lines.append(header)
    for row in rows:
        style = "strong" if row.total else ""
        line: list[Piece] = [(style, piece) for _, piece in pad_line([("", row.name)], width)]
        line += [(style, words.pad(words.number(points), cell, "right")) for points in row.points]
        if row.total:
            lines.append([("faint", "-" * (width + cell * len(names)))])
        lines.append(line)
    if winners:
        lines.append([("faint", f"{mark} {words.term('winner', count=len(winners))}")])
    return lines


def spoken_scores(narrator: Narrator, rows: Sequence[ScoreRow], winners: tuple[int, ...]) -> list[str]:
    """Return the points in words, one line for each player, the winners first; empty without rows."""
    words = narrator.words
    if not rows:
        return []
    lines = []
    for seat, name in sorted(enumerate(narrator.names), key=lambda player: player[0] not in winners):
        title = f"{name} ({words.term('winner')})" if seat in winners else name
        lines.append(
            words.label(title) + words.chain([words.valued(row.name, words.number(row.points[seat])) for row in rows])
        )
    return lines


if TYPE_CHECKING:
    from .display import Display

#: Bars of the history curve by height, in Unicode and in ASCII.
BLOCKS, ASCII = "▁▂▃▄▅▆▇█", "_.:-=+*#"
#: Indentation of a curve, and maximum width of its name.
INDENT, MAX_NAME_WIDTH = 2, 20


def show_ending(display: Display) -> None:
    """Print the points by origin, their history, and the decisive moments."""
    screen, session = display.screen, display.session
    narrator, state = session.narrator, session.match.state
    summary = ending(session.match, narrator)
    if display.screen_reader:
        for text in spoken_scores(narrator, summary.rows, state.winners):
            screen.text(text)
    else:
        screen.lines(scores(narrator, summary.rows, state.winners, screen.width))
    if summary.rule:
        screen.text(summary.rule, "faint")
    if summary.tie:
        screen.text(summary.tie)
    # A curve is useless for a screen reader.
    if summary.history is not None and summary.history.has_growth and not display.screen_reader:
        screen.line()
        display.say("ending.grown", "strong", what=Text(heading(summary, narrator)))
        screen.lines(curves(summary.history, narrator, screen))
    _print_moments(display, summary)


def _print_moments(display: Display, summary: Ending) -> None:
    """Print the decisive moments in sentences."""
    narrator, screen = display.session.narrator, display.screen
    if display.session.match.game.program.score is None:
        # In line mode the last move has just been reported; at a terminal the picture has scrolled it away.
        for moment in summary.moments if screen.interactive else ():
            screen.text(narrator.words.say("ending.last", None, told=Text(" ".join(moment.lines))))
        if summary.line:
            screen.text(summary.line)
    elif summary.moments:
        screen.line()
        display.say("ending.moments", "strong")
        for moment in summary.moments:
            for line in moment_text(moment, narrator):
                screen.text(line, "", " " * INDENT)


def curves(course: ScoreHistory, narrator: Narrator, screen: Screen) -> list[Line]:
    """Return the points of each seat by round as a row of bars, between the first and the last value."""
    words, names = narrator.words, narrator.names
    first, last = course.points[0], course.points[-1]
    signs = BLOCKS if screen.unicode else ASCII
    name = min(MAX_NAME_WIDTH, max(words.width(player_name) for player_name in names))
    start, end = (max(words.width(words.number(n)) for n in points) for points in (first, last))
    room = max(2, screen.width - 1 - INDENT - name - start - end - 3)
    columns = _columns(course.points, room)
    low, high = (pick(n for points in course.points for n in points) for pick in (min, max))
    lines: list[Line] = []
    for seat, called in enumerate(names):
        heights = [(points[seat] - low) * (len(signs) - 1) // max(1, high - low) for points in columns]
        row = "".join(signs[height] for height in heights)
        begin, finish = words.pad(words.number(first[seat]), start, "right"), words.number(last[seat])
        lines.append(
            [
                ("", " " * INDENT),
                (seat_style(seat), words.pad(clip(called, name), name)),
                ("faint", f" {begin} "),
                (seat_style(seat), row),
                ("strong", f" {words.pad(finish, end, 'right')}"),
            ]
        )
    return lines


def _columns(points: Sequence[tuple[int, ...]], room: int) -> list[tuple[int, ...]]:
    """Sample as many of the points as fit, including the first and the last."""
    if len(points) <= room:
        return list(points)
    return [points[number * (len(points) - 1) // (room - 1)] for number in range(room)]
