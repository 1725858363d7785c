"""SVG pictures of game components, drawn from the rules: boards, tracks, cards and shapes."""

from __future__ import annotations

from wongar_dsl.render.component_svg.boards import board, row_enumerations, track, zone_rows
from wongar_dsl.render.component_svg.cards import card, covered_area, shape
from wongar_dsl.render.component_svg.svg import Picture, PictureNames, svg

__all__ = [
    "Picture",
    "PictureNames",
    "board",
    "card",
    "covered_area",
    "row_enumerations",
    "shape",
    "svg",
    "track",
    "zone_rows",
]
