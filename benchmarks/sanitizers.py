"""All functions of machine code for a game, run once: directly, or in a process under sanitizers.

    python -m benchmarks.sanitizers GAME SEATS SEED [PICKLED_RULES]
    python -m benchmarks.sanitizers --job [--minutes M] [GAME...]

The first form prints the results. The second (`make sanitize`) runs built-in games and hostile files under sanitizers
for some minutes. Random games, perft counts, bot queries, simulation counts and batches use the normal code paths, so
that the memory that Python allocates for them is checked too.
"""

from __future__ import annotations

import argparse
import os
import pickle
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

from wongar_dsl.adapters.batches import Batch, playouts
from wongar_dsl.compiler.backends.native import NativeBackend, compiler
from wongar_dsl.compiler.backends.native import library as native_library
from wongar_dsl.compiler.backends.protocol import CancelToken, RuleFault
from wongar_dsl.compiler.backends.rng import Generator, Purpose, start
from wongar_dsl.engine import Game, PlayFault, State
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.library import _shipped_rules, load
from wongar_dsl.lab import simulator

#: Number of games; maximum number of decisions; and the number of decisions in one game that are analysed, their
#: distance, and the iterations of a search.
GAMES, MAX_DECISIONS, ASKED, DECISION_STEP, ITERATIONS = 20, 3000, 6, 7, 60
#: Number of states in a batch, and number of steps.
STATES, STEPS = 8, 25
#: Games and depths whose perft counts include chance outcomes; elsewhere there are too many of these.
COUNTED = (("kuhn_poker", 2, 6), ("goofspiel", 2, 3), ("nim", 2, 4), ("tictactoe", 2, 5), ("connect_four", 2, 4))
#: Additional compiler flags, and the libraries to preload into Python for them. Checks that take a compiler very long
#: are left out.
SANITIZED = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
RUNTIMES = ("libasan.so", "libubsan.so")
#: Games for `make sanitize`, largest first, and hostile rule files.
QUICK = (
    "tongiaki", "wongar", "wongar/initiated", "ubongo", "ubongo+hard+long", "goofspiel", "kuhn_poker", "nim",
    "connect_four", "tictactoe",
)  # fmt: skip
HOSTILE = [
    Path("tests/attacks/files") / f"{name}.rules"
    for name in ("bug_fill", "bug_layout", "turns", "th2", "nest_for21", "draw_flood", "mem_options", "opts_400k")
]
#: Timeout for compilation in seconds.
COMPILE_TIMEOUT_S = 900


def everything(name: str, seats: int, seed: int) -> Iterator[str]:
    """Yield the results of machine code for a built-in game, one line per query."""
    game = load(name).game(seats, backend="native")
    backend = game.backend
    assert isinstance(backend, NativeBackend)
    yield f"playouts {backend.playouts(seed, 0, GAMES, MAX_DECISIONS)}"
    depth, chance = next((d for n, s, d in COUNTED if (n, s) == (name, seats)), 1), (name, seats) == COUNTED[0][:2]
    yield f"perft {list(backend.perft(seed, depth, chance))}"
    for state in decisions(game, seed):
        yield from asked(backend, state, seed)
    yield f"laboratory {counted(name, seats, seed)}"
    yield f"batch {batched(game, seed)}"
    with_less_room = NativeBackend(game.program, None, lambda: backend)
    with_less_room._idle = [native_library.RunMemory(with_less_room.library, 1 << 12)]
    yield f"with less room {with_less_room.playouts(seed, 0, 1, MAX_DECISIONS)}"


def decisions(game: Game, seed: int) -> Iterator[State]:
    """Yield some decisions of a random game."""
    state, _ = game.start(seed)
    luck = Generator(seed)
    for number in range(ASKED * DECISION_STEP):
        if state.over:
            return
        if number % DECISION_STEP == 0:
            yield state.copy()
        options = state.options()
        game.backend.choose(state.cells, options[luck.below(len(options))])
        state.proceed()


def asked(backend: NativeBackend, state: State, seed: int) -> Iterator[str]:
    """Yield the results of bot queries at a decision: with sampled determinizations, and with given ones."""
    sight = state.game.knowledge.visibility_mask(state.cells, state.seat)
    worlds = SampledWorlds(state, state.seat)
    sampled = [worlds.sample(Generator(number)).cells for number in range(3)]
    for number, dealt in enumerate((sampled, [])):
        yield f"weigh {backend.evaluate_options(state.cells, sight, dealt, ITERATIONS, seed + number, CancelToken())}"
    yield f"outcomes {backend.outcomes(state.cells, state.options()[:5], seed, MAX_DECISIONS)}"
    for seat in (*range(state.game.seats), None):
        cells = state.cells.copy()
        luck = backend.determinize(
            cells, state.game.knowledge.visibility_mask(cells, seat), start(seed, Purpose.SAMPLING)
        )
        yield f"deal {luck} {cells}"


def counted(name: str, seats: int, seed: int, games: int = GAMES, longest: int = MAX_DECISIONS) -> object:
    """Return the simulation counts of two arms with the same rules, and their paired differences."""
    rules = load(name)
    arms = (simulator.Arm(name, ()), simulator.Arm(name, ()))
    plan = simulator.SimulationPlan(arms, ("random",) * seats, True, "native", seed)
    done = simulator.Simulator(plan, (rules, rules)).play(simulator.SimulationTask(0, games, (longest, longest)))
    return [tally.data() for tally in done.tallies], done.pairs


