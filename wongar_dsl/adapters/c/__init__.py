"""Export of a game as self-contained C source with a header, for use in other programs."""

from __future__ import annotations

from wongar_dsl.adapters.c.source import PREFIX, Embedded, embed, is_embedded

__all__ = ["PREFIX", "Embedded", "embed", "is_embedded"]
