"""Measurements: worker processes take short turns, repeated for a number of rounds.

They answer JSON requests line by line, and take turns, so that other load on the machine affects all of them equally.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.speed.synthetic_game import GROWN, Grown, written
from wongar_dsl.compiler.backends.native.compiler import compiler
from wongar_dsl.engine import library

ROOT = Path(__file__).resolve().parents[2]


def machine() -> str:
    """Return the processor, the system, Python and the C compiler."""
    c = "no C compiler"
    if compiler():
        version = subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=False)
        c = version.stdout.partition("\n")[0]
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


#: Sends a request to a worker, and returns its answer.
Ask = Callable[..., Any]


@contextmanager
def worker(module: str) -> Iterator[Ask]:
    """Yield the function that asks a worker process for a task by its name; the process ends with its input."""
    command = [sys.executable, "-m", f"benchmarks.speed.{module}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(task: str, **arguments: Any) -> Any:
            """Return the response to a request; raise RuntimeError if the process has ended."""
            print(json.dumps({"task": task, **arguments}), file=process.stdin, flush=True)
            line = process.stdout.readline() if process.stdout is not None else ""
            if not line:
                raise RuntimeError(f"no answer to {task} {arguments}")
            return json.loads(line)

        yield ask


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


#: Row of a table: a game, a generated game, or another thing that is measured.
Subject = str | Grown


@dataclass
class Found:
    """All measurements: those of a part by subject and name of the figure."""

    seats: dict[str, int] = field(default_factory=dict)
    figures: dict[str, dict[tuple[Subject, str], Series]] = field(default_factory=dict)
    #: Games that differed between backends.
    different: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in library.builtin_names():
            fewest = library.load(name).model.players[0]
            self.seats[name] = SEATS.get(name.partition("/")[0], fewest)

    def series(self, part: str, subject: Subject, figure: str) -> Series | None:
        """Return a figure; None if it was not measured."""
        return self.figures.get(part, {}).get((subject, figure))

    def median(self, part: str, subject: Subject, figure: str) -> float | None:
        """Return the median of a figure; None if it was not measured."""
        series = self.series(part, subject, figure)
        return series.median if series is not None else None

    def ratio(self, part: str, subject: Subject, one: str, other: str) -> Series | None:
        """Return the ratios of two figures of a subject; None if one was not measured."""
        first, second = (self.series(part, subject, figure) for figure in (one, other))
        return first.over(second) if first is not None and second is not None else None


@dataclass(frozen=True)
class Round:
    """Round of a part: its number, what is measured and how, the two workers, and a folder for all rounds."""

    number: int
    found: Found
    seconds: float
    us: Ask
    spiel: Ask
    folder: str

    @property
    def games(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each game, with the arguments of a request about it."""
        yield from ((name, {"name": name, "seats": seats}) for name, seats in self.found.seats.items())


#: Subject, and figures by name; missing ones are None or 0.
Measured = Iterator[tuple[Subject, dict[str, float | None]]]


def decisions(of: Round) -> Measured:
    """Measure the decisions per second of all contestants."""
    theirs = of.spiel("games")
    for name, game in of.games:
        if not of.number:
            proofs = [of.us("proof", backend=backend, **game) for backend in BACKENDS]
            of.found.different += [name] if any(proof != proofs[0] for proof in proofs) else []
        rate = partial(of.us, "rate", seconds=of.seconds, **game)
        rates = {backend: rate(contestant=backend) for backend in BACKENDS}
        if name in theirs:
            rates |= of.spiel("rates", name=name, seconds=of.seconds)
        if name == "connect_four":
            games = int(1_000_000 * of.seconds)
            rates |= {
                style: of.us("c_rate", folder=of.folder, style=style, games=games, seed=of.number) for style in STYLES
            }
        rates["counting"] = rate(contestant="counting")
        if name == "wongar":
            rates["by hand"] = rate(contestant="by hand")
        # The native backend is measured before and after the others that it is compared with.
        rates["native"] = rates["native"] and (rates["native"] + rate(contestant="native")) / 2
        yield name, rates


def cores(of: Round) -> Measured:
    """Measure the same work on one core and on two."""
    for name, game in of.games:
        if name in FOR_CORES:
            yield name, of.us("cores", seconds=of.seconds, **game)


def states(of: Round) -> Measured:
    """Measure copies, views and memory of states."""
    theirs = of.spiel("games")
    for name, game in of.games:
        yield name, of.us("states", **game) | (of.spiel("clones", name=name) if name in theirs else {})


def making(of: Round) -> Measured:
    """Measure the preparation of a game, and loading it from the cache."""
    for name, game in of.games:
        made = of.us("making", **game) if of.number else {}
        yield name, made | of.us("loading", folder=of.folder, **game)


def start_up(of: Round) -> Measured:
    """Measure the time to the first prompt of a game, and the time of the unavoidable imports, in seconds."""
    for program in ("play", "imports"):
        for how, seconds in of.us("start_up", folder=of.folder, program=program).items():
            yield how, {program: seconds}


def growth(of: Round) -> Measured:
    """Measure how all figures grow with the size of the game."""
    for size in GROWN:
        path = str(written(size, Path(of.folder)))
        yield size, of.us("grown", path=path, seats=size.seats, seconds=of.seconds)


@dataclass(frozen=True)
class Part:
    """Part of a run: its measurements in one round, the number of rounds, and of those before that fill the caches."""

    measure: Callable[[Round], Measured]
    rounds: Callable[[int], int] = lambda rounds: rounds
    warming: int = 0


#: Parts by name.
PARTS = {
    "decisions": Part(decisions, warming=1),
    "cores": Part(cores, warming=1),
    "states": Part(states, lambda rounds: min(rounds, 5)),
    "making": Part(making, lambda rounds: min(rounds, 3), warming=1),
    "start": Part(start_up, lambda rounds: 3 * rounds, warming=2),
    "growth": Part(growth, lambda rounds: min(rounds, 3)),
}


def measure(found: Found, pace: Pace, names: list[str], tell: Callable[[str], None]) -> None:
    """Add the figures of some parts, round by round."""
    with worker("worker") as us, worker("openspiel_worker") as spiel:
        if not spiel("games"):
            print("open_spiel is not installed (extra: bench): its columns stay empty", file=sys.stderr)
        for name in names:
            part, figures = PARTS[name], found.figures.setdefault(name, {})
            with tempfile.TemporaryDirectory() as folder:
                for number in range(part.warming + part.rounds(pace.rounds)):
                    tell(f"{name}, round {number}")
                    for subject, values in part.measure(Round(number, found, pace.seconds, us, spiel, folder)):
                        for figure, value in values.items():
                            if value and number >= part.warming:
                                figures.setdefault((subject, figure), Series()).values.append(value)
