"""A match: one game with its players, history and undo.

It stores choices and state deltas; options and events are recomputed on demand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import RawEvent, run_on
from wongar_dsl.engine import notation
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import MAX_DECISIONS, Game, State
from wongar_dsl.engine.history import ChoiceHistory, StateDeltas
from wongar_dsl.engine.notation import IllegalMove, Move, PlayFault
from wongar_dsl.engine.undo_policy import UndoBarrier, undo_barrier, was_predictable

#: Capacity of the cache of events, in steps; a step with more events than this evicts all others.
MAX_CACHED_PARTS = 64


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: kind (`human`, `random`, `greedy`), name (empty: generated) and language (empty: the table's)."""

    kind: str
    name: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """The start of a match that begins in the middle of a game, as steps from the start of the game with its seed.

    `streams` is the version of the random streams. A step is a choice (`{"take": "mark(a1)", "time": 1500}`), a
    position laid out (`{"lay": {…}}`), or the state of the random generator (`{"chance": [...]}`: its cells).
    """

    streams: int
    steps: tuple[Mapping[str, object], ...]


class Step:
    """One decision of a match: seat, options, choice, duration in milliseconds, and resulting events."""

    __slots__ = ("_match", "number")

    def __init__(self, match: Match, number: int) -> None:
        self._match = match
        self.number = number

    @property
    def seat(self) -> int:
        """The seat that decided."""
        return self._match.past.choices[self.number].seat

    @property
    def decision(self) -> ir.DecisionSpec:
        """The decision."""
        return self._match.game.program.decisions[self._match.past.choices[self.number].decision]

    @property
    def move(self) -> Move:
        """The move chosen."""
        option = self._match.past.choices[self.number].option
        return Move.from_raw(option)

    @property
    def time(self) -> int:
        """The duration in milliseconds."""
        return self._match.past.choices[self.number].time

    @property
    def text(self) -> str:
        """The move as text."""
        return notation.write(self._match.game.model, self.decision, self.move.raw)

    @property
    def options(self) -> tuple[Move, ...]:
        """The legal moves, recomputed on each access."""
        return tuple(State(self._match.game, self._match.state_before(self.number)).legal_moves())

    @property
    def events(self) -> tuple[Event, ...]:
        """The resulting events, recomputed if they are not cached."""
        return self._match.events_leading_to(self.number + 1)

    @property
    def was_predictable(self) -> bool:
        """Return whether the deciding seat could predict all consequences."""
        match = self._match
        return was_predictable(match.game, match.state_before(self.number), match.past.choices[self.number])

    @property
    def undo_barrier(self) -> UndoBarrier | None:
        """Reason why the deciding seat cannot undo the step, None if it can."""
        match, choice = self._match, self._match.past.choices[self.number]
        return undo_barrier(match.game, match.state_before(self.number), choice, choice.seat)


