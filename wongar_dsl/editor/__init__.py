"""Formatting, listing and highlighting of rule files."""

from __future__ import annotations

from wongar_dsl.editor.formatter import Formatted, format_source
from wongar_dsl.editor.listing import ShownLine, merged_lines

__all__ = ["Formatted", "ShownLine", "format_source", "merged_lines"]
