"""What can be taken back: a step that drew no chance, and whose run looked at nothing that its maker could not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl import ir
from wongar_dsl.backends import RuleFault
from wongar_dsl.backends.chance import Generator
from wongar_dsl.backends.recording import Recording, record
from wongar_dsl.engine.determinization import Worlds
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import Game, State
from wongar_dsl.engine.past import Choice, run

#: In so many states that look the same before the step the same question has to come of it.
WORLDS = 24


@dataclass(frozen=True, slots=True)
class Final:
    """Why a step cannot be taken back.

    `reason` is `nothing` (there is no step), `clock` (time has gone), `chance` (chance was drawn) or `looked` (the
    rules looked at something that the maker of the step could not see).  `event` is the first one told after that,
    None where none was.
    """

    reason: Literal["nothing", "clock", "chance", "looked"]
    event: Event | None = None


def foreseen(game: Game, cells: list[int], choice: Choice) -> bool:
    """Whether all that followed on a choice was known beforehand to whoever made it: neither chance nor a look at what
    they could not see had a part in it."""
    if game.program.decisions[choice.decision].clock is not None:
        return False
    try:
        return _followed(game, cells, choice, choice.seat).first is None
    except RuleFault:
        return False


def _followed(game: Game, cells: list[int], choice: Choice, maker: int) -> Recording:
    """What followed on a choice, and what of it its maker could not foresee."""
    secrets = game.knowledge.secrets_in(cells, maker, choice.seat, choice.option)
    return record(game.program, cells, choice.option, choice.time, maker, secrets, game.backend.search)


def finality(game: Game, cells: list[int], choice: Choice, maker: int) -> Final | None:
    """Why a choice made in a state is final for the one who would take it back; None where it is not."""
    decision = game.program.decisions[choice.decision]
    if decision.clock is not None:
        return Final("clock")
    try:
        seen = _followed(game, cells, choice, maker)
        told = game.events(seen.events)
        if seen.first is not None:
            reason, before = seen.first
            return Final(reason, _after(told, before))
        asks = seen.listed is not None and _asks_for_secrets(game, cells, choice, maker)
        if asks or _opens(game, cells, choice, maker):
            return Final("looked", _after(told, len(told)))
    except RuleFault:
        return Final("looked")
    return None


def _opens(game: Game, cells: list[int], choice: Choice, maker: int) -> bool:
    """Whether a choice leads its maker to choose out of a zone that they could not look through before."""
    after = _later(game, cells, choice)
    return not game.knowledge.opened(after, maker) <= game.knowledge.opened(cells, maker)


def _asks_for_secrets(game: Game, cells: list[int], choice: Choice, maker: int) -> bool:
    """Whether the question that follows on a choice, or that there is none, tells its maker what was hidden.

    What is listed for a question may hang on what is hidden, and yet show nothing of it.  So the choice is made in
    other states that look the same: where it leads to the same question in all of them, nothing is shown.
    """
    shown = _question(game, _later(game, cells, choice), maker)
    worlds, generator = Worlds(State(game, cells), maker, None), Generator(0)
    for _ in range(WORLDS):
        world = worlds.one(generator).cells
        try:
            possible = choice.option in game.backend.options(world)
            if possible and _question(game, _later(game, world, choice), maker) != shown:
                return True
        except RuleFault:
            continue
    return False


def _later(game: Game, cells: list[int], choice: Choice) -> list[int]:
    after = cells.copy()
    game.backend.choose(after, choice.option, choice.time)
    run(game, after)
    return after


def _question(game: Game, cells: list[int], seat: int) -> tuple[object, ...]:
    """What is asked, of whom, and the options as far as a seat is shown them."""
    options = game.backend.options(cells) if cells[ir.AT_SEAT] == seat else []
    return (cells[ir.AT_DECISION], cells[ir.AT_SEAT], options)


def _after(events: tuple[Event, ...], number: int) -> Event | None:
    """The event that a reader connects with what was looked at after so many: the next that is told, or the next."""
    rest = events[number:] or events[-1:]
    return next((event for event in rest if event.told), rest[0] if rest else None)
