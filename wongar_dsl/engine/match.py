"""A match: one game as it is played, with its history, undo and saves.

A *record* is the match as data: what it takes to play it again.  It holds choices and times, never text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wongar_dsl import ir
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.game import MAX_DECISIONS, Game, State
from wongar_dsl.engine.moves import IllegalMove, Move, PlayFault
from wongar_dsl.text.diagnostics import Diagnostic

SAVE_FORMAT = "match"
SAVE_VERSION = 1
MAX_SAVE = 20_000_000


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at the table: the kind (`human`, `random`, `greedy`) and a name (empty: one is found for them)."""

    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: who decided what among which options, how long it took (milliseconds), and what followed."""

    seat: int
    decision: ir.DecisionSpec
    options: tuple[Move, ...]
    move: Move
    text: str
    events: tuple[Event, ...]
    irreversible: bool
    time: int = 0


@dataclass(slots=True)
class Match:
    """A game being played."""

    game: Game
    seats: tuple[Seat, ...]
    seed: int
    rules_hash: str
    state: State
    opening: tuple[Event, ...]
    steps: list[Step] = field(default_factory=list)
    before: list[list[int]] = field(default_factory=list)
    happened: list[Event] = field(init=False)

    def __post_init__(self) -> None:
        self.happened = [*self.opening, *(event for step in self.steps for event in step.events)]

    @classmethod
    def begin(cls, game: Game, seats: Sequence[Seat], seed: int, rules_hash: str) -> Match:
        """A new match; raises `PlayFault` where the rules go wrong in the setup."""
        state, opening = game.start(seed)
        return cls(game, tuple(seats), seed, rules_hash, state, opening)

    def play(self, move: Move, time: int = 0) -> Step:
        """Make a move; raises `IllegalMove` or `PlayFault`, and then nothing has changed."""
        decision = self.state.decision
        if decision is None:
            raise IllegalMove("over", "")
        if len(self.steps) >= MAX_DECISIONS:
            place = self.game.model.merged.head.name.span
            raise PlayFault(Diagnostic("R0607", place, {"limit": MAX_DECISIONS}))
        seat, options = self.state.seat, tuple(self.state.legal_moves())
        text = self.state.write(move) if move in options else ""
        cells = self.state.cells.copy()
        events = self.state.apply(move, time=time)
        irreversible = cells[ir.AT_CHANCE] != self.state.cells[ir.AT_CHANCE] or any(self._reveals(e) for e in events)
        step = Step(seat, decision, options, move, text, events, irreversible, time)
        self.steps.append(step)
        self.before.append(cells)
        self.happened.extend(events)
        return step

    def history(self) -> Sequence[Event]:
        """Everything that happened so far."""
        return self.happened

    def _reveals(self, event: Event) -> bool:
        """Whether an event lets somebody see what they did not see before."""
        return event.spec.facts.moves and self.game.fields[event.fields()["from"][0].name].seen != "all"

    def can_undo(self) -> bool:
        """Whether the last step of a human can be taken back: nothing hidden has come to light since."""
        return self._undo_to() is not None

    def _undo_to(self) -> int | None:
        # Time that has gone does not come back.  Where hands are hidden, what somebody else decided tells something
        # of their hand: it cannot be taken back.
        hands = any(place.seen == "owner" for place in self.game.program.fields)
        own = self.steps[-1].seat if self.state.over and self.steps else self.state.seat
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.irreversible or step.decision.simultaneous or step.decision.clock or (hands and step.seat != own):
                return None
            if self.seats[step.seat].kind == "human":
                return index
        return None

    def undo(self) -> bool:
        """Go back to before the last step of a human; False where that would take back what came to light."""
        index = self._undo_to()
        if index is None:
            return False
        self.state.cells[:] = self.before[index]
        undone = sum(len(step.events) for step in self.steps[index:])
        del self.happened[len(self.happened) - undone :]
        del self.steps[index:], self.before[index:]
        return True

    # ---- saves ----

    def record(self, file: str = "") -> dict[str, object]:
        """The match as data for a save; `file` is where the rules stand if they do not come with the program."""
        return {
            "format": SAVE_FORMAT,
            "version": SAVE_VERSION,
            "game": self.game.name,
            "file": file,
            "rules": self.rules_hash,
            "options": dict(self.game.settings),
            "seats": [{"kind": s.kind, "name": s.name} for s in self.seats],
            "seed": self.seed,
            "choices": [[s.text, s.time] if s.time else s.text for s in self.steps],
            "state": list(self.state.cells),
        }
