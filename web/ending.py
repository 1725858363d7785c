"""The end of a game: who has won, the points by where they come from, and how they grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine.match import Match
from wongar_dsl.ir.containers import score_from
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Text

from .pictures import curve
from .pictures.look import Look
from .rounds import rounds
from .tables import badge

#: Of a game without rounds so many points of time are shown.
MOST = 24


@dataclass(frozen=True)
class Named:
    """A player in the head of a table, and whether they have won."""

    text: str
    letter: Tag
    won: bool


@dataclass(frozen=True)
class Origin:
    """Where points come from, and how many everybody got there; the last one is the sum."""

    title: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Ending:
    """How a game ended; without points `columns` is empty and `curve` is None."""

    told: str
    names: tuple[Named, ...]
    columns: tuple[Origin, ...]
    curve: Tag | None
    moments: tuple[str, ...] = ()


def ending(match: Match, look: Look, moments: Sequence[str] = ()) -> Ending:
    """The end of a match; `moments` are sentences on what decided it."""
    state, narrator = match.state, look.scene.narrator
    names = tuple(Named(name, badge(look, seat), seat in state.winners) for seat, name in enumerate(narrator.names))
    place = match.game.program.score
    columns = _origins(match, look, place) if place is not None else ()
    drawn = _curve(match, look, place) if place is not None else None
    return Ending(narrator.ending(state.winners), names, columns, drawn, tuple(moments))


def _origins(match: Match, look: Look, place: ir.Field) -> tuple[Origin, ...]:
    game, words, cells = match.game, look.scene.narrator.words, match.state.cells
    count = game.model.size(place.type, game.seats) if place.type.kind == "enum" else 0
    seats = range(game.seats)
    rows = [
        Origin(
            look.short(place.type, origin),
            tuple(words.number(score_from(cells, place.at(seat), origin)) for seat in seats),
        )
        for origin in range(count)
    ]
    return (*rows, Origin(look.scene.name(place), tuple(words.number(cells[place.at(seat)]) for seat in seats)))


def _curve(match: Match, look: Look, place: ir.Field) -> Tag | None:
    """How points grew; None where there is no more than the end to show."""
    last = len(match.steps)
    begun = rounds(match, look.scene.narrator)
    if len(begun) < 2:
        begun = [last * i // MOST for i in range(MOST)] if last >= MOST else list(range(last))
    at = [*dict.fromkeys(begun), last]
    seats = range(match.game.seats)
    points = [[match.before(number)[place.at(seat)] for seat in seats] for number in at]
    # Where all points come at the end, there is nothing to see.
    if len(points) < 3 or not any(any(row) for row in points[:-1]):
        return None
    told = [look.owned(seat, [look.scene.narrator.words.number(row[seat]) for row in points]) for seat in seats]
    return curve.draw(look, points, look.say("curve.told", told=Text(look.chain(told))))
