"""Charts: inside the picture, to scale, with round ticks, legible by day and night, and readable without colour."""

from __future__ import annotations

import itertools
import re
from itertools import combinations
from math import dist
from xml.etree import ElementTree

import pytest

from tests.lab.charts import drawn
from tests.render.component_svg.drawn import SVG, overflowing_lines, parse_svg, texts
from tests.render.pages.whole import Rgb, contrast, linear
from wongar_dsl.lab import charts
from wongar_dsl.lab.charts import Axis, ChartLine, ChartRow, Rectangle, Scale, block, ticks
from wongar_dsl.lab.charts import bars as bars_of
from wongar_dsl.lab.charts import curves as curves_of
from wongar_dsl.lab.inference import Estimate
from wongar_dsl.render.component_svg import svg
from wongar_dsl.render.html_document import DAY, NIGHT


def shapes(root: ElementTree.Element, name: str, class_: str) -> list[ElementTree.Element]:
    """Return the shapes with a tag and class, without those of the legend."""
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    return [node for group in groups for node in group.iter(f"{SVG}{name}") if class_ in node.get("class", "").split()]


def integer_attributes(node: ElementTree.Element, *names: str) -> tuple[int, ...]:
    return tuple(int(node.get(name, "")) for name in names)


@pytest.mark.parametrize("sort", sorted(drawn.ALL))
def test_chart_has_title_and_description_inside_the_picture_and_loads_nothing(sort: str) -> None:
    picture = drawn.ALL[sort]()
    assert overflowing_lines(picture) == []
    root = parse_svg(picture)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == drawn.CAPTION.title
    assert root.findtext(f"{SVG}desc") == drawn.CAPTION.description
    assert not re.search(r"<(script|style|image|use|foreignObject)|href|url\(|\bon\w+=", svg(picture))
    assert svg(picture) == svg(drawn.ALL[sort]())


def test_bar_length_and_interval_are_to_scale() -> None:
    root = parse_svg(drawn.bars())
    full = shapes(root, "rect", "hue-0")
    empty = shapes(root, "rect", "line-0")
    (start, long), (same, short) = integer_attributes(full[0], "x", "width"), integer_attributes(empty[0], "x", "width")
    assert start == same
    assert short / long == pytest.approx(0.22 / 0.31, abs=0.01)
    low, high = map(int, re.findall(r"^M(\d+) \d+H(\d+)", shapes(root, "path", "halo")[0].get("d", ""))[0])
    assert (low - start) / long == pytest.approx(0.29 / 0.31, abs=0.01)
    assert (high - start) / long == pytest.approx(0.33 / 0.31, abs=0.01)


def test_unmarked_points_differ_in_shape_too() -> None:
    root = parse_svg(drawn.dots())
    significant, chance = shapes(root, "circle", "hue-0"), shapes(root, "circle", "paper")
    assert (len(significant), len(chance)) == (1, 1)
    assert chance[0].get("stroke-width")
    assert "signifikant" in texts(root)


def test_stacked_parts_are_adjacent_and_losses_are_opposite() -> None:
    root = parse_svg(drawn.stacked())
    blocks = [rect for n in range(4) for rect in shapes(root, "rect", f"hue-{n}")[:1]]
    places = [integer_attributes(rect, "x", "width") for rect in blocks]
    gained, lost = places[:3], places[3]
    ends = [start + width for start, width in gained]
    assert [start for start, _ in gained[1:]] == pytest.approx(ends[:-1], abs=6)
    assert lost[0] + lost[1] <= gained[0][0]
    widths = [width for _, width in gained]
    assert [width / widths[0] for width in widths] == pytest.approx([1, 20.5 / 16, 36 / 16], abs=0.06)


def test_zero_part_is_not_drawn() -> None:
    assert shapes(parse_svg(drawn.stacked()), "rect", "hue-4") == []


def test_compared_values_have_different_shapes() -> None:
    root = parse_svg(drawn.dumbbells())
    assert len(shapes(root, "circle", "hue-0")) == 2
    assert len(shapes(root, "polygon", "hue-1")) == 2


def test_histogram_columns_are_to_scale() -> None:
    columns = [
        integer_attributes(rect, "x", "width", "height") for rect in shapes(parse_svg(drawn.columns()), "rect", "hue-0")
    ]
    (_, first, low), (_, second, high), (_, third, middle) = columns
    assert first == pytest.approx(second, abs=1)
    assert second == pytest.approx(third, abs=1)
    assert (low / high, middle / high) == pytest.approx((0.2, 0.8), abs=0.01)


def test_lines_differ_in_dashes_and_markers() -> None:
    root = parse_svg(drawn.curves())
    first, second = shapes(root, "path", "line-0"), shapes(root, "path", "line-1")
    assert first[0].get("stroke-dasharray") != second[0].get("stroke-dasharray")
    assert shapes(root, "circle", "hue-0")
    assert shapes(root, "polygon", "hue-1")
    assert sum(node.get("fill-opacity") is not None for node in root.iter(f"{SVG}polygon")) == 1


def test_single_line_has_no_legend() -> None:
    line = ChartLine("Nur eine", ((0.0, Estimate(0.5, 0.4, 0.6)), (1.0, Estimate(0.7, 0.6, 0.8))))
    assert "Nur eine" not in texts(parse_svg(curves_of(drawn.CAPTION, drawn.NUMBERS, drawn.SHARES, [line])))


