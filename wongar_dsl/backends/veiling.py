"""A run whose secrets are covered: as quick as any other, as long as nothing hangs on them.

Every secret cell, and the chance to come, holds a `_Veil` in the place of its number.  It can be moved about, but
whatever asks for its value ends the run.  Where none does, what happened is the same whatever lies under the veils.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any, NoReturn

from wongar_dsl import ir
from wongar_dsl.backends.protocol import Option, RawEvent, RuleFault, State, run_on
from wongar_dsl.backends.python import PythonBackend
from wongar_dsl.backends.recording import Secrets

#: Where it stands what chance brings.
_CHANCE = (ir.AT_CHANCE, ir.AT_PLAY_CHANCE)


@dataclass(frozen=True, slots=True)
class Course:
    """What happened, and the state that it led to."""

    events: tuple[RawEvent, ...]
    state: State


def run_veiled(
    backend: PythonBackend, cells: State, option: Option, time: int, viewer: int, secrets: Secrets
) -> Course | None:
    """Take an option and run on to the next decision or the end; `cells` stay as they are.

    None where anything hangs on what `secrets` hide from the viewer, on chance, or where the rules go wrong: then
    `recording.record` tells how far it goes.  The same on every backend, which is why `backend` is always this one.
    """
    if secrets.lasting:
        return None
    state: list[Any] = cells.copy()
    events: list[RawEvent] = []
    backend.choose(state, option, time)
    for address in (*secrets.cells, *_CHANCE):
        state[address] = _Veil(state[address])
    try:
        run_on(backend, state, events)
        if state[ir.AT_DECISION] >= 0 and state[ir.AT_SEAT] == viewer:
            backend.options(state)
    except RuleFault:
        return None
    except _Looked:
        backend.forget()
        return None
    if any(map(_veiled, events)):
        return None
    for address, value in enumerate(state):
        if value.__class__ is _Veil:
            if address not in secrets.cells and address not in _CHANCE:
                return None
            state[address] = value.under
    return Course(tuple(events), state)


def end_veiled(backend: PythonBackend, cells: State, secret: Set[int]) -> State | None:
    """The state after the game has ended at once; `cells` stay as they are.

    None where anything hangs on `secret` cells or chance, or the rules go wrong.
    """
    state: list[Any] = cells.copy()
    state[ir.AT_BLOCK] = backend.program.closing
    for address in (*secret, *_CHANCE):
        state[address] = _Veil(state[address])
    try:
        backend.run(state)
    except (RuleFault, _Looked):
        backend.forget()
        return None
    return [value.under if value.__class__ is _Veil else value for value in state]


def _veiled(value: object) -> bool:
    """Whether anything in what was told is covered."""
    return value.__class__ is _Veil or (isinstance(value, tuple) and any(map(_veiled, value)))


class _Looked(Exception):
    """Something was to hang on what is covered."""


class _Veil:
    """Covers a number of which nobody may learn anything."""

    __slots__ = ("under",)

    def __init__(self, under: int) -> None:
        self.under = under


def _look(*_: object) -> NoReturn:
    raise _Looked


def _guarded(names: Iterable[str]) -> None:
    """Let each of these operations end the run."""
    for name in names:
        setattr(_Veil, name, _look)


_SIGNS = ("add", "sub", "mul", "floordiv", "truediv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or", "xor")
_guarded(f"__{side}{sign}__" for sign in _SIGNS for side in ("", "r"))
_guarded(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"))
_guarded(f"__{name}__" for name in ("bool", "index", "int", "float", "hash", "len", "iter", "str", "repr", "format"))
