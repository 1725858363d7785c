"""Turning points of a game: blunders, and chance events or hidden information that shifted the expected win.

Each decision is evaluated from the information of its seat at that time. The cost of a choice is the value of the best
option minus that of the option taken. Up to the seat's next decision, or to the end, its expectation changes through
choices of others and through things unknown to it. Such a change is reported if chance was drawn or hidden information
was revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Literal

from wongar_dsl.compiler.backends import Option
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots import SearchBudget, decision_rng, is_puzzle
from wongar_dsl.engine.bots.search import ONE, OptionEvaluation, evaluate_options
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.history import ChoiceHistory
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.undo_policy import undo_barrier
from wongar_dsl.lab.simulator import win_shares

#: Minimum change of a turning point, as a share of the win (and at least twice its standard error), and maximum number
#: reported.
MIN_SWING, MAX_TURNING_POINTS = 0.1, 6
#: Factor for the iterations of a second, closer evaluation of an apparent blunder.
RECHECK_FACTOR = 4
#: Added to the number of a decision, so that the analysis does not use the deciding bot's random stream.
STREAM_OFFSET = 1 << 17


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """Decision as evaluated from its seat's information.

    `share` and `best_share` are the values of the option taken and the best one, as shares of the win, each with its
    standard error; an error of 0 means that the value is certain.
    """

    number: int
    seat: int
    taken: Move
    best: Move
    share: float
    best_share: float
    error: float
    best_error: float

    @property
    def lost_share(self) -> float:
        """Share of the win that the choice cost."""
        return max(0.0, self.best_share - self.share)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Turning point: the expectation of a seat changed from one share of the win to another.

    With `reason` `choice`, the seat has `taken` another than the `best` option in this step. With `chance` or `looked`
    (see `UndoBarrier`), this step revealed something unknown to the seat; `event` is the first event that reported it.
    """

    number: int
    seat: int
    reason: Literal["choice", "chance", "looked"]
    before: float
    after: float
    taken: Move | None = None
    best: Move | None = None
    event: Event | None = None
    before_certain: bool = False
    after_certain: bool = False

    @property
    def size(self) -> float:
        """Size of the change."""
        return abs(self.after - self.before)


def judge_moves(
    match: Match, seats: Collection[int], iterations: int, tick: Callable[[int], None] = lambda _: None
) -> Iterator[JudgedMove]:
    """Yield the decisions of some seats, each evaluated with a number of iterations.

    `tick` is called with each step number. Left out are single options, puzzles, and decisions with a clock. Raise
    `RuleFault` for a fault in the rules.
    """
    past = ChoiceHistory(match.game, match.past.first.copy())
    for number, choice in enumerate(match.past.choices):
        tick(number)
        state = State(match.game, match.state_before(number))
        if choice.seat in seats and state.clock is None and not is_puzzle(state) and len(state.options()) > 1:
            generator = decision_rng(match.seed, choice.seat, number + STREAM_OFFSET)
            judgement = _judge(state, number, choice.option, iterations, generator, past)
            if judgement.lost_share >= _min_reported(judgement.error, judgement.best_error):
                # A search may undervalue an option that it abandons early, so it is evaluated again with more
                # iterations.
                closer = _judge(state, number, choice.option, iterations * RECHECK_FACTOR, generator, past)
                judgement = closer if closer.lost_share < judgement.lost_share else judgement
            yield judgement
        past.add(state.cells, choice.option, choice.time)


def _judge(
    state: State, number: int, option: Option, iterations: int, generator: Generator, past: ChoiceHistory
) -> JudgedMove:
    options = evaluate_options(state, SearchBudget(iterations), generator, past)
    choice, best = next(evaluation for evaluation in options if evaluation.move.raw == option), options[0]
    # An option that was never tried gets the lowest value of all.
    share = choice.value if choice.visits or choice.certain else min(evaluation.value for evaluation in options)
    errors = (_error(choice), _error(best))
    return JudgedMove(number, state.seat, choice.move, best.move, share / ONE, best.value / ONE, *errors)


def _error(option: OptionEvaluation) -> float:
    """Return an upper bound of the standard error of an option's value."""
    return 0.0 if option.certain else 0.5 / max(1, option.visits) ** 0.5


def find_turning_points(match: Match, judged_moves: Sequence[JudgedMove]) -> tuple[TurningPoint, ...]:
    """Return the greatest turning points of a match in order of play; `judged_moves` are its evaluated decisions."""
    candidates = [*_blunders(judged_moves), *_unforeseen_changes(match, judged_moves)]
    greatest = sorted(candidates, key=lambda turn: (-turn.size, turn.number, turn.seat))[:MAX_TURNING_POINTS]
    return tuple(sorted(greatest, key=lambda turn: (turn.number, turn.reason != "choice")))


def _blunders(judged_moves: Sequence[JudgedMove]) -> Iterator[TurningPoint]:
    for entry in judged_moves:
        if entry.lost_share >= _min_reported(entry.error, entry.best_error):
            yield TurningPoint(
                entry.number, entry.seat, "choice", entry.best_share, entry.share, entry.taken, entry.best, None,
                not entry.best_error, not entry.error,
            )  # fmt: skip


def _min_reported(*errors: float) -> float:
    """Return the minimum difference that is reported between shares with these standard errors."""
    return max(MIN_SWING, 2 * hypot(*errors))


def _unforeseen_changes(match: Match, judged_moves: Sequence[JudgedMove]) -> Iterator[TurningPoint]:
    """Yield changes by chance or hidden information, apart from other players' blunders.

    For each step only the most affected seat counts.
    """
    at_step: dict[int, TurningPoint] = {}
    for seat in sorted({decision.seat for decision in judged_moves}):
        decisions = [decision for decision in judged_moves if decision.seat == seat]
        for decision, next_decision in zip(decisions, [*decisions[1:], None], strict=True):
            if next_decision is not None:
                end, after, error = next_decision.number, next_decision.best_share, next_decision.best_error
            elif match.state.over:
                end, after, error = len(match.steps), win_shares(match.state)[seat], 0.0
            else:
                continue
            blunders = sum(
                rival.lost_share
                for rival in judged_moves
                if rival.seat != seat and decision.number < rival.number < end
            )
            change = after - decision.share
            if abs(change - blunders if change > 0 else change) < _min_reported(decision.error, error):
                continue
            turn = _first_unforeseen(match, decision, end, after, not error)
            if turn is not None and turn.size > (at_step[turn.number].size if turn.number in at_step else 0):
                at_step[turn.number] = turn
    yield from at_step.values()


def _first_unforeseen(match: Match, decision: JudgedMove, end: int, after: float, certain: bool) -> TurningPoint | None:
    """Return the first step after a decision in which something unknown to its seat was revealed, or None."""
    seat = decision.seat
    for number in range(decision.number, end):
        barrier = undo_barrier(match.game, match.state_before(number), match.past.choices[number], seat)
        if barrier is not None and (barrier.reason == "chance" or barrier.reason == "looked"):
            return TurningPoint(
                number, seat, barrier.reason, decision.share, after, event=barrier.event,
                before_certain=not decision.error, after_certain=certain,
            )  # fmt: skip
    return None
