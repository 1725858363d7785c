"""Strength of the bots: against each other, against exact solvers, and at poker against the equilibrium.

    python -m benchmarks.strength [PART ...] [--games N] [--jobs N] [--samples N] [--backend NAME]

The parts are `greedy`, `solved`, `poker`, `growth` and `levels`; the default is all. Each line is a measurement and, if
there is a target, whether it is met; the exit code is 1 if any target is missed.
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

from tests.exact.poker import Place, equilibrium, exploitability, poker, sampled_strategy, uniform, value
from tests.exact.solving import DRAWN, WON, Solver, drop_values, late_position, reachable, to_bitboards
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine import Game, Move, State, library
from wongar_dsl.engine.bots import bot, decision_rng
from wongar_dsl.lab.processes import ProcessExecutor
from wongar_dsl.lab.tournament import Share, TournamentPlan, outcome, play

ROOT = Path(__file__).resolve().parents[1]
LEDUC = str(ROOT / "tests" / "data" / "leduc_poker.rules")
SEARCH = "mcts:1000"
#: Number of Connect Four positions to solve, and their maximum number of free squares.
POSITIONS, FREE = 200, 12
#: Number of seats for the games in which more iterations are compared with fewer.
SCALING_SEATS = {"wongar": 4, "wongar/initiated": 4, "tongiaki": 2, "connect_four": 2, "goofspiel": 2}


@dataclass(frozen=True)
class Wanted:
    """Command-line options: games for each meeting, samples for each decision, and so on."""

    games: int
    jobs: int
    samples: int
    backend: str


@dataclass(frozen=True)
class Line:
    """Measurement, and whether it meets the target; None if there is no target."""

    text: str
    good: bool | None = None


def game_of(name: str, backend: str, seats: int = 2) -> Game:
    """Return a game, using the disk cache."""
    cache = Cache(user_cache_path("wongar", appauthor=False))
    return library.load(name, cache).game(seats, {}, backend, cache)


# ---- against other bots --------------------------------------------------------------------------------------------


def meet(rules: str, seats: int, one: str, other: str, wanted: Wanted) -> tuple[float, Share, int]:
    """Return a bot's win rate against another, its share including draws, and the number of games."""
    folder = str(user_cache_path("wongar", appauthor=False))
    plan = TournamentPlan(rules, (one, other), seats, 0, 1, (), wanted.backend, folder).with_games(wanted.games)
    with ProcessExecutor(wanted.jobs, time.monotonic) as executor:
        met = outcome(plan, list(play(plan, executor))).results[0]
    return met.won[0] / met.games, met.shares[0], met.games


def told(rules: str, seats: int, one: str, other: str, wins: float, share: Share, games: int) -> str:
    """Return the result of a meeting in words."""
    return (
        f"{rules} ({seats}): {one} against {other}: won {wins:.1%}, share {share.share:.1%} "
        f"({share.low:.1%} to {share.high:.1%}), {games} games"
    )


def greedy(wanted: Wanted) -> Iterator[Line]:
    """Measure a search against the bot that tries each option a few times."""
    for rules, seats, least in (("connect_four", 2, 0.9), ("wongar", 4, 0.7)):
        wins, share, games = meet(rules, seats, SEARCH, "greedy", wanted)
        text = told(rules, seats, SEARCH, "greedy", wins, share, games)
        yield Line(f"{text}; wanted: {least:.0%} won", wins >= least)


def growth(wanted: Wanted) -> Iterator[Line]:
    """Measure ten times the iterations against the normal number."""
    for rules, seats in SCALING_SEATS.items():
        wins, share, games = meet(rules, seats, "mcts:10000", SEARCH, wanted)
        text = told(rules, seats, "mcts:10000", SEARCH, wins, share, games)
        yield Line(f"{text}; wanted: the interval above 50%", share.verdict > 0)


