"""Games, states and moves: the core that all players and tools build on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.storage.files import FileOrFolder
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Backend, Dice, Option, RawEvent, RuleFault, python_backend, run_on
from wongar_dsl.compiler.backends.python import PythonBackend
from wongar_dsl.compiler.backends.taint import ask
from wongar_dsl.engine import notation
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.hidden_information.information import InformationModel, copies
from wongar_dsl.engine.notation import IllegalMove, Move, PlayFault, Reason
from wongar_dsl.language.semantics import Model

MAX_DECISIONS = 100_000
#: Maximum number of events of a move that have a message; wording them takes longer than the step budget allows.
MAX_EVENTS = 50_000
#: Maximum duration of a move in milliseconds.
MAX_TIME_MS = 10**12


class Game:
    """A playable game: checked rules, the program compiled from them, and the backend that runs it.

    `knowledge` answers questions about hidden information. `rules_hash` is the fingerprint of the rules, `word_folders`
    the folders of texts next to them; both may be empty.
    """

    def __init__(
        self, model: Model, program: ir.Program, backend: Backend, knowledge: InformationModel, rules_hash: str = "",
        words: Iterable[FileOrFolder] = (),
    ) -> None:  # fmt: skip
        self.rules_hash, self.word_folders = rules_hash, tuple(words)
        self.model = model
        self.program = program
        self.backend = backend
        self.knowledge = knowledge
        self.seats = program.seats
        self.settings = program.settings
        self.fields = {field.name: field for field in program.fields}

    @cached_property
    def shown_fields(self) -> tuple[ir.Field, ...]:
        """The fields that front ends show: all but the values that are remembered `quietly`."""
        quiet = {value.name for value in self.model.declared.remembered.values() if value.quiet}
        return tuple(field for field in self.program.fields if field.name not in quiet)

    @cached_property
    def copies(self) -> Mapping[str, tuple[tuple[str, tuple[int, ...], int], ...]]:
        """The copies of each field, one per combination of indices: indices as text and as numbers, and address."""

        def instances(field: ir.Field) -> Iterator[tuple[str, tuple[int, ...], int]]:
            for indices, address in copies(field):
                words = (notation.write_value(self.model, t, i) for t, i in zip(field.indices, indices, strict=True))
                yield ", ".join(words), indices, address

        return {field.name: tuple(instances(field)) for field in self.program.fields}

    @cached_property
    def lookahead_backend(self) -> PythonBackend | None:
        """The backend for lookahead, the same for every backend; None if Python cannot compile the rules."""
        return python_backend(self.backend)

    @property
    def name(self) -> str:
        """The name of the game with its variants: `chess/blitz`."""
        return self.program.name

    @cached_property
    def changed_settings(self) -> frozenset[str]:
        """The settings (`option.bonus`) with another value in this game than in the rules."""
        settings = self.model.settings.items()
        return frozenset(f"option.{name}" for name, setting in settings if self.settings[name] != setting.start)

    @cached_property
    def changes(self) -> Mapping[str, frozenset[str]]:
        """The changed declarations, as in `Model.changes`; of a setting with another value, also the name ""."""
        changes = self.model.changes
        return {**changes, **{key: changes.get(key, frozenset()) | {""} for key in self.changed_settings}}

    def is_changed(self, key: str, known: Set[str]) -> bool:
        """Return whether a variant that is not in `known`, or a setting of this game, has changed a declaration."""
        return bool(self.changes.get(key, frozenset()) - known)

    def start(self, seed: int) -> tuple[State, tuple[Event, ...]]:
        """Return a new state at its first decision, and the events of the setup up to it."""
        state = State(self, self.backend.start(seed))
        return state, state.proceed()

    def events(self, raw: Iterable[RawEvent]) -> tuple[Event, ...]:
        """Convert events of a backend."""
        specs = self.program.events
        return tuple(Event(specs[number], values, seen) for number, values, seen in raw)


class State:
    """A state of a game, completely described by `cells`: states with equal cells are equal."""

    __slots__ = ("_listed", "cells", "game")

    def __init__(self, game: Game, cells: list[int], options: list[Option] | None = None) -> None:
        """Create a state; `options` are those of these cells, if they have been listed already."""
        self.game = game
        self.cells = cells
        # The options listed last, with the cells that they belong to.
        self._listed = (cells.copy(), options) if options is not None else None

    def copy(self) -> State:
        """Return an independent copy."""
        twin = State(self.game, self.cells.copy())
        twin._listed = self._listed
        return twin

    @property
    def in_setup(self) -> bool:
        """Return whether the set-up has decisions and has not ended."""
        return self.cells[ir.AT_PLAY_CHANCE] != 0

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.cells[ir.AT_DECISION] == ir.OVER

    @property
    def seat(self) -> int:
        """The deciding seat, -1 when the game is over."""
        return self.cells[ir.AT_SEAT]

    @property
    def decision(self) -> ir.DecisionSpec | None:
        """The pending decision, None when the game is over."""
        number = self.cells[ir.AT_DECISION]
        return self.game.program.decisions[number] if number >= 0 else None

    @property
    def clock(self) -> tuple[int, int | None] | None:
        """The start and the end of the clock in milliseconds; None without a clock."""
        decision = self.decision
        if decision is None or decision.clock is None:
            return None
        first, last = decision.clock
        end = self.game.backend.evaluate(self.cells, last, ()) if last >= 0 else None
        return self.game.backend.evaluate(self.cells, first, ()), end

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty after a draw, and before the end."""
        if not self.over:
            return ()
        return tuple(p for p in range(self.game.seats) if self.cells[ir.AT_WINNERS] >> p & 1)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat.

        In a game without scores: 1 for a winner, -1 for the others, 0 before the end or in a draw.
        """
        score = self.game.program.score
        if score is not None:
            return tuple(self.cells[score.at(p)] for p in range(self.game.seats))
        winners = self.winners
        return tuple((1 if p in winners else -1) if winners else 0 for p in range(self.game.seats))

    def legal_moves(self) -> list[Move]:
        """Return all legal moves of the deciding seat, in a fixed order; none when the game is over."""
        return [Move.from_raw(option) for option in self.options()]

    def options(self) -> list[Option]:
        """Return the legal moves in the form of backends, cached for the same cells; must not be modified."""
        if self._listed is None or self._listed[0] != self.cells:
            try:
                self._listed = (self.cells.copy(), self.game.backend.options(self.cells))
            except RuleFault as fault:
                raise play_fault(fault) from None
        return self._listed[1]

    def write(self, move: Move) -> str:
        """Return a move as text: `take(queen)`."""
        decision = self.decision
        assert decision is not None
        return notation.write(self.game.model, decision, move.raw)

    def read(self, text: str) -> Move:
        """Return the legal move that a text names; raise `IllegalMove` with the condition that fails."""
        decision = self.decision
        if decision is None:
            raise IllegalMove("over", text)
        raw = notation.read(self.game.model, decision, text, self.game.seats)
        if raw is None:
            names = tuple(o.name for o in decision.options)
            raise IllegalMove("unknown", text.strip(), decision.name, known=names)
        move = Move.from_raw(raw)
        self.require(move)
        return move

    def require(self, move: Move) -> None:
        """Raise `IllegalMove` unless a move is legal."""
        decision = self.decision
        if decision is None:
            raise IllegalMove("over", "")
        if move.raw in self.options():
            return
        if not 0 <= move.option < len(decision.options):
            raise IllegalMove("unknown", str(move.raw), decision.name, known=tuple(o.name for o in decision.options))
        spec = decision.options[move.option]
        if len(move.arguments) != len(spec.parameters):
            raise IllegalMove("unknown", spec.name, decision.name, known=tuple(o.name for o in decision.options))
        for (_, kind), value in zip(spec.parameters, move.arguments, strict=True):
            if kind.kind != "number" and not -1 <= value < self.game.model.size(kind, self.game.seats):
                raise IllegalMove("argument", f"{spec.name}{move.arguments}", decision.name, spec.name)
        check = self._failing(spec.checks, move.arguments)
        reason: Reason = "argument" if check is not None and check.member else "condition"
        raise IllegalMove(reason, self.write(move), decision.name, spec.name, check)

    def _failing(self, checks: Sequence[ir.OptionCheck], arguments: tuple[int, ...]) -> ir.OptionCheck | None:
        """Return the first check that the deciding seat knows to fail, None if none fails.

        If only hidden information makes one fail, return the first that depends on it, whether it fails or not.
        """
        unknown: list[ir.OptionCheck] = []
        for check in checks:
            # What a single check depends on does not matter.
            answer = self.ask(self.game.program, check.procedure, arguments) if len(checks) > 1 else None
            if answer is None:
                unknown.append(check)
            elif not answer:
                return check
        evaluate = self.game.backend.evaluate
        failing = any(not evaluate(self.cells, check.procedure, arguments) for check in unknown)
        return unknown[0] if failing else None

    def ask(self, program: ir.Program, procedure: int, arguments: tuple[int, ...]) -> int | None:
        """Evaluate a procedure of another program of this game, with the same states, in this state.

        Returns None if the result depends on information hidden from the deciding seat, fails, or takes too long.
        """
        return ask(program, self.cells, procedure, arguments, self.game.knowledge.unknown(self.cells, self.seat))

    def apply(self, move: Move, dice: Dice | None = None, time: int = 0) -> tuple[Event, ...]:
        """Make a move in place, and run to the next decision; `time` is its duration in milliseconds.

        Returns events; `dice(n)` draws below n. Raises `IllegalMove`, ValueError (time), `PlayFault`; the state is
        unchanged then.
        """
        self.require(move)
        if not 0 <= time <= MAX_TIME_MS:
            raise ValueError(f"a move takes from 0 to {MAX_TIME_MS} milliseconds, not {time}")
        before = self.cells.copy()
        self.game.backend.choose(self.cells, move.raw, time)
        try:
            return self.proceed(dice)
        except BaseException:
            self.cells[:] = before
            raise

    def proceed(self, dice: Dice | None = None) -> tuple[Event, ...]:
        """Run to the next decision or the end; return the events."""
        raw: list[RawEvent] = []
        try:
            run_on(self.game.backend, self.cells, raw, dice)
        except RuleFault as fault:
            raise play_fault(fault) from None
        specs = self.game.program.events
        if len(raw) > MAX_EVENTS and sum(specs[number].has_message for number, _, _ in raw) > MAX_EVENTS:
            raise PlayFault(Diagnostic("R0611", self.game.model.merged.head.name.span, {"limit": MAX_EVENTS}))
        return self.game.events(raw)


def play_fault(fault: RuleFault) -> PlayFault:
    """Convert a fault of a backend to the exception for players."""
    spec = fault.fault
    return PlayFault(Diagnostic(spec.code, spec.span, {"rule": spec.rule, "name": spec.name, "limit": MAX_DECISIONS}))
