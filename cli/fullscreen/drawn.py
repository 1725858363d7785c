"""The parts of a picture for the panes, each drawn once, and as much of lines as a pane has room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wongar_dsl.text.width import folded

from ..pictures import position
from ..pictures.scene import Scene
from ..terminal.screen import Line, Piece, measure, padded
from .view import DARK, Light, Paragraph, View


@dataclass(frozen=True)
class Drawing:
    """What is to be seen of a view, on a terminal that shows all characters or only ASCII."""

    view: View
    unicode: bool = True

    def part(self, part: str, width: int, height: int = 0, light: Light = DARK) -> list[Line]:
        """A part of the picture by its name in `position`, for a place of so many columns and rows (0: as many as it
        takes); nothing where a curtain hides it."""
        if self.view.scene is None:
            return []
        key = (part, width, height, light)
        if key not in self.view.drawn:
            self.view.drawn[key] = getattr(position, part)(scene_of(self.view, width, height, light))
        return self.view.drawn[key]

    def clipped(self, lines: Sequence[Line], first: int, height: int, width: int) -> list[Line]:
        """As much of lines as there is room for; arrows at the edge say that there is more."""
        shown = list(lines[first : first + height])
        for at, there, sign in ((0, first > 0, "↑^"), (-1, first + height < len(lines), "↓v")):
            if there and shown:
                shown[at] = [*padded(_trimmed(shown[at]), width - 1), ("number", sign[0] if self.unicode else sign[1])]
        return shown

    def shortened(self, lines: Sequence[Line], height: int, width: int) -> list[Line]:
        """The first lines, of which the last one shows that there were more."""
        if len(lines) <= height or height <= 0:
            return list(lines[: max(0, height)])
        last = _trimmed(lines[height - 1])
        more: Line = [*last, ("faint", "…")] if measure(last) < width else padded(last, width - 1)
        return [*lines[: height - 1], more]


def scene_of(view: View, width: int, height: int, light: Light = DARK) -> Scene:
    """The scene of a view for a place of so many columns and rows (0: as many as it takes)."""
    assert view.scene is not None
    scene = replace(
        view.scene, width=width, height=height, lit=light.lit, led=light.led, laying=light.laying,
        pointing=True, focus=light.focus,
    )  # fmt: skip
    # Where the options do something is the same at any size, and takes its time.
    vars(scene)["aims"] = view.scene.aims
    return scene


def paragraphs(texts: Sequence[Paragraph], width: int) -> list[Line]:
    """Paragraphs in lines of a width."""
    return [
        [(paragraph.style, line)]
        for paragraph in texts
        for line in folded(paragraph.text, width, paragraph.indent)
    ]  # fmt: skip


def _trimmed(line: Line) -> list[Piece]:
    """A line without the blanks at its end."""
    pieces = list(line)
    while pieces and not pieces[-1][1].strip(" "):
        pieces.pop()
    return [*pieces[:-1], (pieces[-1][0], pieces[-1][1].rstrip(" "))] if pieces else []
