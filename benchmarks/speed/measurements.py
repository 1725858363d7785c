"""Measurements: worker processes take short turns, repeated for a number of rounds.

They answer JSON requests line by line, and take turns, so that other load on the machine affects all of them equally.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from benchmarks.speed.synthetic_game import GROWN, Grown, written
from wongar_dsl.compiler.backends.native.compiler import compiler
from wongar_dsl.engine import library


def machine() -> str:
    """Return the processor, the system, Python and the C compiler."""
    version = (
        subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=False) if compiler() else None
    )
    c = version.stdout.partition("\n")[0] if version is not None else "no C compiler"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, {python}, {c}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown processor"
    )


class Busy:
    """Load on the machine by other programs since this object was created."""

    def __init__(self) -> None:
        self._before = self._now()

    @staticmethod
    def _now() -> tuple[float, float, float] | None:
        """Return the seconds, over all cores, that have passed, were busy, and were used by this run.

        None if the system does not report them.
        """
        try:
            ticks = [int(t) for t in Path("/proc/stat").read_text(encoding="utf-8").split("\n")[0].split()[1:9]]
        except (OSError, ValueError):
            return None
        every = os.sysconf("SC_CLK_TCK")
        idle = ticks[3] + ticks[4]
        return sum(ticks) / every, (sum(ticks) - idle) / every, sum(os.times()[:4])

    def told(self) -> str:
        """Return the load in words."""
        now = self._now()
        if now is None or self._before is None:
            return "what else ran is not known"
        passed, busy, used = (b - a for a, b in zip(self._before, now, strict=True))
        return f"other programs took {max(0.0, busy - used) / passed:.0%} of the machine meanwhile"


HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Contestant:
    """Worker process that measures figures on request."""

    def __init__(self, tasks: str, *paths: Path) -> None:
        """Start a worker with a module of tasks, and folders that come first in Python's path."""
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
        self._process = subprocess.Popen(
            [sys.executable, HERE / "json_worker.py", tasks],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment,
        )  # fmt: skip

    def ask(self, task: str, **arguments: Any) -> dict[str, Any]:
        """Return the response to a request; raise RuntimeError if the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"task": task, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"no answer to {task} {arguments}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate()


@contextmanager
def openspiel() -> Iterator[Contestant | None]:
    """Yield OpenSpiel; None if the extra `bench` is not installed."""
    with _opened(Contestant("openspiel_worker")) as contestant:
        if contestant.ask("there")["there"]:
            yield contestant
        else:
            print("open_spiel is not installed (extra: bench): its columns stay empty", file=sys.stderr)
            yield None


@contextmanager
def this() -> Iterator[Contestant]:
    """Yield this program."""
    with _opened(Contestant("worker", ROOT)) as contestant:
        yield contestant


@contextmanager
def _opened(contestant: Contestant) -> Iterator[Contestant]:
    try:
        yield contestant
    finally:
        contestant.close()


class HandWritten:
    """Hand-written C version of Connect Four, compiled like generated code; `style` selects a variant in the source."""

    def __init__(self, folder: Path) -> None:
        """Compile the program; raise OSError or SubprocessError on failure."""
        self.program = folder / "connect_four"
        source = HERE.parent / "connect_four.c"
        subprocess.run([*compiler(), "-std=c11", "-O2", "-o", self.program, source], check=True)

    def rate(self, style: str, games: int, seed: int) -> float:
        """Return the decisions per second of processor time."""
        command = [self.program, style, str(games), str(seed)]
        output = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
        return int(output[0]) / float(output[1])


@contextmanager
def by_hand() -> Iterator[HandWritten | None]:
    """Yield the hand-written program; None without a compiler."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = HandWritten(Path(folder)) if compiler() else None
        except (OSError, subprocess.SubprocessError):
            made = None
        yield made


