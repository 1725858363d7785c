"""`make mutants`: share of mutants of the built-in rules that the rule cases notice.

With --words, the mutants' rulebooks are read instead. The report gives the share of valid mutants whose rulebook
differs in every language, and lines that change without reason. It also lists equal texts of games, variants or mutants
that play differently.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter

from benchmarks.mutants.operators import Mutant
from benchmarks.mutants.random_games import GAMES
from benchmarks.mutants.rulebook_comparison import Heard, Read, alike, read, told_apart
from benchmarks.mutants.verdict import FLOOR, judged, names


def main() -> int:
    """Judge the mutants, print the table and the survivors; return 1 if a game is not above the floor."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--game", action="append", choices=names(), help="only this game; may stand several times")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many mutants of each game, at random")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once")
    parser.add_argument("--words", action="store_true", help="read their rulebooks, instead of playing the cases")
    options = parser.parse_args()
    if options.words:
        return _in_words(options.game or names(), options.sample, options.seed, options.jobs)
    print(f"killed of those that change one of {GAMES} random games, or one from the position of a case;", flush=True)
    print(f"more than {FLOOR} % must be", flush=True)
    good = True
    for name in options.game or names():
        begin = time.monotonic()
        report = judged(name, options.sample, options.seed, options.jobs, survived=_shown)
        good &= report.enough
        share = _share(report.killed, report.relevant)
        print(
            f"{name}: {share} ({report.killed} of {report.relevant}; {report.count} mutants, of them "
            f"{report.no_game} no game; {time.monotonic() - begin:.0f} s, seed {options.seed})",
            flush=True,
        )
    return 0 if good else 1


def _in_words(games: list[str], sample: int | None, seed: int, jobs: int) -> int:
    """Read the mutants' rulebooks; print the faults, then a summary for each game."""
    reports: list[Read] = []
    begin = time.monotonic()
    for name in games:
        reports.append(read(name, sample, seed, jobs, told=_not_told))
        print(f"{name}: {reports[-1].games} read; {time.monotonic() - begin:.0f} s, seed {seed}", flush=True)
        for why, many in Counter(item.why for item in reports[-1].heard if item.why).most_common():
            print(f"    {many} {why}", flush=True)
    pairs, apart = alike(reports), []
    print(f"{len(pairs)} pairs that read alike are played; {time.monotonic() - begin:.0f} s", flush=True)
    for pair in told_apart(pairs, jobs=jobs):
        apart.append(pair)
        print(f"    {' '.join(pair.languages)} {pair.one}\n        reads like {pair.other}", flush=True)
        print(f"        which {GAMES} games tell apart" + (f", although {pair.why}" if pair.why else ""), flush=True)
    print(
        f"{time.monotonic() - begin:.0f} s; of each game: told or need not be, strays, alike, told apart, without words"
    )
    for report in reports:
        share = _share(report.told, report.games)
        summary = f"{share} ({report.told} of {report.games})"
        counts = [sum(report.name in (pair.one.name, pair.other.name) for pair in some) for some in (pairs, apart)]
        print(f"{report.name}: {summary}, {report.strays}, {counts[0]}, {counts[1]}, {report.wordless}", flush=True)
    return 0 if not apart and all(report.honest for report in reports) else 1


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _not_told(mutant: Mutant, heard: Heard) -> None:
    if heard.same and not heard.why:
        print(f"    {' '.join(heard.same)} {mutant}", flush=True)
    if heard.wordless:
        print(f"    no words {mutant}", flush=True)
    for line in heard.strays:
        print(f"    {mutant}\n        changes {line}", flush=True)


def _shown(mutant: Mutant) -> None:
    print(f"    {mutant}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
