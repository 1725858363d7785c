"""Renderers: SVG and HTML pages. Names are imported on first use, since each output needs only some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wongar_dsl.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from wongar_dsl.render.position_svg.excerpt import Excerpt
    from wongar_dsl.render.rulebook_page import page
    from wongar_dsl.render.text.position import plain_drawing

__all__ = ["Excerpt", "page", "plain_drawing"]

__getattr__ = lazy_getattr(
    __name__, {".position_svg.excerpt": "Excerpt", ".rulebook_page": "page", ".text.position": "plain_drawing"}
)
