"""Pretty-printer: syntax trees to lines of text, each with the source spans that it comes from."""

from __future__ import annotations

from wongar_dsl.language.printer.formatter import Formatted, format_source
from wongar_dsl.language.printer.provenance import ShownLine, merged_lines
from wongar_dsl.language.printer.unparser import RuleLine, span_text, unparse

__all__ = ["Formatted", "RuleLine", "ShownLine", "format_source", "merged_lines", "span_text", "unparse"]
