"""Worker that measures this program, and what is written by hand beside it."""

from __future__ import annotations

import os
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
from pathlib import Path

from benchmarks import wongar_by_hand
from benchmarks.speed.serving import Series, serve
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
#: Source of the program in C, beside `wongar_by_hand`.
C_SOURCE = "connect_four.c"
#: Figures by name; None for one that needs a missing compiler.
Figures = dict[str, float | None]


@cache
def game(name: str, seats: int, backend: str) -> Game:
    """Return a game ready to play; cached."""
    return library.load(name).game(seats, backend=backend)


@cache
def _series(name: str, seats: int, contestant: str) -> Series | None:
    """Return the random games of a contestant; None if it needs a compiler and there is none."""
    if contestant == "by hand":
        return Series(lambda first, last: wongar_by_hand.playouts(seats, 1, first, last))
    if contestant == "counting":
        return _counting(name, seats)
    runner = game(name, seats, contestant).backend
    return (
        Series(lambda first, last: runner.playouts(1, first, last, MAX_DECISIONS)[0])
        if (runner.name == contestant)
        else None
    )


def _counting(name: str, seats: int) -> Series | None:
    """Return the games in machine code with all simulation metrics counted."""
    rules = library.load(name)
    program = rules.marked(seats, {}, "python").program
    backend, counted = load_backend(program, "native", None), columns(rules.model, program)
    if not isinstance(backend, NativeBackend):
        return None
    machine, length = NativeRunner(backend, counted), counted.sections["length"]
    return Series(lambda first, last: tally(machine.games(1, first, last, MAX_DECISIONS, True, False)).sums[length])


def rate(name: str, seats: int, contestant: str, seconds: float) -> float | None:
    """Return the decisions per second in random games; None without a compiler that is needed."""
    series = _series(name, seats, contestant)
    return series.rate(seconds) if series is not None else None


