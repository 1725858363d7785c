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
class Named:
    """A player in the head of a table, and whether they have won."""

    text: str
    letter: Tag
    won: bool


@dataclass(frozen=True)
class Origin:
    """Where points come from, or what else is compared, and how many everybody has of it; `total`: all of that."""

    title: str
    cells: tuple[str, ...]
    total: bool


@dataclass(frozen=True)
class Ending:
    """How a game ended: `caption` says what the columns are, `below` what the curve shows, and the `rule` how winners
    are found without points.  Where nothing is compared `columns` is empty and `curve` is None.  Each moment is a few
    sentences."""

    told: str
    caption: str
    below: str
    rule: str
    names: tuple[Named, ...]
    columns: tuple[Origin, ...]
    curve: Tag | None
    moments: tuple[tuple[str, ...], ...]

    def says(self, sentence: str) -> bool:
        """Whether a sentence stands here already."""
        return sentence == self.told or any(sentence in line for lines in self.moments for line in lines)


def ending(match: Match, look: Look) -> Ending:
    """The end of a match."""
    narrator, winners = look.scene.narrator, match.state.winners
    found = told.ending(match, narrator)
    names = tuple(Named(name, badge(look, seat), seat in winners) for seat, name in enumerate(narrator.names))
    rows = tuple(Origin(row.name, tuple(map(narrator.words.number, row.points)), row.total) for row in found.rows)
    sentences = tuple(told.moment_told(moment, narrator) for moment in found.moments)
    if found.line:
        sentences = ((found.line,), *sentences)
    points = match.game.program.score is not None
    caption, grown = "points" if points else "compared", told.heading(found, narrator)
    below, what = ("curve.grown", {"what": Text(grown)}) if grown or not points else ("curve", {})
    drawn = _curve(found.course, look, below, what) if found.course is not None and found.course.grew else None
    titles = (look.say(caption), look.say(below, **what), found.rule)
    return Ending(narrator.ending(winners), *titles, names, rows, drawn, sentences)


def _curve(course: told.Course, look: Look, below: str, what: Mapping[str, Text]) -> Tag:
    """How points grew, or something else, round by round."""
    number, seats = look.scene.narrator.words.number, range(len(course.points[0]))
    each = [look.owned(seat, [number(row[seat]) for row in course.points]) for seat in seats]
    return curve.draw(look, course.points, look.say(f"{below}.told", told=Text(look.chain(each)), **what))
