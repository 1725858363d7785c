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
from wongar_dsl.engine.bots import ONE, OptionEvaluation, SearchBudget, decision_rng, evaluate_options, is_puzzle
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.undo.history import ChoiceHistory
from wongar_dsl.engine.undo.undo_policy import undo_barrier
from wongar_dsl.lab.simulation.bot_game import win_shares

#: Minimum change of a turning point, as a share of the win (and at least twice its standard error), and maximum number
#: reported.
MIN_SWING, MAX_TURNING_POINTS = 0.1, 6
#: Factor for the iterations of a second, closer evaluation of an apparent blunder.
RECHECK_FACTOR = 4
#: Offset of the random streams, so that the analysis does not use the deciding bot's random numbers.
OTHER_LUCK = 1 << 17


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

    With `reason` `choice`, the seat has `taken` another than the `best` option in this step. With `chance` or `looked`,
    this step revealed something unknown to the seat; `event` is the first event that reported it.
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
            generator = decision_rng(match.seed, choice.seat, number + OTHER_LUCK)
            judgement = _judged(state, number, choice.option, iterations, generator, past)
            if judgement.lost_share >= _least(judgement.error, judgement.best_error):
                # A search may undervalue an option that it abandons early, so it is evaluated again with more
                # iterations.
                closer = _judged(state, number, choice.option, iterations * RECHECK_FACTOR, generator, past)
                judgement = closer if closer.lost_share < judgement.lost_share else judgement
            yield judgement
        past.add(state.cells, choice.option, choice.time)


def _judged(
    state: State, number: int, option: Option, iterations: int, generator: Generator, past: ChoiceHistory
) -> JudgedMove:
    options = evaluate_options(state, SearchBudget(iterations), generator, past)
    choice, best = next(option_stats for option_stats in options if option_stats.move.raw == option), options[0]
    # An option that was never tried gets the lowest value of all.
    share = choice.value if choice.visits or choice.certain else min(option_stats.value for option_stats in options)
    errors = (_error(choice), _error(best))
    return JudgedMove(number, state.seat, choice.move, best.move, share / ONE, best.value / ONE, *errors)


def _error(one: OptionEvaluation) -> float:
    """Return an upper bound of the standard error of a value from this number of visits."""
    return 0.0 if one.certain else 0.5 / max(1, one.visits) ** 0.5


def find_turning_points(match: Match, found: Sequence[JudgedMove]) -> tuple[TurningPoint, ...]:
    """Return the greatest turning points of a match in order of play; `found` are its evaluated decisions."""
    all_of_them = [*_choices(found), *_luck(match, found)]
    greatest = sorted(all_of_them, key=lambda turn: (-turn.size, turn.number, turn.seat))[:MAX_TURNING_POINTS]
    return tuple(sorted(greatest, key=lambda turn: (turn.number, turn.reason != "choice")))


def _choices(found: Sequence[JudgedMove]) -> Iterator[TurningPoint]:
    for entry in found:
        if entry.lost_share >= _least(entry.error, entry.best_error):
            yield TurningPoint(
                entry.number, entry.seat, "choice", entry.best_share, entry.share, entry.taken, entry.best, None,
                not entry.best_error, not entry.error,
            )  # fmt: skip


def _least(*errors: float) -> float:
    """Return the minimum difference that is reported between shares with these standard errors."""
    return max(MIN_SWING, 2 * hypot(*errors))


def _luck(match: Match, found: Sequence[JudgedMove]) -> Iterator[TurningPoint]:
    """Yield changes by chance or hidden information, apart from other players' blunders.

    For each step only the most affected seat counts.
    """
    at_step: dict[int, TurningPoint] = {}
    for seat in sorted({decision.seat for decision in found}):
        decisions = [decision for decision in found if decision.seat == seat]
        for decision, following in zip(decisions, [*decisions[1:], None], strict=True):
            if following is not None:
                end, after, error = following.number, following.best_share, following.best_error
            elif match.state.over:
                end, after, error = len(match.steps), win_shares(match.state)[seat], 0.0
            else:
                continue
            blunders = sum(
                rival.lost_share for rival in found if rival.seat != seat and decision.number < rival.number < end
            )
            change = after - decision.share
            if abs(change - blunders if change > 0 else change) < _least(decision.error, error):
                continue
            turn = _unforeseen(match, decision, end, after, not error)
            if turn is not None and turn.size > (at_step[turn.number].size if turn.number in at_step else 0):
                at_step[turn.number] = turn
    yield from at_step.values()


def _unforeseen(match: Match, one: JudgedMove, end: int, after: float, certain: bool) -> TurningPoint | None:
    """Return the first step after a decision in which something unknown to its seat was revealed, or None."""
    for number in range(one.number, end):
        final = undo_barrier(match.game, match.state_before(number), match.past.choices[number], one.seat)
        if final is not None and (final.reason == "chance" or final.reason == "looked"):
            return TurningPoint(
                number, one.seat, final.reason, one.share, after, None, None, final.event, not one.error, certain
            )
    return None
