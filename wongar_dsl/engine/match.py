"""A match: one game as it is played, with its history and undo.

Kept are the choices and the differences of states; options and events are made again from these when asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

from wongar_dsl import ir
from wongar_dsl.backends import RawEvent
from wongar_dsl.engine import notation
from wongar_dsl.engine.differences import Differences
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import MAX_DECISIONS, Game, State
from wongar_dsl.engine.moves import IllegalMove, Move, PlayFault
from wongar_dsl.engine.past import Past, run
from wongar_dsl.engine.undo import Final, finality, foreseen
from wongar_dsl.text.diagnostics import Diagnostic

#: The events of so many parts of a history are at hand, and of one with more events only that one.
AT_HAND = 64


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at the table: the kind (`human`, `random`, `greedy`), a name (empty: one is found for them), and the
    language that they are spoken to in (empty: that of the table)."""

    kind: str
    name: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """How a match that begins in the middle of a game comes there from the deal of its seed.

    `streams` is the kind of chance that deals; each step is a choice (`{"take": "mark(a1)", "time": 1500}`), what is
    laid out then (`{"lay": {…}}`), or how chance goes on (`{"chance": [...]}`: its cells).
    """

    streams: int
    steps: tuple[Mapping[str, object], ...]


class Step:
    """One decision: who decided what among which options, how long it took (milliseconds), and what followed."""

    __slots__ = ("_match", "number")

    def __init__(self, match: Match, number: int) -> None:
        self._match = match
        self.number = number

    @property
    def seat(self) -> int:
        """Who decided."""
        return self._match.past.choices[self.number].seat

    @property
    def decision(self) -> ir.DecisionSpec:
        """What was decided."""
        return self._match.game.program.decisions[self._match.past.choices[self.number].decision]

    @property
    def move(self) -> Move:
        """What was chosen."""
        option = self._match.past.choices[self.number].option
        return Move(option[0], option[1:])

    @property
    def time(self) -> int:
        """How long it took, in milliseconds."""
        return self._match.past.choices[self.number].time

    @property
    def text(self) -> str:
        """What was chosen, as text."""
        return notation.write(self._match.game.model, self.decision, self.move.raw)

    @property
    def options(self) -> tuple[Move, ...]:
        """What could be chosen; listed anew each time."""
        return tuple(State(self._match.game, self._match.before(self.number)).legal_moves())

    @property
    def events(self) -> tuple[Event, ...]:
        """What followed; made anew each time."""
        return self._match.events_of(self.number + 1)

    @property
    def foreseen(self) -> bool:
        """Whether the one who made it knew beforehand all that followed."""
        match = self._match
        return foreseen(match.game, match.before(self.number), match.past.choices[self.number])

    @property
    def final(self) -> Final | None:
        """Why it cannot be taken back by the one who made it, None where it can."""
        match, choice = self._match, self._match.past.choices[self.number]
        return finality(match.game, match.before(self.number), choice, choice.seat)


class History(Sequence[Event]):
    """Everything that happened in a match so far; events are made again when they are looked at."""

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
            first, last, step = at.indices(len(self))
            if step != 1:
                return [self[i] for i in range(first, last, step)]
            begin = bisect_right(self._ends, first)
            found = [
                event
                for part in range(begin, len(self._ends))
                if (self._ends[part - 1] if part else 0) < last
                for event in self._match.events_of(part)
            ]
            before = self._ends[begin - 1] if begin else 0
            return found[first - before : max(first, last) - before]
        number = range(len(self))[at]
        part = bisect_right(self._ends, number)
        return self._match.events_of(part)[number - (self._ends[part - 1] if part else 0)]

    def __iter__(self) -> Iterator[Event]:
        for part in range(len(self._ends)):
            yield from self._match.events_of(part)


