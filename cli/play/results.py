"""Table of points by origin, with the winners."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.text.terminal import fold
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.render.text.lines import Line, Piece, pad_line, seat_style
from wongar_dsl.session.ending import ScoreRow


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
