"""Search results depend only on the rules, the seed and the information of the deciding seat."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.compiler.backends.ismcts import ONE, inverse_root, root_of_logarithm
from wongar_dsl.compiler.backends.native import run_memory
from wongar_dsl.compiler.backends.protocol import CancelToken
from wongar_dsl.compiler.backends.rng import Generator, Purpose, start
from wongar_dsl.compiler.ir.program import FIRST_FREE
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds

from ...small_games import write_rules

#: Iterations per decision for games that are slow in Python.
ITERATIONS = {"tongiaki": 2, "wongar": 4, "wongar/initiated": 4}
FEW_ITERATIONS, USUAL = 20, 60

#: Eight by eight targets, of which a single one wins: more options than are tried one by one.
MANY_OPTIONS = """
enum rank = a, b, c, d, e, f, g, h
enum file = one, two, three, four, five, six, seven, eight
score points
play
    for each p in player
        p chooses aiming
            aim(here: rank, there: file)
                if here = c and there = six
                    p gains 5 points
    end game
winner p
    most points of p
"""


#: A clock that runs for years.
LONG = """
play
    each p in player chooses race at once by time from 0 within 900000000 seconds
        wait
            tell waited(player: p, n: time)
        go
            nothing
    nobody wins
"""


@cache
def game(name: str, backend: str) -> Game:
    rules = library.load(name)
    return rules.game(rules.model.players[0], backend=backend)


def decisions(played: Game, seed: int, step: int, most: int) -> Iterator[State]:
    """Yield some of the decisions with several options in a random game."""
    state, _ = played.start(seed)
    generator = Generator(seed)
    for number in range(most * step):
        if state.over:
            return
        options = state.options()
        if number % step == 0 and len(options) > 1:
            yield state.copy()
        played.backend.choose(state.cells, options[generator.below(len(options))])
        state.proceed()


@pytest.mark.parametrize("name", list(library.builtin_names()))
def test_option_values_are_the_same_in_python_and_machine_code(name: str) -> None:
    for number, state in enumerate(decisions(game(name, "python"), 3, 7, 2)):
        worlds = SampledWorlds(state, state.seat)
        dealt = [] if worlds.only_zones_hidden else [worlds.sample(Generator(n)).cells for n in range(3)]
        sight = state.game.knowledge.visibility_mask(state.cells, state.seat)
        weighed = [
            game(name, backend).backend.evaluate_options(
                state.cells, sight, dealt, ITERATIONS.get(name, FEW_ITERATIONS), number, CancelToken()
            )
            for backend in ("python", "native")
        ]
        assert weighed[0] == weighed[1]
        assert sum(tried.visits for tried in weighed[0]) > 0


@pytest.mark.parametrize("name", list(library.builtin_names()))
def test_determinization_is_the_same_in_python_and_machine_code(name: str) -> None:
    for state in decisions(game(name, "python"), 5, 3, 12):
        for seat in (*range(state.game.seats), None):
            sight = state.game.knowledge.visibility_mask(state.cells, seat)
            dealt = []
            for backend in ("python", "native"):
                cells = state.cells.copy()
                luck = game(name, backend).backend.determinize(cells, sight, start(9, Purpose.SAMPLING))
                dealt.append((cells, luck))
            assert dealt[0] == dealt[1]
            looks = state.game.knowledge.view
            assert looks(dealt[0][0], seat) == looks(state.cells, seat)


@pytest.mark.parametrize("name", ["connect_four", "tongiaki", "ubongo", "wongar"])
def test_option_outcomes_are_the_same_in_python_and_machine_code(name: str) -> None:
    for state in decisions(game(name, "python"), 5, 5, 3):
        outcomes = [
            game(name, backend).backend.outcomes(state.cells, state.options()[:2], 7, 200)
            for backend in ("python", "native")
        ]
        assert outcomes[0] == outcomes[1]
        assert len(outcomes[0]) == 2


def test_long_clock_times_are_dealt_the_same_on_both_backends(tmp_path: Path) -> None:
    rules = library.load(write_rules(tmp_path, LONG))
    state, _ = rules.game(2, backend="python").start(1)
    state.apply(state.legal_moves()[0])
    sight = state.game.knowledge.visibility_mask(state.cells, 1)
    dealt = []
    for backend in ("python", "native"):
        cells = state.cells.copy()
        luck = rules.game(2, backend=backend).backend.determinize(cells, sight, start(9, Purpose.SAMPLING))
        dealt.append((cells, luck))
    assert dealt[0] == dealt[1]
    assert max(dealt[0][0][FIRST_FREE:]) > 1 << 32


def test_reference_and_python_values_are_the_same() -> None:
    [state, *_] = decisions(game("goofspiel", "python"), 1, 1, 1)
    sight = state.game.knowledge.visibility_mask(state.cells, state.seat)
    weighed = [
        game("goofspiel", backend).backend.evaluate_options(state.cells, sight, [], 20, 1, CancelToken())
        for backend in ("python", "reference")
    ]
    assert weighed[0] == weighed[1]


def test_many_options_are_searched_argument_by_argument(tmp_path: Path) -> None:
    rules = library.load(write_rules(tmp_path, MANY_OPTIONS))
    states = [rules.game(2, backend=backend).start(1)[0] for backend in ("python", "native")]
    sight = states[0].game.knowledge.visibility_mask(states[0].cells, 0)
    weighed = [state.game.backend.evaluate_options(state.cells, sight, [], 600, 4, CancelToken()) for state in states]
    assert weighed[0] == weighed[1]
    best = max(range(64), key=lambda number: weighed[0][number].visits)
    assert states[0].write(states[0].legal_moves()[best]) == "aim(c, six)"


def test_unrevealed_simultaneous_choice_does_not_affect_the_search() -> None:
    """The second of two simultaneous choices gets the same values for every first choice."""
    played = game("goofspiel", "native")
    state, _ = played.start(2)
    second = []
    for move in state.legal_moves():
        after = state.copy()
        after.apply(move)
        assert after.seat != state.seat
        sight = played.knowledge.visibility_mask(after.cells, after.seat)
        second.append(played.backend.evaluate_options(after.cells, sight, [], USUAL, 1, CancelToken()))
    assert second[0] == second[1] == second[2]


def test_search_is_restarted_with_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "connect_four"
    [state] = decisions(game(name, "native"), 1, 1, 1)
    sight = state.game.knowledge.visibility_mask(state.cells, 0)
    expected = game(name, "native").backend.evaluate_options(state.cells, sight, [], 4000, 1, CancelToken())
    monkeypatch.setattr(run_memory, "INITIAL_MEMORY_BYTES", 1 << 14)
    rules = library.load(name)
    assert (
        rules.game(2, backend="native").backend.evaluate_options(state.cells, sight, [], 4000, 1, CancelToken())
        == expected
    )


def test_halted_search_returns_its_results_so_far() -> None:
    [state] = decisions(game("connect_four", "native"), 1, 1, 1)
    sight, halt = state.game.knowledge.visibility_mask(state.cells, 0), CancelToken()
    halt.cancel()
    for backend in ("python", "native"):
        weighed = game("connect_four", backend).backend.evaluate_options(state.cells, sight, [], 0, 1, halt)
        assert [tried.visits for tried in weighed] == [0] * 7


@pytest.mark.parametrize("n", [1, 2, 3, 7, 255, 256, 1000, 4095, 100_000, (1 << 32) - 1])
def test_integer_roots_and_logarithms_are_accurate(n: int) -> None:
    assert root_of_logarithm(n) / ONE == pytest.approx(math.sqrt(math.log(n)), abs=0.002)
    assert inverse_root(n) / (1 << 24) == pytest.approx(1 / math.sqrt(n), rel=0.01, abs=1e-6)


def test_no_value_is_certain_with_hidden_information() -> None:
    for name, certain in (("nim", True), ("kuhn_poker", False)):
        [state] = decisions(game(name, "native"), 1, 1, 1)
        sight = state.game.knowledge.visibility_mask(state.cells, state.seat)
        weighed = game(name, "native").backend.evaluate_options(state.cells, sight, [], 3000, 1, CancelToken())
        assert any(tried.certain is not None for tried in weighed) == certain
