"""Cached parts of the picture for the panes, and clipping of lines to a pane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wongar_dsl.base.text.terminal import fold
from wongar_dsl.render.text import position
from wongar_dsl.render.text.lines import Line, Piece, line_width, pad_line
from wongar_dsl.render.text.scene import TextScene

from .view import DARK, BoardHighlight, ScreenView, StyledParagraph


@dataclass(frozen=True)
class RenderCache:
    """The picture of a view, for a terminal with Unicode or ASCII only."""

    view: ScreenView
    unicode: bool = True

    def part(self, part: str, width: int, height: int = 0, highlight: BoardHighlight = DARK) -> list[Line]:
        """Return a part of the picture by its name in `position`, drawn once for a size.

        A height of 0 means unlimited. Empty while the privacy screen is shown.
        """
        if self.view.scene is None:
            return []
        key = (part, width, height, highlight)
        if key not in self.view.drawn:
            self.view.drawn[key] = getattr(position, part)(scene_of(self.view, width, height, highlight))
        return self.view.drawn[key]

    def clip(self, lines: Sequence[Line], first: int, height: int, width: int) -> list[Line]:
        """Return the lines that fit, with arrows at the edge if there are more."""
        shown = list(lines[first : first + height])
        for index, more, sign in ((0, first > 0, "↑^"), (-1, first + height < len(lines), "↓v")):
            if more and shown:
                shown[index] = [
                    *pad_line(_trimmed(shown[index]), width - 1),
                    ("number", sign[0] if self.unicode else sign[1]),
                ]
        return shown

    def shorten(self, lines: Sequence[Line], height: int, width: int) -> list[Line]:
        """Return the first lines; the last one ends with an ellipsis if there are more."""
        if len(lines) <= height or height <= 0:
            return list(lines[: max(0, height)])
        last = _trimmed(lines[height - 1])
        more: Line = [*last, ("faint", "…")] if line_width(last) < width else pad_line(last, width - 1)
        return [*lines[: height - 1], more]


def scene_of(view: ScreenView, width: int, height: int, highlight: BoardHighlight = DARK) -> TextScene:
    """Return the scene of a view for a size in columns and rows (height 0: unlimited)."""
    assert view.scene is not None
    scene = replace(
        view.scene,
        width=width,
        height=height,
        lit=highlight.lit,
        reachable=highlight.reachable,
        placement=highlight.placement,
        pointing=True,
        focus=highlight.focus,
    )
    # The targets of the options are the same at any size and slow to compute, so they are shared.
    vars(scene)["aims"] = view.scene.aims
    return scene


def paragraphs(texts: Sequence[StyledParagraph], width: int) -> list[Line]:
    """Wrap paragraphs into lines of a width."""
    return [
        [(paragraph.style, line)]
        for paragraph in texts
        for line in fold(paragraph.text, width, paragraph.indent)
    ]  # fmt: skip


def _trimmed(line: Line) -> list[Piece]:
    """Remove the spaces at the end of a line."""
    pieces = list(line)
    while pieces and not pieces[-1][1].strip(" "):
        pieces.pop()
    return [*pieces[:-1], (pieces[-1][0], pieces[-1][1].rstrip(" "))] if pieces else []