class Match:
    """A game being played."""

    def __init__(
        self, game: Game, seats: Sequence[Seat], seed: int, rules_hash: str, first: list[int],
        begun: Begun | None = None,
    ) -> None:  # fmt: skip
        """Raises `PlayFault` where the rules go wrong in the setup; `first` is the state before anything was done, or
        the one that `begun` leads to."""
        self.game, self.seats, self.seed, self.rules_hash = game, tuple(seats), seed, rules_hash
        self.begun = begun
        self.past = Past(game, first.copy())
        self.state = State(game, first.copy())
        self.opening = self.state.proceed()
        self.steps: list[Step] = []
        self._states = Differences(self.state.cells)
        self._ends = [len(self.opening)]
        # The events of parts of the history that were asked for last.
        self._made = {0: self.opening}
        #: How long whoever decides now has thought already, in milliseconds, where a clock runs.
        self.thought = 0

    @classmethod
    def begin(cls, game: Game, seats: Sequence[Seat], seed: int, rules_hash: str) -> Match:
        """A new match; raises `PlayFault` where the rules go wrong in the setup."""
        return cls(game, seats, seed, rules_hash, game.backend.start(seed))

    def play(self, move: Move, time: int = 0) -> Step:
        """Make a move, as `State.apply` does; where that raises anything, nothing has changed."""
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
        self._keep(len(self._ends) - 1, events)
        self.steps.append(Step(self, len(self.steps)))
        self.thought = 0
        return self.steps[-1]

    def speak(self, seat: int, language: str) -> None:
        """From now on somebody is spoken to in another language."""
        self.seats = tuple(replace(s, language=language) if n == seat else s for n, s in enumerate(self.seats))

    def history(self) -> History:
        """Everything that happened so far."""
        return History(self, self._ends)

    def happened(self, number: int) -> int:
        """How much had happened before the step of a number."""
        return self._ends[number]

    def before(self, number: int) -> list[int]:
        """The cells before the step of a number (as many as there are steps: the state at hand)."""
        return self._states.state(number)

    def events_of(self, part: int) -> tuple[Event, ...]:
        """What happened in a part of the history: 0 is the opening, then come the steps."""
        if part not in self._made:
            raw: list[RawEvent] = []
            if part == 0:
                cells = self.past.first.copy()
            else:
                cells, choice = self.before(part - 1), self.past.choices[part - 1]
                self.game.backend.choose(cells, choice.option, choice.time)
            run(self.game, cells, raw)
            self._keep(part, self.game.events(raw))
        return self._made[part]

    def _keep(self, part: int, events: tuple[Event, ...]) -> None:
        """Have the events of a part at hand, and no more of others than are worth the room."""
        if len(self._made) >= AT_HAND or len(events) > AT_HAND:
            self._made.clear()
        self._made[part] = events

    # ---- undo ----

    def final(self) -> Final | None:
        """Why the last step of a human cannot be taken back; None where it can."""
        return self._last_own()[1]

    def can_undo(self) -> bool:
        """Whether the last step of a human can be taken back."""
        return self.final() is None

    def last_decided(self, asked: Callable[[State], bool] = lambda _: True) -> int | None:
        """The number of the last step of a human from a state in which they were `asked`: the one that `undo` takes
        back, if that may be; None where there is none."""
        humans = (n for n in reversed(range(len(self.steps))) if self.seats[self.steps[n].seat].kind == "human")
        return next((n for n in humans if asked(State(self.game, self.before(n)))), None)

    def undo(self, asked: Callable[[State], bool] = lambda _: True) -> Final | None:
        """Go back to before the last step of a human; gives why that cannot be, and then nothing has changed.

        Steps from states in which nobody was `asked` go with the step before them.
        """
        number, final = self._last_own(asked)
        if final is None:
            self.back_to(number)
        return final

    def back_to(self, number: int) -> None:
        """Go back to before the step of a number, whatever it was: for a record that says so."""
        self.state.cells[:] = self.before(number)
        self._states.back_to(number)
        self.past.back_to(number)
        del self._ends[number + 1 :], self.steps[number:]
        self._made.clear()
        self.thought = 0

    def _last_own(self, asked: Callable[[State], bool] = lambda _: True) -> tuple[int, Final | None]:
        """The last step of a human that was asked, and why it is final: by itself, or by what came to light after."""
        first = self.last_decided(asked)
        return (first, self.final_from(first)) if first is not None else (0, Final("nothing"))

    def final_from(self, first: int) -> Final | None:
        """Why who made the step of a number cannot go back to before it: because of that step, or by what the answers
        of others brought to light; None where they can."""
        maker = self.steps[first].seat
        for number in range(first, len(self.steps)):
            final = finality(self.game, self.before(number), self.past.choices[number], maker)
            if final is not None:
                return final
        return None
