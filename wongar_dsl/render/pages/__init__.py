"""Rulebooks as HTML pages for screen and print."""

from __future__ import annotations

from wongar_dsl.render.pages.page import page

__all__ = ["page"]