class EventHistory(Sequence[Event]):
    """Sequence of all events of a match so far, recomputed on access."""

    def __init__(self, match: Match, ends: Sequence[int]) -> None:
        self._match, self._ends = match, ends

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> list[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | list[Event]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        number = range(len(self))[at]
        part = bisect_right(self._ends, number)
        return self._match.events_leading_to(part)[number - (self._ends[part - 1] if part else 0)]

    def __iter__(self) -> Iterator[Event]:
        for part in range(len(self._ends)):
            yield from self._match.events_leading_to(part)


class Match:
    """A game in progress."""

    def __init__(
        self, game: Game, seats: Sequence[Seat], seed: int, rules_hash: str, first: list[int],
        begun: ResumePoint | None = None,
    ) -> None:  # fmt: skip
        """Start a match; raises `PlayFault` if the setup fails.

        `first` is the state before the first step, or the one that `begun` leads to.
        """
        self.game, self.seats, self.seed, self.rules_hash = game, tuple(seats), seed, rules_hash
        self.resume_point = begun
        self.past = ChoiceHistory(game, first.copy())
        self.state = State(game, first.copy())
        self.opening = self.state.proceed()
        self.steps: list[Step] = []
        self._states = StateDeltas(self.state.cells)
        # Number of events up to the end of each part.
        self._ends = [len(self.opening)]
        # Events of recently requested parts of the history.
        self._event_cache = {0: self.opening}
        #: Time that the deciding player has already spent, in milliseconds, if a clock runs.
        self.thought = 0

    @classmethod
    def begin(cls, game: Game, seats: Sequence[Seat], seed: int, rules_hash: str) -> Match:
        """Start a new match; raises `PlayFault` if the setup fails."""
        return cls(game, seats, seed, rules_hash, game.backend.start(seed))

    def play(self, move: Move, time: int = 0) -> Step:
        """Make a move like `State.apply`; if it raises an exception, nothing has changed."""
        if self.state.decision is None:
            raise IllegalMove("over", "")
        if len(self.steps) >= MAX_DECISIONS:
            place = self.game.model.merged.head.name.span
            raise PlayFault(Diagnostic("R0607", place, {"limit": MAX_DECISIONS}))
        head = self.state.cells[: ir.FIRST_FREE]
        events = self.state.apply(move, time=time)
        self.past.add(head, move.raw, time)
        self._states.add(self.state.cells)
        self._ends.append(self._ends[-1] + len(events))
        self._cache_events(len(self._ends) - 1, events)
        self.steps.append(Step(self, len(self.steps)))
        self.thought = 0
        return self.steps[-1]

    def set_language(self, seat: int, language: str) -> None:
        """Set the language of a seat."""
        self.seats = tuple(replace(s, language=language) if n == seat else s for n, s in enumerate(self.seats))

    def history(self) -> EventHistory:
        """Return all events so far."""
        return EventHistory(self, self._ends)

    def event_count_before(self, number: int) -> int:
        """Return the number of events before a step."""
        return self._ends[number]

    def state_before(self, number: int) -> list[int]:
        """Return the cells before a step; the number of steps stands for the current state."""
        return self._states.state(number)

    def events_leading_to(self, part: int) -> tuple[Event, ...]:
        """Return the events of a part of the history: those of the setup for 0, those of step n - 1 for n."""
        if part not in self._event_cache:
            raw: list[RawEvent] = []
            if part == 0:
                cells = self.past.first.copy()
            else:
                cells, choice = self.state_before(part - 1), self.past.choices[part - 1]
                self.game.backend.choose(cells, choice.option, choice.time)
            run_on(self.game.backend, cells, raw)
            self._cache_events(part, self.game.events(raw))
        return self._event_cache[part]

    def _cache_events(self, part: int, events: tuple[Event, ...]) -> None:
        """Cache the events of a part, and clear the cache if it is full."""
        if len(self._event_cache) >= MAX_CACHED_PARTS or len(events) > MAX_CACHED_PARTS:
            self._event_cache.clear()
        self._event_cache[part] = events

    def undo_barrier(self) -> UndoBarrier | None:
        """Return the reason why the last step of a human cannot be undone; None if it can."""
        return self._last_human_step()[1]

    def can_undo(self) -> bool:
        """Return whether the last step of a human can be undone."""
        return self.undo_barrier() is None

    def last_decided(self, asked: Callable[[State], bool] = lambda _: True) -> int | None:
        """Return the number of the last step of a human that satisfies `asked`; None if there is none.

        `asked` is called with the state before the step. This is the step that `undo` would take back.
        """
        humans = (n for n in reversed(range(len(self.steps))) if self.seats[self.steps[n].seat].kind == "human")
        return next((n for n in humans if asked(State(self.game, self.state_before(n)))), None)

    def undo(self, asked: Callable[[State], bool] = lambda _: True) -> UndoBarrier | None:
        """Undo the last step of a human, or return why that is impossible, leaving the match unchanged.

        Steps from states for which `asked` is false are undone together with the step before them.
        """
        number, barrier = self._last_human_step(asked)
        if barrier is None:
            self.truncate(number)
        return barrier

    def truncate(self, number: int) -> None:
        """Return to the state before a step unconditionally, as a record demands."""
        self.state.cells[:] = self.state_before(number)
        self._states.truncate(number)
        self.past.truncate(number)
        del self._ends[number + 1 :], self.steps[number:]
        self._event_cache.clear()
        self.thought = 0

    def _last_human_step(self, asked: Callable[[State], bool] = lambda _: True) -> tuple[int, UndoBarrier | None]:
        """Return the last step of a human, and why it cannot be undone: by itself, or because of later steps."""
        first = self.last_decided(asked)
        return (first, self.first_barrier_after(first)) if first is not None else (0, UndoBarrier("nothing"))

    def first_barrier_after(self, first: int) -> UndoBarrier | None:
        """Return why the seat that made a step cannot undo it: the step itself, or information revealed by later ones.

        Returns None if it can.
        """
        maker = self.steps[first].seat
        for number in range(first, len(self.steps)):
            barrier = undo_barrier(self.game, self.state_before(number), self.past.choices[number], maker)
            if barrier is not None:
                return barrier
        return None
