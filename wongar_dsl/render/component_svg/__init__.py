"""SVG pictures of game components, drawn from the rules: boards, tracks, cards and shapes."""

from __future__ import annotations

from wongar_dsl.render.component_svg.boards import board
from wongar_dsl.render.component_svg.cards import card
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.shapes import covered_area, shape
from wongar_dsl.render.component_svg.svg import Picture, svg
from wongar_dsl.render.component_svg.tracks import track
from wongar_dsl.render.component_svg.zone_rows import row_enumerations, zone_rows

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
