"""Tasks of the worker that measures this program."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from benchmarks import wongar_by_hand
from wongar_dsl.compiler.backends.native import NativeBackend, generate
from wongar_dsl.compiler.backends.native.compiler import FLAGS, compiler
from wongar_dsl.compiler.backends.python_generator import generate as generate_python
from wongar_dsl.compiler.backends.registry import load_backend
from wongar_dsl.engine import MAX_DECISIONS, Game, State, library
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library.loader import read
from wongar_dsl.lab.metrics import columns
from wongar_dsl.lab.simulator import NativeRunner, tally

#: Bytes per state cell in machine code.
CELL_BYTES = 8
#: Number of games compared between backends before measuring.
PROOF = 3


@cache
def game(name: str, seats: int, backend: str) -> Game:
    """Return a game ready to play; cached."""
    return library.load(name).game(seats, backend=backend)


@cache
def _series(name: str, seats: int, backend: str) -> dict[str, int]:
    """Return the state of a series of games: number of games per call, and the next game number."""
    return {"chunk": 1, "next": 0}


def rate(name: str, seats: int, backend: str, seconds: float) -> dict[str, Any]:
    """Play random games for some seconds of processor time."""
    runner = game(name, seats, backend).backend
    if runner.name != backend:
        return {"decisions": 0, "games": 0, "seconds": 0.0}

    def play(first: int, last: int) -> int:
        return runner.playouts(1, first, last, MAX_DECISIONS)[0]

    return _rate(play, _series(name, seats, backend), seconds)


def by_hand(seats: int, seconds: float) -> dict[str, Any]:
    """Play random games with the hand-written Python version of Wongar."""

    def play(first: int, last: int) -> int:
        return wongar_by_hand.playouts(seats, 1, first, last)

    return _rate(play, _series("wongar", seats, "by hand"), seconds)


@cache
def _counting(name: str, seats: int) -> tuple[NativeRunner, int] | None:
    """Return the counter for all simulation metrics and the column of decisions; None without a compiler."""
    rules = library.load(name)
    marked = rules.marked(seats, {}, "python")
    backend = load_backend(marked.program, "native", None)
    counted = columns(rules.model, marked.program)
    return (NativeRunner(backend, counted), counted.sections["length"]) if isinstance(backend, NativeBackend) else None


def counting(name: str, seats: int, seconds: float) -> dict[str, Any]:
    """Play random games in machine code, with all simulation metrics counted."""
    made = _counting(name, seats)
    if made is None:
        return {"decisions": 0, "games": 0, "seconds": 0.0}
    machine, length = made

    def play(first: int, last: int) -> int:
        return tally(machine.games(1, first, last, MAX_DECISIONS, True, False)).sums[length]

    return _rate(play, _series(name, seats, "counting"), seconds)


def _rate(play: Callable[[int, int], int], series: dict[str, int], seconds: float) -> dict[str, Any]:
    """Play games of a series for some seconds of processor time."""
    decisions = games = 0
    spent = 0.0
    while spent < seconds:
        first, chunk = series["next"], series["chunk"]
        begin = time.process_time()
        decisions += play(first, first + chunk)
        took = time.process_time() - begin
        spent += took
        games += chunk
        series["next"] += chunk
        if took < seconds / 8:
            series["chunk"] *= 2
    return {"decisions": decisions, "games": games, "seconds": spent}


def proof(name: str, seats: int, backend: str) -> dict[str, Any]:
    """Return the decisions of the first games and a fingerprint of their final positions."""
    return {"proof": game(name, seats, backend).backend.playouts(1, 0, PROOF, MAX_DECISIONS)}


def cores(name: str, seats: int, seconds: float) -> dict[str, Any]:
    """Measure the same work on one thread and on two, in seconds of wall-clock and processor time per game."""
    runner = game(name, seats, "native").backend
    games = 1

    def work(first: int) -> None:
        runner.playouts(1, first, first + games, MAX_DECISIONS)

    while (took := _clocked(lambda: work(0))[0]) < seconds:
        games = max(games + 1, min(10 * games, int(games * seconds / max(took, 1e-6) * 1.1)))
    with ThreadPoolExecutor(2) as threads:
        single = _clocked(lambda: work(0))
        two = _clocked(lambda: [*threads.map(work, (games, 2 * games))])
    return {"one": [t / games for t in single], "two": [t / games / 2 for t in two]}


def _clocked(action: Callable[[], object]) -> tuple[float, float]:
    clock, spent = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - clock, time.process_time() - spent


def _positions(name: str, seats: int) -> list[State]:
    """Return the positions of one random game in order."""
    state = game(name, seats, "python").start(1)[0]
    draw, positions = random.Random(1), []
    while not state.over and len(positions) < 400:
        positions.append(state.copy())
        state.apply(draw.choice(state.legal_moves()))
    return positions


def states(name: str, seats: int) -> dict[str, Any]:
    """Measure the cost of a copy and of a view in microseconds, and the size of a position in bytes."""
    positions = _positions(name, seats)
    copies = max(1, 20_000 // len(positions))
    begin = time.process_time()
    for state in positions:
        for _ in range(copies):
            state.copy()
    copy = (time.process_time() - begin) / copies / len(positions)
    begin = time.process_time()
    for state in positions:
        observe(state, state.seat)
    view = (time.process_time() - begin) / len(positions)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    fresh = [[*map(_fresh, state.cells)] for state in positions]
    memory = (tracemalloc.get_traced_memory()[0] - before) / len(fresh)
    tracemalloc.stop()
    native = CELL_BYTES * len(positions[0].cells)
    return {"copy": copy * 1e6, "view": view * 1e6, "python": memory, "native": native}


def _fresh(cell: int) -> int:
    """Return an equal integer object that shares no memory, unless Python caches it."""
    return int(str(cell))


def making(name: str, seats: int) -> dict[str, Any]:
    """Measure the processor seconds for parsing, Python generation, C generation and compilation, and the code size."""
    reading = _seconds(lambda: read(name))
    program = game(name, seats, "python").program
    python = _seconds(lambda: compile(generate_python(program, telling=False), "program", "exec"))
    source = generate(program)
    generating = _seconds(lambda: generate(program))
    compiling = _seconds(lambda: _compile(source)) if compiler() else None
    sizes = {"bytes": len(source), "lines": source.count("\n")}
    return {"read": reading, "python": python, "generate": generating, "compile": compiling, **sizes}


def _compile(source: str) -> None:
    """Compile as the backend does, but without a cache."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*compiler(), *FLAGS, "-x", "c", "-", "-o", f"{folder}/game.so"]
        subprocess.run(command, input=source, text=True, check=True)


