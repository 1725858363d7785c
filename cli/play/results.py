"""The points of a game by where they come from, and at its end who has won."""

from __future__ import annotations

from wongar_dsl.ir.containers import score_from
from wongar_dsl.narration import Narrator

from ..terminal.screen import Line, Piece, padded, seat_style


def scores(narrator: Narrator, cells: list[int], winners: tuple[int, ...]) -> list[Line]:
    """The table of points by origin, with all points in the last column; empty for a game without a score."""
    game, words = narrator.game, narrator.words
    place = game.program.score
    if place is None:
        return []
    count = game.model.size(place.type, game.seats) if place.type.kind == "enum" else 0
    origins = [narrator.term(game.model.value_name(place.type, i), "short") for i in range(count)]
    title = narrator.term(place.name, "short")
    columns = [*map(words.capital, origins), words.capital(title)]
    lines: list[Line] = [[]]
    mark = "*"
    # One line per origin and one column per player: names are short, the names of origins are not.
    width = max(words.width(c) for c in columns)
    names = [f"{mark}{name}" if seat in winners else name for seat, name in enumerate(narrator.names)]
    cell = max(6, *(words.width(n) + 2 for n in names))
    header: list[Piece] = [("", " " * width)]
    header += [(seat_style(seat), words.pad(name, cell, "right")) for seat, name in enumerate(names)]
    lines.append(header)
    for number, column in enumerate(columns):
        last = number == len(columns) - 1
        row: list[Piece] = [("strong" if last else "", piece) for _, piece in padded([("", column)], width)]
        for seat in range(game.seats):
            at = place.at(seat)
            points = cells[at] if last else score_from(cells, at, number)
            row.append(("strong" if last else "", words.pad(words.number(points), cell, "right")))
        if last:
            lines.append([("faint", "-" * (width + cell * game.seats))])
        lines.append(row)
    if winners:
        lines.append([("faint", f"{mark} {words.term('winner', count=len(winners))}")])
    return lines
