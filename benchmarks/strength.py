"""How strong the bots are: against each other, against exact solvers, and at poker against the best that there is.

    python -m benchmarks.strength [PART ...] [--games N] [--jobs N] [--samples N] [--backend NAME]

The parts are `greedy`, `solved`, `poker`, `growth` and `levels`; without any, all.  Each line tells what was measured,
and, where something is aimed at, whether it is reached; the exit code is 1 where something is not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from platformdirs import user_cache_path

from tests.exact.poker import Place, equilibrium, exploitability, played_by, poker, uniform, value
from tests.exact.solving import DRAWN, WON, Solver, connect_four, drops, late, reachable
from wongar_dsl import library
from wongar_dsl.bots import bot, luck
from wongar_dsl.cache import Cache
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.lab.processes import Processes
from wongar_dsl.lab.tournament import Plan, Share, outcome, play

ROOT = Path(__file__).resolve().parents[1]
LEDUC = str(ROOT / "tests" / "data" / "leduc_poker.rules")
SEARCH = "mcts:1000"
#: So many positions of Connect Four with at most so many free squares are solved.
POSITIONS, FREE = 200, 12
#: How many play where a bot with more iterations meets one with fewer.
GROWTH = {"wongar": 4, "wongar/initiated": 4, "tongiaki": 2, "connect_four": 2, "goofspiel": 2}


@dataclass(frozen=True)
class Wanted:
    """What is asked for on the command line; games for each meeting, samples for each thing that is known."""

    games: int
    jobs: int
    samples: int
    backend: str


@dataclass(frozen=True)
class Line:
    """Something measured, and whether it is as it should be: None where nothing is aimed at."""

    text: str
    good: bool | None = None


def game_of(name: str, backend: str, seats: int = 2) -> Game:
    """A game, kept from one run to the next."""
    cache = Cache(user_cache_path("wongar", appauthor=False))
    return library.load(name, cache).game(seats, {}, backend, cache)


# ---- against other bots --------------------------------------------------------------------------------------------


def meet(rules: str, seats: int, one: str, other: str, wanted: Wanted) -> tuple[float, Share, int]:
    """The games that one bot won of those against another one, its share with draws, and how many games these were."""
    folder = str(user_cache_path("wongar", appauthor=False))
    plan = Plan(rules, (one, other), seats, 0, 1, (), wanted.backend, folder).with_games(wanted.games)
    with Processes(wanted.jobs, time.monotonic) as executor:
        met = outcome(plan, list(play(plan, executor))).met[0]
    return met.won[0] / met.games, met.shares[0], met.games


def told(rules: str, seats: int, one: str, other: str, wins: float, share: Share, games: int) -> str:
    """The result of a meeting."""
    return (
        f"{rules} ({seats}): {one} against {other}: won {wins:.1%}, share {share.share:.1%} "
        f"({share.low:.1%} to {share.high:.1%}), {games} games"
    )


def greedy(wanted: Wanted) -> Iterator[Line]:
    """A search against the bot that tries each option a few times."""
    for rules, seats, least in (("connect_four", 2, 0.9), ("wongar", 4, 0.7)):
        wins, share, games = meet(rules, seats, SEARCH, "greedy", wanted)
        text = told(rules, seats, SEARCH, "greedy", wins, share, games)
        yield Line(f"{text}; wanted: {least:.0%} won", wins >= least)


def growth(wanted: Wanted) -> Iterator[Line]:
    """Ten times the iterations against once."""
    for rules, seats in GROWTH.items():
        wins, share, games = meet(rules, seats, "mcts:10000", SEARCH, wanted)
        text = told(rules, seats, "mcts:10000", SEARCH, wins, share, games)
        yield Line(f"{text}; wanted: the interval above 50%", share.verdict > 0)


def levels(wanted: Wanted) -> Iterator[Line]:
    """Each level against the one below it."""
    for rules, seats in (("connect_four", 2), ("wongar", 4), ("tongiaki", 2)):
        for one, other in (("medium", "easy"), ("hard", "medium")):
            yield Line(told(rules, seats, one, other, *meet(rules, seats, one, other, wanted)))


# ---- against what is known exactly ---------------------------------------------------------------------------------


def chosen(name: str, state: State, number: int) -> Move:
    """What a bot does with the luck of a number."""
    return bot(name).choose(state.copy(), luck(number, state.seat, 0))


def solved(wanted: Wanted) -> Iterator[Line]:
    """A search against exact solvers."""
    for name, worth, text in (("tictactoe", DRAWN, "drawn"), ("nim", WON, "won")):
        game = game_of(name, wanted.backend)
        solver = Solver(game_of(name, "python"))
        asked = right = 0
        for number, state in enumerate(reachable(game)):
            worths = solver.worth_of_moves(State(solver.game, state.cells))
            # Where all options are as good, nothing is asked.
            if max(worths.values()) == worth:
                asked += 1
                right += worths[chosen(SEARCH, state, number)] == worth
        yield Line(f"{name}: {SEARCH} keeps {right} of {asked} {text} positions; wanted: all", right == asked)
    game, known = game_of("connect_four", wanted.backend), dict[tuple[int, int], int]()
    asked = right = seed = 0
    while asked < POSITIONS:
        seed += 1
        state = late(seed, FREE - seed % 5)
        worths = {"abcdefg"[c]: worth for c, worth in drops(*connect_four(state), known, stop=False).items()}
        if len(set(worths.values())) > 1:
            asked += 1
            move = chosen(SEARCH, State(game, state.cells), seed)
            right += worths[state.write(move).removeprefix("drop(")[0]] == max(worths.values())
    text = f"connect_four: {SEARCH} solves {right} of {asked} positions with at most {FREE} free squares"
    yield Line(f"{text}, in which it matters what is chosen; wanted: 95%", right >= 0.95 * asked)


def pokers(wanted: Wanted) -> Iterator[Line]:
    """How much can be won against a search, in chips a game, and against the equilibrium."""
    for rules, name in (("kuhn_poker", "Kuhn poker"), (LEDUC, "Leduc poker")):
        of = poker(rules)
        worth, best = equilibrium(of)
        yield Line(f"{name}: the equilibrium is worth {worth:.6f} to who begins, exploitability {_told(of, best)}")
        yield Line(f"{name}: random play: exploitability {_told(of, uniform(of))}")
        game = game_of(rules, wanted.backend)
        for iterations in (100, 1000, 10_000):

            def choose(place: Place, number: int, game: Game = game, name: str = f"mcts:{iterations}") -> int:
                state, seat = State(game, place.state.cells.copy()), place.state.seat
                move = bot(name).choose(state, luck(number, seat, len(place.past.choices)), place.past)
                return state.options().index(move.raw)

            strategy = played_by(of, choose, wanted.samples)
            gain = float(value(of, strategy))
            text = f"{name}: mcts:{iterations}: exploitability {_told(of, strategy)}, worth {gain:.4f} to who begins"
            yield Line(f"{text} ({wanted.samples} choices at each of {len(of.places)} decisions)")


def _told(of: object, strategy: object) -> str:
    found: Fraction = exploitability(of, strategy)  # type: ignore[arg-type]
    return f"{max(0.0, float(found)):.6f}"


PARTS: dict[str, Callable[[Wanted], Iterator[Line]]] = {
    "greedy": greedy,
    "solved": solved,
    "poker": pokers,
    "growth": growth,
    "levels": levels,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--backend", default="native")
    given = parser.parse_args()
    wanted = Wanted(given.games, given.jobs, given.samples, given.backend)
    bad = 0
    for name in given.parts or PARTS:
        began = time.monotonic()
        for line in PARTS[name](wanted):
            mark = {None: "    ", True: "good", False: "BAD "}[line.good]
            sys.stdout.write(f"{mark}  {line.text}\n")
            sys.stdout.flush()
            bad += line.good is False
        sys.stdout.write(f"      {name}: {time.monotonic() - began:.0f} s\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
