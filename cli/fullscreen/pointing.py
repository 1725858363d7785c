"""Which area of a board is pointed at.

No picture says where its areas are, but it shows it: what changes when an area lights up belongs to the area.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..pictures.scene import Place, Scene
from ..terminal.screen import Line

#: So far from what lights up an area is still meant, in columns and rows.
FAR, HIGH = 12, 3
#: A row is about so many columns.
ROW = 2


def pointed(
    scene: Scene, column: int, row: int, among: Sequence[Place], draw: Callable[[Scene], list[Line]]
) -> list[Place]:
    """Those of some areas that are nearest to a spot of the picture that is drawn; none if all are far from it."""
    scene = replace(scene, lit=frozenset(), led=frozenset(), laying=None)
    dark = _cells(draw(scene))
    found: dict[Place, int] = {}
    for place in among:
        bright = _cells(draw(replace(scene, lit=frozenset({place}))))
        distances = [
            abs(x - column) + ROW * abs(y - row)
            for y, (old, new) in enumerate(zip(dark, bright, strict=False))
            for x in range(max(len(old), len(new)))
            if old[x : x + 1] != new[x : x + 1] and abs(x - column) <= FAR and abs(y - row) <= HIGH
        ]
        if distances:
            found[place] = min(distances)
    nearest = min(found.values(), default=0)
    return [place for place, distance in found.items() if distance == nearest]


def _cells(lines: Sequence[Line]) -> list[list[tuple[str, str]]]:
    """Each letter of lines with its style."""
    return [[(style, letter) for style, text in line for letter in text] for line in lines]