def levels(wanted: Wanted) -> Iterator[Line]:
    """Measure each level against the one below it."""
    for rules, seats in (("connect_four", 2), ("wongar", 4), ("tongiaki", 2)):
        for stronger, weaker in (("medium", "easy"), ("hard", "medium")):
            yield Line(told(rules, seats, stronger, weaker, *meet(rules, seats, stronger, weaker, wanted)))


# ---- against exact solvers -------------------------------------------------------------------------------------


def chosen(name: str, state: State, number: int) -> Move:
    """Return the move of a bot with a numbered random stream."""
    return bot(name).choose(state.copy(), decision_rng(number, state.seat, 0))


def solved(wanted: Wanted) -> Iterator[Line]:
    """Measure a search against exact solvers."""
    for name, worth, text in (("tictactoe", DRAWN, "drawn"), ("nim", WON, "won")):
        game = game_of(name, wanted.backend)
        solver = Solver(game_of(name, "python"))
        total = right = 0
        for number, state in enumerate(reachable(game)):
            worths = solver.worth_of_moves(State(solver.game, state.cells))
            # Only positions of this value count; in a lost one no choice matters.
            if max(worths.values()) == worth:
                total += 1
                right += worths[chosen(SEARCH, state, number)] == worth
        yield Line(f"{name}: {SEARCH} keeps {right} of {total} {text} positions; wanted: all", right == total)
    game, memo = game_of("connect_four", wanted.backend), dict[tuple[int, int], int]()
    total = right = seed = 0
    while total < POSITIONS:
        seed += 1
        state = late_position(seed, FREE - seed % 5)
        worths = {"abcdefg"[c]: worth for c, worth in drop_values(*to_bitboards(state), memo, stop=False).items()}
        if len(set(worths.values())) > 1:
            total += 1
            move = chosen(SEARCH, State(game, state.cells), seed)
            right += worths[state.write(move).removeprefix("drop(")[0]] == max(worths.values())
    text = f"connect_four: {SEARCH} solves {right} of {total} positions with at most {FREE} free squares"
    yield Line(f"{text}, in which it matters what is chosen; wanted: 95%", right >= 0.95 * total)


def pokers(wanted: Wanted) -> Iterator[Line]:
    """Measure the exploitability of a search, and its value against the equilibrium, in chips per game."""
    for rules, name in (("kuhn_poker", "Kuhn poker"), (LEDUC, "Leduc poker")):
        tree = poker(rules)
        worth, best = equilibrium(tree)
        yield Line(f"{name}: the equilibrium is worth {worth:.6f} to who begins, exploitability {_told(tree, best)}")
        yield Line(f"{name}: random play: exploitability {_told(tree, uniform(tree))}")
        game = game_of(rules, wanted.backend)
        for iterations in (100, 1000, 10_000):

            def choose(place: Place, number: int, game: Game = game, name: str = f"mcts:{iterations}") -> int:
                state, seat = State(game, place.state.cells.copy()), place.state.seat
                move = bot(name).choose(state, decision_rng(number, seat, len(place.past.choices)), place.past)
                return state.options().index(move.raw)

            strategy = sampled_strategy(tree, choose, wanted.samples)
            gain = float(value(tree, strategy))
            text = f"{name}: mcts:{iterations}: exploitability {_told(tree, strategy)}, worth {gain:.4f} to who begins"
            yield Line(f"{text} ({wanted.samples} choices at each of {len(tree.places)} decisions)")


def _told(of: object, strategy: object) -> str:
    gain: Fraction = exploitability(of, strategy)  # type: ignore[arg-type]
    return f"{max(0.0, float(gain)):.6f}"


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
    options = parser.parse_args()
    request = Wanted(options.games, options.jobs, options.samples, options.backend)
    bad = 0
    for name in options.parts or PARTS:
        began = time.monotonic()
        for line in PARTS[name](request):
            mark = {None: "    ", True: "good", False: "BAD "}[line.good]
            sys.stdout.write(f"{mark}  {line.text}\n")
            sys.stdout.flush()
            bad += line.good is False
        sys.stdout.write(f"      {name}: {time.monotonic() - began:.0f} s\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
