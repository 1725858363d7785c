"""Semantic analysis: turns merged syntax trees into a checked model, and reports all mistakes in them."""

from __future__ import annotations

from wongar_dsl.language.checker.checker import check, named_once

__all__ = ["check", "named_once"]
