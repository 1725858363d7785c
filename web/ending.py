"""The end of a game as a page shows it: who has won, with which points, their curve, and what decided it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wongar_dsl.engine.match import Match
from wongar_dsl.table import ending as told
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Text

from .pictures import curve
from .pictures.look import Look
from .tables import badge


@dataclass(frozen=True)
class Column:
    """The origin of some of the points, or something else that is compared; `total`: the sum of all of that."""

    title: str
    total: bool


@dataclass(frozen=True)
class Result:
    """The row of a player: the name, whether they have won, and a number for each column."""

    text: str
    letter: Tag
    won: bool
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Ending:
    """How a game ended: `caption` says what the columns are, `below` what the curve shows, and the `rule` how winners
    are found without points, and how a tie was broken. In `results` winners come first, then the others by their
    totals. If nothing is compared, `columns` is empty and `curve` is None. Each moment is a few sentences."""

    told: str
    caption: str
    below: str
    rule: str
    columns: tuple[Column, ...]
    results: tuple[Result, ...]
    curve: Tag | None
    moments: tuple[tuple[str, ...], ...]

    def says(self, sentence: str) -> bool:
        """Whether a sentence stands here already."""
        return sentence == self.told or any(sentence in line for lines in self.moments for line in lines)


def ending(match: Match, look: Look) -> Ending:
    """The end of a match."""
    narrator, winners = look.scene.narrator, match.state.winners
    found = told.ending(match, narrator)
    # The total stands beside the name.
    rows = sorted(found.rows, key=lambda row: not row.total)
    columns = tuple(Column(row.name, row.total) for row in rows)

    def rank(seat: int) -> tuple[object, ...]:
        return (seat not in winners, *(-row.points[seat] for row in rows if row.total), seat)

    results = tuple(
        Result(
            narrator.names[seat], badge(look, seat), seat in winners,
            tuple(narrator.words.number(row.points[seat]) for row in rows),
        )
        for seat in sorted(range(len(narrator.names)), key=rank)
    )  # fmt: skip
    sentences = tuple(told.moment_told(moment, narrator) for moment in found.moments)
    if found.line:
        sentences = ((found.line,), *sentences)
    points = match.game.program.score is not None
    caption, grown = "points" if points else "compared", told.heading(found, narrator)
    below, what = ("curve.grown", {"what": Text(grown)}) if grown or not points else ("curve", {})
    drawn = _curve(found.course, look, below, what) if found.course is not None and found.course.grew else None
    titles = (look.say(caption), look.say(below, **what), " ".join(text for text in (found.rule, found.tie) if text))
    return Ending(narrator.ending(winners), *titles, columns, results, drawn, sentences)


def _curve(course: told.Course, look: Look, below: str, what: Mapping[str, Text]) -> Tag:
    """How points grew, or something else, round by round."""
    number, seats = look.scene.narrator.words.number, range(len(course.points[0]))
    each = [look.owned(seat, [number(row[seat]) for row in course.points]) for seat in seats]
    return curve.draw(look, course.points, look.say(f"{below}.told", told=Text(look.chain(each)), **what))
