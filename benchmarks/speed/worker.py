"""What a process does that measures this program."""

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
from wongar_dsl import library
from wongar_dsl.backends.native import NativeBackend, generate
from wongar_dsl.backends.native.compiler import FLAGS, compiler
from wongar_dsl.backends.python.generator import generate as generate_python
from wongar_dsl.backends.registry import load_backend
from wongar_dsl.engine import MAX_DECISIONS, Game, State
from wongar_dsl.engine.observation import observe
from wongar_dsl.lab.columns import columns
from wongar_dsl.lab.machine import Machine, tally
from wongar_dsl.library.loader import read

#: What a cell of a state takes as machine code.
CELL_BYTES = 8
#: So many games are played on every backend before it is measured: they must be the same ones.
PROOF = 3


@cache
def game(name: str, seats: int, backend: str) -> Game:
    """A game ready to be played, made once."""
    return library.load(name).game(seats, backend=backend)


@cache
def _series(name: str, seats: int, backend: str) -> dict[str, int]:
    """How many games are played in one go, and from which number on."""
    return {"chunk": 1, "next": 0}


def rate(name: str, seats: int, backend: str, seconds: float) -> dict[str, Any]:
    """Random games for some seconds of processor time."""
    runner = game(name, seats, backend).backend
    if runner.name != backend:
        return {"decisions": 0, "games": 0, "seconds": 0.0}

    def play(first: int, last: int) -> int:
        return runner.playouts(1, first, last, MAX_DECISIONS)[0]

    return _rate(play, _series(name, seats, backend), seconds)


def by_hand(seats: int, seconds: float) -> dict[str, Any]:
    """The same of Wongar as it is written by hand in Python."""

    def play(first: int, last: int) -> int:
        return wongar_by_hand.playouts(seats, 1, first, last)

    return _rate(play, _series("wongar", seats, "by hand"), seconds)


@cache
def _counting(name: str, seats: int) -> tuple[Machine, int] | None:
    """What counts all that a simulation tells, and in which column the decisions stand; none without a compiler."""
    rules = library.load(name)
    marked = rules.marked(seats, {}, "python")
    backend = load_backend(marked.program, "native", None)
    counted = columns(rules.model, marked.program)
    return (Machine(backend, counted), counted.sections["length"]) if isinstance(backend, NativeBackend) else None


def counting(name: str, seats: int, seconds: float) -> dict[str, Any]:
    """The same as machine code, with all counted that a simulation tells."""
    made = _counting(name, seats)
    if made is None:
        return {"decisions": 0, "games": 0, "seconds": 0.0}
    machine, length = made

    def play(first: int, last: int) -> int:
        return tally(machine.games(1, first, last, MAX_DECISIONS, True, False)).sums[length]

    return _rate(play, _series(name, seats, "counting"), seconds)


def _rate(play: Callable[[int, int], int], series: dict[str, int], seconds: float) -> dict[str, Any]:
    """Games of a series for some seconds of processor time."""
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
    """What the first games come to: decisions and a fingerprint of the last positions."""
    return {"proof": game(name, seats, backend).backend.playouts(1, 0, PROOF, MAX_DECISIONS)}


def cores(name: str, seats: int, seconds: float) -> dict[str, Any]:
    """The same work on one thread and on two, in seconds of the clock and of processor time for each game."""
    runner = game(name, seats, "native").backend
    games = 1

    def work(first: int) -> None:
        runner.playouts(1, first, first + games, MAX_DECISIONS)

    while (took := _clocked(lambda: work(0))[0]) < seconds:
        games = max(games + 1, min(10 * games, int(games * seconds / max(took, 1e-6) * 1.1)))
    with ThreadPoolExecutor(2) as threads:
        one = _clocked(lambda: work(0))
        two = _clocked(lambda: [*threads.map(work, (games, 2 * games))])
    return {"one": [t / games for t in one], "two": [t / games / 2 for t in two]}


def _clocked(action: Callable[[], object]) -> tuple[float, float]:
    clock, spent = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - clock, time.process_time() - spent


def _positions(name: str, seats: int) -> list[State]:
    """Positions of one random game, in their order."""
    state = game(name, seats, "python").start(1)[0]
    draw, found = random.Random(1), []
    while not state.over and len(found) < 400:
        found.append(state.copy())
        state.apply(draw.choice(state.legal_moves()))
    return found


def states(name: str, seats: int) -> dict[str, Any]:
    """What a copy and a view cost, in microseconds, and how many bytes a position takes."""
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
    kept = [[*map(_fresh, state.cells)] for state in positions]
    memory = (tracemalloc.get_traced_memory()[0] - before) / len(kept)
    tracemalloc.stop()
    native = CELL_BYTES * len(positions[0].cells)
    return {"copy": copy * 1e6, "view": view * 1e6, "python": memory, "native": native}


def _fresh(cell: int) -> int:
    """An equal number that shares no memory, where Python does not keep it once for all."""
    return int(str(cell))


def making(name: str, seats: int) -> dict[str, Any]:
    """Processor seconds to read the rules, to make Python of them, C, and a library of that; and its size in bytes."""
    reading = _seconds(lambda: read(name))
    program = game(name, seats, "python").program
    python = _seconds(lambda: compile(generate_python(program, telling=False), "program", "exec"))
    source = generate(program)
    generating = _seconds(lambda: generate(program))
    compiling = _seconds(lambda: _compile(source)) if compiler() else None
    sizes = {"bytes": len(source), "lines": source.count("\n")}
    return {"read": reading, "python": python, "generate": generating, "compile": compiling, **sizes}


def _compile(source: str) -> None:
    """As the backend does it, but always anew."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*compiler(), *FLAGS, "-x", "c", "-", "-o", f"{folder}/game.so"]
        subprocess.run(command, input=source, text=True, check=True)


def _seconds(action: Callable[[], object]) -> float:
    """Processor seconds, those of other processes that the action starts among them."""
    before = _spent()
    action()
    return _spent() - before


def _spent() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


#: What a new process does to have a game at hand; it prints how long the last part of it took.
_LOADING = """
import sys, time
from pathlib import Path
from wongar_dsl import library
from wongar_dsl.backends.native import backend
from wongar_dsl.cache import Cache
name, seats, folder, kind = sys.argv[1:]
begin = time.process_time()
made = library.load(name, Cache(Path(folder))).game(int(seats), None, kind, Cache(Path(folder)))
made.backend.advance(made.backend.start(1))
print(time.process_time() - begin)
"""


def loading(name: str, seats: int, folder: str) -> dict[str, Any]:
    """Seconds until a game that is in the cache is at its first decision."""

    def once(backend: str) -> float:
        command = [sys.executable, "-c", _LOADING, name, str(seats), folder, backend]
        return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    return {backend: once(backend) for backend in ("python", "native")}


def grown(path: str, seats: int, seconds: float) -> dict[str, Any]:
    """Everything about a generated game."""
    found = {**making(path, seats), **states(path, seats)}
    for backend in ("python", "native"):
        told = rate(path, seats, backend, seconds)
        found[f"{backend}_rate"] = told["decisions"] / told["seconds"] if told["seconds"] else None
    positions = _positions(path, seats)
    found["options"] = sum(len(state.legal_moves()) for state in positions) / len(positions)
    return found


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    task.__name__: task for task in (rate, by_hand, counting, proof, cores, states, making, loading, grown)
}
