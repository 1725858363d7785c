"""Compiler and engine for board-game rules. The names in this module are the public interface (`docs/python.md`).

    from wongar_dsl import load

    state, events = load("nim", seats=2).start(seed=7)
    while not state.over:
        state.apply(state.legal_moves()[0])
    print(state.winners)

Names are imported on first access, so that a program loads only the parts that it uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wongar_dsl.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from wongar_dsl.api import (
        About,
        Outcome,
        about,
        begin,
        games,
        load,
        narrator,
        observe,
        playouts,
        record,
        rulebook,
    )
    from wongar_dsl.base.diagnostics import RulesError
    from wongar_dsl.compiler.backends import CHOICES as BACKENDS
    from wongar_dsl.engine import Game, IllegalMove, Move, PlayFault, State
    from wongar_dsl.engine.events import EVERYTHING, Event
    from wongar_dsl.engine.match import Match, Step
    from wongar_dsl.language.semantics.model import Setting
    from wongar_dsl.nlg.narration.narrator import Narrator
    from wongar_dsl.nlg.words import WordsError

__all__ = [
    "BACKENDS",
    "EVERYTHING",
    "About",
    "Event",
    "Game",
    "IllegalMove",
    "Match",
    "Move",
    "Narrator",
    "Outcome",
    "PlayFault",
    "RulesError",
    "Setting",
    "State",
    "Step",
    "WordsError",
    "about",
    "begin",
    "games",
    "load",
    "narrator",
    "observe",
    "playouts",
    "record",
    "rulebook",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_getattr(
        __name__,
        {
            ".api": "About Outcome about begin games load narrator observe playouts record rulebook",
            ".compiler.backends": "BACKENDS=CHOICES",
            ".engine": "Game IllegalMove Move PlayFault State",
            ".engine.events": "EVERYTHING Event",
            ".engine.match": "Match Step",
            ".language.semantics.model": "Setting",
            ".nlg.narration.narrator": "Narrator",
            ".base.diagnostics": "RulesError",
            ".nlg.words": "WordsError",
        },
    )


def __dir__() -> list[str]:
    return sorted(__all__)