def _seconds(action: Callable[[], object]) -> float:
    """Return the processor seconds of an action, including its child processes."""
    before = _spent()
    action()
    return _spent() - before


def _spent() -> float:
    used = (resource.getrusage(target) for target in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


#: Script of a new process that loads a game; it prints the duration without imports.
_LOADING = """
import sys, time
from pathlib import Path
from wongar_dsl.engine import library
from wongar_dsl.compiler.backends.native import backend
from wongar_dsl.base.storage.cache import Cache
name, seats, folder, kind = sys.argv[1:]
begin = time.process_time()
made = library.load(name, Cache(Path(folder))).game(int(seats), None, kind, Cache(Path(folder)))
made.backend.advance(made.backend.start(1))
print(time.process_time() - begin)
"""


def loading(name: str, seats: int, folder: str) -> dict[str, Any]:
    """Measure the seconds until a cached game is at its first decision."""

    def once(backend: str) -> float:
        command = [sys.executable, "-c", _LOADING, name, str(seats), folder, backend]
        return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    return {backend: once(backend) for backend in ("python", "native")}


def grown(path: str, seats: int, seconds: float) -> dict[str, Any]:
    """Measure all figures of a generated game."""
    figures = {**making(path, seats), **states(path, seats)}
    for backend in ("python", "native"):
        result = rate(path, seats, backend, seconds)
        figures[f"{backend}_rate"] = result["decisions"] / result["seconds"] if result["seconds"] else None
    positions = _positions(path, seats)
    figures["options"] = sum(len(state.legal_moves()) for state in positions) / len(positions)
    return figures


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    task.__name__: task for task in (rate, by_hand, counting, proof, cores, states, making, loading, grown)
}
