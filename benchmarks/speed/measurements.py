"""Measurements: the contestants take short turns, repeated for a number of rounds."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.speed.competitors import Contestant, HandWritten
from benchmarks.speed.statistics import Series
from benchmarks.speed.synthetic_game import GROWN, Grown, written
from wongar_dsl.engine import library

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


def note(figures: dict[tuple[str, str], Series], key: tuple[str, str], value: float | None) -> None:
    """Record a value of this round, if it could be measured."""
    if value:
        figures.setdefault(key, Series()).values.append(value)


def _rate(told: dict[str, float]) -> float:
    return told["decisions"] / told["seconds"] if told["seconds"] else 0.0


def decisions(
    found: Found, pace: Pace, us: Contestant, other: Contestant | None, hand: HandWritten | None,
    tell: Callable[[str], None],
) -> None:  # fmt: skip
    """Measure the decisions per second of all contestants."""
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


def cores(found: Found, pace: Pace, us: Contestant, tell: Callable[[str], None]) -> None:
    """Measure the same work on one core and on two."""
    for number in range(pace.rounds + 1):
        tell(f"cores, round {number}")
        for name in (name for name in FOR_CORES if name in found.seats):
            timings = us.ask("cores", name=name, seats=found.seats[name], seconds=pace.seconds)
            for mode, (clock, spent) in timings.items():
                if number:
                    note(found.cores, (name, f"{mode} clock"), 1 / clock)
                    note(found.cores, (name, f"{mode} spent"), 1 / spent)


def states(
    found: Found, pace: Pace, us: Contestant, other: Contestant | None, tell: Callable[[str], None]
) -> None:  # fmt: skip
    """Measure copies, views and memory of states."""
    theirs = set(other.ask("there")["games"]) if other is not None else set()
    for number in range(min(pace.rounds, 5)):
        tell(f"states, round {number + 1}")
        for name, seats in found.seats.items():
            for figure, value in us.ask("states", name=name, seats=seats).items():
                note(found.states, (name, figure), value)
            if other is not None and name in theirs:
                note(found.states, (name, "theirs"), other.ask("clones", name=name)["copy"])


def making(found: Found, pace: Pace, us: Contestant, tell: Callable[[str], None]) -> None:
    """Measure the preparation of a game, and loading it from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(min(pace.rounds, 3) + 1):
            tell(f"making, round {number}")
            for name, seats in found.seats.items():
                if number:
                    for figure, value in us.ask("making", name=name, seats=seats).items():
                        note(found.making, (name, figure), value)
                warm = us.ask("loading", name=name, seats=seats, folder=folder)
                if number:  # The first round fills the cache.
                    for backend, seconds in warm.items():
                        note(found.making, (name, f"warm {backend}"), seconds)


def start_up(found: Found, pace: Pace, tell: Callable[[str], None]) -> None:
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


def growth(found: Found, pace: Pace, us: Contestant, grown: Iterable[Grown], tell: Callable[[str], None]) -> None:
    """Measure how all figures grow with the size of the game."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(min(pace.rounds, 3)):
            tell(f"growth, round {number + 1}")
            for size in grown:
                path = str(written(size, Path(folder)))
                for figure, value in us.ask("grown", path=path, seats=size.seats, seconds=pace.seconds).items():
                    if value:
                        found.grown.setdefault((size, figure), Series()).values.append(value)


__all__ = ["GROWN", "Found", "Pace", "cores", "decisions", "growth", "making", "start_up", "states"]
