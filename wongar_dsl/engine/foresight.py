"""What follows on a choice, as far as a seat can foresee it: up to the first chance, and the first hidden thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.backends import RawEvent, RuleFault
from wongar_dsl.backends.recording import ask, lists_openly, record
from wongar_dsl.backends.veiling import run_veiled
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import Game, State
from wongar_dsl.engine.knowledge import shows_size
from wongar_dsl.engine.moves import Move
from wongar_dsl.engine.past import run
from wongar_dsl.ir.containers import size_at

#: Why nobody can say what comes next: `chance` has a part in it, or something `hidden`.
Limit = Literal["chance", "hidden"]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a seat would see happen, and the state that this leads to; where that cannot be foreseen, what the `limit`
    is, and the events are those before it."""

    events: tuple[Event, ...]
    state: State | None
    limit: Limit | None = None


def foresee(state: State, move: Move, seat: int) -> Foreseen:
    """What a seat can foresee of a move that whoever decides could make, up to the next decision.

    It is the same in all states that look the same to the seat, which stays as it is.
    """
    game, cells = state.game, state.cells
    secrets = game.knowledge.secrets_in(cells, seat, state.seat, move.raw)
    try:
        course = run_veiled(game.stepwise, cells, move.raw, 0, seat, secrets) if game.stepwise is not None else None
        if course is not None:
            return Foreseen(_told(game, course.events, seat), State(game, course.state))
        recorded = record(game.program, cells, move.raw, 0, seat, secrets, game.backend.search, only_first=True)
        events = recorded.events
        limit: Limit | None = None
        if recorded.listed is not None:
            events, limit = events[: recorded.listed], "hidden"
        if recorded.first is not None and recorded.first[1] <= len(events):
            what, number = recorded.first
            events, limit = events[:number], "chance" if what == "chance" else "hidden"
        told = _told(game, events, seat)
        if limit is not None:
            return Foreseen(told, None, limit)
        after = cells.copy()
        game.backend.choose(after, move.raw, 0)
        run(game, after)
        return Foreseen(told, State(game, after))
    except RuleFault:
        return Foreseen((), None, "hidden")


def _told(game: Game, events: Sequence[RawEvent], seat: int) -> tuple[Event, ...]:
    """What a seat sees of what happened."""
    seen = (game.knowledge.seen(event, seat) for event in game.events(events))
    return tuple(event for event in seen if event is not None)


def idle_move(state: State, seat: int) -> Move | Limit | None:
    """The one option at the decision at hand that moves, lays, draws and scores nothing; None where there is none, or
    more than one, and the limit where a seat cannot know that."""
    decision, game = state.decision, state.game
    if decision is None:
        return None
    found: list[Move] = []
    unknown = game.knowledge.unknown(state.cells, seat)
    for number, option in enumerate(decision.options):
        if not option.idle:
            continue
        if option.parameters:
            return None
        answers = [ask(game.program, state.cells, check.procedure, (), unknown) for check in option.checks]
        if None in answers:
            return "hidden"
        if all(answers):
            found.append(Move(number, ()))
    return found[0] if len(found) == 1 else None


def known_options(state: State) -> bool:
    """Whether everybody, also who only watches, knows the options of the decision at hand."""
    game, cells = state.game, state.cells
    secret = set(game.knowledge.unknown(cells, None))
    for spot in game.knowledge.hidden(None):
        # Where everybody sees that nothing lies, nothing is hidden.
        if shows_size(spot.place) and not size_at(cells, spot.place, spot.at):
            secret.difference_update(range(spot.at, spot.at + spot.place.width))
    return lists_openly(game.program, cells, secret, game.backend.search)
