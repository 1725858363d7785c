"""Charts: whole within their picture, each value where it belongs, and nothing told by colour alone."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.charts import drawn
from tests.pictures.drawn import SVG, beyond, read, texts
from wongar_dsl.charts import Estimate, Line, Row, hues
from wongar_dsl.charts import bars as bars_of
from wongar_dsl.charts import curves as curves_of
from wongar_dsl.pictures import svg


def shapes(root: ElementTree.Element, name: str, class_: str) -> list[ElementTree.Element]:
    """The shapes of a sort and a class, without the samples that stand above the chart."""
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    return [node for group in groups for node in group.iter(f"{SVG}{name}") if class_ in node.get("class", "").split()]


def whole(node: ElementTree.Element, *names: str) -> tuple[int, ...]:
    return tuple(int(node.get(name, "")) for name in names)


@pytest.mark.parametrize("sort", sorted(drawn.ALL))
def test_every_word_of_a_chart_is_within_it(sort: str) -> None:
    assert beyond(drawn.ALL[sort]()) == []


@pytest.mark.parametrize("sort", sorted(drawn.ALL))
def test_a_chart_is_named_and_described_and_loads_nothing(sort: str) -> None:
    picture = drawn.ALL[sort]()
    root = read(picture)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == drawn.CAPTION.title
    assert root.findtext(f"{SVG}desc") == drawn.CAPTION.description
    assert not re.search(r"<(script|style|image|use|foreignObject)|href|url\(|\bon\w+=", svg(picture))


@pytest.mark.parametrize("sort", sorted(drawn.ALL))
def test_the_same_values_give_the_same_bytes(sort: str) -> None:
    assert svg(drawn.ALL[sort]()) == svg(drawn.ALL[sort]())


def test_a_bar_is_as_long_as_its_value_and_its_interval_lies_around_its_end() -> None:
    root = read(drawn.bars())
    full = shapes(root, "rect", "hue-0")
    empty = shapes(root, "rect", "line-0")
    (left, long), (same, short) = whole(full[0], "x", "width"), whole(empty[0], "x", "width")
    assert left == same
    assert short / long == pytest.approx(0.22 / 0.31, abs=0.01)
    low, high = map(int, re.findall(r"^M(\d+) \d+H(\d+)", shapes(root, "path", "halo")[0].get("d", ""))[0])
    assert (low - left) / long == pytest.approx(0.29 / 0.31, abs=0.01)
    assert (high - left) / long == pytest.approx(0.33 / 0.31, abs=0.01)


def test_what_is_not_marked_differs_in_more_than_its_colour() -> None:
    root = read(drawn.dots())
    significant, chance = shapes(root, "circle", "hue-0"), shapes(root, "circle", "paper")
    assert (len(significant), len(chance)) == (1, 1)
    assert chance[0].get("stroke-width")
    assert "signifikant" in texts(root)


def test_the_parts_of_a_sum_lie_end_to_end_and_losses_on_the_other_side() -> None:
    root = read(drawn.stacked())
    blocks = [rect for n in range(4) for rect in shapes(root, "rect", f"hue-{n}")[:1]]
    places = [whole(rect, "x", "width") for rect in blocks]
    gained, lost = places[:3], places[3]
    ends = [left + width for left, width in gained]
    assert [left for left, _ in gained[1:]] == pytest.approx(ends[:-1], abs=6)
    assert lost[0] + lost[1] <= gained[0][0]
    widths = [width for _, width in gained]
    assert [width / widths[0] for width in widths] == pytest.approx([1, 20.5 / 16, 36 / 16], abs=0.06)


def test_nothing_is_drawn_of_a_part_that_is_nothing() -> None:
    assert shapes(read(drawn.stacked()), "rect", "hue-4") == []


def test_two_values_that_are_compared_have_different_shapes() -> None:
    root = read(drawn.dumbbells())
    assert len(shapes(root, "circle", "hue-0")) == 2
    assert len(shapes(root, "polygon", "hue-1")) == 2


def test_a_column_is_as_high_as_its_share_and_as_wide_as_its_span() -> None:
    columns = [whole(rect, "x", "width", "height") for rect in shapes(read(drawn.columns()), "rect", "hue-0")]
    (_, first, low), (_, second, high), (_, third, middle) = columns
    assert first == pytest.approx(second, abs=1)
    assert second == pytest.approx(third, abs=1)
    assert (low / high, middle / high) == pytest.approx((0.2, 0.8), abs=0.01)


def test_lines_differ_in_dashes_and_markers_and_only_an_interval_has_a_band() -> None:
    root = read(drawn.curves())
    one, other = shapes(root, "path", "line-0"), shapes(root, "path", "line-1")
    assert one[0].get("stroke-dasharray") != other[0].get("stroke-dasharray")
    assert shapes(root, "circle", "hue-0")
    assert shapes(root, "polygon", "hue-1")
    assert sum(node.get("fill-opacity") is not None for node in root.iter(f"{SVG}polygon")) == 1


def test_a_line_alone_needs_no_list_of_what_lines_mean() -> None:
    line = Line("Nur eine", ((0.0, Estimate(0.5, 0.4, 0.6)), (1.0, Estimate(0.7, 0.6, 0.8))))
    assert "Nur eine" not in texts(read(curves_of(drawn.CAPTION, drawn.NUMBERS, drawn.SHARES, [line])))


@pytest.mark.parametrize("series", range(len(hues.DAY)))
def test_every_series_has_a_marker_of_its_own(series: int) -> None:
    lines = [Line(f"{n}", ((0.0, Estimate(n, n, n)), (1.0, Estimate(n, n, n)))) for n in range(len(hues.DAY))]
    root = read(curves_of(drawn.CAPTION, drawn.NUMBERS, drawn.NUMBERS, lines))

    def outline(n: int) -> str:
        found = shapes(root, "polygon", f"hue-{n}") or shapes(root, "circle", f"hue-{n}")
        points = found[0].get("points", "")
        x, y = min((tuple(map(int, point.split(","))) for point in points.split()), default=(0, 0))
        return " ".join(f"{int(a) - x},{int(b) - y}" for a, b in (point.split(",") for point in points.split()))

    assert [n for n in range(len(hues.DAY)) if outline(n) == outline(series)] == [series]


def test_whoever_points_at_a_value_is_told_it() -> None:
    titles = [group.findtext(f"{SVG}title") for group in read(drawn.bars()).iter(f"{SVG}g")]
    assert "Platz 1 (beginnt): 31 % (29 bis 33 %)" in titles


def test_a_game_of_which_nothing_is_known_can_be_drawn() -> None:
    nothing = Estimate(0.0, float("-inf"), float("inf"))
    assert beyond(bars_of(drawn.CAPTION, drawn.NUMBERS, [Row("Platz 1", nothing, "0")])) == []