@dataclass
class Series:
    """Figure measured once per round."""

    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median of the values."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """Half the interquartile range, relative to the median."""
        if len(self.values) < 2 or not self.median:
            return 0.0
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return (high - low) / 2 / self.median

    def over(self, other: Series) -> Series:
        """Return the ratios to another series, round by round, so that slowdowns of whole rounds cancel."""
        return Series([a / b for a, b in zip(self.values, other.values, strict=True)])


Tell = Callable[[str], None]

BACKENDS = ("reference", "python", "native")
#: Numbers of seats for games that are usually played with more than the minimum.
SEATS = {"tongiaki": 4}
#: Games for the measurement on two cores: with small and with large states.
FOR_CORES = ("connect_four", "tongiaki", "wongar")
STYLES = ("plain", "bits")


@dataclass(frozen=True)
class Pace:
    """Number of rounds, and seconds per measurement."""

    rounds: int
    seconds: float


@dataclass
class Found:
    """All measurements, by name."""

    seats: dict[str, int] = field(default_factory=dict)
    #: Decisions per second, by game and contestant.
    rates: dict[tuple[str, str], Series] = field(default_factory=dict)
    #: Games per second of wall-clock and of processor time, on one core and on two.
    cores: dict[tuple[str, str], Series] = field(default_factory=dict)
    states: dict[tuple[str, str], Series] = field(default_factory=dict)
    making: dict[tuple[str, str], Series] = field(default_factory=dict)
    start: dict[tuple[str, str], Series] = field(default_factory=dict)
    grown: dict[tuple[Grown, str], Series] = field(default_factory=dict)
    #: Games that differed between backends.
    different: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in library.builtin_names():
            fewest = library.load(name).model.players[0]
            self.seats[name] = SEATS.get(name.partition("/")[0], fewest)


class Workers(NamedTuple):
    """Contestants: this program, and OpenSpiel and the program in C where they are available."""

    us: Contestant
    other: Contestant | None
    hand: HandWritten | None


def note(figures: dict[tuple[str, str], Series], key: tuple[str, str], value: float | None) -> None:
    """Record a value of this round, if it could be measured."""
    if value:
        figures.setdefault(key, Series()).values.append(value)


def _rate(told: dict[str, float]) -> float:
    return told["decisions"] / told["seconds"] if told["seconds"] else 0.0


def decisions(found: Found, pace: Pace, workers: Workers, tell: Tell) -> None:
    """Measure the decisions per second of all contestants."""
    us, other, hand = workers.us, workers.other, workers.hand
    _prove(found, us)
    theirs = set(other.ask("there")["games"]) if other is not None else set()
    for number in range(pace.rounds + 1):
        tell(f"decisions, round {number}")
        for name, seats in found.seats.items():
            game = {"name": name, "seats": seats, "seconds": pace.seconds}
            rates: dict[str, float] = {}
            for backend in BACKENDS:
                rates[backend] = _rate(us.ask("rate", backend=backend, **game))
            if other is not None and name in theirs:
                rates["loop"] = _rate(other.ask("loop", name=name, seconds=pace.seconds))
                rates["rollouts"] = _rate(other.ask("rollouts", name=name, seconds=pace.seconds))
            if hand is not None and name == "connect_four":
                for style in STYLES:
                    rates[style] = hand.rate(style, int(1_000_000 * pace.seconds), number)
            rates["counting"] = _rate(us.ask("counting", **game))
            if name == "wongar":
                rates["by hand"] = _rate(us.ask("by_hand", seats=seats, seconds=pace.seconds))
            # The native backend is measured before and after the others that it is compared with.
            second_rate = _rate(us.ask("rate", backend="native", **game))
            rates["native"] = (rates["native"] + second_rate) / 2
            if number:  # The first round is for warming up.
                for contestant, rate in rates.items():
                    note(found.rates, (name, contestant), rate)


def _prove(found: Found, us: Contestant) -> None:
    """Check that the first games are equal on all backends."""
    for name, seats in found.seats.items():
        proofs = [us.ask("proof", name=name, seats=seats, backend=backend)["proof"] for backend in BACKENDS]
        if any(proof != proofs[0] for proof in proofs):
            found.different.append(name)


def cores(found: Found, pace: Pace, workers: Workers, tell: Tell) -> None:
    """Measure the same work on one core and on two."""
    for number in range(pace.rounds + 1):
        tell(f"cores, round {number}")
        for name in (name for name in FOR_CORES if name in found.seats):
            timings = workers.us.ask("cores", name=name, seats=found.seats[name], seconds=pace.seconds)
            for mode, (clock, spent) in timings.items():
                if number:
                    note(found.cores, (name, f"{mode} clock"), 1 / clock)
                    note(found.cores, (name, f"{mode} spent"), 1 / spent)


def states(found: Found, pace: Pace, workers: Workers, tell: Tell) -> None:
    """Measure copies, views and memory of states."""
    us, other = workers.us, workers.other
    theirs = set(other.ask("there")["games"]) if other is not None else set()
    for number in range(min(pace.rounds, 5)):
        tell(f"states, round {number + 1}")
        for name, seats in found.seats.items():
            for figure, value in us.ask("states", name=name, seats=seats).items():
                note(found.states, (name, figure), value)
            if other is not None and name in theirs:
                note(found.states, (name, "theirs"), other.ask("clones", name=name)["copy"])


def making(found: Found, pace: Pace, workers: Workers, tell: Tell) -> None:
    """Measure the preparation of a game, and loading it from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(min(pace.rounds, 3) + 1):
            tell(f"making, round {number}")
            for name, seats in found.seats.items():
                if number:
                    for figure, value in workers.us.ask("making", name=name, seats=seats).items():
                        note(found.making, (name, figure), value)
                warm = workers.us.ask("loading", name=name, seats=seats, folder=folder)
                if number:  # The first round fills the cache.
                    for backend, seconds in warm.items():
                        note(found.making, (name, f"warm {backend}"), seconds)


