"""What looks best to whoever decides, from what they can see."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.bots import ONE, Budget, Weighed, luck, solves, weigh
from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Match

#: No more options are named, and none that was tried less than a part of how often the best was.
MOST, SELDOM = 3, 10
#: Fewer games than that tell nothing; then it is thought on, so many times.
ENOUGH, AGAIN = 200, 5
#: Where options are as near to each other as that, it does not matter which is chosen.
EVEN = 0.03


@dataclass(frozen=True, slots=True)
class Promise:
    """An option, and the share of the win that it promises; `certain`: nothing else can come of it."""

    move: Move
    share: float
    certain: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """The best options, the best first; `even`: all options are as good."""

    best: tuple[Promise, ...]
    even: bool = False


def refusal(match: Match) -> str | None:
    """Why there is no hint now: `clock`, `puzzle` or `only`; None where there is one.

    Where a clock runs, how fast somebody finds an answer is the game, and records compare that; a hint to a puzzle
    would be its solution.
    """
    if match.state.clock is not None:
        return "clock"
    if solves(match.state):
        return "puzzle"
    return "only" if len(match.state.legal_moves()) == 1 else None


def hint(match: Match, budget: Budget) -> Hint:
    """A hint to the seat that decides, from what that seat may know; the match stays as it is.

    Where too little could be tried out, as may be before the rules run as machine code, it takes up to `AGAIN` times as
    long.
    """
    state = match.state.copy()
    for _ in range(AGAIN):
        found = weigh(state, budget, luck(match.seed, state.seat, len(match.steps)), match.past)
        if budget.iterations or found[0].certain or sum(one.visits for one in found) >= ENOUGH:
            break
    shares = [one.value / ONE for one in found if one.visits or one.certain]
    if len(shares) == len(found) and max(shares) - min(shares) < EVEN:
        return Hint((_promise(found[0]),), even=True)
    often = [one for one in found if one.visits * SELDOM >= found[0].visits]
    return Hint(tuple(map(_promise, often[:MOST])))


def _promise(one: Weighed) -> Promise:
    return Promise(one.move, one.value / ONE, one.certain)
