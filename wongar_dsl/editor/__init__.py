"""What an author writes rules with."""

from __future__ import annotations

from wongar_dsl.editor.formatter import Formatted, format_source

__all__ = ["Formatted", "format_source"]
