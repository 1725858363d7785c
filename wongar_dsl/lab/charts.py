"""Static charts as SVG pictures, without scripts, with every value also in words.

Charts know nothing about games: they draw labelled numbers with intervals. Colour is never the only distinction;
position, shape or pattern shows the same. Each colour has a contrast of 4.5 with the paper, in the light and the dark
scheme: text on it has the colour of the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import NamedTuple, TypeAlias

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.lab.inference import Estimate
from wongar_dsl.render.component_svg.svg import (
    LEADING,
    PAPER,
    THICK,
    THIN,
    FittedText,
    Picture,
    Point,
    left_aligned_lines,
    line,
    right_aligned_lines,
    text_lines,
    text_width,
    wrap_text,
)

DAY = ("#0f4c8a", "#c04e00", "#128574", "#701a5a", "#4a4a4a", "#3a2e00")
NIGHT = ("#6aa5f0", "#ffab66", "#a6f0de", "#d57ab8", "#8a9098", "#fff0a8")
#: Distance between the lines of a pattern.
STEP = 22
#: Patterns of the series: none, rising, falling, crossed, horizontal, vertical lines.
_PATTERNS = ("", "/", "\\", "/\\", "-", "|")


class Rectangle(NamedTuple):
    """Rectangle in a picture."""

    left: int
    top: int
    width: int
    height: int

    @property
    def centre(self) -> Point:
        """Middle of the rectangle."""
        return self.left + self.width // 2, self.top + self.height // 2


def colours(hues: tuple[str, ...]) -> Mapping[str, str]:
    """Return the colours by the names of their CSS variables."""
    return {f"hue-{number}": colour for number, colour in enumerate(hues)}


def styles() -> str:
    """Return the CSS rules that colour charts, using the variables `--hue-0` and so on."""
    rules = [
        f".hue-{n} {{ fill: var(--hue-{n}); }}\n.line-{n} {{ stroke: var(--hue-{n}); }}\n" for n in range(len(DAY))
    ]
    return "".join(rules) + ".on-hue { fill: var(--paper); }\n.pattern { stroke: var(--paper); }\n"


def block(box: Rectangle, series: int) -> Iterator[Tag]:
    """Yield a rectangle in the colour and pattern of a series."""
    n = series % len(DAY)
    yield tag(
        "rect", x=box.left, y=box.top, width=box.width, height=box.height, class_=f"hue-{n}", fill=DAY[n], stroke="none"
    )  # fmt: skip
    lines = " ".join(_lines(box, _PATTERNS[n]))
    if lines:
        yield tag("path", d=lines, class_="pattern", stroke=PAPER, stroke_width=THIN, stroke_linecap="butt")


def _lines(box: Rectangle, pattern: str) -> Iterator[str]:
    left, top, width, height = box
    if "-" in pattern:
        yield from (f"M{left} {y}h{width}" for y in range(top + STEP // 2, top + height, STEP // 2))
    if "|" in pattern:
        # Patterns are aligned to the picture, so that adjacent blocks look alike.
        yield from (f"M{x} {top}v{height}" for x in range(left - left % STEP + STEP, left + width, STEP))
    for sign in "/\\":
        if sign not in pattern:
            continue
        for foot in range((left - height) // STEP * STEP, left + width, STEP):
            begin, end = max(foot, left), min(foot + height, left + width)
            if begin < end:
                near, far = begin - foot, end - foot
                rising = sign == "/"
                start: Point = (begin, top + height - near if rising else top + near)
                stop: Point = (end, top + height - far if rising else top + far)
                yield f"M{start[0]} {start[1]}L{stop[0]} {stop[1]}"


def stroke(series: int) -> dict[str, str]:
    """Return the attributes of a line in the colour of a series."""
    n = series % len(DAY)
    return {"class_": f"line-{n}", "stroke": DAY[n]}


def fill(series: int) -> dict[str, str]:
    """Return the attributes of an area in the colour of a series."""
    n = series % len(DAY)
    return {"class_": f"hue-{n}", "fill": DAY[n]}


# ---- scales ---------------------------------------------------------------------------------------------------------


#: Steps of an axis within a power of ten.
_STEPS = (1, 2, 5)
#: Tolerance for rounding errors, in steps of an axis.
_EPSILON = 1e-9

#: Formats a value for an axis whose step has this number of decimal places, in the reader's language.
Writing: TypeAlias = Callable[[float, int], str]


@dataclass(frozen=True, slots=True)
class Ticks:
    """Tick values of an axis, in equal steps, and the number of decimal places that distinguishes them."""

    values: tuple[float, ...]
    places: int


def ticks(low: float, high: float, most: int = 6, whole: bool = False) -> Ticks:
    """Return round values that cover `low` to `high` in at most `most` steps, without fractions if `whole`.

    If both are equal, there is one step up from there.
    """
    room = high - low
    if room <= _EPSILON * max(abs(low), abs(high)):
        room = max(abs(low), abs(high)) or 1.0
    power = floor(log10(room / most))
    if whole:
        power = max(power, 0)
    while True:
        for factor in _STEPS:
            candidate = _stepped(low, high, factor, power)
            if len(candidate.values) <= most + 1:
                return candidate
        power += 1


def _stepped(low: float, high: float, factor: int, power: int) -> Ticks:
    step = factor * 10.0**power
    first, last = floor(low / step + _EPSILON), ceil(high / step - _EPSILON)
    places = max(0, -power)
    return Ticks(tuple(round(n * step, places) + 0.0 for n in range(first, max(last, first + 1) + 1)), places)


@dataclass(frozen=True, slots=True)
class Scale:
    """Linear scale from values `low` to `high` to positions `start` to `end` in a picture."""

    low: float
    high: float
    start: int
    end: int

    def at(self, value: float) -> int:
        """Return the position of a value, clamped to the scale."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + round(min(max(share, 0.0), 1.0) * (self.end - self.start))


