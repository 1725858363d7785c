"""Lookahead: the consequences of a move that a seat can predict, and the points if the game ended now."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.compiler.backends import RuleFault, run_on
from wongar_dsl.compiler.backends.taint import ask, end_poisoned, options_are_public, record, run_poisoned
from wongar_dsl.compiler.ir.containers import size_at
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import State
from wongar_dsl.engine.hidden_information.information import shows_size
from wongar_dsl.engine.notation import Move

#: Reason why the consequences cannot be predicted.
Limit = Literal["chance", "hidden"]


@dataclass(frozen=True, slots=True)
class LookaheadResult:
    """Result of a lookahead: the events that the seat would see, and the resulting state.

    If that cannot be predicted, `limit` is the reason, and the events are those before it.
    """

    events: tuple[Event, ...]
    state: State | None
    limit: Limit | None = None


def lookahead(state: State, move: Move, seat: int) -> LookaheadResult:
    """Return what a seat can predict of a move of the deciding player, up to the next decision.

    The result is the same for all states in the seat's information set. `state` is not changed.
    """
    game, cells = state.game, state.cells
    secrets = game.knowledge.secrets_in(cells, seat, state.seat, move.raw)
    try:
        backend = game.lookahead_backend
        run_result = run_poisoned(backend, cells, move.raw, 0, seat, secrets) if backend is not None else None
        if run_result is not None:
            visible = game.knowledge.seen_of(game.events(run_result.events), seat)
            return LookaheadResult(visible, State(game, run_result.state))
        recorded = record(game.program, cells, move.raw, 0, seat, secrets, game.backend.search, only_first=True)
        events = recorded.events
        limit: Limit | None = None
        # The options of a later decision depend on hidden information.
        if recorded.listed is not None:
            events, limit = events[: recorded.listed], "hidden"
        if recorded.first is not None and recorded.first[1] <= len(events):
            cause, number = recorded.first
            events, limit = events[:number], "chance" if cause == "chance" else "hidden"
        visible = game.knowledge.seen_of(game.events(events), seat)
        if limit is not None:
            return LookaheadResult(visible, None, limit)
        after = cells.copy()
        game.backend.choose(after, move.raw, 0)
        run_on(game.backend, after)
        return LookaheadResult(visible, State(game, after))
    except RuleFault:
        return LookaheadResult((), None, "hidden")


def pass_move(state: State, seat: int) -> Move | Limit | None:
    """Return the only option that moves, lays, draws and scores nothing, or the limit if the seat cannot know it.

    Returns None if there is no such option, or more than one.
    """
    decision, game = state.decision, state.game
    if decision is None:
        return None
    passes: list[Move] = []
    unknown = game.knowledge.unknown(state.cells, seat)
    for number, option in enumerate(decision.options):
        if not option.is_pass:
            continue
        if option.parameters:
            return None
        answers = [ask(game.program, state.cells, check.procedure, (), unknown) for check in option.checks]
        if None in answers:
            return "hidden"
        if all(answers):
            passes.append(Move(number, ()))
    return passes[0] if len(passes) == 1 else None


def are_options_public(state: State) -> bool:
    """Return whether the options of the pending decision are public, even to spectators."""
    game, cells = state.game, state.cells
    secret = set(game.knowledge.unknown(cells, None))
    for spot in game.knowledge.hidden(None):
        # An empty zone whose size is public hides nothing.
        if shows_size(spot.field) and not size_at(cells, spot.field, spot.at):
            secret.difference_update(range(spot.at, spot.at + spot.field.width))
    return options_are_public(game.program, cells, secret, game.backend.search)


def provisional_scores(state: State, seat: int | None) -> tuple[int, ...] | None:
    """Return each seat's points if the game ended now, as far as a seat (None: a spectator) can know.

    Returns None if the game counts nothing at its end or is over, and if the result depends on hidden information or
    random numbers.
    """
    return scores_without(state, state.game.knowledge.hidden_field_addresses(seat))


def scores_without(state: State, unknown: Set[int]) -> tuple[int, ...] | None:
    """Return the provisional scores for a viewer who does not know the cells at some addresses."""
    game, cells = state.game, state.cells
    place = game.program.score
    if game.program.closing < 0 or place is None or state.over or game.lookahead_backend is None:
        return None
    if not unknown.isdisjoint(place.at(seat) for seat in range(game.seats)):
        return None
    ended = end_poisoned(game.lookahead_backend, cells, unknown)
    return None if ended is None else State(game, ended).scores
