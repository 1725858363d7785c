"""A run whose secrets are covered is the run as it is, wherever it comes to its end, and whoever's backend it is."""

from __future__ import annotations

import pytest

from tests.properties.permuter import random_match
from tests.properties.play import games
from tests.properties.shown import SMALL, made
from wongar_dsl import ir
from wongar_dsl.backends import BACKENDS, RawEvent, load_backend, run_on, stepwise
from wongar_dsl.backends.recording import record
from wongar_dsl.backends.veiling import run_veiled
from wongar_dsl.engine.foresight import foresee
from wongar_dsl.engine.game import Game, State
from wongar_dsl.library import load

LENGTHS = (0, 1, 2, 3, 5, 12, 40)
EVERY = [(name, seats) for name, seats in games() if seats < 5]
EVERY += [(name, load(path).model.players[0]) for name, path in SMALL.items()]
#: In these a step often comes to its end without chance and without a look.
ENDS = {"wongar", "wongar/initiated", "tongiaki", "connect_four", "nim", "tictactoe", "goofspiel"}
on_every_game = pytest.mark.parametrize(("name", "seats"), EVERY, ids=[f"{n}-{s}" for n, s in EVERY])


@on_every_game
def test_a_veiled_run_is_the_run_itself_or_none(name: str, seats: int) -> None:
    ended = 0
    for length in LENGTHS:
        state = random_match(made(name, seats), length, length).state
        game, cells = state.game, state.cells
        plain = stepwise(game.backend)
        assert plain is not None
        for move in state.legal_moves()[:12]:
            for viewer in range(seats):
                secrets = game.knowledge.secrets_in(cells, viewer, state.seat, move.raw)
                before = cells.copy()
                course = run_veiled(plain, cells, move.raw, 0, viewer, secrets)
                assert cells == before
                if course is None:
                    # Where nothing is secret, only chance or a mistake in the rules ends it before.
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
                assert (list(course.events), course.state) == (events, after)
                # Chance stands where it stood.
                assert after[ir.AT_CHANCE] == cells[ir.AT_CHANCE]
    assert ended or name not in ENDS


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "ubongo", "goofspiel"])
def test_every_backend_foresees_the_same(name: str) -> None:
    rules = load(name)
    match = random_match(made(name, rules.model.players[0]), 9, 3)
    told = []
    for backend in BACKENDS:
        game = match.game
        other = Game(game.model, game.program, load_backend(game.program, backend), game.knowledge)
        state = State(other, match.state.cells.copy())
        seen = [foresee(state, move, state.seat) for move in state.legal_moves()]
        told.append([(one.events, one.limit, one.state.cells if one.state else None) for one in seen])
    assert told[0] == told[1] == told[2]


def test_a_run_that_was_broken_off_leaves_nothing_behind() -> None:
    """After many broken runs the same backend plays the same games as a fresh one."""
    match = random_match(made("wongar", 3), 6, 1)
    game, state = match.game, match.state
    plain = stepwise(game.backend)
    assert plain is not None
    broken = 0
    for move in state.legal_moves():
        secrets = game.knowledge.secrets_in(state.cells, state.seat, state.seat, move.raw)
        broken += run_veiled(plain, state.cells, move.raw, 0, state.seat, secrets) is None
    assert broken
    fresh = load_backend(game.program, "python")
    assert plain.playouts(3, 0, 4, 10_000) == fresh.playouts(3, 0, 4, 10_000)
