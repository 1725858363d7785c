"""Game library: finds games by name, and loads and checks their rules."""

from __future__ import annotations

from wongar_dsl.cache import Cache
from wongar_dsl.library.games import inspect, load
from wongar_dsl.library.naming import located, moved, pieces, unknown_piece
from wongar_dsl.library.rules import Rules
from wongar_dsl.library.shipped import SUFFIX, shipped, shipped_names

__all__ = [
    "SUFFIX",
    "Cache",
    "Rules",
    "inspect",
    "load",
    "located",
    "moved",
    "pieces",
    "shipped",
    "shipped_names",
    "unknown_piece",
]
