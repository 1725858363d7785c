"""Chart colours: sufficient contrast by day and night, and patterns as an alternative."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from wongar_dsl.lab.charts import palette
from wongar_dsl.lab.charts.palette import Rectangle, block
from wongar_dsl.render.pages.document import DAY, NIGHT

Rgb = tuple[float, float, float]
PAGES = [(palette.DAY, DAY), (palette.NIGHT, NIGHT)]
#: Simulation of colour blindness in linear light (Machado and others, 2009).
BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def linear(colour: str) -> Rgb:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


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
    drawn = [" ".join(map(str, block(Rectangle(0, 0, 100, 40), series))) for series in range(len(palette.DAY))]
    patterns = [text.partition("<path")[2] for text in drawn]
    assert len(set(patterns)) == len(patterns)
    assert patterns[0] == ""


@pytest.mark.parametrize("series", range(len(palette.DAY)))
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
