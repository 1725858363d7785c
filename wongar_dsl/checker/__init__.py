"""From syntax trees to a model, and everything that is wrong with them."""

from __future__ import annotations

from wongar_dsl.checker.checker import check, named_once

__all__ = ["check", "named_once"]
