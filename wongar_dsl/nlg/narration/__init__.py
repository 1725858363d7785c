"""Text for players and rule authors: play as a story, and diagnostics."""

from __future__ import annotations

from wongar_dsl.nlg.narration.narrator import Narrator

__all__ = ["Narrator"]
