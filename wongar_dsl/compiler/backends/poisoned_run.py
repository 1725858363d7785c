"""Run of the compiled program with poisoned secret cells, to prove that the result does not depend on them.

Each secret cell, and each random stream, holds a `_Poison` instead of a number.  It can be copied, but any operation on
its value ends the run.  A run that reaches its end has the same result for all secret values.  This is as fast as a
normal run.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any, NoReturn

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import Option, RawEvent, RuleFault, State, run_on
from wongar_dsl.compiler.backends.python import PythonBackend
from wongar_dsl.compiler.backends.taint_interpreter import Secrets

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
    `taint_interpreter.record` finds out how far the run is independent.  All backends use the Python backend for this,
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