def start_up(found: Found, pace: Pace, _: Workers, tell: Tell) -> None:
    """Measure the time to the first prompt of a game, and the time of the unavoidable imports, in seconds."""
    tell("start-up")
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"XDG_CACHE_HOME": home, "XDG_DATA_HOME": home, "WONGAR_LANG": "en"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        begin = "from wongar_dsl.cli.main import main; main()"
        play = [sys.executable, "-c", begin, "play", "wongar", "--seats", "human,random,random"]
        play += ["--seed", "3", "--save", str(Path(home) / "save.json")]
        imports = [sys.executable, "-c", "import click, babel, prompt_toolkit, yaml"]
        for number in range(3 * pace.rounds + 2):
            for program, command in (("play", play), ("imports", imports)):
                clock, before = time.perf_counter(), _children()
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=environment)
                spent, took = _children() - before, time.perf_counter() - clock
                if number > 1:  # The first rounds fill the caches.
                    note(found.start, (program, "spent"), spent)
                    note(found.start, (program, "clock"), took)


def _children() -> float:
    """Return the processor time of finished child processes, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def growth(found: Found, pace: Pace, workers: Workers, tell: Tell) -> None:
    """Measure how all figures grow with the size of the game."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(min(pace.rounds, 3)):
            tell(f"growth, round {number + 1}")
            for size in GROWN:
                path = str(written(size, Path(folder)))
                for figure, value in workers.us.ask("grown", path=path, seats=size.seats, seconds=pace.seconds).items():
                    if value:
                        found.grown.setdefault((size, figure), Series()).values.append(value)


#: Measurements by the name of their part.
PARTS: dict[str, Callable[[Found, Pace, Workers, Tell], None]] = {
    "decisions": decisions,
    "cores": cores,
    "states": states,
    "making": making,
    "start": start_up,
    "growth": growth,
}
