"""State machine of one open table: pending decisions, answers, clocks, undo requests, page version.

The caller holds `lock`. Every change visible to all raises the version, by one for each decision, so that it reveals no
more than the number of decisions.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from wongar_dsl.engine import Move, State
from wongar_dsl.engine.library.game_ids import PLUS
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.notation import IllegalMove
from wongar_dsl.engine.saves import visible_choice
from wongar_dsl.engine.undo_policy import UndoBarrier
from wongar_dsl.session.changes import last_decision_of
from wongar_dsl.session.decisions import move_sequence, pending_decisions
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import forced_move
from wongar_dsl.session.puzzle import CoveringFault, Puzzle, default_answer
from wongar_dsl.session.seats import lookalike_key

from .render_worker import GameSnapshot
from .store import OpenTable
from .views.turn_view import ClockView, UndoneView, UndoRequest

#: Version increment when a table is reopened, so that no page has seen the new versions.
VERSIONS_PER_OPENING = 1_000_000
#: Milliseconds after the time limit in which an answer sent in time may still arrive.
GRACE_MS = 1_000
#: Maximum number of consecutive forced moves, and of submitted forms remembered.
MAX_FORCED_DECISIONS, MAX_REMEMBERED_FORMS = 5_000, 256
#: Undo is offered only for one of this many last decisions of all seats.
MAX_UNDO_DECISIONS = 12

HUMAN = "human"


class StaleError(Exception):
    """The submitted form belongs to a question that is no longer open."""


class NotSavedError(OSError):
    """The request was carried out but could not be saved."""


class DrawingError(Exception):
    """A submitted drawing is no covering; `fault` is its first error."""

    def __init__(self, fault: CoveringFault | None) -> None:
        self.fault = fault
        super().__init__(fault)


class RepeatedAnswerError(Exception):
    """The counts `wanted` of the options cannot be chosen in any order in `state`."""

    def __init__(self, state: State, wanted: Mapping[Move, int]) -> None:
        self.state, self.wanted = state, wanted
        super().__init__(wanted)


class UndoBarrierError(Exception):
    """A decision cannot be undone, and the reason."""

    def __init__(self, barrier: UndoBarrier) -> None:
        self.barrier = barrier
        super().__init__(barrier.reason)


@dataclass(frozen=True, slots=True)
class PendingDecision:
    """A pending decision of a seat: its state, and the version at which it was first asked."""

    state: State
    version: int


class TableSession:
    """An open table of the host."""

    def __init__(self, key: str, session: GameSession, open_table: OpenTable, clock: Callable[[], float]) -> None:
        """Open a table.

        `open_table` is its entry in the store, which is updated; `clock` is a monotonic clock in seconds.
        """
        self.key, self.session, self.open_table, self._clock = key, session, open_table, clock
        self.lock = threading.RLock()
        open_table.opened += 1
        self.version = open_table.opened * VERSIONS_PER_OPENING
        #: Index of the step after each seat's last decision; forced moves are not decisions.
        self.since: dict[int, int] = {}
        #: Decisions undone since the last decision of each seat, or for spectators (None) of any seat.
        self.undone: dict[int | None, tuple[UndoneView, ...]] = {}
        self.pending: dict[int, PendingDecision] = {}
        self._answers: dict[int, tuple[str, int]] = {}
        self._started: dict[int, float] = {}
        self._elapsed_before: dict[int, int] = {}
        #: The number of steps at the last questions, and the version since the last decision.
        self._asked_after, self._last_decision_version = -1, self.version
        self.undo_request: UndoRequest | None = None
        self._submitted_forms: OrderedDict[tuple[int, str], None] = OrderedDict()
        #: True if the store has to be written, if the last attempt to save failed, and if the table is closed.
        self.dirty, self.unsaved, self.closed = True, False, False
        self._restore()

    @property
    def match(self) -> Match:
        """The match at the table."""
        return self.session.match

    def _restore(self) -> None:
        """Restore simultaneous answers and clocks from the store and the save."""
        if self.open_table.choices == len(self.match.steps):
            self._answers = {int(seat): answer for seat, answer in self.open_table.answers.items()}
            self._elapsed_before = {int(seat): elapsed for seat, elapsed in self.open_table.clocks.items()}
        if not self._elapsed_before and self.match.thought and not self.match.state.over:
            self._elapsed_before[self.match.state.seat] = self.match.thought
        elapsed = dict(self._elapsed_before)
        self._advance()
        self._elapsed_before = elapsed

    # ---- pending decisions ----

    def _advance(self) -> None:
        """Make the forced and the answered moves, then update the pending decisions."""
        match = self.match
        for _ in range(MAX_FORCED_DECISIONS):
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
            elif forced_move(state) == "public":
                match.play(state.legal_moves()[0])
                self.version += 1
            else:
                break
        self._update_pending()

    def _play(self, seat: int, move: Move, took: int) -> None:
        self.match.play(move, took)
        self.since[seat] = len(self.match.steps)
        self.undone.pop(seat, None)
        self.undone.pop(None, None)

    def _update_pending(self) -> None:
        """Update the pending decisions; one that continues keeps its version and its clock."""
        states = {
            seat: state
            for seat, state in pending_decisions(self.match).items()
            if seat not in self._answers and self.match.seats[seat].kind == HUMAN
        }
        old, steps = self.pending, len(self.match.steps)
        # In simultaneous decisions, the question to a seat that has not answered yet remains the same.
        is_same_question = steps == self._asked_after or all(
            seat in old and old[seat].state.decision is state.decision and state.decision.simultaneous
            for seat, state in states.items()
            if state.decision is not None
        )
        if steps != self._asked_after:
            self._last_decision_version = self.version
        self._asked_after = steps
        self.pending = {
            seat: PendingDecision(state, old[seat].version if is_same_question and seat in old else self.version)
            for seat, state in states.items()
        }
        for seat in {*self._started, *self._elapsed_before}:
            if not is_same_question or seat not in states:
                self._started.pop(seat, None)
                self._elapsed_before.pop(seat, None)
        self.open_table.choices = len(self.match.steps)
        answers = {str(seat): answer for seat, answer in self._answers.items()}
        self.dirty |= answers != self.open_table.answers
        self.open_table.answers = answers

    def question(self, seat: int | None, version: int | None = None) -> State:
        """Return the state in which a seat is asked.

        Raises `StaleError` if it is not asked, or was asked something else at `version`.
        """
        pending = self.pending.get(seat) if seat is not None else None
        if pending is None or (version is not None and not pending.version <= version <= self.version):
            raise StaleError
        return pending.state

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that the game waits for."""
        if self.match.state.over:
            return ()
        return tuple(self.pending) or (self.match.state.seat,)

    # ---- answers ----

    def was_submitted(self, seat: int, once: str) -> bool:
        """Return whether a form of a seat has been processed already."""
        return (seat, once) in self._submitted_forms

    def mark_submitted(self, seat: int, once: str) -> None:
        """Record that a form of a seat has been processed; forms without a token are not recorded."""
        if once:
            self._submitted_forms[seat, once] = None
            while len(self._submitted_forms) > MAX_REMEMBERED_FORMS:
                self._submitted_forms.popitem(last=False)

    def answer(self, seat: int, version: int, text: str) -> None:
        """Answer a seat's question; raise `StaleError`, `IllegalMove`, `PlayFault`, OSError or `SaveError`."""
        self._accept(seat, self.question(seat, version).read(text))

    def submit_repeated(self, seat: int, version: int, wanted: Mapping[str, int]) -> None:
        """Answer a repeated question with a count per option; raise what `answer` does, or `RepeatedAnswerError`."""
        state = self.question(seat, version)
        if seat != self.match.state.seat or state.clock is not None:
            raise StaleError
        moves = {state.read(text): number for text, number in wanted.items()}
        order = move_sequence(state, moves)
        if order is None:
            raise RepeatedAnswerError(state, moves)
        for move in order:
            self._play(seat, move, 0)
        self._after_decision(len(order))

    def submit_puzzle(self, seat: int, version: int, drawing: str) -> None:
        """Answer a puzzle with a drawing; raise what `answer` does, or `DrawingError`."""
        puzzle = Puzzle.of(self.question(seat, version))
        if puzzle is None:
            raise StaleError
        rows = "/".join(drawing.split()).replace("//", "/")
        move = puzzle.solution(rows)
        if move is None:
            raise DrawingError(puzzle.fault(rows))
        self._accept(seat, move)

    def _accept(self, seat: int, move: Move, took: int | None = None) -> None:
        state = self.pending[seat].state
        if took is None:
            clock = self.clock(seat)
            took = 0 if state.clock is None else self.elapsed(seat) if clock is None else clock.whole - clock.left
        if seat == self.match.state.seat:
            self._play(seat, move, took)
        else:
            self._answers[seat] = (state.write(move), took)
        self._after_decision()

    def _after_decision(self, times: int = 1) -> None:
        """Raise the version by the number of decisions, advance the game, and save."""
        self.version += times
        self.undo_request = None
        self._advance()
        self.save()

    def save(self) -> None:
        """Save the game; raise OSError or `SaveError` on failure."""
        self.session.save()

    # ---- bots ----

    @property
    def bot_is_next(self) -> bool:
        """True if a bot is to move."""
        state = self.match.state
        return not state.over and self.match.seats[state.seat].kind != HUMAN

    def bot_decided(self, snapshot: GameSnapshot, option: tuple[int, ...], took: int) -> None:
        """Make a bot's move, unless the game has changed since the snapshot."""
        state = self.match.state
        if snapshot != self.snapshot() or not self.bot_is_next:
            return
        self._play(state.seat, Move.from_raw(option), took)
        self._after_decision()

    def snapshot(self) -> GameSnapshot:
        """Return a snapshot of the game for the workers."""
        match = self.match
        return GameSnapshot(
            self.key,
            PLUS.join(self.session.file.split("\n")) if self.session.file else match.game.name,
            match.rules_hash,
            tuple(sorted(match.game.settings.items())),
            match.seats,
            match.seed,
            tuple(match.past.first),
            tuple((choice.option, choice.time) for choice in match.past.choices),
        )

    # ---- clocks ----

    def start_clock(self, seat: int) -> None:
        """Start the clock of a seat, because its question is shown."""
        pending = self.pending.get(seat)
        if pending is not None and pending.state.clock is not None:
            self._started.setdefault(seat, self._clock())

    def elapsed(self, seat: int) -> int:
        """Return the time on the clock of a seat in ms."""
        since = self._started.get(seat)
        return self._elapsed_before.get(seat, 0) + (int((self._clock() - since) * 1000) if since is not None else 0)

    def clock(self, seat: int | None) -> ClockView | None:
        """Return the clock of a seat; None if it is not asked or has no time limit."""
        pending = self.pending.get(seat) if seat is not None else None
        times = pending.state.clock if pending is not None else None
        if seat is None or times is None or times[1] is None:
            return None
        total = max(0, times[1] - times[0])
        return ClockView(max(0, total - self.elapsed(seat)), total)

    def expire_clocks(self) -> None:
        """Make the default move for seats whose time is over; raise what `answer` does."""
        for seat in list(self._started):
            clock = self.clock(seat)
            if clock is not None and self.elapsed(seat) > clock.whole + GRACE_MS:
                self._accept(seat, default_answer(self.pending[seat].state), clock.whole + 1)

    @property
    def clock_is_running(self) -> bool:
        """True if a clock is running."""
        return bool(self._started)

    def persist_clocks(self) -> None:
        """Save the elapsed times; raise OSError or `SaveError` on failure."""
        self.open_table.clocks = {str(seat): self.elapsed(seat) for seat in self.pending if self.elapsed(seat)}
        self.dirty = True
        if not self.match.state.over and (elapsed := self.elapsed(self.match.state.seat)):
            self.match.thought = elapsed
            self.save()

    # ---- undo ----

    def is_human(self, seat: int) -> bool:
        """Return whether a human occupies the seat."""
        return 0 <= seat < len(self.match.seats) and self.match.seats[seat].kind == HUMAN

    def may_request_undo(self, seat: int | None) -> bool:
        """Return whether to offer undo to a seat; an undo barrier is only reported on request."""
        if seat is None or self.undo_request is not None or self.match.state.over or not self.is_human(seat):
            return False
        steps = self.match.steps[-MAX_UNDO_DECISIONS:]
        return any(step.seat == seat and step.decision.clock is None for step in steps)

    def request_undo(self, seat: int, version: int) -> None:
        """Request to undo a seat's last decision; it is granted at once if no other human has decided since.

        Raises `StaleError` if a decision was made after `version`, `UndoBarrierError`, OSError and `SaveError`.
        """
        if (
            self.undo_request is not None
            or not self._last_decision_version <= version <= self.version
            or not self.is_human(seat)
        ):
            raise StaleError
        if seat in self._answers:
            # The answer is not revealed yet, so no other player can have reacted to it.
            if self.match.state.clock is not None:
                raise UndoBarrierError(UndoBarrier("clock"))
            del self._answers[seat]
            self.version += 1
            self._update_pending()
            return
        end = last_decision_of(self.match, seat)
        barrier = self.match.first_barrier_after(end - 1) if end else UndoBarrier("nothing")
        if barrier is not None:
            raise UndoBarrierError(barrier)
        later = tuple(other for other in self.session.humans() if last_decision_of(self.match, other) > end)
        self.version += 1
        self.undo_request = UndoRequest(seat, end - 1, later, self.version)
        self._apply_undo()

    def vote_undo(self, seat: int, yes: bool, version: int) -> None:
        """Record a vote on the undo request shown at `version`; raise `StaleError`, OSError or `SaveError`."""
        request = self.undo_request
        is_open = request is not None and request.version <= version <= self.version
        if request is None or not is_open or seat not in request.waiting or not self.is_human(seat):
            raise StaleError
        self.version += 1
        rest = tuple(voter for voter in request.waiting if voter != seat)
        self.undo_request = replace(request, waiting=rest) if yes else None
        self._apply_undo()

    def _apply_undo(self) -> None:
        """Carry out the undo request if all have agreed."""
        request = self.undo_request
        if request is None or request.waiting:
            return
        self.undo_request = None
        self._record_undo(request)
        self.match.truncate(request.step)
        self.since = {s: n if n <= request.step else last_decision_of(self.match, s) for s, n in self.since.items()}
        self._answers, self.pending, self._asked_after = {}, {}, -1
        self._advance()
        self.save()

    def _record_undo(self, request: UndoRequest) -> None:
        """Record the undone decision for each viewer, as far as they may know it."""
        step = self.match.steps[request.step]
        for viewer in (None, *range(len(self.match.seats))):
            is_visible = viewer == step.seat or visible_choice(self.match, step, viewer) == step.text
            # Undone decisions at later steps refer to positions that no longer exist.
            before = [earlier for earlier in self.undone.get(viewer, ()) if earlier.step < request.step]
            self.undone[viewer] = (*before, UndoneView(request.seat, request.step, step.move.raw if is_visible else ()))

    def cancel_undo_request(self, seat: int) -> None:
        """Withdraw a seat's undo request; raise `StaleError` if there is none."""
        if self.undo_request is None or self.undo_request.seat != seat:
            raise StaleError
        self.undo_request = None
        self.version += 1

    # ---- seats ----

    def raise_version(self) -> None:
        """Signal a change visible to all that is not a decision."""
        self.version += 1

    def set_occupant(self, seat: int, kind: str, name: str) -> None:
        """Change the occupant or the name of a seat.

        If another seat has this name, it gets a free one. Raises OSError and `SaveError`.
        """
        name = name or self.session.names[seat]
        others = (
            "" if lookalike_key(seat_name) == lookalike_key(name) else seat_name for seat_name in self.session.names
        )
        seats = [Seat(s.kind, seat_name) for s, seat_name in zip(self.match.seats, others, strict=True)]
        seats[seat] = Seat(kind, name)
        if tuple(seats) == self.match.seats:
            return
        self.session.set_seats(seats)
        self.undo_request = None
        self.version += 1
        if kind != HUMAN:
            self._answers.pop(seat, None)
        self._advance()
        self.save()

    def rematch(self, session: GameSession) -> None:
        """Replace the session by that of a rematch; raise OSError or `SaveError` on failure."""
        self.session.close()
        self.session = session
        self.since, self.pending, self._answers, self.undone, self.undo_request = {}, {}, {}, {}, None
        self._asked_after = -1
        self.open_table.play(session.path, session.match)
        self.version += 1
        self._advance()
        self.dirty = True
        self.save()
