"""Lowering: compiles a checked model to an IR program for a number of seats."""

from __future__ import annotations

from wongar_dsl.lower.game import lower

__all__ = ["lower"]
