"""What `make bench` does: measures everything in one run, and prints tables.

Whoever is compared takes turns with the others, a short while each, many times; medians count.  Rates are by processor
time, so that other work on the machine weighs little.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.speed import measures
from benchmarks.speed.contestants import ROOT, baseline, by_hand, openspiel, this
from benchmarks.speed.figures import Table
from benchmarks.speed.machine import Busy, machine
from benchmarks.speed.measures import Found, Pace
from benchmarks.speed.tables import tables, targets

PAGE = ROOT / "docs" / "performance.md"
#: Between these lines of the page stand the figures.
BEGIN, END = "<!-- figures: written by `make bench ARGS=--write` -->", "<!-- end of figures -->"
PARTS = ("decisions", "cores", "states", "making", "start", "growth")
USUAL, QUICK = Pace(7, 0.3), Pace(3, 0.1)


def measured(pace: Pace, parts: list[str], games: list[str], tell: Callable[[str], None]) -> Found:
    """All figures of some parts, for some games or all."""
    found = Found()
    if games:
        found.seats = {name: seats for name, seats in found.seats.items() if name in games}
    with this() as us, openspiel() as other:
        if "decisions" in parts:
            with baseline() as then, by_hand() as hand:
                measures.decisions(found, pace, us, then, other, hand, tell)
        if "cores" in parts:
            measures.cores(found, pace, us, tell)
        if "states" in parts:
            measures.states(found, pace, us, other, tell)
        if "making" in parts:
            measures.making(found, pace, us, tell)
        if "start" in parts:
            measures.start_up(found, pace, tell)
        if "growth" in parts:
            measures.growth(found, pace, us, measures.GROWN, tell)
    return found


def write(made: list[Table], about: str) -> None:
    """Put the tables into the page, between the lines that say where."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    body = "\n".join((about, "", *(table.markdown() for table in made)))
    PAGE.write_text(f"{before}{BEGIN}\n\n{body}\n{END}{after}", encoding="utf-8")


def main() -> int:
    """Measure; with --check 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, and print tables.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, shorter ones")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part, not all; can be said several times")
    parser.add_argument("--game", action="append", default=[], help="this game, not all; can be said several times")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.relative_to(ROOT)}")
    parser.add_argument("--json", type=Path, help="write every single figure into this file")
    parser.add_argument("--check", action="store_true", help="end with 1 where a target is missed")
    given = parser.parse_args()
    if given.write and (given.quick or given.only or given.game):
        parser.error("--write is for a whole run")
    busy, begin = Busy(), time.monotonic()

    def tell(what: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{time.monotonic() - begin:5.0f} s  {what}", end="", file=sys.stderr, flush=True)

    found = measured(QUICK if given.quick else USUAL, given.only or [*PARTS], given.game, tell)
    tell("\n")
    about = f"{machine()}; {time.monotonic() - begin:.0f} s, {busy.told()}"
    made = tables(found)
    print(about, *(f"\n{table.text()}" for table in made), sep="\n")
    if given.json:
        given.json.write_text(json.dumps(_plain(found), indent=1), encoding="utf-8")
    if given.write:
        write(made, about)
    missed = found.different or any(target.met is False for target in targets(found))
    return int(given.check and bool(missed))


def _plain(found: Found) -> dict[str, object]:
    """Every figure by what it is."""
    kinds = ("rates", "cores", "states", "making", "start", "grown")
    return {kind: {", ".join(map(str, key)): s.values for key, s in getattr(found, kind).items()} for kind in kinds}


if __name__ == "__main__":
    sys.exit(main())
