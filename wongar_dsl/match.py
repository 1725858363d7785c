"""A match: one game as it is played, with its history, undo and saves.

A *record* is the match as data: what it takes to play it again.  It holds choices and times, never text.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wongar_dsl import ir
from wongar_dsl.diagnostics import Diagnostic
from wongar_dsl.engine import MAX_DECISIONS, Game, IllegalMove, Move, PlayFault, State
from wongar_dsl.events import Event

SAVE_FORMAT = "match"
SAVE_VERSION = 1
MAX_SAVE = 20_000_000


class SaveError(Exception):
    """A save that cannot be used.

    `reason` is `unreadable`, `broken`, `version`, `other_rules` or `unknown_game`; `arguments` are for the message.
    """

    def __init__(self, reason: str, **arguments: str | int) -> None:
        self.reason, self.arguments = reason, arguments
        super().__init__(reason)


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
    final: bool
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
        final = cells[ir.AT_CHANCE] != self.state.cells[ir.AT_CHANCE] or any(self._reveals(e) for e in events)
        step = Step(seat, decision, options, move, text, events, final, time)
        self.steps.append(step)
        self.before.append(cells)
        self.happened.extend(events)
        return step

    def history(self) -> Sequence[Event]:
        """Everything that happened so far."""
        return self.happened

    def _reveals(self, event: Event) -> bool:
        """Whether an event lets somebody see what they did not see before."""
        if event.spec.kind not in ("card_moved", "card_laid", "all_moved", "tokens_moved"):
            return False
        ends = [self.game.layout[t.name] for _, (t, _) in event.fields().items() if t.kind == "place"]
        return bool(ends) and ends[0].seen != "all"

    def can_undo(self) -> bool:
        """Whether the last step of a human can be taken back: nothing hidden has come to light since."""
        return self._undo_to() is not None

    def _undo_to(self) -> int | None:
        # Time that has gone does not come back.  Where hands are hidden, what somebody else decided tells something
        # of their hand: it cannot be taken back.
        hands = any(place.seen == "owner" for place in self.game.program.layout)
        own = self.steps[-1].seat if self.state.over and self.steps else self.state.seat
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.final or step.decision.together or step.decision.clock or (hands and step.seat != own):
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
            "options": dict(self.game.options),
            "seats": [{"kind": s.kind, "name": s.name} for s in self.seats],
            "seed": self.seed,
            "choices": [[s.text, s.time] if s.time else s.text for s in self.steps],
            "state": list(self.state.cells),
        }


def write_save(path: Path, record: Mapping[str, object]) -> None:
    """Write a save in one go: a kill at any moment leaves the old one or the new one; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(json.dumps(record, ensure_ascii=False))
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_save(path: Path) -> dict[str, object]:
    """Read a save and check its shape; raises `SaveError`."""
    try:
        if path.stat().st_size > MAX_SAVE:
            raise SaveError("broken", path=str(path))
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SaveError("unreadable", path=str(path), why=error.strerror or "") from None
    except (ValueError, RecursionError):
        raise SaveError("broken", path=str(path)) from None
    if not isinstance(data, dict) or data.get("format") != SAVE_FORMAT:
        raise SaveError("broken", path=str(path))
    if data.get("version") != SAVE_VERSION:
        raise SaveError("version", path=str(path), version=str(data.get("version")))
    wanted = {"game": str, "rules": str, "options": dict, "seats": list, "seed": int, "choices": list, "state": list}
    if any(not isinstance(data.get(key), kind) for key, kind in wanted.items()):
        raise SaveError("broken", path=str(path))
    return data


def replay(game: Game, rules_hash: str, data: Mapping[str, object], path: Path) -> Match:
    """Play a save again from the start; raises `SaveError` where it does not fit the rules or itself."""
    if data["rules"] != rules_hash:
        raise SaveError("other_rules", path=str(path), game=game.name)
    broken = SaveError("broken", path=str(path))
    seats, seed, choices = data["seats"], data["seed"], data["choices"]
    if not isinstance(seats, list) or not isinstance(seed, int) or not isinstance(choices, list):
        raise broken
    try:
        match = Match.begin(game, [Seat(str(s["kind"]), str(s["name"])) for s in seats], seed, rules_hash)
        for choice in choices:
            text, time = choice if isinstance(choice, list) else (choice, 0)
            match.play(match.state.read(text), int(time))
    except (IllegalMove, PlayFault, KeyError, TypeError, ValueError):
        raise broken from None
    if match.state.cells != data["state"]:
        raise broken
    return match
