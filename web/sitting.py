"""One running table: who is asked, what they answer, clocks, taking back, and the number of the version.

All of it is for one thread at a time, which holds `lock`.  Whatever changes something for everybody raises the version,
by one for each decision, so that nobody learns more from it than that somebody has decided.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from wongar_dsl.engine import Move, State
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.moves import IllegalMove
from wongar_dsl.engine.transcript import taken_as_seen
from wongar_dsl.engine.undo import Final
from wongar_dsl.library.naming import PLUS
from wongar_dsl.table.asking import forced
from wongar_dsl.table.names import alike
from wongar_dsl.table.puzzle import Fault, Puzzle, unanswered
from wongar_dsl.table.series import series
from wongar_dsl.table.table import Table

from .questions import questions
from .rendering import Course
from .store import Open
from .viewing import Clock, TakenBack, Wish

#: A table that is opened again has versions that no page has seen before.
EACH_OPENING = 1_000_000
#: For so many milliseconds after its end an answer is waited for that was sent in time.
GRACE = 1_000
#: So many decisions in a row are made by themselves, and so many forms are remembered that were sent.
MOST_FORCED, MOST_SENT = 5_000, 256
#: Among so many last decisions of all seats together somebody finds their own to take it back.
NEAR = 12

HUMAN = "human"


class StaleError(Exception):
    """What was sent belongs to a question that is not asked any more."""


class NotKeptError(OSError):
    """What was sent was done, but cannot be kept now."""


class DrawingError(Exception):
    """A drawing that is no covering: what is wrong with it first."""

    def __init__(self, fault: Fault | None) -> None:
        self.fault = fault
        super().__init__(fault)


class SeriesError(Exception):
    """So many of each cannot be chosen, in whatever order: `wanted` where a state asked."""

    def __init__(self, state: State, wanted: Mapping[Move, int]) -> None:
        self.state, self.wanted = state, wanted
        super().__init__(wanted)


class FinalError(Exception):
    """A decision that cannot be taken back, and why."""

    def __init__(self, final: Final) -> None:
        self.final = final
        super().__init__(final.reason)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a seat: the state in which it is asked, and the version that asked it first."""

    state: State
    version: int


@dataclass(frozen=True, slots=True)
class _Wish:
    """A seat wishes to go back to before a step, and these others have not agreed yet; since which version."""

    seat: int
    step: int
    waiting: tuple[int, ...]
    version: int


