"""Runs that find out whether a result depends on secret cells: recorded and poisoned ones.

A recorded run interprets the program and records accesses to secret cells (dynamic taint tracking).  An access is a
read of a cell that the viewer may not see.  Moves within the state do not count: a card put on a pile or shifted in it,
a choice stored unseen, an increment or decrement.  Reads of cells that the run has written do not count either.  Reads
for listing options are recorded separately.  A cycle search counts as a read of everything it could read.

A poisoned run executes the compiled program.  Each secret cell, and each random stream, holds a `_Poison` instead of a
number.  It can be copied, but any operation on its value ends the run.  A run that reaches its end has the same result
for all secret values.  This is as fast as a normal run.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, SupportsIndex, overload

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.bulk import run_on
from wongar_dsl.compiler.backends.interpreter import Interpreter
from wongar_dsl.compiler.backends.protocol import (
    CycleQuery,
    GameOver,
    Option,
    RawEvent,
    RuleFault,
    Search,
    State,
)
from wongar_dsl.compiler.backends.python import PythonBackend
from wongar_dsl.compiler.ir.program import BUDGET

# ---- recorded runs -------------------------------------------------------------------------------------------------


#: Maximum number of statements executed for an answer that a user waits for.
MAX_ANSWER_STATEMENTS = 100_000


@dataclass(frozen=True, slots=True)
class Secrets:
    """Cells that a viewer may not see: `cells` until they are written, those in `lasting` even after that."""

    cells: Set[int]
    lasting: Set[int]


@dataclass(frozen=True, slots=True)
class ReadTrace:
    """Result of a recorded run.

    `first` is the first relevant access: `looked` at a secret cell, or drew `chance`, with the number of events before
    it; None without one.  `listed` is the number of events before the first list of options that depends on secret
    cells and is partly observable: for the viewer's own decision, or by being empty or not.  It is None without such a
    list.
    """

    first: tuple[Literal["looked", "chance"], int] | None
    listed: int | None
    events: tuple[RawEvent, ...]


def record(
    program: ir.Program, cells: State, option: Option, time: int, viewer: int, secrets: Secrets, search: Search,
    only_first: bool = False,
) -> ReadTrace:  # fmt: skip
    """Apply an option and run to the next decision or the end; `cells` are unchanged.

    `secrets` are those of `viewer`; `search` is that of a backend.  With `only_first` the run ends at the first access,
    with the events before it.  Raises `RuleFault`.
    """
    decision = program.decisions[cells[ir.AT_DECISION]].options[option[0]]
    state = _TracedState(cells, secrets)
    state.ends = only_first
    for address, value in zip(decision.addresses, option[1:], strict=True):
        list.__setitem__(state, address, value)
    list.__setitem__(state, ir.AT_BLOCK, decision.block)
    list.__setitem__(state, ir.AT_TIME, time)
    interpreter = _TracingInterpreter(program, state, search)
    try:
        interpreter.run()
        while state[ir.AT_DECISION] == ir.READY:
            interpreter.run()
    except (GameOver, _TraceComplete):
        return ReadTrace(state.first, interpreter.listed, tuple(state.events))
    if state.first is None and state[ir.AT_SEAT] == viewer:
        interpreter.fuel = BUDGET
        interpreter.options(program.decisions[state[ir.AT_DECISION]])
    return ReadTrace(state.first, interpreter.listed, tuple(state.events))


def options_are_public(program: ir.Program, cells: State, secret: Set[int], search: Search) -> bool:
    """Return whether listing the options of the pending decision reads no `secret` cell."""
    interpreter = _TracingInterpreter(program, _TracedState(cells, Secrets(secret, frozenset())), search)
    interpreter.fuel = BUDGET
    try:
        interpreter.options(program.decisions[cells[ir.AT_DECISION]])
    except RuleFault:
        return False
    return interpreter.listed is None


def ask(program: ir.Program, cells: State, procedure: int, arguments: tuple[int, ...], secret: Set[int]) -> int | None:
    """Return the value of a procedure in a state, which is unchanged.

    Returns None if the procedure reads a `secret` cell, fails, or takes too long.
    """
    state = _TracedState(cells, Secrets(secret, frozenset()))
    interpreter = _BoundedInterpreter(program, state, None, None)
    try:
        value = interpreter.call(procedure, list(arguments))
    except (RuleFault, _TooLong):
        return None
    return value if state.first is None else None


class _TracedState(list[int]):
    """State that records the first read of a secret cell that the run has not written."""

    def __init__(self, cells: State, secrets: Secrets) -> None:
        super().__init__(cells)
        self.first: tuple[Literal["looked", "chance"], int] | None = None
        self.events: list[RawEvent] = []
        #: True if the first access ends the run.
        self.ends = False
        self._secrets = secrets
        # Cells written by the run itself.
        self._known: set[int] = set()

    def note(self, what: Literal["looked", "chance"]) -> None:
        """Record an access, unless there was an earlier one."""
        self.first = self.first or (what, len(self.events))
        if self.ends:
            raise _TraceComplete

    def reset_trace(self) -> None:
        """Clear the recorded access."""
        self.first = None

    def is_secret(self, address: int) -> bool:
        """Return whether a cell is secret now."""
        return address in self._secrets.cells and address not in self._known

    def copy_secret(self, source: int, target: int) -> bool:
        """Copy from one secret cell to another without recording a read.

        Returns False if either cell is not secret.
        """
        if not self.is_secret(source) or target not in self._secrets.cells:
            return False
        list.__setitem__(self, target, list.__getitem__(self, source))
        self._known.discard(target)
        return True

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> int | list[int]:
        if self.first is None:
            if at.__class__ is int:
                hidden = at in self._secrets.cells and at not in self._known
            else:
                hidden = any(map(self.is_secret, self._addresses(at)))
            if hidden:
                self.note("looked")
        return super().__getitem__(at)

    @overload
    def __setitem__(self, at: SupportsIndex, value: int, /) -> None: ...
    @overload
    def __setitem__(self, at: slice, value: Iterable[int], /) -> None: ...
    def __setitem__(self, at: SupportsIndex | slice, value: Any, /) -> None:
        self._known.update(a for a in self._addresses(at) if a not in self._secrets.lasting)
        super().__setitem__(at, value)

    def _addresses(self, at: SupportsIndex | slice) -> range:
        if isinstance(at, slice):
            return range(*at.indices(len(self)))
        number = at.__index__()
        return range(number, number + 1)


class _TooLong(Exception):
    pass


class _TraceComplete(Exception):
    """Raised to end the run at the first access."""


class _BoundedInterpreter(Interpreter):
    """Interpreter with a limit on the number of statements."""

    statements_left = MAX_ANSWER_STATEMENTS

    def statement(self, statement: ir.Stmt, local: dict[int, int]) -> None:
        self.statements_left -= 1
        if not self.statements_left:
            raise _TooLong
        super().statement(statement, local)


class _TracingInterpreter(Interpreter):
    """Interpreter in which moves within the state are not reads."""

    def __init__(self, program: ir.Program, state: _TracedState, search: Search) -> None:
        super().__init__(program, state, state.events, None)
        self._traced = state
        self._search = search
        self.listed: int | None = None

    def options(self, decision: ir.DecisionSpec) -> list[Option]:
        """Return the options, and record separately if they depend on secret cells."""
        before, ends = self._traced.first, self._traced.ends
        self._traced.reset_trace()
        self._traced.ends = False
        result = super().options(decision)
        if self.listed is None and self._traced.first is not None:
            self.listed = len(self._traced.events)
        self._traced.first, self._traced.ends = before, ends
        return result

    def search(self, query: CycleQuery) -> ir.CycleVerdict:
        """Return the verdict of a cycle search, which counts as a read of every secret cell."""
        verdict, self.fuel = self._search(self.state[:], query, self.fuel)
        return verdict

    def roll(self, state: State, n: int) -> int:
        if n > 1:
            self._traced.note("chance")
        return super().roll(state, n)

    def statement(self, statement: ir.Stmt, local: dict[int, int]) -> None:
        match statement:
            case ir.Store(address=address, value=ir.Bin(operator="+" | "-" as sign, left=ir.Load() as old, right=more)):
                if old.address == address:
                    target = self.eval(address, local)
                    value = ir.OPERATORS[sign](list.__getitem__(self.state, target), self.eval(more, local))
                    list.__setitem__(self.state, target, value)
                    return
            case ir.Store(address=address, value=ir.Load(address=source)):
                if self._traced.copy_secret(self.eval(source, local), self.eval(address, local)):
                    return
        super().statement(statement, local)

    def exec_pile(self, statement: ir.PileInstruction, local: dict[int, int]) -> None:
        """Run a pile instruction on an unrecorded copy; only a card taken out of a pile is read."""
        traced = self._traced
        match statement:
            case ir.Push(pile=pile, card=card):
                self.eval(pile, local)
                self.eval(card, local)
            case ir.Pop(pile=pile, bottom=bottom):
                address = self.eval(pile, local)
                size = traced[address]
                if size:
                    traced[address + 1 if bottom else address + size]
            case ir.RemoveCard(pile=pile, card=card):
                address = self.eval(pile, local)
                self.eval(card, local)
                traced[address : address + 1 + traced[address]]
        bare = list(traced)
        self.state = bare
        try:
            super().exec_pile(statement, local)
        finally:
            self.state = traced
            for address, (old, new) in enumerate(zip(list.__iter__(traced), bare, strict=True)):
                if old != new:
                    list.__setitem__(traced, address, new)


# ---- poisoned runs -------------------------------------------------------------------------------------------------


#: Cells with random streams.
_CHANCE = (ir.AT_CHANCE, ir.AT_PLAY_CHANCE)


@dataclass(frozen=True, slots=True)
class RunResult:
    """Events and final state of a run."""

    events: tuple[RawEvent, ...]
    state: State


def run_poisoned(
    backend: PythonBackend, cells: State, option: Option, time: int, viewer: int, secrets: Secrets
) -> RunResult | None:
    """Apply an option and run to the next decision or the end; `cells` are unchanged.

    Returns None if the run depends on `secrets` of the viewer or on chance, or if the rules fail.  Then
    `record` finds out how far the run is independent.  All backends use the Python backend for this,
    so that they agree.
    """
    if secrets.lasting:
        return None
    state: list[Any] = cells.copy()
    events: list[RawEvent] = []
    backend.choose(state, option, time)
    for address in (*secrets.cells, *_CHANCE):
        state[address] = _Poison(state[address])
    try:
        run_on(backend, state, events)
        if state[ir.AT_DECISION] >= 0 and state[ir.AT_SEAT] == viewer:
            backend.options(state)
    except RuleFault:
        return None
    except _PoisonRead:
        backend.clear_scratch()
        return None
    if any(map(_contains_poison, events)):
        return None
    for address, value in enumerate(state):
        if value.__class__ is _Poison:
            if address not in secrets.cells and address not in _CHANCE:
                return None
            state[address] = value.value
    return RunResult(tuple(events), state)


def end_poisoned(backend: PythonBackend, cells: State, secret: Set[int]) -> State | None:
    """Return the state after ending the game at once; `cells` are unchanged.

    Returns None if the result depends on `secret` cells or chance, or if the rules fail.
    """
    state: list[Any] = cells.copy()
    state[ir.AT_BLOCK] = backend.program.closing
    for address in (*secret, *_CHANCE):
        state[address] = _Poison(state[address])
    try:
        backend.run(state)
    except (RuleFault, _PoisonRead):
        backend.clear_scratch()
        return None
    return [value.value if value.__class__ is _Poison else value for value in state]


def _contains_poison(value: object) -> bool:
    """Return whether an event contains a poisoned value."""
    return value.__class__ is _Poison or (isinstance(value, tuple) and any(map(_contains_poison, value)))


class _PoisonRead(Exception):
    """Raised by an operation on a poisoned value."""


class _Poison:
    """Poisoned value: every operation on it raises `_PoisonRead`."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value


def _raise_read(*_: object) -> NoReturn:
    raise _PoisonRead


def _guard(names: Iterable[str]) -> None:
    """Make these operations raise `_PoisonRead`."""
    for name in names:
        setattr(_Poison, name, _raise_read)


_SIGNS = ("add", "sub", "mul", "floordiv", "truediv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or", "xor")
_guard(f"__{side}{sign}__" for sign in _SIGNS for side in ("", "r"))
_guard(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"))
_guard(f"__{name}__" for name in ("bool", "index", "int", "float", "hash", "len", "iter", "str", "repr", "format"))
