"""Frame of a chart: labels, axes with ticks, marks, and the legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.lab.charts.palette import Rectangle, block
from wongar_dsl.lab.charts.scales import Axis, Scale, Ticks
from wongar_dsl.lab.charts.values import ChartMark
from wongar_dsl.render.component_svg.svg import (
    THICK,
    THIN,
    FittedText,
    Picture,
    left_aligned_lines,
    line,
    right_aligned_lines,
    text_lines,
    text_width,
    wrap_text,
)

#: Width of every chart, and height of the plot area of a chart with two axes.
WIDTH, HEIGHT = 1720, 640
#: Font sizes of labels and of axes.
TEXT, SMALL = 33, 30
#: Gap between elements, and minimum height of a row.
GAP, ROW = 24, 46
#: Maximum width of the labels on one side.
MAX_LABEL_WIDTH = 620
#: Width of a sample in the legend.
SAMPLE = 56

Sample = Callable[[Rectangle, int], Iterable[Tag]]


class LabelledRow(Protocol):
    """Row of a chart with a label and a value text."""

    @property
    def label(self) -> str:
        """Label in front of the row."""

    @property
    def value_text(self) -> str:
        """Value text behind the row."""


@dataclass(frozen=True, slots=True)
class Caption:
    """Title of a chart, and its text alternative."""

    title: str
    description: str


def row_chart(
    caption: Caption, axis: Axis, rows: Sequence[LabelledRow], values: Iterable[float],
    draw: Callable[[int, Scale, int], Iterable[Tag]], series: Sequence[str] = (), marks: Sequence[ChartMark] = (),
    sample: Sample = block,
) -> Picture:  # fmt: skip
    """Return a chart with one line per row; `draw` yields the elements of a row at a given height."""
    labels, notes = [_fit(row.label) for row in rows], [_fit(row.value_text) for row in rows]
    left, right = _widest(labels) + GAP, WIDTH - _widest(notes) - GAP
    axis_ticks = axis.ticks([*values, *(mark.value for mark in marks)])
    # The last tick label is centred on its position.
    if not any(row.value_text for row in rows):
        right -= text_width(axis.write(axis_ticks.values[-1], axis_ticks.places), SMALL) // 2
    scale = Scale(axis_ticks.values[0], axis_ticks.values[-1], left, right)
    above, top = _legend(series, sample)
    mark_labels, top = _mark_labels(marks, scale, top)
    heights = [max(ROW, label.height, note.height) + GAP for label, note in zip(labels, notes, strict=True)]
    bottom = top + sum(heights)
    parts = [*above, *mark_labels, *_grid(scale, axis_ticks, top, bottom)]
    y = top
    for number, height in enumerate(heights):
        middle = y + height // 2
        parts.append(right_aligned_lines(labels[number], left - GAP, middle - labels[number].height // 2))
        parts.append(
            left_aligned_lines(notes[number], right + GAP, WIDTH - right - GAP, middle - notes[number].height // 2)
        )
        parts += draw(number, scale, middle)
        y += height
    parts += _mark_lines(marks, scale, top, bottom)
    below, height = _tick_labels(axis, axis_ticks, scale, bottom)
    return Picture(WIDTH, height, caption.title, caption.description, (*parts, *below))


def axis_chart(
    caption: Caption, across: Axis, up: Axis, points: Iterable[tuple[float, float]],
    draw: Callable[[Scale, Scale], Iterable[Tag]], series: Sequence[str] = (), marks: Sequence[ChartMark] = (),
    levels: Sequence[ChartMark] = (), sample: Sample = block,
) -> Picture:  # fmt: skip
    """Return a chart with two axes: `marks` are values on the horizontal axis, `levels` on the vertical one."""
    point_list = [*points]
    x_ticks = across.ticks([*(x for x, _ in point_list), *(mark.value for mark in marks)], 10)
    y_ticks = up.ticks([*(y for _, y in point_list), *(level.value for level in levels)])
    left = max(text_width(up.write(value, y_ticks.places), SMALL) for value in y_ticks.values) + 2 * GAP
    right = WIDTH - max(GAP, text_width(across.write(x_ticks.values[-1], x_ticks.places), SMALL) // 2)
    above, top = _legend([*series, *(level.label for level in levels)], _with_levels(sample, len(series)))
    if up.name != caption.title:
        name = FittedText(wrap_text(up.name, SMALL, WIDTH), SMALL)
        above.append(left_aligned_lines(name, 0, WIDTH, top))
        top += name.height + GAP // 2
    x_scale = Scale(x_ticks.values[0], x_ticks.values[-1], left, right)
    mark_labels, top = _mark_labels(marks, x_scale, top + SMALL // 2)
    y_scale = Scale(y_ticks.values[0], y_ticks.values[-1], top + HEIGHT, top)
    parts = [*above, *mark_labels]
    for value in y_ticks.values:
        y = y_scale.at(value)
        parts.append(_rule((left, y), (right, y)))
        text = FittedText((up.write(value, y_ticks.places),), SMALL)
        parts.append(right_aligned_lines(text, left - GAP, y - text.height // 2))
    parts += draw(x_scale, y_scale)
    for level in levels:
        y = y_scale.at(level.value)
        parts.append(_dashed((left, y), (right, y)))
    parts += _mark_lines(marks, x_scale, top, top + HEIGHT)
    parts.append(line((left, top + HEIGHT), (right, top + HEIGHT), THIN))
    below, height = _tick_labels(across, x_ticks, x_scale, top + HEIGHT)
    return Picture(WIDTH, height, caption.title, caption.description, (*parts, *below))


def _fit(text: str) -> FittedText:
    return FittedText(wrap_text(text, TEXT, MAX_LABEL_WIDTH), TEXT)


def _widest(texts: Sequence[FittedText]) -> int:
    return max((text_width(row, text.size) for text in texts for row in text.lines), default=0)


def _legend(series: Sequence[str], sample: Sample) -> tuple[list[Tag], int]:
    """Return the legend at the top, and the position of its lower end."""
    parts: list[Tag] = []
    x = y = 0
    height = 0
    for number, name in enumerate(series):
        text = FittedText(wrap_text(name, TEXT, WIDTH - SAMPLE - GAP), TEXT)
        wide = SAMPLE + GAP // 2 + _widest([text])
        if x and x + wide > WIDTH:
            x, y, height = 0, y + height + GAP // 2, 0
        parts += sample(Rectangle(x, y + 6, SAMPLE, TEXT), number)
        parts.append(left_aligned_lines(text, x + SAMPLE + GAP // 2, WIDTH, y))
        x, height = x + wide + 2 * GAP, max(height, text.height)
    return parts, (y + height + GAP if series else 0)


def _with_levels(sample: Sample, series: int) -> Sample:
    """Return a function that draws samples of series, then of levels."""

    def draw(box: Rectangle, number: int) -> Iterable[Tag]:
        if number < series:
            return sample(box, number)
        middle = box.top + box.height // 2
        return (_dashed((box.left, middle), (box.left + box.width, middle)),)

    return draw


def _grid(scale: Scale, axis_ticks: Ticks, top: int, bottom: int) -> Iterator[Tag]:
    for value in axis_ticks.values:
        x = scale.at(value)
        yield _rule((x, top), (x, bottom)) if value else line((x, top), (x, bottom), THIN)


def _rule(start: tuple[int, int], end: tuple[int, int]) -> Tag:
    return tag(
        "line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], class_="grid", stroke="#c8c8c8", stroke_width=THIN
    )  # fmt: skip


def _dashed(start: tuple[int, int], end: tuple[int, int]) -> Tag:
    return tag(
        "line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke_width=THICK - 1, stroke_dasharray="4 14"
    )  # fmt: skip


def _mark_labels(marks: Sequence[ChartMark], scale: Scale, top: int) -> tuple[list[Tag], int]:
    """Return the labels of marks above their positions, each on its own line, and the position of their lower end."""
    parts: list[Tag] = []
    for mark in marks:
        text = FittedText(wrap_text(mark.label, SMALL, WIDTH), SMALL)
        half = _widest([text]) // 2
        parts.append(text_lines(text, min(max(scale.at(mark.value), half), WIDTH - half), top))
        top += text.height + 4
    return parts, top


def _mark_lines(marks: Sequence[ChartMark], scale: Scale, top: int, bottom: int) -> Iterator[Tag]:
    for mark in marks:
        x = scale.at(mark.value)
        yield _dashed((x, top), (x, bottom))


def _tick_labels(axis: Axis, axis_ticks: Ticks, scale: Scale, bottom: int) -> tuple[list[Tag], int]:
    """Return the tick labels and the name of the horizontal axis, and the height of the picture."""
    parts: list[Tag] = []
    text = [FittedText((axis.write(value, axis_ticks.places),), SMALL) for value in axis_ticks.values]
    # If tick labels would touch, only every n-th is shown, counted from 0 if that is a tick.
    room = (scale.end - scale.start) // (len(text) - 1)
    label_step = -(-(_widest(text) + GAP // 2) // max(room, 1))
    first = axis_ticks.values.index(0) % label_step if 0 in axis_ticks.values else 0
    for number in range(first, len(text), label_step):
        x = scale.at(axis_ticks.values[number])
        parts += [line((x, bottom), (x, bottom + 8), THIN), text_lines(text[number], x, bottom + 10)]
    top = bottom + 10 + text[0].height + 4
    name = FittedText(wrap_text(axis.name, SMALL, WIDTH), SMALL)
    half = _widest([name]) // 2
    middle = min(max((scale.start + scale.end) // 2, half), WIDTH - half)
    parts.append(text_lines(name, middle, top))
    return parts, top + name.height + 6


def tooltip_parts(parts: Iterable[Tag], text: str) -> Tag:
    """Return elements grouped with a tooltip."""
    return tag("g", tag("title", text), *parts)
