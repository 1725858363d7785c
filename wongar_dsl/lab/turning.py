"""Where a game turned: choices that gave away much of the win, and chance or hidden things that took or gave it.

Each decision is weighed as its seat saw it then.  A choice gave away what the best option promised more than the one
that was taken.  From there to the next decision of the same seat, or to the end, what it can expect goes up or down by
what others choose and by what nobody could know: where chance was drawn or something hidden looked at, that is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Literal

from wongar_dsl.backends import Option
from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots import ONE, Budget, Weighed, luck, solves, weigh
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.past import Past
from wongar_dsl.engine.undo import finality
from wongar_dsl.lab.playing import shares

#: No less of the win makes a turn, nor less than twice its standard error, and so many turns are told.
LEAST, MOST = 0.1, 6
#: A choice that seems to give much away is looked at again with so many times the iterations.
CLOSER = 4
#: The luck of an analysis is not that of the bot that decided: it begins at this number, above those of all decisions.
OTHER_LUCK = 1 << 17


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision as it looked from the seat that took it: which step it was, and the shares of the win that the option
    taken and the best one promised, each with its standard error; without any, it is certain."""

    number: int
    seat: int
    taken: Move
    best: Move
    share: float
    best_share: float
    error: float
    best_error: float

    @property
    def given_away(self) -> float:
        """How much of the win the choice cost."""
        return max(0.0, self.best_share - self.share)


@dataclass(frozen=True, slots=True)
class Turn:
    """A moment at which what a seat could expect went from one share of the win to another.

    `reason` is `choice`: the seat itself has `taken` something else than the `best` option in the step of this number;
    or `chance` or `looked`, as of a final step: in this step something came in that the seat could not know, of which
    `event` is the first that was told.
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
        """How much it was."""
        return abs(self.after - self.before)


def judged(
    match: Match, seats: Collection[int], iterations: int, tick: Callable[[int], None] = lambda _: None
) -> Iterator[Judged]:
    """The decisions of some seats, each weighed with so many iterations; `tick` is told the number of each step.

    Left out is what is no choice: a single option, puzzles, and what is decided against a clock.  Raises `RuleFault`.
    """
    past = Past(match.game, match.past.first.copy())
    for number, choice in enumerate(match.past.choices):
        tick(number)
        state = State(match.game, match.before(number))
        if choice.seat in seats and state.clock is None and not solves(state) and len(state.options()) > 1:
            generator = luck(match.seed, choice.seat, number + OTHER_LUCK)
            judgement = _judged(state, number, choice.option, iterations, generator, past)
            if judgement.given_away >= _least(judgement.error, judgement.best_error):
                # What a search turns away from early may look worse than it is: so it is looked at again, more closely.
                again = _judged(state, number, choice.option, iterations * CLOSER, generator, past)
                judgement = again if again.given_away < judgement.given_away else judgement
            yield judgement
        past.add(state.cells, choice.option, choice.time)


def _judged(state: State, number: int, option: Option, iterations: int, generator: Generator, past: Past) -> Judged:
    found = weigh(state, Budget(iterations), generator, past)
    taken, best = next(one for one in found if one.move.raw == option), found[0]
    # What was never tried promised no more than what promised least.
    share = taken.value if taken.visits or taken.certain else min(one.value for one in found)
    errors = (_error(taken), _error(best))
    return Judged(number, state.seat, taken.move, best.move, share / ONE, best.value / ONE, *errors)


def _error(one: Weighed) -> float:
    """No more than this is the standard error of what so many games tell."""
    return 0.0 if one.certain else 0.5 / max(1, one.visits) ** 0.5


def turns(match: Match, found: Sequence[Judged]) -> tuple[Turn, ...]:
    """The greatest turns of a match, in the order of play; `found` are its decisions as they were judged."""
    all_of_them = [*_choices(found), *_luck(match, found)]
    greatest = sorted(all_of_them, key=lambda turn: (-turn.size, turn.number, turn.seat))[:MOST]
    return tuple(sorted(greatest, key=lambda turn: (turn.number, turn.reason != "choice")))


def _choices(found: Sequence[Judged]) -> Iterator[Turn]:
    for one in found:
        if one.given_away >= _least(one.error, one.best_error):
            yield Turn(
                one.number, one.seat, "choice", one.best_share, one.share, one.taken, one.best, None,
                not one.best_error, not one.error,
            )  # fmt: skip


def _least(*errors: float) -> float:
    """What difference between shares with these standard errors is told."""
    return max(LEAST, 2 * hypot(*errors))


def _luck(match: Match, found: Sequence[Judged]) -> Iterator[Turn]:
    """What nobody could know and others did not give away; at each step for the seat that it meant most to."""
    at_step: dict[int, Turn] = {}
    for seat in sorted({one.seat for one in found}):
        own = [one for one in found if one.seat == seat]
        for one, following in zip(own, [*own[1:], None], strict=True):
            if following is not None:
                end, after, error = following.number, following.best_share, following.best_error
            elif match.state.over:
                end, after, error = len(match.steps), shares(match.state)[seat], 0.0
            else:
                continue
            given = sum(other.given_away for other in found if other.seat != seat and one.number < other.number < end)
            change = after - one.share
            if abs(change - given if change > 0 else change) < _least(one.error, error):
                continue
            turn = _unforeseen(match, one, end, after, not error)
            if turn is not None and turn.size > (at_step[turn.number].size if turn.number in at_step else 0):
                at_step[turn.number] = turn
    yield from at_step.values()


def _unforeseen(match: Match, one: Judged, end: int, after: float, certain: bool) -> Turn | None:
    """The first step from a decision on in which something came in that its seat could not know."""
    for number in range(one.number, end):
        final = finality(match.game, match.before(number), match.past.choices[number], one.seat)
        if final is not None and (final.reason == "chance" or final.reason == "looked"):
            return Turn(
                number, one.seat, final.reason, one.share, after, None, None, final.event, not one.error, certain
            )
    return None
