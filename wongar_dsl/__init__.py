"""Board games as data: what this module names is the public Python interface, described in `docs/python.md`.

    from wongar_dsl import load

    state, events = load("nim", seats=2).start(seed=7)
    while not state.over:
        state.apply(state.legal_moves()[0])
    print(state.winners)

Nothing is imported before it is asked for, so that a program that needs one part does not wait for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wongar_dsl.engine import Game, IllegalMove, Move, State
    from wongar_dsl.engine.match import Match

__all__ = ["Game", "IllegalMove", "Match", "Move", "State", "load"]

_WHERE = dict.fromkeys(("Game", "IllegalMove", "Move", "State"), "wongar_dsl.engine") | {
    "Match": "wongar_dsl.engine.match"
}


def load(
    name: str | Path, seats: int | None = None, settings: Mapping[str, int] | None = None, backend: str = "python"
) -> Game:
    """A game ready to be played.

    `name` is a game that comes with the program, one of its variants (`game/variant`), or the path of a rule file;
    `seats` is how many play (without it the fewest), `settings` are numbers for settings of the rules, and `backend` is
    `python` or `reference`.  Raises `RulesError` (`wongar_dsl.text.diagnostics`) with all diagnostics where the rules
    are wrong, ValueError for seats or settings that they do not allow, and KeyError for an unknown backend.
    """
    from wongar_dsl import library

    rules = library.load(name)
    return rules.game(rules.model.players[0] if seats is None else seats, settings, backend)


def __getattr__(name: str) -> object:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
