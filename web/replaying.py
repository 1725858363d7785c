"""A step of a game that is over, as a page shows it: what was decided, what came of it, and the position after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.table.replay import Replay, Shown
from wongar_dsl.table.scene import Scene
from wongar_dsl.words import Text

from . import puzzles, tables
from .pictures import position
from .pictures.look import Look
from .viewing import Viewing


@dataclass(frozen=True)
class Way:
    """A link to another step: which way it leads (the name of its message), to which step, and whether there is one."""

    name: str
    number: int
    there: bool


@dataclass(frozen=True)
class Held:
    """What somebody held that others did not see."""

    name: str
    holdings: Sequence[tables.Holding]


def replayed(v: Viewing, number: int, everything: bool) -> dict[str, Any]:
    """The values for the template of a step, counted from 0, where nothing is decided yet; `everything`: also what was
    hidden from the viewer then.  A number behind the last step is that one."""
    match, narrator = v.table.match, v.narrator
    walk = Replay(match, narrator, EVERYTHING if everything else v.viewer)
    last = len(walk)
    shown = walk.at(min(number, last))
    here = shown.number

    def look(viewer: int | None) -> Look:
        return Look(Scene(shown.state, narrator, v.table.letters, viewer), shown.marked)

    seen = look(None if everything else v.viewer)
    seats = range(match.game.seats) if everything else () if v.viewer is None else (v.viewer,)
    held = [Held(narrator.names[seat], tables.hand(look(seat))) for seat in seats]
    return {
        "key": v.key,
        "game": narrator.title(),
        "number": here,
        "last": last,
        "heading": _heading(v, shown, last),
        "told": [line for line in shown.lines if line.text],
        "solution": _solution(v, shown, seen),
        "ways": (
            Way("first", 0, here > 0),
            Way("before", max(0, here - 1), here > 0),
            Way("next", min(last, here + 1), here < last),
            Way("last", last, here < last),
        ),
        "view": "all" if everything else "own",
        # Where nothing was ever hidden both are the same.
        "views": bool(match.game.knowledge.secrets),
        "boards": list(position.boards(seen)),
        "lines": list(tables.lines(seen)),
        "held": [one for one in held if any(holding.cards for holding in one.holdings)],
        "players": tables.players(seen, () if here == last else (shown.state.seat,)),
        "states": [""] * match.game.seats,
        "tracks": list(tables.tracks(seen)),
        "common": tables.common(seen),
    }


def _heading(v: Viewing, shown: Shown, last: int) -> str:
    say, n = v.words.say, shown.number
    if shown.seat is None:
        return say("cli.replay.start", None, of=last)
    player = v.narrator.player(shown.seat)
    if not shown.choice:
        return say("cli.replay.step", None, n=n, of=last, player=player)
    return say("cli.replay.choice", None, n=n, of=last, player=player, choice=Text(shown.choice))


def _solution(v: Viewing, shown: Shown, look: Look) -> puzzles.Solved | None:
    """How the pieces of a puzzle were laid, or could have been."""
    if shown.laying is None or shown.seat is None:
        return None
    lost = v.words.say("ending.solution", None, player=v.narrator.player(shown.seat)) if shown.lost else ""
    return puzzles.solved(shown.laying, look, lost)
