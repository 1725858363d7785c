"""The end of a game at the table: the points and how they grew, and what decided the game."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.narration import Narrator
from wongar_dsl.table.ending import Course, Ending, ending, heading, moment_told
from wongar_dsl.words import Text

from ..terminal.screen import Line, Screen, clipped, seat_style
from .display import Display
from .results import scores, told

#: The heights of a curve, from the lowest to the highest; where there is no Unicode, in ASCII.
BLOCKS, ASCII = "▁▂▃▄▅▆▇█", "_.:-=+*#"
#: How far a curve is indented, and the room that its name takes at most.
INDENT, LONGEST_NAME = 2, 20


def show_ending(display: Display) -> None:
    """The points by origin, their curve, and the moments that decided the game."""
    screen, table = display.screen, display.table
    narrator, state = table.narrator, table.match.state
    found = ending(table.match, narrator)
    if display.aloud:
        for text in told(narrator, found.rows, state.winners):
            screen.text(text)
    else:
        screen.lines(scores(narrator, found.rows, state.winners))
    if found.rule:
        screen.text(found.rule, "faint")
    if found.tie:
        screen.text(found.tie)
    # A curve cannot be heard.
    if found.course is not None and found.course.grew and not display.aloud:
        screen.line()
        if what := heading(found, narrator):
            display.say("ending.grown", "strong", what=Text(what))
        else:
            display.say("ending.course", "strong")
        screen.lines(curves(found.course, narrator, screen))
    _tell(display, found)


def _tell(display: Display, found: Ending) -> None:
    """What decided the game, in sentences."""
    narrator, screen = display.table.narrator, display.screen
    if display.table.match.game.program.score is None:
        # On paper the last move has just been told; at a terminal the picture has pushed it away.
        for moment in found.moments if screen.interactive else ():
            screen.text(narrator.words.say("ending.last", None, told=Text(" ".join(moment.lines))))
        if found.line:
            screen.text(found.line)
    elif found.moments:
        screen.line()
        display.say("ending.moments", "strong")
        for moment in found.moments:
            for line in moment_told(moment, narrator):
                screen.text(line, "", " " * INDENT)


def curves(course: Course, narrator: Narrator, screen: Screen) -> list[Line]:
    """The points of each seat round by round as a row of blocks, with the first and the last number at its ends."""
    words, names = narrator.words, narrator.names
    first, last = course.points[0], course.points[-1]
    signs = BLOCKS if screen.unicode else ASCII
    name = min(LONGEST_NAME, max(words.width(one) for one in names))
    start, end = (max(words.width(words.number(n)) for n in at) for at in (first, last))
    room = max(2, screen.width - 1 - INDENT - name - start - end - 3)
    columns = _columns(course.points, room)
    low, high = (pick(n for at in course.points for n in at) for pick in (min, max))
    lines: list[Line] = []
    for seat, called in enumerate(names):
        heights = [(at[seat] - low) * (len(signs) - 1) // max(1, high - low) for at in columns]
        row = "".join(signs[height] for height in heights)
        begin, finish = words.pad(words.number(first[seat]), start, "right"), words.number(last[seat])
        lines.append(
            [
                ("", " " * INDENT),
                (seat_style(seat), words.pad(clipped(called, name), name)),
                ("faint", f" {begin} "),
                (seat_style(seat), row),
                ("strong", f" {words.pad(finish, end, 'right')}"),
            ]
        )
    return lines


def _columns(points: Sequence[tuple[int, ...]], room: int) -> list[tuple[int, ...]]:
    """As many of the points as there is room for, with the first and the last."""
    if len(points) <= room:
        return list(points)
    return [points[number * (len(points) - 1) // (room - 1)] for number in range(room)]