@dataclass(frozen=True, slots=True)
class Axis:
    """Axis: its name, the format of its values, and an optional range that is always shown.

    The values of a `whole` axis are counts.
    """

    name: str
    write: Writing
    low: float | None = None
    high: float | None = None
    whole: bool = False

    def ticks(self, values: Iterable[float], most: int = 6) -> Ticks:
        """Return the ticks of the axis for these values."""
        ends = (end for end in (self.low, self.high) if end is not None)
        shown = [value for value in (*values, *ends) if isfinite(value)] or [0.0]
        return ticks(min(shown), max(shown), most, self.whole)


# ---- values ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Row of a chart: label, value, and formatted value.

    An unmarked row is drawn as less significant.
    """

    label: str
    estimate: Estimate
    value_text: str
    marked: bool = True


@dataclass(frozen=True, slots=True)
class StackedRow:
    """Row of a chart whose value is a sum: its parts, one per series, as numbers and as formatted texts."""

    label: str
    parts: tuple[float, ...]
    part_texts: tuple[str, ...]
    value_text: str


@dataclass(frozen=True, slots=True)
class PairedRow:
    """Row of a chart with two values to compare, and both formatted."""

    label: str
    values: tuple[float, float]
    value_text: str


@dataclass(frozen=True, slots=True)
class HistogramColumn:
    """Column of a histogram: the range from `low` to `high`, its value, and the text of its tooltip."""

    low: float
    high: float
    value: float
    tooltip: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Line through points from left to right, with an optional band."""

    label: str
    points: tuple[tuple[float, Estimate], ...]


@dataclass(frozen=True, slots=True)
class ChartMark:
    """Value marked across a chart, for example the even share, with its label."""

    value: float
    label: str


Row: TypeAlias = ChartRow | StackedRow | PairedRow


# ---- frame ----------------------------------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Caption:
    """Title of a chart, and its text alternative."""

    title: str
    description: str

    @classmethod
    def of_rows(cls, title: str, rows: Sequence[Row]) -> Caption:
        """Return a caption that describes a chart by its rows."""
        return cls(title, ". ".join(f"{row.label}: {row.value_text}" for row in rows) + ".")


def row_chart(
    caption: Caption, axis: Axis, rows: Sequence[Row], values: Iterable[float],
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


def _line(start: Point, end: Point, **attributes: str | int) -> Tag:
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **attributes)


def _rule(start: Point, end: Point) -> Tag:
    return _line(start, end, class_="grid", stroke="#c8c8c8", stroke_width=THIN)


def _dashed(start: Point, end: Point) -> Tag:
    return _line(start, end, stroke_width=THICK - 1, stroke_dasharray="4 14")


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


def _with_tooltip(parts: Iterable[Tag], text: str) -> Tag:
    """Return elements grouped with a tooltip."""
    return tag("g", tag("title", text), *parts)


# ---- bars -----------------------------------------------------------------------------------------------------------


#: Half the height of a bar, and of the end ticks of an interval.
HALF, END = 20, 11
#: Gap between the parts of a bar.
SEAM = 4


def bars(caption: Caption, axis: Axis, rows: Sequence[ChartRow], marks: Sequence[ChartMark] = ()) -> Picture:
    """Return a chart with a bar from 0 to the value of each row, with its interval."""

    def draw(number: int, scale: Scale, middle: int) -> Iterator[Tag]:
        row = rows[number]
        box = _bar_box(scale, 0.0, row.estimate.value, middle)
        yield _with_tooltip(
            [*_bar(box, row.marked), *_interval(scale, row.estimate, middle)], f"{row.label}: {row.value_text}"
        )

    return row_chart(caption, axis, rows, [0.0, *(end for row in rows for end in row.estimate)], draw, marks=marks)


