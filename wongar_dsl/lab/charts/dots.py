"""Dot charts: a value with its interval per row, or two values to compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.lab.charts.axes import Caption, row_chart, tooltip_parts
from wongar_dsl.lab.charts.bars import interval
from wongar_dsl.lab.charts.palette import DAY, Rectangle, fill, stroke
from wongar_dsl.lab.charts.scales import Axis, Scale
from wongar_dsl.lab.charts.values import ChartMark, ChartRow, PairedRow
from wongar_dsl.render.component_svg.svg import PAPER, Picture, Point

RADIUS = 15


def dots(
    caption: Caption, axis: Axis, rows: Sequence[ChartRow], marks: Sequence[ChartMark] = (), series: Sequence[str] = ()
) -> Picture:
    """Return a chart with a point and its interval for each row: filled if the row is marked, else hollow.

    `series` names the two kinds, in this order.
    """

    def draw(number: int, scale: Scale, middle: int) -> Iterator[Tag]:
        row = rows[number]
        point = _point((scale.at(row.estimate.value), middle), row.marked)
        yield tooltip_parts([*interval(scale, row.estimate, middle), point], f"{row.label}: {row.value_text}")

    def sample(box: Rectangle, which: int) -> Iterator[Tag]:
        yield _point((box.left + box.width // 2, box.top + box.height // 2), not which)

    ends = [end for row in rows for end in row.estimate]
    return row_chart(caption, axis, rows, ends, draw, series=series, marks=marks, sample=sample)


def _point(centre: Point, marked: bool) -> Tag:
    return dot(centre, 0 if marked else 4, marked)


def dumbbells(caption: Caption, axis: Axis, rows: Sequence[PairedRow], series: tuple[str, str]) -> Picture:
    """Return a chart with two points for each row, joined by a line."""

    def draw(number: int, scale: Scale, middle: int) -> Iterator[Tag]:
        row = rows[number]
        start, end = (scale.at(value) for value in row.values)
        bar = tag("line", x1=start, y1=middle, x2=end, y2=middle, stroke_width=8, class_="grid", stroke="#c8c8c8")
        yield tooltip_parts(
            [bar, *(marker((x, middle), which) for which, x in enumerate((start, end)))],
            f"{row.label}: {row.value_text}",
        )

    def sample(box: Rectangle, which: int) -> Iterator[Tag]:
        yield marker((box.left + box.width // 2, box.top + box.height // 2), which)

    values = [value for row in rows for value in row.values]
    return row_chart(caption, axis, rows, values, draw, series=series, sample=sample)


def dot(centre: Point, series: int, filled: bool) -> Tag:
    """Return a point in the colour of a series, filled or as an outline."""
    if filled:
        return tag("circle", cx=centre[0], cy=centre[1], r=RADIUS, **fill(series), stroke="none")
    hollow = stroke(series)
    return tag(
        "circle", cx=centre[0], cy=centre[1], r=RADIUS - 2, class_=f"paper {hollow['class_']}", fill=PAPER,
        stroke=hollow["stroke"], stroke_width=7,
    )  # fmt: skip


def marker(centre: Point, series: int) -> Tag:
    """Return a point in the colour and shape of a series."""
    x, y = centre
    r, colour = RADIUS, fill(series)
    outlines = {
        1: ((-r, -r), (r, -r), (r, r), (-r, r)),
        2: ((0, -r - 3), (r + 3, r), (-r - 3, r)),
        3: ((0, -r - 4), (r + 4, 0), (0, r + 4), (-r - 4, 0)),
        4: ((-r - 3, -r), (r + 3, -r), (0, r + 3)),
        5: ((-r, -r), (0, -5), (r, -r), (5, 0), (r, r), (0, 5), (-r, r), (-5, 0)),
    }
    outline = outlines.get(series % len(DAY))
    if outline is None:
        return dot(centre, series, True)
    return tag("polygon", points=" ".join(f"{x + a},{y + b}" for a, b in outline), **colour, stroke="none")
