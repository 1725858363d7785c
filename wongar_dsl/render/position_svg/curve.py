"""SVG of the score history: a line for each player with their letter at the end."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.render.component_svg.text_metrics import centred_text

from . import svg_symbols
from .render_context import RenderContext, seat_class

WIDTH, HEIGHT, LEFT, BELOW, RIGHT = 760, 420, 70, 50, 70
#: Number of horizontal grid lines, and maximum number of labels on the x axis.
LEVELS, MAX_AXIS_NUMBERS = 4, 12


def draw(context: RenderContext, points: Sequence[Sequence[int]], about: str) -> Tag:
    """Draw the curves; `points` are all scores at the end of each round, `about` is the text description."""
    top = max([1, *(n for row in points for n in row)])
    low = min([0, *(n for row in points for n in row)])
    step = _step((top - low) / LEVELS)
    top = -(-top // step) * step
    low = low // step * step
    rounds = max(1, len(points) - 1)

    def x(at: int) -> int:
        return LEFT + (WIDTH - LEFT - RIGHT) * at // rounds

    def y(value: int) -> int:
        return 20 + (HEIGHT - BELOW - 20) * (top - value) // (top - low)

    parts: list[Tag] = []
    for level in range(low, top + 1, step):
        parts.append(tag("line", x1=LEFT, y1=y(level), x2=WIDTH - RIGHT, y2=y(level), class_="level"))
        parts.append(
            centred_text(context.scene.narrator.words.number(level), (0, y(level) - 18, LEFT - 8, 36), (24, 20))
        )
    label_step = -(-(len(points) - 1) // MAX_AXIS_NUMBERS) or 1
    for at in range(label_step, len(points), label_step):
        parts.append(centred_text(str(at), (x(at) - 30, HEIGHT - BELOW + 8, 60, 34), (22,)))
    ends = _apart([(y(points[-1][seat]), seat) for seat in range(len(points[-1]))])
    for seat in range(len(points[-1])):
        data = "M" + "L".join(f"{x(at)} {y(row[seat])}" for at, row in enumerate(points))
        line = tag("path", d=data, class_=f"line dash-{seat % 4}")
        parts.append(tag("g", line, class_=seat_class(seat)))
        parts.append(svg_symbols.letter(context, seat, WIDTH - RIGHT + 14, ends[seat] - 18, 36))
    return svg_symbols.drawing(parts, f"0 0 {WIDTH} {HEIGHT}", "curve-picture", role="img", aria_label=about)


def _step(least: float) -> int:
    """Return the smallest round number (1, 2 or 5 times a power of ten) that is not less than `least`."""
    size = 1
    while True:
        for step in (1, 2, 5):
            if step * size >= least:
                return step * size
        size *= 10


def _apart(ends: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the position of each letter at the end of its line, such that none overlap."""
    positions: dict[int, int] = {}
    last = -100
    for position, seat in sorted(ends):
        last = max(position, last + 40)
        positions[seat] = last
    over = max(0, last - (HEIGHT - BELOW + 10))
    return {seat: position - over for seat, position in positions.items()}
