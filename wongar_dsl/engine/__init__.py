"""Game engine: games, states, moves, hidden information, and matches."""

from __future__ import annotations

from wongar_dsl.engine.game import MAX_DECISIONS, Game, State, play_fault
from wongar_dsl.engine.notation import IllegalMove, Move, PlayFault

__all__ = ["MAX_DECISIONS", "Game", "IllegalMove", "Move", "PlayFault", "State", "play_fault"]
