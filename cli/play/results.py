"""The end of a game: the points by where they come from, and who has won."""

from __future__ import annotations

from wongar_dsl.narration import Narrator

from ..terminal.screen import Line, Piece, padded, seat_style


def scores(narrator: Narrator, cells: list[int], winners: tuple[int, ...]) -> list[Line]:
    """The table of points by origin, with all points in the last column; empty for a game without a score."""
    game, words = narrator.game, narrator.words
    place = game.score_place()
    if place is None:
        return []
    origins = [narrator.term(game.model.value_name(place.type, i), "short") for i in range(place.width - 1)]
    title = narrator.term(place.name, "short")
    columns = [*(o[:1].upper() + o[1:] for o in origins), title[:1].upper() + title[1:]]
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
            at = place.base + seat * place.width + (0 if last else number + 1)
            row.append(("strong" if last else "", words.pad(words.number(cells[at]), cell, "right")))
        if last:
            lines.append([("faint", "-" * (width + cell * game.seats))])
        lines.append(row)
    lines.append([("faint", f"{mark} {words.term('winner', count=len(winners))}")])
    return lines
