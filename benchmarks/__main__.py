"""The table of `make bench`: medians of interleaved rounds, all in one run on one machine.

Every number is per second of processor time, so that other work on the machine weighs little.
"""

from __future__ import annotations

import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from statistics import median

from wongar_dsl import library
from wongar_dsl.backends.python import generate
from wongar_dsl.engine import Game

ROUNDS = 5
SECONDS = 0.6
HERE = Path(__file__).parent
OPENSPIEL = {"tictactoe": "tic_tac_toe", "connect_four": "connect_four", "kuhn_poker": "kuhn_poker"}
SEATS = {"tongiaki": 4}


def rate(game: Game, seconds: float) -> dict[str, float]:
    """Random playouts and decisions per second, without events."""
    runner = game.backend
    draw = random.Random(1).random
    playouts = decisions = 0
    begin = time.process_time()
    while not playouts or time.process_time() - begin < seconds:
        state = runner.start(playouts)
        options = runner.advance(state)
        while options:
            runner.choose(state, options[int(draw() * len(options))])
            options = runner.advance(state)
            decisions += 1
        playouts += 1
    spent = time.process_time() - begin
    return {"playouts": playouts / spent, "decisions": decisions / spent}


def seconds_of(action: Callable[[], object], times: int = 1) -> float:
    """The processor time of an action."""
    begin = time.process_time()
    for _ in range(times):
        action()
    return (time.process_time() - begin) / times


def openspiel() -> subprocess.Popen[str] | None:
    """A process that measures OpenSpiel, in an environment of its own; None where the package cannot be had."""
    folder = Path(os.environ.get("BENCH_ENV", HERE.parent / ".bench"))
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    try:
        if not python.exists():
            venv.create(folder, with_pip=True)
            subprocess.run([python, "-m", "pip", "install", "-q", "open_spiel"], check=True, timeout=600)
        subprocess.run([python, "-c", "import pyspiel"], check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        print("open_spiel could not be installed: its column stays empty", file=sys.stderr)
        return None
    return subprocess.Popen(
        [python, HERE / "loop.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )


def ask(process: subprocess.Popen[str], name: str) -> dict[str, float]:
    """One round of OpenSpiel."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{name} {SECONDS}\n")
    process.stdin.flush()
    answer: dict[str, float] = json.loads(process.stdout.readline())
    return answer


def games() -> list[str]:
    """All games and variants that come with the program."""
    return list(library.shipped_names())


def start_up() -> tuple[float, float]:
    """Processor seconds until the first prompt of a game, and for the imports that no front-end can do without."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"XDG_CACHE_HOME": home, "XDG_DATA_HOME": home, "WONGAR_LANG": "en"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        begin = "from wongar_dsl.cli.main import main; main()"
        play = [sys.executable, "-c", begin, "play", "wongar", "--seats", "human,random,random"]
        play += ["--seed", "3", "--save", str(Path(home) / "save.json")]
        imports = [sys.executable, "-c", "import lark, babel, click, prompt_toolkit"]
        rounds = []
        for number in range(ROUNDS + 1):
            pair = []
            for command in (play, imports):
                before = os.times()
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=environment)
                after = os.times()
                pair.append(sum(after[2:4]) - sum(before[2:4]))
            if number:  # the first round fills the caches
                rounds.append(pair)
    return median(r[0] for r in rounds), median(r[1] for r in rounds)


def main() -> None:
    """Measure everything and print the table."""
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    )
    names = games()
    rules = {n: library.load(n) for n in names}
    seats = {n: SEATS.get(n.split("/")[0], rules[n].model.players[0]) for n in names}
    made = {(n, b): rules[n].game(seats[n], backend=b) for n in names for b in ("python", "reference")}
    other = openspiel()
    rates: dict[tuple[str, str], list[dict[str, float]]] = {}
    for _ in range(ROUNDS):
        for name in names:
            for backend in ("python", "reference"):
                rates.setdefault((name, backend), []).append(rate(made[name, backend], SECONDS))
            if other is not None and name in OPENSPIEL:
                rates.setdefault((name, "openspiel"), []).append(ask(other, OPENSPIEL[name]))
    print(f"{'game':20} {'seats':>6} {'playouts/s':>12} {'decisions/s':>12} {'reference':>10} {'ratio':>6}  ", end="")
    print(f"{'OpenSpiel':>9}  {'ratio':>5} {'state':>6} {'copy µs':>8} {'compile ms':>11}")
    for name in names:
        print(row(name, seats[name], rates, made[name, "python"]))
    if other is not None:
        other.terminate()
    first, imports = start_up()
    print(f"first prompt {first * 1000:.0f} ms, imports alone {imports * 1000:.0f} ms, ratio {first / imports:.2f}")


def row(name: str, seats: int, rates: dict[tuple[str, str], list[dict[str, float]]], game: Game) -> str:
    """One line of the table."""

    def middle(backend: str, what: str) -> float | None:
        found = [r[what] for r in rates.get((name, backend), ())]
        return median(found) if found else None

    fast, slow, theirs = (middle(b, "decisions") for b in ("python", "reference", "openspiel"))
    assert fast is not None
    assert slow is not None
    state = game.backend.start(1)
    copy = seconds_of(state.copy, 20_000) * 1e6
    compiling = seconds_of(lambda: compile(generate(game.program, telling=False), "program", "exec")) * 1000
    versus = f"{theirs:9.0f}  {fast / theirs:5.2f}" if theirs else f"{'':9}  {'':5}"
    return (
        f"{name:20} {seats:6} {middle('python', 'playouts'):12.1f} {fast:12.0f} {slow:10.0f} {fast / slow:6.1f}  "
        f"{versus} {len(state):6} {copy:8.2f} {compiling:11.1f}"
    )


if __name__ == "__main__":
    main()
