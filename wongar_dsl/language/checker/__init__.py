"""Semantic analysis: turns merged syntax trees into a checked model, and reports all mistakes in them."""

from __future__ import annotations

from wongar_dsl.language.checker.checker import check_game, merge_unknown_names

__all__ = ["check_game", "merge_unknown_names"]
