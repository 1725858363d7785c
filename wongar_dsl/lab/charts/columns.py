"""Histogram: a column for each range of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.lab.charts.axes import Caption, axis_chart, tooltip_parts
from wongar_dsl.lab.charts.palette import Rectangle, block
from wongar_dsl.lab.charts.scales import Axis, Scale
from wongar_dsl.lab.charts.values import ChartMark, HistogramColumn
from wongar_dsl.render.component_svg.svg import Picture

#: Gap between columns.
SEAM = 3


def columns(
    caption: Caption, across: Axis, up: Axis, spans: Sequence[HistogramColumn], marks: Sequence[ChartMark] = ()
) -> Picture:
    """Return a histogram with a column for each span."""

    def draw(x: Scale, y: Scale) -> Iterator[Tag]:
        for span in spans:
            left, right, top = x.at(span.low), x.at(span.high), y.at(span.value)
            box = Rectangle(left, top, max(right - left - SEAM, SEAM), y.start - top)
            if box.height:
                yield tooltip_parts(block(box, 0), span.tooltip)

    corners = [(0.0 if not spans else spans[0].low, 0.0), *((span.high, span.value) for span in spans)]
    return axis_chart(caption, across, up, corners, draw, marks=marks)
