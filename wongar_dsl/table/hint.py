"""Move hint: the options that look best to the deciding player, from what that player can see."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.bots import ONE, Budget, Weighed, luck, solves, weigh
from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Match

#: Maximum number of options in a hint; an option tried less than 1/SELDOM as often as the best one is left out.
MOST, SELDOM = 3, 10
#: Minimum number of playouts of a useful hint, and the maximum number of attempts to reach it.
ENOUGH, AGAIN = 200, 5
#: Options whose shares differ by less than this count as equal.
EVEN = 0.03


@dataclass(frozen=True, slots=True)
class Promise:
    """Option with its expected share of the win; `certain`: the share is exact."""

    move: Move
    share: float
    certain: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """The best options, best first; `even`: all options are equally good."""

    best: tuple[Promise, ...]
    even: bool = False


def refusal(match: Match) -> str | None:
    """Return the reason why no hint is available (`clock`, `puzzle` or `only`), or None if one is.

    With a running clock the speed of the answer is the game, and records compare it. A hint to a puzzle would be its
    solution.
    """
    if match.state.clock is not None:
        return "clock"
    if solves(match.state):
        return "puzzle"
    return "only" if len(match.state.legal_moves()) == 1 else None


def hint(match: Match, budget: Budget) -> Hint:
    """Return a hint for the deciding seat, from what it may know; the match is not changed.

    With too few playouts, as before machine code is ready, it takes up to `AGAIN` times as long.
    """
    state = match.state.copy()
    for _ in range(AGAIN):
        options = weigh(state, budget, luck(match.seed, state.seat, len(match.steps)), match.past)
        if budget.iterations or options[0].certain or sum(option.visits for option in options) >= ENOUGH:
            break
    shares = [option.value / ONE for option in options if option.visits or option.certain]
    if len(shares) == len(options) and max(shares) - min(shares) < EVEN:
        return Hint((_promise(options[0]),), even=True)
    often = [option for option in options if option.visits * SELDOM >= options[0].visits]
    return Hint(tuple(map(_promise, often[:MOST])))


def _promise(one: Weighed) -> Promise:
    return Promise(one.move, one.value / ONE, one.certain)
