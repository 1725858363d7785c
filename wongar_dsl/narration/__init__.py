"""Play, and what is wrong with rules, in words."""

from __future__ import annotations

from wongar_dsl.narration.narrator import Narrator

__all__ = ["Narrator"]
