"""SVG pictures of game components, drawn from the rules: boards, tracks, cards and shapes."""

from __future__ import annotations

from wongar_dsl.render.svg.boards import board
from wongar_dsl.render.svg.cards import card
from wongar_dsl.render.svg.labels import PictureNames
from wongar_dsl.render.svg.shapes import covered_area, shape
from wongar_dsl.render.svg.svg import Picture, svg
from wongar_dsl.render.svg.tracks import track
from wongar_dsl.render.svg.zone_rows import row_enumerations, zone_rows

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
