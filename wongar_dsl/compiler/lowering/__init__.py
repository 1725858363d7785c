"""Lowering: compiles a checked model to an IR program for a number of seats."""

from __future__ import annotations

from wongar_dsl.compiler.lowering.game import lower

__all__ = ["lower"]
