"""SVG pictures of game components, drawn from the rules: boards, tracks, cards and shapes."""

from __future__ import annotations

from wongar_dsl.pictures.boards import board
from wongar_dsl.pictures.cards import card
from wongar_dsl.pictures.lines import lined, lines
from wongar_dsl.pictures.naming import PictureNames
from wongar_dsl.pictures.shapes import covered, shape
from wongar_dsl.pictures.svg import Picture, svg
from wongar_dsl.pictures.tracks import track

__all__ = ["Picture", "PictureNames", "board", "card", "covered", "lined", "lines", "shape", "svg", "track"]
