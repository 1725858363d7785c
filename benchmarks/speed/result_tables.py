"""Tables of the measurements, and the performance targets."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.speed.measurements import BACKENDS, Found, Series


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


def targets(found: Found) -> tuple[Target, ...]:
    """Return all performance targets."""

    def ratio(part: str, subject: str, one: str, other: str) -> float | None:
        series = found.ratio(part, subject, one, other)
        return series.median if series is not None else None

    def least(part: str, one: str, other: str) -> tuple[float | None, str]:
        """Return the smallest ratio of all games, and its game."""
        ratios = [(value, name) for name in found.seats if (value := ratio(part, name, one, other))]
        return min(ratios, default=(None, next(iter(sorted(found.seats)), "")))

    four = [ratio("decisions", "connect_four", "native", other) for other in ("loop", "rollouts", "plain")]
    slowest, counted = least("decisions", "native", "python"), least("decisions", "counting", "native")
    compiling = [series.median for (_, step), series in found.figures.get("making", {}).items() if step == "compile"]
    return (
        Target("Connect Four, native: times OpenSpiel's loop", four[0], 15),
        Target("Connect Four, native: times OpenSpiel's rollouts in C++", four[1], 4),
        Target("Connect Four, native: times C by hand", four[2], 0.6),
        Target("Wongar, python: times Python by hand", ratio("decisions", "wongar", "python", "by hand"), 0.35),
        Target(f"native: times python, at least ({slowest[1]})", slowest[0], 50),
        Target(
            f"native, all counted that a simulation tells: times playouts, at least ({counted[1]})", counted[0], 0.5
        ),
        Target("two cores: times one, at least", least("cores", "two clock", "one clock")[0], 1.85),
        Target(
            "first prompt: times the imports of libraries", ratio("start", "spent", "play", "imports"), 1.5,
            at_most=True,
        ),
        Target("compiler: seconds for a game, at most", max(compiling, default=None), COMPILE_TARGET_S, at_most=True),
    )  # fmt: skip


#: Returns the text of a cell for a row.
Cell = Callable[[Found, Any], str]


def _value(part: str, figure: str, digits: int = 1, scale: float = 1) -> Cell:
    """Return a column of medians with this many decimal places."""

    def cell(found: Found, subject: Any) -> str:
        value = found.median(part, subject, figure)
        return "–" if value is None else f"{value * scale:.{digits}f}"

    return cell


def _spread(part: str, figure: str) -> Cell:
    """Return a column of figures with their spread."""
    return lambda found, subject: measured(found.series(part, subject, figure))


def _rate(part: str, figure: str) -> Cell:
    """Return a column of medians with three significant digits."""

    def cell(found: Found, subject: Any) -> str:
        value = found.median(part, subject, figure)
        return "–" if value is None else number(value)

    return cell


def _ratio(part: str, one: str, other: str, scale: float = 1) -> Cell:
    """Return a column of ratios."""

    def cell(found: Found, subject: Any) -> str:
        ratio = found.ratio(part, subject, one, other)
        return times(ratio and Series([scale * value for value in ratio.values]))

    return cell


def _name(_: Found, subject: Any) -> str:
    return str(subject)


@dataclass(frozen=True)
class Layout:
    """Table of a part: its title, columns by heading, rows (by default all games) and note."""

    part: str
    title: str
    columns: dict[str, Cell]
    rows: Callable[[Found], Iterable[Any]] = lambda found: found.seats
    note: str = ""
    names: int = 1

    def table(self, found: Found) -> Table:
        """Return the table of some figures."""
        rows = (tuple(cell(found, subject) for cell in self.columns.values()) for subject in self.rows(found))
        note = self.note.format(different=f", BUT NOT: {', '.join(found.different)}" if found.different else "")
        return Table(self.title, note, tuple(self.columns), tuple(rows), self.names)


def _measured(part: str) -> Callable[[Found], Iterable[Any]]:
    """Return the rows of a part: every subject that was measured, in the order of the measurement."""
    return lambda found: dict.fromkeys(subject for subject, _ in found.figures.get(part, ()))


#: Programs beside ours, by contestant, each with the backend that it is compared with.
OTHERS = {
    "loop": ("OpenSpiel, loop in Python", "native"), "rollouts": ("OpenSpiel, rollouts in C++", "native"),
    "plain": ("C by hand", "native"), "bits": ("C by hand, bitboards", "native"),
    "by hand": ("Python by hand", "python"),
}  # fmt: skip


def _pairs(found: Found) -> list[tuple[str, str]]:
    return [(name, other) for name in found.seats for other in OTHERS if found.series("decisions", name, other)]


def _size(attribute: str) -> Cell:
    return lambda _, grown: str(getattr(grown, attribute))


LAYOUTS = (
    Layout(
        "decisions",
        "Decisions a second, on one core",
        {
            "game": _name,
            "seats": lambda found, name: str(found.seats[name]),
            **{contestant: _spread("decisions", contestant) for contestant in (*BACKENDS, "counting")},
            "counting / native": _ratio("decisions", "counting", "native"),
            "native / python": _ratio("decisions", "native", "python"),
        },
        note="The first games are the same, to the bit, on all three backends{different}.",
    ),
    Layout(
        "decisions",
        "Beside others: decisions a second",
        {
            "game": lambda _, pair: pair[0],
            "whom": lambda _, pair: OTHERS[pair[1]][0],
            "backend": lambda _, pair: OTHERS[pair[1]][1],
            "theirs": lambda found, pair: measured(found.series("decisions", *pair)),
            "ours": lambda found, pair: measured(found.series("decisions", pair[0], OTHERS[pair[1]][1])),
            "ours / theirs": lambda found, pair: _ratio("decisions", OTHERS[pair[1]][1], pair[1])(found, pair[0]),
        },
        rows=_pairs,
        names=3,
    ),
    Layout(
        "cores",
        "Two cores, native: games a second of the clock",
        {
            "game": _name,
            "one": _spread("cores", "one clock"),
            "two": _spread("cores", "two clock"),
            "two / one": _ratio("cores", "two clock", "one clock"),
            "by processor time": _ratio("cores", "two spent", "one spent", 2),
        },
        rows=_measured("cores"),
        note="The last column is by processor time: what it would be if nothing else ran on the machine.",
    ),
    Layout(
        "states",
        "States",
        {
            "game": _name,
            "copy, µs": _value("states", "copy", 2),
            "view, µs": _value("states", "view", 2),
            "OpenSpiel's copy, µs": _value("states", "theirs", 2),
            "bytes in Python": _value("states", "python", 0),
            "bytes, native": _value("states", "native", 0),
        },
        note="A view is all that a seat may see, by names, with its options.",
    ),
    Layout(
        "making",
        "Making a game ready",
        {
            "game": _name,
            "read, ms": _value("making", "read", 0, 1e3),
            "to Python, ms": _value("making", "python", 0, 1e3),
            "to C, ms": _value("making", "generate", 0, 1e3),
            "lines of C": _value("making", "lines", 0),
            "compiler, s": _value("making", "compile", 2),
            "warm python, ms": _value("making", "warm python", 1, 1e3),
            "warm native, ms": _value("making", "warm native", 1, 1e3),
        },
        note="Processor time. Warm: in a new process, from the cache to the first decision.",
    ),
    Layout(
        "start",
        "Start-up, with a warm cache",
        {
            "": lambda _, how: {"spent": "processor time"}.get(how, how),
            "`wongar play wongar`, first prompt, ms": _value("start", "play", 0, 1e3),
            "`import click, babel, prompt_toolkit, yaml`, ms": _value("start", "imports", 0, 1e3),
            "ratio": _ratio("start", "play", "imports"),
        },
        rows=lambda _: ("spent", "clock"),
    ),
    Layout(
        "growth",
        "Growth",
        {
            "seats": _size("seats"),
            "areas": _size("areas"),
            "kinds of card": _size("kinds"),
            "options": _value("growth", "options"),
            "read, ms": _value("growth", "read", 0, 1e3),
            "lines of C": _value("growth", "lines", 0),
            "compiler, s": _value("growth", "compile", 2),
            "python": _rate("growth", "python_rate"),
            "native": _rate("growth", "native_rate"),
            "bytes a state": _value("growth", "native", 0),
        },
        rows=_measured("growth"),
        note="A generated game: each player settles an area or uses a card, 20 times; "
        "there are two cards of each kind.",
        names=0,
    ),
)


def tables(found: Found) -> list[Table]:
    """Return the tables of all measurements, after that of the targets."""
    words = {True: "met", False: "missed", None: "not measured"}
    rows = tuple(
        (t.what, "–" if t.found is None else f"{t.found:.2f}", f"{'≤' if t.at_most else '≥'} {t.bound:g}", words[t.met])
        for t in targets(found)
    )
    made = (layout.table(found) for layout in LAYOUTS if found.figures.get(layout.part))
    return [Table("Targets", "", ("what", "measured", "target", ""), rows), *(table for table in made if table.rows)]
