"""Runs on poisoned values that complete equal the normal run, on every backend."""

from __future__ import annotations

import pytest

from tests.properties.permuter import random_match
from tests.properties.shown import load_game
from tests.properties.test_secrets import on_every_game
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS, RawEvent, load_backend, python_backend, run_on
from wongar_dsl.compiler.backends.taint import record, run_poisoned
from wongar_dsl.engine.game import Game, State
from wongar_dsl.engine.hidden_information.lookahead import lookahead
from wongar_dsl.engine.library import load

LENGTHS = (0, 1, 2, 3, 5, 12, 40)
#: Games in which a step often ends without random numbers and without reading a secret.
ENDS = {"wongar", "wongar/initiated", "tongiaki", "connect_four", "nim", "tictactoe", "goofspiel"}


@on_every_game
def test_poisoned_run_equals_the_normal_run_if_it_completes(name: str, seats: int) -> None:
    ended = 0
    for length in LENGTHS:
        state = random_match(load_game(name, seats), length, length).state
        game, cells = state.game, state.cells
        plain = python_backend(game.backend)
        assert plain is not None
        for move in state.legal_moves()[:12]:
            for viewer in range(seats):
                secrets = game.knowledge.secrets_in(cells, viewer, state.seat, move.raw)
                before = cells.copy()
                poisoned_run = run_poisoned(plain, cells, move.raw, 0, viewer, secrets)
                assert cells == before
                if poisoned_run is None:
                    # Without secrets, only random numbers or a rule fault stop the run early.
                    assert (
                        secrets.cells
                        or record(game.program, cells, move.raw, 0, viewer, secrets, game.backend.search).first
                    )
                    continue
                ended += 1
                after: list[int] = cells.copy()
                events: list[RawEvent] = []
                plain.choose(after, move.raw, 0)
                run_on(plain, after, events)
                assert (list(poisoned_run.events), poisoned_run.state) == (events, after)
                # No random number was drawn.
                assert after[ir.AT_CHANCE] == cells[ir.AT_CHANCE]
    assert ended or name not in ENDS


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "ubongo", "goofspiel"])
def test_lookahead_is_the_same_on_every_backend(name: str) -> None:
    rules = load(name)
    match = random_match(load_game(name, rules.model.players[0]), 9, 3)
    results = []
    for backend in BACKENDS:
        game = match.game
        other_game = Game(game.model, game.program, load_backend(game.program, backend), game.knowledge)
        state = State(other_game, match.state.cells.copy())
        lookaheads = [lookahead(state, move, state.seat) for move in state.legal_moves()]
        results.append(
            [
                (lookahead.events, lookahead.limit, lookahead.state.cells if lookahead.state else None)
                for lookahead in lookaheads
            ]
        )
    assert results[0] == results[1] == results[2]


def test_aborted_runs_leave_the_backend_unchanged() -> None:
    """After many aborted runs, the backend plays the same games as a fresh one."""
    match = random_match(load_game("wongar", 3), 6, 1)
    game, state = match.game, match.state
    plain = python_backend(game.backend)
    assert plain is not None
    broken = 0
    for move in state.legal_moves():
        secrets = game.knowledge.secrets_in(state.cells, state.seat, state.seat, move.raw)
        broken += run_poisoned(plain, state.cells, move.raw, 0, state.seat, secrets) is None
    assert broken
    fresh = load_backend(game.program, "python")
    assert plain.playouts(3, 0, 4, 10_000) == fresh.playouts(3, 0, 4, 10_000)
