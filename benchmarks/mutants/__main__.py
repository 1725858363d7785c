"""`make mutants`: the share of mutants of the shipped rules that the rule cases notice."""

from __future__ import annotations

import argparse
import os
import sys
import time

from benchmarks.mutants.judging import FLOOR, GAMES, judged, names
from benchmarks.mutants.operators import Mutant


def main() -> int:
    """Judge, print the table and the survivors; 1 where a game is not above the floor."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--game", action="append", choices=names(), help="only this game; may stand several times")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many mutants of each game, at random")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once")
    options = parser.parse_args()
    print(f"killed of those that change one of {GAMES} random games; more than {FLOOR} % must be", flush=True)
    good = True
    for name in options.game or names():
        begin = time.monotonic()
        report = judged(name, options.sample, options.seed, options.jobs, survived=_shown)
        good &= report.enough
        share = f"{100 * report.killed / report.relevant:.1f} %" if report.relevant else "-"
        print(
            f"{name}: {share} ({report.killed} of {report.relevant}; {report.count} mutants, of them "
            f"{report.no_game} no game; {time.monotonic() - begin:.0f} s, seed {options.seed})",
            flush=True,
        )
    return 0 if good else 1


def _shown(mutant: Mutant) -> None:
    print(f"    {mutant}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
