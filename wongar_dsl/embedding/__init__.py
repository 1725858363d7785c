"""Writes a game as C for other people's programs: its source, and a header that says what can be called."""

from __future__ import annotations

from wongar_dsl.embedding.source import PREFIX, Embedded, embed, is_embedded

__all__ = ["PREFIX", "Embedded", "embed", "is_embedded"]
