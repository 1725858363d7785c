"""What can be taken back: a step that drew no chance, and whose run looked at nothing that its maker could not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl.backends import RuleFault
from wongar_dsl.backends.recording import record
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import Game
from wongar_dsl.engine.past import Choice


@dataclass(frozen=True, slots=True)
class Final:
    """Why a step cannot be taken back.

    `reason` is `nothing` (there is no step), `clock` (time has gone), `chance` (chance was drawn) or `looked` (the
    rules looked at something that the maker of the step could not see).  `event` is the first one told after that,
    None where none was.
    """

    reason: Literal["nothing", "clock", "chance", "looked"]
    event: Event | None = None


def finality(game: Game, cells: list[int], choice: Choice, maker: int) -> Final | None:
    """Why a choice made in a state is final for the one who would take it back; None where it is not."""
    decision = game.program.decisions[choice.decision]
    if decision.clock is not None:
        return Final("clock")
    try:
        run = record(game.program, cells, choice.option, choice.time, game.backend)
    except RuleFault:
        return Final("looked")
    told = game.events(run.events)
    if run.drew is not None:
        return Final("chance", _after(told, run.drew))
    unknown = game.knowledge.unknown(cells, maker)
    own = set(decision.options[choice.option[0]].addresses) if maker == choice.seat else set()
    seen = [before for address, before in run.looks.items() if address in unknown and address not in own]
    if seen:
        return Final("looked", _after(told, min(seen)))
    return None


def _after(events: tuple[Event, ...], number: int) -> Event | None:
    """The event that a reader connects with what was looked at after so many: the next that is told, or the next."""
    rest = events[number:] or events[-1:]
    return next((event for event in rest if event.told), rest[0] if rest else None)
