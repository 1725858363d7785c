"""Charts: inside the picture, to scale, and readable without colour."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.lab.charts import drawn
from tests.render.component_svg.drawn import SVG, overflowing_lines, parse_svg, texts
from wongar_dsl.lab.charts import ChartEstimate, ChartLine, ChartRow, palette
from wongar_dsl.lab.charts import bars as bars_of
from wongar_dsl.lab.charts import curves as curves_of
from wongar_dsl.render.component_svg import svg


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
    line = ChartLine("Nur eine", ((0.0, ChartEstimate(0.5, 0.4, 0.6)), (1.0, ChartEstimate(0.7, 0.6, 0.8))))
    assert "Nur eine" not in texts(parse_svg(curves_of(drawn.CAPTION, drawn.NUMBERS, drawn.SHARES, [line])))


def test_each_series_has_its_own_marker() -> None:
    count = len(palette.DAY)
    lines = [ChartLine(f"{n}", tuple((x, ChartEstimate(n, n, n)) for x in (0.0, 1.0))) for n in range(count)]
    root = parse_svg(curves_of(drawn.CAPTION, drawn.NUMBERS, drawn.NUMBERS, lines))

    def outline(n: int) -> str:
        markers = shapes(root, "polygon", f"hue-{n}") or shapes(root, "circle", f"hue-{n}")
        points = [tuple(map(int, point.split(","))) for point in markers[0].get("points", "").split()]
        x, y = min(points, default=(0, 0))
        return " ".join(f"{a - x},{b - y}" for a, b in points)

    assert len({outline(n) for n in range(count)}) == count


def test_values_have_a_tooltip() -> None:
    titles = [group.findtext(f"{SVG}title") for group in parse_svg(drawn.bars()).iter(f"{SVG}g")]
    assert "Platz 1 (beginnt): 31 % (29 bis 33 %)" in titles


def test_unknown_value_can_be_drawn() -> None:
    nothing = ChartEstimate(0.0, float("-inf"), float("inf"))
    assert overflowing_lines(bars_of(drawn.CAPTION, drawn.NUMBERS, [ChartRow("Platz 1", nothing, "0")])) == []
