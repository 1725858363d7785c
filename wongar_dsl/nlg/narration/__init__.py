"""Narration of a game: events, prompts, options, illegal moves and rules excerpts as sentences."""

from __future__ import annotations

from wongar_dsl.nlg.narration.narrator import Narrator

__all__ = ["Narrator"]
