"""Pretty-printer: syntax trees to lines of text, each with the source spans that it comes from."""

from __future__ import annotations

from wongar_dsl.unparser.articles import unparse
from wongar_dsl.unparser.lines import RuleLine

__all__ = ["RuleLine", "unparse"]
