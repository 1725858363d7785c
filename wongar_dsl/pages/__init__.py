"""Rulebooks as pages of HTML, to be read on a screen and printed."""

from __future__ import annotations

from wongar_dsl.pages.page import page

__all__ = ["page"]
