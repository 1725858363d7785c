"""Programs as machine code: the same games as in Python, to the bit."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType

import pytest

from wongar_dsl import ir, library
from wongar_dsl.backends import load_backend
from wongar_dsl.backends.native import compiler, memory
from wongar_dsl.backends.native import library as native_library
from wongar_dsl.backends.protocol import Backend

LONG = 5000


@pytest.fixture(scope="module", autouse=True)
def as_users_have_it() -> Iterator[None]:
    """What is compiled here is compiled with all that the compiler can do."""
    patch = pytest.MonkeyPatch()
    patch.setattr(native_library, "compiled", compiler.compiled)
    yield
    patch.undo()


@cache
def program(name: str, seats: int = 0) -> ir.Program:
    rules = library.load(name)
    return rules.game(seats or rules.model.players[0]).program


@cache
def made(name: str, backend: str) -> Backend:
    return load_backend(program(name), backend)


@pytest.mark.parametrize("name", list(library.shipped_names()))
def test_whole_games_are_the_same_as_in_python(name: str) -> None:
    series = [made(name, backend).playouts(11, 3, 6, LONG) for backend in ("python", "native")]
    assert series[0] == series[1]
    assert series[0][0] > 0


@pytest.mark.parametrize(
    ("name", "depth", "chance"),
    [
        ("tictactoe", 9, False),
        ("nim", 6, False),
        ("kuhn_poker", 8, True),
        ("goofspiel", 3, True),
        ("tongiaki", 2, False),
    ],
)
def test_courses_are_counted_the_same_as_in_python(name: str, depth: int, chance: bool) -> None:
    counts = [list(made(name, backend).perft(5, depth, chance)) for backend in ("python", "native")]
    assert counts[0] == counts[1]
    assert len(counts[0]) > 1


def test_a_playout_goes_on_from_a_state_and_leaves_the_stream_where_it_stands() -> None:
    states = [made("wongar", backend).start(4) for backend in ("python", "native")]
    ends = [
        made("wongar", backend).playout(state, (17, 5), 40)
        for backend, state in zip(("python", "native"), states, strict=True)
    ]
    assert ends[0] == ends[1]
    assert ends[0][0] == 40
    assert states[0] == states[1]


def test_a_run_without_room_is_begun_again_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = made("tongiaki", "python").playouts(2, 0, 2, LONG)
    monkeypatch.setattr(memory, "FIRST_ROOM", 1 << 12)
    assert load_backend(program("tongiaki"), "native").playouts(2, 0, 2, LONG) == wanted


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Ctrl-C after so long."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_what_takes_long_can_be_interrupted() -> None:
    backend = made("nim", "native")
    with interrupted(0.3):
        backend.playouts(1, 0, 1 << 40, LONG)
    assert backend.playouts(1, 0, 2, LONG) == made("nim", "python").playouts(1, 0, 2, LONG)


def test_a_count_is_broken_off_in_the_middle_of_a_roll() -> None:
    """All orders of a pile of cards are more than can be counted."""
    backend = made("wongar", "native")
    with interrupted(0.3):
        list(backend.perft(1, 1, True))
    assert backend.playouts(1, 0, 1, LONG) == made("wongar", "python").playouts(1, 0, 1, LONG)