class Sitting:
    """A table on a host."""

    def __init__(self, key: str, table: Table, kept: Open, now: Callable[[], float]) -> None:
        """`kept` is what the store says of it, and what it will say; `now` are seconds that only go on."""
        self.key, self.table, self.kept, self._now = key, table, kept, now
        self.lock = threading.RLock()
        kept.opened += 1
        self.version = kept.opened * EACH_OPENING
        #: After how many steps each seat had last decided by itself.
        self.since: dict[int, int] = {}
        #: What was taken back since each seat, or with None anybody, had last decided.
        self._taken: dict[int | None, tuple[TakenBack, ...]] = {}
        self.asked: dict[int, Asked] = {}
        self._answers: dict[int, tuple[str, int]] = {}
        self._started: dict[int, float] = {}
        self._gone: dict[int, int] = {}
        #: The number of steps at the last questions, and the version since which nothing has been decided.
        self._asked_after, self._changed = -1, self.version
        self._wish: _Wish | None = None
        self._sent: OrderedDict[str, None] = OrderedDict()
        #: Whether the store has to be written for what has changed, and whether the table is closed.
        self.dirty, self.closed = True, False
        self._take_up()

    @property
    def match(self) -> Match:
        """What is played."""
        return self.table.match

    def _take_up(self) -> None:
        """Go on where the store and the save say: with the answers and the clocks of those who decide together."""
        if self.kept.choices == len(self.match.steps):
            self._answers = {int(seat): answer for seat, answer in self.kept.answers.items()}
            self._gone = {int(seat): gone for seat, gone in self.kept.clocks.items()}
        if not self._gone and self.match.thought and not self.match.state.over:
            self._gone[self.match.state.seat] = self.match.thought
        gone = dict(self._gone)
        self._advance()
        self._gone = gone

    # ---- what is asked ----

    def _advance(self) -> None:
        """Make the decisions that are made by themselves, and find out who is asked then."""
        match = self.match
        for _ in range(MOST_FORCED):
            state = match.state
            if state.decision is None:
                break
            seat = state.seat
            if seat in self._answers:
                text, took = self._answers.pop(seat)
                try:
                    self._play(seat, state.read(text), took)
                except IllegalMove:
                    continue
            elif forced(state) == "openly":
                match.play(state.legal_moves()[0])
                self.version += 1
            else:
                break
        self._ask()

    def _play(self, seat: int, move: Move, took: int) -> None:
        self.match.play(move, took)
        self.since[seat] = len(self.match.steps)
        self._taken.pop(seat, None)
        self._taken.pop(None, None)

    def _ask(self) -> None:
        """Find out who is asked; a question that stands keeps its version and its clock."""
        found = {
            seat: state
            for seat, state in questions(self.match).items()
            if seat not in self._answers and self.match.seats[seat].kind == HUMAN
        }
        old, steps = self.asked, len(self.match.steps)
        # Where all decide at the same time, those who have not answered yet are asked what they were asked before.
        stands = steps == self._asked_after or all(
            seat in old and old[seat].state.decision is state.decision and state.decision.simultaneous
            for seat, state in found.items()
            if state.decision is not None
        )
        if steps != self._asked_after:
            self._changed = self.version
        self._asked_after = steps
        self.asked = {
            seat: Asked(state, old[seat].version if stands and seat in old else self.version)
            for seat, state in found.items()
        }
        for seat in {*self._started, *self._gone}:
            if not stands or seat not in found:
                self._started.pop(seat, None)
                self._gone.pop(seat, None)
        self.kept.choices = len(self.match.steps)
        answers = {str(seat): answer for seat, answer in self._answers.items()}
        self.dirty |= answers != self.kept.answers
        self.kept.answers = answers

    def question(self, seat: int | None, version: int | None = None) -> State:
        """What a seat is asked; raises `StaleError` where it is not asked, or was asked something else at a version."""
        asked = self.asked.get(seat) if seat is not None else None
        if asked is None or (version is not None and not asked.version <= version <= self.version):
            raise StaleError
        return asked.state

    @property
    def waiting(self) -> tuple[int, ...]:
        """Who is waited for."""
        if self.match.state.over:
            return ()
        return tuple(self.asked) or (self.match.state.seat,)

    # ---- answers ----

    def sent_before(self, once: str) -> bool:
        """Whether a form was sent and done before."""
        return bool(once) and once in self._sent

    def remember(self, once: str) -> None:
        """Remember that a form is done."""
        if once:
            self._sent[once] = None
            while len(self._sent) > MOST_SENT:
                self._sent.popitem(last=False)

    def answer(self, seat: int, version: int, text: str) -> None:
        """A seat decides; raises `StaleError`, `IllegalMove`, `PlayFault`, OSError and `SaveError`."""
        self._take(seat, self.question(seat, version).read(text))

    def several(self, seat: int, version: int, wanted: Mapping[str, int]) -> None:
        """A seat answers what it is asked several times in a row, each option so often; raises what `answer` does, and
        `SeriesError`."""
        state = self.question(seat, version)
        if seat != self.match.state.seat or state.clock is not None:
            raise StaleError
        moves = {state.read(text): number for text, number in wanted.items()}
        order = series(state, moves)
        if order is None:
            raise SeriesError(state, moves)
        for move in order:
            self._play(seat, move, 0)
        self._decided(len(order))

    def cover(self, seat: int, version: int, drawing: str) -> None:
        """A seat answers a puzzle; raises what `answer` does, and `DrawingError`."""
        puzzle = Puzzle.of(self.question(seat, version))
        if puzzle is None:
            raise StaleError
        rows = "/".join(drawing.split()).replace("//", "/")
        move = puzzle.solution(rows)
        if move is None:
            raise DrawingError(puzzle.fault(rows))
        self._take(seat, move)

    def _take(self, seat: int, move: Move, took: int | None = None) -> None:
        state = self.asked[seat].state
        if took is None:
            clock = self.clock(seat)
            took = 0 if state.clock is None else self.elapsed(seat) if clock is None else clock.whole - clock.left
        if seat == self.match.state.seat:
            self._play(seat, move, took)
        else:
            self._answers[seat] = (state.write(move), took)
        self._decided()

    def _decided(self, times: int = 1) -> None:
        """So many decisions were made: everybody hears of each, and they are kept."""
        self.version += times
        self._wish = None
        self._advance()
        self.save()

    def save(self) -> None:
        """Keep what happened; raises OSError, `SaveError`."""
        self.table.save()

    # ---- bots ----

    @property
    def thinks(self) -> bool:
        """Whether a bot decides now."""
        state = self.match.state
        return not state.over and self.match.seats[state.seat].kind != HUMAN

    @property
    def forced_secretly(self) -> bool:
        """Whether only who decides can see that there is but one option."""
        return not self.match.state.over and forced(self.match.state) == "secretly"

    def decided(self, course: Course, option: tuple[int, ...], took: int) -> None:
        """A bot has decided where the game stood at a course; nothing happens where it stands somewhere else now."""
        state = self.match.state
        if course != self.course() or not self.thinks:
            return
        self._play(state.seat, Move(option[0], option[1:]), took)
        self._decided()

    def course(self) -> Course:
        """What another process has to know to go on."""
        match = self.match
        return Course(
            self.key,
            PLUS.join(self.table.file.split("\n")) if self.table.file else match.game.name,
            match.rules_hash,
            tuple(sorted(match.game.settings.items())),
            match.seats,
            match.seed,
            tuple(match.past.first),
            tuple((choice.option, choice.time) for choice in match.past.choices),
        )

    # ---- clocks ----

    def watch(self, seat: int) -> None:
        """A seat sees its question: from now on its clock runs."""
        asked = self.asked.get(seat)
        if asked is not None and asked.state.clock is not None:
            self._started.setdefault(seat, self._now())

    def elapsed(self, seat: int) -> int:
        """How long the clock of a seat has run, in milliseconds."""
        since = self._started.get(seat)
        return self._gone.get(seat, 0) + (int((self._now() - since) * 1000) if since is not None else 0)

    def clock(self, seat: int | None) -> Clock | None:
        """The clock of a seat; None where it is not asked, or has all the time in the world."""
        asked = self.asked.get(seat) if seat is not None else None
        times = asked.state.clock if asked is not None else None
        if seat is None or times is None or times[1] is None:
            return None
        whole = max(0, times[1] - times[0])
        return Clock(max(0, whole - self.elapsed(seat)), whole)

    def let_time_go(self) -> None:
        """Answer for those whose time is over; raises what `answer` does."""
        for seat in list(self._started):
            clock = self.clock(seat)
            if clock is not None and self.elapsed(seat) > clock.whole + GRACE:
                self._take(seat, unanswered(self.asked[seat].state), clock.whole + 1)

    @property
    def runs(self) -> bool:
        """Whether a clock runs."""
        return bool(self._started)

    def keep_clocks(self) -> None:
        """Keep how long clocks have run; raises OSError, `SaveError`."""
        self.kept.clocks = {str(seat): self.elapsed(seat) for seat in self.asked if self.elapsed(seat)}
        self.dirty = True
        if not self.match.state.over and (gone := self.elapsed(self.match.state.seat)):
            self.match.thought = gone
            self.save()

    # ---- taking back ----

    def plays(self, seat: int) -> bool:
        """Whether somebody plays on a seat who is no bot."""
        return 0 <= seat < len(self.match.seats) and self.match.seats[seat].kind == HUMAN

    def may_wish(self, seat: int | None) -> bool:
        """Whether a seat is offered to take something back: that it is final they are told when they ask."""
        if seat is None or self._wish is not None or self.match.state.over or not self.plays(seat):
            return False
        steps = self.match.steps[-NEAR:]
        return any(step.seat == seat and step.decision.clock is None for step in steps)

    def wish_for(self, seat: int | None) -> Wish | None:
        """What a viewer is told of somebody's wish to take back."""
        wish = self._wish
        return None if wish is None else Wish(wish.seat, seat in wish.waiting, wish.waiting)

    def wish(self, seat: int, version: int) -> None:
        """A seat wishes to take back its last decision: at once where nobody else has decided since.

        Raises `StaleError` where something was decided after the version that it saw, `FinalError`, OSError and
        `SaveError`.
        """
        if self._wish is not None or not self._changed <= version <= self.version or not self.plays(seat):
            raise StaleError
        if seat in self._answers:
            # What is not laid open yet nobody else has answered to.
            if self.match.state.clock is not None:
                raise FinalError(Final("clock"))
            del self._answers[seat]
            self.version += 1
            self._ask()
            return
        number = next((n for n in reversed(range(len(self.match.steps))) if self._chose(n) == seat), None)
        if number is None:
            raise FinalError(Final("nothing"))
        final = self.match.final_from(number)
        if final is not None:
            raise FinalError(final)
        since = range(number + 1, len(self.match.steps))
        people = {s for n in since if (s := self._chose(n)) is not None and self.match.seats[s].kind == HUMAN} - {seat}
        self.version += 1
        self._wish = _Wish(seat, number, tuple(sorted(people)), self.version)
        self._grant()

    def _chose(self, number: int) -> int | None:
        """Who made a choice with a step; None where it was made by itself."""
        step = self.match.steps[number]
        return None if forced(State(self.match.game, self.match.before(number))) == "openly" else step.seat

    def agree(self, seat: int, yes: bool, version: int) -> None:
        """Somebody answers whether a decision may be taken back, as they were asked in a version.

        Raises `StaleError`, OSError and `SaveError`.
        """
        wish = self._wish
        if wish is None or not wish.version <= version <= self.version:
            raise StaleError
        if seat not in wish.waiting or not self.plays(seat):
            raise StaleError
        self.version += 1
        rest = tuple(one for one in wish.waiting if one != seat)
        self._wish = replace(wish, waiting=rest) if yes else None
        self._grant()

    def _grant(self) -> None:
        """Go back where all have agreed."""
        wish = self._wish
        if wish is None or wish.waiting:
            return
        self._wish = None
        self._note_down(wish)
        self.match.back_to(wish.step)
        self.since = {s: n if n <= wish.step else self._last_chosen(s) for s, n in self.since.items()}
        self._answers, self.asked, self._asked_after = {}, {}, -1
        self._advance()
        self.save()

    def _note_down(self, wish: _Wish) -> None:
        """What is taken back now, to be told to everybody, as far as they may know it."""
        step = self.match.steps[wish.step]
        for viewer in (None, *range(len(self.match.seats))):
            known = viewer == step.seat or taken_as_seen(self.match, step, viewer) == step.text
            # The positions after that are not there any more.
            before = [one for one in self._taken.get(viewer, ()) if one.step < wish.step]
            self._taken[viewer] = (*before, TakenBack(wish.seat, wish.step, step.move.raw if known else ()))

    def _last_chosen(self, seat: int) -> int:
        """After how many steps a seat had last decided by itself."""
        return next((n + 1 for n in reversed(range(len(self.match.steps))) if self._chose(n) == seat), 0)

    def taken_back(self, viewer: int | None) -> tuple[TakenBack, ...]:
        """What was taken back since a viewer had last decided; for who only watches, since anybody had."""
        return self._taken.get(viewer, ())

    def unwish(self, seat: int) -> None:
        """Who wished to take back does not any more; raises `StaleError`."""
        if self._wish is None or self._wish.seat != seat:
            raise StaleError
        self._wish = None
        self.version += 1

    # ---- seats ----

    def raise_version(self) -> None:
        """Something else that everybody sees has changed."""
        self.version += 1

    def sit(self, seat: int, kind: str, name: str) -> None:
        """Give a seat to another player, or its player another name; raises OSError, `SaveError`.

        Another seat that has this name gets one that is free.
        """
        name = name or self.table.names[seat]
        others = ("" if alike(other) == alike(name) else other for other in self.table.names)
        seats = [Seat(s.kind, other) for s, other in zip(self.match.seats, others, strict=True)]
        seats[seat] = Seat(kind, name)
        if tuple(seats) == self.match.seats:
            return
        self.table.sit(seats)
        self._wish = None
        self.version += 1
        if kind != HUMAN:
            self._answers.pop(seat, None)
        self._advance()
        self.save()

    def begin_again(self, table: Table) -> None:
        """Another game begins at this table; raises OSError, `SaveError`."""
        self.table.close()
        self.table = table
        self.since, self.asked, self._answers, self._taken, self._wish = {}, {}, {}, {}, None
        self._asked_after = -1
        self.kept.save = table.path.name
        self.version += 1
        self._advance()
        self.dirty = True
        self.save()