def _bar(box: Rectangle, marked: bool) -> Iterator[Tag]:
    """Yield a bar, filled if marked, else an outline."""
    if marked:
        yield from block(box, 0)
        return
    left, top, width, height = box
    yield tag("rect", x=left, y=top, width=width, height=height, fill="none", stroke_width=4, **stroke(0))


def _interval(scale: Scale, estimate: Estimate, middle: int) -> Iterator[Tag]:
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
                yield _with_tooltip(inner, f"{row.label}, {series[index]}: {row.part_texts[index]}")

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


# ---- dots -----------------------------------------------------------------------------------------------------------


RADIUS = 15


def dots(
    caption: Caption, axis: Axis, rows: Sequence[ChartRow], marks: Sequence[ChartMark] = (), series: Sequence[str] = ()
) -> Picture:
    """Return a chart with a point and its interval for each row: filled if the row is marked, else hollow.

    `series` names the two kinds, in this order.
    """

    def draw(number: int, scale: Scale, middle: int) -> Iterator[Tag]:
        row = rows[number]
        point = _dot((scale.at(row.estimate.value), middle), 0 if row.marked else 4, row.marked)
        yield _with_tooltip([*_interval(scale, row.estimate, middle), point], f"{row.label}: {row.value_text}")

    def sample(box: Rectangle, which: int) -> Iterator[Tag]:
        yield _dot(box.centre, 4 * which, not which)

    ends = [end for row in rows for end in row.estimate]
    return row_chart(caption, axis, rows, ends, draw, series=series, marks=marks, sample=sample)


def dumbbells(caption: Caption, axis: Axis, rows: Sequence[PairedRow], series: tuple[str, str]) -> Picture:
    """Return a chart with two points for each row, joined by a line."""

    def draw(number: int, scale: Scale, middle: int) -> Iterator[Tag]:
        row = rows[number]
        start, end = (scale.at(value) for value in row.values)
        bar = _line((start, middle), (end, middle), stroke_width=8, class_="grid", stroke="#c8c8c8")
        yield _with_tooltip(
            [bar, *(_marker((x, middle), which) for which, x in enumerate((start, end)))],
            f"{row.label}: {row.value_text}",
        )

    def sample(box: Rectangle, which: int) -> Iterator[Tag]:
        yield _marker(box.centre, which)

    values = [value for row in rows for value in row.values]
    return row_chart(caption, axis, rows, values, draw, series=series, sample=sample)


def _dot(centre: Point, series: int, filled: bool) -> Tag:
    """Return a point in the colour of a series, filled or as an outline."""
    if filled:
        return tag("circle", cx=centre[0], cy=centre[1], r=RADIUS, **fill(series), stroke="none")
    hollow = stroke(series)
    return tag(
        "circle", cx=centre[0], cy=centre[1], r=RADIUS - 2, class_=f"paper {hollow['class_']}", fill=PAPER,
        stroke=hollow["stroke"], stroke_width=7,
    )  # fmt: skip


def _marker(centre: Point, series: int) -> Tag:
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
        return _dot(centre, series, True)
    return tag("polygon", points=" ".join(f"{x + a},{y + b}" for a, b in outline), **colour, stroke="none")


# ---- two axes -------------------------------------------------------------------------------------------------------


#: Gap between columns.
COLUMN_SEAM = 3


def columns(
    caption: Caption, across: Axis, up: Axis, spans: Sequence[HistogramColumn], marks: Sequence[ChartMark] = ()
) -> Picture:
    """Return a histogram with a column for each span."""

    def draw(x: Scale, y: Scale) -> Iterator[Tag]:
        for span in spans:
            left, right, top = x.at(span.low), x.at(span.high), y.at(span.value)
            box = Rectangle(left, top, max(right - left - COLUMN_SEAM, COLUMN_SEAM), y.start - top)
            if box.height:
                yield _with_tooltip(block(box, 0), span.tooltip)

    corners = [(0.0 if not spans else spans[0].low, 0.0), *((span.high, span.value) for span in spans)]
    return axis_chart(caption, across, up, corners, draw, marks=marks)


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
            inner += [_marker((a, b), series) for a, b, _, _ in points[::marker_step]]
            yield _with_tooltip(inner, lines[series].label)

    def sample(box: Rectangle, series: int) -> Iterator[Tag]:
        middle = box.top + box.height // 2
        yield tag(
            "path", d=f"M{box.left} {middle}h{box.width}", stroke_width=THICKNESS, stroke_dasharray=_dashes(series),
            **stroke(series),
        )  # fmt: skip
        yield _marker(box.centre, series)

    ends = [(position, end) for line in lines for position, estimate in line.points for end in estimate]
    named = [line.label for line in lines] if len(lines) > 1 else []
    return axis_chart(caption, across, up, ends, draw, series=named, marks=marks, levels=levels, sample=sample)


def _dashes(series: int) -> str | None:
    return DASHES[series % len(DASHES)] or None
