"""Bar charts: one value with its interval per row, or stacked parts of a sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.lab.charts.axes import SMALL, Caption, row_chart, tooltip_parts
from wongar_dsl.lab.charts.palette import Rectangle, block, stroke
from wongar_dsl.lab.charts.scales import Axis, Scale
from wongar_dsl.lab.charts.values import ChartEstimate, ChartMark, ChartRow, StackedRow
from wongar_dsl.render.component_svg.svg import LEADING, PAPER, FittedText, Picture, text_lines, text_width

#: Half the height of a bar, and of the end ticks of an interval.
HALF, END = 20, 11
#: Gap between the parts of a bar.
SEAM = 4


def bars(caption: Caption, axis: Axis, rows: Sequence[ChartRow], marks: Sequence[ChartMark] = ()) -> Picture:
    """Return a chart with a bar from 0 to the value of each row, with its interval."""

    def draw(number: int, scale: Scale, middle: int) -> Iterator[Tag]:
        row = rows[number]
        box = _bar_box(scale, 0.0, row.estimate.value, middle)
        yield tooltip_parts(
            [*_bar(box, row.marked), *interval(scale, row.estimate, middle)], f"{row.label}: {row.value_text}"
        )

    return row_chart(caption, axis, rows, [0.0, *(end for row in rows for end in row.estimate)], draw, marks=marks)


def _bar(box: Rectangle, marked: bool) -> Iterator[Tag]:
    """Yield a bar, filled if marked, else an outline."""
    if marked:
        yield from block(box, 0)
        return
    left, top, width, height = box
    yield tag("rect", x=left, y=top, width=width, height=height, fill="none", stroke_width=4, **stroke(0))


def interval(scale: Scale, estimate: ChartEstimate, middle: int) -> Iterator[Tag]:
    """Yield an interval as a line with end ticks, outlined in the paper colour to be visible on any background."""
    low, high = scale.at(estimate.low), scale.at(estimate.high)
    if low == high:
        return
    for attributes in ({"class_": "halo", "stroke": PAPER, "stroke_width": "15"}, {"stroke_width": "6"}):
        data = f"M{low} {middle}H{high}M{low} {middle - END}v{2 * END}M{high} {middle - END}v{2 * END}"
        yield tag("path", d=data, **attributes)


def stacked(caption: Caption, axis: Axis, rows: Sequence[StackedRow], series: Sequence[str]) -> Picture:
    """Return a chart with a stacked bar for each row; negative parts extend to the other side of 0."""

    def draw(number: int, scale: Scale, middle: int) -> Iterator[Tag]:
        row = rows[number]
        up = down = 0.0
        for index, part in enumerate(row.parts):
            begin = up if part >= 0 else down
            box = _bar_box(scale, begin, begin + part, middle)
            if part >= 0:
                up += part
            else:
                down += part
            if box.width > SEAM:
                box = box._replace(width=box.width - SEAM)
                inner = [*block(box, index), *_inside(box, row.part_texts[index])]
                yield tooltip_parts(inner, f"{row.label}, {series[index]}: {row.part_texts[index]}")

    sums = [sum(part for part in row.parts if part > 0) for row in rows]
    losses = [sum(part for part in row.parts if part < 0) for row in rows]
    return row_chart(caption, axis, rows, [0.0, *sums, *losses], draw, series=series)


def _bar_box(scale: Scale, start: float, end: float, middle: int) -> Rectangle:
    left, right = sorted((scale.at(start), scale.at(end)))
    return Rectangle(left, middle - HALF, right - left, 2 * HALF)


def _inside(box: Rectangle, text: str) -> Iterator[Tag]:
    """Yield a value inside its bar on a plain background; nothing if it does not fit."""
    wide = text_width(text, SMALL)
    if wide + 24 > box.width:
        return
    middle = box.left + box.width // 2
    plain = tag(
        "rect", x=middle - wide // 2 - 6, y=box.top + 3, width=wide + 12, height=box.height - 6, rx=6, class_="paper",
        fill=PAPER, stroke="none",
    )  # fmt: skip
    yield plain
    yield text_lines(FittedText((text,), SMALL), middle, box.top + (box.height - SMALL * LEADING // 100) // 2)
