"""Game library: finds games by name, and loads and checks their rules."""

from __future__ import annotations

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.library.builtin_games import SUFFIX, builtin_games, builtin_names
from wongar_dsl.engine.library.game_ids import pieces, relocated_name, resolved_pieces, unknown_piece
from wongar_dsl.engine.library.rules import Rules
from wongar_dsl.engine.library.rules_cache import inspect, load

__all__ = [
    "SUFFIX",
    "Cache",
    "Rules",
    "builtin_games",
    "builtin_names",
    "inspect",
    "load",
    "pieces",
    "relocated_name",
    "resolved_pieces",
    "unknown_piece",
]
