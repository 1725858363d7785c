"""Move hint: the options that look best to the deciding player, from what that player can see."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.engine import Move
from wongar_dsl.engine.bots import SearchBudget, decision_rng, is_puzzle
from wongar_dsl.engine.bots.mcts import ONE, OptionEvaluation, evaluate_options
from wongar_dsl.engine.match import Match

#: Maximum number of hinted options; those visited less than 1/MIN_VISIT_PART as often as the best are omitted.
MAX_HINTS, MIN_VISIT_PART = 3, 10
#: Minimum number of playouts of a useful hint, and the maximum number of attempts to reach it.
MIN_GAMES, MAX_ATTEMPTS = 200, 5
#: Options whose shares differ by less than this count as equal.
EVEN = 0.03


@dataclass(frozen=True, slots=True)
class OptionPromise:
    """Option with its expected share of the win; `certain`: the share is exact."""

    move: Move
    share: float
    certain: bool


@dataclass(frozen=True, slots=True)
class MoveHint:
    """The best options, best first; `even`: all options are equally good."""

    best: tuple[OptionPromise, ...]
    even: bool = False


def hint_refusal(match: Match) -> str | None:
    """Return the reason why no hint is available (`clock`, `puzzle` or `only`), or None if one is.

    With a running clock the speed of the answer is the game, and records compare it. A hint to a puzzle would be its
    solution.
    """
    if match.state.clock is not None:
        return "clock"
    if is_puzzle(match.state):
        return "puzzle"
    return "only" if len(match.state.legal_moves()) == 1 else None


def hint(match: Match, budget: SearchBudget) -> MoveHint:
    """Return a hint for the deciding seat, from what it may know; the match is not changed.

    With too few playouts, as before machine code is ready, it takes up to `MAX_ATTEMPTS` times as long.
    """
    state = match.state.copy()
    for _ in range(MAX_ATTEMPTS):
        options = evaluate_options(state, budget, decision_rng(match.seed, state.seat, len(match.steps)), match.past)
        if budget.iterations or options[0].certain or sum(option.visits for option in options) >= MIN_GAMES:
            break
    shares = [option.value / ONE for option in options if option.visits or option.certain]
    if len(shares) == len(options) and max(shares) - min(shares) < EVEN:
        return MoveHint((_promise(options[0]),), even=True)
    often = [option for option in options if option.visits * MIN_VISIT_PART >= options[0].visits]
    return MoveHint(tuple(map(_promise, often[:MAX_HINTS])))


def _promise(option: OptionEvaluation) -> OptionPromise:
    return OptionPromise(option.move, option.value / ONE, option.certain)
