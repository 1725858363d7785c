"""From syntax tree to text: the lines that rules are written in, and where each part of them comes from."""

from __future__ import annotations

from wongar_dsl.unparser.articles import unparse
from wongar_dsl.unparser.lines import Line

__all__ = ["Line", "unparse"]
