"""Tables of the measurements, and the performance targets."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.speed.measurements import FOR_CORES, Found, Series
from benchmarks.speed.synthetic_game import GROWN


@dataclass(frozen=True)
class Table:
    """Table with a title and a note; the first `names` columns are text."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1

    def text(self) -> str:
        """Return the table as plain text."""
        widths = [max(_width(row[i]) for row in (self.head, *self.rows)) for i in range(len(self.head))]
        lines = [self.title]
        for row in (self.head, *self.rows):
            cells = (_filled(c, w, i < self.names) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
            lines.append("  ".join(cells).rstrip())
        return "\n".join((*lines, *([self.note] if self.note else [])))

    def markdown(self) -> str:
        """Return the table as Markdown."""
        edge = ["---" if i < self.names else "---:" for i in range(len(self.head))]
        rows = "\n".join(f"| {' | '.join(row)} |" for row in (self.head, edge, *self.rows))
        return f"### {self.title}\n\n{rows}\n" + (f"\n{self.note}\n" if self.note else "")


def _width(text: str) -> int:
    return sum(not unicodedata.combining(sign) for sign in text)


def _filled(text: str, width: int, left: bool) -> str:
    gap = " " * (width - _width(text))
    return text + gap if left else gap + text


def number(value: float) -> str:
    """Return a number with three significant digits: `12.3 M`, `845 k`, `0.21`."""
    for size, sign in ((1e6, " M"), (1e3, " k"), (1, "")):
        if value >= size:
            return _three(value / size) + sign
    return f"{value:.2g}"


def _three(value: float) -> str:
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def measured(series: Series | None) -> str:
    """Return a figure with its spread, or a dash if there is none."""
    if series is None or not series.values or not series.median:
        return "–"
    return f"{number(series.median)} ±{series.spread:.0%}"


def times(series: Series | None) -> str:
    """Return a ratio."""
    return f"{_three(series.median)} ×" if series is not None and series.values else "–"


def shown(values: Sequence[float | None], digits: int = 1) -> tuple[str, ...]:
    """Return numbers with this many decimal places, and dashes for missing ones."""
    return tuple("–" if value is None else f"{value:.{digits}f}" for value in values)


#: Maximum number of seconds for compiling a game.
COMPILE_TARGET_S = 3.0


@dataclass(frozen=True)
class Target:
    """Performance target: a lower bound, or an upper bound with `at_most`."""

    what: str
    found: float | None
    bound: float
    at_most: bool = False

    @property
    def met(self) -> bool | None:
        """True if the target is met; None if it could not be measured."""
        if self.found is None:
            return None
        return self.found <= self.bound if self.at_most else self.found >= self.bound


def _ratio(figures: Mapping[tuple[str, str], Series], one: tuple[str, str], other: tuple[str, str]) -> Series | None:
    if one not in figures or other not in figures:
        return None
    return figures[one].over(figures[other])


def _median(series: Series | None) -> float | None:
    return series.median if series is not None else None


def targets(found: Found) -> tuple[Target, ...]:
    """Return all performance targets."""
    four, rates = "connect_four", found.rates

    def native(other: str, name: str = four) -> float | None:
        return _median(_ratio(rates, (name, "native"), (name, other)))

    slowest = min(((native("python", name) or 1e9, name) for name in found.seats), default=(1e9, ""))
    counted = ((_median(_ratio(rates, (name, "counting"), (name, "native"))) or 1e9, name) for name in found.seats)
    least = min(counted, default=(1e9, ""))
    two = [
        ratio for name in FOR_CORES if (ratio := _median(_ratio(found.cores, (name, "two clock"), (name, "one clock"))))
    ]
    compiling = [s.median for (_, stage), s in found.making.items() if stage == "compile"]
    prompt = _median(_ratio(found.start, ("play", "spent"), ("imports", "spent")))
    return (
        Target("Connect Four, native: times OpenSpiel's loop", native("loop"), 15),
        Target("Connect Four, native: times OpenSpiel's rollouts in C++", native("rollouts"), 4),
        Target("Connect Four, native: times C by hand", native("plain"), 0.6),
        Target(
            "Wongar, python: times Python by hand",
            _median(_ratio(rates, ("wongar", "python"), ("wongar", "by hand"))),
            0.35,
        ),
        Target(
            f"native: times python, at least ({slowest[1]})",
            slowest[0] if slowest[0] < 1e9 else None,
            50,
        ),
        Target(
            f"native, all counted that a simulation tells: times playouts, at least ({least[1]})",
            least[0] if least[0] < 1e9 else None,
            0.5,
        ),
        Target("two cores: times one, at least", min(two, default=None), 1.85),
        Target("first prompt: times the imports of libraries", prompt, 1.5, at_most=True),
        Target("compiler: seconds for a game, at most", max(compiling, default=None), COMPILE_TARGET_S, at_most=True),
    )


def tables(found: Found) -> list[Table]:
    """Return the tables of all measurements."""
    made = [_targets(found)]
    if found.rates:
        made.append(_decisions(found))
    if any(contestant in ("loop", "plain", "by hand") for _, contestant in found.rates):
        made.append(_others(found))
    for figures, table in (
        (found.cores, _cores), (found.states, _states), (found.making, _making), (found.start, _start),
        (found.grown, _growth),
    ):  # fmt: skip
        if figures:
            made.append(table(found))
    return made


def _targets(found: Found) -> Table:
    words = {True: "met", False: "missed", None: "not measured"}
    rows = tuple(
        (t.what, "–" if t.found is None else f"{t.found:.2f}", f"{'≤' if t.at_most else '≥'} {t.bound:g}", words[t.met])
        for t in targets(found)
    )
    return Table("Targets", "", ("what", "measured", "target", ""), rows)


def _decisions(found: Found) -> Table:
    rows = []
    for name, seats in found.seats.items():
        by = {
            contestant: found.rates.get((name, contestant))
            for contestant in ("reference", "python", "native", "counting")
        }
        gain = _ratio(found.rates, (name, "native"), (name, "python"))
        share = _ratio(found.rates, (name, "counting"), (name, "native"))
        rows.append((name, str(seats), *map(measured, by.values()), times(share), times(gain)))
    same = "The first games are the same, to the bit, on all three backends"
    wrong = f", BUT NOT: {', '.join(found.different)}" if found.different else ""
    head = ("game", "seats", "reference", "python", "native", "counting", "counting / native", "native / python")
    return Table("Decisions a second, on one core", f"{same}{wrong}.", head, tuple(rows))


def _others(found: Found) -> Table:
    rows = []
    for name in found.seats:
        for contestant, called, backend in (
            ("loop", "OpenSpiel, loop in Python", "native"), ("rollouts", "OpenSpiel, rollouts in C++", "native"),
            ("plain", "C by hand", "native"), ("bits", "C by hand, bitboards", "native"),
            ("by hand", "Python by hand", "python"),
        ):  # fmt: skip
            theirs = found.rates.get((name, contestant))
            if theirs is not None:
                ours = found.rates[name, backend]
                rows.append((name, called, backend, measured(theirs), measured(ours), times(ours.over(theirs))))
    return Table(
        "Beside others: decisions a second", "", ("game", "whom", "backend", "theirs", "ours", "ours / theirs"),
        tuple(rows), names=3,
    )  # fmt: skip


def _cores(found: Found) -> Table:
    rows = []
    for name in (name for name in FOR_CORES if (name, "one clock") in found.cores):
        single, two = (found.cores.get((name, f"{mode} clock")) for mode in ("one", "two"))
        clock = _ratio(found.cores, (name, "two clock"), (name, "one clock"))
        spent = _ratio(found.cores, (name, "two spent"), (name, "one spent"))
        alone = Series([2 * value for value in spent.values]) if spent is not None else None
        rows.append((name, measured(single), measured(two), times(clock), times(alone)))
    return Table(
        "Two cores, native: games a second of the clock",
        "The last column is by processor time: what it would be if nothing else ran on the machine.",
        ("game", "one", "two", "two / one", "by processor time"), tuple(rows),
    )  # fmt: skip


def _states(found: Found) -> Table:
    def row(name: str) -> tuple[str, ...]:
        values = [_median(found.states.get((name, figure))) for figure in ("copy", "view", "theirs")]
        sizes = [_median(found.states.get((name, figure))) for figure in ("python", "native")]
        return (name, *shown(values, 2), *shown(sizes, 0))

    return Table(
        "States", "A view is all that a seat may see, by names, with its options.",
        ("game", "copy, µs", "view, µs", "OpenSpiel's copy, µs", "bytes in Python", "bytes, native"),
        tuple(map(row, found.seats)),
    )  # fmt: skip


def _making(found: Found) -> Table:
    def row(name: str) -> tuple[str, ...]:
        by = {stage: s.median for (game, stage), s in found.making.items() if game == name}
        thousandths = [by[stage] * 1e3 if stage in by else None for stage in ("read", "python", "generate")]
        compiling = by.get("compile")
        warm = [by[stage] * 1e3 if stage in by else None for stage in ("warm python", "warm native")]
        return (name, *shown(thousandths, 0), *shown([by["lines"]], 0), *shown([compiling], 2), *shown(warm, 1))

    return Table(
        "Making a game ready",
        "Processor time. Warm: in a new process, from the cache to the first decision.",
        (
            "game", "read, ms", "to Python, ms", "to C, ms", "lines of C", "compiler, s", "warm python, ms",
            "warm native, ms",
        ),
        tuple(map(row, found.seats)),
    )  # fmt: skip


def _start(found: Found) -> Table:
    rows = []
    for how, called in (("spent", "processor time"), ("clock", "clock")):
        play, imports = (found.start.get((program, how)) for program in ("play", "imports"))
        ratio = _ratio(found.start, ("play", how), ("imports", how))
        spans = [None if s is None else s.median * 1e3 for s in (play, imports)]
        rows.append((called, *shown(spans, 0), times(ratio)))
    head = ("", "`wongar play wongar`, first prompt, ms", "`import click, babel, prompt_toolkit, yaml`, ms", "ratio")
    return Table("Start-up, with a warm cache", "", head, tuple(rows))


def _growth(found: Found) -> Table:
    rows = []
    for grown in (g for g in GROWN if (g, "read") in found.grown):
        by = {figure: s.median for (size_key, figure), s in found.grown.items() if size_key == grown}
        rates = [number(by[figure]) if figure in by else "–" for figure in ("python_rate", "native_rate")]
        size = (str(grown.seats), str(grown.areas), str(grown.kinds), *shown([by["options"]]))
        rows.append(
            (
                *size,
                *shown([by["read"] * 1e3, by["lines"]], 0),
                *shown([by.get("compile")], 2),
                *rates,
                *shown([by["native"]], 0),
            )
        )
    return Table(
        "Growth",
        "A generated game: each player settles an area or uses a card, 20 times; there are two cards of each kind.",
        (
            "seats", "areas", "kinds of card", "options", "read, ms", "lines of C", "compiler, s", "python", "native",
            "bytes a state",
        ),
        tuple(rows), names=0,
    )  # fmt: skip
