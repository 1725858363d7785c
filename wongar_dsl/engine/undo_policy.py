"""Undo policy: a step can be undone if it used no random numbers and read nothing hidden from its maker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import RuleFault, run_on
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.backends.taint import ReadTrace, record
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import Game, State
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.history import PastChoice

#: Number of determinizations that must lead to the same prompt.
WORLDS = 24


@dataclass(frozen=True, slots=True)
class UndoBarrier:
    """The reason why a step cannot be undone.

    `reason` is `nothing` (there is no step), `clock` (time has passed), `chance` (random numbers were drawn) or
    `looked` (the rules read something hidden from the maker of the step). `event` is the first visible event after
    that, None if there is none.
    """

    reason: Literal["nothing", "clock", "chance", "looked"]
    event: Event | None = None


def was_predictable(game: Game, cells: list[int], choice: PastChoice) -> bool:
    """Return whether the maker of a choice could predict all its consequences.

    Random numbers or hidden information must not have influenced them.
    """
    if game.program.decisions[choice.decision].clock is not None:
        return False
    try:
        return _trace(game, cells, choice, choice.seat).first is None
    except RuleFault:
        return False


def _trace(game: Game, cells: list[int], choice: PastChoice, maker: int) -> ReadTrace:
    """Replay a choice, recording random draws and reads of information hidden from its maker."""
    secrets = game.knowledge.secrets_in(cells, maker, choice.seat, choice.option)
    return record(game.program, cells, choice.option, choice.time, maker, secrets, game.backend.search)


def undo_barrier(game: Game, cells: list[int], choice: PastChoice, maker: int) -> UndoBarrier | None:
    """Return why a choice cannot be undone by its maker; None if it can."""
    decision = game.program.decisions[choice.decision]
    if decision.clock is not None:
        return UndoBarrier("clock")
    try:
        seen = _trace(game, cells, choice, maker)
        events = game.events(seen.events)
        if seen.first is not None:
            reason, before = seen.first
            return UndoBarrier(reason, _next_event(events, before))
        asks = seen.listed is not None and _asks_for_secrets(game, cells, choice, maker)
        if asks or _reveals_zone(game, cells, choice, maker):
            return UndoBarrier("looked", _next_event(events, len(events)))
    except RuleFault:
        return UndoBarrier("looked")
    return None


def _reveals_zone(game: Game, cells: list[int], choice: PastChoice, maker: int) -> bool:
    """Return whether a choice lets its maker search a zone that was hidden before."""
    after = _next_state(game, cells, choice)
    return not game.knowledge.revealed_now(after, maker) <= game.knowledge.revealed_now(cells, maker)


def _asks_for_secrets(game: Game, cells: list[int], choice: PastChoice, maker: int) -> bool:
    """Return whether the prompt after a choice, or its absence, reveals hidden information to its maker.

    The options of a prompt may depend on hidden information without revealing it. So the choice is repeated in other
    states of the information set: if all lead to the same prompt, nothing is revealed.
    """
    shown = _question(game, _next_state(game, cells, choice), maker)
    worlds, generator = SampledWorlds(State(game, cells), maker, None), Generator(0)
    for _ in range(WORLDS):
        world = worlds.sample(generator).cells
        try:
            possible = choice.option in game.backend.options(world)
            if possible and _question(game, _next_state(game, world, choice), maker) != shown:
                return True
        except RuleFault:
            continue
    return False


def _next_state(game: Game, cells: list[int], choice: PastChoice) -> list[int]:
    after = cells.copy()
    game.backend.choose(after, choice.option, choice.time)
    run_on(game.backend, after)
    return after


def _question(game: Game, cells: list[int], seat: int) -> tuple[object, ...]:
    """Return the decision, its seat, and the options that a seat is shown."""
    options = game.backend.options(cells) if cells[ir.AT_SEAT] == seat else []
    return (cells[ir.AT_DECISION], cells[ir.AT_SEAT], options)


def _next_event(events: tuple[Event, ...], number: int) -> Event | None:
    """Return the next visible event after a number of events, or else the next one."""
    rest = events[number:] or events[-1:]
    return next((event for event in rest if event.told), rest[0] if rest else None)
