"""Speed benchmarks (`make bench`): run all measurements and print tables.

Contestants take short turns, many times, and medians are reported. Rates are per second of processor time, so that
other load on the machine matters little.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from benchmarks.speed.measurements import PARTS, ROOT, Busy, Found, Pace, machine, measure
from benchmarks.speed.result_tables import Table, tables, targets

PAGE = ROOT / "docs" / "performance.md"
#: Markers in the page between which the figures are written.
BEGIN, END = "<!-- figures: written by `make bench ARGS=--write` -->", "<!-- end of figures -->"
USUAL, QUICK = Pace(7, 0.3), Pace(3, 0.1)


def write(made: list[Table], about: str) -> None:
    """Write the tables into the page, between the markers."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    body = "\n".join((about, "", *(table.markdown() for table in made)))
    PAGE.write_text(f"{before}{BEGIN}\n\n{body}\n{END}{after}", encoding="utf-8")


def main() -> int:
    """Run the benchmarks; with --check, return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, and print tables.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, shorter ones")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part, not all; can be said several times")
    parser.add_argument("--game", action="append", default=[], help="this game, not all; can be said several times")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.relative_to(ROOT)}")
    parser.add_argument("--json", type=Path, help="write every single figure into this file")
    parser.add_argument("--check", action="store_true", help="end with 1 where a target is missed")
    options = parser.parse_args()
    if options.write and (options.quick or options.only or options.game):
        parser.error("--write is for a whole run")
    busy, begin = Busy(), time.monotonic()

    def tell(what: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{time.monotonic() - begin:5.0f} s  {what}", end="", file=sys.stderr, flush=True)

    figures = Found()
    figures.seats = {name: n for name, n in figures.seats.items() if not options.game or name in options.game}
    measure(figures, QUICK if options.quick else USUAL, options.only or [*PARTS], tell)
    tell("\n")
    heading = f"{machine()}; {time.monotonic() - begin:.0f} s, {busy.told()}"
    made = tables(figures)
    print(heading, *(f"\n{table.text()}" for table in made), sep="\n")
    if options.json:
        options.json.write_text(json.dumps(_plain(figures), indent=1), encoding="utf-8")
    if options.write:
        write(made, heading)
    missed = figures.different or any(target.met is False for target in targets(figures))
    return int(options.check and bool(missed))


def _plain(found: Found) -> dict[str, object]:
    """Return every figure by name, for JSON."""
    return {
        part: {", ".join(map(str, key)): series.values for key, series in figures.items()}
        for part, figures in found.figures.items()
    }


if __name__ == "__main__":
    sys.exit(main())
