"""Hit test: the area of a board at a screen position.

Pictures do not record the position of their areas. The cells that change when an area is highlighted belong to the
area.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wongar_dsl.render.text.lines import Line
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session.scene import BoardArea

#: Maximum distance of a click from the highlighted cells of an area, in columns and rows.
MAX_CLICK_COLUMNS, MAX_CLICK_ROWS = 12, 3
#: Height of a row in columns.
ROW = 2


def nearest_areas(
    scene: TextScene, column: int, row: int, among: Sequence[BoardArea], draw: Callable[[TextScene], list[Line]]
) -> list[BoardArea]:
    """Return the areas nearest to a position of a drawn picture; none if all are too far away."""
    scene = replace(scene, lit=frozenset(), reachable=frozenset(), placement=None)
    dark = _cells(draw(scene))
    nearest_distance: dict[BoardArea, int] = {}
    for place in among:
        bright = _cells(draw(replace(scene, lit=frozenset({place}))))
        distances = [
            abs(x - column) + ROW * abs(y - row)
            for y, (old, new) in enumerate(zip(dark, bright, strict=False))
            for x in range(max(len(old), len(new)))
            if old[x : x + 1] != new[x : x + 1]
            and abs(x - column) <= MAX_CLICK_COLUMNS
            and abs(y - row) <= MAX_CLICK_ROWS
        ]
        if distances:
            nearest_distance[place] = min(distances)
    nearest = min(nearest_distance.values(), default=0)
    return [place for place, distance in nearest_distance.items() if distance == nearest]


def _cells(lines: Sequence[Line]) -> list[list[tuple[str, str]]]:
    """Return each character of the lines with its style."""
    return [[(style, letter) for style, text in line for letter in text] for line in lines]
