"""Machine code plays the same games as Python, bit by bit."""

from __future__ import annotations

import ctypes
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

import pytest

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import load_backend
from wongar_dsl.compiler.backends.bulk import Backend
from wongar_dsl.compiler.backends.native import compiler, generate
from wongar_dsl.compiler.backends.native import library as native_library
from wongar_dsl.engine import library

LONG = 5000
#: Games whose machine code is optimized here. All games are played without in `tests/properties/test_games.py`.
GAMES = ("connect_four", "kuhn_poker", "tongiaki", "ubongo", "wongar/initiated")
#: The library compiled from each source.
LIBRARIES: dict[str, bytes] = {}


@pytest.fixture(scope="module", autouse=True)
def full_optimization() -> Iterator[None]:
    """Compile with all optimizations, as for users, and keep the libraries."""
    patch = pytest.MonkeyPatch()
    loaded = compiler._loaded

    def keep(data: bytes, source: str, cache: Cache | None) -> ctypes.CDLL:
        LIBRARIES[source] = data
        return loaded(data, source, cache)

    patch.setattr(native_library, "compile_library", compiler.compile_library)
    patch.setattr(compiler, "_at_hand", {})
    patch.setattr(compiler, "_loaded", keep)
    yield
    patch.undo()


@cache
def program(name: str) -> ir.Program:
    rules = library.load(name)
    return rules.game(rules.model.players[0]).program


@cache
def backend_of(name: str, backend: str) -> Backend:
    return load_backend(program(name), backend)


@pytest.mark.parametrize("name", GAMES)
def test_playouts_are_the_same_as_in_python(name: str) -> None:
    series = [backend_of(name, backend).playouts(11, 3, 6, LONG) for backend in ("python", "native")]
    assert series[0] == series[1]
    assert series[0][0] > 0


@pytest.mark.parametrize("name", GAMES)
def test_machine_code_has_no_undefined_symbols(name: str, tmp_path: Path) -> None:
    backend_of(name, "native")
    made = tmp_path / "game.so"
    made.write_bytes(LIBRARIES[generate(program(name))])
    tool = shutil.which("nm")
    assert tool is not None
    symbols = subprocess.run([tool, "-D", "--undefined-only", made], capture_output=True, check=True, text=True)
    assert symbols.stdout == ""


@pytest.mark.parametrize(
    ("name", "depth", "chance"), [("connect_four", 4, False), ("kuhn_poker", 8, True), ("tongiaki", 2, False)]
)
def test_perft_is_the_same_as_in_python(name: str, depth: int, chance: bool) -> None:
    counts = [list(backend_of(name, backend).perft(5, depth, chance)) for backend in ("python", "native")]
    assert counts[0] == counts[1]
    assert len(counts[0]) > 1


def test_playout_from_a_state_returns_the_same_cursor() -> None:
    states, ends = [], []
    for backend in (backend_of("wongar/initiated", name) for name in ("python", "native")):
        states.append(backend.start(4))
        ends.append(backend.playout(states[-1], (17, 5), 40))
    assert ends[0] == ends[1]
    assert ends[0][0] == 40
    assert states[0] == states[1]


def test_run_is_restarted_with_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = backend_of("tongiaki", "python").playouts(2, 0, 2, LONG)
    monkeypatch.setattr(native_library, "INITIAL_MEMORY_BYTES", 1 << 12)
    assert load_backend(program("tongiaki"), "native").playouts(2, 0, 2, LONG) == expected


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Expect that Ctrl-C after this many seconds stops the block."""

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


def test_long_playouts_can_be_interrupted() -> None:
    backend = backend_of("connect_four", "native")
    with interrupted_after(0.2):
        backend.playouts(1, 0, 1 << 40, LONG)
    assert backend.playouts(1, 0, 2, LONG) == backend_of("connect_four", "python").playouts(1, 0, 2, LONG)


def test_perft_can_be_interrupted_within_a_chance_node() -> None:
    """A pile of cards has more orders than can be counted."""
    backend = backend_of("wongar/initiated", "native")
    with interrupted_after(0.2):
        list(backend.perft(1, 1, True))
    assert backend.playouts(1, 0, 1, LONG) == backend_of("wongar/initiated", "python").playouts(1, 0, 1, LONG)