def batched(game: Game, seed: int) -> object:
    """Return the results and observations of a batch of states, and of whole games."""
    batch = Batch(game, STATES, seed)
    seen = []
    for _ in range(STEPS):
        seen.append(batch.observe().tolist())
        batch.step(batch.sample())
    whole = playouts(game, STATES, seed)
    return seen, batch.cells.tolist(), whole.length.tolist(), whole.scores.tolist()


def watched(name: str, seats: int, seed: int, flags: Sequence[str] = SANITIZED) -> tuple[list[str], str]:
    """Run the same in a process under sanitizers; return its output lines and the reports.

    The process is given the checked rules: reading them under sanitizers would take most of its time.
    """
    command = compiler.compiler()
    surroundings = watching(command, flags)
    load(name)
    with tempfile.NamedTemporaryFile() as file:
        file.write(pickle.dumps(_shipped_rules[name]))
        file.flush()
        asking = (sys.executable, "-m", "benchmarks.sanitizers", name, str(seats), str(seed), file.name)
        done = subprocess.run(asking, capture_output=True, text=True, errors="replace", env=surroundings, check=False)
    messages = done.stderr or (f"exit code {done.returncode}" if done.returncode else "")
    return done.stdout.splitlines(), messages


def watching(command: tuple[str, ...], flags: Sequence[str]) -> dict[str, str]:
    """Return the environment for a process under sanitizers; raise FileNotFoundError if unavailable.

    The compiler itself runs without them, which saves a fifth of the time.
    """
    return os.environ | {
        compiler.COMPILER_VARIABLE: shlex.join(("env", "-u", "LD_PRELOAD", *command, *flags)),
        "LD_PRELOAD": " ".join(runtime(command, library) for library in RUNTIMES),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }


def runtime(command: tuple[str, ...], library: str) -> str:
    """Return the path of a sanitizer library of a compiler; raise FileNotFoundError if it has none."""
    asking = (*command, f"-print-file-name={library}")
    path = subprocess.run(asking, capture_output=True, text=True, check=True).stdout.strip()
    if not os.path.isabs(path):
        raise FileNotFoundError(f"{shlex.join(command)} has no {library}")
    return path


def job(names: Sequence[str], minutes: float) -> int:
    """Run games under sanitizers until the time is over; return 1 on any report, or if none finished."""
    command = compiler.compiler()
    try:
        for library in RUNTIMES:
            runtime(command, library)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"not run: there is no C compiler with sanitizers ({error})", file=sys.stderr)
        return 0
    end = time.monotonic() + 60 * minutes
    surroundings = watching(command, SANITIZED)
    waiting = list(names)
    running: dict[subprocess.Popen[str], tuple[str, IO[str]]] = {}
    finished, wrong = 0, 0
    while (waiting or running) and time.monotonic() < end:
        while waiting and len(running) < max(1, min(2, os.cpu_count() or 1)):
            name = waiting.pop(0)
            low = load(name).model.players[0]
            asking = (sys.executable, "-m", "benchmarks.sanitizers", "--quick", name, str(low), "1")
            log = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 (closed when it has been read)
            process = subprocess.Popen(
                asking, stdout=subprocess.DEVNULL, stderr=log, text=True, env=surroundings, start_new_session=True
            )
            running[process] = name, log
        for process in [p for p in running if p.poll() is not None]:
            name, log = running.pop(process)
            log.seek(0)
            text = log.read()
            log.close()
            bad = process.returncode != 0 or bool(text)
            print(f"{'WRONG' if bad else 'clean':6} {name}", flush=True)
            if bad:
                print(text[-3000:] or f"exit code {process.returncode}", file=sys.stderr)
            finished, wrong = finished + 1, wrong + bad
        time.sleep(0.1)
    for process, (name, log) in running.items():
        os.killpg(process.pid, signal.SIGKILL)  # Kills its compiler too.
        process.wait()
        log.close()
        waiting.append(name)
    print(f"{finished} watched, {wrong} wrong" + (f"; no time for {', '.join(waiting)}" if waiting else ""))
    return int(wrong > 0 or not finished)


def quickly(name: str, seats: int, seed: int) -> Iterator[str]:
    """Yield the results of machine code for fewer and shorter games; they may stop with a fault in the rules."""
    game = load(name).game(seats, backend="native")
    backend = game.backend
    assert isinstance(backend, NativeBackend), name
    for action in (
        lambda: backend.playouts(seed, 0, 2, 400),
        lambda: list(backend.perft(seed, 1, False)),
        lambda: counted(name, seats, seed, 2, 400),
    ):
        try:
            yield str(action())
        except (RuleFault, PlayFault) as fault:
            yield type(fault).__name__
    try:
        for state in islice(decisions(game, seed), 2):
            yield from asked(backend, state, seed)
    except (RuleFault, PlayFault) as fault:
        yield type(fault).__name__


def main(arguments: list[str]) -> int:
    """Print the results of machine code, compiled with the flags from the environment."""
    if arguments[:1] == ["--job"]:
        read = argparse.ArgumentParser(prog="python -m benchmarks.sanitizers --job")
        read.add_argument("--minutes", type=float, default=3)
        read.add_argument("games", nargs="*")
        options = read.parse_args(arguments[1:])
        return job(options.games or (*QUICK, *map(str, sorted(HOSTILE))), options.minutes)
    quick = arguments[:1] == ["--quick"]
    name, seats, seed, *given = arguments[quick:]
    for path in given:
        _shipped_rules[name] = pickle.loads(Path(path).read_bytes())
    compiler.COMPILE_TIMEOUT_S = COMPILE_TIMEOUT_S
    flags = tuple(flag for flag in compiler.FLAGS if flag != "-O2")
    native_library.compile_library = lambda source, cache: compiler.compile_library(source, cache, flags)
    for line in (quickly if quick else everything)(name, int(seats), int(seed)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