@cache
def c_program(folder: str) -> Path | None:
    """Compile Connect Four written by hand in C, like generated code, in a folder; None on failure."""
    program = Path(folder) / "connect_four"
    try:
        command = [*compiler(), "-std=c11", "-O2", "-o", program, Path(wongar_by_hand.__file__).with_name(C_SOURCE)]
        subprocess.run(command, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return program


def c_rate(folder: str, style: str, games: int, seed: int) -> float | None:
    """Return the decisions per second of a variant of the C program; None if it cannot be compiled."""
    program = c_program(folder)
    if program is None:
        return None
    command = [program, style, str(games), str(seed)]
    output = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    return int(output[0]) / float(output[1])


def proof(name: str, seats: int, backend: str) -> tuple[int, int]:
    """Return the decisions of the first games and a fingerprint of their final positions."""
    return game(name, seats, backend).backend.playouts(1, 0, PROOF, MAX_DECISIONS)


def cores(name: str, seats: int, seconds: float) -> dict[str, float]:
    """Measure the same work on one thread and on two, in games per second of wall-clock and of processor time."""
    runner = game(name, seats, "native").backend
    games = 1

    def work(first: int) -> None:
        runner.playouts(1, first, first + games, MAX_DECISIONS)

    while (took := _clocked(lambda: work(0))[0]) < seconds:
        games = max(games + 1, min(10 * games, int(games * seconds / max(took, 1e-6) * 1.1)))
    with ThreadPoolExecutor(2) as threads:
        clock, spent = _clocked(lambda: work(0))
        both_clock, both_spent = _clocked(lambda: [*threads.map(work, (games, 2 * games))])
    rates = {"one clock": clock, "one spent": spent, "two clock": both_clock / 2, "two spent": both_spent / 2}
    return {figure: games / seconds for figure, seconds in rates.items()}


def _clocked(action: Callable[[], object], *whose: int) -> tuple[float, float]:
    """Return the seconds of wall-clock and of processor time of an action, by default including child processes."""

    def spent() -> float:
        used = map(resource.getrusage, whose or (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(u.ru_utime + u.ru_stime for u in used)

    clock, before = time.perf_counter(), spent()
    action()
    return time.perf_counter() - clock, spent() - before


def _positions(name: str, seats: int) -> list[State]:
    """Return the positions of one random game in order."""
    state = game(name, seats, "python").start(1)[0]
    draw, positions = random.Random(1), []
    while not state.over and len(positions) < 400:
        positions.append(state.copy())
        state.apply(draw.choice(state.legal_moves()))
    return positions


def states(name: str, seats: int) -> Figures:
    """Measure the cost of a copy and of a view in microseconds, and the size of a position in bytes."""
    positions = _positions(name, seats)
    copies = max(1, 20_000 // len(positions))

    def copying() -> None:
        for state in positions:
            for _ in range(copies):
                state.copy()

    def viewing() -> None:
        for state in positions:
            observe(state, state.seat)

    copy, view = (_clocked(action)[1] / len(positions) * 1e6 for action in (copying, viewing))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    fresh = [[*map(_fresh, state.cells)] for state in positions]
    memory = (tracemalloc.get_traced_memory()[0] - before) / len(fresh)
    tracemalloc.stop()
    return {"copy": copy / copies, "view": view, "python": memory, "native": CELL_BYTES * len(positions[0].cells)}


def _fresh(cell: int) -> int:
    """Return an equal integer object that shares no memory, unless Python caches it."""
    return int(str(cell))


def making(name: str, seats: int) -> Figures:
    """Measure the processor seconds for parsing, Python generation, C generation and compilation, and the code size."""
    program = game(name, seats, "python").program
    source = generate(program)
    steps: dict[str, Callable[[], object]] = {
        "read": lambda: read(name),
        "python": lambda: compile(generate_python(program, telling=False), "program", "exec"),
        "generate": lambda: generate(program),
    }
    if compiler():
        steps["compile"] = lambda: _compile(source)
    spent = {step: _clocked(action)[1] for step, action in steps.items()}
    return {**spent, "bytes": len(source), "lines": source.count("\n")}


def _compile(source: str) -> None:
    """Compile as the backend does, but without a cache."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*compiler(), *FLAGS, "-x", "c", "-", "-o", f"{folder}/game.so"]
        subprocess.run(command, input=source, text=True, check=True)


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


def loading(name: str, seats: int, folder: str) -> Figures:
    """Measure the seconds until a cached game is at its first decision."""

    def once(backend: str) -> float:
        command = [sys.executable, "-c", _LOADING, name, str(seats), folder, backend]
        return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    return {f"warm {backend}": once(backend) for backend in ("python", "native")}


#: Processes whose start is measured: a game up to its first prompt, and the imports that it cannot avoid.
_STARTED = {
    "play": "from wongar_dsl.cli.main import main; main()",
    "imports": "import click, babel, prompt_toolkit, yaml",
}


def start_up(folder: str, program: str) -> dict[str, float]:
    """Measure the seconds of processor time and of wall-clock of a process, with its caches in a folder."""
    environment = os.environ | {"XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder, "WONGAR_LANG": "en"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    save = f"{folder}/save.json"
    play = ["play", "wongar", "--seats", "human,random,random", "--seed", "3", "--save", save]
    command = [sys.executable, "-c", _STARTED[program], *(play if program == "play" else [])]

    def run() -> None:
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=environment)

    clock, spent = _clocked(run, resource.RUSAGE_CHILDREN)
    return {"spent": spent, "clock": clock}


def grown(path: str, seats: int, seconds: float) -> Figures:
    """Measure all figures of a generated game."""
    rates = {f"{backend}_rate": rate(path, seats, backend, seconds) for backend in ("python", "native")}
    positions = _positions(path, seats)
    options = sum(len(state.legal_moves()) for state in positions) / len(positions)
    return {**making(path, seats), **states(path, seats), **rates, "options": options}


if __name__ == "__main__":
    serve({task.__name__: task for task in (rate, c_rate, proof, cores, states, making, loading, start_up, grown)})
