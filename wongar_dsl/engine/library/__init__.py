"""Game library: finds games by name, and loads and checks their rules."""

from __future__ import annotations

from wongar_dsl.base.cache import Cache
from wongar_dsl.engine.library.builtin_games import SUFFIX, shipped, shipped_names
from wongar_dsl.engine.library.game_ids import located, moved, pieces, unknown_piece
from wongar_dsl.engine.library.games import inspect, load
from wongar_dsl.engine.library.rules import Rules

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
