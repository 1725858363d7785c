"""Bots that know no game.  They see what their seat may see, and draw from a generator of their own."""

from __future__ import annotations

from typing import Protocol

from wongar_dsl.backends import RuleFault
from wongar_dsl.chance import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.observation import sample

PLAYOUTS = 24
MAX_PLAYOUT = 5000


class Bot(Protocol):
    """Something that decides for a seat."""

    def choose(self, state: State, generator: Generator) -> Move:
        """One of the legal moves of the seat that decides."""


class RandomBot:
    """Takes each option as likely as any other."""

    def choose(self, state: State, generator: Generator) -> Move:
        """See `Bot.choose`."""
        moves = serious_moves(state)
        return moves[generator.below(len(moves))]


class GreedyBot:
    """Tries each option by playouts from states that look the same to its seat, and takes the best.

    What counts is the mean of the result: 1 for a win (shared among the winners), and a small part for the distance in
    score to the best of the others.
    """

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self._playouts = playouts

    def choose(self, state: State, generator: Generator) -> Move:
        """See `Bot.choose`."""
        moves = serious_moves(state)
        # A solution is as good as another.
        if len(moves) == 1 or solves(state):
            return moves[generator.below(len(moves))]
        seat = state.seat
        totals = [0.0] * len(moves)
        counts = [0] * len(moves)
        rounds = max(2, self._playouts // len(moves))
        for _ in range(rounds):
            # All options are tried in the same sampled state and with the same luck, so that it weighs on them alike.
            world = sample(state, seat, generator)
            luck = generator.below(1 << 62)
            for i, move in enumerate(moves):
                result = self._result(world, move, seat, Generator(luck))
                if result is not None:
                    totals[i] += result
                    counts[i] += 1
        best = max(range(len(moves)), key=lambda i: (totals[i] / counts[i] if counts[i] else -9.0, -i))
        return moves[best]

    def _result(self, world: State, move: Move, seat: int, generator: Generator) -> float | None:
        state = world.copy()
        if move.raw not in state.game.runner.options(state.cells):
            return None
        try:
            state.game.runner.choose(state.cells, move.raw)
            playout(state, generator)
        except RuleFault:
            return None
        return value_for(state, seat)


def solves(state: State) -> bool:
    """Whether the decision asks for a solution: one of its options takes a covering."""
    decision = state.decision
    return decision is not None and any(kind.kind == "coverings" for o in decision.options for _, kind in o.parameters)


def serious_moves(state: State) -> list[Move]:
    """The legal moves; where a solution is asked for and there is one, the solutions."""
    moves = state.legal_moves()
    if solves(state):
        return [m for m in moves if m.arguments] or moves
    return moves


def thinking_time(state: State, kind: str, generator: Generator) -> int:
    """How long a bot takes for the decision, in milliseconds: nothing where no clock runs.

    The time is a part of what the clock has left, between two bounds and most likely in the middle between them.  It
    can be more than is left.
    """
    clock = state.clock
    if clock is None:
        return 0
    shown, end = clock
    low, high = PACES.get(kind, PACES[""])
    whole = end if end is not None else NO_END
    if solves(state):
        part = whole - shown
    else:
        low, high, part = low // 12, high // 25, whole
    span = (high - low) * part // 1000
    return low * part // 1000 + sum(generator.below(span + 1) for _ in range(3)) // 3


def playout(state: State, generator: Generator, limit: int = MAX_PLAYOUT) -> int:
    """Play at random to the end, in place, without events; gives the number of decisions."""
    runner, cells = state.game.runner, state.cells
    options = runner.go(cells)
    for count in range(limit):
        if not options:
            return count
        runner.choose(cells, options[generator.below(len(options))])
        options = runner.go(cells)
    return limit


def value_for(state: State, seat: int) -> float:
    """How good a position is for a seat: the share of the win, and a small part for the lead in score."""
    scores = state.scores
    rivals = [v for p, v in enumerate(scores) if p != seat]
    lead = (scores[seat] - max(rivals)) if rivals else scores[seat]
    spread = max(1, *(abs(v) for v in scores))
    share = 1 / len(state.winners) if seat in state.winners else 0.0
    return share + 0.25 * lead / spread


BOTS = {"random": RandomBot, "greedy": GreedyBot, "quick": GreedyBot, "slow": GreedyBot}

#: Bounds of the part of the clock that a bot of a kind takes to find a solution, in thousandths.
PACES = {"": (250, 1050), "quick": (120, 700), "slow": (450, 1350)}
#: Where the clock has no end, it counts as so long, in milliseconds.
NO_END = 60_000


def bot(name: str) -> Bot:
    """The bot of a name; raises KeyError for an unknown one."""
    made: Bot = BOTS[name]()
    return made
