"""From the checked model to a program for a number of seats."""

from __future__ import annotations

from wongar_dsl.lower.game import lower

__all__ = ["lower"]
