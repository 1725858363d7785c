"""Search results depend only on the rules, the seed and the information of the deciding seat."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends.ismcts import ONE, inverse_root, root_of_logarithm
from wongar_dsl.compiler.backends.native import library as native_library
from wongar_dsl.compiler.backends.protocol import CancelToken, OptionStats
from wongar_dsl.compiler.backends.rng import Cursor, Generator, Purpose, start
from wongar_dsl.compiler.ir.program import FIRST_FREE
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds

#: Iterations per decision for games that are slow in Python.
ITERATIONS = {"tongiaki": 2, "wongar/initiated": 4}
GAMES = ("connect_four", "goofspiel", "kuhn_poker", "tongiaki", "ubongo", "wongar/initiated")
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


BOTH = ("python", "native")


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


def weighed(
    played: Game, state: State, iterations: int, *, worlds: Sequence[list[int]] = (), seed: int = 1,
    halt: CancelToken | None = None,
) -> list[OptionStats]:  # fmt: skip
    """Return the values of the options of a state for its seat."""
    sight = state.game.knowledge.visibility_mask(state.cells, state.seat)
    return played.backend.evaluate_options(state.cells, sight, worlds, iterations, seed, halt or CancelToken())


@pytest.mark.parametrize("name", GAMES)
def test_option_values_are_the_same_in_python_and_machine_code(name: str) -> None:
    for number, state in enumerate(decisions(game(name, "python"), 3, 7, 2)):
        worlds = SampledWorlds(state, state.seat)
        dealt = [] if worlds.only_zones_hidden else [worlds.sample(Generator(n)).cells for n in range(3)]
        first, *others = (
            weighed(game(name, backend), state, ITERATIONS.get(name, FEW_ITERATIONS), worlds=dealt, seed=number)
            for backend in (*BOTH, *(["reference"] if name == "goofspiel" else []))
        )
        assert all(other == first for other in others)
        assert sum(tried.visits for tried in first) > 0


def determinized(played: Game, state: State, seat: int | None) -> tuple[list[int], Cursor]:
    """Return the cells of a world that looks the same to a seat, and the cursor after the draws."""
    cells, sight = state.cells.copy(), played.knowledge.visibility_mask(state.cells, seat)
    return cells, played.backend.determinize(cells, sight, start(9, Purpose.SAMPLING))


@pytest.mark.parametrize("name", GAMES)
def test_determinization_is_the_same_in_python_and_machine_code(name: str) -> None:
    for state in decisions(game(name, "python"), 5, 3, 12):
        for seat in (*range(state.game.seats), None):
            python, native = (determinized(game(name, backend), state, seat) for backend in BOTH)
            assert python == native
            looks = state.game.knowledge.view
            assert looks(python[0], seat) == looks(state.cells, seat)


@pytest.mark.parametrize("name", ["connect_four", "ubongo"])
def test_option_outcomes_are_the_same_in_python_and_machine_code(name: str) -> None:
    for state in decisions(game(name, "python"), 5, 5, 3):
        python, native = (
            game(name, backend).backend.outcomes(state.cells, state.options()[:2], 7, 200) for backend in BOTH
        )
        assert python == native
        assert len(python) == 2


def test_long_clock_times_are_dealt_the_same_on_both_backends(tmp_path: Path) -> None:
    rules = library.load(write_rules(tmp_path, LONG))
    state, _ = rules.game(2, backend="python").start(1)
    state.apply(state.legal_moves()[0])
    python, native = (determinized(rules.game(2, backend=backend), state, 1) for backend in BOTH)
    assert python == native
    assert max(python[0][FIRST_FREE:]) > 1 << 32


def test_many_options_are_searched_argument_by_argument(tmp_path: Path) -> None:
    rules = library.load(write_rules(tmp_path, MANY_OPTIONS))
    state, _ = rules.game(2).start(1)
    python, native = (weighed(rules.game(2, backend=backend), state, 600, seed=4) for backend in BOTH)
    assert python == native
    best = max(range(64), key=lambda number: python[number].visits)
    assert state.write(state.legal_moves()[best]) == "aim(c, six)"


def test_unrevealed_simultaneous_choice_does_not_affect_the_search() -> None:
    """The second of two simultaneous choices gets the same values for every first choice."""
    played = game("goofspiel", "native")
    state, _ = played.start(2)
    second = []
    for move in state.legal_moves():
        after = state.copy()
        after.apply(move)
        assert after.seat != state.seat
        second.append(weighed(played, after, USUAL))
    assert second[0] == second[1] == second[2]


def test_search_is_restarted_with_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    [state] = decisions(game("connect_four", "native"), 1, 1, 1)
    expected = weighed(game("connect_four", "native"), state, 4000)
    monkeypatch.setattr(native_library, "INITIAL_MEMORY_BYTES", 1 << 14)
    assert weighed(library.load("connect_four").game(2, backend="native"), state, 4000) == expected


def test_halted_search_returns_its_results_so_far() -> None:
    [state] = decisions(game("connect_four", "native"), 1, 1, 1)
    halt = CancelToken()
    halt.cancel()
    for backend in BOTH:
        values = weighed(game("connect_four", backend), state, 0, halt=halt)
        assert [tried.visits for tried in values] == [0] * 7


@pytest.mark.parametrize("n", [1, 2, 3, 7, 255, 256, 1000, 4095, 100_000, (1 << 32) - 1])
def test_integer_roots_and_logarithms_are_accurate(n: int) -> None:
    assert root_of_logarithm(n) / ONE == pytest.approx(math.sqrt(math.log(n)), abs=0.002)
    assert inverse_root(n) / (1 << 24) == pytest.approx(1 / math.sqrt(n), rel=0.01, abs=1e-6)


def test_no_value_is_certain_with_hidden_information() -> None:
    for name, certain in (("nim", True), ("kuhn_poker", False)):
        [state] = decisions(game(name, "native"), 1, 1, 1)
        values = weighed(game(name, "native"), state, 3000)
        assert any(tried.certain is not None for tried in values) == certain
