"""Line chart with confidence bands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.lab.charts.axes import Caption, axis_chart, tooltip_parts
from wongar_dsl.lab.charts.dots import marker
from wongar_dsl.lab.charts.palette import Rectangle, fill, stroke
from wongar_dsl.lab.charts.scales import Axis, Scale
from wongar_dsl.lab.charts.values import ChartLine, ChartMark
from wongar_dsl.render.component_svg.svg import Picture

#: Dash patterns of the series, and line width.
DASHES, THICKNESS = ("", "28 12", "6 12", "28 12 6 12", "16 8", "40 8"), 9
#: Maximum number of markers on a line; with more points only some have one.
MAX_MARKED_POINTS = 12


def curves(
    caption: Caption, across: Axis, up: Axis, lines: Sequence[ChartLine], marks: Sequence[ChartMark] = (),
    levels: Sequence[ChartMark] = (),
) -> Picture:  # fmt: skip
    """Return a chart with a line for each series, and a band if its points have intervals."""

    def draw(x: Scale, y: Scale) -> Iterator[Tag]:
        placed = [
            [(x.at(position), y.at(e.value), y.at(e.low), y.at(e.high)) for position, e in line.points]
            for line in lines
        ]
        for series, points in enumerate(placed):
            if any(low != high for _, _, low, high in points):
                outline = [(position, high) for position, _, _, high in points] + [
                    (position, low) for position, _, low, _ in points[::-1]
                ]
                corners = " ".join(f"{a},{b}" for a, b in outline)
                yield tag("polygon", points=corners, **fill(series), fill_opacity="0.18", stroke="none")
        for series, points in enumerate(placed):
            data = "M" + "L".join(f"{a} {b}" for a, b, _, _ in points)
            inner = [tag("path", d=data, stroke_width=THICKNESS, stroke_dasharray=_dashes(series), **stroke(series))]
            marker_step = -(-len(points) // MAX_MARKED_POINTS)
            inner += [marker((a, b), series) for a, b, _, _ in points[::marker_step]]
            yield tooltip_parts(inner, lines[series].label)

    def sample(box: Rectangle, series: int) -> Iterator[Tag]:
        middle = box.top + box.height // 2
        yield tag(
            "path", d=f"M{box.left} {middle}h{box.width}", stroke_width=THICKNESS, stroke_dasharray=_dashes(series),
            **stroke(series),
        )  # fmt: skip
        yield marker((box.left + box.width // 2, middle), series)

    ends = [(position, end) for line in lines for position, estimate in line.points for end in estimate]
    named = [line.label for line in lines] if len(lines) > 1 else []
    return axis_chart(caption, across, up, ends, draw, series=named, marks=marks, levels=levels, sample=sample)


def _dashes(series: int) -> str | None:
    return DASHES[series % len(DASHES)] or None