def test_each_series_has_its_own_marker() -> None:
    count = len(charts.DAY)
    lines = [ChartLine(f"{n}", tuple((x, Estimate(n, n, n)) for x in (0.0, 1.0))) for n in range(count)]
    root = parse_svg(curves_of(drawn.CAPTION, drawn.NUMBERS, drawn.NUMBERS, lines))

    def outline(n: int) -> str:
        markers = shapes(root, "polygon", f"hue-{n}") or shapes(root, "circle", f"hue-{n}")
        points = [tuple(map(int, point.split(","))) for point in markers[0].get("points", "").split()]
        x, y = min(points, default=(0, 0))
        return " ".join(f"{a - x},{b - y}" for a, b in points)

    assert len({outline(n) for n in range(count)}) == count


def test_unknown_value_can_be_drawn() -> None:
    nothing = Estimate(0.0, float("-inf"), float("inf"))
    assert overflowing_lines(bars_of(drawn.CAPTION, drawn.NUMBERS, [ChartRow("Platz 1", nothing, "0")])) == []


PAGES = [(charts.DAY, DAY), (charts.NIGHT, NIGHT)]
#: Simulation of colour blindness in linear light (Machado and others, 2009).
BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def lab(colour: Rgb) -> Rgb:
    red, green, blue = (min(max(part, 0.0), 1.0) for part in colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize(("colours", "page"), PAGES, ids=["day", "night"])
def test_hues_are_legible_below_paper_and_differ_for_colour_blind_readers(
    colours: tuple[str, ...], page: dict[str, str]
) -> None:
    assert [colour for colour in colours if contrast(colour, page["paper"]) < 4.5] == []
    for blindness, matrix in BLIND.items():
        seen = []
        for colour in colours:
            red, green, blue = (sum(a * b for a, b in zip(row, linear(colour), strict=True)) for row in matrix)
            seen.append(lab((red, green, blue)))
        assert min(dist(first, second) for first, second in combinations(seen, 2)) >= 9, blindness


def test_each_series_has_its_own_pattern() -> None:
    drawn = [" ".join(map(str, block(Rectangle(0, 0, 100, 40), series))) for series in range(len(charts.DAY))]
    patterns = [text.partition("<path")[2] for text in drawn]
    assert len(set(patterns)) == len(patterns)
    assert patterns[0] == ""


@pytest.mark.parametrize("series", range(len(charts.DAY)))
def test_pattern_stays_inside_its_block(series: int) -> None:
    box = Rectangle(37, 11, 90, 40)
    for text in " ".join(map(str, block(box, series))).split('d="')[1:]:
        for step in text.partition('"')[0].replace("M", " M").split(" M")[1:]:
            start, mark, end = step.partition("L")
            if mark:
                points = [tuple(map(int, point.split())) for point in (start, end)]
                assert all(37 <= x <= 127 and 11 <= y <= 51 for x, y in points), step
            else:
                x, y = map(int, start.split("h")[0].split("v")[0].split())
                assert 37 <= x <= 127, step
                assert 11 <= y <= 51, step


SPANS = [(0.0, 1.0), (0.0, 0.37), (-3.2, 61.0), (12.0, 12.0), (0.0, 0.0), (-0.004, 0.001), (1e6, 3e6), (99.5, 100.5)]


@pytest.mark.parametrize(("low", "high"), SPANS)
@pytest.mark.parametrize("most", [3, 6, 10])
def test_ticks_cover_the_values_at_equal_distances_with_the_stated_places(low: float, high: float, most: int) -> None:
    axis = ticks(low, high, most)
    assert axis.values[0] <= low + 1e-9
    assert axis.values[-1] >= high - 1e-9
    assert 2 <= len(axis.values) <= most + 1
    steps = [b - a for a, b in itertools.pairwise(axis.values)]
    assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-6)
    assert all(round(value, axis.places) == pytest.approx(value, abs=1e-12) for value in axis.values)


def test_ticks_are_round() -> None:
    assert ticks(0, 0.37).values == (0.0, 0.1, 0.2, 0.3, 0.4)
    assert ticks(-3.2, 61).values == (-20.0, 0.0, 20.0, 40.0, 60.0, 80.0)
    assert ticks(0, 5).values == (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    assert ticks(0, 5).places == 0


def test_counts_have_no_fractions() -> None:
    assert ticks(0, 2, 10, whole=True).values == (0.0, 1.0, 2.0)
    assert ticks(0, 2, 10).places == 1


def test_scale_maps_values_linearly_within_its_ends() -> None:
    scale = Scale(-10, 30, 100, 500)
    assert [scale.at(value) for value in (-10, 0, 30, 99, -99, float("inf"))] == [100, 200, 500, 500, 100, 500]
    upwards = Scale(0, 1, 700, 100)
    assert upwards.at(0.25) == 550


def test_infinite_interval_does_not_stretch_the_axis() -> None:
    axis = Axis("", lambda value, places: f"{value:.{places}f}")
    assert axis.ticks([1.0, float("inf"), 4.0, float("-inf")]).values == axis.ticks([1.0, 4.0]).values
